"""The common form of the rules of stars: a table indexed by readings of the chart and of a pillar.

A chart is read into a vector of small integers: the gender, then of each pillar its number among the sixty, its stem,
branch, 纳音 element and 旬. A rule names the readings that are asked; with a reading of the pillar in question they give
the coordinates of a cell, 1 where the star stands. Ints and numpy arrays go the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from operator import mul
from typing import Any, NamedTuple

from bazi_core.alphabet import PILLARS
from bazi_core.pillars import POSITIONS
from bazi_core.table import Table
from bazi_core.views.cycles import nayin_element

# The readings of a pillar and their numbers of values. NOTHING has one value, for rules without a further reading.
PILLAR, STEM, BRANCH, NAYIN, XUN, NOTHING = range(6)
SIZES = (60, 10, 12, 5, 6, 1)
# Leaf facts of each kind of reading; a reading that is neither stem nor branch rests on both.
_PARTS = {STEM: ("stem",), BRANCH: ("branch",), NOTHING: ()}
_BOTH = ("stem", "branch")
# The place of the gender in the vector: male 0, female 1.
GENDER = 0
YEAR, MONTH, DAY, HOUR = range(4)
ALL = (YEAR, MONTH, DAY, HOUR)


class StarRule(NamedTuple):
    """One table of one star: `table(*readings named by reads, reading `own` of a pillar)` is 1 where it stands.

    `anchor` is the table's own name for what is asked, `positions` are the pillars that can bear the star.
    """

    anchor: str
    reads: tuple[int, ...]
    own: int
    positions: tuple[int, ...]
    table: Table

    @classmethod
    def marking(
        cls, anchor: str, reads: tuple[int, ...], own: int, positions: tuple[int, ...], marked: set[Any]
    ) -> StarRule:
        """The rule whose table holds 1 at these coordinates."""
        shape = (*(size(index) for index in reads), SIZES[own])
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]
        cells = [0] * prod(shape)
        for coordinates in marked:
            cells[sum(map(mul, strides, coordinates))] = 1
        return cls(anchor, reads, own, positions, Table(cells, *shape))

    def askable(self, known: int, gender: bool) -> bool:
        """Whether a chart of this many known pillars, with or without gender, has all readings of the rule."""
        return all(index < reading(known, 0) and (gender or index != GENDER) for index in self.reads)

    def bearers(self, known: int) -> Iterator[int]:
        """The indices of the pillars that can bear the star in a chart of this many known ones."""
        return (position for position in self.positions if position < known)

    @property
    def open(self) -> bool:
        """Whether a luck or flow pillar can bear the star: the rule depends on the chart and on no fixed pillar."""
        return bool(self.reads) and self.own != NOTHING and len(self.positions) > 2

    def leaves(self, position: int | None) -> Iterator[str]:
        """The ids of the leaf facts that give a pillar the star; without a position those of the chart's readings alone."""
        own = () if position is None else (reading(position, self.own),)
        for index in (*self.reads, *own):
            if index == GENDER:
                # The count turns on whether the year is yang.
                yield from ("p.input.gender", "p.year.stem")
            else:
                where, what = divmod(index - 1, len(SIZES))
                for part in _PARTS.get(what, _BOTH):
                    yield f"p.{POSITIONS[where]}.{part}"


def reading(position: int, what: int) -> int:
    """Index, in the vector of a chart, of a reading of a pillar."""
    return 1 + position * len(SIZES) + what


def size(index: int) -> int:
    """Number of values of the reading at an index of the vector."""
    return 2 if index == GENDER else SIZES[(index - 1) % len(SIZES)]


def readings(pillars: Sequence[Any], gender: Any) -> list[Any]:
    """The vector of a chart of three or four pillar indices, ints or arrays.

    >>> readings([6, 17, 16], 0)
    [0, 6, 6, 6, 2, 0, 0, 17, 7, 5, 3, 1, 0, 16, 6, 4, 3, 1, 0]
    """
    vector = [gender]
    for index in pillars:
        vector += [index, index % 10, index % 12, _nayin()(index), index // 10, 0]
    return vector


@cache
def _nayin() -> Table:
    return Table([nayin_element(pillar).index for pillar in PILLARS], 60)
