"""The board as a picture: lines are shapes, not glyphs, so that every viewer shows them alike.

Line 6 on top; a moving yang line carries a ring, a moving yin line a cross. Colours only repeat the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.liuyao.hexagrams import mark, relation
from bazi_core.liuyao.text import state_words
from bazi_core.pictures.kit import ELEMENT_COLORS, LEAST, PAGE, WIDTH, Picture, length, lines, sentences
from bazi_core.render.phrases import joined
from bazi_core.tables.cast_words import glossed, word
from bazi_core.tables.words import label
from bazi_core.wording import LINES

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.liuyao.chart import LiuyaoValue
    from bazi_core.liuyao.value import AnalysisValue

PLACES = LINES
THICK = 7
# Left edges and lengths of the bars, left edges of the words beside them.
_BARS, _LONG, _WORDS = (58, 240), (48, 40), (124, 286)


def drawing(
    chart: LiuyaoValue, lang: str = "zh-Hans", theme: str = "light", analysis: AnalysisValue | None = None
) -> str:
    """The drawing of a board; with its analysis also how each line stands, and which is the 用神.

    >>> from bazi_core import liuyao as ly
    >>> board = ly.derive("789876", "2026-04-03T20:30:00+08:00")
    >>> [drawing(board, analysis=each).count("用神") for each in (None, board.analyze("事业"))]
    [0, 2]
    >>> drawing(ly.derive("789876", "2026-04-03T20:30:00+08:00")).count('rx="1"')
    18
    """
    picture = Picture(lang, theme)
    title = _title(chart, lang)
    if theme != PAGE:
        _heading(picture, title, _when(chart, lang))
    for k in reversed(range(6)):
        _row(picture, chart, k, analysis)
    picture.legend(sentences([_below(chart, lang), *_moving_words(chart, lang)], lang))
    return picture.svg(title, sentences(_description(chart, lang, analysis), lang))


def _heading(picture: Picture, title: str, when: str) -> None:
    """Name and time, which a page around the picture tells itself."""
    for line in lines(title, WIDTH, 17):
        picture.text(0, picture.height + 18, line, size=17, serif=True, bold=True)
        picture.height += 24
    for line in lines(when, WIDTH):
        picture.text(0, picture.height + 14, line, "soft")
        picture.height += 18
    picture.height += 8


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


def _moving_words(chart: LiuyaoValue, lang: str) -> list[str]:
    yang = [number for number in chart.moving if chart.code >> number - 1 & 1]
    words = [label("ly_old_yang", lang)] if yang else []
    return [*words, *([label("ly_old_yin", lang)] if len(yang) < len(chart.moving) else [])]


def _row(picture: Picture, chart: LiuyaoValue, k: int, analysis: AnalysisValue | None) -> None:
    """Draw line `k` + 1 of the board with its changed line, and below it what hides there and how it stands."""
    from bazi_core.liuyao.divination import spirits_of

    lang, number, top = picture.lang, k + 1, picture.height
    y, high = top + 20, 58 if lang == "en" else 42
    under = _under(chart, k, analysis, lang)
    wide = WIDTH - _WORDS[0]
    folded = [(line, color) for text, color in under for line in lines(text, wide, LEAST)]
    high += 15 * max(0, len(folded) - 1)
    if analysis is not None and number == _useful(analysis):
        picture.rect(0, top, WIDTH, high, "wash")
        picture.rect(0, top, 3, high, "seal")
    picture.path(f"M0 {top:g}H{WIDTH}", "line", thick=1)
    left = 6 if analysis is not None else 0
    picture.text(left, y, word(PLACES[k], lang), bold=True, size=LEAST)
    spirit = word(spirits_of(chart.day)[k][1], lang)
    picture.block(left, y + 15, lines(spirit, _BARS[0] - 2 - left, LEAST), "soft", size=LEAST)
    moves, yang = number in chart.moving, bool(chart.code >> k & 1)
    _line(picture, 0, y - 5, yang, "seal" if moves else "ink")
    if moves:
        _moving(picture, _BARS[0] + _LONG[0] + 9, y - 5, yang)
    own = chart.primary.pillars[k]
    _named(picture, 0, y, chart.primary.relations[k], own, mark(chart.primary, number), True)
    below = y + (30 if lang == "en" else 15)
    for at, (line, color) in enumerate(folded):
        picture.text(_WORDS[0], below + 15 * at, line, color, size=LEAST)
    if chart.moving:
        turned = chart.target.pillars[k]
        _line(picture, 1, y - 5, bool(chart.changed_code >> k & 1), "ink")
        relative = relation(chart.primary.element, turned.branch.element)
        _named(picture, 1, y, relative, turned, mark(chart.target, number), moves)
    picture.height += high


def _under(chart: LiuyaoValue, k: int, analysis: AnalysisValue | None, lang: str) -> list[tuple[str, str]]:
    """The words below a line, each with its colour: the hidden line, the 用神, and how month and day leave it."""
    found = []
    hidden = next((each for each in chart.primary.hidden if each.position == k + 1), None)
    if hidden is not None:
        words = f"{label('ly_hidden', lang)} {word(hidden.relation, lang)}{_gap(lang)}{hidden.pillar}"
        found.append((words, "soft"))
    if analysis is not None:
        stands = [each for each in state_words(analysis.lines[k], lang) if each]
        if k + 1 == _useful(analysis):
            found.append((joined([word("用神", lang), *stands], lang), "seal"))
        else:
            found += [(joined(stands, lang), "soft")] if stands else []
    return found


def _useful(analysis: AnalysisValue) -> int:
    """The position of the line that is the 用神, or under which it hides; 0 where month or day is."""
    return (analysis.subject.position or 0) if analysis.yongshen.candidates else 0


def _gap(lang: str) -> str:
    return " " if lang == "en" else ""


def _named(
    picture: Picture, side: int, y: float, relative: str, pillar: Pillar, seat: str, counts: bool
) -> None:
    """The relative, the pillar and its element, and whether 世 or 应 sits here."""
    lang, x = picture.lang, float(_WORDS[side])
    color, element = "ink" if counts else "soft", pillar.branch.element
    kin = word(relative, lang)
    picture.text(x, y, kin, color, size=LEAST)
    x += length(kin, LEAST) + 4
    picture.text(x, y, pillar.value, color, size=13, serif=True, bold=True)
    if lang == "en":
        x, y = float(_WORDS[side]), y + 15
    else:
        x += 30
    picture.mark(element, x + 5, y - 4, 9)
    element_word = word(element.value, lang)
    picture.text(x + 12, y, element_word, ELEMENT_COLORS[element.index], size=LEAST)
    if seat:
        x += 12 + length(element_word, LEAST) + (6 if lang == "en" else 3)
        name = f"{seat} {word(seat, lang).split()[0]}" if lang == "en" else word(seat, lang)
        if x + 3 + length(name, LEAST) > WIDTH:
            name = seat
        x = min(x, WIDTH - 3 - length(name, LEAST))
        if side == 0:
            picture.rect(x, y - 12, length(name, LEAST) + 6, 15, "ink", radius=3)
        picture.text(x + 3, y - 0.5, name, "paper" if side == 0 else "soft", size=LEAST)


def _line(picture: Picture, side: int, y: float, yang: bool, color: str) -> None:
    """A yang line is one bar, a yin line two."""
    x, long = _BARS[side], _LONG[side]
    parts = [(x, long)] if yang else [(x, long * 0.42), (x + long * 0.58, long * 0.42)]
    for left, own in parts:
        picture.rect(left, y - THICK / 2, own, THICK, color, radius=1)


def _moving(picture: Picture, x: float, y: float, yang: bool) -> None:
    if yang:
        picture.circle(x, y, 4.5, "", "seal", 1.8)
    else:
        picture.path(f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8", "seal", thick=1.8)


def _description(chart: LiuyaoValue, lang: str, analysis: AnalysisValue | None) -> list[str]:
    """The board in words, line 1 first."""
    sentences = [_when(chart, lang), _below(chart, lang)]
    for k, pillar in enumerate(chart.primary.pillars):
        number = k + 1
        parts = [word(PLACES[k], lang), label(f"ly_line.{chart.lines[k]}", lang)]
        parts.append(f"{word(chart.primary.relations[k], lang)}{_gap(lang)}{pillar}")
        parts += [word(seat, lang) for seat in filter(None, [mark(chart.primary, number)])]
        if number in chart.moving:
            parts.append(f"→ {chart.target.pillars[k]}")
        parts += [told for told, _ in _under(chart, k, analysis, lang)]
        sentences.append(joined(parts, lang))
    return sentences
