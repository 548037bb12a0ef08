"""Rules of the stars 神煞: eighteen kinds of row, as the books print them, turned into the one form of `star_form`.

A verse that gives branches for every stem is such a table. Other rules only have more readings: of a pair of branches
each reads the other, three stems in sequence are three readings, an offset by gender reads the gender. Rows are in the
tables star_stems, star_branches and star_rules; code that counts or lists stars does not depend on their kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, Pillar
from bazi_core.pillars import POSITIONS
from bazi_core.tables import rows
from bazi_core.views.star_form import (
    ALL,
    BRANCH,
    DAY,
    GENDER,
    MONTH,
    NAYIN,
    NOTHING,
    PILLAR,
    STEM,
    XUN,
    YEAR,
    StarRule,
    reading,
)

_ANCHORS = {
    "year_stem": (YEAR, STEM),
    "year_branch": (YEAR, BRANCH),
    "year_nayin": (YEAR, NAYIN),
    "year_pillar": (YEAR, XUN),
    "month_branch": (MONTH, BRANCH),
    "month_season": (MONTH, BRANCH),
    "day_stem": (DAY, STEM),
    "day_branch": (DAY, BRANCH),
    "day_pillar": (DAY, XUN),
    "day_xun": (DAY, XUN),
}
_SEASONS = {"春": "寅卯辰", "夏": "巳午未", "秋": "申酉戌", "冬": "亥子丑"}
_FILES = ("star_stems", "star_branches", "star_rules")
_COLUMNS = ("star", "variants", "kind", "anchors", "on", "not_anchor", "how", "rule")

Cells = dict[str, str]


@cache
def rules(star: str, variant: str, day_only: bool, only: str = "") -> tuple[StarRule, ...]:
    """The rules of a star in one of its variants (`default` is the first reading of each).

    With `only`, the name of an anchor, the star is counted from it alone and for every pillar, its own included.

    >>> [(rule.anchor, rule.positions) for rule in rules("桃花", "default", False)]
    [('year_branch', (1, 2, 3)), ('day_branch', (0, 1, 3))]
    """
    star_rules: list[StarRule] = []
    for row in _rows()[star]:
        if variant in row["variants"].split():
            anchors = row["anchors"].split()
            if only:
                anchors, row = [only], {**row, "not_anchor": ""}
            elif day_only and any(anchor.startswith("day_") for anchor in anchors):
                anchors = [anchor for anchor in anchors if not anchor.startswith("year_")]
            star_rules += KINDS[row["kind"]](row, _cells(row), anchors or [""])
    return tuple(star_rules)


@cache
def _rows() -> dict[str, list[dict[str, str]]]:
    """The rows of all tables of rules by star, in the order of the stars' tables."""
    by_star: dict[str, list[dict[str, str]]] = {}
    for name in _FILES:
        for row in rows(name):
            by_star.setdefault(row["star"], []).append(row)
    return by_star


def _cells(row: dict[str, str]) -> Cells:
    """The values of a row by key: the cells of a matrix, or the words of a rule (those without a key under "")."""
    if "rule" not in row:
        return {name: cell for name, cell in row.items() if name not in _COLUMNS}
    cells: Cells = {}
    for word in row["rule"].split():
        key, _, values = word.rpartition(":")
        cells[key] = cells[key] + "/" + values if key in cells else values
    return cells


# Interpreters: (row, cells, anchors) → rules.


def _by_anchor(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """One rule for each anchor and kind of value (stem, branch, pillar, element) that the table gives for it."""
    wanted = {key: _targets(cell) for key, cell in cells.items()}
    for anchor, own in product(anchors, sorted({own for each in wanted.values() for own in each})):
        if "" in cells:
            yield StarRule.marking(
                anchor, (), own, _bearers(row, None), {(value,) for value in wanted[""][own]}
            )
            continue
        position, what = _ANCHORS[anchor]
        marked = {
            (at, value)
            for key, targets in wanted.items()
            for at in _values(what, key)
            for value in targets.get(own, ())
        }
        yield StarRule.marking(anchor, (reading(position, what),), own, _bearers(row, position), marked)


def _by_gender(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """A branch counted from the year branch: by one offset for yang men and yin women (by year), by another for the rest."""
    [same, other] = [int(word) for word in row["rule"].split()]
    marked = {
        (gender, branch, (branch + (same if branch % 2 == gender else other)) % 12)
        for gender, branch in product(range(2), range(12))
    }
    reads = (GENDER, reading(YEAR, BRANCH))
    yield StarRule.marking(anchors[0], reads, BRANCH, _bearers(row, YEAR), marked)


def _by_groups(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """Stems of either group; or (`both`) of one group while some stem of the chart is of the other."""
    if row["how"] != "both":
        yield from _by_anchor(row, cells, anchors)
        return
    marked = set()
    for month, cell in cells.items():
        for one, other in product(*cell.split("/")):
            marked |= {_indices(month + one + other), _indices(month + other + one)}
    for position in ALL:
        reads = (reading(MONTH, BRANCH), reading(position, STEM))
        yield StarRule.marking(anchors[0], reads, STEM, ALL, marked)


def _by_pair(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """The anchor holds one branch of a pair, another pillar the other one."""
    yield from _by_anchor(row, _partners(cells), anchors)


def _by_any_pair(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """Two pillars hold the branches of a pair: both bear the star."""
    marked = {_indices(one + other) for one, partners in _partners(cells).items() for other in partners}
    for position in ALL:
        others = tuple(each for each in ALL if each != position)
        yield StarRule.marking("", (reading(position, BRANCH),), BRANCH, others, marked)


def _by_sequence(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """Three stems follow each other in the pillars, one other between them at most; `how` is the order."""
    orders: dict[str, Callable[[str], Iterable[Any]]] = {
        "either": lambda stems: (stems, stems[::-1]),
        "forward neighbours": lambda stems: (stems,),
        "any": permutations,
    }
    ordered = {order for stems in cells.values() for order in orders[row["how"]](stems)}
    marked = {(*_indices(order), 0) for order in ordered}
    for three in combinations(ALL, 3):
        if row["how"] != "forward neighbours" or three[2] - three[0] == 2:
            reads = tuple(reading(position, STEM) for position in three)
            yield StarRule.marking("", reads, NOTHING, _bearers(row, None), marked)


def _by_characters(row: dict[str, str], cells: Cells, anchors: list[str]) -> Iterator[StarRule]:
    """A pillar with at least this number of its two characters among the listed ones."""
    marked = {
        (pillar.index,)
        for pillar in PILLARS
        if sum(char in cells[""] for char in pillar.value) >= int(row["how"])
    }
    yield StarRule.marking("", (), PILLAR, _bearers(row, None), marked)


KINDS: dict[str, Callable[[dict[str, str], Cells, list[str]], Iterable[StarRule]]] = {
    "stem_to_branch": _by_anchor,
    "stem_to_pillar": _by_anchor,
    "branch_to_branch": _by_anchor,
    "month_to_stem": _by_anchor,
    "month_to_stem_or_branch": _by_anchor,
    "month_to_stem_groups": _by_groups,
    "day_pillar_set": _by_anchor,
    "pillar_set": _by_anchor,
    "season_to_day_pillar": _by_anchor,
    "season_or_nayin_to_branch": _by_anchor,
    "nayin_to_branch": _by_anchor,
    "xun_void": _by_anchor,
    "xun_to_nayin": _by_anchor,
    "gender_offset": _by_gender,
    "anchored_branch_pair": _by_pair,
    "branch_pair_set": _by_any_pair,
    "stem_sequence": _by_sequence,
    "char_count": _by_characters,
}


def _bearers(row: dict[str, str], anchor: int | None) -> tuple[int, ...]:
    """Indices of the pillars that can bear the star of a row; without the anchor where the row excludes it."""
    on = [POSITIONS.index(name) for name in row["on"].split()] or ALL
    return tuple(each for each in on if not (row["not_anchor"] and each == anchor))


def _values(what: int, key: str) -> tuple[int, ...]:
    """The values of a reading that a key means: stems, branches, seasons, elements, or the head of a 旬."""
    if what == XUN:
        return (Pillar(key).index // 10,)
    return _indices("".join(_SEASONS.get(char, char) for char in key))


def _targets(cell: str) -> dict[int, set[int]]:
    """The values named by a cell, by kind of reading: pillars, or single characters for stems, branches or elements."""
    values: dict[int, set[int]] = {}
    for word in cell.split("/"):
        names = [word] if word in Pillar.__members__ else word
        for name in names:
            own, value = _meaning()[name]
            values.setdefault(own, set()).add(value)
    return values


def _indices(chars: Iterable[str]) -> tuple[int, ...]:
    return tuple(_meaning()[char][1] for char in chars)


@cache
def _meaning() -> dict[str, tuple[int, int]]:
    alphabets = {PILLAR: PILLARS, STEM: STEMS, BRANCH: BRANCHES, NAYIN: ELEMENTS}
    return {member.value: (own, member.index) for own, members in alphabets.items() for member in members}


def _partners(cells: Cells) -> Cells:
    """Pairs of branches as a map from each branch to its partners."""
    partners: Cells = {}
    for pair in (pair for cell in cells.values() for pair in cell.split("/")):
        partners[pair[0]] = partners.get(pair[0], "") + pair[1]
        partners[pair[1]] = partners.get(pair[1], "") + pair[0]
    return partners
