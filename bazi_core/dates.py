"""Written dates, as all the days that they may mean.

`1990-05-15`, `19900515`, 1990年5月15日, 一九九〇年五月十五日, 民國79年5月15日, `May 15, 1990`, `15th of May 1990` are one
day. `05/06/1990` may be two days, so it is ambiguous; `13/05/1990` is one, since there is no thirteenth month. A year of two
digits is ambiguous too, and so is 一九九〇年五月十五, which may be lunar. Lunar dates are read in `astro.lunar_text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from bazi_core.astro.eras import Era, common_year, number
from bazi_core.astro.lunar_text import is_lunar, names_lunar_day

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")
_CALENDAR = re.compile(
    r"\(?(?:公历|公曆|阳历|陽曆|新历|新曆|西历|西曆|国历|國曆|公元|西元|\bgregorian(?: calendar)?\b)\)?[:,]?",
    re.IGNORECASE | re.ASCII,
)
_WEEKDAY = re.compile(
    r"[(,]?\s*(?:(?:星期|周|週|礼拜|禮拜)(?P<zh>[一二三四五六日天])"
    r"|\b(?P<en>mon|tue|wed|thu|fri|sat|sun)(?:s?day|s|nesday|rs?day|rs?|urday)?\b\.?)\s*[),]?",
    re.IGNORECASE | re.ASCII,
)
_WEEKDAYS_ZH = {name: number for number, name in enumerate("一二三四五六日", 1)} | {"天": 7}
_WEEKDAYS_EN = {
    name: number for number, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)
}


class Dates(NamedTuple):
    """The days that a text may mean, as (year, month, day); more than one if ambiguous."""

    days: tuple[tuple[int, int, int], ...]
    lunar: str = ""
    """The lunar date that it may be as well."""
    era: Era | None = None


def dates_of(text: str) -> Dates | None:
    """The dates of a text in the Gregorian or Julian calendar; None if it is not a date.

    >>> dates_of("15th of May, 1990").days, dates_of("13/05/1990").days
    (((1990, 5, 15),), ((1990, 5, 13),))
    >>> dates_of("05/06/1990").days, dates_of("1990年五月二十").lunar
    (((1990, 6, 5), (1990, 5, 6)), '农历1990年五月二十')
    """
    stated = _CALENDAR.search(text) is not None
    plain, era = common_year(_CALENDAR.sub(" ", text, count=1).strip())
    match = next((match for form in _forms() if (match := form.fullmatch(plain))), None)
    if match is None:
        return None
    parts = match.groupdict()
    if parts.get("month_zh"):
        year = int(parts["year_zh"].translate(_DIGITS))
        day = (year, number(parts["month_zh"]), number(parts["day_zh"].replace("廿", "二十")))
        may_be_lunar = not (stated or era or parts["sign"]) and names_lunar_day(plain)
        return Dates((day,), f"农历{plain}" if may_be_lunar else "", era)
    if parts.get("name"):
        month = 1 + next(at for at, name in enumerate(MONTHS) if name.startswith(parts["name"].lower()[:3]))
        years = _years(parts["year"])
        return Dates(tuple((year, month, int(parts["day"])) for year in years), era=era)
    if parts.get("first"):
        return Dates(tuple(_orders(parts["first"], parts["second"], parts["third"])))
    years = _years(parts["year"])
    # 79年 is the year 1990 in Taiwan.
    years += [1911 + int(parts["year"])] if len(years) > 1 else []
    return Dates(tuple((year, int(parts["month"]), int(parts["day"])) for year in years), era=era)


def is_date(text: str) -> bool:
    """Whether a text has the form of a date of any calendar, existing or not.

    >>> is_date("31 April 1990"), is_date("农历1990年五月初一"), is_date("May 1990")
    (True, True, False)
    """
    return dates_of(text) is not None or (is_lunar(text) and names_lunar_day(text))


def weekday_in(text: str) -> tuple[str, int | None]:
    """A text without its day of the week, and that day, Monday being 1.

    >>> weekday_in("Tuesday, May 15, 1990"), weekday_in("1990年5月15日 星期二 13:30")
    (('May 15, 1990', 2), ('1990年5月15日 13:30', 2))
    """
    match = _WEEKDAY.search(text)
    if match is None:
        return text, None
    rest = f"{text[: match.start()].rstrip()} {text[match.end() :].lstrip()}".strip()
    return rest, _WEEKDAYS_ZH[match["zh"]] if match["zh"] else _WEEKDAYS_EN[match["en"].lower()]


def existing(days: Iterable[tuple[int, int, int]]) -> list[date]:
    """The days that exist in the Gregorian calendar."""
    dates = []
    for year, month, day in days:
        try:
            dates.append(date(year, month, day))
        except ValueError:
            continue
    return dates


def _years(written: str) -> list[int]:
    """The years that a written year may mean: for two digits those of two centuries."""
    return [int(written)] if len(written) > 2 else [1900 + int(written), 2000 + int(written)]


def _orders(first: str, second: str, third: str) -> Iterator[tuple[int, int, int]]:
    """The days that three numbers may be: day first, month first, and year first where no year has four digits.

    Of orders of which only some give a day, the others are not meant.
    """
    dated = []
    for year, month, day in ((third, second, first), (third, first, second), (first, second, third)):
        if year is not first or len(third) != 4:
            dated += [(each, int(month), int(day)) for each in _years(year)]
    right = {(day.year, day.month, day.day) for day in existing(dated)}
    # If no order gives a day, the error is about the first one with a valid month.
    wrong = [day for day in dated if 1 <= day[1] <= 12] or dated
    yield from dict.fromkeys(day for day in dated if day in right) if right else wrong[:1]


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """The forms of a date, the common ones first."""
    names = "|".join(rf"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in MONTHS)
    name = rf"(?P<name>{names.replace('sep(?:tember)?', 'sept?(?:ember)?')})\.?"
    gap = r"(?:[\s,./-]{1,3})"
    month_zh = r"(?P<month_zh>十[一二]?|[一二三四五六七八九])\s*月"
    day_zh = (
        r"(?P<day_zh>三十一?|[二廿]十?[一二三四五六七八九]|二十|十[一二三四五六七八九]?|[一二三四五六七八九])"
    )
    forms = (
        r"(?P<year>\d{4})(?:\s*[-/.年,]\s*|\s+)(?P<month>\d{1,2})(?:\s*[-/.月,]\s*|\s+)(?P<day>\d{1,2})\s*[日号號]?",
        # A year at the end is none at the beginning: no month is called 18 to 21.
        r"(?P<first>\d{2})(?P<second>\d{2})(?P<third>(?:1[89]|2[01])\d{2})",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"{name}{gap}?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:{gap}|,\s*)'?(?P<year>\d{{4}}|\d{{2}})",
        rf"(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{gap}?(?:of\s)?{name}{gap}?'?(?P<year>\d{{4}}|\d{{2}})",
        rf"(?P<year>\d{{4}}){gap}{name}{gap}?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?",
        r"(?P<first>\d{1,2})(?:\s*[-/.]\s*|\s+)(?P<second>\d{1,2})(?:\s*[-/.]\s*|\s+)'?(?P<third>\d{4}|\d{2})",
        r"(?P<year>\d{2})\s*年\s*(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号號]?",
        rf"(?P<year_zh>[〇零○一二三四五六七八九]{{4}}|\d{{4}})\s*年\s*{month_zh}\s*{day_zh}(?P<sign>[日号號])?",
    )
    return tuple(re.compile(form, re.IGNORECASE | re.ASCII) for form in forms)
