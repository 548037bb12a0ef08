"""Reading the text of a birth time: the one place where strings become numbers.

Understood are `1990-05-15 13:30[:SS]` (also with / . T or 年月日 时分秒), the same with an offset or Z, a date
alone, a date with the name of a double hour (`1990-05-15 午时`), and lunar dates that say so
(`农历1990年闰五月初一 午时`). Nothing is guessed: 24:00, a sixtieth second and two-digit years are refused.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from typing import NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.errors import InvalidDatetime, InvalidOffset, shown

LONGEST_TEXT = 100
LONGEST_OFFSET_S = 16 * 3600
ACCEPTED = "write 1990-05-15 13:30, 1990-05-15 午时 or 农历1990年闰五月初一 午时"

_TIME = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d{1,9})?)?"
    r"|[时時点點](?:(?P<minute_zh>\d{1,2})分(?:(?P<second_zh>\d{1,2})秒)?)?)"
)
_NAMED = r"(?P<named>[早晚夜]?子|[丑寅卯辰巳午未申酉戌亥])[时時]"
_OFFSET = r"(?P<offset>Z|[+-]\d{2}:?\d{2}(?::?\d{2})?)"
# A time in digits needs something between it and the date: 1990-05-15:30 must not become the first of May.
_TAIL = re.compile(
    rf"(?:(?:^|[T\s]+|(?<=[日号號一二三四五六七八九十])){_TIME}|[T\s]*{_NAMED})\s*{_OFFSET}?$",
    re.IGNORECASE | re.ASCII,
)
_DATE = re.compile(
    r"(?:公历|公曆|阳历|陽曆)?\s*(\d{4})\s*([-/.年])\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号號]?"
)


class When(NamedTuple):
    """What a text says, not yet checked against a calendar.

    `date_text` is left for the calendar it is written in; `time` is (hour, minute, second) or None.
    """

    date_text: str
    time: tuple[int, int, int] | None
    hour_branch: HourBranch | None
    utc_offset_s: int | None
    precision_s: int


def parse_when(text: str) -> When:
    """Cut a text into date, time, double hour and offset.

    >>> parse_when("1990-05-15 13:30+08:00").time, parse_when("1990-05-15 13:30+08:00").utc_offset_s
    ((13, 30, 0), 28800)
    >>> parse_when("农历1990年闰五月初一 午时").date_text
    '农历1990年闰五月初一'
    >>> parse_when("1990-05-15 25:00")
    Traceback (most recent call last):
    bazi_core.errors.InvalidDatetime: '1990-05-15 25:00': there is no hour 25
    """
    if len(text) > LONGEST_TEXT:
        raise _unreadable(text)
    plain = unicodedata.normalize("NFKC", text).strip()
    tail = _TAIL.search(plain)
    if tail is None:
        return When(plain, None, None, None, 1)
    date_text = plain[: tail.start()].strip()
    offset = tail["offset"]
    utc_offset_s = parse_offset(offset) if offset else None
    if tail["named"]:
        named = HourBranch(tail["named"].replace("夜", "晚"))
        return When(date_text, None, named, utc_offset_s, named.length_hours * 1800)
    hour, minute, second = (int(tail[a] or tail[b] or 0) for a, b in _CLOCK_GROUPS)
    _check_clock(text, hour, minute, second)
    stated = tail["second"] or tail["second_zh"]
    return When(date_text, (hour, minute, second), None, utc_offset_s, 1 if stated else 60)


_CLOCK_GROUPS = (("hour", "hour"), ("minute", "minute_zh"), ("second", "second_zh"))


def parse_date(text: str) -> tuple[int, int, int]:
    """Year, month and day of a date text, in whichever calendar it is meant.

    >>> parse_date("1990年5月15日")
    (1990, 5, 15)
    """
    found = _DATE.fullmatch(text)
    if found is None:
        raise _unreadable(text)
    return int(found[1]), int(found[3]), int(found[4])


def gregorian(year: int, month: int, day: int) -> date:
    """A date of the Gregorian calendar.

    >>> gregorian(2023, 2, 30)
    Traceback (most recent call last):
    bazi_core.errors.InvalidDatetime: '2023-02-30': there is no day 30 in month 2 of 2023
    """
    try:
        return date(year, month, day)
    except ValueError:
        raise _no_such_day(year, month, day) from None


def julian(year: int, month: int, day: int) -> date:
    """The Gregorian date of a date of the Julian calendar.

    >>> julian(1917, 10, 25).isoformat()
    '1917-11-07'
    """
    leap = year % 4 == 0
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (2 <= year <= 9998 and 1 <= month <= 12 and 1 <= day <= lengths[month - 1]):
        raise _no_such_day(year, month, day)
    days = 365 * (year - 1) + (year - 1) // 4 + sum(lengths[: month - 1]) + day
    # 0001-01-01 of the Julian calendar is two days before that of the Gregorian one.
    return date.fromordinal(days - 2)


def parse_offset(offset: object) -> int:
    """Seconds from UTC of `±HH:MM[:SS]`, `Z`, hours as a number, or a timedelta.

    >>> parse_offset("+05:30"), parse_offset(8), parse_offset(-3.5)
    (19800, 28800, -12600)
    >>> parse_offset(480)
    Traceback (most recent call last):
    bazi_core.errors.InvalidOffset: '480' is not an offset from UTC of at most 16 hours
    """
    seconds = _offset_seconds(offset)
    if seconds is None or abs(seconds) > LONGEST_OFFSET_S:
        text = shown(offset)
        hours_meant = seconds is not None and abs(seconds) >= 60 * 3600
        raise InvalidOffset(
            f"{text!r} is not an offset from UTC of at most 16 hours",
            hint="hours, not minutes" if hours_meant else "write +08:00, or hours such as 8 or -3.5",
            value=text,
            accepted="±HH:MM[:SS] or hours, at most 16",
        )
    return seconds


def _offset_seconds(offset: object) -> int | None:
    if isinstance(offset, timedelta):
        return round(offset.total_seconds())
    if isinstance(offset, bool):
        return None
    if isinstance(offset, (int, float)):
        return round(offset * 3600) if abs(offset) < 1e9 else None
    if not isinstance(offset, str) or len(offset) > LONGEST_TEXT:
        return None
    text = offset.strip()
    if text in ("Z", "z"):
        return 0
    clock = re.fullmatch(r"([+-]?)(\d{1,2}):?([0-5]\d)(?::?([0-5]\d))?", text, re.ASCII)
    if clock:
        seconds = int(clock[2]) * 3600 + int(clock[3]) * 60 + int(clock[4] or 0)
        return -seconds if clock[1] == "-" else seconds
    hours = re.fullmatch(r"[+-]?\d{1,4}(\.\d{1,6})?", text, re.ASCII)
    return round(float(text) * 3600) if hours else None


def _check_clock(text: str, hour: int, minute: int, second: int) -> None:
    for field, value, limit in (("hour", hour, 24), ("minute", minute, 60), ("second", second, 60)):
        if value >= limit:
            raise InvalidDatetime(
                f"{shown(text)!r}: there is no {field} {value}",
                hint="midnight is 00:00 of the day that begins" if value == limit == 24 else "",
                field=field,
                value=value,
                reason=field,
            )


def _no_such_day(year: int, month: int, day: int) -> InvalidDatetime:
    reason = "day" if 1 <= month <= 12 and year else "month" if year else "year"
    what = {"day": f"day {day} in month {month} of {year}", "month": f"month {month}", "year": "year 0"}[
        reason
    ]
    return InvalidDatetime(
        f"'{year:04}-{month:02}-{day:02}': there is no {what}",
        field=reason,
        value=f"{year:04}-{month:02}-{day:02}",
        reason="format" if reason == "year" else reason,
    )


def _unreadable(text: str) -> InvalidDatetime:
    return InvalidDatetime(
        f"{shown(text)!r} is not a date and time that can be read"
        if text.strip()
        else "the birth time is empty",
        hint=ACCEPTED,
        field="datetime",
        value=shown(text),
        reason="format",
    )
