"""应期: the possible times of the outcome, as branches and units (《增删卜易·应期章》).

Every trigger that holds for the 用神 is listed with the branches that answer it; the choice among them, and between days
and years, is left to the reader. `dates` gives the dates of the branches.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, Branch, Element
from bazi_core.liuyao import marks
from bazi_core.liuyao.hexagrams import HANZI, clash, combination
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.chart import LiuyaoValue
    from bazi_core.liuyao.yongshen import YongshenCandidate

# Near questions are answered in days and hours, far ones in months and years; both are always given.
NEAR, FAR = ("日", "时"), ("月", "年")
_SUPPORT = ("临", "扶", "生")
_WEAK = ("休", "囚", "死")


class TimingTrigger(NamedTuple):
    """One trigger with the branches that answer it, the line or branch it is about and the facts it rests on."""

    trigger: str
    branches: tuple[Branch, ...]
    subject: str
    rests_on: tuple[str, ...]

    @property
    def source(self) -> str:
        """Book and chapter, as `ZS.032`."""
        return _table()[self.trigger][1]

    @property
    def after_month(self) -> bool:
        """Whether the trigger answers only after the month of the cast."""
        return _table()[self.trigger][2] == "month"

    @property
    def ails(self) -> int:
        """The rank of the ailment of the subject, 1 the first; 0 for a rule that holds for every line.

        >>> [TimingTrigger(name, (), "", ()).ails for name in ("月破填合", "受克待制", "静值")]
        [1, 5, 0]
        """
        return int(_table()[self.trigger][3] or 0)

    def to_dict(self) -> dict[str, Any]:
        trigger, branches, subject, _ = self
        reason, source, *_ = _table()[trigger]
        return {
            "trigger": trigger,
            "branches": [HANZI[branch] for branch in branches],
            "units": [[*NEAR], [*FAR]],
            "reason": reason,
            "source": source,
            "subject": subject,
        }


@cache
def _table() -> dict[str, tuple[str, str, str, str]]:
    """Trigger → (reason, source, condition of time, rank among ailments)."""
    return {
        row["trigger"]: (row["reason"], row["source"], row["after"], row["ails"])
        for row in rows("liuyao/timing")
    }


def timing(
    chart: LiuyaoValue, board: Sequence[Line], subject: YongshenCandidate, subject_id: str
) -> tuple[TimingTrigger, ...]:
    """The triggers that hold, in the order of the table, each with its branches once; `subject_id` is the fact that the
    subject is."""
    text, rests_on = subject.text, (subject_id,)
    triggers = [
        TimingTrigger(trigger, tuple(dict.fromkeys(branches)), text, rests_on)
        for trigger, branches in _of_subject(chart, board, subject)
    ]
    triggers += _alone(chart, board)
    triggers += _of_self(chart, board)
    return tuple(triggers)


def _of_subject(
    chart: LiuyaoValue, board: Sequence[Line], subject: YongshenCandidate
) -> Iterator[tuple[str, tuple[Branch, ...]]]:
    own, changes, moving = subject.state, subject.changes, subject.moving
    branch, element = own.branch, own.element
    against = clash(branch)
    if moving:
        yield "动值", (branch,)
        yield "动合", (combination(branch),)
    else:
        yield "静值", (branch,)
        yield "静冲", (against,)
    by_month, by_day = own.month[-1] in _SUPPORT, own.day[-1] in _SUPPORT
    if own.month_state == "旺" and by_day:
        yield "太旺逢墓冲", (marks.tomb(element), against)
    if own.month_state in _WEAK and not by_day:
        yield "衰绝逢生旺", (*branches_of(element, 4), *branches_of(element))
    acting, store = [line for line in board if line.active], marks.tomb(element)
    entombing = [line for line in acting if line.state.branch is store and line is not subject.line]
    if own.day_stage == "墓" or "化墓" in changes or entombing:
        yield "入墓冲开", (clash(store),)
    bound = _bound(chart, subject, moving)
    if bound:
        yield "合住冲开", (against, *[clash(each) for each in bound])
    if own.month_broken:
        yield "月破填合", (branch, combination(branch))
    if own.void:
        yield "旬空填冲", (branch, against)
    if acting and (by_month or by_day):
        yield from _checked(acting, ELEMENTS[(element.index + 3) % 5])
    if "进神" in changes:
        yield "进神", (branch, combination(branch))
    if "退神" in changes:
        yield "退神", (branch, against)


def _bound(chart: LiuyaoValue, subject: YongshenCandidate, moving: bool) -> list[Branch]:
    """The branches combined with the subject: of month, day and changed line if it moves, else of the day alone."""
    own = subject.state
    branches = [chart.day.branch] if "合" in own.day else []
    if moving:
        branches += [chart.month_branch] if "合" in own.month else []
        turned = subject.line.turned if subject.line else None
        branches += [turned.state.branch] if turned and "化合" in turned.changes else []
    return branches


def _checked(acting: Sequence[Line], harmer: Element) -> Iterator[tuple[str, tuple[Branch, ...]]]:
    """受克待制, active lines control the subject: (name, branches that clash or control these lines)."""
    clashed = [clash(line.state.branch) for line in acting if line.state.element is harmer]
    if clashed:
        yield "受克待制", (*clashed, *branches_of(harmer, 3))


def _alone(chart: LiuyaoValue, board: Sequence[Line]) -> Iterator[TimingTrigger]:
    """独发, the one line that moves; 独静, the one that does not."""
    if len(chart.moving) == 1:
        yield _of_line("独发", board[chart.moving[0] - 1])
    if len(chart.moving) == 5:
        yield _of_line("独静", next(line for line in board if not line.moving))


def _of_line(trigger: str, line: Line) -> TimingTrigger:
    return TimingTrigger(trigger, (line.state.branch,), HANZI[line.pillar], (f"ly.line.{line.position}",))


def _of_self(chart: LiuyaoValue, board: Sequence[Line]) -> Iterator[TimingTrigger]:
    """世 is void and 原神 moves; 世 is weak and 原神 still."""
    shi = board[chart.primary.shi - 1]
    void, weak = shi.state.void, shi.state.month_state in _WEAK
    if not (void or weak):
        return
    helper = ELEMENTS[(shi.state.element.index + 4) % 5]
    helpers = [line for line in board if line.state.element is helper]
    still = not any(line.moving for line in helpers)
    for line in helpers:
        rests_on = (f"ly.line.{shi.position}", f"ly.line.{line.position}")
        if void and line.moving:
            yield TimingTrigger("世空元动", (line.state.branch,), HANZI[line.pillar], rests_on)
        elif weak and still:
            yield TimingTrigger("世衰元静", (clash(line.state.branch),), HANZI[line.pillar], rests_on)


@cache
def branches_of(element: Element, steps: int = 0) -> tuple[Branch, ...]:
    """The branches of the element that lies so many steps after another: 4 feeds it, 3 controls it."""
    index = (element.index + steps) % 5
    return tuple(branch for branch in BRANCHES if branch.element.index == index)
