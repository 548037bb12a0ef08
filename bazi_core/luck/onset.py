"""起运: the direction of the luck pillars and the moment at which the first one begins.

Three days between birth and 节 stand for one year. The count of the remainder differs between almanacs and
programs by days, so every rule has a name and its own exact arithmetic, all on whole numbers; a rule is one
row of `RULES`. The readings counted are those of one clock, that of the birth at its UTC offset, cut to seconds; solar
time plays no part here. `decades` converts the result to the clock of the place at that time.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import Polarity
from bazi_core.astro import scales, terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School


class OnsetAge(NamedTuple):
    """A span of life: completed years, months, days, hours, minutes."""

    years: int
    months: int
    days: int
    hours: int = 0
    minutes: int = 0


class Interval(NamedTuple):
    """Birth and 节 in order of time, as clock readings, and the seconds between them."""

    earlier: datetime
    later: datetime
    seconds: int


class Onset(NamedTuple):
    """Start of the first luck pillar: age, and the sum of birth and age (a reading at the UTC offset of the birth)."""

    method: str
    age: OnsetAge
    at: datetime


def is_forward(pillars: FourPillars, gender: str, rule: str = "classic") -> bool:
    """顺 or 逆: yang year and male, or yin year and female, run forward (`classic`).

    >>> from bazi_core.pillars import FourPillars
    >>> is_forward(FourPillars.parse("庚午 辛巳 庚辰 壬午"), "male")
    True
    """
    if rule == "male_forward":
        return gender == "male"
    return (pillars.year.stem.polarity is Polarity.阳) == (gender == "male")


def onset(moment: SolarMoment, forward: bool, school: School) -> Onset:
    """The start of the first luck pillar.

    >>> import bazi_core as bz
    >>> moment = bz.moment("1990-05-15 13:30", city="北京")
    >>> start = onset(moment, True, bz.School())
    >>> start.age, start.at.isoformat()
    (OnsetAge(years=7, months=3, days=1, hours=8, minutes=36), '1997-08-16T22:06:00')
    """
    born = scales.datetime_of(moment.civil_ms // 1000 * 1000)
    return onset_of(born, _interval(moment, born, forward), school.luck_start)


def onset_of(born: datetime, between: Interval, method: str) -> Onset:
    """The start by a named rule, from the interval between birth and 节."""
    measure, add = RULES[method]
    if measure is None:
        at = born + timedelta(seconds=between.seconds * _TROPICAL_YEAR_IN_THREE_DAYS)
        at = at.replace(microsecond=0)
        return Onset(method, _age_between(born, at), at)
    age = measure(between)
    return Onset(method, age, add(born, age))


def _interval(moment: SolarMoment, born: datetime, forward: bool) -> Interval:
    jie_tt = terms.instant(moment.next_jie if forward else moment.prev_jie)
    jie_utc = scales.utc_from_tt(jie_tt, moment.future_utc)
    jie = scales.datetime_of((jie_utc + moment.utc_offset_s * 1000) // 1000 * 1000)
    seconds = abs(jie_tt - moment.tt_ms) // 1000
    return Interval(born, jie, seconds) if forward else Interval(jie, born, seconds)


_TROPICAL_YEAR_IN_THREE_DAYS = 365.2422 / 3


def _exact_seconds(between: Interval) -> OnsetAge:
    years, rest = divmod(between.seconds, 259_200)
    months, rest = divmod(rest, 21_600)
    days, rest = divmod(rest, 720)
    hours, rest = divmod(rest, 30)
    return OnsetAge(years, months, days, hours, rest * 2)


def _minutes_floor(between: Interval) -> OnsetAge:
    return _of_minutes(between.seconds // 60)._replace(hours=0)


def _minutes_hours(between: Interval) -> OnsetAge:
    return _of_minutes(between.seconds // 60)


def _minutes_of_the_clock(between: Interval) -> OnsetAge:
    cut = [reading.replace(second=0) for reading in (between.earlier, between.later)]
    return _of_minutes((cut[1] - cut[0]) // timedelta(minutes=1))


def _of_minutes(minutes: int) -> OnsetAge:
    years, rest = divmod(minutes, 4320)
    months, rest = divmod(rest, 360)
    days, rest = divmod(rest, 12)
    return OnsetAge(years, months, days, rest * 2)


def _shichen(between: Interval) -> OnsetAge:
    days = (between.later.date() - between.earlier.date()).days
    hours = _double_hour(between.later) - _double_hour(between.earlier)
    if hours < 0:
        days, hours = days - 1, hours + 12
    months, rest = divmod(hours * 10, 30)
    years, months = divmod(4 * days + months, 12)
    return OnsetAge(years, months, rest)


def _double_hour(reading: datetime) -> int:
    # The 23rd hour counts with 亥, so that a date never has two 子.
    return 11 if reading.hour == 23 else (reading.hour + 1) // 2


def _overflow(born: datetime, age: OnsetAge) -> datetime:
    """Add years and months, keeping the day number; surplus days run into the following months."""
    year, month = _month_after(born, 12 * age.years + age.months)
    first = datetime(year, month, 1, born.hour, born.minute, born.second)
    return first + timedelta(born.day - 1 + age.days, 3600 * age.hours + 60 * age.minutes)


def _clamp(born: datetime, age: OnsetAge) -> datetime:
    """Add years, then months, each time cutting the day to the length of the month; then days and hours."""
    at = _cut(born, 12 * age.years)
    return _cut(at, age.months) + timedelta(days=age.days, hours=age.hours)


def _cut(at: datetime, months: int) -> datetime:
    year, month = _month_after(at, months)
    day = at.day if at.day <= 28 else min(at.day, _days_in_month(year, month))
    return at.replace(year=year, month=month, day=day)


def add_years(at: datetime, years: int) -> datetime:
    """The date some years later; 29 February becomes the 28th in a common year."""
    day = years_after(at, years)
    return at.replace(year=day.year, day=day.day)


def years_after(at: date, years: int) -> date:
    """The date some years later; 29 February becomes the 28th where it must.

    >>> years_after(date(2000, 2, 29), 10), years_after(date(2000, 2, 29), 20)
    (datetime.date(2010, 2, 28), datetime.date(2020, 2, 29))
    """
    year, month, day = at.year + years, at.month, at.day
    return date(year, month, min(day, _days_in_month(year, 2)) if month == 2 else day)


def _month_after(at: datetime, months: int) -> tuple[int, int]:
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    return year, month + 1


def _days_in_month(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 + leap if month == 2 else 30 + (month + month // 8) % 2


def _age_between(born: datetime, at: datetime) -> OnsetAge:
    months = (at.year - born.year) * 12 + at.month - born.month
    if _cut(born, months) > at:
        months -= 1
    rest = at - _cut(born, months)
    return OnsetAge(*divmod(months, 12), rest.days, rest.seconds // 3600, rest.seconds // 60 % 60)


RULES: dict[str, tuple[Callable[[Interval], OnsetAge] | None, Callable[[datetime, OnsetAge], datetime]]] = {
    "exact_seconds": (_exact_seconds, _overflow),
    "minutes_floor": (_minutes_floor, _overflow),
    "minutes_hours": (_minutes_hours, _overflow),
    "minutes_hours_clamp": (_minutes_of_the_clock, _clamp),
    "shichen": (_shichen, _overflow),
    "shichen_clamp": (_shichen, _clamp),
    # A tropical year for three days, without months of thirty: the age follows from the date.
    "linear_tropical": (None, _overflow),
}
