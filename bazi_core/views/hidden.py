"""藏干 and 司令: the stems hidden in the branches, and the one that commands the time of the month.

Source of the order: 《渊海子平·论天干地支暗藏总诀》. Weights and the day lists of 司令 are choices of the School.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES, Branch, Stem
from bazi_core.astro import terms
from bazi_core.tables import row_of

if TYPE_CHECKING:
    from bazi_core.moment import SolarMoment

_QI = {"本": "本气", "中": "中气", "余": "余气"}


class HiddenStem(NamedTuple):
    """A stem inside a branch: its rank (1 = strongest), the word for it, its share of the branch (0–1)."""

    stem: Stem
    rank: int
    qi: str
    weight: float


def hidden_stems(branch: Branch, weights: str = "60_30_10") -> tuple[HiddenStem, ...]:
    """The stems hidden in a branch, strongest first."""
    return _hidden(weights)[branch.index]


@cache
def _hidden(weights: str) -> tuple[tuple[HiddenStem, ...], ...]:
    order, labels, cells = (row_of("hidden_stems", name) for name in ("order", "qi", weights))
    return tuple(
        _of_branch(order[branch.value], labels[branch.value], _amounts(cells[branch.value]))
        for branch in BRANCHES
    )


def _of_branch(order: str, labels: str, amounts: dict[str, int]) -> tuple[HiddenStem, ...]:
    whole = sum(amounts.values())
    return tuple(
        HiddenStem(Stem(stem), rank, _QI[label], round(amounts.get(stem, 0) / whole, 4))
        for rank, (stem, label) in enumerate(zip(order, labels, strict=True), 1)
    )


def _amounts(cell: str) -> dict[str, int]:
    return {part[0]: int(part[1:]) for part in cell.split()}


class Siling(NamedTuple):
    """司令: the stem in command, and how far the month has run (days of a month of thirty)."""

    stem: Stem
    day_in_month: float
    table: str


def siling(moment: SolarMoment, table: str = "common_30") -> Siling:
    """The stem that commands the moment of a birth.

    The real month between two 节 is scaled to thirty days, so that the list always fits.

    >>> import bazi_core as bz
    >>> siling(bz.moment("1990-05-15 13:30", city="北京"))
    Siling(stem=Stem('庚'), day_in_month=9.0583, table='common_30')
    """
    start, end = terms.instant(moment.prev_jie), terms.instant(moment.next_jie)
    day = (moment.tt_ms - start) / (end - start) * 30
    branch = terms.term_at(moment.prev_jie).month_branch
    return Siling(next(stem for stem, end in _commands(table, branch) if day < end), round(day, 4), table)


@cache
def _commands(table: str, branch: Branch) -> tuple[tuple[Stem, int], ...]:
    """The stems of a month in turn, each with the day on which its command ends."""
    shares = _amounts(row_of("siling", table)[branch.value])
    return tuple((Stem(stem), end) for stem, end in zip(shares, accumulate(shares.values()), strict=True))
