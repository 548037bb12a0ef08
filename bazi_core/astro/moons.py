"""New moons 朔: conjunctions of Moon and Sun in apparent ecliptic longitude of date.

The table holds the 13,605 conjunctions from 1550-01-27 to 2649-12-25 in TT, in the frame of the solar terms.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, tzinfo
from functools import cache
from typing import Any, Literal, NamedTuple

from bazi_core.astro import scales
from bazi_core.astro.data import position_in, read_array
from bazi_core.astro.terms import CHINA_STANDARD, FIRST_YEAR, LAST_YEAR
from bazi_core.errors import outside, shown, unknown_option

COUNT = 13_605


class MoonEvent(NamedTuple):
    """One new moon; `utc` is UT1 before 1972."""

    tt_ms: int
    utc: str
    local: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return self._asdict()


@cache
def table() -> array[int]:
    """All instants, `tt_ms`, in order."""
    return read_array("newmoons.bin", "q", COUNT)


def position(tt_ms: int) -> int:
    """Position of the last new moon at or before an instant."""
    return position_in(table(), tt_ms)


def instant(k: int) -> int:
    """`tt_ms` of the new moon at a position."""
    if 0 <= k < COUNT:
        return table()[k]
    raise outside("new moon position", 0, COUNT - 1, k)


def new_moons(
    year: int,
    *,
    tz: tzinfo | None = None,
    future_utc: str = "utc_frozen",
    backend: Literal["table", "live"] = "table",
) -> tuple[MoonEvent, ...]:
    """The new moons of a Gregorian year in UTC (UT1 before 1972); local time is +08:00 or `tz`.

    >>> [event.local[:10] for event in new_moons(2026)][:3]
    ['2026-01-19', '2026-02-17', '2026-03-19']
    """
    scales.check_policy(future_utc)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise outside("year", FIRST_YEAR, LAST_YEAR, year)
    first, end = (_first_from(datetime(start, 1, 1), future_utc) for start in (year, year + 1))
    zone = tz or CHINA_STANDARD
    return tuple(_event(tt_ms, zone, future_utc) for tt_ms in _instants(range(first, end), backend))


def _instants(positions: range, backend: str) -> Sequence[int]:
    if backend == "table":
        return table()[positions.start : positions.stop]
    if backend == "live":
        from bazi_core.astro import live

        return live.moon_instants(positions)
    raise unknown_option("backend", shown(backend), ("table", "live"))


def _first_from(midnight: datetime, future_utc: str) -> int:
    utc_ms = scales.ms_of(midnight)
    return bisect_left(table(), utc_ms + scales.tt_minus_utc_ms(utc_ms, future_utc))


def _event(tt_ms: int, tz: tzinfo, future_utc: str) -> MoonEvent:
    utc_ms = scales.utc_from_tt(tt_ms, future_utc)
    return MoonEvent(tt_ms, scales.iso_utc(utc_ms), scales.iso_in_zone(utc_ms, tz))
