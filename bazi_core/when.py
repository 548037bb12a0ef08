"""Reading the text of a birth time: the one place where strings become numbers.

A text is a date and a time, cut in whichever place makes both whole: `1990-05-15 13:30[:SS]` with or without an offset or Z,
`19900515 1330`, `May 15, 1990 at 1:30 pm`, 1990年5月15日下午1点半, a date alone, a date with the name of a double hour
(`1990-05-15 午时`), and lunar dates that say so (农历1990年闰五月初一 午时). `dates` and `hours` know the forms of either.
Nothing is guessed: 24:00 and a sixtieth second are refused, and an ambiguous text (`05/06/1990`, 晚上12点, a year of two
digits) raises `AMBIGUOUS_DATETIME`, whose `choices` can be typed as they are.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.errors import AmbiguousDatetime, InvalidDatetime, InvalidOffset, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from bazi_core.hours import ClockReading, TimeOfDay

LONGEST_TEXT = 100
LONGEST_OFFSET_S = 16 * 3600
_LONGEST_SPAN_S = 2 * 3600

# The form that programs write, parsed first.
_PLAIN = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?", re.ASCII)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_T = re.compile(r"\dT\d", re.ASCII | re.IGNORECASE)
_RUN = re.compile(r"(\d{8})(\d{4}|\d{6})(?=\D|$)", re.ASCII)
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-") | {
    ord("、"): ",",
    ord("。"): ".",
}


class When(NamedTuple):
    """A parsed text, not yet checked against a calendar.

    `date_text` is left for the calendar it is written in; `time` is (hour, minute, second) or None; `weekday` is the day of
    the week that stands beside the date, Monday being 1.
    """

    date_text: str
    time: tuple[int, int, int] | None
    hour_branch: HourBranch | None
    utc_offset_s: int | None
    precision_s: int
    weekday: int | None = None


def parse_when(text: str) -> When:
    """Cut a text into date, time, double hour and offset.

    >>> parse_when("1990-05-15 13:30+08:00").time, parse_when("1990-05-15 13:30+08:00").utc_offset_s
    ((13, 30, 0), 28800)
    >>> parse_when("农历1990年闰五月初一 午时").date_text
    '农历1990年闰五月初一'
    >>> parse_when("May 15, 1990 at 1:30 pm").time, parse_when("1990年5月15日下午1点半").time
    ((13, 30, 0), (13, 30, 0))
    >>> parse_when("1990-05-15 25:00")
    Traceback (most recent call last):
    bazi_core.errors.InvalidDatetime: '1990-05-15 25:00': there is no hour 25
    >>> parse_when("1990-05-15 晚上12点")
    Traceback (most recent call last):
    bazi_core.errors.AmbiguousDatetime: '1990-05-15 晚上12点' may be 1990-05-15 00:00 or 1990-05-16 00:00
    """
    if len(text) > LONGEST_TEXT:
        raise _unreadable(text)
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).strip()
    if _ISO.fullmatch(plain):
        return When(plain, None, None, None, 1)
    quick = _PLAIN.fullmatch(plain)
    if quick:
        time = (int(quick[2]), int(quick[3]), int(quick[4] or 0))
        if time < (24,) and time[1] < 60 and time[2] < 60:
            return When(quick[1], time, None, None, 1 if quick[4] else 60)
    if len(plain) > LONGEST_TEXT:
        raise _unreadable(text)
    return _read(text, plain)


def _read(text: str, plain: str) -> When:
    """The date and time of a text, by the one cut that gives both; `AMBIGUOUS_DATETIME` if several do."""
    from bazi_core.dates import is_date, weekday_in
    from bazi_core.hours import meant

    plain = _from_korean(plain)
    plain, weekday = weekday_in(_RUN.sub(r"\1 \2", plain, count=1))
    if is_date(plain):
        _check_one_date(text, plain, "")
        return When(plain, None, None, None, 1, weekday)
    right = [cut for cut in _cuts(plain) if is_date(cut[0])] or [
        cut for cut in _time_first(plain) if is_date(cut[0])
    ]
    if not right:
        if any(is_date(plain[:end]) for end, sign in enumerate(plain) if sign == " "):
            raise _unreadable(text, _zone_hint(plain) or Said("when.write_time"))
        # The parser of the calendar reports why this is not a date.
        return When(plain, None, None, None, 1, weekday)
    times = [(date_text, meant(found, text)) for date_text, found in right]
    if len(times) > 1:
        raise _ambiguous(
            text,
            [
                f"{choice} {_clock(time.readings[0])}"
                for date_text, time in times
                for choice in _choices(date_text)
            ],
        )
    date_text, time = times[0]
    written = right[0][1][0].removesuffix("on ").strip(" ,")
    _check_one_date(text, date_text, written)
    if len(time.readings) > 1:
        raise _ambiguous(text, _times(date_text, time))
    at = time.readings[0].time if time.readings else None
    return When(date_text, at, time.named, _offset(text, date_text, time), time.precision_s, weekday)


def _from_korean(plain: str) -> str:
    """A text with the Korean words of dates in Chinese.

    >>> _from_korean("음력 1990년 4월 21일 오후 1시 반")
    '农历 1990年 4月 21日 下午1点半'
    """
    if not any("\uac00" <= sign <= "\ud7a3" for sign in plain):
        return plain
    words = {row["korean"]: row["chinese"] for row in rows("korean_words")}
    for word in sorted(words, key=len, reverse=True):
        plain = plain.replace(word, words[word])
    # 오후 1시 30분 is parted where 下午1点30分 is not.
    return re.sub("(?<=[午晨上晚傍点分]) (?=[0-9半])|(?<=公历) ", "", plain)


def _zone_hint(plain: str) -> str:
    """A hint on how to give a zone that is written after the time, with the zones of that name; empty if there is none."""
    from bazi_core.place.zones import named_by

    words = plain.split(" ")
    for count in range(1, min(4, len(words))):
        written, name = " ".join(words[:-count]), " ".join(words[-count:])
        if zones := named_by(name):
            return Said("when.zone_apart", what=written, names=Listed(zones, " or "))
    return ""


def _cuts(plain: str) -> list[tuple[str, re.Match[str]]]:
    """Every cut of a text into a head and a time, the longest time first."""
    from bazi_core.hours import time_at

    cuts = []
    for start in range(len(plain)):
        before = plain[:start]
        # 1990-05-15:30 must not become the first of May: digits of a date end where something else stands.
        if start and before[-1].isdigit() and plain[start].isdigit():
            continue
        time = time_at(plain, start)
        if time is not None:
            cuts.append((_without_joint(before), time))
    return cuts


def _time_first(plain: str) -> list[tuple[str, re.Match[str]]]:
    """The cut of a text that begins with a time, such as 1:30 pm, May 15, 1990."""
    from bazi_core.hours import time_before

    match = time_before(plain)
    return [] if match is None else [(plain[match.end() :].strip(), match)]


def _without_joint(before: str) -> str:
    """A date without the separator before a time: spaces, a comma, T, at."""
    plain = before.rstrip(" ,;\t\n")
    for joint in ("T", "t", "@", " at", " AT", " At"):
        if plain.endswith(joint) and (len(joint) > 1 or joint == "@" or plain[-2:-1].isdigit()):
            return plain[: -len(joint)].rstrip(" ,;\t\n")
    return plain


def _check_one_date(text: str, date_text: str, time: str) -> None:
    """Raise `AMBIGUOUS_DATETIME` if a date may be several days, with the time in each choice."""
    choices = _choices(date_text)
    if len(choices) > 1:
        raise _ambiguous(text, [f"{choice} {time}".strip() for choice in choices])


def _choices(date_text: str) -> list[str]:
    """The dates that a text may mean, written so that each means one."""
    from bazi_core.dates import dates_of

    dates = dates_of(date_text)
    if dates is None:
        return [date_text]
    days = [f"{year:04}-{month:02}-{day:02}" for year, month, day in dates.days]
    return [*days, dates.lunar] if dates.lunar else days


def _times(date_text: str, time: TimeOfDay) -> list[str]:
    """The clock times that a word for the night may mean, each with its date."""
    day = _day_of(date_text)
    return [
        f"{day + timedelta(days=reading.days)} {_clock(reading)}{time.offset or ''}"
        for reading in time.readings
    ]


def _day_of(date_text: str) -> date:
    from bazi_core.astro.lunar_text import is_lunar, parse_lunar_date

    if not is_lunar(date_text):
        return gregorian(*parse_date(date_text))
    from bazi_core.astro.lunar import solar_date

    year, month, leap, day = parse_lunar_date(date_text)
    return solar_date(year, month, day, leap)


def _clock(reading: ClockReading) -> str:
    hour, minute, second = reading.time
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if second else "")


def _offset(text: str, date_text: str, time: TimeOfDay) -> int | None:
    if not time.offset:
        return None
    seconds = parse_offset(re.sub(r"\s|UTC|GMT", "", time.offset, flags=re.IGNORECASE) or "Z")
    if time.readings and time.precision_s == 60 and re.fullmatch(r"-\d\d:\d\d", time.offset):
        _not_a_span(text, date_text, time, -seconds)
    return seconds


def _not_a_span(text: str, date_text: str, time: TimeOfDay, until: int) -> None:
    """Raise `AMBIGUOUS_DATETIME` if 09:00-11:00 may be a span of time, as double hours are written; not after a T."""
    hour, minute, _ = time.readings[0].time
    start = hour * 3600 + minute * 60
    no_offset = until > 12 * 3600
    if not no_offset and (not 0 < until - start <= _LONGEST_SPAN_S or _T.search(text)):
        return
    middle = HourBranch("子丑寅卯辰巳午未申酉戌亥"[((start + until) // 7200 + 1) // 2 % 12])
    span = f"{date_text} {middle}时"
    if not no_offset:
        clock = f"{date_text} {hour:02}:{minute:02} UTC{time.offset}"
        end = f"{until // 3600:02}:{until % 3600 // 60:02}"
        ends = {"start": f"{hour:02}:{minute:02}", "end": end, "branch": middle.value}
        way = Said("when.offset_or_span", offset=time.offset, clock=clock, span=span, **ends)
        raise _ambiguous(text, [clock, span], way)
    raise InvalidDatetime(
        Said("when.span", text=shown(text)),
        hint=Said("when.write", what=span),
        field="datetime",
        value=shown(text),
        reason="format",
    )


def parse_date(text: str) -> tuple[int, int, int]:
    """Year, month and day of a date text of any calendar.

    >>> parse_date("1990年5月15日"), parse_date("15th May, 1990"), parse_date("13/05/1990")
    ((1990, 5, 15), (1990, 5, 15), (1990, 5, 13))
    >>> parse_date("05/06/1990")
    Traceback (most recent call last):
    bazi_core.errors.AmbiguousDatetime: '05/06/1990' may be 1990-06-05 or 1990-05-06
    """
    iso = _ISO.fullmatch(text)
    if iso:
        return int(iso[1]), int(iso[2]), int(iso[3])
    from bazi_core.dates import dates_of

    plain = (
        unicodedata.normalize("NFKC", text).translate(_DASHES).strip() if len(text) <= LONGEST_TEXT else ""
    )
    dates = dates_of(plain) if 0 < len(plain) <= LONGEST_TEXT else None
    if dates is None:
        raise _unreadable(text)
    if len(dates.days) > 1 or dates.lunar:
        raise _ambiguous(text, _choices(plain))
    day = dates.days[0]
    if dates.era is not None and not dates.era.holds(gregorian(*day)):
        raise InvalidDatetime(
            Said("when.no_era_day", text=shown(text)),
            hint=Said("when.write", what=f"{day[0]:04}-{day[1]:02}-{day[2]:02}"),
            field="datetime",
            value=shown(text),
            reason="year",
        )
    return day


def check_weekday(day: date, weekday: int | None) -> None:
    """Raise `InvalidDatetime` if a text names another day of the week than that of its date.

    >>> check_weekday(date(1990, 5, 15), 1)
    Traceback (most recent call last):
    bazi_core.errors.InvalidDatetime: 1990-05-15 was a Tuesday, not a Monday
    """
    if weekday is not None and day.isoweekday() != weekday:
        raise InvalidDatetime(
            Said("when.weekday", day=day, right=_weekday(day.isoweekday()), wrong=_weekday(weekday)),
            hint=Said("when.weekday_hint"),
            field="datetime",
            value=day.isoformat(),
            reason="day",
        )


def _weekday(number: int) -> Said:
    return Said(f"weekday.{number}")


def gregorian(year: int, month: int, day: int) -> date:
    """A date of the Gregorian calendar."""
    try:
        return date(year, month, day)
    except ValueError:
        raise _no_such_day(year, month, day) from None


def julian(year: int, month: int, day: int) -> date:
    """The Gregorian date of a date of the Julian calendar."""
    leap = year % 4 == 0
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (2 <= year <= 9998 and 1 <= month <= 12 and 1 <= day <= lengths[month - 1]):
        raise _no_such_day(year, month, day)
    days = 365 * (year - 1) + (year - 1) // 4 + sum(lengths[: month - 1]) + day
    # 0001-01-01 of the Julian calendar is two days before that of the Gregorian one.
    return date.fromordinal(days - 2)


def parse_offset(offset: object) -> int:
    """Seconds from UTC of `±HH:MM[:SS]`, `UTC+8`, `Z`, hours as a number, or a timedelta.

    >>> parse_offset("+05:30"), parse_offset(8), parse_offset(-3.5), parse_offset("GMT+8")
    (19800, 28800, -12600, 28800)
    >>> parse_offset(480)
    Traceback (most recent call last):
    bazi_core.errors.InvalidOffset: '480' is not an offset from UTC of at most 16 hours
    """
    seconds = _offset_seconds(offset)
    if seconds is None or abs(seconds) > LONGEST_OFFSET_S:
        text = shown(offset)
        hours_meant = seconds is not None and abs(seconds) >= 60 * 3600
        raise InvalidOffset(
            Said("offset_invalid", text=text),
            hint=Said("offset_minutes_hint" if hours_meant else "offset_hint"),
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
    if text.upper() in ("Z", "UTC", "GMT"):
        return 0
    clock = re.fullmatch(r"([+-]?)(\d{1,2}):?([0-5]\d)(?::?([0-5]\d))?", text, re.ASCII)
    if clock:
        seconds = int(clock[2]) * 3600 + int(clock[3]) * 60 + int(clock[4] or 0)
        return -seconds if clock[1] == "-" else seconds
    hours = re.fullmatch(r"[+-]?\d{1,4}(\.\d{1,6})?", text, re.ASCII)
    return round(float(text) * 3600) if hours else _named_offset(text)


def _named_offset(text: str) -> int | None:
    """Offset in seconds of a clock named by its offset: UTC+8, 东八区; None for other names."""
    from bazi_core.place.zones import fixed_offset_s

    return fixed_offset_s(text)


def _no_such_day(year: int, month: int, day: int) -> InvalidDatetime:
    reason = "day" if 1 <= month <= 12 and year else "month" if year else "year"
    written = f"{year:04}-{month:02}-{day:02}"
    values: dict[str, int] = (
        {"day": day, "month": month, "year": year} if reason == "day" else {"value": month}
    )
    return InvalidDatetime(
        Said(f"when.no_{reason}", text=written, **({} if reason == "year" else values)),
        field=reason,
        value=f"{year:04}-{month:02}-{day:02}",
        reason="format" if reason == "year" else reason,
    )


def _unreadable(text: str, hint: str = "") -> InvalidDatetime:
    return InvalidDatetime(
        Said("when.unreadable", text=shown(text)) if text.strip() else Said("when.empty"),
        hint=hint or Said("when.accepted"),
        field="datetime",
        value=shown(text),
        reason="format",
    )


def _ambiguous(text: str, choices: list[str], way: Said | None = None) -> AmbiguousDatetime:
    listed = Listed(choices, " or ")
    return AmbiguousDatetime(
        Said("when.ambiguous", text=shown(text), choices=listed),
        hint=way or Said("when.write", what=listed),
        field="datetime",
        value=shown(text),
        reason="ambiguous",
        choices=choices,
    )
