"""Where a lost thing is: quarter, kind of place, inside or outside, high or low, near or far (`places.csv`).

The line that stands for the thing is looked at: its branch names the quarter of the sky, its trigram the kind of place, its
position how far in and how high; the inner trigram is the house, the outer what lies outside it (《卜筮正宗·失物》). What is
hidden lies under something of the kind of the line above it, under 世 with whoever asks.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.liuyao.yongshen import SHI, YongshenCandidate
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.liuyao.board import HiddenLine
    from bazi_core.liuyao.chart import LiuyaoValue


class ThingPlace(NamedTuple):
    """The keys of what is said of a place; `half`, `trigram` and `line` are empty where the thing stands on no line."""

    quarter: str
    half: str = ""
    trigram: str = ""
    line: str = ""
    over: str = ""


@cache
def _keys() -> dict[tuple[str, str], str]:
    return {(row["by"], row["value"]): row["key"] for row in rows("liuyao/places")}


def place_of(chart: LiuyaoValue, subject: YongshenCandidate, hidden: tuple[HiddenLine, ...]) -> ThingPlace:
    """Where the thing is that a subject stands for.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("778686", "2026-02-12T10:20:00+08:00").analyze(question="Where are my keys?")
    >>> found.subject.text, place_of(found.chart, found.subject, found.hidden)
    ('癸亥', ThingPlace(quarter='north_west', half='outer', trigram='kun', line='way', over=''))
    """
    keys, at = _keys(), subject.position
    quarter = keys["branch", subject.state.branch.value]
    if at is None:
        return ThingPlace(quarter)
    half = "inner" if at <= 3 else "outer"
    hexagram = chart.target if subject.source == "changed" else chart.primary
    trigram = hexagram.lower if half == "inner" else hexagram.upper
    over = ""
    if subject.source == "hidden" and any(each.position == at for each in hidden):
        over = keys["over", SHI if at == chart.primary.shi else chart.primary.relations[at - 1]]
    return ThingPlace(quarter, half, keys["trigram", trigram.name], keys["line", str(at)], over)
