"""A chart for the terminal: head, clocks, the four columns, luck and warnings, aligned by display width.

Columns run from year to hour, left to right. Elements are coloured (wood green, fire red, earth yellow, metal
bright, water blue) and written out as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.render import grids, luck_sheet, sheet
from bazi_core.render.meaning import in_short, meaning
from bazi_core.render.notes import notes
from bazi_core.render.phrases import plain
from bazi_core.render.width import fold, pack, pad, table, width
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.alphabet import Element
    from bazi_core.chart import ChartValue
    from bazi_core.luck.decades import LuckCycle
    from bazi_core.luck.running import AsOf, Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.render.phrases import Paint

NARROWEST, COLUMNS, WIDEST = 40, 80, 120
# SGR codes in the order 木火土金水; bold is bright on dark and light grounds alike, white would not be.
_SGR = ("32", "31", "33", "1", "94")


def chart_text(
    result: PatternResult,
    lang: str = "zh-Hans",
    color: bool = False,
    *,
    columns: int = COLUMNS,
    compact: bool = False,
    hidden_labels: bool = False,
    as_of: AsOf | None = None,
    years: bool | Iterable[int] = False,
) -> str:
    """The chart of a pattern as text of at most `columns` (40 to 120); `compact` leaves out clocks, 神煞 and 自坐, and
    puts what the chart means and luck on a few lines; `hidden_labels` says which hidden stem is 本气, 中气, 余气.
    What runs at `as_of` is marked; `years` adds the 流年 of a life or these.

    >>> import bazi_core as bz
    >>> print(chart_text(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern(), compact=True).splitlines()[0])
    八字命盘  性别未知
    """
    chart = result.chart
    columns = max(NARROWEST, min(columns, WIDEST))
    paint = painted if color else plain
    now = None if as_of is None else chart.running(as_of)
    sections = [
        [bold(sheet.title(chart, lang), color), *pairs(sheet.head(chart, lang), columns)],
        [] if compact else aligned(sheet.time_rows(chart, lang), columns),
        [
            *_pillars(chart, lang, paint, compact, columns, hidden_labels),
            *_below(result, lang, columns, compact),
        ],
        [] if compact else pairs(meaning(result, lang), columns),
        _luck(chart, lang, color, columns, compact, now),
        *(_years(chart, lang, color, columns, now, years) if years else ()),
        # In `compact` the line on strength says what METHODS_DISAGREE would.
        numbered(notes(chart, lang, ("METHODS_DISAGREE",) if compact else ()), lang, color, columns),
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


def _pillars(
    chart: ChartValue, lang: str, paint: Paint, compact: bool, columns: int, hidden_labels: bool
) -> list[str]:
    """The four columns; in English, where a row has several lines, in blocks."""
    room = grids.room_of(columns, lang)
    fits = room if lang == "en" else grids.WIDE
    rows = grids.pillar_rows(chart, lang, paint, compact, room=fits, hidden_labels=hidden_labels)
    ruled = [label(name, lang) for name in ("hidden", "stage_day", "stars")] if lang == "en" else ()
    return table(rows, columns, room, ruled)


def _below(result: PatternResult, lang: str, columns: int, compact: bool) -> list[str]:
    chart = result.chart
    items = [f"{name} {value}" for name, value in sheet.palaces(chart, lang, compact)]
    items += in_short(result, lang) if compact else []
    return [*pack(items, columns, "   "), *pack(grids.legend(chart, lang, compact), columns, ", ", "  ")]


def _luck(
    chart: ChartValue, lang: str, color: bool, columns: int, compact: bool, now: Running | None
) -> list[str]:
    runs = [] if now is None else fold(luck_sheet.running_line(chart, now, lang), columns, "  ")
    if chart.luck is None:
        return runs
    heading = fold(f"{label('luck', lang)}  {sheet.luck_line(chart, lang)}", columns, "  ")
    cycle = now.cycle if now else None
    if compact:
        cycles = [_short(each, each is cycle, lang) for each in chart.luck.cycles]
        return [*heading, *pack(cycles, columns, "   ")]
    heading[0] = heading[0].replace(label("luck", lang), bold(label("luck", lang), color), 1)
    rows = grids.luck_rows(chart, lang, painted if color else plain, cycle)
    legend = [line for each in grids.age_legend(chart, lang) for line in fold(each, columns)]
    return [*heading, *runs, *table(rows, columns), *legend]


def _short(cycle: LuckCycle, runs: bool, lang: str) -> str:
    name = f"{cycle.start_year or ''} {cycle.pillar}".strip()
    marks = " ({})" if lang == "en" else "（{}）"
    return name + marks.format(label("running", lang)) if runs else name


def _years(
    chart: ChartValue, lang: str, color: bool, columns: int, now: Running | None, years: bool | Iterable[int]
) -> Iterator[list[str]]:
    """The 流年 under each 大运."""
    paint, runs = painted if color else plain, now.year if now else None
    for heading, luck_years in luck_sheet.years_by_cycle(chart, luck_sheet.chosen(chart, years), lang):
        rows = luck_sheet.year_rows(luck_years, lang, columns, paint, runs)
        yield [*(bold(line, color) for line in fold(heading, columns, "  ")), *table(rows, columns)]


def numbered(warnings: list[list[str]], lang: str, color: bool, columns: int) -> list[str]:
    """Warnings under their heading, each a sentence with its further lines; empty if there are none."""
    if not warnings:
        return []
    lines = [bold(label("warnings", lang), color)]
    for number, (first, *others) in enumerate(warnings, 1):
        mark = f"{number}. "
        lines += fold(mark + first, columns, " " * len(mark))
        for other in others:
            lines += fold("   " + other, columns, "     ")
    return lines
