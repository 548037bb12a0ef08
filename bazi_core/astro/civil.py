"""Civil time: from the reading of a wall clock in a zone to its offset, with gaps and folds as errors.

A zone can skip readings (spring) and repeat them (autumn). zoneinfo answers something for both without a
word; here the first is refused and the second asks for `fold`, each with both readings of PEP 495.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from bazi_core.errors import AmbiguousLocalTime, NonexistentLocalTime
from bazi_core.place.zones import zone
from bazi_core.tables.sentences import Said


class Clock(NamedTuple):
    """The offset of a civil clock from UTC at a birth, and the source of the offset.

    `source` is zone, offset (stated by the caller), lmt_longitude, lmt_zone or geo; `fold` is 0 or 1 where
    the reading came twice, else None.
    """

    timezone_id: str | None
    source: str
    utc_offset_s: int
    dst_s: int
    abbreviation: str | None
    fold: int | None


def clock_of_wall(wall: datetime, zone_key: str, fold: int | None = None, source: str = "zone") -> Clock:
    """The clock of a zone at one of its readings (naive).

    >>> clock_of_wall(datetime(1990, 5, 15, 13, 30), "Asia/Shanghai")[2:]
    (32400, 3600, 'CDT', None)
    >>> clock_of_wall(datetime(1990, 4, 15, 2, 30), "Asia/Shanghai")
    Traceback (most recent call last):
    bazi_core.errors.NonexistentLocalTime: 1990-04-15T02:30:00 was skipped by the clocks of Asia/Shanghai
    """
    # The constructor takes half the time of `replace`.
    fields = (wall.year, wall.month, wall.day, wall.hour, wall.minute, wall.second, wall.microsecond)
    first = datetime(*fields, zone(zone_key))
    second = datetime(*fields, zone(zone_key), fold=1)
    before: timedelta = first.utcoffset()  # type: ignore[assignment]
    after: timedelta = second.utcoffset()  # type: ignore[assignment]
    if before == after:
        return _clock(first, before, zone_key, None, source)
    if before < after:
        raise _nonexistent(wall, zone_key, before, after)
    if fold is None:
        raise _ambiguous(wall, zone_key, before, after)
    return _clock(second if fold else first, after if fold else before, zone_key, fold, source)


def clock_of_instant(utc: datetime, zone_key: str, source: str = "zone") -> Clock:
    """The clock of a zone at a naive UTC datetime; no reading is ambiguous from this side."""
    there = zone(zone_key).fromutc(utc.replace(tzinfo=zone(zone_key)))
    return _clock(there, there.utcoffset() or timedelta(), zone_key, None, source)


def ends_of_day(day: datetime, zone_key: str) -> tuple[datetime, datetime]:
    """The UTC instants (naive) at which a civil day [00:00, 24:00) begins and ends.

    A midnight that was skipped is the instant of the change, of a repeated one the first counts. A day that
    the clocks of the zone skipped whole (Samoa, 2011-12-30) is refused as any such reading is.
    """
    tz = zone(zone_key)
    start, end = (each - (each.replace(tzinfo=tz).utcoffset() or timedelta()) for each in (day, day + _DAY))
    if start >= end:
        clock_of_wall(day + _DAY / 2, zone_key)
    return start, end


def transition_between(start: datetime, end: datetime, zone_key: str) -> datetime | None:
    """The UTC instant (naive, to the second) in a span of a day or so at which a zone changes its offset."""
    tz = zone(zone_key)
    return None if _offset_of(start, tz) == _offset_of(end, tz) else _transition(start, end, tz)


def format_offset(seconds: int) -> str:
    """`+HH:MM`, with `:SS` where there are seconds.

    >>> format_offset(28800), format_offset(-12600), format_offset(29143)
    ('+08:00', '-03:30', '+08:05:43')
    """
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{'-' if seconds < 0 else '+'}{hours:02}:{minutes:02}" + (f":{rest:02}" if rest else "")


def seconds_of(offset: timedelta) -> int:
    return offset.days * 86400 + offset.seconds


_DAY = timedelta(days=1)


def _clock(aware: datetime, offset: timedelta, key: str, fold: int | None, source: str) -> Clock:
    dst = aware.dst()
    return Clock(
        key,
        source,
        offset.days * 86400 + offset.seconds,
        dst.days * 86400 + dst.seconds if dst else 0,
        aware.tzname(),
        fold,
    )


def _readings(wall: datetime, before: timedelta, after: timedelta) -> list[dict[str, Any]]:
    return [
        {"fold": fold, "utc_offset_s": seconds_of(offset), "utc": (wall - offset).isoformat() + "Z"}
        for fold, offset in enumerate((before, after))
    ]


def _ambiguous(wall: datetime, key: str, before: timedelta, after: timedelta) -> AmbiguousLocalTime:
    first, second = format_offset(seconds_of(before)), format_offset(seconds_of(after))
    return AmbiguousLocalTime(
        Said("clock_twice", wall=wall.isoformat(), key=key),
        hint=Said("clock_twice_hint", first=first, second=second),
        zone=key,
        local=wall.isoformat(),
        readings=_readings(wall, before, after),
    )


def _nonexistent(wall: datetime, key: str, before: timedelta, after: timedelta) -> NonexistentLocalTime:
    change = _transition(wall - after, wall - before, zone(key))
    last, first = change + before - timedelta(seconds=1), change + after
    return NonexistentLocalTime(
        Said("clock_skipped", wall=wall.isoformat(), key=key),
        hint=Said("clock_skipped_hint", last=last.time(), first=first.time()),
        zone=key,
        local=wall.isoformat(),
        readings=_readings(wall, before, after),
        nearest_before=last.isoformat(),
        nearest_after=first.isoformat(),
    )


def _transition(start: datetime, end: datetime, tz: tzinfo) -> datetime:
    """The first whole UTC second in (start, end] with another offset than at `start`."""
    known = _offset_of(start, tz)
    low, high = 0, int((end - start).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        if _offset_of(start + timedelta(seconds=middle), tz) == known:
            low = middle
        else:
            high = middle
    return start + timedelta(seconds=high)


def _offset_of(utc: datetime, tz: tzinfo) -> timedelta | None:
    return tz.fromutc(utc.replace(tzinfo=tz)).utcoffset()
