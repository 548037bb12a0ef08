"""YearsResult: years side by side, what ranks them in each domain, and why one is above another.

Nothing is judged anew: every year is the `YearResult` of the chart, and what is said of several is counted from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.errors import InvalidInput, OutOfRange, known, shown
from bazi_core.facts import Fact, basis_of, closure, collect, json_text
from bazi_core.tables.sentences import Said
from bazi_core.year.comparison import Comparison, comparison
from bazi_core.year.result import analysed, not_dated
from bazi_core.year.rules import OVERALL
from bazi_core.year.segments import checked_year
from bazi_core.year.span_value import SCORES, YearsValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bazi_core.pattern.result import PatternResult

MOST_YEARS = 120
# What a reading adds to the object.
TOLD = ("reading", "narrative", "provenance")


@dataclass(frozen=True, repr=False)
class YearsResult(YearsValue):
    """Years of one chart side by side, first and last among them.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> [(each.target_year, each.scores.overall) for each in span.years][:3]
    [(2026, 52), (2027, 47), (2028, 39)]
    >>> span.ranking("overall").highest, span.ranking("overall").places[1]
    (YearRank(rank=1, score=68, years=(2032,)), YearRank(rank=2, score=52, years=(2026,)))
    >>> [(each.year, each.score) for each in span.compare("career", (2026, 2028)).ranked]
    [(2026, 60), (2028, 37)]
    """

    __hash__ = YearsValue.__hash__

    def compare(self, domain: str = OVERALL, years: Iterable[int] | None = None) -> Comparison:
        """These years, or all, by one score, with the reasons that differ.

        `UNKNOWN_OPTION` for a domain that is none, `OUT_OF_RANGE` for a year that is not here, `INVALID_INPUT` for
        fewer than two years.

        >>> import bazi_core as bz
        >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
        >>> found = span.compare("wealth", (2028, 2032))
        >>> found.best, [(each.name, each.of("wealth")) for each in found.ranked[0].reasons], found.agrees
        ((2032,), [('壬', 4), ('子', 3), ('食神', 2), ('伤官', 2)], False)
        """
        known("domain", domain, SCORES)
        chosen = [
            self.year(each) for each in dict.fromkeys(_listed(years) or range(self.first, self.last + 1))
        ]
        if len(chosen) < 2:
            raise InvalidInput(Said("years_two"), given=[each.target_year for each in chosen])
        return comparison(self, chosen, domain)

    @cached_property
    def all_facts(self) -> dict[str, Fact]:
        """The facts of the chart, of the pattern, of the years, and those of the years together."""
        from bazi_core.year.span_evidence import span_facts

        found: dict[str, Fact] = {}
        for year in self.years:
            # What is said of a luck rests on the relations of the first year in which it runs.
            found = {**year.all_facts, **found}
        return found | collect(span_facts(self))

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts that the object cites, with all that they rest on."""
        from bazi_core.year.span_object import cited, members

        return closure(cited(members(self)), self.all_facts)

    def basis(self, fact_id: str) -> list[Fact]:
        """A fact and all that it rests on, nearest first."""
        return basis_of(fact_id, self.all_facts)

    @cached_property
    def digest(self) -> str:
        from bazi_core.facts import signature
        from bazi_core.year.span_object import members

        return signature(members(self), self.facts)

    def to_dict(
        self,
        facts: bool = False,
        lang: str = "zh-Hans",
        comparison: Comparison | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """`years_result`, JSON-ready; its facts, a comparison and a reading only when they are asked for.

        A `reading` is the `to_dict()` of what `bz.read` gives of these years.
        """
        from bazi_core.year.span_object import members

        whole = {**members(self), "digest": self.digest}
        whole["warnings"] = [doubt.to_dict(lang) for doubt in self.warnings]
        if comparison is not None:
            whole["comparison"] = comparison.to_dict()
        told = dict(reading or {})
        cited = told.pop("facts", {})
        whole |= {name: told[name] for name in TOLD if name in told}
        if facts:
            whole["facts"] = {name: fact.to_dict() for name, fact in self.facts.items()} | cited
        return whole

    def to_json(
        self,
        facts: bool = False,
        lang: str = "zh-Hans",
        indent: int | None = None,
        comparison: Comparison | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> str:
        """`years_result` as JSON text; without `indent` the canonical one."""
        return json_text(self.to_dict(facts, lang, comparison, reading), indent)


def side_by_side(pattern: PatternResult, first: int, last: int) -> YearsResult:
    """The years from the first to the last before a chart.

    Errors are those of `analyse` for either; `INVALID_INPUT` where the last lies before the first, `OUT_OF_RANGE` for
    more than 120 years.
    """
    chart = pattern.chart
    if chart.birth is None or chart.luck is None:
        raise not_dated(chart)
    first, last = checked_year(chart, first), checked_year(chart, last)
    if last < first:
        raise InvalidInput(
            Said("years_order", first=first, last=last), hint=Said("years_order_hint"), given=last
        )
    count = last - first + 1
    if count > MOST_YEARS:
        message = Said("years_many", count=count, most=MOST_YEARS)
        raise OutOfRange(message, quantity="years", first=1, last=MOST_YEARS, given=count)
    return YearsResult(pattern, first, last, analysed(pattern, range(first, last + 1)))


def _listed(years: Iterable[int] | None) -> list[int]:
    """The years that are named; no more of them are looked at than there can be."""
    if years is None:
        return []
    try:
        found = [each for each, _ in zip(years, range(MOST_YEARS + 1), strict=False)]
    except TypeError:
        raise InvalidInput(Said("year_whole", year=shown(years)), given=shown(years)) from None
    if not found:
        raise InvalidInput(Said("years_two"), given=[])
    return found
