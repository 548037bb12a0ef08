"""`bazi hour`: a date without its hour."""

import bazi_core as bz


def test_json_is_what_the_core_gives(bazi):
    found = bazi.json("hour", "1990-05-15", "--city", "北京")
    day = bz.candidates("1990-05-15", city="北京")
    for each in found["candidates"]:
        assert {each.pop(name) is not None for name in ("strength", "certainty", "pattern", "useful")} == {
            True
        }
    for name in ("strength", "certainty", "pattern", "useful"):
        found["invariant"].pop(name)
    assert {name: found[name] for name in ("candidates", "invariant", "varies")} == day.to_dict()


def test_each_hour_has_its_strength_pattern_and_useful_god_and_what_they_share(bazi):
    found = bazi.json("hour", "1990-05-15", "--city", "北京")
    day = bz.chart("1990-05-15", city="北京", hour_unknown=True)
    for each, chart in zip(found["candidates"], day.by_hour, strict=True):
        assert each["pillars"] == chart.pillars.to_dict()
        assert each["pattern"] == chart.pattern().name
        assert each["strength"] == chart.strength.verdict
        assert each["certainty"] == chart.strength.certainty
        assert each["useful"] == chart.pattern().useful_gods[0].value
    # Ten minutes after midnight the day changes, and with it the pattern.
    assert [found["invariant"][name] for name in ("year", "strength", "pattern", "useful")] == [
        "庚午", None, None, None,
    ]  # fmt: skip
    assert {each["pattern"] for each in found["candidates"][1:]} == {"七杀格"}
    alike = bazi.json(
        "hour", "1990-05-15", "--city", "北京", "--time-basis", "civil", "--day-boundary", "00:00"
    )
    assert alike["invariant"]["pattern"] == "七杀格"


def test_a_school_without_judgement_names_no_meaning(bazi):
    found = bazi.json("hour", "1990-05-15", "--city", "北京", "--judgement", "facts")
    assert {(each["strength"], each["pattern"], each["useful"]) for each in found["candidates"]} == {
        (None, "未论", None)
    }


def test_an_assumed_place_is_noted(bazi):
    warnings = bazi.json("hour", "1990-05-15", "--city", "西安")["warnings"]
    assert warnings[0]["code"] == "PLACE_ASSUMED"


def test_a_lunar_date_and_the_school_are_understood(bazi):
    found = bazi.json("hour", "农历1990年闰五月初一", "--city", "上海", "--day-boundary", "00:00")
    assert found["input"]["civil"] == "1990-06-23"


def test_a_day_on_which_the_month_turns_says_so(bazi):
    assert "庚辰" in bazi.json("hour", "1990-05-06", "--city", "北京")["varies"]["month"][0]["value"]
