"""Scores: 50, and what the rows add to it.

A row is what one carrier's role, one event or one ten god adds to one or more scores. The luck gives its branch more
weight, the year its stem (《滴天髓·岁运》); a role counts in full towards the overall score and half towards each domain.
The rows are the whole explanation: 50 and their sum, kept within 0 and 100, is the score.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.year.rules import DOMAINS, OVERALL, carrier_tenths, half_even, number, role_points, tenths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.alphabet import Branch, Stem
    from bazi_core.year.events import YearEvent
    from bazi_core.year.rules import Points, Theme


class Carrier(NamedTuple):
    """A stem or branch of the luck or the year, with the role of its element.

    `seat` is `luck` or `year`, `part` `stem` or `branch`, `place` luck, minor or liunian, `ground` the fact of its
    pillar. It acts for `part_s` of `whole_s` seconds; `number` counts the lucks of the year. The year may clash with the
    branch of a 大运 (`is_clashed`).
    """

    seat: str
    part: str
    sign: Stem | Branch
    role: str
    place: str
    ground: str
    part_s: int = 1
    whole_s: int = 1
    number: int = 1
    is_clashed: bool = False

    @property
    def name(self) -> str:
        """The name of its row: `year-stem`, `luck-branch`, `luck-branch-2`."""
        return f"{self.seat}-{self.part}" + (f"-{self.number}" if self.number > 1 else "")

    @property
    def role_id(self) -> str:
        """The fact of its role."""
        return f"{self.ground}.role.{self.part}"


class PointsRow(NamedTuple):
    """The points that one rule adds to the scores, by domain; never more than the cap.

    `evidence` are the facts that state it: one for all domains, or one for each.
    """

    name: str
    points: Points
    evidence: tuple[str, ...]

    def fact_id(self, at: int) -> str:
        return self.evidence[min(at, len(self.evidence) - 1)]


class Contribution(NamedTuple):
    """One addition to one score; `rule` is the name of its row, `evidence` the fact that states it."""

    rule: str
    points: int
    domain: str
    evidence: tuple[str, ...]


class Scores(NamedTuple):
    """The scores of a year, 0–100 with 50 as neutral, and the capped rows that make them."""

    overall: int
    domains: dict[str, int]
    rows: tuple[PointsRow, ...]

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """Every addition to every score."""
        return tuple(
            Contribution(row.name, points, domain, (row.fact_id(at),))
            for row in self.rows
            for at, (domain, points) in enumerate(row.points)
        )

    def of(self, domain: str) -> int:
        return self.overall if domain == OVERALL else self.domains[domain]


def role_row(carrier: Carrier, prefix: str) -> PointsRow:
    """The row of a carrier: the points of its role × its share, × the part of the year in which it acts."""
    weight = f"{carrier.seat}_{carrier.part}"
    # 战冲视其孰降: a branch of the luck that helps is held by the clash before it counts (《滴天髓·岁运》).
    held = carrier.is_clashed and role_points(carrier.role) > 0
    own, half = role_share(
        carrier.role, weight, carrier.part_s, carrier.whole_s, tenths("clashed") if held else 10
    )
    return PointsRow(
        carrier.name, ((OVERALL, own), *((domain, half) for domain in DOMAINS)), (f"{prefix}.{carrier.name}",)
    )


@lru_cache(maxsize=1 << 10)
def role_share(role: str, weight: str, part_s: int = 1, whole_s: int = 1, held: int = 10) -> tuple[int, int]:
    """The points of a role for the overall score and each domain (cached: months ask the same again); `held` is what a
    clash leaves of it, in tenths."""
    whole = role_points(role) * carrier_tenths(weight) * part_s * held
    return half_even(whole, 100 * whole_s), half_even(whole, 200 * whole_s)


def event_row(event: YearEvent) -> PointsRow:
    return PointsRow(event.key, event.points, (event.id,))


def theme_row(part: str, themes: Iterable[Theme], prefix: str) -> PointsRow:
    """The row of a ten god; that of the branch counts half."""
    points = tuple((theme.domain, half_even(theme.points, 2 if part == "branch" else 1)) for theme in themes)
    return PointsRow(f"theme-{part}", points, tuple(theme.fact_id(prefix) for theme in themes))


def capped(row: PointsRow) -> PointsRow:
    """The row within the cap, without what adds nothing."""
    most = number("cap")
    if all(each and -most <= each <= most for _, each in row.points):
        return row
    kept, facts = list[tuple[str, int]](), list[str]()
    for at, (domain, each) in enumerate(row.points):
        if each:
            kept.append((domain, max(-most, min(most, each))))
            facts.append(row.fact_id(at))
    return PointsRow(row.name, tuple(kept), tuple(facts))


def cap(points: int) -> int:
    most = number("cap")
    return max(-most, min(most, points))


def scores(rows: tuple[PointsRow, ...]) -> Scores:
    """The scores of capped rows."""
    sums = dict.fromkeys((OVERALL, *DOMAINS), number("base"))
    for row in rows:
        for domain, points in row.points:
            sums[domain] += points
    found = {domain: clipped(total) for domain, total in sums.items()}
    return Scores(found.pop(OVERALL), found, rows)


def clipped(score: int) -> int:
    return max(0, min(100, score))


def month_score(overall: int, added: int) -> int:
    """Half of what the year has beyond the neutral score, and half of what the month's own pillar adds."""
    base = number("base")
    return clipped(half_even(2 * base + overall - base + added, 2))
