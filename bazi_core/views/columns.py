"""The columns of a printed chart: for each pillar the values that follow directly from it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.views.cycles import is_void, nayin, xun
from bazi_core.views.hidden import HiddenStem, hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar, Stage, Stem, TenGod
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School


class Column(NamedTuple):
    """One pillar with its ten god (None for the day), hidden stems, 纳音, 旬, void flag and stages.

    `hidden_gods` are the ten gods of `hidden`, in the same order.
    """

    position: str
    pillar: Pillar
    ten_god: TenGod | None
    hidden: tuple[HiddenStem, ...]
    hidden_gods: tuple[TenGod, ...]
    nayin: str
    xun: Pillar
    void: bool
    stage_day_master: Stage
    stage_self: Stage


def columns(pillars: FourPillars, school: School) -> tuple[Column, ...]:
    """The columns of the known pillars.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> year = columns(FourPillars.parse("庚午 辛巳 庚辰 壬午"), School())[0]
    >>> year.ten_god, year.nayin, year.stage_day_master
    (TenGod('比肩'), '路旁土', Stage('沐浴'))
    """
    day, year, anchor = pillars.day, pillars.year, school.void_anchor
    weights, stages = school.hidden_weights, school.twelve_stages
    return tuple(
        _column(position, pillar, day.stem, is_void(pillar.branch, day, year, anchor), weights, stages)
        for position, pillar in pillars.items()
    )


# A column is one of a few thousand values, and they are frozen: each is made once.
@cache
def _column(position: str, pillar: Pillar, day: Stem, void: bool, weights: str, stages: str) -> Column:
    hidden = hidden_stems(pillar.branch, weights)
    return Column(
        position=position,
        pillar=pillar,
        ten_god=None if position == "day" else ten_god(day, pillar.stem),
        hidden=hidden,
        hidden_gods=tuple(ten_god(day, each.stem) for each in hidden),
        nayin=nayin(pillar),
        xun=xun(pillar),
        void=void,
        stage_day_master=stage(day, pillar.branch, stages),
        stage_self=stage(pillar.stem, pillar.branch, stages),
    )
