"""Written times of day: `13:30`, `1:30 pm`, 下午1点半, 十三点三十分, 午时, noon.

A text is a clock time, the name of a double hour, or ambiguous: 晚上12点 is the midnight that begins the date or the
one that ends it, and 上午12:30 is half past midnight on some telephones. The table day_parts gives the hour for a word
such as 下午 and a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.astro.eras import number
from bazi_core.errors import InvalidDatetime, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said

_QUARTERS = {"一": 15, "二": 30, "两": 30, "兩": 30, "三": 45, "1": 15, "2": 30, "3": 45}
_SPOKEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MERIDIEM = r"[ap]\.?\s?m\.?(?![a-z])"
_HOUR = r"\d{1,2}|二十[一二三四]?|十[一二三四五六七八九]?|[零〇一二两兩三四五六七八九]"
_MINUTE = r"\d{1,2}|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]?|[一二三四五六七八九]"
_OFFSET = r"Z|(?:UTC|GMT)?\s?[+-]\s?\d{1,2}(?::?\d{2}(?::?\d{2})?)?|UTC|GMT"


class ClockReading(NamedTuple):
    """A clock time some days after the date."""

    days: int
    time: tuple[int, int, int]


class TimeOfDay(NamedTuple):
    """A parsed time of day: the clock times that it may be, or the double hour that it names."""

    readings: tuple[ClockReading, ...]
    named: HourBranch | None
    precision_s: int
    offset: str | None


class DayPart(NamedTuple):
    """A word for a part of the day, with the hours that may stand beside it."""

    word: str
    same: frozenset[int]
    later: frozenset[int]
    zero: bool
    half: frozenset[int]
    night: frozenset[int]
    alone: str

    def hours(self, hour: int) -> list[tuple[int, int]]:
        """(days after the date, hour) of each possible meaning; empty where word and hour disagree."""
        if hour in self.half:
            return [(0, hour % 12), (0, hour % 12 + 12)]
        if hour in self.night:
            return [(0, hour % 12), (1, hour % 12)]
        if hour == 12 and self.zero:
            return [(0, 0)]
        if hour in self.later:
            return [(0, hour + 12)]
        return [(0, hour)] if hour in self.same else []


def time_at(text: str, start: int) -> re.Match[str] | None:
    """The match of a text as a time from an offset to its end, an argument of `meant`; None if it is not a time.

    >>> meant(time_at("15 May 1990 1:30 pm", 12)).readings
    (ClockReading(days=0, time=(13, 30, 0)),)
    """
    return _whole(_pattern().fullmatch(text, start))


def time_before(text: str) -> re.Match[str] | None:
    """The time with which a text begins, where a space, a comma or `on` follows it."""
    return _whole(_leading().match(text))


def meant(match: re.Match[str], text: str = "") -> TimeOfDay:
    """The time of day of a match; `InvalidDatetime` if no clock shows it or its word contradicts its hour."""
    if match["named"]:
        named = HourBranch(match["named"].replace("夜", "晚"))
        if match["side"] or match["part"]:
            return TimeOfDay(_in_double_hour(named, match), None, 60, match["offset"])
        return TimeOfDay((), named, named.length_hours * 1800, match["offset"])
    part = _part_of(match)
    if match["alone"] and part is not None:
        return _alone(part, match["offset"])
    hour, minute, second, to_second = _numbers(match)
    for field, value, limit in (("hour", hour, 24), ("minute", minute, 60), ("second", second, 60)):
        if value >= limit:
            raise _no_such(text or match[0], field, value, limit)
    # Half past one is of the twelve-hour clock.
    halves = [(0, hour % 12), (0, hour % 12 + 12)] if match["spoken"] and hour <= 12 else [(0, hour)]
    hours = halves if part is None else part.hours(hour)
    if part is not None and not hours:
        raise InvalidDatetime(
            Said("when.no_such_part", text=shown(text or match[0]), part=part.word, hour=hour),
            hint=Said("when.write", what=f"{hour:02}:{minute:02}"),
            field="hour",
            value=hour,
            reason="hour",
        )
    readings = tuple(ClockReading(days, (each, minute, second)) for days, each in hours)
    return TimeOfDay(readings, None, 1 if to_second else 60, match["offset"])


def _in_double_hour(named: HourBranch, match: re.Match[str]) -> tuple[ClockReading, ...]:
    """The clock times of 申初一刻 (15:15), 申正一刻 (16:15) and 申时一刻, which may be either. 子 is the one with which a
    date begins or the one with which it ends.

    >>> [reading.time for reading in meant(time_at("申时三刻", 0)).readings]
    [(15, 45, 0), (16, 45, 0)]
    """
    minute = _QUARTERS[match["part"]] if match["part"] else 0
    if named.value == "子":
        ends = {"初": [(-1, 23), (0, 23)], "正": [(0, 0), (1, 0)], None: [(0, 0), (0, 23)]}[match["side"]]
    else:
        sides = {"初": (0,), "正": (1,), None: (0, 1)}[match["side"]][: named.length_hours]
        ends = [(0, named.start_hour + side) for side in sides]
    return tuple(ClockReading(days, (hour, minute, 0)) for days, hour in ends)


def _alone(part: DayPart, offset: str | None) -> TimeOfDay:
    if part.alone == "night":
        return TimeOfDay((ClockReading(0, (0, 0, 0)), ClockReading(1, (0, 0, 0))), None, 60, offset)
    if ":" in part.alone:
        hour, minute = part.alone.split(":")
        return TimeOfDay((ClockReading(0, (int(hour), int(minute), 0)),), None, 60, offset)
    named = HourBranch(part.alone)
    return TimeOfDay((), named, named.length_hours * 1800, offset)


def _numbers(match: re.Match[str]) -> tuple[int, int, int, bool]:
    """Hour, minute and second as written, and whether the second was written."""
    if match["spoken"]:
        spoken, minute = match["spoken_hour"].lower(), 30 if match["spoken"].lower() == "half" else 15
        told = _SPOKEN.index(spoken) + 1 if spoken in _SPOKEN else int(spoken)
        # A quarter to one is of the hour before it.
        return (
            ((told - 2) % 12 + 1, 60 - minute, 0, False)
            if match["way"].lower() == "to"
            else (told, minute, 0, False)
        )
    if match["packed"]:
        digits = match["packed"].rjust(4, "0")
        return int(digits[:2]), int(digits[2:4]), int(digits[4:] or 0), len(digits) == 6
    if match["hour_zh"]:
        minute = 30 if match["half"] else _QUARTERS[match["quarter"]] if match["quarter"] else 0
        minute = number(match["minute_zh"]) if match["minute_zh"] else minute
        hour = match["hour_zh"].replace("两", "二").replace("兩", "二")
        return (
            number(hour),
            minute,
            number(match["second_zh"]) if match["second_zh"] else 0,
            bool(match["second_zh"]),
        )
    return (
        int(match["hour"]),
        int(match["minute"] or match["minute_dot"] or match["minute_h"] or 0),
        int(match["second"] or 0),
        bool(match["second"]),
    )


def _whole(match: re.Match[str] | None) -> re.Match[str] | None:
    """The match if it is a time, else None: 13 alone is not, nor 1.30 or 130, but a word alone is."""
    if match is None or (match["before"] and match["after"]):
        return None
    worded = bool(match["before"] or match["after"])
    bare = match["hour"] and not (
        match["minute"] or match["h"] or (match["minute_dot"] and len(match["hour"]) == 2)
    )
    short = match["packed"] and len(match["packed"]) == 3
    # 三点五 is half past three to some: a single digit needs its 分.
    loose = match["minute_zh"] and not match["fen"] and len(match["minute_zh"]) < 2
    return None if loose or ((bare or short) and not worded) else match


def _no_such(text: str, field: str, value: int, limit: int) -> InvalidDatetime:
    return InvalidDatetime(
        Said(f"when.no_{field}", text=shown(text.strip()), value=value),
        hint=Said("when.midnight") if value == limit == 24 else "",
        field=field,
        value=value,
        reason=field,
    )


def _part_of(match: re.Match[str]) -> DayPart | None:
    written = match["alone"] or match["before"] or match["after"]
    if not written:
        return None
    plain = " ".join(written.lower().split())
    return _parts().get(plain) or _parts()[plain.replace(".", "").replace(" ", "")]


@cache
def _parts() -> dict[str, DayPart]:
    """The rows of the table by their words; words of English are one to a row or separated by a comma."""
    parts = {}
    for row in rows("day_parts"):
        for word in [row["words"]] if row["words"].startswith(("in ", "at ")) else row["words"].split():
            same, later, half, night = (
                frozenset(_hours(row[name])) for name in ("same", "later", "half", "night")
            )
            parts[word] = DayPart(word, same, later, row["zero"] == "yes", half, night, row["alone"])
    return parts


def _hours(ranges: str) -> Iterator[int]:
    for each in ranges.split():
        first, _, last = each.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _source() -> str:
    parts = sorted(_parts(), key=len, reverse=True)
    words = "|".join(word.replace(" ", r"\s") for word in parts if word not in ("am", "pm"))
    alone = "|".join(word for word in parts if _parts()[word].alone)
    return rf"""(?:
        (?P<named>[早晚夜]?子|[丑寅卯辰巳午未申酉戌亥])[时時]?(?P<side>[初正])?(?:(?P<part>[一二三123])刻)?
        |(?P<alone>{alone})
        |(?:(?P<before>{words}|{_MERIDIEM})\s*)?
         (?:
            (?P<hour_zh>{_HOUR})\s*[点點时時][钟鐘]?
            (?:\s*(?:(?P<half>半)|(?P<quarter>[一二两兩三123])刻|[整正]
               |(?P<minute_zh>{_MINUTE})(?P<fen>\s*分[钟鐘]?)?(?:\s*(?P<second_zh>{_MINUTE})\s*秒)?))?
            |(?P<spoken>half|(?:a\s)?quarter)\s(?P<way>past|after|to)\s(?P<spoken_hour>{"|".join(_SPOKEN)}|\d{{1,2}})
            |(?P<packed>\d{{6}}|\d{{3,4}})
            |(?P<hour>\d{{1,2}})
             (?:[:](?P<minute>\d{{2}})(?:[:](?P<second>\d{{2}})(?:\.\d{{1,9}})?)?
               |\.(?P<minute_dot>\d{{2}})|(?P<h>h)(?P<minute_h>\d{{2}}))?
         )
         (?:\s*o'?clock)?(?:\s*(?P<after>{_MERIDIEM}|{words}))?(?:\s*(?:h|hrs?|hours)\b)?
        )(?:\s*(?P<offset>{_OFFSET}))?"""


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(_source(), re.IGNORECASE | re.ASCII | re.VERBOSE)


@cache
def _leading() -> re.Pattern[str]:
    return re.compile(_source() + r"(?:\s*,\s*|\s+)(?:on\s+)?", re.IGNORECASE | re.ASCII | re.VERBOSE)
