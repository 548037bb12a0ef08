"""Lunar dates as text: `农历1990年闰五月初一`, `農曆1990年閏五月初一`, `1990, leap month 5, day 1`.

Chinese names follow the printed almanac: months 正月, 二月 … 十月, 冬月, 腊月; days 初一 … 初十, 十一 … 十九,
二十, 廿一 … 廿九, 三十. Reading accepts what people write beside these (一月, 十一月, 十二月, 二十一, 卅, 初1, digits,
full-width digits, traditional characters, `农历 1990-4-21`, `lunar 1990 leap 5 1`, years of 民國). Nothing is
guessed: digits such as 5月1日 are a lunar date only beside a word such as 农历 or lunar, a leap month only with 闰 or leap,
and a year only as a number, since a year of the sixty-year cycle comes back every sixty years. Whether the day exists is
for `lunar.solar_date` to say.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from bazi_core.astro.eras import common_year
from bazi_core.errors import InvalidLunarDate, known
from bazi_core.tables.sentences import Said

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

_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")
# Words that call a date lunar, before or after it; and written signs that no Gregorian date has.
_WORDS = rf"\(?(?:{'|'.join(PREFIXES)}|\b(?:chinese )?lunar(?: calendar| date)?\b)\)?[:,]?"
_LUNAR_SIGNS = ("闰", "閏", "正月", "冬月", "腊月", "臘月", "初", "廿", "卅", "leap")


def format_lunar_date(year: int, month: int, day: int, leap: bool, lang: str = "zh-Hans") -> str:
    """The text of a lunar date in `zh-Hans`, `zh-Hant` or `en`.

    >>> format_lunar_date(1990, 5, 1, True), format_lunar_date(2023, 12, 21, False, "zh-Hant")
    ('农历1990年闰五月初一', '農曆2023年臘月廿一')
    >>> format_lunar_date(1990, 5, 1, True, "en")
    '1990, leap month 5, day 1'
    """
    known("lang", lang, LANGUAGES)
    if lang == "en":
        return f"{year}, {'leap ' if leap else ''}month {month}, day {day}"
    text = f"农历{year}年{'闰' if leap else ''}{_MONTHS[month - 1]}月{_DAYS[day - 1]}"
    return text.translate(_TRADITIONAL) if lang == "zh-Hant" else text


def is_lunar(text: str) -> bool:
    """Whether a text is marked as a lunar date, by a word such as 农历 or lunar or by signs such as 初一.

    >>> is_lunar(" 农历1990年闰五月初一 午时"), is_lunar("1990年闰五月初一"), is_lunar("1990-05-15 13:30")
    (True, True, False)
    """
    if len(text) > LONGEST:
        return text[:LONGEST].lstrip().startswith(PREFIXES)
    if text.replace("-", "").isdigit():
        return False
    return _word().search(text) is not None or _parts(text) is not None


def parse_lunar_date(text: str) -> tuple[int, int, bool, int]:
    """(year, month, leap, day) of a written lunar date; `InvalidLunarDate` for anything else.

    >>> parse_lunar_date("農曆一九九〇年閏五月初一"), parse_lunar_date("农历1990年5月1日")
    ((1990, 5, True, 1), (1990, 5, False, 1))
    >>> parse_lunar_date("lunar 1990-04-21"), parse_lunar_date("Lunar 1990 leap 5 1")
    ((1990, 4, False, 21), (1990, 5, True, 1))
    """
    if len(text) > LONGEST:
        raise _refused(text, Said("lunar_long", longest=LONGEST), Said("lunar_example"))
    parts = _parts(text)
    if parts is not None:
        return parts
    plain = unicodedata.normalize("NFKC", text).strip()
    if _grammar().fullmatch(plain):
        raise _refused(text, Said("lunar_unsaid"), Said("lunar_example_prefix"))
    raise _refused(text, *_why_not(plain))


def names_lunar_day(text: str) -> bool:
    """Whether a text is a whole lunar date, or would be one with 农历 in front.

    >>> names_lunar_day("1990年五月二十"), names_lunar_day("1990-05-15"), names_lunar_day("农历1990年")
    (True, True, False)
    """
    return len(text) <= LONGEST and (_parts(text) or _parts("农历" + text)) is not None


def _parts(text: str) -> tuple[int, int, bool, int] | None:
    """(year, month, leap, day) of a text marked as a lunar date; None for any other."""
    plain, word = _word().subn(" ", unicodedata.normalize("NFKC", text), count=1)
    if not word and not any(sign in plain.lower() for sign in _LUNAR_SIGNS):
        return None
    match = _grammar().fullmatch(common_year(plain)[0].strip())
    if match is None:
        return None
    leap = match["leap"] or match["leap_after"] or match["leap_beside"]
    if match["packed"]:
        year, month, day = match["packed"][:4], match["packed"][4:6], match["packed"][6:]
    else:
        year, month, day = match["year"], match["month"], match["day"]
    return int(year.translate(_DIGITS)), _number(month, _MONTH_OF), bool(leap), _number(day, _DAY_OF)


def _number(written: str, names: dict[str, int]) -> int:
    return names.get(written) or int(written.lstrip("初"))


@cache
def _word() -> re.Pattern[str]:
    return re.compile(_WORDS, re.IGNORECASE | re.ASCII)


@cache
def _grammar() -> re.Pattern[str]:
    months, days = ("|".join(sorted(names, key=len, reverse=True)) for names in (_MONTH_OF, _DAY_OF))
    leap = r"[闰閏]|leap(?:\s?month)?"
    return re.compile(
        r"(?:(?P<packed>[0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|30))"
        r"|(?P<year>[0-9]{4}|[〇零○一二三四五六七八九]{4})(?:\s*[年\-/.,]\s*|\s+)"
        rf"(?:(?P<leap>{leap})[\s\-]*|month\s*)?(?P<month>{months}|1[0-2]|0?[1-9])"
        rf"(?:\s?\(?(?P<leap_after>{leap})\)?)?(?:\s*[月\-/.,]\s*|\s+)"
        rf"(?:day\s*)?(?P<day>{days}|初?(?:0?[1-9]|10)|[12][0-9]|30)\s?[日号號]?)"
        r"(?P<leap_beside>\s*\(?(?:[闰閏]月?|leap(?:\s?month)?)\)?)?",
        re.IGNORECASE | re.ASCII,
    )


def _why_not(plain: str) -> tuple[str, str]:
    if re.search(r"[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年", plain):
        return Said("lunar_cycle"), Said("lunar_cycle_hint")
    return Said("lunar_form"), Said("lunar_example")


def _refused(text: str, reason: str, hint: str) -> InvalidLunarDate:
    shown = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return InvalidLunarDate(Said("lunar_refused", given=shown, why=reason), hint=hint, given=shown, months=[])
