"""YearResult: one year before one chart, read through the roles that the pattern gave to the elements.

A pure function of pattern and year: nothing of the chart is computed again. The pillars of the year, of the luck and
of the months meet the chart; what they do to it by name are events, what they add are scores (《滴天髓·岁运》).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.doubts import Doubt
from bazi_core.errors import BirthRequired
from bazi_core.facts import Fact, basis_of, closure, collect
from bazi_core.luck.flows import flow_year
from bazi_core.year.carriers import carriers_of, rows_of, year_themes
from bazi_core.year.context import Completed, UsefulState, all_relations, completed, useful_state, void_marks
from bazi_core.year.events import YearEvent, events, strongest
from bazi_core.year.meeting import Meeting, Natal, hides
from bazi_core.year.months import Month, months
from bazi_core.year.points import Carrier, Row, Scores, scores
from bazi_core.year.rules import Theme, graded
from bazi_core.year.segments import Age, Segment, age_in, checked_year, longest, segments
from bazi_core.year.timing import Timing, timing

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.chart import Chart
    from bazi_core.luck.flows import Flow
    from bazi_core.pattern.result import PatternResult
    from bazi_core.views.relations import Relation


@dataclass(frozen=True)
class YearResult:
    """What a year brings to a chart.

    `main` is the longest segment: its luck is that of the events and relations. Scores run from 0 to 100, 50 is
    neutral; they are heuristics of this library and explained by their contributions.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> year.pillar, year.luck, [event.name for event in year.events][:2], len(year.months)
    (Pillar('丙午'), Pillar('甲申'), ['值太岁', '刑太岁'], 12)
    """

    pattern: PatternResult = field(repr=False)
    target_year: int
    flow: Flow = field(repr=False)
    age: Age
    segments: tuple[Segment, ...] = field(repr=False)
    natal: Natal = field(repr=False)
    relations: tuple[Relation, ...] = field(repr=False)
    events: tuple[YearEvent, ...] = field(repr=False)
    luck_events: tuple[YearEvent, ...] = field(repr=False)
    completed: tuple[Completed, ...] = field(repr=False)
    themes: tuple[Theme, ...] = field(repr=False)
    carriers: tuple[Carrier, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)
    scores: Scores = field(repr=False)
    months: tuple[Month, ...] = field(repr=False)
    timing: tuple[Timing, ...] = field(repr=False)
    useful_state: UsefulState = field(repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), compare=False, repr=False)
    """About the objects that it was made from; like all warnings outside the digest."""

    def __hash__(self) -> int:
        # Everything else follows from these two.
        return hash((self.pattern, self.target_year))

    @property
    def chart(self) -> Chart:
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
    def roots(self) -> tuple[str, ...]:
        """Positions of the natal branches in which the stem of the year is rooted."""
        return tuple(where for where, pillar in self.natal.places if hides(pillar, self.pillar.stem.element))

    @property
    def void_marks(self) -> tuple[tuple[str, str], ...]:
        """(position, 填实 冲实 or 合实): natal branches in the void that the year fills, clashes or combines."""
        return void_marks(self.natal, self.pillar)

    @cached_property
    def warnings(self) -> tuple[Doubt, ...]:
        beyond = any(part.beyond for part in self.segments)
        return (*self.doubts, Doubt("NO_LUCK_CYCLE", {"year": self.target_year})) if beyond else self.doubts

    @cached_property
    def _own_facts(self) -> dict[str, Fact]:
        from bazi_core.year.evidence import month_facts, year_facts

        in_full = self.chart.school.liuyue_detail == "full"
        return collect((*year_facts(self), *(month_facts(self) if in_full else ())))

    @cached_property
    def all_facts(self) -> dict[str, Fact]:
        """The facts of the chart, of the pattern and of the year, the ten gods of its months among them."""
        from bazi_core.year.evidence import month_facts

        return {**self.pattern.all_facts, **self._own_facts, **collect(month_facts(self))}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the object with all that they rest on."""
        return closure(self._own_facts, self.all_facts)

    def basis(self, fact_id: str) -> list[Fact]:
        """A fact and all that it rests on, nearest first."""
        return basis_of(fact_id, self.all_facts)

    def head(self) -> dict[str, Any]:
        """How the object opens: versions, input and School with their digest."""
        return self.chart.head()

    @cached_property
    def digest(self) -> str:
        from bazi_core.facts import signature
        from bazi_core.year.object import members

        return signature(members(self), self.facts)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`year_analysis_result`, JSON-ready."""
        from bazi_core.year.object import year_analysis_result

        return year_analysis_result(self, facts, lang)

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        """`year_analysis_result` as JSON text; without `indent` the canonical one, as short as it can be."""
        if indent is not None:
            import json

            return json.dumps(self.to_dict(facts, lang), ensure_ascii=False, indent=indent)
        from bazi_core.year.object import year_analysis_json

        return year_analysis_json(self, facts, lang)


def analyse(pattern: PatternResult, target_year: int) -> YearResult:
    """The year before a chart.

    `BIRTH_REQUIRED` without a gender or without the moment of birth, on which the luck of the year depends;
    `OUT_OF_RANGE` for a year that the term table does not hold, or that ended before the birth.
    """
    chart = pattern.chart
    luck, gender = chart.luck, pattern.gender
    if chart.birth is None or luck is None or gender is None:
        raise _not_dated(chart)
    year = checked_year(chart, target_year)
    flow, age = flow_year(chart.pillars, chart.school, year), age_in(chart, year)
    natal = Natal.of(chart.pillars, chart.school, gender, pattern.roles)
    return _analysed(pattern, flow, age, segments(luck, flow, age.nominal), natal)


def _not_dated(chart: Chart) -> BirthRequired:
    known = {"moment": chart.birth, "gender": chart.gender}
    missing = [name for name, value in known.items() if value is None]
    hints = {
        "gender": "give a gender: luck runs by it",
        "moment": "give the time of birth: pillars have no dates",
    }
    return BirthRequired(
        f"a year cannot be read without {' and '.join(missing)}",
        hint="; ".join(hints[name] for name in missing),
        missing=missing,
    )


def _analysed(
    pattern: PatternResult, flow: Flow, age: Age, parts: tuple[Segment, ...], natal: Natal
) -> YearResult:
    year = int(flow.label)
    own = Meeting("liunian", flow.pillar, natal, f"ln.{year}")
    luck = _luck(longest(parts), natal)
    prefix = f"ln.{year}.rel"
    of_year = events(own, f"yr.{year}", prefix, luck)
    of_luck = events(luck, luck.ground, prefix) if luck else ()
    themes = year_themes(natal, flow)
    carriers = tuple(carriers_of(natal, flow, parts))
    rows = tuple(row for row in rows_of(carriers, of_year, themes, f"yr.{year}") if row.points)
    found = scores(rows)
    of_months = months(natal, flow, found.overall)
    relations = all_relations(own, luck)
    return YearResult(
        pattern=pattern,
        target_year=year,
        flow=flow,
        age=age,
        segments=parts,
        natal=natal,
        relations=relations,
        events=of_year,
        luck_events=of_luck,
        completed=tuple(completed(relations, natal, prefix)),
        themes=tuple(dict.fromkeys(theme for _, both in themes for theme in both)),
        carriers=carriers,
        rows=rows,
        scores=found,
        months=of_months,
        timing=timing(of_year, of_luck, of_months),
        useful_state=useful_state(of_year),
    )


def _luck(part: Segment, natal: Natal) -> Meeting | None:
    if part.pillar is None or part.fact_id is None:
        return None
    return Meeting("luck", part.pillar, natal, part.fact_id, part.cycle is not None)
