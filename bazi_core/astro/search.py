"""Instants at which a longitude passes a value: first guesses, secants, and Julian days in two parts.

Terms and new moons are zeros of a longitude that grows almost evenly, so a guess from mean motion and the
largest inequalities (Meeus, *Astronomical Algorithms*, ch. 25 and 49) leaves only a few steps to the microsecond.
TT is carried as whole days and fraction: a Julian day in one number resolves no more than 40 µs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bazi_core.astro import scales

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Positions: TypeAlias = NDArray[np.int64] | Sequence[int]

J2000 = 2451545.0
CHUNK = 1_000  # the series of the nutation then fit into the processor's cache
SECOND = 1 / 86_400  # of a day
STOP_DAYS = 1e-6 * SECOND
MOST_STEPS = 8
SUN_PERIOD = 360 * 36_525 / 36_000.76983  # days in which the Sun gains 360° (Meeus, ch. 25)
MOON_PERIOD = 29.530588861  # days in which the Moon gains 360° on the Sun (Meeus, ch. 49)

# Periodic terms of the new moon: days, multiples of the Sun's anomaly, the Moon's anomaly, the Moon's
# argument of latitude (the seven largest of Meeus, ch. 49).
MOON_TERMS = (
    (-0.40720, 0, 1, 0),
    (+0.17241, 1, 0, 0),
    (+0.01608, 0, 2, 0),
    (+0.01039, 0, 0, 2),
    (+0.00739, -1, 1, 0),
    (-0.00514, 1, 1, 0),
    (+0.00208, 2, 0, 0),
)


def in_chunks(function: Callable[[Any], Floats], values: Any) -> Floats:
    """The results of a function over an array, computed in chunks of a thousand values."""
    starts = range(0, len(values), CHUNK)
    return np.concatenate([function(values[start : start + CHUNK]) for start in starts])


def zero(longitude_deg: Callable[[Floats, Floats], Floats], guess: Floats, period: float) -> Floats:
    """`tt_ms` at which a longitude that grows by 360° a `period` is 0, by secants from a guess (Julian days).

    Steps below a second keep the slope they have. A refit jumps by metres where two granules meet, and a zero
    inside such a jump has no better place than either side of it.
    """
    whole = np.floor(guess)
    fraction = guess - whole
    days_per_degree = np.full_like(guess, period / 360)
    value = wrapped_deg(longitude_deg(whole, fraction))
    step = -value * days_per_degree
    for _ in range(MOST_STEPS):
        fraction = fraction + step
        if np.abs(step).max() < STOP_DAYS:
            break
        before, value = value, wrapped_deg(longitude_deg(whole, fraction))
        np.divide(step, value - before, out=days_per_degree, where=np.abs(step) > SECOND)
        step = -value * days_per_degree
    if np.abs(step).max() > SECOND:
        raise ArithmeticError("the search for an event did not converge")
    instants: Floats = tt_ms_of(whole, fraction)
    return instants


def wrapped_deg(degrees: Floats) -> Floats:
    """An angle in degrees, wrapped to [−180°, 180°)."""
    wrapped: Floats = (degrees + 180) % 360 - 180
    return wrapped


def term_guess(positions: Positions) -> Floats:
    """Julian day of terms from mean longitude and equation of centre (Meeus, ch. 25), accurate to 22 minutes."""
    revolutions = (np.asarray(positions) * 15 + 285.0 - 280.46646) / 360 - 450
    day: Floats = J2000 + revolutions * SUN_PERIOD
    for _ in range(2):
        t = (day - J2000) / 36_525
        anomaly = np.radians(357.52911 + 35_999.05029 * t)
        centre = (1.914602 - 0.004817 * t) * np.sin(anomaly) + 0.019993 * np.sin(2 * anomaly) - 0.0057
        day = J2000 + (revolutions - (centre + 0.0003032 * t * t) / 360) * SUN_PERIOD
    return day


def moon_guess(positions: Positions) -> Floats:
    """Julian day of new moons from mean lunation and seven periodic terms (Meeus, ch. 49), accurate to 10 minutes."""
    lunation = np.asarray(positions) - 5_565.0
    t = lunation / 1_236.85
    sun = np.radians(2.5534 + 29.10535670 * lunation)
    moon = np.radians(201.5643 + 385.81693528 * lunation + 0.0107582 * t * t)
    latitude = np.radians(160.7108 + 390.67050284 * lunation - 0.0016118 * t * t)
    day: Floats = 2451550.09766 + MOON_PERIOD * lunation + 0.00015437 * t * t
    for days, i, j, k in MOON_TERMS:
        day = day + days * np.sin(i * sun + j * moon + k * latitude)
    return day


def tt_ms_of(whole: Any, fraction: Any) -> Any:
    """`tt_ms`, not rounded, of a Julian day (TT) of whole days and fraction."""
    return (whole - J2000) * scales.DAY_MS + fraction * scales.DAY_MS


def whole_and_fraction(tt_ms: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Julian day (TT) of whole days and fraction at integer instants."""
    days, rest = np.divmod(tt_ms, scales.DAY_MS)
    return J2000 + days, rest / scales.DAY_MS
