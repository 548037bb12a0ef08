"""六亲: the stars of the six relatives, and whether they show.

《子平真诠·论宫分用神配六亲》: 正印 is the mother, who bears; 偏财 the father, her husband; 比劫 the siblings; 正财 is the
wife of a man and 官杀 his children; by 《三命通会·论女命》 正官 is the husband of a woman and 食伤, whom she bears, her
children. Only where a star stands is told, nothing about the person.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from bazi_core.alphabet import TEN_GODS, Branch, Stem
from bazi_core.facts import Fact
from bazi_core.pillars import WHOLE, FourPillars
from bazi_core.structures.classes import CLASSES
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.ten_gods import ten_god_table
from bazi_core.wording import FactPhrase

SHOWN, HIDDEN, ABSENT = "透", "藏", "无"
# The star of each relative for a man, for a woman.
STARS = {
    "father": ("偏财", "偏财"),
    "mother": ("正印", "正印"),
    "siblings": ("比劫", "比劫"),
    "spouse": ("正财", "正官"),
    "children": ("官杀", "食伤"),
}
_KEYS = {SHOWN: ("kin.stems", "seat.stem"), HIDDEN: ("kin.branches", "seat.branch")}


class Relative(NamedTuple):
    """The star of one relative.

    `state` is 透 (a stem at one of `positions`), 藏 (hidden in the branches of `positions`) or 无; `evidence` are
    the ids of the facts that tell it.
    """

    relative: str
    star: str
    positions: tuple[str, ...]
    state: str
    evidence: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return self._asdict() | {"positions": list(self.positions), "evidence": [f"kin.{self.relative}"]}


def relatives(pillars: FourPillars, gender: str | None) -> tuple[Relative, ...]:
    """The six relatives; without a gender spouse and children are left out.

    >>> from bazi_core.pillars import FourPillars
    >>> found = relatives(FourPillars.parse("庚午 辛巳 庚辰 壬午"), "male")
    >>> [(each.relative, each.star, each.positions, each.state) for each in found[2:4]]
    [('siblings', '比劫', ('year', 'month'), '透'), ('spouse', '正财', ('day',), '藏')]
    """
    shown, hidden = places_of_gods(pillars)
    names = STARS if gender else ("father", "mother", "siblings")
    return tuple([_relative(name, gender, shown, hidden) for name in names])


Place = tuple[str, int, str]


def places_of_gods(pillars: FourPillars) -> tuple[list[Place], list[Place]]:
    """(position, ten god by its index, id of the fact) of the stems that show and of the hidden ones."""
    gods, day = ten_god_table().cells, pillars.day.stem
    shown: list[Place] = []
    hidden: list[Place] = []
    for where, pillar in pillars.items():
        if where != "day":
            shown.append((where, gods[10 * day.index + pillar.stem.index], f"tg.{where}.stem"))
        hidden += _inside(where, pillar.branch, day)
    return shown, hidden


@cache
def _inside(where: str, branch: Branch, day: Stem) -> tuple[Place, ...]:
    gods = ten_god_table()
    return tuple(
        (where, gods(day.index, stem.stem.index), f"tg.{where}.{stem.stem}") for stem in hidden_stems(branch)
    )


def _relative(name: str, gender: str | None, shown: list[Place], hidden: list[Place]) -> Relative:
    """One relative; that a star is nowhere rests on the whole chart."""
    star = STARS[name][gender == "female"]
    wanted = _INDICES[star]
    leaf = ("p.input.gender",) if STARS[name][0] != STARS[name][1] else ()
    for state, places in ((SHOWN, shown), (HIDDEN, hidden)):
        found = [place for place in places if place[1] in wanted]
        if found:
            positions = tuple(dict.fromkeys([where for where, _, _ in found]))
            return Relative(name, star, positions, state, leaf + tuple([own for _, _, own in found]))
    return Relative(name, star, (), ABSENT, (*leaf, WHOLE))


# The ten gods of a star, by index: a class has two.
_INDICES = {god.value: (god.index,) for god in TEN_GODS} | {
    name: (2 * k, 2 * k + 1) for k, name in enumerate(CLASSES)
}


def relative_facts(found: tuple[Relative, ...]) -> Iterator[Fact]:
    """`kin.<relative>`: the star, with where it stands."""
    for each in found:
        yield Fact(
            f"kin.{each.relative}", "relative", each.relative, "star", each.star,
            "kin", (each.relative, each.star, _where(each)), None, each.evidence, "R-KIN",
            "ZPZQ.论宫分用神配六亲",
        )  # fmt: skip


def _where(each: Relative) -> FactPhrase:
    if each.state == ABSENT:
        return FactPhrase("kin.absent")
    key, seat = _KEYS[each.state]
    return FactPhrase(key, (tuple(FactPhrase(seat, (where,)) for where in each.positions),))
