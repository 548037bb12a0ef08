"""YearValue: what was reckoned of one year before one chart.

`YearResult` adds what is made from it: the year under the other verdict, facts and objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.luck.years import Age
from bazi_core.tables.words import pictured, printed, shown_in_notebook
from bazi_core.views.stars import StarHit, stars_met
from bazi_core.warnings import BaziWarning
from bazi_core.year.context import Completed, UsefulState, all_relations, completed, void_marks
from bazi_core.year.events import YearEvent, events, strongest
from bazi_core.year.meeting import Meeting, Natal, hides
from bazi_core.year.months import Month, months
from bazi_core.year.points import Carrier, PointsRow, Scores
from bazi_core.year.rules import Theme, graded
from bazi_core.year.segments import Segment, longest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Pillar
    from bazi_core.chart import ChartValue
    from bazi_core.luck.flows import Flow
    from bazi_core.luck.running import AsOf
    from bazi_core.pattern.result import PatternResult
    from bazi_core.views.resolution import Relation


@dataclass(frozen=True)
class YearValue:
    """A year before a chart.

    `main` is the longest segment: its luck is that of the events and relations. Scores run from 0 to 100, 50 is
    neutral; they are heuristics of this library and explained by their contributions.
    """

    pattern: PatternResult = field(repr=False)
    target_year: int
    flow: Flow = field(repr=False)
    age: Age
    segments: tuple[Segment, ...] = field(repr=False)
    meeting: Meeting = field(compare=False, repr=False)
    """Of the pillar of the year with the chart."""
    luck_meeting: Meeting | None = field(compare=False, repr=False)
    """Of the pillar of the luck with the chart; None where no luck is known."""
    events: tuple[YearEvent, ...] = field(repr=False)
    themes: tuple[Theme, ...] = field(repr=False)
    carriers: tuple[Carrier, ...] = field(repr=False)
    rows: tuple[PointsRow, ...] = field(repr=False)
    scores: Scores = field(repr=False)
    useful_state: UsefulState = field(repr=False)
    own_warnings: tuple[BaziWarning, ...] = field(default=(), compare=False, repr=False)
    """About the objects that it was made from; like all warnings outside the digest."""

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        return f"<YearResult {self.target_year} {self.pillar} {self.scores.overall} {self.level}: {self.chart.pillars}>"

    def __hash__(self) -> int:
        # Everything else follows from these two.
        return hash((self.pattern, self.target_year))

    def svg(self, lang: str = "zh-Hans", theme: str = "light", as_of: AsOf | None = None) -> str:
        """The year as a picture: what it adds to the chart, where its points come from, its months; the one that runs at
        `as_of` is marked."""
        return pictured(self, lang, theme, as_of=as_of)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return shown_in_notebook(self)

    @property
    def chart(self) -> ChartValue:
        return self.pattern.chart

    @property
    def pillar(self) -> Pillar:
        """The pillar of the year."""
        return self.flow.pillar

    @property
    def main(self) -> Segment:
        """The longest segment of the year."""
        return longest(self.segments)

    @property
    def luck(self) -> Pillar | None:
        """The 大运 of the longest segment; None where none runs (a 小运 may, see `main`)."""
        return self.main.cycle.pillar if self.main.cycle else None

    @property
    def level(self) -> str:
        """上上 中上 中平 中下 下下, by the overall score."""
        return graded("level", self.scores.overall)

    @property
    def sign(self) -> str:
        """上上签 中上签 中下签 下下签, by the overall score."""
        return graded("sign", self.scores.overall)

    def strongest(self, count: int = 5) -> tuple[YearEvent, ...]:
        """The strongest events, of equals the first in the table."""
        return strongest(self.events, count)

    @property
    def natal(self) -> Natal:
        """The natal parts against which the year is held."""
        return self.meeting.natal

    @property
    def relations_prefix(self) -> str:
        """How the ids of the facts of its relations begin."""
        return f"ln.{self.target_year}.rel"

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations of year and luck with the chart and with each other."""
        return all_relations(self.meeting, self.luck_meeting)

    @cached_property
    def completed(self) -> tuple[Completed, ...]:
        """The groups that are complete only with the year or the luck."""
        return tuple(completed(self.relations, self.natal, self.relations_prefix))

    @cached_property
    def luck_events(self) -> tuple[YearEvent, ...]:
        """The events of the luck."""
        luck = self.luck_meeting
        return events(luck, luck.ground, self.relations_prefix) if luck else ()

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """The months of the year, which partition it."""
        return months(self.natal, self.flow, self.scores.overall)

    @cached_property
    def timing(self) -> tuple[Timing, ...]:
        """The events of the year that the luck brings too or that months repeat."""
        return timing(self.events, self.luck_events, self.months)

    @property
    def roots(self) -> tuple[str, ...]:
        """Positions of the natal branches in which the stem of the year is rooted."""
        return tuple(where for where, pillar in self.natal.places if hides(pillar, self.pillar.stem.element))

    @cached_property
    def stars_met(self) -> tuple[StarHit, ...]:
        """The 神煞 that the pillar of the year meets, counted from the natal pillars."""
        return stars_met(self.chart.pillars, self.pillar, self.chart.gender, self.chart.school)

    @cached_property
    def luck_stars_met(self) -> tuple[StarHit, ...]:
        """Those that the luck of the longest segment meets; none where none is known."""
        return self.chart.stars_met(self.main.pillar) if self.main.pillar else ()

    @property
    def void_marks(self) -> tuple[tuple[str, str], ...]:
        """(position, 填实 冲实 or 合实): natal branches in the void that the year fills, clashes or combines."""
        return void_marks(self.natal, self.pillar)

    @cached_property
    def warnings(self) -> tuple[BaziWarning, ...]:
        beyond = any(part.beyond for part in self.segments)
        return (
            (*self.own_warnings, BaziWarning("NO_LUCK_CYCLE", {"year": self.target_year}))
            if beyond
            else self.own_warnings
        )

    def head(self) -> dict[str, Any]:
        """How the object opens: versions, input and School with their digest."""
        return self.chart.head()


class Timing(NamedTuple):
    """An event of the year with the levels on which it fires (`liunian`, and `luck` or `liuyue`) and the months in
    which it comes again; `evidence` are the facts of the event on every level."""

    rule: str
    name: str
    levels: tuple[str, ...]
    months: tuple[int, ...]
    evidence: tuple[str, ...]


def timing(
    of_year: Sequence[YearEvent], of_luck: Sequence[YearEvent], months: Sequence[Month]
) -> tuple[Timing, ...]:
    """The events of the year that fire on another level too, in their order.

    A dynamic is none of them: what the luck made of it is there when the year comes.
    """
    luck = {event.key: event for event in of_luck if not event.is_dynamic}
    repeated: dict[str, list[tuple[int, YearEvent]]] = {}
    for month in months:
        for each in month.events:
            repeated.setdefault(each.key, []).append((month.number, each))
    found = []
    for event in of_year:
        key = event.key
        again, both = repeated.get(key, []), [luck[key]] if key in luck else []
        if not both and not again:
            continue
        levels = ("luck",) * bool(both) + ("liunian",) + ("liuyue",) * bool(again)
        evidence = (event.id, *(each.id for each in both), *(each.id for _, each in again))
        found.append(Timing(event.rule, event.name, levels, tuple(number for number, _ in again), evidence))
    return tuple(found)
