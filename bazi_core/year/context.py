"""The year's pillar and the luck beside the chart and each other: relations, groups they complete, the 用神."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.views.relations import TRIPLES, branch_table, relations_with
from bazi_core.year.rules import BRANCH_BITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Element, Pillar
    from bazi_core.views.resolution import Relation
    from bazi_core.year.events import YearEvent
    from bazi_core.year.meeting import Meeting, Natal

FOUND, BOUND = ("E-19", "E-20"), ("E-21", "E-22")


class Completed(NamedTuple):
    """A 三合 三会 or 三刑 that is complete only with the year or the luck; `by` names which of them."""

    type: str
    element: Element | None
    members: tuple[tuple[str, str], ...]
    by: tuple[str, ...]
    evidence: tuple[str, ...]


class UsefulState(NamedTuple):
    """得力 when the year roots or shows the 用神, 受制 when it clashes or binds it, 平 when both or neither."""

    state: str
    evidence: tuple[str, ...]


def all_relations(own: Meeting, luck: Meeting | None) -> tuple[Relation, ...]:
    """Of the year with the chart, of the luck with the chart, of both with each other (and with the chart).

    The first two are judged by themselves, so that the year means the same to a chart sixty years later.
    """
    if luck is None:
        return own.relations
    natal, flows = own.natal, (("luck", luck.pillar), ("liunian", own.pillar))
    between = (
        relation
        for relation in relations_with(natal.pillars, flows, natal.school)
        if {"luck", "liunian"} <= {position for position, _ in relation.members}
    )
    return (*own.relations, *luck.relations, *between)


def completed(relations: tuple[Relation, ...], natal: Natal, prefix: str) -> Iterator[Completed]:
    """The triples among the relations that the natal branches alone do not make, each group once."""
    branches = {pillar.branch.value for _, pillar in natal.places}
    groups: dict[tuple[str, frozenset[str]], list[Relation]] = {}
    for relation in relations:
        chars = frozenset(char for _, char in relation.members)
        if relation.type in TRIPLES and not chars <= branches:
            groups.setdefault((relation.type, chars), []).append(relation)
    for (kind, _), found in groups.items():
        members = tuple(dict.fromkeys(member for each in found for member in each.members))
        by = tuple(name for name in ("luck", "liunian") if any(name == position for position, _ in members))
        ids = tuple(prefix + each.id.removeprefix("rel") for each in found)
        yield Completed(kind, found[0].element, members, by, ids)


def void_marks(natal: Natal, flow: Pillar) -> tuple[tuple[str, str], ...]:
    """(position, 填实 冲实 or 合实) of the natal branches in the void that a flow branch fills, clashes or combines."""
    tied = branch_table(natal.school.anhe)
    found = []
    for where, pillar in natal.places:
        if where in natal.void:
            bits = tied(flow.branch.index, pillar.branch.index)
            marks = (
                ("填实", flow.branch is pillar.branch),
                ("冲实", bits & BRANCH_BITS["六冲"]),
                ("合实", bits & BRANCH_BITS["六合"]),
            )
            found += [(where, mark) for mark, holds in marks if holds]
    return tuple(found)


def useful_state(found: tuple[YearEvent, ...]) -> UsefulState:
    helped, held = ([event.id for event in found if event.rule in rules] for rules in (FOUND, BOUND))
    state = "平" if bool(helped) == bool(held) else "得力" if helped else "受制"
    return UsefulState(state, (*helped, *held))
