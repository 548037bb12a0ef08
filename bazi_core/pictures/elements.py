"""The five elements with their season, and what is judged by them: strength by four methods, pattern, useful gods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.useful import ROLES
from bazi_core.pictures.kit import (
    BODY,
    ELEMENT_COLORS,
    LEAST,
    WIDTH,
    Picture,
    leading,
    length,
    lines,
    sentences,
)
from bazi_core.render.meaning import conclusions, other_reading
from bazi_core.render.notes import sentence
from bazi_core.render.phrases import joined, sign_name, titled
from bazi_core.structures.classes import CLASSES
from bazi_core.tables.words import glossed, label, term

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.pattern.result import PatternResult

_FULL, _ROW = 40, 24.0  # percent that fill a bar, unless one has more
_METHODS = ("weighted_v1", "plain_count_month2", "root_units", "month_command")


def drawing(chart: ChartValue, lang: str = "zh-Hans", theme: str = "light") -> str:
    """The elements as bars of their seasonal shares, with 旺相休囚死 and what each is to the day master.

    >>> import bazi_core as bz
    >>> "37%" in drawing(bz.chart(pillars="庚午 辛巳 庚辰 壬午"))
    True
    """
    picture = Picture(lang, theme)
    found, day = chart.elements, chart.day_master.index // 2
    words = 62.0 if lang == "en" else 32.0
    last = 128.0 if lang == "en" else 62.0
    room = WIDTH - words - last - 40
    full = max(_FULL, *found.seasonal)
    for element in ELEMENTS:
        at, y = element.index, _ROW * element.index
        color, share = ELEMENT_COLORS[at], found.seasonal[at]
        picture.mark(element, 7, y + 12)
        picture.text(17, y + 16, term(element.value, lang), color, bold=True)
        picture.rect(words, y + 6, room, 11)
        picture.rect(words, y + 6, room * share / full, 11, color)
        picture.text(words + room + 36, y + 16, f"{share}%", anchor="end")
        x = words + room + 44
        state = term(found.state[at], lang, "season_state")
        picture.text(x, y + 16, state, color, bold=True)
        own = term(CLASSES[(at - day) % 5], lang)
        picture.text(WIDTH, y + 16, own, "soft", size=LEAST, anchor="end")
    picture.height = 5 * _ROW + 2
    told = [_season(chart, lang), *_absent(chart, lang)]
    picture.legend(sentences(told, lang))
    rows = [f"{term(each.value, lang)} {found.seasonal[each.index]}%" for each in ELEMENTS]
    states = [term(state, lang, "season_state") for state in found.state]
    rows = [joined([*both], lang) for both in zip(rows, states, strict=True)]
    return picture.svg(label("picture.elements", lang), sentences([*rows, *told], lang))


def _season(chart: ChartValue, lang: str) -> str:
    branch = chart.pillars.month.branch
    month = f"{branch} {sign_name(branch)}" if lang == "en" else branch.value
    return label("picture.season", lang, month=month)


def _absent(chart: ChartValue, lang: str) -> list[str]:
    names = [term(each.value, lang) for each in chart.elements.missing]
    listed = (", " if lang == "en" else "、").join(names)
    return [label("picture.absent", lang, elements=listed)] if names else []


def judged(
    result: PatternResult, lang: str = "zh-Hans", theme: str = "light", *, doubts_too: bool = True
) -> str:
    """Strength, pattern and useful gods; of an open strength both readings side by side, the one that is taken first.

    Without `doubts_too` the warnings stand only in the description, for a page that tells them before.

    >>> import bazi_core as bz
    >>> "若身弱" in judged(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern())
    True
    """
    picture = Picture(lang, theme)
    told = conclusions(result, lang, all_roles=True)
    warnings = [*result.chart.warnings, *result.warnings]
    doubts = [sentence(doubt, lang) for doubt in warnings if doubt.code in _OF_JUDGEMENT]
    picture.note(label("picture.doubts", lang), doubts if doubts_too else [])
    name = label("picture.judged", lang)
    if not told:
        only = label("word.facts_only", lang)
        picture.text(0, picture.height + 16, only)
        picture.height += 24
        return picture.svg(name, sentences([only], lang))
    _votes(picture, result)
    readings = (result, *result.alternatives)
    several = len(readings) > 1
    wide, top, bottom = WIDTH / len(readings), picture.height + 14, 0.0
    for at, each in enumerate(readings):
        ends = _reading(picture, each, at * wide, top, wide - 12 * several, several)
        bottom = max(bottom, ends)
    picture.height = bottom
    others = [titled(word, value, lang) for word, value in other_reading(result, lang)]
    return picture.svg(name, sentences([*doubts, *told, *others], lang))


_OF_JUDGEMENT = ("METHODS_DISAGREE", "USEFUL_GOD_CLOSE", "HOUR_UNKNOWN")


def _votes(picture: Picture, result: PatternResult) -> None:
    """The vote of each of the four methods; the one that was taken is underlined."""
    strength, lang = result.strength, picture.lang
    assert strength is not None
    top, wide = picture.height, WIDTH / len(_METHODS)
    for at, name in enumerate(_METHODS):
        x, verdict = at * wide, strength.method_votes[name]
        picture.rect(x + 0.5, top + 0.5, wide, 46, "card", edge="line")
        picture.text(
            x + wide / 2,
            top + 21,
            term(verdict, lang).split()[0],
            size=15,
            anchor="middle",
            serif=True,
            bold=True,
        )
        picture.text(
            x + wide / 2, top + 38, label(f"method.{name}", lang), "soft", size=LEAST, anchor="middle"
        )
        if name == strength.method:
            picture.rect(x + 0.5, top + 44, wide, 3, "seal")
    picture.height = top + 50


def _reading(
    picture: Picture, result: PatternResult, x: float, y: float, wide: float, several: bool
) -> float:
    """One reading: verdict, pattern with its standing, the roles with their elements."""
    lang, strength = picture.lang, result.strength
    assert strength is not None
    picture.path(f"M{x:g} {y:g}h{wide:g}", thick=2, dashed=not strength.taken)
    head = label(f"if.{strength.verdict}", lang) if several else term(strength.verdict, lang)
    tail = (label("picture.taken", lang), "soft") if several and strength.taken else None
    picture.text(x, y + 20, head, bold=True, tail=tail)
    standing = [term(result.standing.status, lang)] if result.standing else []
    pattern = lines(joined([glossed(result.name, lang), *standing], lang), wide)
    here = picture.block(x, y + 38, pattern) + 4
    for role, element in zip(ROLES, result.useful.order, strict=True):
        word = term(role, lang)
        picture.text(x, here, word, "soft" if role not in ("用神", "喜神", "忌神") else "ink")
        left = x + length(word, BODY) + 8 if lang != "en" else x + 118
        picture.mark(element, left + 5, here - 4, 9)
        picture.text(left + 14, here, term(element.value, lang), ELEMENT_COLORS[element.index])
        here += leading(BODY) + 2
    return here
