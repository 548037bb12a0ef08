"""The twelve months of a year: each pillar before the chart, with its own events and a score between them and the year's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element, Pillar, SolarTerm
from bazi_core.luck.flows import Flow, flow_months
from bazi_core.views.groups import groups_through
from bazi_core.year.events import YearEvent, events, strongest
from bazi_core.year.meeting import Meeting, Natal
from bazi_core.year.points import cap, month_score, role_share
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bazi_core.luck.decades import FlowMarks

IN_SUMMARY = 3


class Month(NamedTuple):
    """A 流月: its number in the year (1–12), its 节 and span in UTC, its events in the order of the table, its score.

    `shown` are the events that are listed: the three strongest, or all where the School asks for them.
    """

    number: int
    pillar: Pillar
    jie: SolarTerm
    start: datetime
    end: datetime
    marks: FlowMarks
    events: tuple[YearEvent, ...]
    shown: tuple[YearEvent, ...]
    score: int
    fact_id: str


def months(natal: Natal, year: Flow, overall: int) -> tuple[Month, ...]:
    """The months of a year; they partition it.

    Where the year begins with lunar new year, its first and last month are longer or shorter by what lies between
    that day and 立春.
    """
    label = int(year.label)
    flows = flow_months(natal.pillars, natal.school, label)
    edges = [year.start, *(flow.start for flow in flows[1:]), year.end]
    return tuple(
        _month(natal, flow._replace(start=start, end=end), number, label, overall)
        for number, (flow, start, end) in enumerate(zip(flows, edges[:-1], edges[1:], strict=True), 1)
    )


def _month(natal: Natal, flow: Flow, number: int, year: int, overall: int) -> Month:
    own = f"lm.{year}.{number:02}"
    found = events(Meeting("liuyue", flow.pillar, natal, own), own)
    shown = found if natal.school.liuyue_detail == "full" else strongest(found, IN_SUMMARY)
    score = month_score(overall, _added(natal, flow.pillar, found))
    assert flow.jie is not None
    return Month(number, flow.pillar, flow.jie, flow.start, flow.end, flow.marks, found, shown, score, own)


def _added(natal: Natal, pillar: Pillar, found: tuple[YearEvent, ...]) -> int:
    """The points that the roles of the pillar and its events add to an overall score."""
    stem, branch = natal.role(pillar.stem.element), natal.role(pillar.branch.element)
    roles = role_share(stem, "month_stem")[0] + role_share(branch, "month_branch")[0]
    return roles + sum(cap(points) for event in found for domain, points in event.points if domain == OVERALL)


class Joint(NamedTuple):
    """A group that a month completes with chart, year and luck: 三合 or 三会 with its element, 三刑 without one."""

    type: str
    element: Element | None

    def fact_id(self, month: Month) -> str:
        return f"{month.fact_id}.joint.{self.type}"


def joints(natal: Natal, month: Month, flows: Iterable[Pillar]) -> tuple[Joint, ...]:
    """The groups that the month completes beside the pillars of year and luck; not those complete without it."""
    before = natal.branches | {each.branch.index for each in flows}
    own = month.pillar.branch.index
    if own in before:
        return ()
    after = before | {own}
    groups = [Joint(kind, ELEMENTS[place]) for kind, place in groups_through(own, after)]
    punished = any(own in each and each <= after for each in _PUNISHMENTS)
    return (*groups, *([Joint("三刑", None)] if punished else []))


# 寅巳申 and 丑戌未 (三命通会·论三刑).
_PUNISHMENTS = (frozenset({2, 5, 8}), frozenset({1, 10, 7}))
