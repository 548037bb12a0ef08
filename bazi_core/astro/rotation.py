"""The two tables about the Earth's rotation: ΔT from skyfield, leap seconds from the tzdata wheel.

ΔT is sampled at half-year knots so that a new skyfield never moves a chart; the leap seconds are the file
that the International Earth Rotation Service publishes and the time zone database carries.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import numpy as np

from bazi_core.astro import live, search, terms

DELTA_T_VERSION = "delta-t-1"
STEP_YEARS = 0.5
MEASURED = ("1973-01-01", "2027-01-01")
# Seconds by which ΔT may be off: standard errors of the eclipse pages of NASA to 1900; after 2027 the spread
# of four models in use (71.1–93.0 s in 2050, 93.2–202.7 s in 2100, 163–442 s in 2200).
UNCERTAINTY = (
    (1550, 20), (1600, 20), (1700, 5), (1800, 1), (1900, 0.1), (2027, 0.1), (2050, 22), (2100, 110), (2200, 280),
)  # fmt: skip


def delta_t_table() -> dict[str, Any]:
    """The content of `delta_t.json`."""
    knots = np.arange(terms.FIRST_YEAR, terms.LAST_YEAR + 1 + STEP_YEARS, STEP_YEARS)
    return {
        "version": DELTA_T_VERSION,
        "source": (
            f"skyfield {version('skyfield')} built-in timescale: splines of Stephenson et al. to 1973, IERS daily "
            "values 1973-01 to 2027-01, parabola of Stephenson, Morrison and Hohenkerk (2016) after"
        ),
        "first_year": float(knots[0]),
        "step_years": STEP_YEARS,
        "measured": list(MEASURED),
        "uncertainty": [list(row) for row in UNCERTAINTY],
        "values_ms": np.rint(delta_t_s(knots) * 1000).astype(int).tolist(),
    }


def delta_t_s(julian_years: search.Floats) -> search.Floats:
    """ΔT of skyfield at Julian years."""
    seconds: search.Floats = live.timescale().delta_t_function(search.J2000 + (julian_years - 2000) * 365.25)
    return seconds


def leap_table() -> dict[str, Any]:
    """The content of `leap.json`: start dates and values of TAI − UTC in seconds."""
    lines = files("tzdata").joinpath("zoneinfo", "leapseconds").read_text(encoding="ascii").splitlines()
    dates = ["1972-01-01"]  # the start of UTC as it is now, ten seconds behind TAI
    for line in lines:
        if line.startswith("Leap"):
            last_day = datetime.strptime(" ".join(line.split()[1:4]), "%Y %b %d")
            dates.append((last_day + timedelta(days=1)).date().isoformat())
    expires = next(line.split()[1] for line in lines if line.startswith("#expires"))
    return {
        "source": f"leapseconds of tzdata {version('tzdata')} (IERS Bulletin C)",
        "expires": datetime.fromtimestamp(int(expires), UTC).date().isoformat(),
        "leap_seconds": [[date, 10 + count] for count, date in enumerate(dates)],
    }
