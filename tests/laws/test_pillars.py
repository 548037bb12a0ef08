"""Laws of the four pillars: cycles, exact edges, one formula for one and for a million."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from itertools import islice, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidPillars
from bazi_core.pillars import (
    FourPillars,
    day_index,
    five_rats,
    five_tigers,
    month_index,
    pillar_indices,
    pillars_at,
    pillars_of_instant,
    year_index,
)
from bazi_core.school import School
from tests.sizes import sizes

DAY_MS = scales.DAY_MS
SCHOOLS = [
    School(day_boundary=boundary, late_zi_hour_stem=stem)
    for boundary, stem in product(("23:00", "00:00"), ("next_day", "same_day"))
]
# Positions of the 节 inside the accepted range.
JIE = st.integers(13, terms.COUNT // 2 - 13).map(lambda half: 2 * half)
OFFSETS = st.integers(-16 * 3600, 16 * 3600).map(lambda seconds: timezone(timedelta(seconds=seconds)))


def instant(utc_ms: int, zone: timezone) -> FourPillars:
    there = scales.datetime_of(utc_ms).replace(tzinfo=UTC).astimezone(zone)
    return pillars_of_instant(there, School())


# Cycles.


def test_years_repeat_after_sixty_and_advance_by_one():
    first = terms.position_of(1551, terms.SolarTerm("立春"))
    years = [int(year_index(first + 24 * step)) for step in range(1098)]
    assert all(index == (1551 + step - 4) % 60 for step, index in enumerate(years))
    assert years[60:] == years[:-60]


def test_the_year_holds_from_lichun_to_the_term_before_the_next():
    positions = np.arange(26, terms.COUNT - 24)
    ends = positions[(positions - 2) % 24 == 0]
    for offset in range(24):
        assert (year_index(ends + offset) == year_index(ends)).all()
    assert (year_index(ends + 24) == (year_index(ends) + 1) % 60).all()


def test_months_advance_by_one_at_every_jie_and_repeat_after_sixty():
    months = month_index(np.arange(0, terms.COUNT, 2))
    assert (np.diff(months) % 60 == 1).all()
    assert (months[60:] == months[:-60]).all()


def test_the_month_of_every_term_is_that_of_the_five_tigers():
    for position in range(26, 26 + 24 * 60):
        year, month = PILLARS[year_index(position)], PILLARS[month_index(position)]
        assert month is five_tigers(year.stem, terms.term_at(position).month_branch)


@pytest.mark.parametrize("late", [True, False], ids=["23:00", "00:00"])
def test_the_day_advances_by_one_over_400_000_days(late):
    first = scales.FIRST_UTC_MS
    days = day_index(first + DAY_MS * np.arange(400_000, dtype=np.int64), late)
    assert (np.diff(days) % 60 == 1).all()
    assert days[0] == day_index(first, late)
    seconds = first + 1000 * np.arange(86_400, dtype=np.int64)
    turns = np.flatnonzero(np.diff(day_index(seconds, late)))
    assert turns.tolist() == ([82_799] if late else [])


def test_the_hour_advances_by_one_through_sixty_double_hours():
    school = School()
    start = scales.FIRST_UTC_MS + 23 * 3_600_000
    hours = [pillars_at(100, start + 7_200_000 * step, school).hour.index for step in range(240)]
    assert all((after - before) % 60 == 1 for before, after in pairwise(hours))


@pytest.mark.parametrize(
    "school", SCHOOLS, ids=lambda school: f"{school.day_boundary} {school.late_zi_hour_stem}"
)
def test_the_hour_of_every_double_hour_is_that_of_the_five_rats(school):
    for hour in range(24 * 60):
        four = pillars_at(100, scales.FIRST_UTC_MS + hour * 3_600_000, school)
        stem_day = four.day
        if hour % 24 == 23 and school.day_boundary == "00:00" and school.late_zi_hour_stem == "next_day":
            stem_day = PILLARS[(four.day.index + 1) % 60]
        assert four.hour is five_rats(stem_day.stem, BRANCHES[(hour + 1) // 2 % 12])


# All possible charts.


@sizes(30_494, 518_400)
def test_the_calendar_makes_518_400_sets_and_each_is_accepted(count):
    months = np.arange(26, 26 + 24 * 60, 2)
    hours = scales.FIRST_UTC_MS + 7_200_000 * np.arange(720, dtype=np.int64)
    year, month, day, hour = pillar_indices(months[:, None], hours[None, :], School())
    sets = (year * 60 + month) * 3600 + day * 60 + hour
    assert len(np.unique(sets)) == 518_400
    by_month = {(int(y), int(m)) for y, m in zip(year.ravel(), month.ravel(), strict=True)}
    by_hour = {(int(d), int(h)) for d, h in zip(day.ravel(), hour.ravel(), strict=True)}
    assert (len(by_month), len(by_hour)) == (720, 720)
    for (y, m), (d, h) in islice(product(sorted(by_month), sorted(by_hour)), 0, None, 518_400 // count):
        assert FourPillars(PILLARS[y], PILLARS[m], PILLARS[d], PILLARS[h]).impossible() is None


@given(st.sampled_from(PILLARS), st.sampled_from(PILLARS), st.sampled_from(PILLARS), st.sampled_from(PILLARS))
def test_four_pillars_are_accepted_exactly_when_some_calendar_makes_them(year, month, day, hour):
    next_day = PILLARS[(day.index + 1) % 60]
    possible = month is five_tigers(year.stem, month.branch) and (
        hour is five_rats(day.stem, hour.branch)
        or (hour.branch.index == 0 and hour is five_rats(next_day.stem, hour.branch))
    )
    text = f"{year} {month} {day} {hour}"
    if possible:
        assert str(FourPillars.parse(text)) == text
    else:
        with pytest.raises(InvalidPillars):
            FourPillars.parse(text)
    assert str(FourPillars.parse(text, strict=False)) == text


@given(
    st.integers(26, terms.COUNT - 26),
    st.integers(scales.FIRST_UTC_MS, scales.END_UTC_MS),
    st.sampled_from(SCHOOLS),
)
def test_whatever_the_calendar_makes_is_accepted(term, local_ms, school):
    four = pillars_at(term, local_ms, school)
    assert FourPillars.parse(str(four)) == four


# Exact edges.


@sizes(1_200, 13_200)
def test_every_jie_of_eleven_centuries_turns_the_month_on_its_millisecond(count):
    for position in range(26, terms.COUNT - 26, 2 * (13_200 // count)):
        utc_ms = scales.utc_from_tt(terms.instant(position))
        old, new = (instant(utc_ms + step, UTC).month for step in (-1, 0))
        assert (old.index, new.index) == (month_index(position - 1), month_index(position))


@given(JIE, OFFSETS)
def test_the_month_turns_on_the_millisecond_of_its_jie_at_every_offset(position, zone):
    utc_ms = scales.utc_from_tt(terms.instant(position))
    old, new = (instant(utc_ms + step, zone) for step in (-1, 0))
    assert (old.month.index + 1) % 60 == new.month.index == month_index(position)
    turns_year = terms.term_at(position).index == 0
    assert (new.year.index - old.year.index) % 60 == turns_year


@given(st.integers(scales.FIRST_UTC_MS, scales.END_UTC_MS - 1), OFFSETS, OFFSETS)
def test_one_instant_has_one_year_and_one_month_wherever_the_clock_hangs(utc_ms, here, there):
    one, other = instant(utc_ms, here), instant(utc_ms, there)
    assert (one.year, one.month) == (other.year, other.month)


# One formula for one and for a million.


@pytest.mark.parametrize(
    "school", SCHOOLS, ids=lambda school: f"{school.day_boundary} {school.late_zi_hour_stem}"
)
@sizes(25_000, 250_000)
def test_scalars_and_arrays_agree_on_a_million_moments(school, count):
    random = np.random.default_rng(20260204)
    term = random.integers(26, terms.COUNT - 26, count)
    local_ms = random.integers(scales.FIRST_UTC_MS, scales.END_UTC_MS, count)
    arrays = np.stack(pillar_indices(term, local_ms, school), axis=1)
    scalars = [pillar_indices(*each, school) for each in zip(term.tolist(), local_ms.tolist(), strict=True)]
    assert (arrays == np.array(scalars)).all()
