"""The tables of time as arrays: solar terms, leap seconds, ΔT, equation of time, each made from the table of a single chart.

A sorted list of instants is read through buckets so short that each holds one instant at most: a look-up is a shift, two
reads and a comparison, whatever the length of the list.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.astro import eot, scales, terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_END = np.iinfo(np.int64).max


class Steps:
    """A step function: the number of some sorted instants at or before a given one.

    >>> import numpy
    >>> Steps([100, 5000], 0, 10_000)(numpy.array([99, 100, 4999, 9999])).tolist()
    [0, 1, 1, 2]
    """

    def __init__(self, instants: Iterable[int], first: int, end: int) -> None:
        at = np.array(tuple(instants), np.int64)
        gap = int(np.diff(at).min()) if len(at) > 1 else end - first
        self.first, self.shift = first, gap.bit_length() - 1
        edges = first + (np.arange((end - first >> self.shift) + 2) << self.shift)
        self.base = np.searchsorted(at, edges[:-1], "right")
        self.next = np.append(at, _END)[self.base]

    def __call__(self, given: Ints) -> Ints:
        """The counts, for instants from `first` up to `end`."""
        bucket = (given - self.first) >> self.shift
        counts = self.base.take(bucket)
        counts += given >= self.next.take(bucket)
        return counts


@cache
def _delta_t() -> tuple[Ints, Ints, int, int]:
    values, first, step = scales._delta_t()
    knots = np.array(values, np.int64)
    return knots, np.diff(knots), first, step


def delta_t_ms(tt_ms: Ints) -> Ints:
    """ΔT in ms, as `scales.delta_t_ms`."""
    knots, rise, first, step = _delta_t()
    since = tt_ms - first
    knot = since // step
    since -= knot * step
    delta: Ints = knots.take(knot) + rise.take(knot) * since // step
    return delta


@cache
def _leaps() -> tuple[Steps, Ints]:
    starts, offsets = scales._leaps()
    return Steps(starts, scales.FIRST_UTC_MS, scales.END_UTC_MS), np.array(offsets, np.int64)


def tt_minus_utc_ms(utc_ms: Ints, future_utc: str) -> Ints:
    """TT − UTC in ms, as `scales.tt_minus_utc_ms`."""
    regime_of, offsets = _leaps()
    regime = regime_of(utc_ms)
    difference = offsets.take(regime)
    modelled = regime == 0
    if future_utc != "utc_frozen":
        modelled |= regime == len(offsets) - 1
    at = np.flatnonzero(modelled)
    if len(at):
        difference[at] = delta_t_ms(utc_ms[at])
    return difference


def ut1_minus_utc_ms(utc_ms: Ints) -> Ints:
    """UT1 − UTC in ms, as `scales.ut1_minus_utc_ms`."""
    known = (utc_ms >= scales._UT1_FIRST_MS) & (utc_ms < scales._UT1_END_MS)
    difference = np.zeros(len(utc_ms), np.int64)
    at = np.flatnonzero(known)
    if len(at):
        inside = utc_ms[at]
        offset = tt_minus_utc_ms(inside, "utc_frozen")
        difference[at] = offset - delta_t_ms(inside + offset)
    return difference


@cache
def _term_steps(future_utc: str) -> Steps:
    """The terms as the first milliseconds of UTC at which they run: UTC then needs no step to TT to be compared."""
    tt = np.array(terms.table(), np.int64)
    inside = tt[(tt > scales.FIRST_UTC_MS) & (tt < scales.END_UTC_MS)]
    utc = inside - tt_minus_utc_ms(inside, future_utc)
    while (late := utc + tt_minus_utc_ms(utc, future_utc) < inside).any():
        utc += late
    while (early := utc - 1 + tt_minus_utc_ms(utc - 1, future_utc) >= inside).any():
        utc -= early
    before = np.searchsorted(tt, scales.FIRST_UTC_MS)
    steps = Steps(utc, scales.FIRST_UTC_MS, scales.END_UTC_MS)
    steps.base += int(before) - 1
    return steps


def term_at_utc(utc_ms: Ints, future_utc: str) -> Ints:
    """Position of the last term at or before instants of UTC, as `terms.position` at their TT."""
    return _term_steps(future_utc)(utc_ms)


@cache
def term_instants() -> Ints:
    """`tt_ms` of the terms by position."""
    return np.array(terms.table(), np.int64)


@cache
def _eot() -> Floats:
    return np.array(eot.table(), np.float64)


def equation_of_time_s(tt_ms: Ints) -> Floats:
    """Equation of time in seconds, as `eot.equation_of_time_s`."""
    x = (tt_ms - eot.FIRST_MS) / eot.STEP_MS
    i = x.astype(np.int64) - 2
    samples: list[Any] = [_eot().take(i + node) for node in range(6)]
    seconds: Floats = eot.interpolated(x - i, *samples)
    return seconds
