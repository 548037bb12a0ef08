"""`bazi terms`: the 24 terms, on any clock."""

import bazi_core as bz


def test_json_is_what_the_core_gives(bazi):
    found = bazi.json("terms", "2026")
    assert found["terms"] == [event.to_dict() for event in bz.solar_terms(2026)]
    assert (found["timezone"], found["cycle"], found["engine"]) == ("UTC+08:00", "gregorian", "table")


def test_text_has_a_line_for_each_term(bazi):
    assert bazi.text("terms", "2026").count("+08:00") == 24


def test_without_a_year_it_is_the_present_one(bazi):
    assert bazi.json("terms")["year"] == 2026


def test_cycle_ganzhi_begins_with_lichun(bazi):
    names = [term["name"] for term in bazi.json("terms", "2026", "--cycle", "ganzhi")["terms"]]
    assert (names[0], names[-1]) == ("立春", "大寒")


def test_the_clock_of_a_zone_a_city_or_an_offset(bazi):
    assert bazi.json("terms", "2026", "--tz", "America/New_York")["terms"][2]["local"].endswith("-05:00")
    assert bazi.json("terms", "2026", "--city", "东京")["timezone"] == "Asia/Tokyo"
    assert (
        bazi.json("terms", "2026", "--utc-offset", "0")["terms"][2]["local"]
        == "2026-02-03T20:02:07.951+00:00"
    )


def test_the_live_engine_agrees_with_the_table(bazi):
    live, table = (bazi.json("terms", "2026", "--engine", engine)["terms"] for engine in ("live", "table"))
    assert max(abs(a["tt_ms"] - b["tt_ms"]) for a, b in zip(live, table, strict=True)) <= 2


def test_the_policy_for_future_utc_moves_the_terms_of_2200(bazi):
    frozen, model = (
        bazi.json("terms", "2200", "--future-utc", policy)["terms"][2]
        for policy in ("utc_frozen", "ut1_model")
    )
    assert frozen["tt_ms"] == model["tt_ms"]
    assert frozen["utc"] != model["utc"]


def test_near_years_say_nothing_of_how_far_they_may_be_off(bazi):
    assert "自转" not in bazi.text("terms", "2020")
