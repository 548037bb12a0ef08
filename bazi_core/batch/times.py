"""The column of times: parsed by arrays where possible, else kept as written.

ISO dates with a time of day, with or without seconds and an offset, are read here; so are datetimes of numpy and Arrow.
Other notations go to the parser of a single birth.
"""

from __future__ import annotations

from calendar import isleap
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.astro import scales
from bazi_core.batch.luck import UNIX_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

NAT = np.iinfo(np.int64).min
WIDTH = 25  # 1990-05-15T13:30:00+08:00
_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_FAR_S = 10**12
_FIRST_MS, _LAST_MS = (scales.ms_of(datetime(*day)) for day in ((1, 1, 2), (9999, 12, 30)))
_DIGITS = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15)
_EPOCH_DAY = date(2000, 1, 1).toordinal()


class TimesOfBirth(NamedTuple):
    """Readings of a wall clock, or instants, in ms from the epoch. `missing` rows have none, `unread` ones are left to the
    reader of a single birth, and of `stated` rows the text has an offset, `offset_s`."""

    ms: Ints
    missing: Flags | None = None
    unread: Flags | None = None
    stated: Flags | None = None
    offset_s: Ints | None = None


class TimeColumn:
    """A column of times. `zone` is that of instants, None for wall clocks; `part` reads rows, `given` shows one."""

    def __init__(
        self,
        length: int,
        part: Callable[[int, int], TimesOfBirth],
        given: Callable[[int], Any],
        zone: str | None = None,
    ) -> None:
        self.length, self.part, self.given, self.zone = length, part, given, zone


def of_datetimes(values: NDArray[Any], zone: str | None = None) -> TimeColumn:
    """A column of numpy datetimes: readings of a wall clock, or instants beside the name of a zone.

    A column of dates has no times of day: its rows are refused as a date alone is.
    """
    unit, count = np.datetime_data(values.dtype)
    numbers = values.view(np.int64)
    if unit not in (*_PER_SECOND, *_SECONDS) or count != 1:
        texts = np.datetime_as_string(values.astype("datetime64[D]"))
        return of_texts([None if text == "NaT" else text for text in texts.tolist()])

    def part(start: int, end: int) -> TimesOfBirth:
        chosen = numbers[start:end]
        if unit in _PER_SECOND:
            seconds = chosen // _PER_SECOND[unit]
        else:
            seconds = np.clip(chosen, -_FAR_S, _FAR_S) * _SECONDS[unit]
        seconds -= UNIX_S
        if not len(chosen) or (chosen.min() != NAT and -_FAR_S < seconds.min() <= seconds.max() < _FAR_S):
            seconds *= 1000
            return TimesOfBirth(seconds)
        missing = chosen == NAT
        np.clip(seconds, -_FAR_S, _FAR_S, out=seconds)
        seconds *= 1000
        return TimesOfBirth(seconds, missing if missing.any() else None)

    def given(row: int) -> datetime:
        # Times that a datetime cannot hold stand at its ends, far outside of what is computed.
        return scales.datetime_of(int(np.clip(part(row, row + 1).ms[0], _FIRST_MS, _LAST_MS)))

    return TimeColumn(len(values), part, given, zone)


def of_texts(values: Any) -> TimeColumn:
    """A column of texts; datetimes and dates among them are written out."""

    def part(start: int, end: int) -> TimesOfBirth:
        chosen = values[start:end]
        kinds = set(map(type, chosen))
        if not kinds <= {str, type(None)}:
            chosen = [_written(each) for each in chosen]
        has_none = bool(kinds - {str})
        missing = np.array([each is None for each in chosen], np.bool_) if has_none else None
        return read(_matrix(chosen), missing)

    return TimeColumn(len(values), part, lambda row: _written(values[row]))


def _written(value: Any) -> Any:
    if value is None or value != value:
        return None
    if isinstance(value, datetime):
        return value.replace(microsecond=0).isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str) else str(value)


def _matrix(texts: Any) -> NDArray[np.uint8]:
    """The characters of texts as Latin-1, one row a text, padded with blanks; that of a too long text ends in none."""
    points = np.array(texts, f"<U{WIDTH + 1}").view(np.uint32).reshape(len(texts), WIDTH + 1)
    return np.where(points == 0, 32, np.minimum(points, 255)).astype(np.uint8)


def read(chars: NDArray[np.uint8], missing: Flags | None) -> TimesOfBirth:
    """The times of ISO texts as a matrix of characters (Latin-1, padded with blanks beyond `WIDTH`)."""
    columns = np.ascontiguousarray(chars.T)
    digits = columns - 48
    good = (columns[4] == 45) & (columns[7] == 45) & (columns[13] == 58)
    good &= (columns[10] == 32) | (columns[10] == 84)
    for place in _DIGITS:
        good &= digits[place] <= 9
    seconds = (columns[16] == 58) & (digits[17] <= 5) & (digits[18] <= 9)
    good &= seconds | (columns[16:].max(axis=0) == 32)
    number = digits.astype(np.int64)

    def two(place: int) -> Ints:
        value: Ints = number[place] * 10 + number[place + 1]
        return value

    year, month, day, hour, minute = two(0) * 100 + two(2), two(5), two(8), two(11), two(14)
    second = np.where(seconds, two(17), 0)
    good &= (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (hour < 24) & (minute < 60)
    year, month = np.where(good, year, 2000), np.where(good, month, 1)
    starts, lengths = _calendar()
    at = year * 12 + month
    good &= day <= lengths.take(at)
    days = starts.take(at) + day
    ms = ((days * 24 - 12 + hour) * 60 + minute) * 60_000 + second * 1000
    plain = columns[19:].max(axis=0) == 32
    zulu = (columns[19] == 90) & (columns[20:].max(axis=0) == 32)
    signed = ((columns[19] == 43) | (columns[19] == 45)) & (columns[22] == 58)
    for place in (20, 21, 23, 24):
        signed &= digits[place] <= 9
    signed &= (digits[23] <= 5) & (two(20) < 16)
    offset = np.where(signed, (two(20) * 60 + two(23)) * 60, 0)
    np.negative(offset, out=offset, where=columns[19] == 45)
    good &= (plain | zulu | signed) & (columns[WIDTH] == 32)
    stated = good & ~plain
    return TimesOfBirth(
        np.where(good, ms, 0),
        missing if missing is not None and missing.any() else None,
        None if good.all() else ~good if missing is None else ~good & ~missing,
        *((stated, offset) if stated.any() else (None, None)),
    )


@cache
def _calendar() -> tuple[Ints, Ints]:
    """By year × 12 + month: days from the epoch to the day before the month, and the length of the month."""
    starts, lengths = [0] * 13, [0] * 13
    for year in range(1, 10_000):
        for month in range(1, 13):
            starts.append(date(year, month, 1).toordinal() - 1 - _EPOCH_DAY)
            lengths.append(28 + isleap(year) if month == 2 else 30 + (month + month // 8) % 2)
    return np.array(starts, np.int64), np.array(lengths, np.int64)
