"""Time scales: TT, UTC, UT1 and the clock readings made of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.astro import scales
from bazi_core.errors import OutOfRange, UnknownOption
from tests.tables import holds_for_all

DAY_MS = 86_400_000
FROZEN, MODEL = scales.POLICIES


def ms(*clock: int) -> int:
    return scales.ms_of(datetime(*clock))


instants = st.integers(scales.FIRST_UTC_MS, scales.END_UTC_MS - 1)
before_utc = st.integers(scales.FIRST_UTC_MS, ms(1972, 1, 1) - 1)
after_measurement = st.integers(ms(2027, 1, 1), scales.END_UTC_MS - 1)


def test_the_epoch_is_noon_of_the_first_of_january_2000():
    assert ms(2000, 1, 1, 12) == 0
    assert scales.datetime_of(-1) == datetime(2000, 1, 1, 11, 59, 59, 999_000)


@holds_for_all(
    "clock, expected_ms",
    [
        ((1971, 12, 31, 23), 42_144), ((1972, 1, 1), 42_184), ((1972, 6, 30, 23, 59, 59), 42_184),
        ((1972, 7, 1), 43_184), ((1990, 5, 15, 4, 30), 57_184), ((2016, 12, 31, 23, 59, 59), 68_184),
        ((2017, 1, 1), 69_184), ((2027, 6, 27, 23, 59, 59), 69_184), ((2500, 1, 1), 69_184),
    ],
)  # fmt: skip
def test_tt_minus_utc_follows_delta_t_then_leap_seconds_then_stands_still(clock, expected_ms):
    assert scales.tt_minus_utc_ms(ms(*clock)) == expected_ms


@pytest.mark.parametrize(("year", "seconds"), [(2050, 2), (2100, 27), (2200, 152)])
def test_the_two_policies_for_the_future_drift_apart(year, seconds):
    frozen, model = (scales.tt_minus_utc_ms(ms(year, 1, 1), policy) for policy in scales.POLICIES)
    assert round((model - frozen) / 1000) == seconds


def test_the_policies_agree_before_the_leap_second_list_expires():
    for clock in ((1600, 1, 1), (1990, 1, 1), (2027, 6, 27)):
        assert scales.tt_minus_utc_ms(ms(*clock), FROZEN) == scales.tt_minus_utc_ms(ms(*clock), MODEL)


def test_an_unknown_policy_is_refused_where_it_would_matter():
    for ask in (scales.tt_minus_utc_ms, scales.utc_from_tt):
        with pytest.raises(UnknownOption) as caught:
            ask(ms(2100, 1, 1), "tai")
        assert caught.value.data["allowed"] == list(scales.POLICIES)


def test_the_list_of_leap_seconds_expires_on_28_june_2027():
    assert not scales.after_leap_list(ms(2027, 6, 28) - 1)
    assert scales.after_leap_list(ms(2027, 6, 28))


@given(instants, st.sampled_from(scales.POLICIES))
def test_utc_to_tt_to_utc_is_the_identity(utc_ms, policy):
    back = scales.utc_from_tt(utc_ms + scales.tt_minus_utc_ms(utc_ms, policy), policy)
    assert abs(back - utc_ms) <= (utc_ms < ms(1972, 1, 1) or scales.after_leap_list(utc_ms))


@given(st.integers(ms(1972, 1, 1), ms(2027, 6, 28) - 1))
def test_utc_to_tt_to_utc_is_exact_where_there_are_leap_seconds(utc_ms):
    assert scales.utc_from_tt(utc_ms + scales.tt_minus_utc_ms(utc_ms)) == utc_ms


def test_utc_stands_still_in_a_leap_second():
    start = ms(2017, 1, 1) + 68_184
    shown = [scales.iso_utc(scales.utc_from_tt(start + after)) for after in (-1, 0, 500, 999, 1000)]
    assert shown == ["2016-12-31T23:59:59.999Z"] * 4 + ["2017-01-01T00:00:00.000Z"]


@given(st.integers(ms(1973, 1, 1), ms(2600, 1, 1)), st.integers(0, 10**9))
def test_utc_never_runs_backwards_under_frozen_utc(tt_ms, later):
    assert scales.utc_from_tt(tt_ms) <= scales.utc_from_tt(tt_ms + later)


@pytest.mark.parametrize(
    ("year", "seconds"), [(1600, 109.1), (1700, 14.1), (1800, 18.4), (1900, -2.0), (1950, 28.9), (2000, 63.8)]
)
def test_delta_t_has_its_known_values(year, seconds):
    assert abs(scales.delta_t_ms(ms(year, 1, 1, 12)) / 1000 - seconds) < 0.1


def test_delta_t_is_floored_between_knots_also_when_it_falls():
    values, first, step = scales._delta_t()
    assert values[0] > values[1]
    assert scales.delta_t_ms(first) == values[0]
    assert scales.delta_t_ms(first + 1) == values[0] - 1
    assert scales.delta_t_ms(first + step) == values[1]


def test_delta_t_ends_with_its_table():
    values, first, step = scales._delta_t()
    last = first + step * (len(values) - 1)
    assert len(values) == 2_201
    assert scales.delta_t_ms(last) == values[-1]
    for outside in (first - 1, last + 1):
        with pytest.raises(OutOfRange) as caught:
            scales.delta_t_ms(outside)
        assert caught.value.data["quantity"] == "delta_t"


@holds_for_all(
    "year, seconds",
    [
        (1550, 20), (1600, 20), (1650, 12.5), (1700, 5), (1800, 1), (1900, 0.1), (1990, 0.1), (2050, 22),
        (2150, 195),
    ],
)  # fmt: skip
def test_the_doubt_about_delta_t_is_interpolated(year, seconds):
    tt_ms = round((year - 2000) * scales.JULIAN_YEAR_MS)
    assert scales.delta_t_uncertainty_s(tt_ms) == pytest.approx(seconds, abs=1e-3)


def test_the_doubt_about_delta_t_is_not_stated_after_2200():
    end = 200 * scales.JULIAN_YEAR_MS
    assert scales.delta_t_uncertainty_s(end) == 280
    assert scales.delta_t_uncertainty_s(end + 1) is None
    assert scales.delta_t_uncertainty_s(-500 * scales.JULIAN_YEAR_MS) == 20


@given(st.integers(ms(1972, 1, 1), ms(2027, 1, 1) - 1))
def test_ut1_stays_within_nine_tenths_of_a_second_of_utc(utc_ms):
    assert abs(scales.ut1_minus_utc_ms(utc_ms)) < 900


@given(before_utc | after_measurement)
def test_ut1_is_utc_by_convention_where_utc_is_not_steered(utc_ms):
    assert scales.ut1_minus_utc_ms(utc_ms) == 0


def test_instants_from_1551_to_2648_are_accepted():
    for accepted in (scales.FIRST_UTC_MS, scales.END_UTC_MS - 1):
        scales.check_instant(accepted)
    for refused in (scales.FIRST_UTC_MS - 1, scales.END_UTC_MS):
        with pytest.raises(OutOfRange) as caught:
            scales.check_instant(refused)
        assert caught.value.data == {
            "quantity": "instant",
            "first": "1551-01-01T00:00:00.000Z",
            "last": "2649-01-01T00:00:00.000Z",
            "given": scales.iso_utc(refused),
        }


def test_an_instant_that_no_calendar_can_show_is_still_refused_politely():
    with pytest.raises(OutOfRange) as caught:
        scales.check_instant(10**18)
    assert caught.value.data["given"] == 10**18


def test_readings_are_truncated_never_rounded():
    almost_midnight = ms(1990, 1, 1) - 1
    assert scales.iso_local(almost_midnight) == "1989-12-31T23:59:59.999"
    assert scales.iso_local(almost_midnight, ms=False) == "1989-12-31T23:59:59"
    assert scales.ms_of(datetime(1990, 1, 1, 0, 0, 0, 999)) == ms(1990, 1, 1)


def test_years_have_four_digits():
    assert scales.iso_utc(ms(987, 6, 5)) == "0987-06-05T00:00:00.000Z"


def test_a_zone_shows_its_own_offset_down_to_seconds():
    local_mean_time = timezone(timedelta(seconds=29_143))
    assert scales.iso_in_zone(ms(1900, 1, 1), local_mean_time) == "1900-01-01T08:05:43.000+08:05:43"
    assert scales.iso_in_zone(ms(1900, 1, 1), UTC) == "1900-01-01T00:00:00.000+00:00"


@given(instants)
def test_a_clock_reading_and_its_milliseconds_are_the_same_thing(utc_ms):
    assert scales.ms_of(scales.datetime_of(utc_ms)) == utc_ms
