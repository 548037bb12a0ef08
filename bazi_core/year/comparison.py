"""Years compared by one score: which is above which, under both readings of an open strength, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.year.reasons import Reason, named, ranks

if TYPE_CHECKING:
    from bazi_core.year.result import YearResult
    from bazi_core.year.span_value import YearsValue


class Compared(NamedTuple):
    """A year among others: rank and score, both also under the other reading of an open strength (else None), and the
    reasons that the others do not all share, the weightiest first."""

    year: int
    rank: int
    score: int
    other_rank: int | None
    other_score: int | None
    reasons: tuple[Reason, ...]
    evidence: tuple[str, ...]


class Comparison(NamedTuple):
    """Years compared by one score, best first; `shared` are the reasons that add the same to all of them."""

    domain: str
    ranked: tuple[Compared, ...]
    shared: tuple[Reason, ...]

    @property
    def best(self) -> tuple[int, ...]:
        """The year with the highest score, or those that share it."""
        return tuple(each.year for each in self.ranked if each.rank == 1)

    @property
    def is_tie(self) -> bool:
        """Whether all years have the same score."""
        return len(self.best) == len(self.ranked)

    @property
    def agrees(self) -> bool | None:
        """Whether both readings of an open strength put the same years first; None where there is one reading."""
        if self.ranked[0].other_rank is None:
            return None
        return all((each.rank == 1) == (each.other_rank == 1) for each in self.ranked)

    def to_dict(self) -> dict[str, Any]:
        return {
            "domain": self.domain,
            "best": list(self.best),
            "tie": self.is_tie,
            "agrees": self.agrees,
            "ranked": [self._entry(each) for each in self.ranked],
            "shared": [self._told(each) for each in self.shared],
        }

    def _entry(self, found: Compared) -> dict[str, Any]:
        told = [self._told(reason) for reason in found.reasons]
        return {**found._asdict(), "reasons": told, "evidence": list(found.evidence)}

    def _told(self, reason: Reason) -> dict[str, Any]:
        return {**named(reason), "points": reason.of(self.domain), "evidence": list(reason.evidence)}


def comparison(span: YearsValue, chosen: list[YearResult], domain: str) -> Comparison:
    """The comparison of years of a span by one score."""
    numbers = [each.target_year for each in chosen]
    points = [{each.key: each.of(domain) for each in span.reasons[number]} for number in numbers]
    alike = {
        key for key, value in points[0].items() if value and all(point.get(key) == value for point in points)
    }
    rank = ranks(each.scores.of(domain) for each in chosen)
    entries = [_compared(span, each, domain, rank(each.scores.of(domain)), alike) for each in chosen]
    if span.alternatives:
        other = ranks(entry.other_score or 0 for entry in entries)
        entries = [entry._replace(other_rank=other(entry.other_score or 0)) for entry in entries]
    shared = tuple(each for each in span.reasons[numbers[0]] if each.key in alike)
    return Comparison(domain, tuple(sorted(entries, key=lambda each: (each.rank, each.year))), shared)


def _compared(span: YearsValue, year: YearResult, domain: str, rank: int, alike: set[str]) -> Compared:
    number = year.target_year
    own = [each for each in span.reasons[number] if each.of(domain) and each.key not in alike]
    evidence = [f"yr.{number}.score.{domain}"]
    other = None
    if year.alternatives:
        other = year.alternatives[0].scores.of(domain)
        evidence.append(f"alt.yr.{number}.{domain}")
    weighed = tuple(sorted(own, key=lambda each: -abs(each.of(domain))))
    return Compared(number, rank, year.scores.of(domain), None, other, weighed, tuple(evidence))
