"""三合 and 三会: the groups of three branches that form an element, and which of them a chart holds.

The branches of a 三合 lie four apart (申子辰 water, 亥卯未 wood, 寅午戌 fire, 巳酉丑 metal), those of a 三会 are the
three of a season. Plain arithmetic on branch indices, without positions; `relations` has the whole story.
"""

from __future__ import annotations

from collections.abc import Collection

# Element index of the 三合 by branch index modulo 4, and of the 三会 by (index + 1) // 3 modulo 4.
_SANHE = (4, 3, 1, 0)
_SANHUI = (4, 0, 1, 3)
# (三合 or 三会, element index) → its three branches.
_MEMBERS = {("三合", _SANHE[r]): frozenset((r, r + 4, r + 8)) for r in range(4)} | {
    ("三会", _SANHUI[s]): frozenset((3 * s + step) % 12 for step in (-1, 0, 1)) for s in range(4)
}


def complete_groups(branches: Collection[int]) -> list[tuple[str, int]]:
    """(三合 or 三会, element index) of the groups whose three branches are all present."""
    have = set(branches)
    return [group for group, members in _MEMBERS.items() if have >= members]


def groups_through(branch: int, branches: Collection[int]) -> list[tuple[str, int]]:
    """The complete groups to which one of the branches belongs."""
    have = set(branches)
    through = (("三合", _SANHE[branch % 4]), ("三会", season(branch)))
    return [group for group in through if have >= _MEMBERS[group]]


def season(branch: int) -> int:
    """The element of the season to which a branch belongs.

    >>> season(2), season(4), season(5)
    (0, 0, 1)
    """
    return _SANHUI[(branch + 1) // 3 % 4]


def half_groups(branches: Collection[int]) -> list[tuple[str, int]]:
    """(半合, element index) of the 三合 with exactly two branches present, the middle one (子 卯 午 酉) among them."""
    have = set(branches)
    middles = (branch for branch in (0, 9, 6, 3) if branch in have)
    return [("半合", _SANHE[m % 4]) for m in middles if ((m + 4) % 12 in have) != ((m + 8) % 12 in have)]
