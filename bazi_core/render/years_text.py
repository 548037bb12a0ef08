"""Years side by side for the terminal and as Markdown: conclusion, the years, their events, the ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.render import sheet
from bazi_core.render import years_sheet as rows
from bazi_core.render.markdown import bullets, escaped, numbered_markdown, pipe_table
from bazi_core.render.notes import all_notes
from bazi_core.render.phrases import plain
from bazi_core.render.text import COLUMNS, NARROWEST, WIDEST, aligned, bold, numbered, painted, pairs
from bazi_core.render.width import fold, pack, pad, table, taken, width
from bazi_core.tables.words import label
from bazi_core.year.span_value import SCORES

if TYPE_CHECKING:
    from bazi_core.year.comparison import Comparison
    from bazi_core.year.span import YearsResult

    Rows = list[list[str]]

_LEAST = 20  # columns of the last cell of a comparison


def years_text(
    span: YearsResult,
    lang: str = "zh-Hans",
    color: bool = False,
    *,
    columns: int = COLUMNS,
    compact: bool = False,
    domain: str | None = None,
    comparison: Comparison | None = None,
) -> str:
    """The years as text of at most `columns` (40 to 120).

    `compact` names the events only and leaves out what raises and lowers; `domain` tells of one score alone what is
    highest and lowest.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> print(years_text(span).splitlines()[0])
    2026–2035年  男（乾造）  庚午 辛巳 庚辰 壬午
    """
    columns = max(NARROWEST, min(columns, WIDEST))
    domains = SCORES if domain is None else (domain,)
    events = _names(span, lang, columns) if compact else aligned(rows.event_rows(span, lang), columns)
    sections = [
        [
            *fold(bold(rows.title(span, lang), color), columns, "  "),
            *pairs([*rows.conclusion(span, lang), sheet.head(span.chart, lang)[-1]], columns),
        ],
        table(rows.year_rows(span, lang, painted if color else plain), columns),
        [bold(label("events", lang), color), *(events or [label("no_events", lang)])],
        [
            bold(label("rankings", lang), color),
            *aligned(rows.ranking_rows(span, lang, domains, not compact), columns),
        ],
        [] if comparison is None else _comparison(comparison, lang, color, columns),
        numbered(all_notes(span, lang), lang, color, columns),
        fold(label("score_note", lang), columns),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _names(span: YearsResult, lang: str, columns: int) -> list[str]:
    """A few lines for each year with the names of its events."""
    lines = []
    for year, names in rows.event_names(span, lang):
        indent = width(year) + 2
        packed = pack(names, columns - indent, "; " if lang == "en" else "，")
        lines += [f"{' ' * indent if at else pad(year, indent)}{each}" for at, each in enumerate(packed)]
    return lines


def _comparison(comparison: Comparison, lang: str, color: bool, columns: int) -> list[str]:
    lines = [bold(rows.comparison_title(comparison, lang), color)]
    lines += table(_folded(rows.comparison_rows(comparison, lang), columns), columns)
    return [
        *lines,
        *(line for note in rows.comparison_notes(comparison, lang) for line in fold(note, columns, "  ")),
    ]


def _folded(cells: Rows, columns: int) -> Rows:
    """The rows with their last cells folded beside the others."""
    room = max(_LEAST, columns - taken(cells, len(cells[0]) - 1) - 4)
    return [[*row, "\n".join(fold(last, room))] for *row, last in cells]


def years_markdown(
    span: YearsResult,
    lang: str = "zh-Hans",
    *,
    domain: str | None = None,
    comparison: Comparison | None = None,
) -> str:
    """The years as Markdown tables.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> print(years_markdown(span).splitlines()[0])
    # 2026–2035年  男（乾造）  庚午 辛巳 庚辰 壬午
    """
    domains = SCORES if domain is None else (domain,)
    blocks = [
        [f"# {rows.title(span, lang)}"],
        bullets([*rows.conclusion(span, lang), sheet.head(span.chart, lang)[-1]]),
        pipe_table(rows.year_rows(span, lang)),
        [f"## {label('events', lang)}"],
        bullets(
            [
                (year, ("; " if lang == "en" else "，").join(names))
                for year, names in rows.event_names(span, lang)
            ]
        ),
        [f"## {label('rankings', lang)}"],
        _ranking_markdown(rows.ranking_rows(span, lang, domains)),
        *([] if comparison is None else _comparison_markdown(comparison, lang)),
        *numbered_markdown(all_notes(span, lang), lang),
        [escaped(label("score_note", lang))],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if any(block)) + "\n"


def _ranking_markdown(ranking: Rows) -> list[str]:
    """The scores as a list, each with the reasons that raise and lower it below."""
    return [
        f"- **{name}** {escaped(text)}" if name else f"  - {which} {escaped(text)}"
        for name, which, text in ranking
    ]


def _comparison_markdown(comparison: Comparison, lang: str) -> list[list[str]]:
    return [
        [f"## {rows.comparison_title(comparison, lang)}"],
        pipe_table(rows.comparison_rows(comparison, lang)),
        [f"- {escaped(note)}" for note in rows.comparison_notes(comparison, lang)],
    ]
