"""The lunar calendar 农历: a civil date as a lunar date, and back; China's, or Korea's (`calendar="korean"`).

Covered are the lunar years 1645–2199, 1645-01-28 … 2200-02-14: to 2026 the calendar as issued, after that the
rule of GB/T 33661-2017 (`lunar_year` has both). The lunar date of a birth is that of its civil local date;
neither 23:00 nor solar time moves it. A leap month is always said, never guessed.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, datetime
from typing import Any, NamedTuple

from bazi_core.alphabet import PILLARS, ZODIACS, Pillar, Zodiac
from bazi_core.astro.lunar_text import format_lunar_date
from bazi_core.astro.lunar_year import CALENDARS, LunarMonth, LunarNote, LunarOverride, lunar_year
from bazi_core.errors import InvalidDatetime, InvalidLunarDate, OutOfRange, outside
from bazi_core.tables.sentences import Said

__all__ = [
    "CALENDARS",
    "LunarDate",
    "LunarMonth",
    "LunarNote",
    "LunarOverride",
    "lunar_date",
    "lunar_months",
    "lunar_year_of",
    "new_year",
    "solar_date",
]

FIRST_YEAR, LAST_YEAR = 1645, 2199
FIRST_DAY, LAST_DAY = date(1645, 1, 28), date(2200, 2, 14)

_FIRST, _LAST = FIRST_DAY.toordinal(), LAST_DAY.toordinal()


class LunarDate(NamedTuple):
    """A day of the lunar calendar.

    `official` is true as far as the issued calendar reaches (lunar year 2026). `grade` is `official`, then
    `computed`, or `provisional` where an event within 120 s of midnight could still move the month.
    """

    year: int
    month: int
    leap: bool
    day: int
    month_days: int
    month_start: date
    year_ganzhi: Pillar
    zodiac: Zodiac
    official: bool
    grade: str
    notes: tuple[LunarNote, ...]
    calendar: str = "chinese"

    def text(self, lang: str = "zh-Hans") -> str:
        """The printed date, in `zh-Hans`, `zh-Hant` or `en`.

        >>> lunar_date("1990-06-23").text(), lunar_date("1990-06-23").text("en")
        ('农历1990年闰五月初一', '1990, leap month 5, day 1')
        """
        return format_lunar_date(self.year, self.month, self.day, self.leap, lang)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        words = {"year_ganzhi": self.year_ganzhi.value, "zodiac": self.zodiac.value}
        notes = [note.to_dict() for note in self.notes]
        return {**self._asdict(), **words, "month_start": self.month_start.isoformat(), "notes": notes}


def lunar_months(
    year: int, *, future_utc: str = "utc_frozen", calendar: str = "chinese"
) -> tuple[LunarMonth, ...]:
    """The twelve or thirteen months of a lunar year 1645–2199.

    >>> [month.month for month in lunar_months(2033) if month.leap], len(lunar_months(2034))
    ([11], 12)
    """
    _check_year(year)
    return lunar_year(year, future_utc, calendar).months


def new_year(year: int, *, future_utc: str = "utc_frozen", calendar: str = "chinese") -> date:
    """The first day of month 1 of a lunar year 1645–2199."""
    _check_year(year)
    return lunar_year(year, future_utc, calendar).months[0].start


def lunar_year_of(day: date, *, future_utc: str = "utc_frozen", calendar: str = "chinese") -> int:
    """The lunar year of a civil date."""
    ordinal = day.toordinal()
    if not _FIRST <= ordinal <= _LAST:
        raise _day_outside(day)
    return day.year - (ordinal < lunar_year(day.year, future_utc, calendar).starts[0])


def lunar_date(day: date | str, *, future_utc: str = "utc_frozen", calendar: str = "chinese") -> LunarDate:
    """The lunar date of a civil date (date, datetime or ISO text); the hour never moves it.

    >>> found = lunar_date("1990-05-15")
    >>> found.text(), found.month_days, found.year_ganzhi, found.grade
    ('农历1990年四月廿一', 29, Pillar('庚午'), 'official')
    >>> lunar_date("1997-02-07").text(), lunar_date("1997-02-07", calendar="korean").text()
    ('农历1997年正月初一', '农历1996年腊月三十')
    >>> lunar_date("1644-12-31")
    Traceback (most recent call last):
    bazi_core.errors.OutOfRange: 1644-12-31 is outside the lunar calendar 1645-01-28 … 2200-02-14
    """
    if isinstance(day, str):
        day = _read(day)
    ordinal = day.toordinal()
    if not _FIRST <= ordinal <= _LAST:
        raise _day_outside(day)
    year = day.year
    starts, months = lunar_year(year, future_utc, calendar)
    if ordinal < starts[0]:
        year -= 1
        starts, months = lunar_year(year, future_utc, calendar)
    at = bisect_right(starts, ordinal) - 1
    month = months[at]
    return LunarDate(
        year,
        month.month,
        month.leap,
        ordinal - starts[at] + 1,
        month.days,
        month.start,
        PILLARS[(year - 4) % 60],
        ZODIACS[(year - 4) % 12],
        month.official,
        month.grade,
        month.notes,
        calendar,
    )


def solar_date(
    year: int,
    month: int,
    day: int,
    leap: bool = False,
    *,
    future_utc: str = "utc_frozen",
    calendar: str = "chinese",
) -> date:
    """The civil date of a lunar date; a leap month is always named.

    >>> solar_date(1990, 5, 1, leap=True)
    datetime.date(1990, 6, 23)
    >>> solar_date(1990, 4, 1, leap=True)
    Traceback (most recent call last):
    bazi_core.errors.InvalidLunarDate: lunar year 1990 has no leap month 4
    """
    months = lunar_months(year, future_utc=future_utc, calendar=calendar)
    wanted = month, bool(leap)
    month_found = next((each for each in months if (each.month, each.leap) == wanted), None)
    if month_found and 1 <= day <= month_found.days:
        return date.fromordinal(month_found.start.toordinal() + day - 1)
    raise InvalidLunarDate(
        _problem(year, month, leap, month_found),
        hint=Said("lunar_days_hint", days=month_found.days) if month_found else _leap_month_of(months),
        given={"year": year, "month": month, "leap": bool(leap), "day": day},
        months=[{"month": each.month, "leap": each.leap, "days": each.days} for each in months],
    )


def _problem(year: int, month: int, leap: bool, found: LunarMonth | None) -> str:
    name = Said("lunar_leap_month" if leap else "lunar_month", month=month)
    if found:
        return Said("lunar_days", name=name, year=year, days=found.days)
    return Said("lunar_no_month", name=name, year=year)


def _leap_month_of(months: tuple[LunarMonth, ...]) -> str:
    leaps = [month.month for month in months if month.leap]
    return Said("lunar_leap_hint", month=leaps[0]) if leaps else Said("lunar_no_leap_hint")


def _read(text: str) -> date:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidDatetime(
            Said("date_iso", text=text[:40]),
            hint=Said("date_iso_hint"),
            field="date",
            value=text[:100],
            reason="format",
        ) from None


def _check_year(year: int) -> None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise outside("lunar year", FIRST_YEAR, LAST_YEAR, year)


def _day_outside(day: date) -> OutOfRange:
    return outside("lunar date", FIRST_DAY.isoformat(), LAST_DAY.isoformat(), day.isoformat()[:10])
