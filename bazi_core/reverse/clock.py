"""The clock that decides day and hour at a place, backwards: from its readings to instants of UTC.

In a segment, between two changes of the clock, a reading grows with the instant; so the first whole second at which it
shows a time is found by correction. Instants and readings are ms since 2000-01-01T12:00 of their scale; births, and so the
ends of windows, are whole seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, datetime, timedelta
from functools import cache
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.astro import scales
from bazi_core.astro.civil import clock_of_instant
from bazi_core.astro.eot import equation_of_time_s
from bazi_core.civil_clock import clock_at_instant, unwrapped, zone_of
from bazi_core.moment import DAY_MS, basis_of, fixed_zone, mean_solar_exact_ms
from bazi_core.place.zones import changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.birth import Birth
    from bazi_core.school import School

SECOND_MS = 1000
# The Sun gains or loses thirty seconds a day on the clock at most, 3.5e-4 of any time; this is more.
_DRIFT = 4e-4
# True solar time is a quarter of an hour and some minutes from mean solar time, UT1 a second from UTC; this is more.
_FARTHEST_MS = 20 * 60 * SECOND_MS
# Where UT1 − UTC leaves and joins the table, solar time may step back by some ms.
_STEPS = (*(scales.ms_of(scales.EPOCH.replace(year=year, month=1, day=1, hour=0)) for year in (1972, 2027)),)
_UNIX_EPOCH_MS = scales.ms_of(scales.EPOCH.replace(year=1970, month=1, day=1, hour=0))


class OffsetSpan(NamedTuple):
    """A span, from `start` to `end` (exclusive), of constant offset of a civil clock; `shift_ms` is that of the mean Sun."""

    start: int
    end: int
    offset_s: int
    shift_ms: float

    def shown(self, utc_ms: int) -> datetime:
        """The civil clock at an instant, with its offset."""
        return _epoch_at(self.offset_s) + timedelta(0, utc_ms // SECOND_MS + self.offset_s)


@cache
def _epoch_at(offset_s: int) -> datetime:
    """The reading from which seconds are counted, on a clock at this offset."""
    return scales.EPOCH.replace(tzinfo=fixed_zone(offset_s))


class LocalClock:
    """The clock in use at a place to the end of a year, in segments."""

    def __init__(self, born: Birth, school: School, last_year: int) -> None:
        self.used = basis_of(born, school)
        self._born, self._school = born, school
        self._zone = None if born.utc_offset_s is not None else zone_of(born, school)
        steps = set() if self._zone is None else {_ms(change) for change in changes(self._zone, last_year)}
        if self.used != "civil":
            steps |= set(_STEPS)
        first, end = scales.FIRST_UTC_MS, scales.END_UTC_MS
        self._starts = [first, *sorted(step for step in steps if first < step < end)]
        self._segments: dict[int, OffsetSpan] = {}

    def segments(self, start: int, end: int) -> Iterator[OffsetSpan]:
        """The segments that a span of UTC touches, in order."""
        # The mean time of a place itself ends up to a day before or after that of the city of its zone.
        place = max(0, bisect_right(self._starts, start - DAY_MS) - 1)
        while place < len(self._starts) and self._starts[place] <= end + DAY_MS:
            segment = self._segments.get(place) or self._segment(place)
            if segment.start < end and segment.end > start:
                yield segment
            place += 1

    def segment_at(self, utc_ms: int) -> OffsetSpan:
        """The segment that contains an instant; the later of two."""
        *_, last = self.segments(utc_ms, utc_ms + 1)
        return last

    def reading(self, utc_ms: int, segment: OffsetSpan) -> int:
        """The reading in ms, at an instant, of the clock that decides day and hour."""
        if self.used == "civil":
            return utc_ms + segment.offset_s * 1000
        return floor(self._solar(utc_ms, segment))

    def about(self, start: int, end: int, segment: OffsetSpan) -> tuple[int, int]:
        """(lower, upper): a reading not after that of one instant, and a reading not before that of another."""
        if self.used == "civil":
            return start + segment.offset_s * 1000, end + segment.offset_s * 1000
        shift = floor(segment.shift_ms)
        return start + shift - _FARTHEST_MS, end + shift + _FARTHEST_MS

    def first_second(self, local_ms: int, segment: OffsetSpan, near: int | None = None) -> int:
        """The first whole second of a segment at which the clock shows a reading or a later one; its end at most. Of solar
        time an instant near it, if one is known, saves a look at the Sun."""
        start, end = segment.start, segment.end
        if self.used == "civil":
            return min(max(_whole(local_ms - segment.offset_s * 1000), start), end)
        near = local_ms - floor(segment.shift_ms) if near is None else near
        if not start <= near < end:
            near = start if near < start else end - SECOND_MS
        left = local_ms - self._solar(near, segment)
        spread = abs(left) * _DRIFT + 1
        utc_ms = _whole(near + floor(left - spread))
        if not start <= utc_ms < end:
            return start if utc_ms < start else end
        if utc_ms >= near + left + spread:
            return utc_ms
        shows = self._solar(utc_ms, segment)
        while shows < local_ms and utc_ms < end:
            utc_ms += SECOND_MS
            shows = self._solar(utc_ms, segment)
        return utc_ms

    def beginning_of(self, day: date) -> int:
        """The first instant at which the civil clock shows a day or a later one, within the span of the tables."""
        midnight = scales.ms_of(scales.EPOCH.replace(year=day.year, month=day.month, day=day.day, hour=0))
        for segment in self.segments(midnight - DAY_MS, midnight + DAY_MS):
            at = max(segment.start, midnight - segment.offset_s * 1000)
            if at < segment.end:
                return at
        return scales.END_UTC_MS if midnight > 0 else scales.FIRST_UTC_MS

    def _solar(self, utc_ms: int, segment: OffsetSpan) -> float:
        tt_ms = utc_ms + scales.tt_minus_utc_ms(utc_ms, self._school.future_utc)
        mean = mean_solar_exact_ms(utc_ms, segment.shift_ms, tt_ms)
        return mean if self.used == "mean_solar" else mean + equation_of_time_s(tt_ms) * 1000

    def _segment(self, place: int) -> OffsetSpan:
        start = self._starts[place]
        end = self._starts[place + 1] if place + 1 < len(self._starts) else scales.END_UTC_MS
        clock = clock_at_instant(self._born, self._school, start)
        shift = 0.0
        if self._born.longitude is not None:
            shift = unwrapped(self._born.longitude, clock.utc_offset_s) * 240_000
        if clock.source == "lmt_longitude" and self._zone is not None:
            # A reading belongs to the regime that the city of the zone had at that reading.
            of_zone = clock_of_instant(scales.datetime_of(start), self._zone)
            later = (of_zone.utc_offset_s - clock.utc_offset_s) * 1000
            start, end = (start + later if place else start), end + later
        made = self._segments[place] = OffsetSpan(start, end, clock.utc_offset_s, shift)
        return made


def _ms(unix_s: int) -> int:
    return _UNIX_EPOCH_MS + unix_s * 1000


def _whole(utc_ms: int) -> int:
    """The first whole second at or after an instant."""
    return -(-utc_ms // SECOND_MS) * SECOND_MS
