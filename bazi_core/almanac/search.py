"""The choice of days 择日: the days of a span on which the doctrine favours a purpose, for the persons of some charts.

Every day that is not chosen is counted under its reason, and that no day fits is an answer. Days are ordered by what
the book says of them, item after item, without scores; the useful gods of a chart have no part in the verdict.
"""

from __future__ import annotations

from collections import Counter
from datetime import date as civil_date
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.calendar import check_day
from bazi_core.almanac.day import AlmanacDay, day_at, place_and_date, school_of
from bazi_core.almanac.doctrine import DE
from bazi_core.almanac.hours import Hour, lucky_hours
from bazi_core.almanac.notes import DOCTOR, SEE_A_DOCTOR, Note
from bazi_core.almanac.persons import Person, met_by
from bazi_core.almanac.purposes import Purpose, purpose_of, standing_of
from bazi_core.errors import (
    InvalidInput,
    NoDoctrineForItem,
    NonexistentLocalTime,
    RangeTooLong,
    known,
    shown,
    unknown_option,
)
from bazi_core.facts import canonical_json, json_text
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.birth import Birth
    from bazi_core.face import Chart
    from bazi_core.place.gazetteer import Place
    from bazi_core.readings.result import NarratedReading

MOST_DAYS = 1100
PERSONAL = ("exclude", "warn", "ignore")
ORDERS = ("book", "useful_gods")
# The grades from the best down; a day without one stands between 上次 and 中.
_GRADES = ("上", "上次", "无", "中", "中次", "下", "下下")
_MISSES = 5


class ChosenDay(NamedTuple):
    """A day of a search: what favours the items, what each chart meets, hours, and the tuple by which it is ordered."""

    day: AlmanacDay
    items: tuple[str, ...]
    persons: tuple[Person, ...]
    hours: tuple[Hour, ...]
    rank: tuple[int, ...]
    against: tuple[str, ...] = ()

    @property
    def date(self) -> civil_date:
        return self.day.date

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(code for person in self.persons for code in person.warned))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the day in short, with the rows for and against each item."""
        found = self.day.verdict
        assert found is not None
        day = self.day
        return {
            "date": self.date.isoformat(),
            "lunar": day.lunar.text(),
            "pillars": {
                "year": day.calendar.year_pillar.value, "month": day.calendar.month_pillar.value,
                "day": day.calendar.day_pillar.value,
            },
            "jianchu": day.day.jianchu,
            "tianshen": day.day.tianshen,
            "huangdao": day.day.huangdao,
            "grade": found.grade,
            "policy": found.policy,
            "de": list(found.de),
            "items": list(self.items),
            "why": {item: reason.to_dict() for item, reason in found.why.items() if item in self.items},
            "persons": [person.to_dict() for person in self.persons],
            "warnings": list(self.warnings),
            "hours": [hour.to_dict() for hour in self.hours],
            "rank": list(self.rank),
            "against": list(self.against),
        }  # fmt: skip


class DaySearch(NamedTuple):
    """The days of a span for a purpose, best first; `excluded` counts the others by their reason."""

    purpose: Purpose
    first: civil_date
    last: civil_date
    where: Birth
    school: AlmanacSchool
    order: str
    considered: int
    days: tuple[ChosenDay, ...]
    found: int
    excluded: dict[str, int]
    near_misses: tuple[ChosenDay, ...]

    @property
    def tz(self) -> str:
        """The zone of the clock by which days and hours are told."""
        return str(day_zone(self.where, self.school))

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the search beside those of its days."""
        return (DOCTOR,) if SEE_A_DOCTOR in self.purpose.items else ()

    def to_dict(self, lang: str = "zh-Hans") -> dict[str, Any]:
        place = self.where.place
        return {
            "kind": "almanac_days",
            "purpose": self.purpose.name,
            "items": list(self.purpose.items),
            "note": self.purpose.note,
            "from": self.first.isoformat(),
            "to": self.last.isoformat(),
            "place": {"tz": self.tz, "name": place.name if place else None},
            "school": self.school.to_dict(),
            "order": self.order,
            "considered": self.considered,
            "found": self.found,
            "days": [day.to_dict() for day in self.days],
            "excluded": dict(self.excluded),
            "near_misses": [day.to_dict() for day in self.near_misses],
            "notes": [note.to_dict(lang) for note in self.notes],
        }

    def read(self, lang: str = "zh-Hans", *, plain: bool = True, length: str = "standard") -> NarratedReading:
        """The search told in words: how many days fit, the best with their grounds and hours, why the others do not."""
        from bazi_core.almanac.reading import read_search

        return read_search(self, lang, plain=plain, length=length)

    def to_json(self, indent: int | None = None, lang: str = "zh-Hans") -> str:
        found = self.to_dict(lang)
        return canonical_json(found) if indent is None else json_text(found, indent)


def day_zone(where: Birth, school: AlmanacSchool) -> str | None:
    """The zone of the clock of a search."""
    from bazi_core.civil_clock import zone_of

    return zone_of(where, school.of_charts)


# ------------------------------------------------------------------------------------------- search


def days(
    purpose: str,
    start: str | civil_date | datetime,
    end: str | civil_date | datetime,
    *,
    charts: Sequence[Chart] = (),
    place: Place | str | None = None,
    city: str | None = None,
    tz: str | tzinfo | None = None,
    school: AlmanacSchool | None = None,
    limit: int = 10,
    personal: str = "exclude",
    hours: bool = True,
    order: str = "book",
) -> DaySearch:
    """The best days for a purpose from `start` to `end`, both included, at a place.

    `personal` says what becomes of days that clash with a chart: `exclude`, `warn` or `ignore`. Raises `RANGE_TOO_LONG` for
    more than 1,100 days, what `purpose_of` raises, and what `almanac` raises.

    >>> found = days("嫁娶", "2026-10-01", "2026-10-31", tz="Asia/Shanghai", limit=1)
    >>> found.considered, found.days[0].items
    (31, ('嫁娶',))
    """
    wanted, chosen = purpose_of(purpose), school_of(school)
    known("personal", personal, PERSONAL)
    known("order", order, ORDERS)
    if type(limit) is not int or limit < 1:
        raise unknown_option("limit", shown(limit), (Said("count_from_one"),))
    _check_doctrine(wanted, chosen)
    where = place_and_date(start, place, city, tz)
    first, last = where.civil.date(), place_and_date(end, place, city, tz).civil.date()
    _check_span(first, last)
    fit: list[ChosenDay] = []
    misses: list[ChosenDay] = []
    excluded: Counter[str] = Counter()
    considered = 0
    for day in _span(first, last, where, chosen):
        considered += 1
        weighed = _weigh(day, wanted, charts, personal, order)
        if weighed.against:
            excluded[weighed.against[0]] += 1
            misses.append(weighed)
        else:
            fit.append(weighed)
    fit.sort(key=lambda each: each.rank)
    born = [chart.pillars.year.branch for chart in charts]
    best = tuple(
        each._replace(hours=lucky_hours(each.day.hours, born)) if hours else each for each in fit[:limit]
    )
    near = sorted(misses, key=_nearness)[:_MISSES]
    reasons = dict(sorted(excluded.items()))
    return DaySearch(
        wanted, first, last, where, chosen, order, considered, best, len(fit), reasons, tuple(near)
    )


def _check_doctrine(wanted: Purpose, school: AlmanacSchool) -> None:
    """Refuse a search under a school that judges no day."""
    if school.doctrine == "none":
        raise NoDoctrineForItem(
            Said("no_doctrine", item=wanted.name),
            hint=Said("no_doctrine_hint"),
            item=wanted.name,
            doctrine="none",
        )


def _check_span(first: civil_date, last: civil_date) -> None:
    """Refuse a span that ends before it begins, or is longer than a search may be."""
    span = last.toordinal() - first.toordinal() + 1
    if span < 1:
        raise InvalidInput(
            Said("find_range", first=first, last=last), field="end", first=str(first), last=str(last)
        )
    if span > MOST_DAYS:
        raise RangeTooLong(Said("range_too_long", days=span, most=MOST_DAYS), days=span, most=MOST_DAYS)


def _span(first: civil_date, last: civil_date, where: Birth, school: AlmanacSchool) -> Iterable[AlmanacDay]:
    """The days of a span; a day that the clocks skipped whole is none."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        own = where._replace(civil=where.civil.fromordinal(ordinal))
        try:
            check_day(own, school)
        except NonexistentLocalTime:
            continue
        yield day_at(ordinal, where, school)


def _weigh(day: AlmanacDay, wanted: Purpose, charts: Sequence[Chart], personal: str, order: str) -> ChosenDay:
    """A day with its place in the order, or with what stands against it."""
    found = day.verdict
    assert found is not None
    items = tuple(item for item in wanted.items if item in found.yi)
    persons = tuple(
        met_by(number, chart, day.calendar.day_pillar, personal) for number, chart in enumerate(charts, 1)
    )
    against = [] if items else [standing_of(found, wanted)]
    against += [code for person in persons for code in person.excluding]
    favouring = [row for item in items for row in found.why[item].yi]
    rank: tuple[int, ...] = (
        sum(len(person.warned) for person in persons),
        _GRADES.index(found.grade),
        -len({row.god for row in favouring} & set(DE)),
        -len(favouring),
        -sum(item in found.yi for item in wanted.bonus),
        int(day.day.huangdao != "黄道"),
    )
    if order == "useful_gods":
        rank += (-sum(person.useful_gods.score for person in persons),)
    return ChosenDay(day, items, persons, (), (*rank, day.calendar.ordinal), tuple(dict.fromkeys(against)))


def _nearness(miss: ChosenDay) -> tuple[Any, ...]:
    """How near a day was: what the doctrine favours first, then the fewest rows against the item."""
    found = miss.day.verdict
    assert found is not None
    if miss.items:
        return 0, len(miss.against), miss.rank
    wanted = [reason for item, reason in found.why.items() if reason.yi]
    opposed = min((len(reason.ji) for reason in wanted), default=99)
    return 1 + found.all_forbidden, opposed, miss.rank
