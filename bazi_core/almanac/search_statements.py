"""The statements of a search: how many days fit, the first of them with their grounds and hours, what the others were
left out for, and which came near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bazi_core.almanac.day_draft import DayDraft, ToldDay, doctor, listed_hours, lunar_date, on, word, words
from bazi_core.almanac.evidence import dated, hour_name, person_facts, purpose_facts, search_facts
from bazi_core.almanac.gods import HANZI
from bazi_core.almanac.purposes import DOCTOR, SUBSTITUTED, Purpose, standing_of
from bazi_core.almanac.statements import clock_told
from bazi_core.facts import Fact, sha256
from bazi_core.speech.catalogue import Clauses, Phrase, Sign
from bazi_core.speech.plan import COUNTER, DEPTHS, NEITHER, Draft, Plan
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date as civil_date

    from bazi_core.almanac.hours import Hour
    from bazi_core.almanac.persons import Person

DAYS, LEFT, NEAR = "days", "left_out", "near"
# So many days belong to every length, and so many to a standard reading; the same of gods and of near misses.
_FIRST, _MORE, _GODS, _MISSES = 3, 6, 4, 3
# Near misses are told from this length on.
_MISS_WEIGHT = 2


class ToldChoice(Protocol):
    """A day of a search, as it is told."""

    @property
    def day(self) -> ToldDay: ...
    @property
    def items(self) -> tuple[str, ...]: ...
    @property
    def persons(self) -> tuple[Person, ...]: ...
    @property
    def hours(self) -> tuple[Hour, ...]: ...
    @property
    def against(self) -> tuple[str, ...]: ...


class ToldSearch(Protocol):
    """A search, as it is told."""

    @property
    def purpose(self) -> Purpose: ...
    @property
    def first(self) -> civil_date: ...
    @property
    def last(self) -> civil_date: ...
    @property
    def order(self) -> str: ...
    @property
    def considered(self) -> int: ...
    @property
    def found(self) -> int: ...
    @property
    def excluded(self) -> dict[str, int]: ...
    @property
    def days(self) -> tuple[ToldChoice, ...]: ...
    @property
    def near_misses(self) -> tuple[ToldChoice, ...]: ...


def search_plan(search: ToldSearch, length: str = "long") -> Plan:
    """The plan of a search: how many days fit and the best, each day, the counts of the others, near misses. Days and near
    misses of which no reading of the length tells are left out."""
    wanted = search.purpose
    span = (search.first.isoformat(), search.last.isoformat())
    counts = (search.found, search.considered)
    facts = [*search_facts(wanted.name, wanted.items, span, counts, search.excluded)]
    depth = DEPTHS[length]
    shown = [
        (weight, chosen)
        for place, chosen in enumerate(search.days)
        if (weight := 1 if place < _FIRST else 2 if place < _MORE else 3) <= depth
    ]
    near = search.near_misses[: _MISSES if depth >= _MISS_WEIGHT else 0]
    for chosen in (*(each for _, each in shown), *near):
        facts += dated(_facts_of(chosen, wanted), chosen.day.date.isoformat())
    draft = Draft({fact.id: fact for fact in facts}, sha256(f"{span} {wanted.name} {search.found}"))
    _conclusion(draft, search, span)
    draft.topic(DAYS)
    for weight, chosen in shown:
        _chosen(draft, chosen, wanted, weight)
    draft.topic(LEFT)
    _left_out(draft, search)
    draft.topic(NEAR)
    _near(draft, wanted, near)
    return draft.plan(Phrase("almanac.title.days", {"purpose": word(wanted.name)}))


def _facts_of(chosen: ToldChoice, wanted: Purpose) -> Iterator[Fact]:
    """The facts of a day, of the persons as the search met them, of its hours and of what it is for the purpose."""
    found = chosen.day.verdict
    assert found is not None
    yield from (fact for name, fact in chosen.day.facts.items() if not name.startswith("almanac.person."))
    yield from person_facts(chosen.persons, HANZI[chosen.day.calendar.day_pillar])
    yield from purpose_facts(found, [(wanted.name, wanted.items, standing_of(found, wanted))])


def _of_day(draft: Draft, chosen: ToldChoice) -> DayDraft:
    return DayDraft(draft, f"almanac.day.{chosen.day.date.isoformat()}.")


def _date(day: DayDraft) -> FactPhrase:
    return FactPhrase("almanac.date", tuple(day.slots("day.date").values()))


def _conclusion(draft: Draft, search: ToldSearch, span: tuple[str, str]) -> None:
    """How many days fit, and the best one; that none does is an answer."""
    whole = DayDraft(draft)
    wanted = search.purpose
    values: dict[str, Any] = {
        "first": on(span[0]), "last": on(span[1]), "considered": search.considered, "purpose": word(wanted.name),
    }  # fmt: skip
    facts = ("almanac.days.purpose", "almanac.days.span", "almanac.days.found")
    if search.days:
        best = _of_day(draft, search.days[0])
        key = "almanac.days.found" if search.found > 1 else "almanac.days.single"
        count: dict[str, Any] = {"found": search.found} if search.found > 1 else {}
        draft.add(
            key, *facts, f"{best.head}day.date", weight=1, required=True, best=_date(best), **count, **values
        )
    else:
        key = "almanac.days.none.single" if search.considered == 1 else "almanac.days.none"
        draft.add(key, *facts, weight=1, required=True, **values)
    if wanted.name in SUBSTITUTED:
        whole.add("answer.instead", "days.purpose", purpose=word(wanted.name), items=words(wanted.items))
    if DOCTOR in wanted.items:
        doctor(whole)
    if search.days:
        clock_told(_of_day(draft, search.days[0]))
    if len(search.days) > 1:
        order = "useful" if search.order == "useful_gods" else "book"
        whole.add(f"days.order.{order}", weight=2.5, kind="transition")


def _chosen(draft: Draft, chosen: ToldChoice, wanted: Purpose, weight: float) -> None:
    """A day that fits: its calendar and ground, its hours, and what it is to the persons."""
    day, found = _of_day(draft, chosen), chosen.day.verdict
    assert found is not None
    gods = words(list(dict.fromkeys(row.god for item in chosen.items for row in found.why[item].yi))[:_GODS])
    graded = {"grade": word(found.grade)} if found.grade != "无" else {}
    day.add(
        f"days.day{'' if graded else '.ungraded'}", "day.date", "day.lunar_date", "day.day_pillar", "day.jianchu",
        "day.huangdao", "day.grade", f"purpose.{wanted.name}", *(f"item.{item}" for item in chosen.items), weight=weight,
        date=_date(day), lunar=lunar_date(day),
        day=Sign(day.value("day.day_pillar")), officer=word(day.value("day.jianchu")),
        path=word(day.value("day.huangdao")), gods=gods, **graded,
    )  # fmt: skip
    if chosen.hours:
        named = map(hour_name, chosen.hours)
        day.add("days.hours", *named, weight=max(weight, 1.5), hours=listed_hours(chosen.hours))
    for person in chosen.persons:
        for code in person.warned:
            day.add(
                f"person.{code}", f"person.{person.number}.{code}", weight=weight, relation=COUNTER, side=NEITHER,
                number=person.number, pillars=person.pillars,
            )  # fmt: skip


def _left_out(draft: Draft, search: ToldSearch) -> None:
    """The days that were not chosen, counted by their reason."""
    if not search.excluded:
        return
    counted = [
        Phrase(f"almanac.left.{reason}", {"count": count}) for reason, count in search.excluded.items()
    ]
    left = sum(search.excluded.values())
    by_reason = (f"almanac.days.left.{reason}" for reason in search.excluded)
    draft.add(
        f"almanac.days.left{'.single' if left == 1 else ''}", "almanac.days.left", *by_reason,
        weight=1.5, required=True, left=left, reasons=counted,
    )  # fmt: skip


def _near(draft: Draft, wanted: Purpose, near: Sequence[ToldChoice]) -> None:
    """The days that came near, each with what stood against it."""
    told, facts = list[Phrase](), list[str]()
    for chosen in near:
        day = _of_day(draft, chosen)
        facts += [f"{day.head}day.date", f"{day.head}purpose.{wanted.name}"]
        facts += [
            f"{day.head}person.{person.number}.{code}"
            for person in chosen.persons
            for code in person.excluding
        ]
        reasons = [Phrase(f"almanac.against.{code}", {}) for code in chosen.against]
        told.append(Phrase("almanac.near", {"date": _date(day), "reasons": reasons}))
    if told:
        draft.add("almanac.days.near", *facts, weight=_MISS_WEIGHT, days=Clauses(tuple(told)))
