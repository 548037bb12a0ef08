"""PatternResult: pattern, strength and useful gods of one chart, read together.

A special structure is tried first and claimed only when all its conditions hold; otherwise the month gives the
pattern and the five methods give the useful god. Everything is a pure function of pillars, views and School.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import Fact, closure, collect, json_text, signature
from bazi_core.pattern.order import Regular, regular
from bazi_core.pattern.useful import certainty_of, decide, of_structure, undecided, useful_order
from bazi_core.pattern.value import UNJUDGED, PatternValue, Teller
from bazi_core.structures.class_shares import ClassShares, sight
from bazi_core.structures.special import Special, structures
from bazi_core.views.elements import class_shares, counted
from bazi_core.views.roots import root_share
from bazi_core.views.strength import is_strong, verdict, votes

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.chart import ChartValue
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School


class PatternResult(PatternValue):
    """The meaning of a chart by the rules of the classics.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> result.name, result.strength.verdict, [element.value for element in result.useful_gods]
    ('七杀格', '身强', ['水', '火'])
    """

    @cached_property
    def alternatives(self) -> tuple[PatternResult, ...]:
        """The decision under the other verdict where strength is open; a special structure does not ask for it.

        >>> import bazi_core as bz
        >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
        >>> [(other.strength.verdict, other.useful.order[0].value) for other in result.alternatives]
        [('身弱', '土')]
        """
        other = self.chart.otherwise if self.is_open else None
        return () if other is None else (pattern(other, self.teller),)

    @cached_property
    def _own_facts(self) -> dict[str, Fact]:
        from bazi_core.pattern.evidence import pattern_facts

        return collect(pattern_facts(self, self.alternatives))

    @cached_property
    def all_facts(self) -> dict[str, Fact]:
        """The facts of the chart and of the pattern."""
        return {**self.chart.facts, **self._own_facts}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the pattern with all that they rest on."""
        return closure(self._own_facts, self.all_facts)

    @cached_property
    def digest(self) -> str:
        from bazi_core.pattern.object import members

        return signature(members(self, self.alternatives), self.facts)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`pattern_result`, JSON-ready; without `facts` the digest is still that of the whole object.

        The digest covers neither the reading nor the facts of the chart that it alone cites; they are there all the same.
        """
        from bazi_core.pattern.object import members

        whole = {**members(self, self.alternatives), "digest": self.digest}
        whole["warnings"] = [doubt.to_dict(lang) for doubt in self.warnings]
        told = self._told(lang)
        for name in ("reading", "narrative", "provenance"):
            whole[name] = told.get(name)
        if "as_of" in told:
            whole["as_of"] = told["as_of"]
        if facts:
            own = {name: fact.to_dict() for name, fact in closure(self.facts, self.all_facts).items()}
            whole["facts"] = own | told.get("facts", {})
        return whole

    def _told(self, lang: str) -> dict[str, Any]:
        if self.reading is not None:
            return self.reading
        return self.teller.reading(self, lang) if self.teller else {}

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        """`pattern_result` as JSON text; without `indent` the canonical one."""
        return json_text(self.to_dict(facts, lang), indent)


def pattern(chart: ChartValue, teller: Teller | None = None) -> PatternResult:
    """The pattern of a chart; `judgement="facts"` names none."""
    if chart.strength is None:
        return PatternResult(chart, None, None, (), undecided(chart.day_master), teller)
    school, strength = chart.school, chart.strength
    seen, order, claimed, close = _decision(chart.pillars, school, chart.elements.shares)
    useful = (
        decide(seen, strength.is_strong, order.name, dict(school.yong_weights))
        if claimed is None
        else of_structure(claimed, seen)
    )
    sure = useful._replace(certainty=certainty_of(useful, strength.certainty))
    return PatternResult(chart, order, claimed, close, sure, teller)


class Judgement(NamedTuple):
    """The verdict on strength, the pattern by its name, and the elements from 用神 to 忌神."""

    strength: str
    pattern: str
    useful: tuple[Element, ...]


def judgement(pillars: FourPillars, school: School) -> Judgement:
    """The judgement on four pillars, without its grounds; nothing where the School makes none.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = judgement(FourPillars.parse("庚午 辛巳 庚辰 壬午"), School())
    >>> found.strength, found.pattern, "".join(element.value for element in found.useful)
    ('身强', '七杀格', '水火木金土')
    """
    if school.judgement == "facts":
        return Judgement("", UNJUDGED, ())
    shares = class_shares(pillars, school)
    strong = is_strong(votes(pillars, counted(pillars), shares), school.strength_method)
    seen, order, claimed, _ = _decision(pillars, school, shares)
    if claimed is not None:
        return Judgement(verdict(strong), claimed.name, of_structure(claimed, seen).order)
    useful = useful_order(seen, strong, order.name, dict(school.yong_weights))
    return Judgement(verdict(strong), order.name, useful)


def _decision(
    pillars: FourPillars, school: School, shares: tuple[float, ...]
) -> tuple[ClassShares, Regular, Special | None, tuple[Special, ...]]:
    """The shares by class, the pattern of the month, the structure that is claimed, and those beside it."""
    seen = sight(pillars, shares, root_share(pillars, school))
    tried = [] if school.special_structures == "ignored" else list(structures(seen))
    claimed = next((each for each in tried if each.holds), None)
    close = tuple(each for each in tried if each is not claimed)
    return seen, regular(pillars, school), claimed, close
