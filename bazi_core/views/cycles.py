"""Values that follow from a pillar's index among the sixty: its 纳音, its 旬, and the void branches of the 旬."""

from __future__ import annotations

from functools import cache

from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Element, Pillar
from bazi_core.tables import rows


@cache
def _nayin() -> tuple[str, ...]:
    return tuple(row["nayin"] for row in rows("nayin"))


def nayin(pillar: Pillar) -> str:
    """The 纳音 of a pillar; its last character is the element."""
    return _nayin()[pillar.index // 2]


def nayin_element(pillar: Pillar) -> Element:
    return Element(nayin(pillar)[-1])


def xun(pillar: Pillar) -> Pillar:
    """The 旬: the 甲 pillar that opens the ten to which this one belongs."""
    return PILLARS[pillar.index // 10 * 10]


def void_branches(pillar: Pillar) -> tuple[Branch, Branch]:
    """旬空: the two branches missing from the 旬 of a pillar."""
    first = (10 - pillar.index // 10 * 2) % 12
    return BRANCHES[first], BRANCHES[(first + 1) % 12]


def is_void(branch: Branch, day: Pillar, year: Pillar, anchor: str = "day") -> bool:
    """Whether a branch is void for the day pillar, the year pillar, or either of them (`both`)."""
    # The six 旬 leave out six pairs of branches, from 戌亥 backwards.
    pair = branch.index // 2
    by_day, by_year = pair == 5 - day.index // 10, pair == 5 - year.index // 10
    return by_day if anchor == "day" else by_year if anchor == "year" else by_day or by_year


def void_flags(day: Pillar, year: Pillar, anchor: str = "day") -> tuple[bool, ...]:
    """One flag a branch: whether it is void for the day pillar, the year pillar, or either of them (`both`)."""
    return _flags(day.index // 10, year.index // 10, anchor)


@cache
def _flags(day_ten: int, year_ten: int, anchor: str) -> tuple[bool, ...]:
    day, year = PILLARS[10 * day_ten], PILLARS[10 * year_ten]
    return tuple(is_void(branch, day, year, anchor) for branch in BRANCHES)
