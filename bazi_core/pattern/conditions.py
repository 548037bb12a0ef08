"""The words in which the table of 成 and 败 speaks, and what each asks of a chart.

A condition is a verb and the gods it is about (`language`). 《子平真诠》
tells stems from branches (干主动, 支主静): what acts must stand at year, month or hour, and a stem that a neighbour
combines acts no more (论十干配合性情). Gods are bits, one for each of the ten, so that most conditions are one `&`;
the ids of the facts that decide a condition are looked up beside it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, TEN_GODS, Element
from bazi_core.structures.classes import CLASSES
from bazi_core.structures.language import HARMS, WrittenCondition, conditions
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.roots import LOST, Root, Roots
from bazi_core.views.ten_gods import ten_god_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bazi_core.pattern.order import Regular
    from bazi_core.pillars import FourPillars
    from bazi_core.views.resolution import Relation

Ids = tuple[str, ...]

# Shares of a class (mean .20). A month of one stem alone gives its class .33, one that hides three stems .20.
LIGHT, HEAVY = 0.25, 0.35

_HARM = {"六冲": "冲", "三刑": "刑", "刑": "刑", "六害": "害", "六破": "破"}
# Of 刑 between two branches only this pair; a part of 寅巳申 or 丑戌未 is left open, as the book does (姑且阙疑).
_PUNISHING_PAIR = {"子", "卯"}
_EARTH = set("辰戌丑未")
# Harm that counts only from a neighbour and while nothing resolves it.
_SLIGHT = ("六害", "六破")
# A clash that another break holds has no force (冲之无力).
UNDONE = ("化解", "减力")

_TG = {position: f"tg.{position}.stem" for position in ("year", "month", "hour")}
_WX = tuple(f"wx.seasonal.{element}" for element in ELEMENTS)


class PatternCondition(NamedTuple):
    """One condition of a row: its verb, the bits of what it is about, and whether it is denied."""

    text: str
    verb: str
    bits: tuple[int, ...]
    denied: bool


def terms(predicate: str) -> tuple[PatternCondition, ...]:
    """The conditions of a row.

    >>> [(term.text, term.denied) for term in terms("透 财 & !月 冲 & 比劫 > 财")]
    [('透 财', False), ('月 冲', True), ('比劫 > 财', False)]
    """
    return tuple(_term(condition) for condition in conditions(predicate))


def _term(said: WrittenCondition) -> PatternCondition:
    bits = tuple(_BITS_OF.get(said.verb, gods_named)(name) for name in said.names) or (1,)
    return PatternCondition(said.text, said.verb, bits, said.denied)


@cache
def gods_named(name: str) -> int:
    """The ten gods that a name covers, as bits by `TenGod.index`."""
    if name in CLASSES:
        return 3 << 2 * CLASSES.index(name)
    return sum(1 << god.index for god in TEN_GODS if god.value == name)


_BITS_OF: dict[str, Callable[[str], int]] = {
    "月": lambda name: 1 << HARMS.index(name),
    "解": lambda name: 1 << HARMS.index(name),
    "日": lambda name: 1 << Element(name).index,
}


class Scene:
    """One chart as the conditions see it: `state` holds for every verb the bits of which it is true."""

    __slots__ = ("bound", "day", "everything", "g", "harms", "partners", "pillars", "roots", "shown", "state")

    def __init__(
        self,
        pillars: FourPillars,
        regular: Regular,
        relations: Iterable[Relation],
        roots: Sequence[Roots],
        shares: Sequence[float],
        strong: bool,
    ) -> None:
        self.pillars, self.g, self.day = pillars, shares, pillars.day.stem
        gods = ten_god_table().cells
        row = 10 * self.day.index
        self.roots = {root.subject: root for root in roots}
        self.shown = [(root.subject, gods[row + root.stem.index]) for root in roots[1:]]
        self.everything = tuple([_TG[where] for where, _ in self.shown])
        self.bound: dict[str, str] = {}
        self.partners: dict[str, tuple[str, str]] = {}
        self.harms: dict[str, list[Relation]] = {}
        self._look_at(relations, regular.stem is not None and regular.stem.element is _SOIL)
        mains = [gods[row + _main_qi()[pillar.branch.index]] for pillar in pillars if pillar]
        self.state = self._of_stems(mains) | self._of_month() | _of_shares(shares)
        self.state["身强"] = int(strong)
        self.state["日"] = 1 << self.day.element.index

    def _of_stems(self, mains: Iterable[int]) -> dict[str, int]:
        free = bound = rooted = there = 0
        for where, god in self.shown:
            if where in self.bound:
                bound |= 1 << god
            else:
                free |= 1 << god
            if self.is_rooted(where):
                rooted |= 1 << god
        for god in mains:
            there |= 1 << god
        return {"露": free | bound, "透": free, "合": bound, "根": rooted, "有": free | bound | there}

    def _of_month(self) -> dict[str, int]:
        done = resolved = 0
        for harm, found in self.harms.items():
            done |= 1 << HARMS.index(harm)
            if all(each.status in UNDONE for each in found):
                resolved |= 1 << HARMS.index(harm)
        return {"月": done, "解": resolved}

    def _look_at(self, relations: Iterable[Relation], earth: bool) -> None:
        for relation in relations:
            if relation.type == "干合":
                self._bind(relation)
            elif relation.type in _HARM and _hurts_month(relation, earth):
                self.harms.setdefault(_HARM[relation.type], []).append(relation)

    def _bind(self, relation: Relation) -> None:
        """合去: year with month, month with hour. What the day stem itself combines stays its own (本身之合), unless
        the year is there first."""
        (one, first), (two, second) = relation.members
        if "day" in (one, two) or {one, two} == {"year", "hour"}:
            return
        if "hour" in (one, two) and self.day.value in (first, second):
            return
        self.bound[one] = self.bound[two] = relation.id
        self.partners |= {one: (two, second), two: (one, first)}

    def holds(self, term: PatternCondition) -> bool:
        """Whether a condition is met, its `!` counted."""
        state = self.state.get(term.verb)
        met = COMPARED[term.verb](self, *term.bits) if state is None else state & term.bits[0] != 0
        return met is not term.denied

    def ids(self, term: PatternCondition) -> Ids:
        """The facts that decide a condition, either way."""
        return EVIDENCE[term.verb](self, *term.bits)

    def showing(self, gods: int) -> list[str]:
        return [where for where, god in self.shown if gods >> god & 1]

    def root_ids(self, subject: str) -> Ids:
        """The roots of a stem: the unbroken ones, else the broken, else that there is none."""
        own = self.roots[subject]
        sound = list(filter(_is_sound, own.roots)) or own.roots
        return tuple([own.fact_id(root) for root in sound]) or (f"root.{subject}.none",)

    def is_rooted(self, subject: str) -> bool:
        """Whether a stem has a root that no clash broke."""
        return any(map(_is_sound, self.roots[subject].roots))


_SOIL = Element("土")


def _of_shares(shares: Iterable[float]) -> dict[str, int]:
    heavy = light = 0
    for k, share in enumerate(shares):
        if share >= HEAVY:
            heavy |= 3 << 2 * k
        elif share < LIGHT:
            light |= 3 << 2 * k
    return {"重": heavy, "轻": light}


def _is_sound(root: Root) -> bool:
    return root.factor > LOST


def _hurts_month(relation: Relation, earth: bool) -> bool:
    """Whether a relation harms the branch of the month. Earth that is wanted does not suffer from a clash of earth
    with earth (论墓库刑冲之说)."""
    if all(where != "month" for where, _ in relation.members):
        return False
    if relation.type in _SLIGHT:
        return relation.adjacent and relation.status == "成立"
    chars = {char for _, char in relation.members}
    if relation.type == "刑":
        return chars == _PUNISHING_PAIR
    return not (earth and relation.type == "六冲" and chars <= _EARTH)


@cache
def _main_qi() -> tuple[int, ...]:
    """Index of the main stem of every branch."""
    return tuple(hidden_stems(branch)[0].stem.index for branch in BRANCHES)


def _outweighs(scene: Scene, one: int, two: int) -> bool:
    return scene.g[_class_of(one)] > scene.g[_class_of(two)]


def _beside(scene: Scene, one: int, two: int) -> bool:
    """Year and month are the only neighbours among these stems; the day stem keeps month and hour apart."""
    year, month = (1 << god for _, god in scene.shown[:2])
    return bool(one & year and two & month) or bool(two & year and one & month)


COMPARED: dict[str, Callable[[Scene, int, int], bool]] = {">": _outweighs, "邻": _beside}


def _class_of(gods: int) -> int:
    """The class of the lowest bit."""
    return (gods & -gods).bit_length() - 1 >> 1


def _standing_ids(scene: Scene, gods: int) -> Ids:
    """Where they stand and what binds them; what rests on an absence rests on all the stems."""
    where = scene.showing(gods)
    if not where:
        return scene.everything
    return tuple([_TG[each] for each in where] + [scene.bound[each] for each in where if each in scene.bound])


def _root_ids(scene: Scene, gods: int) -> Ids:
    where = scene.showing(gods)
    return tuple(name for each in where for name in scene.root_ids(each)) or scene.everything


def _there_ids(scene: Scene, gods: int) -> Ids:
    table = ten_god_table()
    places = [(_TG[where], god) for where, god in scene.shown]
    for where, pillar in scene.pillars.items():
        main = hidden_stems(pillar.branch)[0].stem
        places.append((f"tg.{where}.{main}", table(scene.day.index, main.index)))
    found = tuple(name for name, god in places if gods >> god & 1)
    return found or tuple(name for name, _ in places)


def _share_ids(scene: Scene, *gods: int) -> Ids:
    return tuple([_WX[(scene.day.index // 2 + _class_of(god)) % 5] for god in gods])


def _harm_ids(scene: Scene, harm: int) -> Ids:
    found = scene.harms.get(HARMS[harm.bit_length() - 1])
    if not found:
        return tuple([f"p.{where}.branch" for where, _ in scene.pillars.items()])
    return tuple(name for each in found for name in (each.id, *each.resolved_by))


EVIDENCE: dict[str, Callable[..., Ids]] = {
    "露": _standing_ids,
    "透": _standing_ids,
    "合": _standing_ids,
    "根": _root_ids,
    "有": _there_ids,
    "重": _share_ids,
    "轻": _share_ids,
    ">": _share_ids,
    "邻": lambda scene, one, two: scene.everything[:2],
    "月": _harm_ids,
    "解": _harm_ids,
    "身强": lambda scene, _: ("str.verdict",),
    "日": lambda scene, _: ("p.day.stem",),
}
