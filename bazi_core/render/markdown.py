"""A chart as Markdown: the same rows as the printed chart, as pipe tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bazi_core.render import grids, luck_sheet, sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bazi_core.chart import ChartValue
    from bazi_core.luck.running import AsOf, Running
    from bazi_core.pattern.result import PatternResult

# A page breaks lines itself.
_WIDE = 10_000
# Markup characters in a caller's label.
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~])")


def chart_markdown(
    result: PatternResult,
    lang: str = "zh-Hans",
    *,
    hidden_labels: bool = False,
    as_of: AsOf | None = None,
    years: bool | Iterable[int] = False,
) -> str:
    """The chart of a pattern as Markdown tables; `hidden_labels` marks each hidden stem as 本气, 中气 or 余气.

    What runs at `as_of` is marked; `years` adds the 流年 of a life or these.

    >>> import bazi_core as bz
    >>> print(chart_markdown(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern()).splitlines()[0])
    # 八字命盘  性别未知
    """
    chart = result.chart
    now = None if as_of is None else chart.running(as_of)
    blocks = [
        [f"# {sheet.title(chart, lang)}"],
        bullets(sheet.head(chart, lang)),
        _clocks(chart, lang),
        pipe_table(grids.pillar_rows(chart, lang, hidden_labels=hidden_labels)),
        bullets(sheet.palaces(chart, lang)),
        [", ".join(grids.legend(chart, lang))],
        bullets(meaning(result, lang)),
        *_luck(chart, lang, now),
        *(_years(chart, lang, now, years) if years else ()),
        *numbered_markdown(notes(chart, lang), lang),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if any(block)) + "\n"


def bullets(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Labels and values as a list."""
    return [f"- **{name}** {escaped(value)}" for name, value in rows]


def pipe_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as a table, the first of them its head; lines within a cell are kept."""
    lines = [f"| {' | '.join(escaped(cell).replace(chr(10), '<br>') for cell in row)} |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def escaped(text: str) -> str:
    """The text with the markup characters of Markdown escaped."""
    return _MARKUP.sub(r"\\\1", text)


def _clocks(chart: ChartValue, lang: str) -> list[str]:
    rows = sheet.time_rows(chart, lang)
    return pipe_table([[label("time", lang), "", ""], *rows]) if rows else []


def _luck(chart: ChartValue, lang: str, now: Running | None) -> list[list[str]]:
    runs = [] if now is None else [escaped(luck_sheet.running_line(chart, now, lang))]
    if chart.luck is None:
        return [runs]
    heading = [f"## {label('luck', lang)}", "", escaped(sheet.luck_line(chart, lang))]
    table = pipe_table(grids.luck_rows(chart, lang, runs=now.cycle if now else None))
    return [heading, runs, table, grids.age_legend(chart, lang)]


def _years(
    chart: ChartValue, lang: str, now: Running | None, years: bool | Iterable[int]
) -> Iterator[list[str]]:
    for heading, luck_years in luck_sheet.years_by_cycle(chart, luck_sheet.chosen(chart, years), lang):
        rows = luck_sheet.year_rows(luck_years, lang, _WIDE, runs=now.year if now else None)
        yield [f"### {heading}", "", *pipe_table(rows)]


def numbered_markdown(warnings: list[list[str]], lang: str) -> list[list[str]]:
    """Warnings as a heading and a list, each a sentence with its further lines; empty if there are none."""
    items = []
    for number, (first, *others) in enumerate(warnings, 1):
        items.append(f"{number}. {escaped(first)}")
        items += [f"   - {escaped(other)}" for other in others]
    return [[f"## {label('warnings', lang)}"], items] if items else []
