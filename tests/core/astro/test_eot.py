"""The equation of time: table, interpolation, and the formula that checks both."""

from __future__ import annotations

import random
from datetime import datetime
from itertools import pairwise

import pytest

from bazi_core.astro import eot, scales
from bazi_core.errors import OutOfRange


def tt(*clock: int) -> int:
    return scales.ms_of(datetime(*clock))


@pytest.mark.parametrize(
    ("clock", "minutes"),
    [((2026, 2, 11), -14.2), ((2026, 5, 14), 3.6), ((2026, 7, 26), -6.5), ((2026, 11, 3), 16.5)],
)
def test_the_sun_is_slow_in_february_and_fast_in_november(clock, minutes):
    assert abs(eot.equation_of_time_s(tt(*clock)) / 60 - minutes) < 0.1


def test_a_sample_is_returned_as_it_is():
    for i in (2, 3, 1_000, eot.COUNT - 4):
        expected = eot.table()[i] * eot.UNIT_S
        assert eot.equation_of_time_s(eot.FIRST_MS + i * eot.STEP_MS) == pytest.approx(expected)


def test_interpolation_joins_without_a_step_at_a_sample():
    for i in range(3, eot.COUNT - 4, 997):
        at = eot.FIRST_MS + i * eot.STEP_MS
        assert abs(eot.equation_of_time_s(at) - eot.equation_of_time_s(at - 1)) < 1e-4


def test_the_book_agrees_within_2_35_s_from_1900_to_2100_and_5_9_s_over_the_table():
    chooser = random.Random(25)
    near = [chooser.randrange(tt(1900, 1, 1), tt(2100, 1, 1)) for _ in range(3_000)]
    far = [chooser.randrange(tt(1551, 1, 1), tt(2649, 1, 1)) for _ in range(3_000)]
    worst_near, worst_far = (
        max(abs(eot.equation_of_time_s(tt_ms) - eot.meeus_equation_of_time_s(tt_ms)) for tt_ms in chosen)
        for chosen in (near, far)
    )
    assert 1 < worst_near < 2.45
    assert 3 < worst_far < 6.0


def test_the_book_notices_a_wrong_sign():
    middle_of_february = tt(2026, 2, 11)
    here, book = eot.equation_of_time_s(middle_of_february), eot.meeus_equation_of_time_s(middle_of_february)
    assert abs(here - book) < 2.4
    assert abs(-here - book) > 1_600


def test_values_stay_in_their_range_and_change_slowly():
    values = [unit * eot.UNIT_S for unit in eot.table()]
    assert -907.5 < min(values) < -900
    assert 1000 < max(values) < 1006.5
    assert max(abs(b - a) for a, b in pairwise(values)) <= 8 * 30.4


def test_every_accepted_instant_has_a_value():
    for utc_ms in (scales.FIRST_UTC_MS, scales.END_UTC_MS):
        assert -907.5 < eot.equation_of_time_s(utc_ms + scales.tt_minus_utc_ms(utc_ms, "ut1_model")) < 1006.5


def test_the_table_ends_two_samples_inside_its_grid():
    first, last = eot.FIRST_MS + 2 * eot.STEP_MS, eot.FIRST_MS + (eot.COUNT - 3) * eot.STEP_MS
    assert (scales.iso_local(first)[:10], scales.iso_local(last)[:10]) == ("1550-01-22", "2649-12-30")
    assert all(eot.equation_of_time_s(inside) < 1006.5 for inside in (first, last - 1))
    for outside in (first - 1, last):
        with pytest.raises(OutOfRange) as caught:
            eot.equation_of_time_s(outside)
        assert caught.value.data == {
            "quantity": "equation_of_time",
            "first": first,
            "last": last,
            "given": outside,
        }
