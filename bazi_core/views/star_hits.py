"""Look-ups that find the stars of one chart in microseconds, and the hits they give.

A School's stars are compiled once into a map from (reading of the chart, reading of a pillar) to the marks of all stars
there. It is built from the tables of `star_masks` and gives the same result for every chart.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import Any, NamedTuple

from bazi_core.pillars import POSITIONS, FourPillars
from bazi_core.views.star_form import ALL, StarRule, reading, readings, size

Mark = tuple[int, int]


class StarHit(NamedTuple):
    """A star and the pillars at which it stands.

    `anchor` names what it was found by (comma separated; empty where the pillars themselves make it), `variant` the
    reading that was chosen in the place of the first. `agreement` counts other codings with the same table; none
    means that a second source is needed. `grounds` are, for each position, the leaf facts on which it rests.
    """

    name: str
    nature: str
    positions: tuple[str, ...]
    anchor: str
    variant: str | None
    agreement: int
    second_source_needed: bool
    grounds: tuple[tuple[str, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "nature": self.nature,
            "positions": list(self.positions),
            "anchor": self.anchor,
            "variant": self.variant,
            "agreement": self.agreement,
            "second_source_needed": self.second_source_needed,
            "evidence_ids": [f"star.{self.name}.{position}" for position in self.positions],
        }


class Star(NamedTuple):
    """A star as a School reads it."""

    name: str
    nature: str
    variant: str | None
    agreement: int
    rules: tuple[StarRule, ...]


class Finder:
    """Look-ups for charts of one shape: (reading of the chart, reading of a pillar) → marks of stars.

    A mark is the number of a star and a bit: four bits for each of its rules, one for each position.
    """

    def __init__(self, stars: tuple[Star, ...], known: int, gender: bool) -> None:
        self.joint: list[tuple[int, ...]] = []
        self.hits = _Hits(stars)
        cells: dict[tuple[tuple[int, ...], int], list[tuple[Mark, ...]]] = {}
        for number, star in enumerate(stars):
            for place, rule in enumerate(star.rules):
                bearers = rule.bearers(known) if rule.askable(known, gender) else ()
                for position in bearers:
                    key = rule.reads, reading(position, rule.own)
                    marks = cells.setdefault(key, [()] * len(rule.table.cells))
                    _add((number, 1 << (4 * place + position)), rule, marks)
        self.steps = [
            (self._index_of(reads, known), size(own), own, marks) for (reads, own), marks in cells.items()
        ]

    def _index_of(self, reads: tuple[int, ...], known: int) -> int:
        """Index, in the vector, of the readings of a rule; several are joined to one, appended to those of the chart."""
        if len(reads) == 1:
            return reads[0]
        if reads not in self.joint:
            self.joint.append(reads)
        return reading(known, 0) + self.joint.index(reads)

    def find(self, pillars: FourPillars, gender: int) -> tuple[StarHit, ...]:
        """The hits of a chart."""
        vector = [gender]
        for pillar in pillars:
            if pillar is not None:
                vector += _vector(pillar.index)
        for reads in self.joint:
            at = 0
            for index in reads:
                at = at * size(index) + vector[index]
            vector.append(at)
        found: dict[int, int] = {}
        for asked, length, own, marks in self.steps:
            for star, bit in marks[vector[asked] * length + vector[own]]:
                found[star] = found.get(star, 0) | bit
        hits = self.hits
        return tuple([hits[each] for each in sorted(found.items())])


def _add(mark: Mark, rule: StarRule, marks: list[tuple[Mark, ...]]) -> None:
    cells = rule.table.cells
    for at in compress(range(len(cells)), cells):
        marks[at] = (*marks[at], mark)


@cache
def _vector(pillar: int) -> list[int]:
    return readings([pillar], 0)[1:]


class _Hits(dict[Mark, StarHit]):
    """(star, marks) → the hit, created on first use and shared by charts."""

    def __init__(self, stars: tuple[Star, ...]) -> None:
        self.found = stars

    def __missing__(self, key: Mark) -> StarHit:
        number, marks = key
        star = self.found[number]
        by_rule = [(rule, marks >> 4 * place & 15) for place, rule in enumerate(star.rules)]
        anchors = dict.fromkeys(rule.anchor for rule, mask in by_rule if mask and rule.anchor)
        bearing = [(position, [rule for rule, mask in by_rule if mask >> position & 1]) for position in ALL]
        grounds = {
            POSITIONS[position]: tuple(dict.fromkeys(leaf for rule in by for leaf in rule.leaves(position)))
            for position, by in bearing
            if by
        }
        hit = star_hit(star, tuple(grounds), ",".join(anchors), tuple(grounds.values()))
        return self.setdefault(key, hit)


def star_hit(
    star: Star, positions: tuple[str, ...], anchor: str, grounds: tuple[tuple[str, ...], ...]
) -> StarHit:
    unconfirmed = star.agreement == 0
    return StarHit(
        star.name, star.nature, positions, anchor, star.variant, star.agreement, unconfirmed, grounds
    )
