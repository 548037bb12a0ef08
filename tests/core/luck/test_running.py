"""What runs at a date: which 大运, before and after them, the 流年, the ages."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import Pillar
from bazi_core.errors import BaziError, InvalidInput, OutOfRange
from bazi_core.luck.running import STATES
from bazi_core.school import School
from tests.tables import holds_for_all

MALE = bz.chart("1990-05-15 13:30", city="北京", gender="male")
SECOND = timedelta(seconds=1)
ZONES = ["Asia/Shanghai", "America/New_York", "Europe/London", "Asia/Kathmandu", "Pacific/Apia", "Asia/Seoul"]
BOUNDARIES = ["lichun", "lunar_new_year"]
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2060, 12, 31)).map(
    lambda each: each.replace(microsecond=0)
)


def charts() -> st.SearchStrategy[bz.Chart | None]:
    return st.builds(
        _chart, MOMENTS, st.sampled_from(ZONES), st.sampled_from(["male", "female"]), st.sampled_from(BOUNDARIES)
    )  # fmt: skip


def _chart(when: datetime, tz: str, gender: str, boundary: str) -> bz.Chart | None:
    try:
        return bz.chart(
            when, tz=tz, gender=gender, school=School(time_basis="civil", liunian_boundary=boundary)
        )
    except BaziError:
        return None


@given(charts(), st.integers(-20 * 365, 130 * 365), st.integers(0, 86_399))
def test_the_running_decade_is_the_one_whose_span_holds_the_moment(chart, days, seconds):
    assume(chart is not None)
    at = (chart.luck.start + timedelta(days, seconds)).astimezone(UTC)
    found = chart.running(at)
    starts = chart.luck.starts
    holding = [
        cycle
        for cycle, start, end in zip(chart.luck.cycles, starts, starts[1:], strict=False)
        if start <= at < end
    ]
    assert ([found.cycle] if found.cycle else []) == holding
    assert found.cycle == chart.luck.at(at)
    assert (found.state == "decade") == bool(holding)
    if found.state in ("before", "unborn"):
        assert at < starts[0]
    if found.state == "beyond":
        assert at >= starts[-1]


@given(charts(), st.integers(0, 130 * 365), st.integers(0, 86_399))
def test_the_running_year_is_the_one_whose_span_holds_the_moment(chart, days, seconds):
    assume(chart is not None)
    found = chart.running((chart.luck.start + timedelta(days, seconds)).astimezone(UTC))
    assert found.flow.start <= found.at < found.flow.end
    assert found.flow == chart.flow_year(found.year)


@given(charts(), st.integers(0, 45_000))
def test_completed_age_grows_on_the_birthday_and_is_never_more_than_two_behind_the_nominal_one(chart, days):
    assume(chart is not None)
    born = datetime.fromisoformat(chart.birth.to_dict()["civil"]).date()
    day = born + timedelta(days + 1)
    ages = chart.running(day).ages
    birthday = (day.month, day.day) >= (born.month, born.day)
    assert ages.full == day.year - born.year - (not birthday)
    assert 0 <= ages.nominal - ages.full <= 2


@holds_for_all("number", range(11))
def test_a_decade_runs_from_the_second_of_its_start_to_that_of_the_next(number):
    start, cycles = MALE.luck.starts[number], (None, *MALE.luck.cycles, None)
    for asked in (MALE.luck.at, lambda at: MALE.running(at).cycle):
        assert asked(start - SECOND) is cycles[number]
        assert asked(start) is cycles[number + 1]


def test_before_the_first_decade_minor_luck_runs_and_after_the_tenth_nothing():
    assert [MALE.running(day).state for day in ("1990-05-14", "1997-08-16", "1997-08-17", "2097-08-17")] == [
        "unborn", "before", "decade", "beyond",
    ]  # fmt: skip
    child = MALE.running("1992-06-01")
    assert (child.minor, child.ages.nominal) == (MALE.luck.xiaoyun[2].pillar, 3)
    assert MALE.running("1990-05-14").ages is None


def test_the_year_turns_with_lichun_to_the_second_or_with_lunar_new_year():
    turns = datetime(2026, 2, 4, 4, 2, 8)
    assert [MALE.running(each).flow.pillar for each in (turns - SECOND, turns)] == [
        Pillar("乙巳"),
        Pillar("丙午"),
    ]
    school = School(liunian_boundary="lunar_new_year")
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male", school=school)
    assert [chart.running(each).year for each in ("2026-02-16", "2026-02-17")] == [2025, 2026]


def test_a_date_means_its_noon_and_a_reading_the_clock_of_the_birthplace():
    noon = MALE.running(datetime(2026, 7, 1, 12))
    assert MALE.running(date(2026, 7, 1)) == MALE.running("2026-07-01") == noon
    assert noon.at == datetime(2026, 7, 1, 4)
    assert MALE.running(datetime(2026, 7, 1, 4, tzinfo=UTC)) == noon
    there = bz.chart("1990-05-15 13:30", city="New York", gender="male")
    assert [there.running(day).at.hour for day in ("2026-01-15", "2026-07-15")] == [17, 16]


def test_what_is_asked_may_be_a_text_with_its_offset():
    assert MALE.running("2026-02-04T04:30:15Z").at == datetime(2026, 2, 4, 4, 30, 15)


def test_without_dates_the_year_alone_is_known():
    given_pillars = bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").running("2026-07-01")
    assert (given_pillars.state, given_pillars.cycle, given_pillars.ages) == ("undated", None, None)
    assert given_pillars.flow.pillar is Pillar("丙午")
    unsexed = bz.chart("1990-05-15 13:30", city="北京").running("2026-07-01")
    assert (unsexed.state, unsexed.ages.full, unsexed.minor) == ("undated", 36, None)


def test_between_the_earliest_and_the_latest_change_of_an_unknown_hour_no_decade_is_certain():
    chart = bz.chart("1990-05-15", city="北京", hour_unknown=True, gender="male")
    first, last = chart.luck.start_range
    found = [chart.running(at) for at in (first - SECOND, first, last - SECOND, last)]
    assert [each.state for each in found] == ["before", "uncertain", "uncertain", "decade"]
    assert found[-1].cycle is chart.luck.cycles[0]
    assert {each.state for each in found} < set(STATES)


@pytest.mark.parametrize("asked", ["0001-01-01", "9999-12-31", datetime.max, datetime.min, date.min])
def test_a_date_that_no_table_reaches_is_out_of_range(asked):
    with pytest.raises(OutOfRange):
        MALE.running(asked)


@holds_for_all("asked", [None, 2026, float("nan"), "nan", "2026", "\ud800", "x" * 10_000, b"2026-01-01"])
def test_what_is_no_date_is_refused(asked):
    with pytest.raises(BaziError) as caught:
        MALE.running(asked)
    assert isinstance(caught.value, (InvalidInput, BaziError))
    assert caught.value.code.startswith("INVALID")
