"""The 24 solar terms 节气: the instants at which the Sun's apparent longitude is a multiple of 15°.

Geocentric, true ecliptic and equinox of date (IAU 2006 precession, IAU 2000A nutation), with light time and
aberration: the definition of GB/T 33661. The table holds the 26,400 terms of the Gregorian years 1550–2649
in TT; position `24·(year − 1550) + c` counts from 小寒 (c = 0), the first term of a Gregorian year.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from datetime import timedelta, timezone, tzinfo
from functools import cache
from typing import Any, Literal, NamedTuple

from bazi_core.alphabet import SOLAR_TERMS, SolarTerm
from bazi_core.astro import scales
from bazi_core.astro.data import position_in, read_array
from bazi_core.errors import outside, shown, unknown_option

FIRST_YEAR = 1550
LAST_YEAR = 2649
COUNT = 24 * (LAST_YEAR - FIRST_YEAR + 1)
CHINA_STANDARD = timezone(timedelta(hours=8))


class TermEvent(NamedTuple):
    """One solar term of one year; `utc` is UT1 before 1972, `delta_t_uncertainty_s` its uncertainty in seconds."""

    name: SolarTerm
    year: int
    kind: Literal["节", "气"]
    longitude_deg: int
    tt_ms: int
    utc: str
    local: str
    delta_t_uncertainty_s: float | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, the term by name."""
        return {**self._asdict(), "name": self.name.value}


@cache
def table() -> array[int]:
    """All instants, `tt_ms`, in order."""
    return read_array("terms.bin", "q", COUNT)


def position(tt_ms: int) -> int:
    """Position of the last term at or before an instant: an instant equal to a term belongs to it."""
    return position_in(table(), tt_ms)


def instant(position: int) -> int:
    """`tt_ms` of the term at a position."""
    if 0 <= position < COUNT:
        return table()[position]
    raise outside("term position", 0, COUNT - 1, position)


def position_of(year: int, term: SolarTerm) -> int:
    """Position of the term whose instant lies in that Gregorian year."""
    if FIRST_YEAR <= year <= LAST_YEAR:
        return 24 * (year - FIRST_YEAR) + (term.index + 2) % 24
    raise outside("year", FIRST_YEAR, LAST_YEAR, year)


def term_at(position: int) -> SolarTerm:
    """The term at a position."""
    return SOLAR_TERMS[(position - 2) % 24]


def year_at(position: int) -> int:
    """The Gregorian year in which the term at a position lies."""
    return FIRST_YEAR + position // 24


def longitude(tt_ms: int) -> float:
    """Apparent longitude of the Sun in degrees, for display: the table interpolated, good to 8.4″."""
    first = min(max(position(tt_ms) - 1, 0), COUNT - 4)
    times = table()[first : first + 4]
    degrees = 0.0
    for node, at in enumerate(times):
        weight = 15.0 * node
        for other in times:
            if other != at:
                weight *= (tt_ms - other) / (at - other)
        degrees += weight
    return (term_at(first).longitude_deg + degrees) % 360.0


def solar_terms(
    year: int,
    *,
    cycle: Literal["gregorian", "ganzhi"] = "gregorian",
    tz: tzinfo | None = None,
    future_utc: str = "utc_frozen",
    backend: Literal["table", "live"] = "table",
) -> tuple[TermEvent, ...]:
    """The 24 terms of a year: 小寒 … 冬至 (`gregorian`) or 立春 … 大寒 (`ganzhi`); local time is +08:00 or `tz`.

    `backend="live"` computes them from an ephemeris instead of reading the table.

    >>> first = solar_terms(2026, cycle="ganzhi")[0]
    >>> first.name, first.local
    (SolarTerm('立春'), '2026-02-04T04:02:07.951+08:00')
    """
    scales.check_policy(future_utc)
    if cycle not in _FIRST_TERM:
        raise unknown_option("cycle", shown(cycle), tuple(_FIRST_TERM))
    start = position_of(year, _FIRST_TERM[cycle])
    if start + 24 > COUNT:
        raise outside("year", FIRST_YEAR, LAST_YEAR - 1, year)
    positions = range(start, start + 24)
    instants = _instants(positions, backend)
    zone = tz or CHINA_STANDARD
    return tuple(_event(at, tt_ms, zone, future_utc) for at, tt_ms in zip(positions, instants, strict=True))


_FIRST_TERM = {"gregorian": SolarTerm("小寒"), "ganzhi": SolarTerm("立春")}


def _instants(positions: range, backend: str) -> Sequence[int]:
    if backend == "table":
        return table()[positions.start : positions.stop]
    if backend == "live":
        from bazi_core.astro import live

        return live.instants(positions)
    raise unknown_option("backend", shown(backend), ("table", "live"))


def _event(position: int, tt_ms: int, tz: tzinfo, future_utc: str) -> TermEvent:
    term = term_at(position)
    utc_ms = scales.utc_from_tt(tt_ms, future_utc)
    return TermEvent(
        name=term,
        year=year_at(position),
        kind="节" if term.is_jie else "气",
        longitude_deg=term.longitude_deg,
        tt_ms=tt_ms,
        utc=scales.iso_utc(utc_ms),
        local=scales.iso_in_zone(utc_ms, tz),
        delta_t_uncertainty_s=scales.delta_t_uncertainty_s(tt_ms),
    )
