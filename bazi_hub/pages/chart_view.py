"""A chart as rows that templates lay out.

The rows are those of the printed chart (`bazi_core.render`), without the keys that only commands take; here the signs of the
four pillars get the colour of their element, beside its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bazi_core.alphabet import Branch, Stem
from bazi_core.face import Chart
from bazi_core.pillars import POSITIONS
from bazi_core.render import grids, luck_sheet, sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes
from bazi_core.tables.words import label, term
from bazi_core.wording import sign_name
from bazi_hub.ports import Saved

ELEMENT_CLASSES = {"木": "wood", "火": "fire", "土": "earth", "金": "metal", "水": "water"}

Pairs = list[tuple[str, str]]


class PillarSign(NamedTuple):
    """A stem or branch: the sign, what stands beside it, the class of its element."""

    sign: str
    gloss: str
    element: str


class TableRow(NamedTuple):
    """A row of a table, with what names it."""

    label: str
    cells: Sequence[Any]
    signs: bool = False


class PageTable(NamedTuple):
    caption: str
    head: Sequence[str]
    rows: list[TableRow]


class ChartView(NamedTuple):
    title: str
    head: Pairs
    clocks: list[list[str]]
    pillars: PageTable
    legend: list[str]
    palaces: Pairs
    meaning: Pairs
    luck_line: str
    runs: str
    luck: PageTable | None
    notes: list[list[str]]


def chart_view(chart: Chart, lang: str, now_ms: int) -> ChartView:
    """All that is shown of a chart, with the 大运 and the 流年 that run now."""
    luck, now = None, chart.running(datetime.fromtimestamp(now_ms / 1000, UTC))
    if chart.luck is not None:
        luck = _table(label("luck", lang), grids.luck_rows(chart, lang, runs=now.cycle))
    clocks = [[cell.replace("<=", "←") for cell in row] for row in sheet.time_rows(chart, lang)]
    return ChartView(
        sheet.title(chart, lang),
        sheet.head(chart, lang, keys=False),
        clocks,
        _pillars(chart, lang),
        grids.legend(chart, lang),
        sheet.palaces(chart, lang),
        meaning(chart.pattern(), lang),
        sheet.luck_line(chart, lang, keys=False),
        luck_sheet.running_line(chart, now, lang),
        luck,
        notes(chart, lang),
    )


def saved_chart(saved: Saved) -> Chart:
    """A saved chart, computed again."""
    return Chart.from_json(saved.body)


def _table(caption: str, rows: list[list[str]]) -> PageTable:
    head, *others = rows
    return PageTable(caption, head, [TableRow(name, cells) for name, *cells in others])


def _pillars(chart: Chart, lang: str) -> PageTable:
    """The four columns; the second and third row are the signs themselves."""
    head, gods, stems, branches, *others = grids.pillar_rows(chart, lang)
    columns = {column.position: column.pillar for column in chart.columns}
    pillars = [columns.get(at) for at in POSITIONS]
    unknown = label("unknown", lang)
    rows = [
        TableRow(gods[0], gods[1:]),
        TableRow(
            stems[0],
            [_sign(pillar.stem if pillar else None, unknown, lang) for pillar in pillars],
            signs=True,
        ),
        TableRow(
            branches[0],
            [_sign(pillar.branch if pillar else None, unknown, lang) for pillar in pillars],
            signs=True,
        ),
        *(TableRow(name, cells) for name, *cells in others),
    ]
    return PageTable(label("title", lang), head, rows)


def _sign(found: Stem | Branch | None, unknown: str, lang: str) -> PillarSign:
    """A sign with its element; in English with its name and pinyin."""
    if found is None:
        return PillarSign("", unknown, "")
    element = found.element
    gloss = f"{sign_name(found)} ({term(found.value, lang)})" if lang == "en" else element.value
    return PillarSign(found.value, gloss, ELEMENT_CLASSES[element.value])
