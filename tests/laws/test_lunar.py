"""Laws of the lunar calendar: what must hold for every year, whatever the tables say."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import lunar_year, scales, terms
from bazi_core.astro.lunar import (
    FIRST_DAY,
    FIRST_YEAR,
    LAST_DAY,
    LAST_YEAR,
    LunarMonth,
    lunar_date,
    lunar_months,
    lunar_year_of,
    new_year,
    solar_date,
)
from bazi_core.astro.lunar_text import parse_lunar_date

POLICIES = ("utc_frozen", "ut1_model")
DAYS = st.dates(FIRST_DAY, LAST_DAY)
YEARS = st.integers(FIRST_YEAR, LAST_YEAR)
POLICY = st.sampled_from(POLICIES)


def all_months(future_utc: str) -> list[LunarMonth]:
    return [
        month
        for year in range(FIRST_YEAR, LAST_YEAR + 1)
        for month in lunar_months(year, future_utc=future_utc)
    ]


def zhongqi_days(year: int, future_utc: str) -> dict[SolarTerm, date]:
    """The twelve 中气 of a Gregorian year with their days at UTC+8."""
    found = {}
    for term in SolarTerm:
        if not term.is_jie:
            utc_ms = scales.utc_from_tt(terms.instant(terms.position_of(year, term)), future_utc)
            found[term] = (scales.datetime_of(utc_ms) + timedelta(hours=8)).date()
    return found


@pytest.mark.parametrize("future_utc", POLICIES)
def test_months_follow_each_other_without_gap_and_have_29_or_30_days(future_utc: str) -> None:
    months = all_months(future_utc)
    assert {month.days for month in months} == {29, 30}
    for month, following in pairwise(months):
        assert month.start + timedelta(days=month.days) == following.start
    assert (months[0].start, months[-1].start + timedelta(days=months[-1].days - 1)) == (FIRST_DAY, LAST_DAY)


@pytest.mark.parametrize("future_utc", POLICIES)
def test_a_year_has_months_1_to_12_in_order_and_at_most_one_leap_after_its_namesake(future_utc: str) -> None:
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        months = lunar_months(year, future_utc=future_utc)
        assert [month.month for month in months if not month.leap] == list(range(1, 13))
        assert [month.index_in_year for month in months] == list(range(1, len(months) + 1))
        for before, month in pairwise(months):
            assert month.month == before.month + (not month.leap)
        assert sum(month.leap for month in months) == len(months) - 12 <= 1


@pytest.mark.parametrize("future_utc", POLICIES)
def test_a_leap_month_contains_no_zhongqi_and_month_11_contains_the_solstice(future_utc: str) -> None:
    ruled = [
        month
        for month in all_months(future_utc)
        if not any(note.code == "LUNAR_OVERRIDE" for note in month.notes)
    ]
    leaps = [month for month in ruled if month.leap]
    assert len(leaps) > 190
    for month in leaps:
        days = zhongqi_days(month.start.year, future_utc) | zhongqi_days(month.start.year + 1, future_utc)
        assert not any(0 <= (day - month.start).days < month.days for day in days.values()), month
    for month in ruled:
        if (month.month, month.leap) == (11, False):
            solstice = zhongqi_days(month.year, future_utc)[SolarTerm("冬至")]
            assert 0 <= (solstice - month.start).days < month.days, month


def test_nineteen_years_have_seven_leap_months_or_one_more_or_less() -> None:
    leaps = [sum(month.leap for month in lunar_months(year)) for year in range(FIRST_YEAR, LAST_YEAR + 1)]
    assert {sum(leaps[at : at + 19]) for at in range(len(leaps) - 18)} <= {6, 7, 8}


def test_new_year_lies_between_21_january_and_21_february() -> None:
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        assert date(year, 1, 21) <= new_year(year) <= date(year, 2, 21), year


def test_both_policies_agree_on_every_month_and_note_as_far_as_the_issued_calendar_reaches() -> None:
    for year in range(FIRST_YEAR, lunar_year.LAST_OFFICIAL_YEAR + 1):
        assert lunar_months(year) == lunar_months(year, future_utc="ut1_model")


def test_a_grade_is_official_or_computed_or_says_in_a_note_why_it_is_provisional() -> None:
    for future_utc in POLICIES:
        for month in all_months(future_utc):
            near = any(note.code == "LUNAR_NEAR_MIDNIGHT" for note in month.notes)
            assert month.official == (month.year <= 2026) == (month.grade == "official")
            assert (month.grade == "provisional") == (near and not month.official)


@given(DAYS, POLICY)
def test_a_day_survives_conversion_and_text(day: date, future_utc: str) -> None:
    found = lunar_date(day, future_utc=future_utc)
    for lang in ("zh-Hans", "zh-Hant"):
        year, month, leap, at = parse_lunar_date(found.text(lang))
        assert solar_date(year, month, at, leap, future_utc=future_utc) == day


@given(DAYS, POLICY)
def test_the_lunar_year_of_a_day_is_that_of_its_lunar_date(day: date, future_utc: str) -> None:
    found = lunar_date(day, future_utc=future_utc)
    assert lunar_year_of(day, future_utc=future_utc) == found.year
    assert (found.year - 4) % 60 == found.year_ganzhi.index
    assert found.zodiac is found.year_ganzhi.branch.zodiac


@given(YEARS, POLICY)
def test_months_of_a_year_hold_exactly_its_days(year: int, future_utc: str) -> None:
    months = lunar_months(year, future_utc=future_utc)
    last = new_year(year, future_utc=future_utc) + timedelta(days=sum(month.days for month in months) - 1)
    assert lunar_year_of(last, future_utc=future_utc) == year
    assert last == LAST_DAY or lunar_year_of(last + timedelta(days=1), future_utc=future_utc) == year + 1
