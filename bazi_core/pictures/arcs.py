"""Arcs between signs: relations of stems above them, of branches below, laid so that no two lie on each other.

A solid arc holds; a dashed one stands far apart, is resolved or does not transform. Each bears its name, so that the line is
never the only sign. 盖头 and 截脚, inside one pillar, are arrows of the columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bazi_core.pictures.kit import LEAST, Picture, length
from bazi_core.render.meaning import standing_of
from bazi_core.tables.words import label, term
from bazi_core.views.relations import STEM_TYPES
from bazi_core.views.resolution import HOLDS, Relation

STEP, _GAP, _ROUND, _APART, _BEYOND = 19.0, 6.0, 7.0, 6.0, 12.0
_HOOK = 2.0
# Legs of one sign take no more room than the sign.
_LEGS = 38.0
# 干克 is left to words: every chart is full of it. What is inside a pillar is drawn by its column.
_UNDRAWN = ("干克", "盖头", "截脚")
# Of two whole pillars: drawn below, where branches are.
_MEETS = ("干合", "三合", "三会", "半合", "拱合", "六合", "暗合")


class Arc(NamedTuple):
    """Relations as one arc: the columns that it joins by their place, what it is called, how it stands, whether it is solid,
    its level."""

    columns: tuple[int, ...]
    names: tuple[str, ...]
    marks: str
    solid: bool
    joint: str = "、"
    level: int = 0

    @property
    def told(self) -> str:
        """The words on it: `冲、刑 · 隔`."""
        return " · ".join(filter(None, [self.joint.join(self.names), self.marks]))


def arcs(relations: Iterable[Relation], places: Sequence[str], lang: str) -> tuple[list[Arc], list[Arc]]:
    """The arcs above (of stems) and below (of branches and pillars), levels not yet given."""
    above: list[Arc] = []
    below: list[Arc] = []
    for relation in relations:
        columns = tuple(sorted({places.index(where) for where, _ in relation.members if where in places}))
        if relation.type in _UNDRAWN or len(columns) < 2:
            continue
        solid = relation.status == HOLDS and relation.hua_status not in ("争合", "妒合")
        marks = " · ".join(label(f"arc.{mark}", lang) for mark in standing_of(relation))
        own = Arc(columns, (_name(relation, lang),), marks, solid, ", " if lang == "en" else "、")
        chosen = above if relation.type in STEM_TYPES else below
        if own not in chosen:
            chosen.append(own)
    return above, below


def _name(found: Relation, lang: str) -> str:
    """`半合金`, `clash`."""
    signs = [sign for _, sign in found.members]
    kind = "自刑" if found.type == "刑" and signs[0] == signs[1] else found.type
    name = label(f"arc.{kind}", lang)
    if found.element and found.type in _MEETS:
        element = term(found.element.value, lang)
        return f"{name} {element}" if lang == "en" else name + element
    return name


def merged(found: Sequence[Arc], xs: Sequence[float]) -> list[Arc]:
    """Relations that join the same columns and stand alike as one arc, while their names have room on it."""
    kept: list[Arc] = []
    for each in found:
        room = xs[each.columns[-1]] - xs[each.columns[0]] + _BEYOND
        for at, other in enumerate(kept):
            if (other.columns, other.marks, other.solid) == (each.columns, each.marks, each.solid):
                both = other._replace(names=(*other.names, *each.names))
                if length(both.told, LEAST) <= room:
                    kept[at] = both
                    break
        else:
            kept.append(each)
    return kept


def levels(found: Sequence[Arc], xs: Sequence[float]) -> list[Arc]:
    """The arcs with their levels: the short ones near the signs, none over another."""
    taken: list[list[tuple[float, float]]] = []
    laid = []
    for each in sorted(merged(found, xs), key=lambda arc: (arc.columns[-1] - arc.columns[0], arc.columns)):
        left, right = xs[each.columns[0]], xs[each.columns[-1]]
        half = max(right - left, length(each.told, LEAST) + 8) / 2
        middle = (left + right) / 2
        own = (middle - half - _GAP, middle + half + _GAP)
        level = next(
            (
                at
                for at, spans in enumerate(taken)
                if all(own[1] < low or own[0] > high for low, high in spans)
            ),
            len(taken),
        )
        if level == len(taken):
            taken.append([])
        taken[level].append(own)
        laid.append(each._replace(level=level))
    return laid


def draw(
    picture: Picture,
    found: Sequence[Arc],
    xs: Sequence[float],
    start: float,
    down: bool,
    washed: tuple[float, float],
) -> float:
    """Draw the arcs from the edge of the signs at y `start`, below or above it; where the last ends.

    `washed` is from where to where the ground is that of the day.
    """
    laid = levels(found, xs)
    legs = _legs(laid, xs)
    way = 1 if down else -1
    names = []
    for number, each in enumerate(laid):
        ends = [legs[number, column] for column in each.columns]
        crossing = [x for (other, _), x in legs.items() if laid[other].level > each.level] + ends[1:-1]
        wide = length(each.told, LEAST) + 8
        middle = _middle(each, xs, (ends[0] + ends[-1]) / 2, wide, crossing)
        middle = max(wide / 2, min(middle, picture.width - wide / 2))
        level = start + way * (STEP * (each.level + 1) - 5)
        picture.path(
            _way(ends, middle, wide, start, level), "ink" if each.solid else "edge", dashed=not each.solid
        )
        names.append((each.told, middle, level, [x for x in crossing if abs(x - middle) < wide / 2]))
    # Names stand above all lines, each leg that would run through one broken off around it.
    for told, middle, level, legs_through in names:
        for x in legs_through:
            picture.rect(x - 3, level - 7, 6, 14, "wash" if washed[0] < x < washed[1] else "paper")
        picture.text(middle, level + 4, told, size=LEAST, anchor="middle")
    return start + way * STEP * (1 + max((each.level for each in laid), default=-1))


def _way(ends: Sequence[float], middle: float, wide: float, start: float, level: float) -> str:
    """The line of an arc, open where its name stands."""
    way = 1 if level > start else -1
    found = []
    for x, side in ((ends[0], 1), (ends[-1], -1)):
        gap = middle - side * wide / 2
        turn = min(_ROUND, (gap - x) * side)
        if turn >= _HOOK:
            found.append(
                f"M{x:g} {start:g}V{level - way * turn:g}q0 {way * turn:g} {side * turn:g} {way * turn:g}H{gap:g}"
            )
        else:
            # The name reaches over its end: the leg stops at the name.
            found.append(f"M{x:g} {start:g}V{level - way * _ROUND:g}")
    return "".join([*found, *(f"M{x:g} {start:g}V{level:g}" for x in ends[1:-1])])


def _legs(laid: Sequence[Arc], xs: Sequence[float]) -> dict[tuple[int, int], float]:
    """Where each arc meets each of its signs: those that go left stand left of those that go right, long ones inside."""
    found = {}
    for column, x in enumerate(xs):
        here = [(number, arc) for number, arc in enumerate(laid) if column in arc.columns]
        here.sort(key=lambda each: _order(each[1], column))
        apart = min(_APART, _LEGS / max(1, len(here) - 1))
        for at, (number, _) in enumerate(here):
            found[number, column] = round(x + (at - (len(here) - 1) / 2) * apart, 1)
    return found


def _order(arc: Arc, column: int) -> tuple[int, int]:
    if column == arc.columns[-1]:
        return (0, arc.level)
    return (2, -arc.level) if column == arc.columns[0] else (1, 0)


def _middle(arc: Arc, xs: Sequence[float], centre: float, wide: float, crossing: Sequence[float]) -> float:
    """Where the name stands: in the middle, or between two signs where no leg of another arc comes through it."""
    columns = xs[arc.columns[0] : arc.columns[-1] + 1]
    between = sorted(((one + other) / 2 for one, other in pairwise(columns)), key=lambda x: abs(x - centre))
    free = (x for x in (centre, *between) if all(abs(leg - x) >= wide / 2 + 1 for leg in crossing))
    return next(free, centre)
