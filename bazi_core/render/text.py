"""A chart for the terminal: head, clocks, the four columns, luck and warnings, aligned by display width.

Columns run from year to hour, left to right. Elements are coloured (wood green, fire red, earth yellow, metal
bright, water blue) and written out as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.render import grids, sheet
from bazi_core.render.meaning import conclusions, meaning
from bazi_core.render.notes import notes
from bazi_core.render.phrases import plain
from bazi_core.render.width import fold, pack, pad, table, width
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.alphabet import Element
    from bazi_core.chart import Chart

NARROWEST, COLUMNS = 40, 80
# SGR codes in the order 木火土金水; bold is bright on dark and light grounds alike, white would not be.
_SGR = ("32", "31", "33", "1", "94")


def chart_text(
    chart: Chart, lang: str = "zh-Hans", color: bool = False, *, columns: int = COLUMNS, compact: bool = False
) -> str:
    """The chart as text of at most `columns` (40 to 80); `compact` leaves out clocks, 神煞 and 自坐, and
    puts what the chart means and luck on a few lines.

    >>> import bazi_core as bz
    >>> print(chart_text(bz.chart(pillars="庚午 辛巳 庚辰 壬午"), compact=True).splitlines()[0])
    八字命盘  性别未知
    """
    columns = max(NARROWEST, min(columns, COLUMNS))
    paint = painted if color else plain
    sections = [
        [bold(sheet.title(chart, lang), color), *pairs(sheet.head(chart, lang), columns)],
        [] if compact else aligned(sheet.time_rows(chart, lang), columns),
        [
            *table(grids.pillar_rows(chart, lang, paint, compact), columns, 13),
            *_below(chart, lang, columns, compact),
        ],
        [] if compact else pairs(meaning(chart, lang), columns),
        _luck(chart, lang, color, columns, compact),
        _notes(chart, lang, color, columns),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def painted(text: str, element: Element) -> str:
    """The text in the colour of an element."""
    return f"\x1b[{_SGR[element.index]}m{text}\x1b[0m"


def bold(text: str, color: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if color else text


def pairs(rows: Iterable[tuple[str, str]], columns: int) -> list[str]:
    """Labels and values, the values aligned and folded."""
    return aligned([[name, value] for name, value in rows], columns)


def aligned(rows: list[list[str]], columns: int) -> list[str]:
    """Rows whose cells begin in the same column; the last cell is folded under itself."""
    sizes = [max(width(row[at]) for row in rows) + 2 for at in range(len(rows[0]) - 1)] if rows else []
    indent = sum(sizes)
    lines: list[str] = []
    for *cells, last in rows:
        first = "".join(pad(cell, size) for cell, size in zip(cells, sizes, strict=True))
        room = columns - indent
        # Where almost nothing is left beside the labels, the last cell goes below them.
        lines += fold(first + last, columns, " " * indent) if room >= 20 else _stacked(first, last, columns)
    return lines


def _stacked(first: str, last: str, columns: int) -> list[str]:
    below = fold("  " + last, columns, "  ") if last else []
    return [*fold(first.rstrip(), columns, "  "), *below]


def _below(chart: Chart, lang: str, columns: int, compact: bool) -> list[str]:
    items = [f"{name} {value}" for name, value in sheet.palaces(chart, lang)]
    items += conclusions(chart, lang) if compact else []
    glosses = grids.legend(chart, lang)
    return [*pack(items, columns, "   "), *(pack(glosses, columns, ", ", "  ") if glosses else [])]


def _luck(chart: Chart, lang: str, color: bool, columns: int, compact: bool) -> list[str]:
    if chart.luck is None:
        return []
    heading = fold(f"{label('luck', lang)}  {sheet.luck_line(chart, lang)}", columns, "  ")
    if compact:
        cycles = (f"{cycle.start_year or ''} {cycle.pillar}".strip() for cycle in chart.luck.cycles)
        return [*heading, *pack(list(cycles), columns, "   ")]
    heading[0] = heading[0].replace(label("luck", lang), bold(label("luck", lang), color), 1)
    return [*heading, *table(grids.luck_rows(chart, lang, painted if color else plain), columns)]


def _notes(chart: Chart, lang: str, color: bool, columns: int) -> list[str]:
    found = notes(chart, lang)
    if not found:
        return []
    lines = [bold(label("warnings", lang), color)]
    for number, (first, *others) in enumerate(found, 1):
        mark = f"{number}. "
        lines += fold(mark + first, columns, " " * len(mark))
        for other in others:
            lines += fold("   " + other, columns, "     ")
    return lines
