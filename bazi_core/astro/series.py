"""The three tables that an ephemeris can recompute, as rows read by the builder and the check.

`values` are milliseconds: instants since J2000 TT for terms and new moons, the equation of time itself for
the samples. The file holds them divided by `unit_ms`, to the nearest integer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from bazi_core.astro import data, eot, live, moons, scales, search, terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.astro.live import Ephemeris
    from bazi_core.astro.search import Floats, Positions


@dataclass(frozen=True, slots=True)
class Series:
    """One table: its file, which positions lie in a span of Gregorian years, how to compute and compare them."""

    file: str
    typecode: str
    count: int
    unit_ms: float
    needs_moon: bool
    positions: Callable[[int, int], range]
    values: Callable[[Ephemeris, Positions], Floats]
    limit_ms: float
    limit_refit_ms: float

    def shipped(self, directory: str = data.DIRECTORY) -> Floats:
        """The whole table of a directory, in ms."""
        stored = data.read_array(self.file, self.typecode, self.count, directory)
        return np.array(stored, dtype=np.float64) * self.unit_ms

    def limit_for(self, ephemeris: Ephemeris) -> float:
        """Largest permitted difference in ms from this ephemeris: one rounding step for DE440, more for a refit."""
        return self.limit_ms if ephemeris.is_full else self.limit_refit_ms


def new_year_jd(year: int) -> float:
    """Julian day (TT) at which a Gregorian year begins."""
    return search.J2000 + scales.ms_of(datetime(year, 1, 1)) / scales.DAY_MS


def _terms_of(first: int, last: int) -> range:
    return range(24 * (first - terms.FIRST_YEAR), 24 * (last + 1 - terms.FIRST_YEAR))


def _moons_of(first: int, last: int) -> range:
    guess = search.moon_guess(range(moons.COUNT))
    start, end = np.searchsorted(guess, (new_year_jd(first), new_year_jd(last + 1)))
    return range(int(start), int(end))


def _samples_of(first: int, last: int) -> range:
    """Positions of the samples from new year of `first` to the middle of January after `last`, where the table ends."""
    origin, step = search.J2000 + eot.FIRST_MS / scales.DAY_MS, eot.STEP_MS / scales.DAY_MS
    start = math.ceil((new_year_jd(first) - origin) / step)
    end = math.floor((new_year_jd(last + 1) + 15 - origin) / step) + 1
    return range(max(start, 0), min(end, eot.COUNT))


def _samples(ephemeris: Ephemeris, positions: Positions) -> Floats:
    return ephemeris.equation_of_time_s(eot.FIRST_MS + eot.STEP_MS * np.asarray(positions)) * 1000


TERMS = Series("terms.bin", "q", terms.COUNT, 1.0, False, _terms_of, live.Ephemeris.term_instants, 1.0, 2.0)
MOONS = Series(
    "newmoons.bin", "q", moons.COUNT, 1.0, True, _moons_of, live.Ephemeris.moon_instants, 1.0, 50.0
)
EOT = Series("eot.bin", "h", eot.COUNT, 1000 * eot.UNIT_S, False, _samples_of, _samples, 21.0, 21.0)
SERIES = (TERMS, MOONS, EOT)
