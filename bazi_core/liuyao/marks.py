"""Relations of stems and branches in 六爻: seasons, bearings, change marks, marks of hexagrams, 三合局.

Facts only; policies draw the conclusions. Everything is a function of small integers, kept in tables
that are filled on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import Any, NamedTuple

from bazi_core.alphabet import BRANCHES, Branch, Element, Pillar
from bazi_core.liuyao.hexagrams import CLASHING, COMBINING, HANZI, PURE, Hexagram, clash, combination
from bazi_core.tables import rows
from bazi_core.views.elements import states

PROSPEROUS = ("旺", "相")
# 余气: an element after its season (增删卜易 ch. 16).
RESIDUAL = {Branch("辰"): Element("木"), Branch("未"): Element("火"), Branch("丑"): Element("水")}
STAGES = ("长生", "帝旺", "墓", "绝")
# The branch after the next of the same element; of earth the next earth branch.
ADVANCE = {"亥": "子", "寅": "卯", "巳": "午", "申": "酉", "丑": "辰", "辰": "未", "未": "戌", "戌": "丑"}
RETREAT = {after: before for before, after in ADVANCE.items()}
# By how far the element of the changed line lies after that of the line.
_RETURNS = ("化比", "化泄", "化耗", "回头克", "回头生")
# The same for a month or day upon a line.
_BEARS = ("扶", "生", "克", "耗", "泄")
TRINES = {"水": "申子辰", "金": "巳酉丑", "火": "寅午戌", "木": "亥卯未"}


def season(month: Branch, element: Element) -> str:
    """旺相休囚死 of an element in a month."""
    return states(month.index)[element.index]


@cache
def bearing(reference: Branch, branch: Branch, breaks: str) -> tuple[str, ...]:
    """Relations of the month (`breaks` 破) or the day (冲) to a branch: 临, or 破 or 冲, 合, and one of 扶 生 克 泄 耗."""
    if reference is branch:
        return ("临",)
    bearings = [breaks] if clash(reference) is branch else []
    bearings += ["合"] if combination(reference) is branch else []
    return (*bearings, _BEARS[(branch.element.index - reference.element.index) % 5])


@cache
def _stages() -> dict[tuple[str, str], str]:
    return {(row["element"], row[stage]): stage for row in rows("liuyao/stages") for stage in STAGES}


def stage(element: Element, branch: Branch) -> str:
    """长生 帝旺 墓 绝 of an element at a branch, else an empty text."""
    return _stages().get((element.value, branch.value), "")


@cache
def tomb(element: Element) -> Branch:
    """墓: the branch in which an element is stored."""
    return next(branch for branch in BRANCHES if stage(element, branch) == "墓")


@cache
def change(branch: Branch, changed: Branch, month: Branch, void: tuple[Branch, ...]) -> tuple[str, ...]:
    """The marks of a moving line relative to its changed line (增删卜易 ch. 15, 36)."""
    changes = ["伏吟"] if changed is branch else []
    changes += ["进神"] if ADVANCE.get(branch.value) == changed.value else []
    changes += ["退神"] if RETREAT.get(branch.value) == changed.value else []
    changes += ["回头冲"] if clash(branch) is changed else []
    changes += ["化合"] if combination(branch) is changed else []
    if changed is not branch:
        changes.append(_RETURNS[(changed.element.index - branch.element.index) % 5])
    changes += ["化空"] if changed in void else []
    changes += ["化破"] if clash(month) is changed else []
    at = stage(branch.element, changed)
    return (*changes, *([f"化{at}"] if at else []))


def transition(primary: Hexagram, target: Hexagram) -> str:
    """六冲变六合 and similar; empty when one side has neither mark, or no line moves."""
    return "" if primary.code == target.code else _transition(primary.tags, target.tags)


@cache
def _transition(*ends: tuple[str, ...]) -> str:
    tags_found = [tag for tags in ends for tag in tags if tag in (CLASHING, COMBINING)]
    return f"{tags_found[0]}变{tags_found[1]}" if len(tags_found) == len(ends) else ""


_FAN_FU = {("坤", "巽"): "反吟", ("巽", "坤"): "反吟", ("乾", "震"): "伏吟", ("震", "乾"): "伏吟"}


def fan_fu(primary: Hexagram, target: Hexagram) -> dict[str, str | None]:
    """反吟 (坤 ↔ 巽) and 伏吟 (乾 ↔ 震) of the inner and the outer trigram (增删卜易 ch. 28)."""
    return {
        "inner": _FAN_FU.get((primary.lower.name, target.lower.name)),
        "outer": _FAN_FU.get((primary.upper.name, target.upper.name)),
    }


def gua_fan_yin(primary: Hexagram, target: Hexagram) -> bool:
    """卦反吟: both trigrams turn into their opposites 乾巽 坎离 艮坤 震兑."""
    return primary.lower.opposite == target.lower.name and primary.upper.opposite == target.upper.name


_GUA_BIAN = ("比和", "泄", "化去", "回头克", "回头生")


def gua_bian(primary: Hexagram, target: Hexagram) -> str:
    """The mark of a pure hexagram that changes into another pure one (增删卜易 ch. 27), else an empty text."""
    if primary.code == target.code or {primary.generation, target.generation} != {PURE}:
        return ""
    return _GUA_BIAN[(target.element.index - primary.element.index) % 5]


class Trine(NamedTuple):
    """A 三合局; `waits` are the members to be waited for, each with its reason: 空, 破 or 墓."""

    element: str
    kind: str
    branches: str
    missing: str = ""
    filled_by: tuple[str, ...] = ()
    waits: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        members: dict[str, Any] = {"element": self.element, "kind": self.kind, "branches": self.branches}
        if self.missing:
            members |= {"missing": self.missing, "filledBy": [*self.filled_by]}
        return members | {"waits": [{"branch": branch, "why": why} for branch, why in self.waits]}


def trines(
    branches: Sequence[Branch],
    changed: Sequence[Branch | None],
    active: Sequence[bool],
    month: Branch,
    day: Branch,
) -> list[Trine]:
    """三合局 (增删卜易 ch. 21): complete by motion, two moving with a still one, one awaited, and by changes of the
    first and third, or fourth and sixth line. `changed` is the branch that a moving line turns into."""
    acting = branch_sets(compress(branches, active))[0]
    # Two members in motion are the least that any kind needs.
    near = [trine for trine in _TRINES if (trine[2] & acting).bit_count() > 1]
    if not near:
        return []
    board, turned, groups = branch_sets(branches)[0], _turned_groups(branches, changed), []
    for element, three, whole in near:
        absent = whole & ~acting
        if not absent:
            groups.append(Trine(element, "三爻动", three))
        elif absent & board:
            groups.append(Trine(element, "两动一静", three))
        else:
            missing = BRANCHES[absent.bit_length() - 1]
            filled = tuple([name for name, branch in (("月建", month), ("日辰", day)) if branch is missing])
            groups.append(Trine(element, "虚一待用", three, missing.value, filled))
        groups += [Trine(element, kind, three) for kind, group in turned if group == whole]
    return groups


def branch_sets(branches: Iterable[Branch]) -> tuple[int, int]:
    """(present, repeated): the sets of branches that occur, and that occur at least twice, as bits."""
    once = twice = 0
    for branch in branches:
        bit = 1 << branch.index
        twice |= once & bit
        once |= bit
    return once, twice


_TRINES = tuple((element, three, branch_sets(map(Branch, three))[0]) for element, three in TRINES.items())


def _turned_groups(branches: Sequence[Branch], changed: Sequence[Branch | None]) -> list[tuple[str, int]]:
    """Of the first and third line, and of the fourth and sixth, both moving: their branches with either change."""
    groups = []
    for kind, one, other in (("内卦初三爻动变", 0, 2), ("外卦四六爻动变", 3, 5)):
        first, second = changed[one], changed[other]
        if first is not None and second is not None:
            for each in {first: None, second: None}:
                groups.append((kind, branch_sets((branches[one], branches[other], each))[0]))
    return groups


@cache
def stars() -> tuple[tuple[str, str, dict[str, str]], ...]:
    """(name, the reading that is its key, key → branches) of each star."""
    return tuple(
        (row["name"], row["by"], dict(pair.split(":") for pair in row["cells"].split()))
        for row in rows("liuyao/stars")
    )


class LineStar(NamedTuple):
    """A star with the branches on which it stands and the lines that bear them."""

    name: str
    branches: tuple[Branch, ...]
    positions: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "branches": [HANZI[branch] for branch in self.branches],
            "positions": [*self.positions],
        }


@cache
def _stars_at(month: Branch, day: Pillar) -> tuple[tuple[str, tuple[Branch, ...], int], ...]:
    """(name, branches, branches as bits) of every star."""
    asked = {"day_stem": day.stem.value, "day_branch": day.branch.value, "month_branch": month.value}
    all_stars = ((name, tuple(map(Branch, cells[asked[by]]))) for name, by, cells in stars())
    return tuple((name, branches, branch_sets(branches)[0]) for name, branches in all_stars)


@lru_cache(maxsize=128)
def _bits_of(board: tuple[Branch, ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The branches of a board as bits, together and line by line."""
    lines = tuple((n, 1 << branch.index) for n, branch in enumerate(board, 1))
    return branch_sets(board)[0], lines


def stars_on(board: Sequence[Branch], month: Branch, day: Pillar) -> list[LineStar]:
    """The stars of a time that stand on these lines."""
    there, lines = _bits_of(tuple(board))
    return [
        LineStar(name, branches, tuple([n for n, bit in lines if bit & bits]))
        for name, branches, bits in _stars_at(month, day)
        if bits & there
    ]


# 三刑 (增删卜易 ch. 23), facts only.
PUNISHMENTS = ("寅巳申", "丑戌未", "子卯", "辰辰", "午午", "酉酉", "亥亥")
_PUNISHMENTS = tuple((punishment, *branch_sets(map(Branch, punishment))) for punishment in PUNISHMENTS)


def punishments(present: Iterable[Branch]) -> list[str]:
    """The sets of 三刑 whose members all stand on the board, with month and day."""
    once, twice = branch_sets(present)
    return [
        name
        for name, members, doubled in _PUNISHMENTS
        if members & once == members and doubled & twice == doubled
    ]
