"""`bazi convert`: lunar to solar and back, leap months always said."""


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


def test_of_a_month_that_is_alone_nothing_is_said(bazi):
    assert "闰" not in bazi.text("convert", "农历1991年五月初一")


def test_the_time_of_day_plays_no_part(bazi):
    assert bazi.json("convert", "1990-05-15", "23:30") == bazi.json("convert", "1990-05-15")


def test_a_date_that_was_issued_is_not_called_computed(bazi):
    assert "推算" not in bazi.text("convert", "1990-01-01")


def test_the_lunar_calendar_of_korea_is_asked_for_by_name(bazi):
    korea = ("--lunar-calendar", "korean")
    back = bazi.json("convert", "农历1996年腊月三十", *korea)
    assert (back["solar"], back["lunar"]["calendar"]) == ("1997-02-07", "korean")
