"""Whether a hidden line comes out from under the one above it, by the conditions of `emerges.csv` (《增删卜易·飞伏神章》).

A hidden line that month or day feeds is of use whatever lies over it, and one that has no strength of its own waits, even
where the line above it is weak (P, of conditions that are met on both sides).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.liuyao.force import is_broken, is_empty, is_held
from bazi_core.liuyao.hexagrams import clash
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.liuyao.board import HiddenLine, Line
    from bazi_core.liuyao.force import Standing

FOR = "for"
_ENDS = ("墓", "绝")


class Beneath(NamedTuple):
    """A hidden line, the line above it, and the lines that act with force."""

    hidden: HiddenLine
    over: Line
    acting: tuple[Line, ...]


class Emergence(NamedTuple):
    """Whether a hidden line comes out, the marks that let it out and those that keep it in."""

    comes_out: bool
    lets_out: tuple[str, ...]
    keeps_in: tuple[str, ...]


def emergence(hidden: HiddenLine, lines: Sequence[Line], stands: Sequence[Standing]) -> Emergence:
    """Whether a hidden line comes out, and by what marks."""
    able = tuple(line for line, each in zip(lines, stands, strict=True) if each.is_able)
    beneath = Beneath(hidden, lines[hidden.position - 1], able)
    met = [row for row in _rows() if _MARKS[row["mark"]](beneath)]
    lets_out = tuple(row["mark"] for row in met if row["side"] == FOR)
    keeps_in = tuple(row["mark"] for row in met if row["side"] != FOR)
    own = hidden.state
    has_own = own.is_prosperous or is_held(own) or "line_feeds" in lets_out
    return Emergence(bool(lets_out) and (has_own or not keeps_in), lets_out, keeps_in)


def _over_hit(beneath: Beneath) -> bool:
    """Whether day, month or an acting line clashes with the line above or controls it; a clash of the month is a break."""
    own = beneath.over.state
    if {"冲", "克"} & {*own.day, *own.month}:
        return True
    return any(
        line is not beneath.over
        and (clash(line.state.branch) is own.branch or line.state.element.controls is own.element)
        for line in beneath.acting
    )


def _over_weak(beneath: Beneath) -> bool:
    own = beneath.over.state
    return not own.is_prosperous and not is_held(own) and own.day_stage not in _ENDS and not own.void


def _feeds(beneath: Beneath) -> bool:
    element = beneath.hidden.state.element
    return any(
        line is not beneath.over and line.state.element.generates is element for line in beneath.acting
    )


def _is_weak(beneath: Beneath) -> bool:
    own = beneath.hidden.state
    return not own.is_prosperous and not is_held(own)


_MARKS: dict[str, Callable[[Beneath], bool]] = {
    "day_feeds": lambda each: is_held(each.hidden.state),
    "prosperous": lambda each: each.hidden.state.is_prosperous and not is_broken(each.hidden.state),
    "over_feeds": lambda each: each.hidden.flying_relation == "飞生伏",
    "line_feeds": _feeds,
    "over_hit": _over_hit,
    "over_void": lambda each: is_empty(each.over.state),
    "over_broken": lambda each: is_broken(each.over.state),
    "over_stored": lambda each: each.over.state.day_stage in _ENDS,
    "over_weak": _over_weak,
    "weak": _is_weak,
    "day_clashes": lambda each: each.hidden.state.day_clashed,
    "day_presses": lambda each: "克" in each.hidden.state.day,
    "month_presses": lambda each: "克" in each.hidden.state.month,
    "over_presses": lambda each: each.hidden.flying_relation == "飞克伏" and each.over.state.is_prosperous,
    "stored": lambda each: each.hidden.state.day_stage in _ENDS and not is_held(each.hidden.state),
    "void": lambda each: is_empty(each.hidden.state),
    "broken": lambda each: is_broken(each.hidden.state),
}


@cache
def _rows() -> tuple[dict[str, str], ...]:
    table = tuple(rows("liuyao/emerges"))
    names_known("liuyao/emerges", "mark", tuple(row["mark"] for row in table), tuple(_MARKS))
    return table
