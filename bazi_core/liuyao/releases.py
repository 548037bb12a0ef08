"""When what holds a line back lets go of it: the rules of 应期 put to a line that helps, or to what the 用神 turns into.

《增删卜易·应期章》 states its rules of the 用神. Void, broken, bound and controlled are the same in any line, so the wait
for a helping line that cannot act, and for a changed branch that works against its line or does not back it, goes by the
same rules (P). They are no triggers of the 用神 itself and stand beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import Branch
from bazi_core.liuyao import marks
from bazi_core.liuyao.force import GOOD_CHANGES, Standing, acting, change_hindrance, undone
from bazi_core.liuyao.hexagrams import HANZI, clash, combination
from bazi_core.liuyao.timing import TimingTrigger, branches_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.chart import LiuyaoValue
    from bazi_core.liuyao.yongshen import YongshenCandidate

VOID, BROKEN, BOUND, STORED = "旬空填冲", "月破填合", "合住冲开", "入墓冲开"
WEAK, CHECKED, BACK = "衰绝逢生旺", "受克待制", "退神"
_Rule = tuple[str, tuple["Branch", ...]]


class Release(NamedTuple):
    """The line that is waited for, and the rule with its branches."""

    position: int
    when: TimingTrigger


def releases(
    chart: LiuyaoValue, lines: Sequence[Line], stands: Sequence[Standing], subject: YongshenCandidate
) -> tuple[Release, ...]:
    """The releases for which the subject's own change and each helping line that cannot act wait; none if none is held."""
    found = [*_of_change(subject)]
    for line in acting(lines, subject, "helper"):
        cause = stands[line.position - 1].cause
        rule = _of_cause(chart, line, cause.rule) if cause is not None else None
        if rule is not None:
            at = f"ly.line.{line.position}"
            facts = stands[line.position - 1].facts
            found.append(
                Release(
                    line.position,
                    TimingTrigger(*rule, HANZI[line.pillar], tuple(dict.fromkeys((at, *facts)))),
                )
            )
    return tuple(found)


def _of_change(subject: YongshenCandidate) -> Iterator[Release]:
    line = subject.line if subject.source == "line" else None
    if line is None or line.turned is None:
        return
    mark = undone(line)
    rule = _against(line, mark) if mark else None
    at = f"ly.line.{line.position}"
    facts: tuple[str, ...] = (f"ly.target.{line.position}", at)
    if mark:
        facts += (f"{at}.change.{mark}",)
    elif any(change in line.changes for change in GOOD_CHANGES):
        rule = _unbacked(line)
    if rule is not None:
        yield Release(line.position, TimingTrigger(*rule, HANZI[line.turned.pillar], facts))


def _against(line: Line, mark: str) -> _Rule | None:
    """The release of a change that takes the force of its line; 退神 and 化墓 have a rule of the line itself."""
    assert line.turned is not None
    turned = line.turned.state
    if mark == "回头克":
        return CHECKED, _once(clash(turned.branch), *branches_of(turned.element, 3))
    if mark == "化空":
        return VOID, (turned.branch, clash(turned.branch))
    if mark == "化破":
        return BROKEN, (turned.branch, combination(turned.branch))
    own = line.state.element
    return (WEAK, (*branches_of(own, 4), *branches_of(own))) if mark == "化绝" else None


def _unbacked(line: Line) -> _Rule | None:
    """The release of a change that should back its line and does not."""
    assert line.turned is not None
    turned, reason = line.turned.state.branch, change_hindrance(line)
    rules: dict[str, _Rule] = {
        "日合": (BOUND, (clash(turned),)),
        "化空": (VOID, (turned, clash(turned))),
        "化破": (BROKEN, (turned, combination(turned))),
    }
    return rules.get(reason)


def _of_cause(chart: LiuyaoValue, line: Line, rule: str) -> _Rule | None:
    """The release of a line that acts and cannot, by its hindrance."""
    own = line.state
    if rule == "变坏":
        mark = undone(line)
        if mark == "退神":
            return BACK, (own.branch, clash(own.branch))
        return (STORED, (clash(marks.tomb(own.element)),)) if mark == "化墓" else _against(line, mark)
    rules: dict[str, _Rule] = {
        "旬空": (VOID, (own.branch, clash(own.branch))),
        "月破": (BROKEN, (own.branch, combination(own.branch))),
        "入墓": (STORED, (clash(marks.tomb(own.element)),)),
        "受制": (WEAK, (*branches_of(own.element, 4), *branches_of(own.element))),
    }
    return (BOUND, _bound(chart, line)) if rule == "合住" else rules.get(rule)


def _bound(chart: LiuyaoValue, line: Line) -> tuple[Branch, ...]:
    own = line.state
    binding = [chart.day.branch] if "合" in own.day else []
    binding += [chart.month_branch] if "合" in own.month else []
    binding += [line.turned.state.branch] if line.turned and "化合" in line.changes else []
    return _once(clash(own.branch), *map(clash, binding))


def _once(*branches: Branch) -> tuple[Branch, ...]:
    return tuple(dict.fromkeys(branches))
