"""A day of the almanac as its sentences need it: what is read of it, its facts by short names, and values of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazi_core.almanac.gods import HANZI
from bazi_core.speech.catalogue import Phrase, Sign, Term
from bazi_core.speech.plan import ADVICE, Draft
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date as civil_date

    from bazi_core.almanac.calendar import DayCalendar
    from bazi_core.almanac.facts import DayFacts
    from bazi_core.almanac.hours import Hour
    from bazi_core.almanac.persons import Person
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.almanac.xieji import Verdict
    from bazi_core.face import Chart
    from bazi_core.facts import Fact

# A name that frightens for nothing is left to the tables.
DEATH = "死"


class ToldDay(Protocol):
    """The members of a day that its sentences read."""

    @property
    def date(self) -> civil_date: ...
    @property
    def calendar(self) -> DayCalendar: ...
    @property
    def day(self) -> DayFacts: ...
    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def persons(self) -> tuple[Person, ...]: ...
    @property
    def charts(self) -> tuple[Chart, ...]: ...
    @property
    def hours(self) -> tuple[Hour, ...]: ...
    @property
    def school(self) -> AlmanacSchool: ...
    @property
    def tz(self) -> str: ...
    @property
    def facts(self) -> dict[str, Fact]: ...


class DayDraft(NamedTuple):
    """The facts of one day by short names: `day.jianchu` is `almanac.day.jianchu`, or has the date of one day of many."""

    draft: Draft
    head: str = "almanac."

    def has(self, name: str) -> bool:
        return self.head + name in self.draft.facts

    def value(self, name: str) -> Any:
        return self.draft.facts[self.head + name].value

    def slots(self, name: str) -> Mapping[str, Any]:
        return self.draft.facts[self.head + name].slots

    def add(self, key: str, *evidence: str, **values: Any) -> None:
        """A statement on facts that are given by their short names."""
        self.draft.add(f"almanac.{key}", *(self.head + name for name in evidence), **values)


def words(names: Iterable[str]) -> list[Term]:
    """Names of the almanac as values of a sentence."""
    return [Term(name, "almanac") for name in names]


def word(name: str) -> Term:
    return Term(name, "almanac")


def way(direction: str) -> Phrase:
    """A direction as a value of a sentence."""
    return Phrase(f"almanac.way.{direction}", {})


def on(date: str) -> FactPhrase:
    """A date as a value of a sentence."""
    return FactPhrase("almanac.on", (date,))


def lunar_date(day: DayDraft) -> FactPhrase:
    """The lunar date as a value of a sentence."""
    return FactPhrase("almanac.lunar_date", (day.slots("day.lunar_date")["day"],))


def listed_hours(hours: Iterable[Hour]) -> list[Phrase]:
    """Hours as values of a sentence: 寅时03:00–05:00."""
    return [
        Phrase("almanac.hour", {"hour": Sign(HANZI[each.branch]), "begins": each.begins, "ends": each.ends})
        for each in hours
    ]


def doctor(day: DayDraft, weight: float = 1) -> None:
    """That no day delays a doctor, once."""
    if not day.draft.says("almanac.doctor"):
        day.add("doctor", kind="advice", relation=ADVICE, weight=weight, required=True)
