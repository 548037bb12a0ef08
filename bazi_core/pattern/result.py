"""PatternResult: pattern, strength and useful gods of one chart, read together.

A special structure is tried first and claimed only when all its conditions hold; otherwise the month gives the
pattern and the five methods give the useful god. Everything is a pure function of pillars, views and School.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.doubts import Doubt
from bazi_core.facts import Fact, closure, collect
from bazi_core.pattern.order import Regular, regular
from bazi_core.pattern.special import Special, sight, structures
from bazi_core.pattern.status import Standing, standing
from bazi_core.pattern.useful import Useful, decide, of_structure, undecided
from bazi_core.views.roots import root_share

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.chart import Chart
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.rare import Rare
    from bazi_core.pattern.relatives import Relative
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School
    from bazi_core.views.elements import Elements
    from bazi_core.views.strength import Strength

UNJUDGED = "未论"
# How often rules of this kind agree with the books: 70 of 74 patterns of 《子平真诠》, 16 of 22 structures claimed
# on 《滴天髓阐微》; a pattern beside which a structure fails by one condition stands between.
CONFIDENCE = {"正格": 0.95, "contested": 0.8, "变格": 0.73}


@dataclass(frozen=True)
class PatternResult:
    """What a chart means by the rules of the classics.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> result.name, result.strength.verdict, [element.value for element in result.useful_gods]
    ('七杀格', '身强', ['水', '火'])
    """

    chart: Chart = field(repr=False)
    regular: Regular | None
    special: Special | None
    close: tuple[Special, ...]
    standing: Standing | None
    useful: Useful
    teller: Callable[..., dict[str, Any]] | None = field(default=None, compare=False, repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), compare=False, repr=False)
    """About the objects that it was made from; like all warnings outside the digest."""

    @property
    def name(self) -> str:
        """`pattern_type`: the special structure if one is claimed, else the pattern of the month."""
        if self.special is not None:
            return self.special.name
        return self.regular.name if self.regular else UNJUDGED

    @property
    def category(self) -> str | None:
        return None if self.regular is None else "变格" if self.special else "正格"

    @property
    def confidence(self) -> float:
        if self.regular is None:
            return 0.0
        return CONFIDENCE["变格" if self.special else "contested" if self.close else "正格"]

    @property
    def useful_gods(self) -> tuple[Any, ...]:
        """The elements of 用神 and 喜神."""
        return self.useful.order[:2]

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of every element, by `Element.index`."""
        return self.useful.roles

    @property
    def pillars(self) -> FourPillars:
        return self.chart.pillars

    @property
    def school(self) -> School:
        return self.chart.school

    @property
    def gender(self) -> str | None:
        return self.chart.gender

    @property
    def elements(self) -> Elements:
        return self.chart.elements

    @property
    def strength(self) -> Strength | None:
        return self.chart.strength

    @cached_property
    def climate(self) -> Climate | None:
        """调候; None where the School makes no judgement."""
        from bazi_core.pattern.climate import climate

        return None if self.regular is None else climate(self.pillars, self.chart.roots)

    @cached_property
    def relatives(self) -> tuple[Relative, ...]:
        """六亲 by their stars."""
        from bazi_core.pattern.relatives import relatives

        return relatives(self.pillars, self.gender)

    @cached_property
    def rare(self) -> tuple[Rare, ...]:
        """Forms known by name only; they weigh nothing."""
        from bazi_core.pattern.rare import rare_forms

        return () if self.regular is None else rare_forms(self.pillars)

    @cached_property
    def warnings(self) -> tuple[Doubt, ...]:
        close = self.useful.votes and self.special is None and self.useful.confidence < 0.1
        if not close:
            return self.doubts
        first, second = (element.value for element in self.useful_gods)
        return (*self.doubts, Doubt("USEFUL_GOD_CLOSE", {"first": first, "second": second}))

    @cached_property
    def all_facts(self) -> dict[str, Fact]:
        """The facts of the chart and of the pattern."""
        from bazi_core.pattern.evidence import pattern_facts

        return {**self.chart.facts, **collect(pattern_facts(self))}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the pattern with all that they rest on."""
        from bazi_core.pattern.evidence import pattern_facts

        return closure([fact.id for fact in pattern_facts(self)], self.all_facts)

    @cached_property
    def digest(self) -> str:
        from bazi_core.facts import signature
        from bazi_core.pattern.object import members

        return signature(members(self), self.facts)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`pattern_result`, JSON-ready."""
        from bazi_core.pattern.object import pattern_result

        return pattern_result(self, facts, lang)

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        import json

        return json.dumps(self.to_dict(facts, lang), ensure_ascii=False, indent=indent)


def pattern(chart: Chart, teller: Callable[..., dict[str, Any]] | None = None) -> PatternResult:
    """The pattern of a chart; `judgement="facts"` names none."""
    if chart.strength is None:
        return PatternResult(chart, None, None, (), None, undecided(chart.day_master), teller)
    pillars, school = chart.pillars, chart.school
    seen = sight(pillars, chart.elements.shares, root_share(pillars, school))
    tried = list(structures(seen))
    claimed = next((each for each in tried if each.holds), None)
    close = tuple(each for each in tried if each is not claimed)
    order = regular(pillars, school)
    if claimed is not None:
        return PatternResult(chart, order, claimed, close, None, of_structure(claimed, seen), teller)
    strong = chart.strength.is_strong
    stands = standing(pillars, order, chart.relations, chart.roots, seen.g, strong)
    useful = decide(seen, strong, order.name, dict(school.yong_weights))
    return PatternResult(chart, order, None, close, stands, useful, teller)
