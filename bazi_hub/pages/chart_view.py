"""A chart, a pattern, a year and its reading, as rows that templates lay out.

The rows are those of the printed chart (`bazi_core.render`), without the keys that only commands take; here the signs of the
four pillars get the colour of their element, beside its name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bazi_core.alphabet import Branch, Stem
from bazi_core.face import Chart
from bazi_core.objects import year_of
from bazi_core.pillars import POSITIONS
from bazi_core.questions.safety import disclaimer
from bazi_core.render import grids, luck_sheet, sheet, year_sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes
from bazi_core.tables.words import LANGUAGES, label, term
from bazi_core.views.certainty import OPEN
from bazi_core.wording import sign_name
from bazi_hub.ports import Saved

ELEMENT_CLASSES = {"木": "wood", "火": "fire", "土": "earth", "金": "metal", "水": "water"}
_WIDE = 200

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


class ReadingView(NamedTuple):
    """`paragraphs` is what is told; the tables are those of a year. `language` is that of title and paragraphs."""

    language: str
    title: str
    marks: Pairs
    paragraphs: list[str]
    tables: list[PageTable]
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


def reading_view(body: str, lang: str) -> ReadingView:
    """All that is shown of the result of t2, t3 or t4."""
    result: dict[str, Any] = json.loads(body)
    if "year_analysis_result" in result:
        return _year(result["year_analysis_result"], lang)
    if "final_result" in result:
        return _final(result["final_result"], lang)
    found = result["pattern_result"]
    marks = [
        *_open_strength(found, lang),
        (label("pattern", lang), term(found["pattern_type"], lang)),
        (label("useful", lang), _elements(found["useful_gods"], lang)),
        *_other_readings(found, lang),
    ]
    told = found.get("reading") or {}
    title = told.get("title") or found["pattern_type"]
    language = _language(found["narrative"], lang)
    return ReadingView(language, title, marks, _paragraphs(found["narrative"]), [], [])


def _elements(found: list[str], lang: str) -> str:
    return ("、" if lang != "en" else ", ").join(term(each, lang) for each in found)


def _open_strength(found: dict[str, Any], lang: str) -> list[tuple[str, str]]:
    """The verdict on strength where it could be either; results of older releases do not say."""
    strength = found["strength"] or {}
    if strength.get("certainty") != OPEN:
        return []
    either, verdict = (term(strength[name], lang) for name in ("level", "verdict"))
    return [(label("strength", lang), label("either_taken", lang, either=either, verdict=verdict))]


def _other_readings(found: dict[str, Any], lang: str) -> list[tuple[str, str]]:
    """The useful gods under the other verdict."""
    return [
        (
            label(f"if.{each['strength']['verdict']}", lang),
            _elements(each["useful_gods"], lang),
        )
        for each in found.get("alternatives", ())
    ]


def _final(found: dict[str, Any], lang: str) -> ReadingView:
    score = f"{found['score']} / 100 · {term(found['level'], lang, 'level')}"
    marks = [(label("overall", lang).capitalize(), score)]
    title = (found.get("reading") or {}).get("title") or str(found["target_year"])
    language = _language(found["narrative"], lang)
    return ReadingView(language, title, marks, _paragraphs(found["narrative"]), [], [])


def _year(given: dict[str, Any], lang: str) -> ReadingView:
    year, _ = year_of(given)
    events = year_sheet.event_rows(year, lang)
    scores = year_sheet.score_rows(year, lang)
    tables = [
        _table(label("luck", lang), year_sheet.context_rows(year, lang)),
        PageTable(label("events", lang), [], [TableRow(name, [mark, points, who]) for mark, name, points, who in events]),
        PageTable(label("scores", lang), [], [TableRow(name, cells) for name, *cells in scores]),
        _table(label("liuyue", lang), year_sheet.month_rows(year, lang, _WIDE)),
    ]  # fmt: skip
    return ReadingView(lang, year_sheet.title(year, lang), year_sheet.conclusion(year, lang), [], tables, [])


def _language(narrative: str, otherwise: str) -> str:
    """The language of a reading, known by its last sentence."""
    return next((language for language in LANGUAGES if disclaimer(language) in narrative), otherwise)


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in text.split("\n\n") if part.strip()]


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
