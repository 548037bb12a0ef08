"""The facts of every line: its relation to month and day, void, broken, the line it changes into.

Facts stay raw (a void line is void even when the day stands on it); 暗动, 日破 and the kind of void are verdicts of
the policy.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import BRANCHES, Branch, Element, Pillar
from bazi_core.liuyao import marks
from bazi_core.liuyao.divination import spirits_of
from bazi_core.liuyao.hexagrams import HANZI, POSITIONS, clash, hexagram_of, relations_in
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from bazi_core.liuyao.chart import LiuyaoValue
    from bazi_core.liuyao.policy import LiuyaoPolicy

# The element that is dead in the season of a month: 春土 夏金 秋木 冬火 (卜筮正宗).
_SEASONS = (("寅卯辰", "土"), ("巳午未", "金"), ("申酉戌", "木"), ("亥子丑", "火"))
DEAD = {Branch(month): Element(element) for months, element in _SEASONS for month in months}


class State(NamedTuple):
    """The relation of month and day to a branch, in any line."""

    branch: Branch
    element: Element
    month_state: str
    month: tuple[str, ...]
    day: tuple[str, ...]
    void: bool
    month_broken: bool
    day_clashed: bool
    day_stage: str
    is_prosperous: bool

    def to_dict(self) -> dict[str, Any]:
        branch, element, month_state, month, day, void, month_broken, day_clashed, day_stage, _ = self
        return {
            "branch": HANZI[branch],
            "element": HANZI[element],
            "monthState": month_state,
            "month": [*month],
            "day": [*day],
            "xunKong": void,
            "yuePo": month_broken,
            "riChong": day_clashed,
            "dayStage": day_stage,
        }


@lru_cache(maxsize=1 << 10)
def states(month: Branch, day: Pillar) -> tuple[State, ...]:
    """The states of all branches in a month and on a day, 子 first; there are 720 such times."""
    return tuple(_state(branch, month, day) for branch in BRANCHES)


def state(branch: Branch, month: Branch, day: Pillar) -> State:
    """The state of a branch in a month and on a day."""
    return states(month, day)[branch.index]


def _state(branch: Branch, month: Branch, day: Pillar) -> State:
    element = branch.element
    month_state = marks.season(month, element)
    return State(
        branch,
        element,
        month_state,
        marks.bearing(month, branch, "破"),
        marks.bearing(day.branch, branch, "冲"),
        branch in void_branches(day),
        clash(month) is branch,
        clash(day.branch) is branch,
        marks.stage(element, day.branch),
        month_state in marks.PROSPEROUS,
    )


class Turned(NamedTuple):
    """The changed line of a moving line."""

    state: State
    pillar: Pillar
    relation: str
    changes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        own = {"ganZhi": HANZI[self.pillar], "relation": self.relation, "changes": [*self.changes]}
        return self.state.to_dict() | own


class Line(NamedTuple):
    """A line of the primary with its state and the verdicts on it; `active` is moving, or moved in secret by the day."""

    position: int
    pillar: Pillar
    mark: str
    relation: str
    spirit: str
    state: State
    moving: bool
    an_dong: bool
    day_broken: bool
    residual: bool
    void_kind: str
    turned: Turned | None
    active: bool
    changes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        members = {
            **self.state.to_dict(),
            "position": self.position,
            "ganZhi": HANZI[self.pillar],
            "mark": self.mark,
            "relation": self.relation,
            "spirit": self.spirit,
            "moving": self.moving,
            "anDong": self.an_dong,
            "riPo": self.day_broken,
            "residual": self.residual,
            "voidKind": self.void_kind,
        }
        return members if self.turned is None else members | {"target": self.turned.to_dict()}


class HiddenLine(NamedTuple):
    """伏神 with its state and its relation to the visible line (飞神)."""

    position: int
    pillar: Pillar
    relation: str
    state: State
    flying: Pillar
    flying_relation: str

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.state.to_dict(),
            "position": self.position,
            "relation": self.relation,
            "ganZhi": HANZI[self.pillar],
            "flying": HANZI[self.flying],
            "flyingRelation": self.flying_relation,
        }


# By how far the element of the hidden line lies after that of the flying one.
_FLYING = ("比和", "飞生伏", "飞克伏", "伏克飞", "伏生飞")


def lines(chart: LiuyaoValue) -> tuple[Line, ...]:
    """The six lines."""
    month, day, moving, board = chart.month_branch, chart.day, chart.moving, []
    leftover, here = marks.RESIDUAL.get(month), states(month, day)
    for (n, pillar, branch, relation, seat), (_, spirit) in zip(
        _seats(chart.primary.code), spirits_of(day), strict=True
    ):
        own, moves = here[branch.index], n in moving
        secret = own.day_clashed and not moves
        wakes = secret and _wakes(chart, own)
        void_kind = _void_kind(chart.policy, own, moves, month) if own.void else ""
        residual, turned = own.element is leftover, _turned(chart, n, branch, here) if moves else None
        board.append(
            Line(
                n, pillar, seat, relation, spirit, own, moves, wakes, secret and not wakes, residual, void_kind,
                turned, moves or wakes, turned.changes if turned else (),
            )
        )  # fmt: skip
    return tuple(board)


@cache
def _seats(code: int) -> tuple[tuple[int, Pillar, Branch, str, str], ...]:
    """(position, pillar, branch, relative, 世 or 应) of each line of a hexagram, at any time."""
    hexagram = hexagram_of(code)
    return tuple(
        zip(POSITIONS, hexagram.pillars, hexagram.branches, hexagram.relations, hexagram.marks, strict=True)
    )


def _wakes(chart: LiuyaoValue, own: State) -> bool:
    """暗动, or else 日破, of a static line that the day clashes."""
    if own.is_prosperous or chart.policy.an_dong == "hjc_any":
        return True
    if chart.policy.an_dong == "zs_strict":
        return False
    element, moving = own.element, [chart.primary.branches[n - 1].element for n in chart.moving]
    residual = marks.RESIDUAL.get(chart.month_branch) is element
    return residual or chart.day.branch.element is element or any(
        each is element or each.generates is element for each in moving
    )  # fmt: skip


def _void_kind(policy: LiuyaoPolicy, own: State, moves: bool, month: Branch) -> str:
    """真空 or 假空 of a void line; empty when the policy keeps the bare fact."""
    if policy.void_kind == "raw":
        return ""
    truly = not moves and not own.day_clashed and not own.is_prosperous and DEAD[month] is own.element
    return "真" if truly else "假"


def _turned(chart: LiuyaoValue, n: int, branch: Branch, here: tuple[State, ...]) -> Turned:
    _, pillar, changed, _, _ = _seats(chart.target.code)[n - 1]
    return Turned(
        here[changed.index],
        pillar,
        relations_in(chart.target.code, chart.primary.element)[n - 1],
        marks.change(branch, changed, chart.month_branch, chart.void),
    )


def hidden_lines(chart: LiuyaoValue) -> tuple[HiddenLine, ...]:
    """伏神, ascending by position."""
    here = states(chart.month_branch, chart.day)
    return tuple(
        [
            HiddenLine(
                n, pillar, relation, here[pillar.branch.index], flying, _flying(pillar.branch, flying.branch)
            )
            for n, relation, pillar, flying in chart.primary.hidden
        ]
    )


@cache
def _flying(hidden: Branch, visible: Branch) -> str:
    return _FLYING[(hidden.element.index - visible.element.index) % 5]
