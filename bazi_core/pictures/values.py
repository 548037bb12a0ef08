"""Which picture belongs to a value, for its `svg` and for notebooks; and the pictures of a chart by their names."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from bazi_core.errors import known
from bazi_core.luck.decades import Luck
from bazi_core.pattern.result import PatternResult
from bazi_core.pictures import chart as pillars
from bazi_core.pictures import clock, elements, luck, year, years
from bazi_core.year.result import YearResult
from bazi_core.year.rules import OVERALL
from bazi_core.year.span import YearsResult

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.luck.running import AsOf


@singledispatch
def svg_of(value: Any, lang: str, theme: str, **more: Any) -> str:
    """The picture of a value."""
    raise TypeError(f"nothing draws a {type(value).__name__}")


@svg_of.register
def _(value: Luck, lang: str, theme: str) -> str:
    return luck.drawing(value, lang, theme)


@svg_of.register
def _(value: PatternResult, lang: str, theme: str) -> str:
    return elements.judged(value, lang, theme)


@svg_of.register
def _(value: YearResult, lang: str, theme: str, as_of: Any = None) -> str:
    return year.drawing(value, lang, theme, as_of)


@svg_of.register
def _(value: YearsResult, lang: str, theme: str, domain: str = OVERALL, here: int | None = None) -> str:
    return years.drawing(value, lang, theme, domain, here)


PARTS = ("pillars", "luck", "grid", "elements", "clock")


def part_of(
    chart: ChartValue, part: str, lang: str, theme: str, compact: bool, as_of: AsOf | None, name: str
) -> str:
    """One of the pictures of a chart; `UNKNOWN_OPTION` for another."""
    known("part", part, PARTS)
    if part == "pillars":
        return pillars.drawing(chart, lang, theme, compact, name)
    if part == "luck":
        return luck.of_chart(chart, lang, theme, as_of)
    if part == "grid":
        return luck.grid(chart, lang, theme, as_of)
    if part == "clock":
        return clock.drawing(chart, lang, theme)
    return elements.drawing(chart, lang, theme)
