"""Every warning: one birth that provokes it, one near miss that does not, and what it tells."""

from __future__ import annotations

import json
import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.place.gazetteer import Place
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES
from bazi_core.warnings import WARNINGS
from tests.births import asked_of
from tests.tables import holds_for_all, rows_of

Asked = dict[str, Any]
CIVIL = School(time_basis="civil")
NOON = "1985-03-10 12:00"


def warnings(asked: Asked) -> list[Any]:
    return list(bz.chart(**{"gender": "male", **asked}).own_warnings)


def codes(asked: Asked) -> list[str]:
    return [doubt.code for doubt in warnings(asked)]


# Their English sentences quote pillars, terms or names of places.
WITH_HANZI = {"PLACE_ASSUMED", "PLACE_CONTRADICTED", "HOUR_CHANGED_BY_SOLAR_TIME", "DAY_CHANGED_BY_SOLAR_TIME",
              "ZI_HOUR_ASSUMED", "LUNAR_NEAR_MIDNIGHT", "INVALID_PILLARS"}  # fmt: skip


def data_of(asked: Asked, code: str) -> list[dict[str, Any]]:
    return [doubt.data for doubt in warnings(asked) if doubt.code == code]


CASES = [
    (code, asked_of(born), asked_of(near_miss), set(members.split()))
    for code, born, near_miss, members in rows_of("core/warnings.csv")
]


@holds_for_all("code, provoking, near_miss, members", CASES)
def test_a_warning_is_given_where_it_belongs_and_not_beside_it(code, provoking, near_miss, members):
    found = data_of(provoking, code)
    assert len(found) == 1
    assert found[0].keys() >= members
    assert code not in codes(near_miss)


def test_every_warning_has_a_case():
    inferred = {"ZONE_FROM_COORDINATES"}
    assert {code for code, *_ in WARNINGS} | {"HOUR_UNKNOWN", "GENDER_UNKNOWN", "INVALID_PILLARS"} == (
        {code for code, *_ in CASES} | inferred
    )


@holds_for_all("code, provoking", [case[:2] for case in CASES])
def test_a_warning_has_words_in_three_languages_and_data_for_json(code, provoking):
    doubt = next(doubt for doubt in warnings(provoking) if doubt.code == code)
    forms = [doubt.to_dict(lang) for lang in LANGUAGES]
    assert all(form.keys() == {"code", "message", "data"} for form in forms)
    assert len({form["message"] for form in forms}) >= 2
    assert code in WITH_HANZI or not re.search("[\u4e00-\u9fff]", forms[-1]["message"])
    assert not any(mark in form["message"] for form in forms for mark in "{}")
    assert json.loads(json.dumps(forms[0], allow_nan=False))["data"] == doubt.data


@holds_for_all("code, provoking", [case[:2] for case in CASES])
def test_a_warning_never_changes_a_value(code, provoking):
    form = bz.chart(**{"gender": "male", **provoking}).to_dict()
    found = codes(provoking)
    assert [warning["code"] for warning in form["warnings"]][: len(found)] == found
    again = bz.Chart.from_dict(form)
    assert again.to_dict()["digest"] == form["digest"]


def test_the_zone_of_a_point_is_announced(monkeypatch):
    monkeypatch.setitem(sys.modules, "tzfpy", SimpleNamespace(get_tz=lambda lon, lat: "Asia/Tokyo"))
    where = {"when": NOON, "longitude": 139.7, "latitude": 35.7}
    assert data_of(where, "ZONE_FROM_COORDINATES") == [{"zone": "Asia/Tokyo"}]
    assert bz.chart(**where).moment.clock.source == "geo"
    assert "ZONE_FROM_COORDINATES" not in codes({**where, "tz": "Asia/Tokyo"})


def test_coordinates_far_from_the_place_named_tell_the_zone_used_and_what_theirs_would_give():
    far = {"when": "1990-05-15 13:30", "city": "北京", "longitude": -73.9, "latitude": 40.7}
    [data] = data_of(far, "PLACE_CONTRADICTED")
    there = bz.chart(**{**far, "city": None}, tz="America/New_York")
    assert data["pillars_by_coordinates"] == there.pillars.to_dict()
    assert (data["zone"], data["zone_of_coordinates"]) == ("Asia/Shanghai", "America/New_York")
    assert codes({**far, "tz": "America/New_York"}).count("PLACE_CONTRADICTED") == 0


@pytest.mark.parametrize("where", [{"longitude": 100, "latitude": 25}, {"longitude": 100}])
def test_coordinates_far_away_in_the_same_zone_or_without_a_latitude_give_no_other_pillars(where):
    [data] = data_of({"when": NOON, "city": "北京", **where}, "PLACE_CONTRADICTED")
    assert (data["zone_of_coordinates"], data["pillars_by_coordinates"]) == (None, None)


# In every result they stand in this order.
ORDER = [
    "PLACE_ASSUMED", "ZONE_FROM_COORDINATES", "PLACE_CONTRADICTED", "OFFSET_DIFFERS", "ZONE_SIGN_INVERTED",
    "LONGITUDE_UNKNOWN", "LONGITUDE_ZONE_MISMATCH",
    "HISTORICAL_CALENDAR", "LMT_USED", "DST_APPLIED", "PRE_1970_LINK_ZONE", "CHINA_1912_49_ZONES",
    "XINJIANG_DUAL_TIME", "FUTURE_UTC_POLICY", "OUT_OF_TABLE", "HOUR_CHANGED_BY_SOLAR_TIME",
    "DAY_CHANGED_BY_SOLAR_TIME", "NEAR_BOUNDARY", "HOUR_UNKNOWN", "LUNAR_OVERRIDE", "LUNAR_NEAR_MIDNIGHT",
]  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        {"when": "1940-07-15 23:02", "city": "喀什"},
        {"when": "1700-01-15 13:30", "city": "西安"},
        {"when": "2300-07-15 23:00", "city": "西安", "utc_offset": 7},
        {"when": "2057-10-01", "city": "东京", "hour_unknown": True},
        {"when": "1914-11-17", "city": "西安", "hour_unknown": True},
    ],
    ids=lambda asked: asked["when"],
)
def test_warnings_come_in_the_order_of_their_table(asked):
    found = [code for code in codes(asked) if code in ORDER]
    assert len(found) > 2
    assert found == sorted(found, key=ORDER.index)


# What the data say.


def test_the_clock_by_standard_time_gives_other_pillars_where_the_clock_decides():
    [data] = data_of({"when": "1990-05-15 13:30", "city": "北京", "school": CIVIL}, "DST_APPLIED")
    assert (data["dst_s"], data["standard_clock"]) == (3600, "1990-05-15T12:30:00")
    assert data["pillars_by_standard_clock"]["hour"] == "壬午"
    [data] = data_of({"when": "1990-05-15 13:30", "city": "北京"}, "DST_APPLIED")
    assert "pillars_by_standard_clock" not in data


def test_negative_daylight_saving_is_a_label_and_no_warning():
    asked = {"when": "1941-11-20 09:10", "tz": "Asia/Hong_Kong"}
    assert bz.chart(**asked).moment.dst_s == -1800
    assert "DST_APPLIED" not in codes(asked)


def test_the_five_zones_of_the_republic_are_listed_with_their_hours():
    [data] = data_of({"when": "1930-05-15 13:30", "city": "上海"}, "CHINA_1912_49_ZONES")
    assert data["applied_offset"] == "+08:00"
    assert (
        " ".join(each["utc_offset"] for each in data["alternatives"]) == "+05:30 +06:00 +07:00 +08:00 +08:30"
    )
    assert [each["hour_pillar"] for each in data["alternatives"]] == ["甲申", "甲申", "癸未", "癸未", "癸未"]


@pytest.mark.parametrize(("clock", "hour", "other"), [("auto", "丙辰", "丁巳"), ("xinjiang", "丁巳", "丙辰")])
def test_the_other_clock_of_xinjiang_comes_with_its_pillars(clock, hour, other):
    asked = {"when": "1985-03-10 10:20", "city": "cn:650100", "school": School(clock=clock)}
    [data] = data_of(asked, "XINJIANG_DUAL_TIME")
    assert bz.chart(**asked).pillars.hour.value == hour
    assert data["alternative_pillars"]["hour"] == other
    assert {data["clock"], data["other_clock"]} == {"beijing", "xinjiang"}
    assert (data["clock"] == "xinjiang") is (clock == "xinjiang")


@pytest.mark.parametrize("when", ["1990-04-15 02:30", "1986-05-04 02:30", "1940-06-01 00:30"])
def test_a_reading_of_the_xinjiang_clock_is_accepted_although_beijing_skipped_it(when):
    chart = bz.chart(when, city="cn:650100", school=School(clock="xinjiang"))
    assert chart.moment.utc_offset_s == 21600
    assert "XINJIANG_DUAL_TIME" in [doubt.code for doubt in chart.warnings]


def test_a_reading_of_beijing_is_accepted_although_urumqi_skipped_it():
    chart = bz.chart("1928-01-01 00:05", city="cn:650100")
    assert chart.moment.utc_offset_s == 28800


@pytest.mark.parametrize("clock", ["auto", "xinjiang"])
def test_a_double_hour_by_name_is_the_same_on_both_clocks_of_xinjiang(clock):
    asked = {"when": "1985-03-10 午时", "city": "cn:653100", "school": School(clock=clock)}
    [data] = data_of(asked, "XINJIANG_DUAL_TIME")
    assert data["alternative_pillars"]["hour"] == bz.chart(**asked).pillars.hour.value == "戊午"


@pytest.mark.parametrize(("policy", "difference"), [("utc_frozen", 26.7), ("ut1_model", 26.7)])
def test_the_other_policy_for_future_seconds_is_told_with_its_distance(policy, difference):
    asked = {"when": "2100-01-01 12:00", "utc_offset": 0, "school": School(future_utc=policy)}
    [data] = data_of(asked, "FUTURE_UTC_POLICY")
    assert data["policy"] == policy
    assert abs(data["difference_s"]) == pytest.approx(difference, abs=0.1)


def test_a_longitude_is_compared_with_the_standard_offset_of_its_zone():
    summer = {"when": "1990-07-10 12:00", "longitude": 62, "tz": "Asia/Shanghai"}
    assert "LONGITUDE_ZONE_MISMATCH" not in codes(summer)


# The boundary window.


@pytest.mark.parametrize(
    ("asked", "window"),
    [
        ({"when": "2024-02-04 16:27:00", "utc_offset": 8}, 120),
        ({"when": "2024-02-04 16:27", "utc_offset": 8, "school": School(boundary_window_s=0)}, 60),
        ({"when": "2024-02-04 16:27:00", "utc_offset": 8, "precision_s": 900}, 900),
        ({"when": "2024-02-04 16:27:00", "utc_offset": 8, "school": School(boundary_window_s=3600)}, 3600),
        ({"when": "2250-02-04 12:44:00", "utc_offset": 8}, 300),
    ],
)
def test_the_window_is_the_widest_of_school_precision_and_doubt_in_delta_t(asked, window):
    [data] = [data for data in data_of(asked, "NEAR_BOUNDARY") if data["kind"] == "jie"]
    assert data["window_s"] == window
    assert abs(data["distance_s"]) < window


def test_the_doubt_in_delta_t_widens_the_window_of_jie_only():
    # 立春 at 12:47:46, the double hour ends at 13:00; both are between 120 and 300 s away.
    for when, kinds in (("2250-02-04 12:44:00", ["jie"]), ("2250-02-04 12:56:00", [])):
        found = data_of({"when": when, "utc_offset": 8}, "NEAR_BOUNDARY")
        assert [data["kind"] for data in found] == kinds


@pytest.mark.parametrize(
    ("when", "kind", "across"),
    [
        ("2024-02-04 16:27:00", "jie", {"year": "甲辰", "month": "丙寅", "day": "戊戌", "hour": "庚申"}),
        ("2024-02-04 16:27:09", "jie", {"year": "癸卯", "month": "乙丑", "day": "戊戌", "hour": "庚申"}),
        ("2000-01-01 12:59:30", "hour", {"year": "己卯", "month": "丙子", "day": "戊午", "hour": "己未"}),
        ("2000-01-01 13:00:00", "hour", {"year": "己卯", "month": "丙子", "day": "戊午", "hour": "戊午"}),
        ("2000-01-01 22:59:30", "day", {"year": "己卯", "month": "丙子", "day": "己未", "hour": "甲子"}),
        ("2000-01-01 23:00:00", "day", {"year": "己卯", "month": "丙子", "day": "戊午", "hour": "癸亥"}),
    ],
)
def test_a_boundary_is_told_with_the_pillars_just_across_it(when, kind, across):
    [data] = data_of({"when": when, "utc_offset": 8}, "NEAR_BOUNDARY")
    assert (data["kind"], data["alternative_pillars"]) == (kind, across)


def test_distances_are_positive_before_and_negative_after_the_boundary():
    before, after = (
        data_of({"when": f"2000-01-01 {time}", "utc_offset": 8}, "NEAR_BOUNDARY")[0]
        for time in ("12:59:30", "13:00:00")
    )
    assert (before["distance_s"], after["distance_s"]) == (30.0, 0.0)


def test_the_day_that_begins_at_midnight_has_its_boundary_there():
    school = School(day_boundary="00:00")
    kinds = {
        time: [
            data["kind"]
            for data in data_of(
                {"when": f"2000-01-01 {time}", "utc_offset": 8, "school": school}, "NEAR_BOUNDARY"
            )
        ]
        for time in ("22:59:30", "23:59:30", "00:00:30")
    }
    assert kinds == {"22:59:30": ["hour"], "23:59:30": ["day"], "00:00:30": ["day"]}


def test_two_boundaries_at_once_are_two_warnings():
    asked = {"when": "2024-02-04 16:59", "utc_offset": 8, "precision_s": 3600}
    assert [data["kind"] for data in data_of(asked, "NEAR_BOUNDARY")] == ["jie", "hour"]


def test_the_boundary_of_lunar_new_year_is_a_boundary_too():
    school = School(year_boundary="lunar_new_year")
    [data] = data_of({"when": "2026-02-17 00:00:30", "utc_offset": 8, "school": school}, "NEAR_BOUNDARY")
    assert (data["kind"], data["alternative_pillars"]["year"]) == ("year", "乙巳")


def test_a_double_hour_by_name_is_near_no_hour_but_may_be_near_a_jie():
    assert data_of({"when": "1990-05-15 午时", "city": "北京"}, "NEAR_BOUNDARY") == []
    [data] = data_of({"when": "2024-02-04 申时", "city": "北京"}, "NEAR_BOUNDARY")
    assert (data["kind"], data["window_s"]) == ("jie", 3600)


def test_the_windows_apply_to_the_clock_in_use():
    near = {"when": "1985-03-10 13:24:50", "city": "北京"}
    chart = bz.chart(**near)
    assert chart.moment.local[11:16] == "13:00"
    assert [data["kind"] for data in data_of(near, "NEAR_BOUNDARY")] == ["hour"]
    assert data_of({**near, "school": CIVIL}, "NEAR_BOUNDARY") == []


def test_the_flags_of_the_trace_are_those_of_the_warnings():
    asked = {"when": "2024-02-04 16:59", "utc_offset": 8, "precision_s": 3600}
    flags = bz.chart(**asked).to_dict()["time_trace"]["boundary_flags"]
    assert flags == data_of(asked, "NEAR_BOUNDARY")


# An unknown hour.


def test_an_unknown_hour_tells_what_varies_and_nothing_about_an_hour():
    asked = {"when": "2026-02-04", "city": "喀什", "hour_unknown": True}
    [data] = data_of(asked, "HOUR_UNKNOWN")
    assert data["varies"].keys() == {"year", "month", "day"}
    assert not {"NEAR_BOUNDARY", "HOUR_CHANGED_BY_SOLAR_TIME", "DAY_CHANGED_BY_SOLAR_TIME"} & set(
        codes(asked)
    )


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("OFFSET_DIFFERS", {"when": "1985-03-10", "city": "北京", "utc_offset": 7}),
        ("XINJIANG_DUAL_TIME", {"when": "1985-03-10", "city": "cn:653100"}),
    ],
)
def test_what_is_certain_of_the_clock_is_also_said_when_the_hour_is_unknown(code, asked):
    assert code in codes({**asked, "hour_unknown": True})


def test_a_place_made_by_the_caller_passes_nothing_over():
    place = Place("a farm", 116.4, 39.9, "Asia/Shanghai")
    assert codes({"when": NOON, "place": place}) == []
