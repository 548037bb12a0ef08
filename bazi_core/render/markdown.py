"""A chart as Markdown: the same rows as the printed chart, as pipe tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bazi_core.render import grids, sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.chart import Chart

# What would be markup in a label that a caller chose.
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~])")


def chart_markdown(chart: Chart, lang: str = "zh-Hans") -> str:
    """The chart as Markdown tables.

    >>> import bazi_core as bz
    >>> print(chart_markdown(bz.chart(pillars="庚午 辛巳 庚辰 壬午")).splitlines()[0])
    # 八字命盘  性别未知
    """
    blocks = [
        [f"# {sheet.title(chart, lang)}"],
        bullets(sheet.head(chart, lang)),
        _clocks(chart, lang),
        pipe_table(grids.pillar_rows(chart, lang)),
        bullets(sheet.palaces(chart, lang)),
        [", ".join(grids.legend(chart, lang))],
        bullets(meaning(chart, lang)),
        *_luck(chart, lang),
        *_notes(chart, lang),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if any(block)) + "\n"


def bullets(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Labels and values as a list."""
    return [f"- **{name}** {escaped(value)}" for name, value in rows]


def pipe_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as a table, the first of them its head; lines within a cell are kept.

    >>> pipe_table([["", "年柱"], ["藏干", "丁火\\n己土"]])
    ['|  | 年柱 |', '|---|---|', '| 藏干 | 丁火<br>己土 |']
    """
    lines = [f"| {' | '.join(escaped(cell).replace(chr(10), '<br>') for cell in row)} |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def escaped(text: str) -> str:
    """The text with what Markdown would read as markup made plain.

    >>> escaped("a|b <i>")
    'a\\\\|b \\\\<i\\\\>'
    """
    return _MARKUP.sub(r"\\\1", text)


def _clocks(chart: Chart, lang: str) -> list[str]:
    rows = sheet.time_rows(chart, lang)
    return pipe_table([[label("time", lang), "", ""], *rows]) if rows else []


def _luck(chart: Chart, lang: str) -> list[list[str]]:
    if chart.luck is None:
        return []
    heading = [f"## {label('luck', lang)}", "", escaped(sheet.luck_line(chart, lang))]
    return [heading, pipe_table(grids.luck_rows(chart, lang))]


def _notes(chart: Chart, lang: str) -> list[list[str]]:
    found = notes(chart, lang)
    if not found:
        return []
    items = []
    for number, (first, *others) in enumerate(found, 1):
        items.append(f"{number}. {escaped(first)}")
        items += [f"   - {escaped(other)}" for other in others]
    return [[f"## {label('warnings', lang)}"], items]
