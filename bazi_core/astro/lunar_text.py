"""Lunar dates as text: `农历1990年闰五月初一`, `農曆1990年閏五月初一`, `1990, leap month 5, day 1`.

Chinese names follow the printed almanac: months 正月, 二月 … 十月, 冬月, 腊月; days 初一 … 初十, 十一 … 十九,
二十, 廿一 … 廿九, 三十. Reading accepts what people write beside these (一月, 十一月, 十二月, 二十一, 卅, digits,
full-width digits, traditional characters). Nothing is guessed: digits such as 5月1日 are a lunar date only
after a prefix such as 农历, a leap month only with 闰, and a year only as a number, since a year of the
sixty-year cycle comes back every sixty years. Whether the day exists is for `lunar.solar_date` to say.
"""

from __future__ import annotations

import re
from functools import cache

from bazi_core.errors import InvalidLunarDate, UnknownOption

PREFIXES = ("农历", "農曆", "阴历", "陰曆", "旧历", "舊曆", "夏历", "夏曆")
LANGUAGES = ("zh-Hans", "zh-Hant", "en")
LONGEST = 100

_TENTHS = "一二三四五六七八九十"
_MONTHS = ("正", *_TENTHS[1:], "冬", "腊")
_DAYS = (
    *("初" + digit for digit in _TENTHS),
    *("十" + digit for digit in _TENTHS[:9]),
    "二十",
    *("廿" + digit for digit in _TENTHS[:9]),
    "三十",
)
_TRADITIONAL = str.maketrans({"农": "農", "历": "曆", "闰": "閏", "腊": "臘"})

_MONTH_OF = {name: number for number, name in enumerate(_MONTHS, 1)}
_MONTH_OF |= {"一": 1, "十一": 11, "十二": 12, "臘": 12}
_DAY_OF = {name: number for number, name in enumerate(_DAYS, 1)}
_DAY_OF |= {name: number for number, name in enumerate(_TENTHS, 1)}
_DAY_OF |= {"二十" + digit: number for number, digit in enumerate(_TENTHS[:9], 21)} | {"廿": 20, "卅": 30}

_HALF_WIDTH = str.maketrans("０１２３４５６７８９\u3000", "0123456789 ")
_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")
# Written signs that no Gregorian date has.
_LUNAR_SIGNS = ("闰", "閏", "正月", "冬月", "腊月", "臘月", "初", "廿", "卅")
_EXAMPLE = "write 农历1990年闰五月初一 or 农历1990年5月1日"


def format_lunar_date(year: int, month: int, day: int, leap: bool, lang: str = "zh-Hans") -> str:
    """The text of a lunar date in `zh-Hans`, `zh-Hant` or `en`.

    >>> format_lunar_date(1990, 5, 1, True), format_lunar_date(2023, 12, 21, False, "zh-Hant")
    ('农历1990年闰五月初一', '農曆2023年臘月廿一')
    >>> format_lunar_date(1990, 5, 1, True, "en")
    '1990, leap month 5, day 1'
    """
    if lang not in LANGUAGES:
        raise UnknownOption(
            f"lang is one of {', '.join(LANGUAGES)}, not {lang!r}",
            name="lang",
            value=lang,
            allowed=list(LANGUAGES),
        )
    if lang == "en":
        return f"{year}, {'leap ' if leap else ''}month {month}, day {day}"
    text = f"农历{year}年{'闰' if leap else ''}{_MONTHS[month - 1]}月{_DAYS[day - 1]}"
    return text.translate(_TRADITIONAL) if lang == "zh-Hant" else text


def is_lunar(text: str) -> bool:
    """Whether a text says of itself that it is a lunar date, by 农历 阴历 旧历 夏历 in front.

    >>> is_lunar(" 农历1990年闰五月初一 午时"), is_lunar("1990-05-15 13:30")
    (True, False)
    """
    return text[:LONGEST].lstrip().startswith(PREFIXES)


def parse_lunar_date(text: str) -> tuple[int, int, bool, int]:
    """(year, month, leap, day) of a written lunar date; `InvalidLunarDate` for anything else.

    >>> parse_lunar_date("農曆一九九〇年閏五月初一"), parse_lunar_date("农历1990年5月1日")
    ((1990, 5, True, 1), (1990, 5, False, 1))
    """
    if len(text) > LONGEST:
        raise _refused(text, f"longer than {LONGEST} characters", _EXAMPLE)
    plain = text.translate(_HALF_WIDTH).strip()
    found = _grammar().fullmatch(plain)
    if not found:
        raise _refused(text, *_why_not(plain))
    prefix, year, leap, month, day = found.groups()
    if not prefix and not any(sign in plain for sign in _LUNAR_SIGNS):
        raise _refused(text, "nothing in it says that it is a lunar date", f"{_EXAMPLE}, with 农历 in front")
    return int(year.translate(_DIGITS)), _number(month, _MONTH_OF), bool(leap), _number(day, _DAY_OF)


def _number(written: str, names: dict[str, int]) -> int:
    return names.get(written) or int(written)


@cache
def _grammar() -> re.Pattern[str]:
    months, days = ("|".join(sorted(names, key=len, reverse=True)) for names in (_MONTH_OF, _DAY_OF))
    return re.compile(
        rf"({'|'.join(PREFIXES)})?\s*"
        r"([0-9]{4}|[〇零○一二三四五六七八九]{4})\s*年\s*"
        rf"([闰閏])?\s*({months}|1[0-2]|0?[1-9])\s*月\s*"
        rf"({days}|[12][0-9]|30|0?[1-9])[日号號]?"
    )


def _why_not(plain: str) -> tuple[str, str]:
    if re.search(r"[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年", plain):
        return (
            "a year of the sixty-year cycle is not one year",
            "write the year as a number: 农历1990年五月初一",
        )
    return "not a lunar date", _EXAMPLE


def _refused(text: str, reason: str, hint: str) -> InvalidLunarDate:
    shown = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return InvalidLunarDate(f"{shown!r}: {reason}", hint=hint, given=shown, months=[])
