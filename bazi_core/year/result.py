"""YearResult: one year before one chart, read through the roles that the pattern gave to the elements.

A pure function of pattern and year: nothing of the chart is computed again. The pillars of the year, of the luck and
of the months meet the chart; what they do to it by name are events, what they add are scores (《滴天髓·岁运》).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.errors import BirthRequired
from bazi_core.facts import Fact, basis_of, closure, collect, json_text, signature, signed_json
from bazi_core.luck.flows import Flow, flow_year
from bazi_core.tables.sentences import Listed, Said
from bazi_core.year.context import useful_state
from bazi_core.year.events import YearEvent, events
from bazi_core.year.meeting import Meeting, Natal
from bazi_core.year.points import Carrier, PointsRow, capped, event_row, role_row, scores, theme_row
from bazi_core.year.rules import Theme, side_of, themes_of
from bazi_core.year.segments import Segment, age_in, checked_year, longest, segments
from bazi_core.year.value import YearValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.alphabet import Pillar
    from bazi_core.chart import ChartValue
    from bazi_core.luck.years import Age
    from bazi_core.pattern.dynamics import Company
    from bazi_core.pattern.result import PatternResult

    Themes = tuple[tuple[str, tuple[Theme, ...]], ...]


class YearResult(YearValue):
    """The judgement of a year for a chart.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> year.pillar, year.luck, [event.name for event in year.events][:2], len(year.months)
    (Pillar('丙午'), Pillar('甲申'), ['值太岁', '刑太岁'], 12)
    """

    @cached_property
    def alternatives(self) -> tuple[YearResult, ...]:
        """The year under the other verdict on strength, where that is open.

        >>> import bazi_core as bz
        >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
        >>> year.scores.overall, [other.scores.overall for other in year.alternatives]
        (52, [43])
        """
        return tuple(
            _analysed(other, self.flow, self.age, self.segments, _natal(other))
            for other in self.pattern.alternatives
        )

    @cached_property
    def _own_facts(self) -> dict[str, Fact]:
        from bazi_core.year.evidence import month_facts, year_facts

        in_full = self.chart.school.liuyue_detail == "full"
        return collect((*year_facts(self, self.alternatives), *(month_facts(self) if in_full else ())))

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

    def to_context(self, lang: str = "zh-Hans") -> str:
        """The year in at most 1,500 characters, a true statement a line, for a model that writes freely.

        >>> import bazi_core as bz
        >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
        >>> len(year.to_context()) <= 1500, "丙午" in year.to_context()
        (True, True)
        """
        teller = self.pattern.teller
        return teller.context(self, lang) if teller else ""

    @cached_property
    def digest(self) -> str:
        from bazi_core.year.object import members

        return signature(members(self, self.alternatives), self.facts)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`year_analysis_result`, JSON-ready; without `facts` the digest is still that of the whole object."""
        from bazi_core.year.object import members

        whole = {**members(self, self.alternatives), "digest": self.digest, **self._beside(lang)}
        if facts:
            whole["facts"] = {name: fact.to_dict() for name, fact in self.facts.items()}
        return whole

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        """`year_analysis_result` as JSON text; without `indent` the canonical one, as short as it can be."""
        if indent is not None:
            return json_text(self.to_dict(facts, lang), indent)
        from bazi_core.year.object import members

        return signed_json(members(self, self.alternatives), self.facts, self._beside(lang), facts)

    def _beside(self, lang: str) -> dict[str, Any]:
        """The members that no digest covers."""
        return {"warnings": [doubt.to_dict(lang) for doubt in self.warnings]}


def analyse(pattern: PatternResult, target_year: int) -> YearResult:
    """The year before a chart.

    `BIRTH_REQUIRED` without a gender or without the moment of birth, on which the luck of the year depends;
    `OUT_OF_RANGE` for a year that the term table does not hold, or that ended before the birth.
    """
    chart = pattern.chart
    if chart.birth is None or chart.luck is None or pattern.gender is None:
        raise not_dated(chart)
    return analysed(pattern, [checked_year(chart, target_year)])[0]


def analysed(pattern: PatternResult, years: Iterable[int]) -> tuple[YearResult, ...]:
    """The years before a chart with gender and moment of birth; years that `checked_year` lets pass."""
    chart, luck, natal = pattern.chart, pattern.chart.luck, _natal(pattern)
    assert luck is not None
    edges, found = luck.edges, []
    for year in years:
        flow, age = flow_year(chart.pillars, chart.school, year), age_in(chart, year)
        found.append(_analysed(pattern, flow, age, segments(luck, edges, flow, age.nominal), natal))
    return tuple(found)


def _natal(pattern: PatternResult) -> Natal:
    chart, gender = pattern.chart, pattern.gender
    assert gender is not None
    return Natal.of(chart.pillars, chart.school, gender, pattern.roles)


def not_dated(chart: ChartValue) -> BirthRequired:
    """The error of a chart without the gender or the moment on which luck depends."""
    known = {"moment": chart.birth, "gender": chart.gender}
    missing = [name for name, value in known.items() if value is None]
    hints = {"gender": Said("year_needs_gender"), "moment": Said("year_needs_moment")}
    return BirthRequired(
        Said("year_needs", missing=Listed(missing, " and ")),
        hint=Listed((hints[name] for name in missing), "; "),
        missing=missing,
    )


def _analysed(
    pattern: PatternResult, flow: Flow, age: Age, parts: tuple[Segment, ...], natal: Natal
) -> YearResult:
    year = int(flow.label)
    own = Meeting("liunian", flow.pillar, natal, f"ln.{year}", company=pattern.company)
    luck = _luck(longest(parts), natal, pattern.company)
    of_year = events(own, f"yr.{year}", f"ln.{year}.rel", luck)
    themes = year_themes(natal, flow)
    carriers = tuple(carriers_of(natal, flow, parts))
    rows = tuple(row for row in rows_of(carriers, of_year, themes, f"yr.{year}") if row.points)
    return YearResult(
        pattern=pattern,
        target_year=year,
        flow=flow,
        age=age,
        segments=parts,
        meeting=own,
        luck_meeting=luck,
        events=of_year,
        themes=tuple(dict.fromkeys(theme for _, both in themes for theme in both)),
        carriers=carriers,
        rows=rows,
        scores=scores(rows),
        useful_state=useful_state(of_year),
    )


def _luck(part: Segment, natal: Natal, company: Company | None) -> Meeting | None:
    if part.pillar is None or part.fact_id is None:
        return None
    return Meeting("luck", part.pillar, natal, part.fact_id, part.cycle is not None, company)


def carriers_of(natal: Natal, flow: Flow, parts: tuple[Segment, ...]) -> Iterator[Carrier]:
    """Stem and branch of every luck in the year, for the time it runs, and of the year."""
    whole = sum(part.seconds for part in parts)
    lucks = [part for part in parts if part.pillar is not None]
    for number, part in enumerate(lucks, 1):
        assert part.pillar is not None
        for carrier in _of_pillar(natal, "luck", part.pillar, part.place, part.fact_id or ""):
            clashed = (
                carrier.part == "branch"
                and part.cycle is not None
                and flow.pillar.branch is part.pillar.branch.clash
            )
            yield carrier._replace(part_s=part.seconds, whole_s=whole, number=number, is_clashed=clashed)
    yield from _of_pillar(natal, "year", flow.pillar, "liunian", f"ln.{flow.label}")


def _of_pillar(natal: Natal, seat: str, pillar: Pillar, place: str, ground: str) -> Iterator[Carrier]:
    for part, sign in (("stem", pillar.stem), ("branch", pillar.branch)):
        yield Carrier(seat, part, sign, natal.role(sign.element), place, ground)


def year_themes(natal: Natal, flow: Flow) -> Themes:
    """The themes of the year's stem and of the main qi of its branch."""
    return tuple(
        (part, themes_of(god, side_of(natal.role(getattr(flow.pillar, part).element)), natal.gender))
        for part, god in flow.marks.ten_gods.items()
    )


def rows_of(
    carriers: tuple[Carrier, ...], found: tuple[YearEvent, ...], themes: Themes, prefix: str
) -> Iterator[PointsRow]:
    """All that adds to the scores: carriers, events, ten gods."""
    for carrier in carriers:
        yield capped(role_row(carrier, prefix))
    for event in found:
        yield capped(event_row(event))
    for part, of_part in themes:
        yield capped(theme_row(part, of_part, prefix))
