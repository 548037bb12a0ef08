"""A year for the terminal and as Markdown: conclusion first, then luck and year, events, scores, the twelve months."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.render import sheet
from bazi_core.render import year_sheet as rows
from bazi_core.render.explain import fact_text
from bazi_core.render.markdown import bullets, escaped, numbered_markdown, pipe_table
from bazi_core.render.notes import all_notes
from bazi_core.render.phrases import plain
from bazi_core.render.text import COLUMNS, NARROWEST, WIDEST, aligned, bold, numbered, painted, pairs
from bazi_core.render.width import fold, table
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.year.result import YearResult


def year_text(
    year: YearResult,
    lang: str = "zh-Hans",
    color: bool = False,
    *,
    columns: int = COLUMNS,
    compact: bool = False,
) -> str:
    """The year as text of at most `columns` (40 to 120); `compact` leaves out the points of the scores.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> print(year_text(year).splitlines()[0])
    2026年 丙午  男（乾造）  庚午 辛巳 庚辰 壬午
    """
    columns = max(NARROWEST, min(columns, WIDEST))
    paint = painted if color else plain
    sections = [
        [
            bold(rows.title(year, lang), color),
            *pairs([*rows.conclusion(year, lang), sheet.head(year.chart, lang)[-1]], columns),
        ],
        table(rows.context_rows(year, lang, paint), columns),
        [_head("events", lang, color), *_events(year, lang, columns)],
        [_head("scores", lang, color), *aligned(_scores(year, lang, compact), columns)],
        [_head("liuyue", lang, color), *table(rows.month_rows(year, lang, columns, paint), columns)],
        _timing(year, lang, color, columns),
        numbered(all_notes(year, lang), lang, color, columns),
        fold(label("score_note", lang), columns),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _head(name: str, lang: str, color: bool) -> str:
    return bold(label(name, lang), color)


def _events(year: YearResult, lang: str, columns: int) -> list[str]:
    events = rows.event_rows(year, lang)
    return aligned(events, columns) if events else [label("no_events", lang)]


def _scores(year: YearResult, lang: str, compact: bool) -> list[list[str]]:
    return [row[:2] if compact else row for row in rows.score_rows(year, lang)]


def _timing(year: YearResult, lang: str, color: bool, columns: int) -> list[str]:
    timing = rows.timing_rows(year, lang)
    return [_head("timing", lang, color), *pairs(timing, columns)] if timing else []


def year_markdown(year: YearResult, lang: str = "zh-Hans") -> str:
    """The year as Markdown tables.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> print(year_markdown(year).splitlines()[0])
    # 2026年 丙午  男（乾造）  庚午 辛巳 庚辰 壬午
    """
    months = rows.month_rows(year, lang, 10_000)
    blocks = [
        [f"# {rows.title(year, lang)}"],
        bullets([*rows.conclusion(year, lang), sheet.head(year.chart, lang)[-1]]),
        pipe_table(rows.context_rows(year, lang)),
        [f"## {label('events', lang)}"],
        _events_markdown(year, lang),
        [f"## {label('scores', lang)}"],
        [f"- **{name}** {score}: {escaped(why)}" for name, score, why in rows.score_rows(year, lang)],
        [f"## {label('liuyue', lang)}"],
        pipe_table(months),
        *_timing_markdown(year, lang),
        *numbered_markdown(all_notes(year, lang), lang),
        [escaped(label("score_note", lang))],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if any(block)) + "\n"


def _events_markdown(year: YearResult, lang: str) -> list[str]:
    events = rows.event_rows(year, lang)
    lines = [f"- {escaped(mark)} **{name}** {points} ({escaped(who)})" for mark, name, points, who in events]
    return lines or [label("no_events", lang)]


def _timing_markdown(year: YearResult, lang: str) -> list[list[str]]:
    timing = rows.timing_rows(year, lang)
    return [[f"## {label('timing', lang)}"], bullets(timing)] if timing else []


def explain_year(year: YearResult, fact_id: str, lang: str = "zh-Hans") -> str:
    """A fact of the year with its rule, its source and its basis."""
    return fact_text(fact_id, year.all_facts, lang)
