"""A pattern, a year and its reading, as rows that templates lay out: those of the printed sheets (`bazi_core.render`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from bazi_core.face import Chart
from bazi_core.objects import year_of
from bazi_core.questions.safety import disclaimer
from bazi_core.render import year_sheet
from bazi_core.tables.words import LANGUAGES, label, term
from bazi_core.views.certainty import OPEN
from bazi_hub.ports import Saved

_WIDE = 200

Pairs = list[tuple[str, str]]


class TableRow(NamedTuple):
    """A row of a table, with what names it."""

    label: str
    cells: Sequence[Any]


class PageTable(NamedTuple):
    caption: str
    head: Sequence[str]
    rows: list[TableRow]


class ReadingView(NamedTuple):
    """`paragraphs` is what is told; the tables are those of a year. `language` is that of title and paragraphs."""

    language: str
    title: str
    marks: Pairs
    paragraphs: list[str]
    tables: list[PageTable]
    notes: list[list[str]]


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
