"""The shares of a chart by class of ten gods, the input of structures, book rules and methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.structures.classes import RESOURCE
from bazi_core.views.elements import exact

if TYPE_CHECKING:
    from bazi_core.alphabet import Element, Stem
    from bazi_core.pillars import FourPillars

    Shares = tuple[float, ...]


class ClassShares(NamedTuple):
    """A chart by class (比劫 食伤 财 官杀 印): shares `g`, shares of roots `root`, the classes of the visible stems, the
    class of the month's main qi."""

    pillars: FourPillars
    g: Shares
    root: Shares
    shown: frozenset[int]
    month_class: int

    @property
    def day(self) -> Stem:
        return self.pillars.day.stem

    @property
    def shows_resource(self) -> bool:
        return RESOURCE in self.shown

    def share(self, *classes: int) -> float:
        """The sum of the shares of these classes."""
        return exact(sum(self.g[k] for k in classes))

    def class_of(self, element: Element) -> int:
        return (element.index - self.pillars.day.stem.index // 2) % 5


def sight(pillars: FourPillars, shares: Shares, root_share: Shares) -> ClassShares:
    """The sight of a chart; `root_share` is by `Element.index`."""
    own = pillars.day.stem.index // 2
    others = [pillar for pillar in (pillars.year, pillars.month, pillars.hour) if pillar]
    return ClassShares(
        pillars,
        shares,
        root_share[own:] + root_share[:own],
        frozenset([(pillar.stem.index // 2 - own) % 5 for pillar in others]),
        (pillars.month.branch.element.index - own) % 5,
    )
