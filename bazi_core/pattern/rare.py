"""杂格: rare structures, listed as candidates by name and never weighed.

《子平真诠·论杂格》 describes them and rejects most: 月令有用神 leaves no room for them (论外格用舍). `za_ge.csv` states
the condition of each; a chart that meets it is told so, and nothing follows from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from bazi_core.alphabet import Branch, Pillar, Stem
from bazi_core.pillars import WHOLE, FourPillars
from bazi_core.structures.classes import CLASSES
from bazi_core.tables import rows
from bazi_core.views.strength import class_of

# Of one branch so many that it strikes what faces it (支中字多，方冲得动).
MANY = 3


class Rare(NamedTuple):
    """A rare structure that a chart could be called by: `text` is its condition, `evidence` the pillars."""

    name: str
    text: str
    evidence: tuple[str, ...]
    source: str


class _RareRow(NamedTuple):
    rare: Rare
    conditions: tuple[tuple[Callable[..., bool], tuple[str, ...]], ...]


class _Look(NamedTuple):
    """The chart as text, for the conditions: the day stem apart, all stems in order, those but the day's."""

    pillars: FourPillars
    day: str
    stems: str
    others: str
    branches: str

    @property
    def is_whole(self) -> bool:
        return self.pillars.hour is not None


def rare_forms(pillars: FourPillars) -> tuple[Rare, ...]:
    """The rare structures whose condition the pillars meet.

    >>> from bazi_core.pillars import FourPillars
    >>> [each.name for each in rare_forms(FourPillars.parse("戊午 戊午 戊午 戊午"))]
    ['两神成象', '一气', '一气', '倒冲']
    """
    stems = [pillar.stem.value for pillar in pillars if pillar]
    branches = "".join([pillar.branch.value for pillar in pillars if pillar])
    look = _Look(pillars, stems[2], "".join(stems), "".join(stems[:2] + stems[3:]), branches)
    found = [
        row.rare for row in _rows(pillars.day) if all(test(look, *words) for test, words in row.conditions)
    ]
    if not found:
        return ()
    return tuple(rare._replace(evidence=(WHOLE,)) for rare in found)


@cache
def _rows(day: Pillar) -> tuple[_RareRow, ...]:
    """The rows that a day allows, with their other conditions."""
    found = []
    for row in rows("za_ge"):
        parts = [part.split() for part in row["predicate"].split("&")]
        if all(OF_DAY[verb](day, *words) for verb, *words in parts if verb in OF_DAY):
            rest = tuple((VERBS[verb], tuple(words)) for verb, *words in parts if verb not in OF_DAY)
            found.append(_RareRow(Rare(row["name"], row["text"], (), row["source"]), rest))
    return tuple(found)


def _two_elements(look: _Look) -> bool:
    """Two elements with four characters each, a branch by its main qi."""
    count = Counter(_elements(look))
    return look.is_whole and sorted(count.values()) == [4, 4]


def _elements(look: _Look) -> list[int]:
    known = [pillar for pillar in look.pillars if pillar]
    return [pillar.stem.element.index for pillar in known] + [pillar.branch.element.index for pillar in known]


def _strikes(look: _Look, name: str) -> bool:
    """A branch that comes so often that it strikes the one facing it, whose class the chart itself does not have."""
    many = next((branch for branch in look.branches if look.branches.count(branch) >= MANY), None)
    if many is None:
        return False
    facing = Branch(many).clash.element
    k = class_of(look.pillars.day.stem, facing)
    return CLASSES[k] == name and facing.index not in _elements(look)


def _shows(look: _Look, name: str) -> bool:
    day = look.pillars.day.stem
    return any(CLASSES[class_of(day, Stem(stem).element)] == name for stem in look.others)


OF_DAY: dict[str, Callable[[Pillar, str], bool]] = {
    "日": lambda day, stem: day.stem.value == stem,
    "日柱": lambda day, pillar: day.value == pillar,
}
VERBS: dict[str, Callable[..., bool]] = {
    "两神": _two_elements,
    "干同": lambda look: look.is_whole and look.stems == look.day * 4,
    "支同": lambda look: look.is_whole and look.branches == look.branches[0] * 4,
    "三奇": lambda look, stems: stems in look.stems,
    "时柱": lambda look, pillar: look.pillars.hour is not None and look.pillars.hour.value == pillar,
    "月支": lambda look, branches: look.branches[1] in branches,
    "干无": lambda look, stems: not set(stems) & set(look.others),
    "支无": lambda look, branches: not set(branches) & set(look.branches),
    "字无": lambda look, chars: not set(chars) & set(look.others + look.branches),
    "支多": lambda look, branch, times: look.branches.count(branch) >= int(times),
    "支全": lambda look, branches: set(branches) <= set(look.branches),
    "不透": lambda look, name: not _shows(look, name),
    "倒冲": _strikes,
}
