"""Zones as arrays: for every zone in use the offset at any wall clock reading, and at any instant.

The changes of a zone come from its file and, after the last one listed there, from its rule; the offset between two
changes is taken from `astro.civil` once. So gaps, folds and local mean time are the same as for a single birth.
"""

from __future__ import annotations

import os
from calendar import isleap
from datetime import datetime, timedelta
from functools import cache
from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bazi_core.astro import scales
from bazi_core.astro.civil import clock_of_instant, clock_of_wall, transition_between
from bazi_core.place import zones

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

# Offsets of segments in which the offset is not the clock's alone.
ASK = 2**31 - 1  # a reading that came twice or never
LMT = 2**30  # added to the offset of local mean time
FIRST_MS = scales.FIRST_UTC_MS - scales.DAY_MS
END_MS = scales.END_UTC_MS + scales.DAY_MS
_SHIFT = 28  # buckets
_BUCKETS = (END_MS - FIRST_MS >> _SHIFT) + 1
_MIXED = -1


class Segments(NamedTuple):
    """The instants at which the offset of a clock changes, and the offset in seconds from each of them."""

    starts: Ints
    offsets: Ints


def _listed(key: str) -> list[int]:
    """The changes that the file of a zone lists, in seconds of Unix time (RFC 8536, the second block)."""
    path = os.path.join(zones._FOLDER, "zoneinfo", *key.split("/"))
    with open(path, "rb") as file:
        raw = file.read()
    isut, isstd, leaps, times, types, chars = unpack_from(">6l", raw, 20)
    second = 44 + 5 * times + 6 * types + chars + 8 * leaps + isstd + isut
    return list(unpack_from(f">{unpack_from('>l', raw, second + 32)[0]}q", raw, second + 44))


@cache
def changes(key: str) -> tuple[datetime, ...]:
    """The instants (naive UTC) at which the clocks of a zone change, in the years of the tables.

    >>> [str(change) for change in changes("Asia/Shanghai")[-2:]]
    ['1991-04-13 18:00:00', '1991-09-14 17:00:00']
    """
    known = zones.keys()
    if key not in known:
        return ()
    epoch, first, end = datetime(1970, 1, 1), scales.datetime_of(FIRST_MS), scales.datetime_of(END_MS)
    listed = [epoch + timedelta(seconds=each) for each in _listed(key) if each > -(2**40)]
    instants = [each for each in listed if first < each < end]
    after = listed[-1] if listed else first
    return (*instants, *(each for each in _by_rule(key, after.year) if after < each < end))


def _by_rule(key: str, first: int) -> Iterator[datetime]:
    """The changes by the rule of a zone from a year on; a rule depends only on the weekdays and the length of a year."""
    of_kind: dict[tuple[int, bool], list[timedelta]] = {}
    for year in range(first, scales.datetime_of(END_MS).year + 1):
        start = datetime(year, 1, 1)
        kind = start.weekday(), isleap(year)
        if kind not in of_kind or year == first:
            of_kind[kind] = [change - start for change in _in_year(key, year)]
        yield from (start + since for since in of_kind[kind])
        if year == first:
            # Its changes may be those of the list.
            del of_kind[kind]


def _in_year(key: str, year: int) -> Iterator[datetime]:
    # No rule has its two changes closer than twelve days.
    at, end = datetime(year, 1, 1), datetime(year + 1, 1, 1)
    while at < end:
        then = min(at + timedelta(days=12), end)
        change = transition_between(at, then, key)
        if change:
            yield change
        at = then


@cache
def by_instant(key: str) -> Segments:
    """The offsets of a zone by instants of UTC, in ms."""
    at = [scales.datetime_of(FIRST_MS), *changes(key)]
    return _segments((scales.ms_of(each), clock_of_instant(each, key).utc_offset_s) for each in at)


@cache
def by_reading(key: str) -> Segments:
    """The offsets of a zone by readings of its wall clock, in ms; `ASK` where a reading came twice or never."""
    edges = {FIRST_MS}
    for change in changes(key):
        before = clock_of_instant(change - timedelta(seconds=1), key).utc_offset_s
        after = clock_of_instant(change, key).utc_offset_s
        edges |= {scales.ms_of(change) + 1000 * offset for offset in (before, after)}
    return _segments((edge, _offset_at(edge, key)) for edge in sorted(edges))


def _offset_at(wall_ms: int, key: str) -> int:
    wall = scales.datetime_of(wall_ms).replace(tzinfo=zones.zone(key))
    # The checks of `clock_of_wall`, without its error details.
    if wall.utcoffset() != wall.replace(fold=1).utcoffset():
        return ASK
    clock = clock_of_wall(wall.replace(tzinfo=None), key)
    return clock.utc_offset_s + (LMT if clock.abbreviation == "LMT" else 0)


def _segments(steps: Iterator[tuple[int, int]]) -> Segments:
    starts: list[int] = []
    offsets: list[int] = []
    for start, offset in steps:
        if not offsets or offset != offsets[-1]:
            starts.append(start)
            offsets.append(offset)
    return Segments(np.array(starts, np.int64), np.array(offsets, np.int64))


class Clocks:
    """The clocks of several zones: (index of the zone, time) → offset in seconds, `ASK`, or `LMT` + offset.

    `table` holds for each zone and six days the place of the offset in force, or that it changes in them.
    """

    def __init__(self, segments: list[Segments]) -> None:
        self.segments = segments
        self.offsets = np.unique(np.concatenate([segment.offsets for segment in segments]))
        self.table = np.concatenate([self._row(segment) for segment in segments])

    def _row(self, segments: Segments) -> NDArray[np.int16]:
        edges = FIRST_MS + (np.arange(_BUCKETS + 1) << _SHIFT)
        at = np.searchsorted(segments.starts, edges, "right") - 1
        last = np.searchsorted(segments.starts, edges[1:] - 1, "right") - 1
        place = np.searchsorted(self.offsets, segments.offsets)[at[:-1]]
        return np.where(at[:-1] == last, place, _MIXED).astype(np.int16)

    def __call__(self, ms: Ints, zone: Ints | int) -> Ints:
        """The offsets, for times from `FIRST_MS` up to `END_MS` and places in the list of zones."""
        bucket = (ms - FIRST_MS) >> _SHIFT
        if len(self.segments) > 1:
            bucket += zone * _BUCKETS
        place = self.table.take(bucket)
        mixed = np.flatnonzero(place == _MIXED)
        offsets = self.offsets.take(place, mode="wrap")
        if len(mixed):
            offsets[mixed] = self._searched(ms[mixed], zone if isinstance(zone, int) else zone[mixed])
        return offsets

    def _searched(self, ms: Ints, zone: Ints | int) -> Ints:
        offsets = np.empty(len(ms), np.int64)
        for number in [zone] if isinstance(zone, int) else np.unique(zone).tolist():
            segments = self.segments[number]
            at = slice(None) if isinstance(zone, int) else np.flatnonzero(zone == number)
            offsets[at] = segments.offsets[np.searchsorted(segments.starts, ms[at], "right") - 1]
        return offsets
