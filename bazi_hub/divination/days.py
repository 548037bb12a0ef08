"""Days of the history in the reader's time zone, and instants as this protocol prints them.

A civil day is [00:00, next 00:00): 23 or 25 hours where clocks change, none at all where a zone left a day out.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"([+-])(\d\d):(\d\d)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
MOST_OFFSET = timedelta(hours=16)
# What is longer is no name of a zone, and is not kept.
LONGEST_ZONE = 255


class BadTimezone(ValueError):
    """Neither an IANA name nor an offset."""


class BadDay(ValueError):
    """Not a day of the calendar."""


def zone(name: str) -> tzinfo:
    """A time zone by its IANA name or as `±HH:MM`.

    >>> zone("+05:30").utcoffset(None), str(zone("Asia/Kolkata"))
    (datetime.timedelta(seconds=19800), 'Asia/Kolkata')
    """
    if len(name) > LONGEST_ZONE:
        raise BadTimezone(name[:LONGEST_ZONE])
    return _zone(name)


@lru_cache(1024)
def _zone(name: str) -> tzinfo:
    found = _OFFSET.fullmatch(name)
    if found:
        sign, hours, minutes = found.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        if offset > MOST_OFFSET or int(minutes) > 59:
            raise BadTimezone(name)
        return timezone(-offset if sign == "-" else offset)
    if name not in _names():
        raise BadTimezone(name)
    return ZoneInfo(name)


@cache
def _names() -> frozenset[str]:
    """Names as the tz database lists them: what lies beside it in a system's folder is no time zone."""
    from importlib.resources import files

    return frozenset((files("tzdata") / "zones").read_text(encoding="utf-8").split())


def day_of(text: str) -> date:
    """A day as `YYYY-MM-DD`."""
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise BadDay(text)


def bounds(day: date, place: tzinfo) -> tuple[int, int]:
    """When a day begins and ends, in milliseconds since 1970.

    >>> begin, end = bounds(date(2026, 3, 8), zone("America/New_York"))
    >>> (end - begin) / 3_600_000
    23.0
    """
    try:
        return _midnight(day, place), _midnight(day + timedelta(days=1), place)
    except OverflowError:
        raise BadDay(str(day)) from None


def _midnight(day: date, place: tzinfo) -> int:
    # Where no clock shows midnight, the offset before the change leads to the moment of the change.
    return ms_of(datetime.combine(day, time(), place))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ms_of(at: datetime) -> int:
    """An instant in milliseconds since 1970."""
    return (at - _EPOCH) // timedelta(milliseconds=1)


def instant_ms(text: str) -> int:
    """An instant of RFC 3339; `ValueError` for any other text.

    >>> instant_ms("2026-04-03T20:30:00+08:00")
    1775219400000
    """
    if not _INSTANT.fullmatch(text):
        raise ValueError(text)
    return ms_of(datetime.fromisoformat(text.upper()))


def iso(ms: int) -> str:
    """An instant as this protocol prints it.

    >>> iso(1775219400999)
    '2026-04-03T12:30:00+00:00'
    """
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%dT%H:%M:%S}+00:00"
