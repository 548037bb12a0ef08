"""`bazi convert`: lunar to solar and back, leap months always said."""

import pytest


def test_lunar_to_solar(bazi):
    found = bazi.json("convert", "农历1990年闰五月初一")
    assert (found["solar"], found["lunar"]["leap"], found["day_pillar"]) == ("1990-06-23", True, "己未")
    assert found["text"]["en"] == "1990, leap month 5, day 1"


def test_solar_to_lunar(bazi):
    assert bazi.json("convert", "1990-05-15")["text"]["zh-Hans"] == "农历1990年四月廿一"


def test_both_ways_are_inverse(bazi):
    for day in ("1990-06-23", "2026-02-17", "2033-12-22", "1645-01-28", "2200-02-14"):
        there = bazi.json("convert", day)["text"]["zh-Hans"]
        assert bazi.json("convert", there)["solar"] == day


def test_text_says_which_of_two_months_it_is(bazi):
    assert "1990年闰五月初一（此为闰月，其前另有平月）" in bazi.text("convert", "农历1990年闰五月初一")
    assert "此非闰月，其后另有闰月" in bazi.text("convert", "农历1990年五月初一")
    assert "闰" not in bazi.text("convert", "农历1991年五月初一")
    assert "the leap month" in bazi.text("convert", "农历1990年闰五月初一", "--lang", "en")
    assert "閏五月" in bazi.text("convert", "農曆1990年閏五月初一", "--lang", "zh-Hant")


def test_the_time_of_day_plays_no_part(bazi):
    assert bazi.json("convert", "1990-05-15", "23:30") == bazi.json("convert", "1990-05-15")


def test_a_computed_date_says_so(bazi):
    assert "推算" in bazi.text("convert", "2040-01-01")
    assert "推算" not in bazi.text("convert", "1990-01-01")


@pytest.mark.parametrize(
    ("text", "code", "status"),
    [
        ("农历1990年闰四月初一", "INVALID_LUNAR_DATE", 4),
        ("农历1990年五月三十一", "INVALID_LUNAR_DATE", 4),
        ("农历", "INVALID_LUNAR_DATE", 4),
        ("2023-02-30", "INVALID_DATETIME", 4),
        ("nothing", "INVALID_DATETIME", 4),
        ("1644-01-01", "OUT_OF_RANGE", 5),
        ("农历2300年正月初一", "OUT_OF_RANGE", 5),
    ],
)
def test_what_does_not_exist_is_refused(bazi, text, code, status):
    found, problem = bazi.problem("convert", text)
    assert (found, problem["code"]) == (status, code)


def test_the_lunar_calendar_of_korea_is_asked_for_by_name(bazi):
    korea = ("--lunar-calendar", "korean")
    assert "1997年正月初一" in bazi.text("convert", "1997-02-07")
    assert "1996年腊月三十" in bazi.text("convert", "1997-02-07", *korea)
    back = bazi.json("convert", "农历1996年腊月三十", *korea)
    assert (back["solar"], back["lunar"]["calendar"]) == ("1997-02-07", "korean")
