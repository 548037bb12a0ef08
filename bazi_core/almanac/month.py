"""A month of the almanac as a sheet of weeks: pillar, lunar day, term, officer, path, grade, and some 宜 and 忌 of each day.

Terms are told with the instant on the clock of the place, since that instant decides on which date the month changes there.
"""

from __future__ import annotations

from calendar import monthrange
from contextlib import suppress
from datetime import date as civil_date
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.day import AlmanacDay, almanac
from bazi_core.almanac.doctrine import UNGRADED, items_of
from bazi_core.almanac.gods import HANZI
from bazi_core.almanac.notes import DOCTOR, Note
from bazi_core.errors import NonexistentLocalTime, outside
from bazi_core.place.display import name_shown
from bazi_core.tables.almanac_words import said
from bazi_core.tables.words import glossed, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.almanac.calendar import TermOnClock
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.face import Chart
    from bazi_core.place.gazetteer import Place

# So many items of each kind stand in a cell; the day itself has all of them.
IN_A_CELL = 4
MONTHS = 12
ALL_FORBIDDEN = "诸事皆忌"
NO_GRADE = "无"


class AlmanacMonth(NamedTuple):
    """The days of a Gregorian month at a place.

    >>> month = almanac_month(2026, 10, tz="America/New_York")
    >>> len(month.days), len(month.weeks), month.terms[0].local[:16]
    (31, 5, '2026-10-08T02:29')
    """

    year: int
    month: int
    days: tuple[AlmanacDay, ...]

    @property
    def weeks(self) -> tuple[tuple[AlmanacDay | None, ...], ...]:
        """Weeks from Monday, with None for the days of other months."""
        by_date = {day.date.day: day for day in self.days}
        before = civil_date(self.year, self.month, 1).weekday()
        cells = [*[None] * before, *map(by_date.get, range(1, max(by_date) + 1))]
        cells += [None] * (-len(cells) % 7)
        return tuple(tuple(cells[at : at + 7]) for at in range(0, len(cells), 7))

    @property
    def terms(self) -> tuple[TermOnClock, ...]:
        """The solar terms that begin in the month, on the clock of the place."""
        return tuple(found for found in map(term_of, self.days) if found)

    def place_name(self, lang: str) -> str:
        """The name of the place with its zone, or the zone alone."""
        return place_shown(self.days[0].place, self.days[0].tz, lang)

    def to_dict(self, items: str = "minyong37") -> dict[str, Any]:
        """The JSON form: a short entry for each day."""
        return {
            "kind": "almanac_month",
            "year": self.year,
            "month": self.month,
            "tz": self.days[0].tz,
            "days": [_entry(day, items) for day in self.days],
        }


def almanac_month(
    year: int,
    month: int,
    *,
    place: Place | str | None = None,
    city: str | None = None,
    tz: str | tzinfo | None = None,
    school: AlmanacSchool | None = None,
    charts: Sequence[Chart] = (),
) -> AlmanacMonth:
    """The month at a place; errors as of `almanac`, `OUT_OF_RANGE` for a month that is none.

    A day that the clocks of the place skipped is left out.
    """
    if not 1 <= month <= MONTHS:
        raise outside("month", 1, MONTHS, month)
    last = monthrange(year, month)[1]
    days = []
    for number in range(1, last + 1):
        with suppress(NonexistentLocalTime):
            date = civil_date(year, month, number)
            days.append(almanac(date, place=place, city=city, tz=tz, school=school, charts=charts))
    return AlmanacMonth(year, month, tuple(days))


def place_shown(place: Place | None, zone: str, lang: str) -> str:
    """The name of a place with its zone, or the zone alone."""
    named = name_shown(place.ref, place.name, lang) if place else ""
    return f"{named} ({zone})" if named else zone


def term_of(day: AlmanacDay) -> TermOnClock | None:
    """The term that begins on a day."""
    return day.calendar.term if day.calendar.term_day == 0 else None


def lunar_shown(day: AlmanacDay, lang: str) -> str:
    """The lunar day; on the first of a month the month."""
    lunar = day.lunar
    if lang == "en":
        return f"{'leap ' if lunar.leap and lunar.day == 1 else ''}{lunar.month}-{lunar.day}"
    month_and_day = lunar.text(lang).partition("年")[2]
    return month_and_day[:-2] if lunar.day == 1 else month_and_day[-2:]


def term_shown(day: AlmanacDay, lang: str) -> str:
    """The term that begins on a day, with the minute of the clock; nothing on other days."""
    found = term_of(day)
    return "" if found is None else f"{glossed(found.name.value, lang)} {found.local[11:16]}"


def officer_shown(day: AlmanacDay, lang: str) -> str:
    """Officer and god of the path: 危 朱雀."""
    between = ", " if lang == "en" else " "
    return between.join(said(each, lang) for each in (day.day.jianchu, day.day.tianshen))


def items_shown(day: AlmanacDay, name: str, lang: str, items: str = "minyong37") -> str:
    """The first 宜 or 忌 of a day in the order of the book, and how many more there are; on a day that forbids everything
    that word alone."""
    if name == "ji" and day.verdict is not None and day.verdict.policy == ALL_FORBIDDEN:
        return said(ALL_FORBIDDEN, lang)
    found = chosen(day, name, items)
    words = (", " if lang == "en" else "、").join(said(each, lang) for each in found[:IN_A_CELL])
    more = len(found) - IN_A_CELL
    return f"{words} +{more}" if more > 0 else words


def grade_shown(day: AlmanacDay, lang: str) -> str:
    """The grade of a day, or that the book gives it none."""
    if day.verdict is None:
        return ""
    return said(UNGRADED if day.verdict.grade == NO_GRADE else day.verdict.grade, lang)


def waits_for_no_day(days: Iterable[AlmanacDay]) -> tuple[Note, ...]:
    """The note that no day delays a doctor, where the verdict of one of the days calls for it."""
    return (DOCTOR,) if any(DOCTOR in day.notes for day in days) else ()


def chosen(day: AlmanacDay, name: str, items: str) -> list[str]:
    """The items of a list that a day favours (`yi`) or forbids (`ji`)."""
    if day.verdict is None:
        return []
    shown = items_of(items)
    return [item for item in getattr(day.verdict, name) if item in shown]


def heading(month: AlmanacMonth, lang: str) -> str:
    return f"{month.year}-{month.month:02}  {label('almanac', lang)}  {month.place_name(lang)}"


def _entry(day: AlmanacDay, items: str) -> dict[str, Any]:
    found, term = day.verdict, term_of(day)
    return {
        "date": day.date.isoformat(),
        "weekday": day.date.isoweekday(),
        "month_pillar": HANZI[day.calendar.month_pillar],
        "day_pillar": HANZI[day.calendar.day_pillar],
        "lunar": {"month": day.lunar.month, "leap": day.lunar.leap, "day": day.lunar.day},
        "term": {"name": HANZI[term.name], "at": term.local} if term else None,
        "jianchu": day.day.jianchu,
        "tianshen": day.day.tianshen,
        "huangdao": day.day.huangdao,
        "grade": found.grade if found else None,
        "yi": chosen(day, "yi", items),
        "ji": chosen(day, "ji", items),
        "notes": [note.code for note in day.notes],
    }
