"""Numbers in text: years, ages, months, dates, points, percentages, places in a sequence.

What a number counts is decided by the words next to it (`numbers.csv`); a number of no known unit is still a
number, and must be one that the cited facts hold. Chinese numerals count where a unit follows them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bazi_core.tables import rows

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100}
SIGNS = frozenset((*_DIGITS, *_UNITS))
_ARABIC = re.compile(r"\d+(?:\.\d+)?")
_CHINESE = re.compile(r"[零〇一二三四五六七八九两兩十百]+")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_TEENS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_CARDINALS = {word: value for value, word in enumerate(_TEENS, 1)} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)
}
IN_WORDS = frozenset((*_MONTHS, *_ORDINALS, *_CARDINALS, "half", "quarter"))
_CARDINAL = re.compile(rf"({'|'.join(_TENS)})(?:[- ]({'|'.join(_TEENS[:9])}))?\b|({'|'.join(_TEENS)})\b")
# Shares in words, with what they come to in percent.
_PARTS = re.compile(
    "(?P<tenths>[一二三四五六七八九两兩])成(?P<more>[一二三四五六七八九半])?(?![立格为為局功熟员員就因果语語名本见見不长長])"
    "|(?P<of>[二三四五六七八九十])分之(?P<part>[一二三四五六七八九])"
    r"|(?P<half>一半|half\b(?! combination|-))|(?P<third>third\b(?= of))|(?P<quarter>quarter\b(?= of))"
)
_BORN_IN = re.compile(r"\bborn (?:in|during) (?:the |early |late |mid|middle of |month of |[ -])*$")
_MORE_THAN = re.compile(r"(?:超过|超過|逾|过|過|more than|over|above) ?(?:a |one )?$")
_LESS_THAN = re.compile(r"(?:不到|不足|少于|少於|less than|under|below) ?(?:a |one )?$")
_OR_MORE = re.compile(r"以上| or more")
_WORD = re.compile("[a-z]+")
_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    r"(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?(?!\d)"
)
_HAN_DATE = re.compile(r"(?:(\d{4})\s?年)?\s?(\d{1,2})\s?月\s?(?:(\d{1,2})\s?[日号號])?")
_SPAN = re.compile(r"(\d{4})\s?年?\s?(?:[–—~～至到-]|to|through|until)\s?(\d{4})(?:\s?年)?(?!\d)")
_AGES = re.compile(r"(\d{1,3})\s?[岁歲]?\s?[–—~～至到-]\s?(\d{1,3})\s?[岁歲]")
_CLOCK = re.compile(r"(\d{1,2}:\d\d)(?::\d\d(?:\.\d+)?)?(?!\d)")
_MAYBE_DATE = re.compile(r"\d{4}-\d|\d\d?:|\d{4}\s?年\s?\d|\d\d?\s?月\s?\d|\d\d?(?:st|nd|rd|th)? [a-z]{3}")
_MAYBE_SPAN = re.compile(r"\d{1,4}\s?[年岁歲]?\s?[–—~～至到tu-]")
_EN_DATES = (
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?P<m>{_MONTH})(?:,? (?P<y>\d{{4}}))?\b"),
    re.compile(rf"(?P<m>{_MONTH}) (?P<y>\d{{4}})\b"),
    re.compile(rf"(?P<m>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y>\d{{4}}))?\b"),
)


class Number(NamedTuple):
    """A stretch of text and the (category, number) pairs that it states."""

    start: int
    end: int
    stated: tuple[tuple[str, str], ...]


def number_at(text: str, start: int) -> Number | None:
    """The number that begins at a place of a text in lower case.

    >>> number_at("2026年流年", 0), number_at("第三步大运", 1)
    (Number(start=0, end=5, stated=(('year', '2026'),)), Number(start=1, end=5, stated=(('luck_index', '3'),)))
    """
    if text[start].isdigit():
        # Most numbers are neither dates nor spans, which a look at what follows the digits tells.
        dated = _MAYBE_DATE.match(text, start) and _date(text, start)
        spans = _MAYBE_SPAN.match(text, start) and _span(text, start)
        return dated or spans or _counted(text, start)
    if text[start] in SIGNS:
        return _part(text, start) or _counted(text, start)
    return _part(text, start) or _in_words(text, start)


def _part(text: str, start: int) -> Number | None:
    """A share in words as a span of percent: 三成 is 25-35, 三成七 36-38, 一半以上 50-100."""
    match = _PARTS.match(text, start)
    if match is None:
        return None
    if match["tenths"]:
        more = match["more"]
        tail = 0 if not more else 5 if more == "半" else _DIGITS[more]
        value, width = _DIGITS[match["tenths"]] * 10 + tail, 1 if more else 5
    elif match["of"]:
        value, width = round(100 * _DIGITS[match["part"]] / (_DIGITS | _UNITS)[match["of"]]), 4
    else:
        value, width = next(
            (n, 5) for name, n in (("half", 50), ("third", 33), ("quarter", 25)) if match[name]
        )
    first, last = value - width, value + width
    if _MORE_THAN.search(text[:start]) or _OR_MORE.match(text, match.end()):
        first, last = value, 100
    elif _LESS_THAN.search(text[:start]):
        first, last = 0, value
    return Number(start, match.end(), (("share", f"{max(0, first)}-{last}"),))


def value_of(numeral: str) -> str | None:
    """A Chinese numeral below a thousand, or a year digit by digit, in Arabic digits.

    >>> value_of("三十五"), value_of("十二"), value_of("二〇二六"), value_of("百分")
    ('35', '12', '2026', None)
    """
    if all(sign in _DIGITS for sign in numeral):
        return "".join(str(_DIGITS[sign]) for sign in numeral) if len(numeral) in (1, 4) else None
    total = digit = 0
    for sign in numeral:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _UNITS:
            total, digit = total + (digit or 1) * _UNITS[sign], 0
        else:
            return None
    return str(total + digit)


def date_parts(year: str | None, month: str | None, day: str | None) -> tuple[tuple[str, str], ...]:
    """What a date states: itself, and each of its parts."""
    found = [("year", year)] if year else []
    if month:
        found.append(("month", str(int(month))))
    if month and day:
        found += [("day", str(int(day))), ("month_day", f"{int(month)}-{int(day)}")]
    if year and month:
        found.append(("year_month", f"{year}-{int(month)}"))
    return tuple(found)


def _date(text: str, start: int) -> Number | None:
    if match := _DATE.match(text, start):
        clock = (("clock", match[4].lstrip("0")),) if match[4] else ()
        return Number(start, match.end(), date_parts(match[1], match[2], match[3]) + clock)
    if (match := _CLOCK.match(text, start)) is not None:
        return Number(start, match.end(), (("clock", match[1].lstrip("0")),))
    if (match := _HAN_DATE.match(text, start)) is not None and (match[1] or match[3]):
        return Number(start, match.end(), date_parts(match[1], match[2], match[3]))
    return _english_date(text, start)


def _in_words(text: str, start: int) -> Number | None:
    """A date that begins with its month, or an ordinal with what it counts: the third luck pillar."""
    word = _WORD.match(text, start)
    if word is None or word[0] not in IN_WORDS:
        return None
    if word[0] in _MONTHS:
        return _english_date(text, start)
    if word[0] in _CARDINALS:
        cardinal = _CARDINAL.match(text, start)
        if cardinal is None:
            return None
        value = sum(_CARDINALS[each] for each in cardinal.groups() if each)
        return _unit_of(text, start, cardinal.end(), str(value), "e")
    if word[0] not in _ORDINALS:
        return None
    return _unit_of(text, start, word.end(), str(_ORDINALS.index(word[0]) + 1), "w")


def _english_date(text: str, start: int) -> Number | None:
    for pattern in _EN_DATES:
        if match := pattern.match(text, start):
            parts = match.groupdict()
            month = str(_MONTHS.index(parts["m"]) + 1)
            return Number(start, match.end(), date_parts(parts.get("y"), month, parts.get("d")))
    word = _WORD.match(text, start)
    if word is not None and word[0] in _MONTHS and _BORN_IN.search(text[:start]):
        return Number(start, word.end(), (("month", str(_MONTHS.index(word[0]) + 1)),))
    return None


def _span(text: str, start: int) -> Number | None:
    if match := _SPAN.match(text, start):
        years = (("year", match[1]), ("year", match[2]), ("span", f"{match[1]}-{match[2]}"))
        return Number(start, match.end(), years)
    if match := _AGES.match(text, start):
        return Number(start, match.end(), (("age", match[1]), ("age", match[2])))
    return None


class _Unit(NamedTuple):
    category: str
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None


@cache
def _units(numerals: str) -> tuple[_Unit, ...]:
    """The rows for a number of these kinds, in the order of the table."""
    return tuple(
        _Unit(row["category"], _pattern(row["before"]), _pattern(row["after"]))
        for row in rows("numbers")
        if any(kind in row["numeral"] for kind in numerals)
    )


@cache
def _any_unit(numerals: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What follows or precedes a number of these kinds that counts something: 一 mostly counts nothing."""
    units = _units(numerals)
    after = [unit.after.pattern for unit in units if unit.after is not None]
    before = [unit.before.pattern for unit in units if unit.after is None and unit.before is not None]
    return re.compile("|".join(after) or "(?!)"), re.compile("|".join(before) or "(?!)")


def _pattern(text: str) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


def _counted(text: str, start: int) -> Number | None:
    arabic = text[start].isdigit()
    match = (_ARABIC if arabic else _CHINESE).match(text, start)
    if match is None:
        return None
    value = match[0] if arabic else value_of(match[0])
    if value is None:
        return None
    found = _unit_of(text, start, match.end(), value, _numerals(match[0], arabic))
    return found or (Number(start, match.end(), (("number", _plain(value)),)) if arabic else None)


def _numerals(sign: str, arabic: bool) -> str:
    """The kinds of numeral that a number is, by the letters of `numbers.csv`."""
    if arabic:
        return "ay" if len(sign) == 4 and sign[0] in "12" else "a"
    return {1: "i", 4: "ck"}.get(len(sign), "c")


def _unit_of(text: str, start: int, end: int, value: str, numerals: str) -> Number | None:
    """What a number counts, by the first row of the table that fits."""
    before = text[max(0, start - 36) : start]
    after_any, before_any = _any_unit(numerals)
    if not after_any.match(text, end) and not before_any.search(before):
        return None
    for unit in _units(numerals):
        after = None if unit.after is None else unit.after.match(text, end)
        if (unit.after is None or after is not None) and (unit.before is None or unit.before.search(before)):
            return Number(start, end if after is None else after.end(), ((unit.category, _plain(value)),))
    return None


def _plain(value: str) -> str:
    """Without zeros that say nothing: 05 is 5."""
    whole, dot, part = value.partition(".")
    return (whole.lstrip("0") or "0") + dot + part
