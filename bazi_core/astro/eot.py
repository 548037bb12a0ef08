"""Equation of time: apparent (true) minus mean solar time, geocentric, −907.5 … +1006.5 s.

GAST − apparent right ascension of the Sun − UT1 + 12 h. It depends on ΔT by only 0.035 s per 100 s, so one
table in TT serves every policy: samples every 8 days from JD(TT) 2287190.5, in units of 0.04 s, joined by
order-5 Lagrange interpolation; the result is within 0.073 s of the full computation, 0.021 s rms.
"""

from __future__ import annotations

from array import array
from functools import cache
from math import atan2, cos, degrees, radians, sin
from typing import Any

from bazi_core.astro import scales
from bazi_core.astro.data import read_array
from bazi_core.errors import outside

COUNT = 50_223
UNIT_S = 0.04
STEP_MS = 8 * scales.DAY_MS
FIRST_MS = -1_643_545 * scales.DAY_MS // 10  # JD(TT) 2287190.5


@cache
def table() -> array[int]:
    """The samples, in units of 0.04 s."""
    return read_array("eot.bin", "h", COUNT)


def equation_of_time_s(tt_ms: int) -> float:
    """Equation of time in seconds at an instant of TT; `OutOfRange` outside 1550-01-22 … 2649-12-29.

    >>> round(equation_of_time_s(-303982142816), 1)
    222.5
    """
    x = (tt_ms - FIRST_MS) / STEP_MS
    i = int(x) - 2
    if not 0 <= i <= COUNT - 6 or x < 2:
        raise outside("equation_of_time", FIRST_MS + 2 * STEP_MS, FIRST_MS + (COUNT - 3) * STEP_MS, tt_ms)
    return interpolated(x - i, *table()[i : i + 6])  # type: ignore[no-any-return]


def interpolated(u: Any, f0: Any, f1: Any, f2: Any, f3: Any, f4: Any, f5: Any) -> Any:
    """Seconds at `u` samples after the first of six; numbers and arrays alike."""
    a, b, c, d, e, f = u, u - 1.0, u - 2.0, u - 3.0, u - 4.0, u - 5.0
    ab, cd, ef = a * b, c * d, e * f
    return (
        cd * ef * (f1 * a / 24.0 - f0 * b / 120.0)
        + ab * ef * (f3 * c - f2 * d) / 12.0
        + ab * cd * (f5 * e / 120.0 - f4 * f / 24.0)
    ) * UNIT_S


def meeus_equation_of_time_s(tt_ms: int) -> float:
    """Equation of time in seconds by Meeus, *Astronomical Algorithms*, ch. 25 and (28.1): good to 2.35 s
    in 1900–2100, to 5.9 s in 1550–2649; the cross-check of the table and the way out where it is absent."""
    t = tt_ms / (100 * scales.JULIAN_YEAR_MS)
    mean_longitude = 280.46646 + t * (36000.76983 + t * 0.0003032)
    anomaly = radians(357.52911 + t * (35999.05029 - t * 0.0001537))
    centre = (
        (1.914602 - t * (0.004817 + t * 0.000014)) * sin(anomaly)
        + (0.019993 - t * 0.000101) * sin(2 * anomaly)
        + 0.000289 * sin(3 * anomaly)
    )
    node = radians(125.04 - 1934.136 * t)
    apparent = radians(mean_longitude + centre - 0.00569 - 0.00478 * sin(node))
    mean_obliquity = 23.439291111 - t * (0.013004167 + t * (1.639e-7 - t * 5.036e-7))
    obliquity = radians(mean_obliquity + 0.00256 * cos(node))
    right_ascension = degrees(atan2(cos(obliquity) * sin(apparent), cos(apparent)))
    nutation = (-17.20 * sin(node) - 1.32 * sin(2 * radians(mean_longitude))) / 3600.0
    equation = mean_longitude - 0.0057183 - right_ascension + nutation * cos(obliquity)
    return ((equation + 180.0) % 360.0 - 180.0) * 240.0
