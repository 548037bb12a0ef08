"""忌神, 仇神, 闲神: what the three elements are that the methods do not choose, by cause and not by weight.

《滴天髓阐微·闲神》: 有用神必有喜神，喜神者，辅格助用之神也。然有喜神，亦必有忌神，忌神者，破格损用之神也；自用神、喜神、
忌神之外，皆闲神也. So charts of the same strength, 用神 and 喜神 have the same 忌神, 仇神 and 闲神, whatever each
weighs (`role_causes.csv`); that a 闲神 may be too much of a thing all the same is for the diagnosis to say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from bazi_core.structures.book_rules import citation
from bazi_core.structures.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once

# What adds to a day master that is strong, and what spends one that is weak.
AGAINST_STRONG, AGAINST_WEAK = (PEER, RESOURCE), (OUTPUT, WEALTH, OFFICER)


class Chosen(NamedTuple):
    """Classes of ten gods: the 用神, the 喜神 and, once it is found, the 忌神; and whether the day master is strong."""

    use: int
    joy: int
    is_strong: bool
    shun: int | None = None

    def is_against(self, k: int) -> bool:
        """Whether a class goes against what the day master needs."""
        return k in (AGAINST_STRONG if self.is_strong else AGAINST_WEAK)


class RoleCause(NamedTuple):
    """A row of the table."""

    role: str
    cause: str
    source: str


CAUSES: dict[str, Callable[[int, Chosen], bool]] = {
    "克用": lambda k, chosen: (k + 2) % 5 == chosen.use,
    "克喜": lambda k, chosen: (k + 2) % 5 == chosen.joy,
    "生忌": lambda k, chosen: (k + 1) % 5 == chosen.shun,
    "逆身": lambda k, chosen: chosen.is_against(k),
    "耗用": lambda k, chosen: (chosen.use + 2) % 5 == k,
    "泄用": lambda k, chosen: (chosen.use + 1) % 5 == k,
}


@cache
def role_causes() -> tuple[RoleCause, ...]:
    """The rows, in their order.

    >>> [(row.role, row.cause) for row in role_causes()][:2]
    [('忌神', '克用'), ('忌神', '逆身')]
    """
    found = tuple(
        RoleCause(row["role"], row["cause"], citation(row["source"])) for row in rows("role_causes")
    )
    rows_once("role_causes", ((row.role, row.cause) for row in found))
    names_known("role_causes", "cause", (row.cause for row in found), CAUSES)
    names_known("role_causes", "role", (row.role for row in found), ("忌神", "仇神"))
    return found


@cache
def by_cause(use: int, joy: int, is_strong: bool) -> tuple[int, int, int]:
    """The classes of 闲神, 仇神 and 忌神 of a chart.

    >>> by_cause(RESOURCE, PEER, is_strong=False)  # 印 and 比劫 wanted: 财 breaks 印, 官杀 breaks 比劫, 食伤 is left
    (1, 3, 2)
    """
    chosen, left = Chosen(use, joy, is_strong), [k for k in range(5) if k not in (use, joy)]
    shun = _narrowed("忌神", left, chosen)
    left.remove(shun)
    foe = _narrowed("仇神", left, chosen._replace(shun=shun))
    left.remove(foe)
    return left[0], foe, shun


@cache
def told_cause(role: str, k: int, chosen: Chosen) -> str | None:
    """The cause to tell of a 忌神 or 仇神 of class `k`: of those that its rows know and that truly hold, what it does to
    another element before what it does to the day master; None where none holds.

    >>> told_cause("仇神", OUTPUT, Chosen(RESOURCE, WEALTH, is_strong=True, shun=PEER))  # 食伤 adds nothing to the strong
    '耗用'
    """
    known = {row.cause for row in role_causes() if row.role == role}
    return next((name for name, holds in CAUSES.items() if name in known and holds(k, chosen)), None)


def _narrowed(role: str, left: list[int], chosen: Chosen) -> int:
    for row in role_causes():
        if row.role == role:
            left = [k for k in left if CAUSES[row.cause](k, chosen)] or left
    return left[0]
