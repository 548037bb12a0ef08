"""起运: direction, the seven ways to count the start, and the arithmetic of ages and dates."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import STEMS, Pillar
from bazi_core.luck.onset import RULES, Interval, OnsetAge, add_years, is_forward, onset, onset_of
from bazi_core.pillars import FourPillars
from bazi_core.school import OPTIONS, School
from tests.tables import holds_for_all

BORN = datetime(1990, 5, 15, 13, 30)
BIRTHS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(microsecond=0))
# A month between two 节 has at most 31.5 days.
SECONDS = st.integers(0, 2_720_000)


def forward(born: datetime, seconds: int) -> Interval:
    return Interval(born, born + timedelta(seconds=seconds), seconds)


def four(year: str) -> FourPillars:
    return FourPillars(Pillar(year), Pillar("辛巳"), Pillar("庚辰"), None)


# 阳男阴女顺行，阴男阳女逆行.


@holds_for_all("year", ["甲子", "乙丑", "丙寅", "丁卯", "戊辰", "己巳", "庚午", "辛未", "壬申", "癸酉"])
def test_yang_men_and_yin_women_run_forward(year):
    yang = STEMS.index(Pillar(year).stem) % 2 == 0
    assert is_forward(four(year), "male") is yang
    assert is_forward(four(year), "female") is not yang


@pytest.mark.parametrize("year", ["甲子", "乙丑"])
def test_by_the_other_rule_gender_alone_decides(year):
    assert is_forward(four(year), "male", "male_forward")
    assert not is_forward(four(year), "female", "male_forward")


# Three days are a year. Worked by hand: 10 d 20 h 34 min 56 s.

TEN_DAYS = 10 * 86_400 + 20 * 3600 + 34 * 60 + 56
WORKED = {
    # 3 a, rest 1 d 20:34:56 = 7 m (42 h), rest 2:34:56 = 12 d, rest 10:56 = 21 h, rest 26 s = 52 min.
    "exact_seconds": (OnsetAge(3, 7, 12, 21, 52), "1993-12-28T11:22:00"),
    "minutes_floor": (OnsetAge(3, 7, 12, 0, 0), "1993-12-27T13:30:00"),
    "minutes_hours": (OnsetAge(3, 7, 12, 20, 0), "1993-12-28T09:30:00"),
    # The clock: 13:30 to 10:04 eleven days later.
    "minutes_hours_clamp": (OnsetAge(3, 7, 12, 20, 0), "1993-12-28T09:30:00"),
    # 未 (7) to 巳 (5): 11 days less 2 double hours = 10 days 10 double hours = 40 months + 100 days.
    "shichen": (OnsetAge(3, 7, 10), "1993-12-25T13:30:00"),
    "shichen_clamp": (OnsetAge(3, 7, 10), "1993-12-25T13:30:00"),
}


@pytest.mark.parametrize("method", WORKED)
def test_a_start_worked_by_hand_is_found(method):
    found = onset_of(BORN, forward(BORN, TEN_DAYS), method)
    assert (found.age, found.at.isoformat(), found.method) == (*WORKED[method], method)


def test_the_linear_start_is_a_tropical_year_for_three_days():
    found = onset_of(BORN, forward(BORN, 259_200), "linear_tropical")
    assert found.at == (BORN + timedelta(days=365.2422)).replace(microsecond=0)
    assert found.age[:3] == (1, 0, 0)


def test_every_method_of_the_school_has_its_arithmetic():
    assert set(RULES) == set(OPTIONS["luck_start"])


@pytest.mark.parametrize("method", RULES)
def test_a_birth_at_the_jie_itself_starts_at_once(method):
    found = onset_of(BORN, forward(BORN, 0), method)
    assert (found.at, set(found.age)) == (BORN, {0})


@pytest.mark.parametrize("method", RULES)
@given(BIRTHS, SECONDS)
def test_the_start_lies_after_birth_and_within_eleven_years(method, born, seconds):
    found = onset_of(born, forward(born, seconds), method)
    assert born <= found.at <= born + timedelta(days=11 * 366)
    assert all(part >= 0 for part in found.age)
    assert found.age.months < 12


@pytest.mark.parametrize("method", ["exact_seconds", "minutes_floor", "minutes_hours", "linear_tropical"])
@given(BIRTHS, SECONDS)
def test_a_longer_interval_never_starts_earlier(method, born, seconds):
    starts = [onset_of(born, forward(born, each), method).at for each in (seconds, seconds + 3600)]
    assert starts == sorted(starts)


@given(BIRTHS, SECONDS)
def test_the_exact_age_spends_every_second(born, seconds):
    years, months, days, hours, minutes = onset_of(born, forward(born, seconds), "exact_seconds").age
    assert years * 259_200 + months * 21_600 + days * 720 + hours * 30 + minutes // 2 == seconds
    assert (days < 30, hours < 24, minutes < 60) == (True, True, True)


@given(BIRTHS, SECONDS)
def test_methods_that_differ_in_rest_only_agree_on_years_months_and_days(born, seconds):
    between = forward(born, seconds)
    ages = [
        onset_of(born, between, method).age[:3]
        for method in ("exact_seconds", "minutes_floor", "minutes_hours")
    ]
    assert len(set(ages)) == 1


@pytest.mark.parametrize(
    ("born", "age", "overflow", "clamp"),
    [
        ("1990-01-31T12:00:00", 3 * 86_400 * 1 + 6 * 3600, "1991-03-03T12:00:00", "1991-02-28T12:00:00"),
        ("1992-02-29T12:00:00", 3 * 86_400, "1993-03-01T12:00:00", "1993-02-28T12:00:00"),
        ("1991-12-31T12:00:00", 12 * 3600, "1992-03-02T12:00:00", "1992-02-29T12:00:00"),
    ],
)
def test_days_that_a_month_lacks_run_into_the_next_or_are_cut(born, age, overflow, clamp):
    at = datetime.fromisoformat(born)
    between = forward(at, age)
    starts = [
        onset_of(at, between, method).at.isoformat() for method in ("minutes_hours", "minutes_hours_clamp")
    ]
    assert starts == [overflow, clamp]


@pytest.mark.parametrize(
    ("first", "second", "age"),
    [
        ("22:59", "23:00", (0, 0, 0)),  # 亥 and the 23rd hour count alike
        ("23:30", "00:30", (0, 0, 10)),  # 亥 of one day to 子 of the next
        ("00:30", "01:30", (0, 0, 10)),
        ("12:59", "13:00", (0, 0, 10)),
        ("13:00", "12:59", (0, 3, 20)),  # a day less one double hour: 11 double hours
    ],
)
def test_double_hours_are_counted_from_zi_and_the_last_hour_with_hai(first, second, age):
    earlier = datetime.fromisoformat(f"1990-05-15T{first}:00")
    later = datetime.fromisoformat(f"1990-05-15T{second}:00")
    if later <= earlier:
        later += timedelta(days=1)
    between = Interval(earlier, later, int((later - earlier).total_seconds()))
    assert onset_of(earlier, between, "shichen").age[:3] == age


def test_the_seconds_of_both_readings_are_dropped_or_those_of_the_interval():
    # 13:30:50 to 13:32:10: two minutes by the clock, one whole minute of interval.
    between = Interval(datetime(1990, 5, 15, 13, 30, 50), datetime(1990, 5, 15, 13, 32, 10), 80)
    hours = [
        onset_of(between.earlier, between, method).age.hours
        for method in ("minutes_hours_clamp", "minutes_hours")
    ]
    assert hours == [4, 2]


@pytest.mark.parametrize(
    ("at", "years", "later"),
    [
        ("2000-02-29", 10, "2010-02-28"),
        ("2000-02-29", 40, "2040-02-29"),
        ("1890-02-28", 10, "1900-02-28"),
        ("1896-02-29", 4, "1900-02-28"),
        ("1990-12-31", 10, "2000-12-31"),
    ],
)
def test_the_29th_of_february_is_cut_where_the_year_lacks_it(at, years, later):
    assert add_years(datetime.fromisoformat(at), years) == datetime.fromisoformat(later)


# From a birth.


def test_the_interval_is_that_of_the_instants_whatever_clock_decides_the_hour():
    starts = {
        basis: bz.chart(
            "1990-05-15 13:30", city="乌鲁木齐", gender="male", school=School(time_basis=basis)
        ).luck.start
        for basis in ("true_solar", "mean_solar", "civil")
    }
    assert len(set(starts.values())) == 1


def test_the_start_is_written_at_the_offset_in_force_when_it_comes():
    luck = bz.chart("1990-05-15 13:30", city="北京", gender="male").luck
    assert luck.start.isoformat() == "1997-08-16T21:06:00+08:00"
    assert luck.start_age == OnsetAge(7, 3, 1, 8, 36)


def test_a_start_in_the_first_hour_by_summer_time_falls_on_the_day_before():
    moment = bz.moment("1990-05-03 09:52", city="北京")
    by_clock_of_birth = onset(moment, True, School()).at
    luck = bz.chart("1990-05-03 09:52", city="北京", gender="male").luck
    expected = ("1991-04-01T00:42:00", "1991-03-31T23:42:00+08:00")
    assert (by_clock_of_birth.isoformat(), luck.start.isoformat()) == expected


def test_a_start_at_new_year_is_of_the_year_that_the_clock_shows():
    first = bz.chart("1986-05-26 13:39", city="北京", gender="male").luck.cycles[0]
    assert (first.start_at.isoformat(), first.start_year) == ("1989-12-31T23:23:00+08:00", 1989)
    assert first.start_age_nominal == 4


def test_a_stated_offset_stays_for_life():
    luck = bz.chart("1990-05-15 13:30", utc_offset=9, gender="male").luck
    assert luck.start.isoformat() == "1997-08-16T22:06:00+09:00"


def test_forward_counts_to_the_next_jie_and_backward_from_the_last():
    moment = bz.moment("1990-05-15 13:30", city="北京")
    ages = [onset(moment, direction, School()).age for direction in (True, False)]
    # 芒种 in 1,880,178 s, 立夏 813,274 s ago.
    assert [age.years for age in ages] == [1_880_178 // 259_200, 813_274 // 259_200]


@pytest.mark.parametrize("year_boundary", ["lichun", "lunar_new_year"])
def test_the_direction_follows_the_year_pillar_of_the_school(year_boundary):
    chart = bz.chart(
        "2026-02-10 12:00", utc_offset=8, gender="male", school=School(year_boundary=year_boundary)
    )
    assert chart.luck.direction == {"lichun": "forward", "lunar_new_year": "backward"}[year_boundary]
