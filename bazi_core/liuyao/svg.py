"""The board as SVG: the lines are shapes, not glyphs, so that every viewer shows them alike.

Line 6 on top; a moving yang line carries a ring, a moving yin line a cross. Colours repeat what words say already.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bazi_core.errors import known
from bazi_core.liuyao.hexagrams import mark, relation
from bazi_core.render.phrases import joined
from bazi_core.render.svg import FONTS, THEMES, text
from bazi_core.tables.cast_words import glossed, word
from bazi_core.tables.words import LANGUAGES, label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.chart import LiuyaoValue

ROW, TOP, BAR, THICK = 46, 112, 120, 9
# Left edges of the columns: spirit, hidden line, primary text, primary bar, target bar, target text.
COLUMNS = (24, 150, 262, 372, 542, 680)
WIDTH = 820


def drawing(chart: LiuyaoValue, lang: str = "zh-Hans", theme: str = "light") -> str:
    """The drawing of a board, 820 units wide.

    >>> from bazi_core import liuyao as ly
    >>> drawing(ly.derive("789876", "2026-04-03T20:30:00+08:00")).count("<rect")
    19
    """
    known("lang", lang, LANGUAGES)
    known("theme", theme, tuple(THEMES))
    ground, ink, faint, accent = THEMES[theme]
    height = TOP + 6 * ROW + 36
    title = _title(chart, lang)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}"'
            f' font-family="{FONTS}" font-size="16" fill="{ink}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="{ground}"/>',
            text(COLUMNS[0], 36, title, size=22),
            text(COLUMNS[0], 66, _when(chart, lang), faint),
            *_rows(chart, lang, ink, faint, accent),
            text(COLUMNS[0], height - 20, _below(chart, lang), faint, 14),
            "</svg>",
        ]
    )


def _title(chart: LiuyaoValue, lang: str) -> str:
    names = [glossed(chart.primary.full_name, lang)]
    names += [glossed(chart.target.full_name, lang)] if chart.moving else []
    return " → ".join(names)


def _when(chart: LiuyaoValue, lang: str) -> str:
    pillars = [each.value for each in (chart.year, chart.month, chart.day, chart.hour) if each]
    void = "".join(branch.value for branch in chart.void)
    return f"{' '.join(pillars)}   {label('ly_void', lang)} {void}"


def _below(chart: LiuyaoValue, lang: str) -> str:
    primary = chart.primary
    palace = f"{word(primary.palace, lang)}{_gap(lang)}{word('宫', lang)}"
    return joined([palace, word(primary.generation, lang), word(primary.element.value, lang)], lang)


def _rows(chart: LiuyaoValue, lang: str, ink: str, faint: str, accent: str) -> Iterator[str]:
    from bazi_core.liuyao.divination import spirits_of

    hidden = {each.position: each for each in chart.primary.hidden}
    spirits = spirits_of(chart.day)
    for k in reversed(range(6)):
        n, y = k + 1, TOP + (5 - k) * ROW
        pillar = chart.primary.pillars[k]
        moves = n in chart.moving
        yield text(COLUMNS[0], y + 6, word(spirits[k][1], lang), faint, 14)
        if n in hidden:
            under = hidden[n]
            yield text(
                COLUMNS[1], y + 6, f"{word(under.relation, lang)}{_gap(lang)}{under.pillar}", faint, 14
            )
        yield text(
            COLUMNS[2],
            y + 6,
            _named(chart.primary.relations[k], pillar.value, pillar.branch.element.value, lang),
        )
        yield from _line(COLUMNS[3], y, bool(chart.code >> k & 1), accent if moves else ink)
        yield from _seat(COLUMNS[3] + BAR + 8, y, mark(chart.primary, n), lang)
        if moves:
            yield from _moving(COLUMNS[3] + BAR / 2, y, bool(chart.code >> k & 1), accent)
        if chart.moving:
            turned = chart.target.pillars[k]
            element = turned.branch.element
            yield from _line(COLUMNS[4], y, bool(chart.changed_code >> k & 1), ink)
            yield from _seat(COLUMNS[4] + BAR + 4, y, mark(chart.target, n), lang)
            told = _named(relation(chart.primary.element, element), turned.value, element.value, lang)
            yield text(COLUMNS[5] + 18, y + 6, told, ink if moves else faint)


def _gap(lang: str) -> str:
    return " " if lang == "en" else ""


def _named(relative: str, pillar: str, element: str, lang: str) -> str:
    return f"{word(relative, lang)} {pillar}" if lang == "en" else f"{word(relative, lang)}{pillar}{element}"


def _line(x: float, y: float, yang: bool, colour: str) -> Iterator[str]:
    """A yang line is one bar, a yin line two."""
    parts = [(x, BAR)] if yang else [(x, BAR * 0.42), (x + BAR * 0.58, BAR * 0.42)]
    for left, length in parts:
        yield f'<rect x="{left:g}" y="{y - THICK / 2:g}" width="{length:g}" height="{THICK}" rx="1" fill="{colour}"/>'


def _moving(x: float, y: float, yang: bool, colour: str) -> Iterator[str]:
    if yang:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="none" stroke="{colour}" stroke-width="2.5"/>'
    else:
        yield f'<path d="M{x - 8:g} {y - 8:g}l16 16m0 -16l-16 16" stroke="{colour}" stroke-width="2.5"/>'


def _seat(x: float, y: float, seat: str, lang: str) -> Iterator[str]:
    if seat:
        yield text(x, y + 6, word(seat, lang) if lang != "en" else seat)
