"""Columns that follow from the pillars, for arrays: each is a look-up in a list filled by the code of a single chart.

A cell of most columns follows from the day stem and one pillar, 600 pairs; from a pillar alone, sixty; or from two.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.alphabet import PILLARS, STEMS, Pillar, Stem
from bazi_core.batch.columns import HIDDEN, PAIRS, STARS_IN_A_COLUMN, TRIPLES
from bazi_core.pillars import POSITIONS
from bazi_core.tables import rows
from bazi_core.views.cycles import is_void, nayin
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.relations import (
    BRANCH_TYPES,
    STEM_TYPES,
    branch_table,
    pillar_pair_mask,
    pillar_table,
    stem_table,
    triple_masks,
)
from bazi_core.views.stages import stage
from bazi_core.views.stars import star_masks
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from bazi_core.school import School

    Ints = NDArray[np.int64]
    Cells = NDArray[Any]
    Found = Iterator[tuple[str, Cells]]


def ten_gods(four: list[Ints], genders: Ints, school: School) -> Found:
    """The ten god of each stem but the day's."""
    for name, pillar in zip(POSITIONS, four, strict=True):
        if name != "day":
            yield f"ten_god_{name}", _ten_gods().take(_pair(four[2] % 10, pillar))


def hidden(four: list[Ints], genders: Ints, school: School) -> Found:
    """The stems hidden in each branch, and their ten gods."""
    day = four[2] % 10
    for name, pillar in zip(POSITIONS, four, strict=True):
        pair = _pair(day, pillar)
        for rank in range(HIDDEN):
            yield f"hidden_{name}_{rank + 1}", _hidden(rank).take(pillar)
            yield f"hidden_god_{name}_{rank + 1}", _hidden_gods(rank).take(pair)


def nayins(four: list[Ints], genders: Ints, school: School) -> Found:
    """The 纳音 of each pillar."""
    for name, pillar in zip(POSITIONS, four, strict=True):
        yield f"nayin_{name}", _nayins().take(pillar)


def stages(four: list[Ints], genders: Ints, school: School) -> Found:
    """The stage of the day stem on each branch, and of each stem on its own."""
    day = four[2] % 10
    for name, pillar in zip(POSITIONS, four, strict=True):
        yield f"stage_{name}", _stages(school.twelve_stages).take(_pair(day, pillar))
        yield f"stage_self_{name}", _own_stages(school.twelve_stages).take(pillar)


def voids(four: list[Ints], genders: Ints, school: School) -> Found:
    """The void pillars, as bits."""
    cells = _voids(school.void_anchor)
    ten = len(PILLARS) // 10
    anchors = (four[2] // 10 * ten + four[0] // 10) * 12
    flags = np.zeros(len(anchors), np.int8)
    for place, branch in enumerate(four):
        flags |= cells.take(anchors + branch % 12) << place
    yield "void", flags


def relations(four: list[Ints], genders: Ints, school: School) -> Found:
    """The relations of each two pillars, of each three, and of each with itself, as bits."""
    pairs = _relations(school.anhe)
    for i, j in PAIRS:
        yield f"rel_{POSITIONS[i]}_{POSITIONS[j]}", pairs.take(_pair(four[i], four[j]))
    branches = [pillar % 12 for pillar in four]
    for three in TRIPLES:
        one, other, last = (branches[at] for at in three)
        group = _triples().take((one * 12 + other) * 12 + last)
        yield "rel_" + "_".join(POSITIONS[at] for at in three), group
    for name, pillar in zip(POSITIONS, four, strict=True):
        yield f"rel_{name}", np.array(pillar_table().cells, np.int8).take(pillar)


def stars(four: list[Ints], genders: Ints, school: School) -> Found:
    """The stars of each pillar, as bits; those that depend on gender only where it is known."""
    masks = star_masks(four, np.maximum(genders, 0), school)
    unknown = np.flatnonzero(genders < 0)
    if len(unknown):
        without = star_masks([pillar[unknown] for pillar in four], None, school)
        for name, mask in without.items():
            masks[name] = np.broadcast_to(masks[name], len(genders)).copy()
            masks[name][unknown] = mask
    names = list(masks)
    for part, first in enumerate(range(0, len(names), STARS_IN_A_COLUMN)):
        chosen = names[first : first + STARS_IN_A_COLUMN]
        for place, position in enumerate(POSITIONS):
            bits = np.zeros(len(genders), np.int64)
            for bit, name in enumerate(chosen):
                bits |= (np.asarray(masks[name], np.int64) >> place & 1) << bit
            yield f"stars_{position}" + (f"_{part + 1}" if part else ""), bits


# By the name of their group.
VIEWS: dict[str, Callable[[list[Ints], Ints, School], Found]] = {
    "ten_gods": ten_gods,
    "hidden_stems": hidden,
    "nayin": nayins,
    "stages": stages,
    "voids": voids,
    "relations": relations,
    "stars": stars,
}


def _pair(one: Ints, other: Ints) -> Ints:
    pair: Ints = one * 60 + other
    return pair


def _cells(values: Iterable[int], dtype: str = "int8") -> Cells:
    return np.fromiter(values, dtype)


def _by_day(cell: Callable[[Stem, Pillar], int]) -> Cells:
    return _cells(cell(day, pillar) for day, pillar in product(STEMS, PILLARS))


@cache
def _ten_gods() -> Cells:
    return _by_day(lambda day, pillar: ten_god(day, pillar.stem).index)


@cache
def _hidden(rank: int) -> Cells:
    found = (hidden_stems(pillar.branch)[rank : rank + 1] for pillar in PILLARS)
    return _cells(each[0].stem.index if each else -1 for each in found)


@cache
def _hidden_gods(rank: int) -> Cells:
    stems = _hidden(rank).tolist()
    return _by_day(
        lambda day, pillar: ten_god(day, STEMS[stems[pillar.index]]).index if stems[pillar.index] >= 0 else -1
    )


@cache
def _nayins() -> Cells:
    names = [row["nayin"] for row in rows("nayin")]
    return _cells(names.index(nayin(pillar)) for pillar in PILLARS)


@cache
def _stages(school: str) -> Cells:
    return _by_day(lambda day, pillar: stage(day, pillar.branch, school).index)


@cache
def _own_stages(school: str) -> Cells:
    return _cells(stage(pillar.stem, pillar.branch, school).index for pillar in PILLARS)


@cache
def _voids(anchor: str) -> Cells:
    """By the 旬 of the day, that of the year, and a branch."""
    xun = PILLARS[::10]
    return _cells(
        is_void(pillar.branch, day, year, anchor) for day, year, pillar in product(xun, xun, PILLARS[:12])
    )


@cache
def _relations(anhe: str) -> Cells:
    one, other = (index.ravel() for index in np.indices((60, 60)))
    stems = stem_table()(one % 10, other % 10).astype(np.int64)
    branches = branch_table(anhe)(one % 12, other % 12).astype(np.int64)
    wholes = pillar_pair_mask(one, other)
    shift = len(STEM_TYPES)
    bits: Cells = stems | branches << shift | wholes << (shift + len(BRANCH_TYPES))
    return bits.astype(np.int16)


@cache
def _triples() -> Cells:
    three = [index.ravel() for index in np.indices((12, 12, 12))]
    number = triple_masks(three)[0, 1, 2]
    return np.where(number > 0, 1 << np.maximum(number - 1, 0), 0).astype(np.int32)
