"""The facts of years together: which is highest and lowest, what raises and lowers most, the other reading."""

from __future__ import annotations

from collections.abc import Iterator

from bazi_core.facts import Fact
from bazi_core.wording import FactPhrase
from bazi_core.year.evidence import otherwise
from bazi_core.year.reasons import CARRIER, DYNAMIC, Reason
from bazi_core.year.span_value import Cause, Ranking, YearRank, YearsValue, prefix


def span_facts(span: YearsValue) -> Iterator[Fact]:
    """The facts of years together, of one alone none but the other reading; those of each year are its own."""
    for year in span.years:
        yield from otherwise(year, year.alternatives)
    if span.first == span.last:
        return
    for ranking in span.rankings:
        yield from _ends(span, ranking)
        for cause in (*ranking.raises, *ranking.lowers):
            yield _sum(span, ranking.domain, cause)


def _ends(span: YearsValue, ranking: Ranking) -> Iterator[Fact]:
    if ranking.is_level:
        yield _end(span, ranking.domain, "level", ranking.highest)
        return
    yield _end(span, ranking.domain, "highest", ranking.highest)
    yield _end(span, ranking.domain, "lowest", ranking.lowest)


def _end(span: YearsValue, domain: str, which: str, place: YearRank) -> Fact:
    years = () if which == "level" else (place.years,)
    return Fact(
        f"{prefix(span)}.{domain}.{which}", "score", prefix(span)[4:], domain, place.score, f"span.{which}",
        (span.first, span.last, domain, *years, place.score), None,
        tuple(f"yr.{year.target_year}.score.{domain}" for year in span.years), "R-YR-4", "DTS.岁运",
    )  # fmt: skip


def _sum(span: YearsValue, domain: str, cause: Cause) -> Fact:
    years = tuple(year for year, _ in cause.years)
    values = (span.first, span.last, phrase(cause.reason), years, (domain, cause.points))
    return Fact(
        cause.fact_id, "contribution", prefix(span)[4:], domain, cause.points, "span.adds", values, None,
        cause.evidence, "R-YR-4", "DTS.岁运",
    )  # fmt: skip


def phrase(reason: Reason) -> FactPhrase:
    """A reason in words that are the same in every year."""
    if reason.kind == CARRIER:
        return FactPhrase(f"span.{reason.part}", (reason.place, reason.name, reason.role))
    if reason.kind == DYNAMIC:
        return FactPhrase("span.dynamic", (reason.name, reason.change))
    return FactPhrase(f"span.{reason.kind}", (reason.name,))
