"""Instants as they are printed: on the clock of the place, with the offset in force where it is not that of the birth."""

from datetime import datetime

import pytest

import bazi_core as bz
from bazi_core.render import sheet, year_sheet
from bazi_core.render.clocks import on_local_clock, term_on_clock
from bazi_core.render.notes import notes

APRIL = bz.chart("1990-04-20 12:00", city="北京", gender="male")


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_a_term_before_summer_time_is_told_by_standard_time_and_says_so(lang):
    before, after = sheet.time_rows(APRIL, lang)[-2:]
    assert (before[1], before[2].split("  ")[0]) == ("1990-04-05 09:12:54", "+08:00")
    assert after[1] == "1990-05-06 03:35:25"
    assert "+0" not in after[2]


def test_a_stated_offset_is_kept_at_every_instant():
    moment = bz.moment("1990-04-20 12:00", utc_offset=9)
    assert term_on_clock(moment, moment.prev_jie) == ("1990-04-05 10:12:54", "")


def test_an_offset_in_the_text_that_is_the_zones_goes_on_with_the_zone():
    moment = bz.moment("1990-04-20 12:00+09:00", city="北京")
    assert term_on_clock(moment, moment.prev_jie) == ("1990-04-05 09:12:54", "+08:00")


def test_before_standard_time_an_instant_is_told_by_the_mean_time_of_the_place():
    moment = bz.moment("1900-12-20 12:00", city="北京")
    assert term_on_clock(moment, moment.prev_jie)[1] == ""
    # With 1901 standard time began.
    assert term_on_clock(moment, moment.next_jie)[1] == "+08:00"


def test_a_birth_without_an_hour_has_a_clock_too():
    unknown = bz.chart("1990-04-20", city="北京", hour_unknown=True)
    assert on_local_clock(unknown, datetime(1990, 4, 5, 1, 12, 54)) == "1990-04-05 09:12:54 +08:00"


def test_given_pillars_have_no_clock_but_utc():
    given = bz.chart(pillars="庚午 庚辰 乙卯 辛巳")
    assert on_local_clock(given, datetime(1990, 4, 5, 1, 12, 54)) == "1990-04-05 01:12:54 UTC"


def test_the_edge_of_a_month_in_a_warning_is_told_on_the_clock_of_the_birth():
    told = [first for first, *_ in notes(bz.chart("1990-04-05 09:13", city="北京", gender="male"), "en")]
    assert any("(1990-04-05 09:12:54 +08:00)" in each for each in told)


def test_months_of_a_year_say_an_offset_that_is_not_that_of_the_birth():
    head, first, *_ = year_sheet.month_rows(APRIL.year(2026), "en", 80)
    assert (head[3], first[3]) == ("From\n+08:00", "02-04\n04:02")
    march = bz.chart("1990-03-20 12:00", city="北京", gender="male")
    assert year_sheet.month_rows(march.year(2026), "en", 80)[0][3] == "From"


def test_months_on_both_sides_of_summer_time_say_it_one_by_one():
    chart = bz.chart("1990-04-20 12:00", city="New York", gender="male")
    started = [row[3] for row in year_sheet.month_rows(chart.year(2026), "en", 80)]
    assert started[:5] == [
        "From", "02-03\n15:02\n-05:00", "03-05\n08:58\n-05:00", "04-04\n14:39", "05-05\n07:48",
    ]  # fmt: skip
