"""The four pillars of blocks of rows, from tables that the formulas of `bazi_core.pillars` fill."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bazi_core.astro import lunar, terms
from bazi_core.batch.steps import term_at_utc
from bazi_core.pillars import DAY_MS, HALF_DAY_MS, HOUR_MS, pillar_indices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bazi_core.school import School

    Ints = NDArray[np.int64]
    Codes = NDArray[np.int8]

_HOURS = 60 * 24
_NOON_2000 = 730_120  # the ordinal of 2000-01-01


class FourTables(NamedTuple):
    """Pillars by position of the term (year, month) and by the hour of a cycle of sixty days (day, hour)."""

    year: Codes
    month: Codes
    day: Codes
    hour: Codes


@lru_cache(maxsize=64)
def four_tables(school: School) -> FourTables:
    """The tables of a School."""
    position = np.arange(terms.COUNT)
    hours = np.arange(_HOURS) * HOUR_MS - HALF_DAY_MS
    year, month, _, _ = pillar_indices(position, np.int64(0), school)
    _, _, day, hour = pillar_indices(np.int64(0), hours, school)
    return FourTables(*(each.astype(np.int8) for each in (year, month, day, hour)))


def four_of(utc_ms: Ints, local_ms: Ints, school: School) -> tuple[list[Codes], Ints]:
    """The four pillars at instants and readings of the local clock, and the positions of the terms."""
    tables = four_tables(school)
    term = term_at_utc(utc_ms, school.future_utc)
    hour = (local_ms + HALF_DAY_MS) // HOUR_MS
    hour -= hour // _HOURS * _HOURS
    return [
        tables.year.take(term),
        tables.month.take(term),
        tables.day.take(hour),
        tables.hour.take(hour),
    ], term


def lunar_years(local_ms: Ints, school: School, korean: bool) -> Ints:
    """The pillar of the lunar year of the local dates; -1 outside the lunar calendar (`pillars._lunar_year_index`)."""
    starts = _new_years(school.future_utc, "korean" if korean else school.lunar_months)
    ordinal = (local_ms + HALF_DAY_MS) // DAY_MS + _NOON_2000
    year = lunar.FIRST_YEAR - 1 + np.searchsorted(starts, ordinal, "right")
    inside = (ordinal >= lunar.FIRST_DAY.toordinal()) & (ordinal <= lunar.LAST_DAY.toordinal())
    return np.where(inside, (year - 4) % 60, -1)


@lru_cache(maxsize=8)
def _new_years(future_utc: str, calendar: str) -> Ints:
    years = range(lunar.FIRST_YEAR, lunar.LAST_YEAR + 1)
    return np.array(
        [lunar.new_year(year, future_utc=future_utc, calendar=calendar).toordinal() for year in years],
        np.int64,
    )
