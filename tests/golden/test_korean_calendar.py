"""Korea's lunar calendar against the months that KASI publishes, and what a birth makes of it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

import bazi_core as bz
from bazi_core.astro.lunar import FIRST_YEAR, lunar_date, lunar_months, solar_date
from bazi_core.errors import InvalidLunarDate, UnknownOption
from tests.golden.test_lunar_calendar import csv_rows, key_of

KASI = {key_of(row): row["start_gregorian"] for row in csv_rows("lunar_months_kasi_1899_2050.csv")}
DAYS = [date(1950, 1, 1) + timedelta(days) for days in range((date(2051, 1, 1) - date(1950, 1, 1)).days)]


def korean(day: date):
    return lunar_date(day, calendar="korean")


@pytest.mark.parametrize("policy", ["utc_frozen", "ut1_model"])
def test_every_month_of_1899_to_2050_begins_on_the_day_that_kasi_prints(policy):
    found = {
        (month.year, month.month, month.leap): month.start.isoformat()
        for year in range(1899, 2051)
        for month in lunar_months(year, calendar="korean", future_utc=policy)
    }
    assert found.pop((2050, 12, False))
    assert found == KASI


def test_every_day_of_1950_to_2050_is_the_day_that_kasi_prints():
    starts = sorted((date.fromisoformat(start), key) for key, start in KASI.items())
    at = 0
    for day in DAYS:
        while at + 1 < len(starts) and starts[at + 1][0] <= day:
            at += 1
        first, key = starts[at]
        found = korean(day)
        assert (found.year, found.month, found.leap) == key
        assert found.day == (day - first).days + 1


def test_a_korean_date_is_the_day_it_was_made_from():
    for day in DAYS[::7]:
        found = korean(day)
        assert solar_date(found.year, found.month, found.day, found.leap, calendar="korean") == day


def test_korea_and_china_differ_on_one_day_in_twenty_seven():
    differ = [day for day in DAYS if korean(day)[:4] != lunar_date(day)[:4]]
    assert len(differ) / len(DAYS) == pytest.approx(0.037, abs=0.0005)


def test_before_1912_korea_kept_chinas_calendar_but_for_the_rows_of_its_table():
    differ = {
        (month.year, month.month, month.leap)
        for year in range(FIRST_YEAR, 1912)
        for month in set(lunar_months(year)) ^ set(lunar_months(year, calendar="korean"))
    }
    assert {year for year, *_ in differ} == {1648, 1650, 1651, 1652, 1653, 1699, 1709, 1841}


def test_a_calendar_that_is_none_is_refused():
    with pytest.raises(UnknownOption) as refused:
        lunar_date("1990-05-15", calendar="vietnamese")
    assert refused.value.data["allowed"] == ["chinese", "korean"]


# Births.


def codes(chart: bz.Chart) -> list[str]:
    return [doubt.code for doubt in chart.own_warnings]


def test_a_lunar_date_of_a_birth_in_korea_is_read_in_koreas_calendar_and_says_so():
    chart = bz.chart("农历1996年腊月三十 10:00", city="Seoul", gender="female")
    assert chart.birth.civil.date() == date(1997, 2, 7)
    assert chart.school.lunar_calendar == "korean"
    assert chart.lunar.text() == "农历1996年腊月三十"
    (doubt,) = [each for each in chart.own_warnings if each.code == "LUNAR_CALENDAR_DIFFERS"]
    assert doubt.data == {"used": "korean", "date": "1997-02-07", "other": "chinese", "other_date": None}


@pytest.mark.parametrize(
    "where",
    [{"city": "Busan"}, {"city": "평양"}, {"tz": "Asia/Seoul"}, {"longitude": 127.0, "tz": "Asia/Seoul"}],
)
def test_wherever_korea_is_meant_new_year_of_1997_is_the_eighth_of_february(where):
    chart = bz.chart("农历1997年正月初一 10:00", **where)
    assert chart.birth.civil.date() == date(1997, 2, 8)
    assert "LUNAR_CALENDAR_DIFFERS" in codes(chart)


@pytest.mark.parametrize("city", ["北京", "台北", "香港", "New York"])
def test_elsewhere_a_lunar_date_is_chinas_without_a_word(city):
    chart = bz.chart("农历1997年正月初一 10:00", city=city)
    assert chart.birth.civil.date() == date(1997, 2, 7)
    assert "LUNAR_CALENDAR_DIFFERS" not in codes(chart)
    assert chart.school.lunar_calendar == "by_place"


def test_the_korean_profile_reads_korean_dates_anywhere():
    chart = bz.chart("农历1997年正月初一 10:00", city="北京", school=bz.School.named("saju_kr"))
    assert chart.birth.civil.date() == date(1997, 2, 8)
    assert "LUNAR_CALENDAR_DIFFERS" in codes(chart)


def test_in_japan_chinas_calendar_counts_and_the_other_day_is_told():
    chart = bz.chart("农历1997年正月初一 10:00", city="东京")
    (doubt,) = [each for each in chart.own_warnings if each.code == "LUNAR_CALENDAR_DIFFERS"]
    assert (doubt.data["date"], doubt.data["other_date"]) == ("1997-02-07", "1997-02-08")


def test_where_both_calendars_agree_nothing_is_said():
    chart = bz.chart("农历1990年闰五月初一 10:00", city="Seoul")
    assert chart.birth.civil.date() == date(1990, 6, 23)
    assert "LUNAR_CALENDAR_DIFFERS" not in codes(chart)


def test_a_day_that_only_china_has_is_refused_in_korea():
    day = next(day for day in DAYS if lunar_date(day).day == 30 and korean(day).month_days == 29)
    stated = lunar_date(day)
    with pytest.raises(InvalidLunarDate):
        solar_date(stated.year, stated.month, 30, stated.leap, calendar="korean")


def test_an_unknown_hour_and_the_json_of_a_chart_keep_the_calendar():
    chart = bz.chart("农历1997年正月初一", city="Seoul", hour_unknown=True)
    assert chart.birth.civil.date() == date(1997, 2, 8)
    assert "LUNAR_CALENDAR_DIFFERS" in codes(chart)
    assert bz.Chart.from_json(chart.to_json()).lunar == chart.lunar


def test_the_year_turns_with_koreas_new_year_under_that_boundary():
    school = bz.School(year_boundary="lunar_new_year")
    born = "1997-02-07 12:00"
    assert str(bz.chart(born, city="北京", school=school).pillars.year) == "丁丑"
    assert str(bz.chart(born, city="Seoul", school=school).pillars.year) == "丙子"
