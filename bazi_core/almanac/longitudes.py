"""Instants between the terms: of 候 and 土王用事 by the longitude of the Sun, of 弦 and 望 by that of the Moon.

The Sun's longitude is interpolated in the table of terms, good to 8.4″ or three and a half minutes; the Moon needs an
ephemeris.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bazi_core.astro import moons, scales, terms

if TYPE_CHECKING:
    from bazi_core.almanac.calendar import TermClock

_STEPS = 24


@lru_cache(maxsize=4096)
def instant_of_longitude(position: int, degrees: int) -> int:
    """`tt_ms` at which the Sun stands so many degrees (−29 … 14) from its longitude at the term of a position.

    >>> instant_of_longitude(10568, 0) == terms.instant(10568)
    True
    """
    steps, rest = divmod(degrees, 15)
    before, after = terms.instant(position + steps), terms.instant(position + steps + 1)
    if rest == 0:
        return before
    start = terms.term_at(position + steps).longitude_deg
    for _ in range(_STEPS):
        middle = (before + after) // 2
        if (terms.longitude(middle) - start + 180) % 360 - 180 < rest:
            before = middle
        else:
            after = middle
    return before


def local_ms(tt_ms: int, clock: TermClock) -> int:
    """The reading in ms of a clock at an instant of TT."""
    utc_ms = scales.utc_from_tt(tt_ms, clock.future_utc)
    return utc_ms + 1000 * clock.offset_s(utc_ms)


def day_of(tt_ms: int, clock: TermClock) -> int:
    """The ordinal of the civil date of an instant of TT."""
    return scales.datetime_of(local_ms(tt_ms, clock)).toordinal()


def day_of_longitude(clock: TermClock, position: int, degrees: int) -> int:
    """The ordinal of the civil date on which the Sun stands so many degrees from its longitude at a term."""
    return day_of(instant_of_longitude(position, degrees), clock)


@lru_cache(maxsize=4096)
def _quarters(k: int) -> tuple[int, ...]:
    from bazi_core.astro import live

    return tuple(live.phase_instants(k))


def phase_days(month_start: int, clock: TermClock) -> tuple[int, ...]:
    """The ordinals of the days of 上弦, 望 and 下弦 of a lunar month; `EphemerisMissing` where no Moon is installed."""
    noon = (month_start + 2 - scales.EPOCH.toordinal()) * scales.DAY_MS
    return tuple(day_of(tt_ms, clock) for tt_ms in _quarters(moons.position(noon)))
