"""YearsValue: what was counted of years side by side.

`YearsResult` adds what is made from it: comparisons, facts and objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bazi_core.errors import InvalidInput, OutOfRange, known, shown
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import pictured, printed, shown_in_notebook
from bazi_core.year.reasons import Reason, ranks, reasons
from bazi_core.year.rules import DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from bazi_core.chart import ChartValue
    from bazi_core.luck.decades import LuckCycle
    from bazi_core.pattern.result import PatternResult
    from bazi_core.warnings import BaziWarning
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult
    from bazi_core.year.segments import Segment

SCORES = (OVERALL, *DOMAINS)
# Of what raises and what lowers a score over the years so many ranks are listed; equal ones share a rank.
_LISTED = 3


class Band(NamedTuple):
    """A part of the span under one luck.

    `kind` is dayun, xiaoyun (before the first 大运; each year has its own), before (no luck is known yet), uncertain
    (the unknown hour leaves open which runs) or beyond (after the tenth). `dynamics` are what the 大运 completes and
    breaks of what the ten gods do to each other.
    """

    kind: str
    start: datetime
    end: datetime
    cycle: LuckCycle | None = None
    dynamics: tuple[YearEvent, ...] = ()

    @property
    def fact_id(self) -> str | None:
        return None if self.cycle is None else f"dy.{self.cycle.index + 1}"


class YearRank(NamedTuple):
    """A rank with its score and the years that share it."""

    rank: int
    score: int
    years: tuple[int, ...]


class Cause(NamedTuple):
    """One reason over all years: what it adds to one score in sum (`points`), and in which `years` how much.

    `evidence` are the facts of these years, `fact_id` the fact of the sum.
    """

    rank: int
    reason: Reason
    points: int
    years: tuple[tuple[int, int], ...]
    evidence: tuple[str, ...]
    fact_id: str


class Besides(NamedTuple):
    """Causes beyond those that are listed: how many, and their points in sum."""

    causes: int
    points: int


class Ranking(NamedTuple):
    """The years by one score, best first, with what raises and what lowers it most over all of them.

    `evidence` are the facts of the highest and of the lowest years; what else raises or lowers it is counted and summed.
    """

    domain: str
    places: tuple[YearRank, ...]
    raises: tuple[Cause, ...]
    lowers: tuple[Cause, ...]
    evidence: tuple[str, ...]
    raises_besides: Besides
    lowers_besides: Besides

    @property
    def highest(self) -> YearRank:
        return self.places[0]

    @property
    def lowest(self) -> YearRank:
        return self.places[-1]

    @property
    def is_level(self) -> bool:
        """Whether all years have the same score."""
        return len(self.places) == 1


@dataclass(frozen=True)
class YearsValue:
    """Years of one chart side by side, first and last among them."""

    pattern: PatternResult = field(repr=False)
    first: int
    last: int
    years: tuple[YearResult, ...] = field(repr=False)

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        return f"<YearsResult {self.first}-{self.last}: {self.chart.pillars}>"

    def __hash__(self) -> int:
        # Everything else follows from these.
        return hash((self.pattern, self.first, self.last))

    def svg(
        self, lang: str = "zh-Hans", theme: str = "light", domain: str = OVERALL, here: int | None = None
    ) -> str:
        """A score over the years as a picture, under the luck that runs; `here` is a year to point out."""
        return pictured(self, lang, theme, domain=domain, here=here)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return shown_in_notebook(self)

    @property
    def chart(self) -> ChartValue:
        return self.pattern.chart

    def year(self, number: int) -> YearResult:
        """One of the years; `OUT_OF_RANGE` for another."""
        if not isinstance(number, int) or isinstance(number, bool):
            raise InvalidInput(Said("year_whole", year=shown(number)), given=shown(number))
        if not self.first <= number <= self.last:
            message = Said("outside_target", year=shown(number), first=self.first, last=self.last)
            raise OutOfRange(message, quantity="year", first=self.first, last=self.last, given=number)
        return self.years[number - self.first]

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """The luck that runs; the bands partition the span."""
        return tuple(_bands(self.years))

    @cached_property
    def reasons(self) -> dict[int, tuple[Reason, ...]]:
        """The reasons of the scores of each year."""
        return {year.target_year: reasons(year) for year in self.years}

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """The years by the overall score, then by each domain."""
        return tuple(map(self.ranking, SCORES))

    def ranking(self, domain: str = OVERALL) -> Ranking:
        """The years by one score."""
        if domain not in self._ranked:
            known("domain", domain, SCORES)
            self._ranked[domain] = self._ranking(domain)
        return self._ranked[domain]

    @cached_property
    def _ranked(self) -> dict[str, Ranking]:
        """The rankings that were asked for."""
        return {}

    def places(self, domain: str) -> tuple[YearRank, ...]:
        """The ranks of the years by one score, best first."""
        scores = {each.target_year: each.scores.of(domain) for each in self.years}
        rank = ranks(scores.values())
        return tuple(
            YearRank(rank(score), score, tuple(year for year, own in scores.items() if own == score))
            for score in sorted({*scores.values()}, reverse=True)
        )

    @cached_property
    def alternatives(self) -> tuple[Self, ...]:
        """The years under the other verdict on strength, where that is open."""
        turned = zip(*(year.alternatives for year in self.years), strict=True)
        return tuple(replace(self, pattern=found[0].pattern, years=found) for found in turned)

    @cached_property
    def warnings(self) -> tuple[BaziWarning, ...]:
        """The warnings of the years, of each kind the first."""
        found: dict[str, BaziWarning] = {}
        for year in self.years:
            for doubt in year.warnings:
                found.setdefault(doubt.code, doubt)
        return tuple(found.values())

    def head(self) -> dict[str, Any]:
        """How the object opens: versions, input and School with their digest."""
        return self.chart.head()

    def _ranking(self, domain: str) -> Ranking:
        places = self.places(domain)
        causes = [*_causes(self, domain)]
        up, down = ([cause for cause in causes if cause.points * sign > 0] for sign in (1, -1))
        raises, lowers = _first(up), _first(down)
        besides = (_besides(up, raises), _besides(down, lowers))
        return Ranking(domain, places, raises, lowers, tuple(_ends(self, domain, len(places))), *besides)


def _bands(years: tuple[YearResult, ...]) -> Iterator[Band]:
    found: list[Band] = []
    # What a luck does is the same in every year of which it is the main one.
    told: set[int] = set()
    for year in years:
        for part in year.segments:
            own = Band(_kind(part), part.start, part.end, part.cycle)
            if found and (found[-1].kind, found[-1].cycle) == (own.kind, own.cycle):
                own = found.pop()._replace(end=part.end)
            if part.cycle and part == year.main and part.cycle.index not in told:
                told.add(part.cycle.index)
                own = own._replace(dynamics=tuple(each for each in year.luck_events if each.is_dynamic))
            found.append(own)
    yield from found


def _kind(part: Segment) -> str:
    if part.cycle is not None:
        return "dayun"
    if part.minor is not None:
        return "xiaoyun"
    return "uncertain" if part.uncertain else "beyond" if part.beyond else "before"


def _causes(span: YearsValue, domain: str) -> Iterator[Cause]:
    """The causes of a score in any of the years, summed over them; the rank is found by `_first`."""
    found: dict[str, list[tuple[int, Reason]]] = {}
    for year, of_year in span.reasons.items():
        for each in of_year:
            if each.of(domain):
                found.setdefault(each.key, []).append((year, each))
    for key, uses in found.items():
        years = tuple((year, each.of(domain)) for year, each in uses)
        evidence = tuple(dict.fromkeys(name for _, each in uses for name in each.evidence))
        total = sum(points for _, points in years)
        yield Cause(0, uses[0][1], total, years, evidence, f"{prefix(span)}.{domain}.{key}")


def prefix(span: YearsValue) -> str:
    """How the ids of the facts begin that speak of several years."""
    return f"yrs.{span.first}-{span.last}"


def _ends(span: YearsValue, domain: str, places: int) -> Iterator[str]:
    """The facts of the highest and the lowest; where all are equal there is one, and a year alone is its own."""
    if span.first == span.last:
        yield f"yr.{span.first}.score.{domain}"
        return
    for end in ("highest", "lowest") if places > 1 else ("level",):
        yield f"{prefix(span)}.{domain}.{end}"


def _besides(causes: list[Cause], listed: tuple[Cause, ...]) -> Besides:
    points = sum(cause.points for cause in causes) - sum(each.points for each in listed)
    return Besides(len(causes) - len(listed), points)


def _first(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """The weightiest, by rank."""
    found = sorted(causes, key=lambda each: -abs(each.points))
    rank = ranks(abs(each.points) for each in found)
    ranked = (each._replace(rank=rank(abs(each.points))) for each in found)
    return tuple(each for each in ranked if each.rank <= _LISTED)
