"""The walk through 大运: what is past in a clause each, the decade that runs and the next in full, the rest in brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.walk import (
    BOTH,
    COMING,
    GOOD,
    HARD,
    ILLNESS,
    MIXED,
    NOW,
    PAST,
    REMEDY,
    meets,
    tie_facts,
)
from bazi_core.speech.catalogue import At, Clauses, Nth, Phrase, Term, sign
from bazi_core.speech.plan import CONSEQUENCE, GROUND, LEANING
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.ties import bond
from bazi_core.speech.statements.timing import start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation

MOST_TIES = 2
_OTHERWISE = {REMEDY: (MIXED, HARD), ILLNESS: (MIXED, GOOD)}


def life(draft: Draft, result: PatternResult, decades: Sequence[Decade], running: Running | None) -> None:
    """All decades; without a date to stand on, the ten of them in brief."""
    luck = result.chart.luck
    if luck is None:
        return
    start(draft, luck)
    by_time: dict[str | None, list[Decade]] = {}
    for each in decades:
        by_time.setdefault(each.time(running), []).append(each)
    if running is None or None in by_time:
        _brief(draft, "walk.all", decades, 1)
        return
    _brief(draft, "walk.past", by_time.get(PAST, []), 2.5)
    coming = by_time.get(COMING, [])
    for each in by_time.get(NOW, []):
        _full(draft, result, each, "now", 1)
    if running.state == "before":
        first = decades[0].cycle
        draft.add(
            "walk.before", "dy.1", weight=1, kind="fact", pillar=sign(first.pillar), year=first.start_year
        )
    for each in coming[:1]:
        _full(draft, result, each, "first" if running.state == "before" else "next", 1.5)
    _brief(draft, "walk.later", coming[1:], 2.5)
    if running.state == "beyond":
        draft.add("walk.beyond", "dy.10", weight=1, kind="fact", pillar=sign(decades[-1].cycle.pillar))


def _brief(draft: Draft, key: str, decades: Sequence[Decade], weight: float) -> None:
    """Decades in a clause each."""
    if decades:
        ids = [name for each in decades for name in (each.fact_id, *_role_ids(each))]
        draft.add(
            key, *ids, weight=weight, certainty=LEANING, required=key == "walk.all",
            decades=Clauses(tuple(map(clause, decades))),
        )  # fmt: skip


def clause(decade: Decade) -> Phrase:
    """A decade with its years and its tone."""
    number, cycle = decade.cycle.index + 1, decade.cycle
    values = {
        "n": number,
        "nth": Nth(number),
        "pillar": sign(cycle.pillar),
        "tone": Phrase(f"tone.{decade.tone}", {}),
    }
    if cycle.start_year is None:
        return Phrase("walk.one.undated", values)
    return Phrase("walk.one", values | {"first": cycle.start_year, "last": cycle.end_year})


def _full(draft: Draft, result: PatternResult, decade: Decade, when: str, weight: float) -> None:
    """A decade with its ten gods, what it does to the diagnosis and what it meets in the chart."""
    cycle, own = decade.cycle, decade.fact_id
    which = Phrase("which.now" if when == "now" else "which.next", {"pillar": sign(cycle.pillar)})
    dated = cycle.start_year is not None
    ids = [own, f"{own}.tg.stem", f"{own}.tg.branch", *_role_ids(decade), *([f"{own}.age"] if dated else [])]
    ids += ["dy.now"] if when == "now" else []
    draft.add(
        f"walk.{when}" if dated else f"walk.{when}.undated", *ids, weight=weight, kind="fact",
        required=when == "now", n=cycle.index + 1,
        nth=Nth(cycle.index + 1), pillar=sign(cycle.pillar), first=cycle.start_year, last=cycle.end_year,
        nominal=cycle.start_age_nominal, full=cycle.start_age_full, carriers=_carriers(decade),
    )  # fmt: skip
    found = result.diagnosis
    if found is not None and found.illness and found.remedy and decade.brings is not None:
        values: dict[str, Any] = {"illness": element(found.illness), "remedy": element(found.remedy)}
        ids = [own, "pat.diagnosis", *_role_ids(decade)]
        # The half that is not of the diagnosis may be of the other side.
        mixed = ".mixed" if decade.tone in _OTHERWISE.get(decade.brings, ()) else ""
        draft.add(
            f"walk.brings.{decade.brings}{mixed}", *ids, weight=weight, relation=CONSEQUENCE, certainty=LEANING, which=which,
            side={BOTH: "neither"}.get(decade.brings, "for" if decade.brings == "remedy" else "against"), **values,
        )  # fmt: skip
    elif decade.roles:
        draft.add(
            f"walk.tone.{decade.tone}", own, *_role_ids(decade), weight=weight, relation=CONSEQUENCE, certainty=LEANING,
            which=which,
        )  # fmt: skip
    ties = meets(result, decade)[:MOST_TIES]
    draft.learn(tie_facts(decade, ties))
    for same in _by_type(ties):
        draft.add(
            "walk.meets", own, *(f"{own}.rel{each.id.removeprefix('rel')}" for each in same),
            weight=1.5 if when == "now" else 2.5, relation=GROUND, certainty=LEANING, which=which,
            bond=Clauses(tuple(map(bond, same))), sense=Phrase(f"sense.{same[0].type}", {}),
        )  # fmt: skip


def _by_type(found: Sequence[Relation]) -> list[list[Relation]]:
    """Ties in the order in which their types come first: what is of one type has one sense, which is said once."""
    types = dict.fromkeys(each.type for each in found)
    return [[each for each in found if each.type == name] for name in types]


def _carriers(decade: Decade) -> Clauses:
    made = []
    for at, (part, char, god) in enumerate(decade.carriers):
        values = {"where": At(f"luck.{part}", sign(char, plain=True)), "god": Term(god, "ten_god")}
        if decade.roles:
            made.append(Phrase("carrier.of", values | {"role": Term(decade.roles[at], "role")}))
        else:
            made.append(Phrase("carrier.god", values))
    return Clauses(tuple(made))


def _role_ids(decade: Decade) -> tuple[str, ...]:
    return (f"{decade.fact_id}.role.stem", f"{decade.fact_id}.role.branch") if decade.roles else ()
