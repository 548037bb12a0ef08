"""Whether a line that acts reaches what it acts on, and what lines that act together do (《增删卜易·元神忌神衰旺章》).

A line that stirs may be void, broken, held by a combination (《黄金策·千金赋》「动逢合而绊住」), or taken back by its own
change: then it neither feeds nor presses (`forces.csv`). A change works back on its line only while the changed
branch is whole itself. Of several lines 忌神 beside 原神 feeds it and forgets to control: the chain speaks for what is
asked (`chains.csv`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.tables import rows
from bazi_core.tables.checks import names_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.liuyao.board import Line, State
    from bazi_core.liuyao.marks import Trine
    from bazi_core.liuyao.yongshen import YongshenCandidate

# The changes that work back on a line for good or ill while the changed branch is whole.
GOOD_CHANGES, BAD_CHANGES = ("回头生", "进神"), ("回头克", "退神", "化空", "化破", "化墓", "化绝")
_WORKS_BACK = (*GOOD_CHANGES, "回头克")
# What a line stands that a 三合局 of its own element carries: all of them act as one (《增删卜易·三合章》).
_CARRIED = ("变坏", "受制")
# Those that a line in its season stands.
_STOOD_IN_SEASON = ("退神", "化空")
_SUPPORT = {"临", "扶", "生"}
# Steps in the cycle of elements from the 用神 to each role.
_STEPS = {"helper": 4, "harmer": 3, "rival": 2}
ACTS, FAINT, SPENT, NONE = "acts", "faint", "spent", "none"
READY, IDLE = "ready", "idle"


class Hindrance(NamedTuple):
    """A hindrance of a line: the rule, the kind of it that its words tell, and its facts by their ends."""

    rule: str
    kind: str
    tails: tuple[str, ...]


class Standing(NamedTuple):
    """How a line stands, settled once for all that is said of it.

    kind: `acts`, it moves or is stirred, and with force; `faint`, it acts out of season; `spent`, it stirs and cannot act;
    `ready`, it is still and whole; `idle`, it is still and has nothing to give. cause: what keeps it from acting. facts:
    those of the cause.
    """

    kind: str
    cause: Hindrance | None = None
    facts: tuple[str, ...] = ()

    @property
    def is_able(self) -> bool:
        """Whether the line does what it does to others."""
        return self.kind in (ACTS, FAINT)


class Chain(NamedTuple):
    """Lines that act together: the row, its side, and the lines by role."""

    name: str
    side: str
    lines: dict[str, tuple[Line, ...]]


def is_broken(own: State) -> bool:
    """Whether the month breaks a branch on which the day does not stand."""
    return own.month_broken and "临" not in own.day


def is_nothing(own: State, moving: bool = False) -> bool:
    """Whether a branch is void to the end: void and broken at once, out of season, still, and neither clashed, held nor
    raised by the day (《增删卜易·旬空章》: 旺不为空, 动不为空, 有日建生扶者不为空, 月破为空). That a day which combines with
    it, and so raises what is still, counts as one that holds it is P."""
    lives = own.is_prosperous or moving or own.day_clashed or is_held(own) or "合" in own.day
    return own.void and is_broken(own) and not lives


def is_empty(own: State) -> bool:
    """Whether a branch is void and has nothing to give yet: what the day clashes with is filled, and what stands in its
    season is not empty (《增删卜易·旬空章》: 旺不为空)."""
    return own.void and not own.day_clashed and not own.is_prosperous


def is_held(own: State) -> bool:
    """Whether the day stands on a branch, supports or generates it."""
    return bool(_SUPPORT & {*own.day})


def change_hindrance(line: Line) -> str:
    """The hindrance of a changed branch in working back on its line: 化空, 化破, 日合; nothing where it is whole."""
    if line.turned is None:
        return ""
    if "化破" in line.changes and "临" not in line.turned.state.day:
        return "化破"
    if "化空" in line.changes and not line.turned.state.is_prosperous:
        return "化空"
    return "日合" if "合" in line.turned.state.day else ""


def works_back(line: Line, mark: str) -> bool:
    """Whether a change of a line holds, where the changed branch would have to do it; what stays as it was (伏吟) enters no
    store."""
    if mark == "化墓" and "伏吟" in line.changes:
        return False
    return mark in line.changes and not (mark in _WORKS_BACK and change_hindrance(line))


def undone(line: Line) -> str:
    """The change that takes its force from a line; nothing where another change feeds it or moves it forward."""
    if any(works_back(line, change) for change in GOOD_CHANGES):
        return ""
    stands = line.state.is_prosperous or is_held(line.state)
    return next(
        (
            change for change in BAD_CHANGES
            if works_back(line, change) and not (stands and change in _STOOD_IN_SEASON)
        ),
        "",
    )  # fmt: skip


def _void(line: Line) -> Hindrance | None:
    return Hindrance("旬空", "void", ("void",)) if is_empty(line.state) else None


def _bound(line: Line) -> Hindrance | None:
    # What is still is raised by a combination, what moves is held (《增删卜易·六合章》).
    if not line.moving:
        return None
    if "合" in line.state.day:
        return Hindrance("合住", "day", ("day",))
    if "合" in line.state.month:
        return Hindrance("合住", "month", ("month",))
    return Hindrance("合住", "change", ("change.化合",)) if "化合" in line.changes else None


def _turned(line: Line) -> Hindrance | None:
    mark = undone(line)
    return Hindrance("变坏", "change", (f"change.{mark}",)) if mark else None


def _checked(line: Line) -> Hindrance | None:
    own = line.state
    if own.is_prosperous or is_held(own):
        return None
    if "克" in own.day:
        return Hindrance("受制", "day_checks", ("day", "state"))
    return Hindrance("受制", "month_checks", ("state",)) if own.month_state == "死" else None


def _stored(line: Line) -> Hindrance | None:
    own = line.state
    idle = own.day_stage == "墓" and not is_held(own) and not own.is_prosperous
    return Hindrance("入墓", "store", ("stage",)) if idle else None


def _broken(line: Line) -> Hindrance | None:
    return Hindrance("月破", "broken", ("yuepo",)) if is_broken(line.state) else None


_RULES: dict[str, Callable[[Line], Hindrance | None]] = {
    "月破": _broken, "旬空": _void, "合住": _bound, "变坏": _turned,
    "入墓": _stored, "受制": _checked,
}  # fmt: skip


@cache
def _order() -> tuple[str, ...]:
    names = tuple(row["rule"] for row in rows("liuyao/forces"))
    names_known("liuyao/forces", "rule", names, tuple(_RULES))
    return names


def hindrance(line: Line) -> Hindrance | None:
    """The hindrance of a line that acts; None where there is none."""
    found = (_RULES[name](line) for name in _order())
    return next((each for each in found if each), None)


def is_whole(trine: Trine) -> bool:
    """Whether a 三合局 acts as one: no member is missing, void, broken or stored (《增删卜易·三合章》)."""
    return not trine.waits and (not trine.missing or bool(trine.filled_by))


def numbered(trines: Sequence[Trine]) -> list[tuple[str, Trine]]:
    """三合 with the ids of their facts."""
    counts: dict[str, int] = {}
    found = []
    for trine in trines:
        counts[trine.element] = counts.get(trine.element, 0) + 1
        found.append((f"ly.sanhe.{trine.element}.{counts[trine.element]}", trine))
    return found


def standings(lines: Sequence[Line], trines: Sequence[Trine]) -> tuple[Standing, ...]:
    """How each line stands, from line 1 upward; a line in a 三合局 of another element acts as that and no more as itself,
    one in a 三合局 of its own is carried by it."""
    whole = [(name, trine) for name, trine in numbered(trines) if is_whole(trine)]
    return tuple(_standing(line, whole) for line in lines)


def _standing(line: Line, whole: Sequence[tuple[str, Trine]]) -> Standing:
    own, at = line.state, f"ly.line.{line.position}"
    cause = hindrance(line)
    if (
        cause is not None
        and cause.rule in _CARRIED
        and any(_is_in(line, trine, own=True) for _, trine in whole)
    ):
        cause = None
    facts = tuple(f"{at}.{tail}" for tail in cause.tails) if cause else ()
    joined = next((name for name, trine in whole if _is_in(line, trine)), "")
    if cause is None and joined:
        cause, facts = Hindrance("入局", "joined", ()), (joined,)
    if line.active:
        strong = own.is_prosperous or is_held(own)
        return Standing(SPENT if cause else ACTS if strong else FAINT, cause, facts)
    if cause is None and line.day_broken:
        cause, facts = Hindrance("日破", "day_broken", ("ripo",)), (f"{at}.ripo",)
    ready = cause is None and (own.is_prosperous or is_held(own) or "合" in own.day)
    return Standing(READY if ready else IDLE, cause, facts)


def _is_in(line: Line, trine: Trine, own: bool = False) -> bool:
    """Whether a line is part of a 三合局 of another element than its own, or of its own; that of one trigram takes in its
    outer lines."""
    state = line.state
    where = {"内": (1, 3), "外": (4, 6)}.get(trine.kind[0], (1, 2, 3, 4, 5, 6))
    return (
        line.position in where
        and state.branch.value in trine.branches
        and (state.element.value == trine.element) is own
    )


def acting(lines: Sequence[Line], subject: YongshenCandidate, role: str) -> tuple[Line, ...]:
    """The lines of a role, beside the subject itself, that move or that the day stirs."""
    index = (subject.state.element.index + _STEPS[role]) % 5
    own = subject.line if subject.source == "line" else None
    return tuple(
        line for line in lines if line.active and line is not own and line.state.element.index == index
    )


def chain(lines: Sequence[Line], stands: Sequence[Standing], subject: YongshenCandidate) -> Chain | None:
    """The first row of `chains.csv` that fits the lines that act upon a subject; None where none does."""
    those = {role: acting(lines, subject, role) for role in _STEPS}
    kinds = {role: _kind(each, stands) for role, each in those.items()}
    for row in rows("liuyao/chains"):
        if all(not row[role] or kinds[role] in row[role].split() for role in _STEPS):
            named = {role: able(each, stands) or each for role, each in those.items() if row[role]}
            return Chain(row["chain"], row["side"], {role: each for role, each in named.items() if each})
    return None


def able(lines: Sequence[Line], stands: Sequence[Standing]) -> tuple[Line, ...]:
    """Those of some lines that act and that nothing hinders."""
    return tuple(line for line in lines if stands[line.position - 1].is_able)


def _kind(lines: Sequence[Line], stands: Sequence[Standing]) -> str:
    """The best of how some lines stand that act; `none` where there is no line."""
    kinds = {stands[line.position - 1].kind for line in lines}
    return next((kind for kind in (ACTS, FAINT, SPENT) if kind in kinds), NONE)
