"""The four pillars as a picture: what is doubtful, signs with their elements, arcs between them, what each holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pictures import arcs
from bazi_core.pictures.kit import (
    ELEMENT_COLORS,
    LEAST,
    SIGN,
    WIDTH,
    Picture,
    leading,
    length,
    lines,
    sentences,
)
from bazi_core.pillars import POSITIONS
from bazi_core.render.meaning import relation_text
from bazi_core.render.notes import notes
from bazi_core.render.phrases import pillar_name, pillars_text, titled
from bazi_core.tables.words import label, term
from bazi_core.views.resolution import RESOLVED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.alphabet import Element, Pillar
    from bazi_core.chart import ChartValue
    from bazi_core.views.columns import Column

_MOST_DOUBTS, _MANY, _VOID = 3, 5, "空亡"
_SMALL = 300.0
_BETWEEN = 54.0  # from the base line of a stem to that of its branch


class SignColumn(NamedTuple):
    """A column of signs: its name, its pillar, its ten god (None of the day master), whether it is certain."""

    place: str
    pillar: Pillar | None
    god: str | None
    certain: bool = True


class Frame(NamedTuple):
    """Where columns stand: their middles, their width, and how far aside signs stand, for their elements.

    Without `words` there is room neither for the names of rows nor for the word of an element beside its shape.
    """

    middles: tuple[float, ...]
    wide: float
    aside: float
    words: bool = True

    @property
    def signs(self) -> list[float]:
        """The middles of the signs."""
        return [x - self.aside for x in self.middles]

    def span(self, at: int) -> tuple[float, float]:
        return self.middles[at] - self.wide / 2, self.middles[at] + self.wide / 2


def frame(count: int, lang: str, wide: float = WIDTH) -> Frame:
    """The columns side by side, behind the names of rows."""
    words = lang != "en" or count < _MANY
    names = 36.0 if lang != "en" else 52.0 if words else 0.0
    column = (wide - names) / count
    middles = tuple(round(names + column * (at + 0.5), 1) for at in range(count))
    return Frame(middles, column, 18.0 if lang == "en" and words else 8.0, words)


def drawing(
    chart: ChartValue, lang: str = "zh-Hans", theme: str = "light", compact: bool = False, name: str = "",
    *, doubts_too: bool = True,
) -> str:  # fmt: skip
    """The picture of a chart; `compact` is without stages, nayin, 神煞 and what is resolved, `name` whose chart it is.

    Without `doubts_too` the warnings are left out, for a page that tells them before.

    >>> import bazi_core as bz
    >>> drawing(bz.chart(pillars="庚午 辛巳 庚辰 壬午"), compact=True).count("<title>")
    1
    """
    picture = Picture(lang, theme)
    if name:
        picture.text(0, 16, shortened(name, WIDTH, 15), size=15, serif=True, bold=True)
        picture.height = 28
    if doubts_too:
        doubtful(picture, chart, compact)
    seats = natal_seats(chart)
    at = frame(len(seats), lang)
    # The short picture leaves out what is resolved; the description tells it.
    shown = [relation for relation in chart.relations if not compact or relation.status != RESOLVED]
    above, below = arcs.arcs(shown, [seat.place for seat in seats], lang)
    top = picture.height
    shade = len(picture.parts)
    bottom = signs(picture, seats, at, above, below)
    y = hidden(picture, chart.columns, at, bottom, chart)
    if not compact:
        y = _rows(picture, chart, at, y)
    picture.height = y
    day = at.span(POSITIONS.index("day"))
    picture.rect(day[0], top, day[1] - day[0], y - top, "wash", radius=3)
    picture.parts.insert(shade, picture.parts.pop())
    if not compact:
        picture.legend(label("picture.legend", lang))
    return picture.svg(title(chart, lang, name), description(chart, lang, doubts_too))


def signs_alone(chart: ChartValue, lang: str = "zh-Hans", theme: str = "light") -> str:
    """The pillars by themselves, small: names, ten gods, signs with their elements.

    >>> import bazi_core as bz
    >>> signs_alone(bz.chart(pillars="庚午 辛巳 庚辰 壬午")).count("<title>")
    1
    """
    # The words of English need as much room as in the whole picture.
    wide = WIDTH if lang == "en" else _SMALL
    picture, seats = Picture(lang, theme, wide), natal_seats(chart)
    at = frame(len(seats), lang, wide)
    day, shade = at.span(POSITIONS.index("day")), len(picture.parts)
    bottom = signs(picture, seats, at, (), (), arrows=False)
    picture.height = bottom
    picture.rect(day[0], 0, day[1] - day[0], bottom, "wash", radius=3)
    picture.parts.insert(shade, picture.parts.pop())
    return picture.svg(title(chart, lang), sentences(_columns(chart, lang), lang))


def title(chart: ChartValue, lang: str, name: str = "") -> str:
    """`八字命盘：庚午 辛巳 庚辰 壬午`."""
    own = titled(label("title", lang), pillars_text(chart.pillars, lang), lang)
    return f"{name}  {own}" if name else own


def description(chart: ChartValue, lang: str, doubts_too: bool = True) -> str:
    """In words what the picture shows: doubts, pillars with their ten gods, relations."""
    doubts = [line for note in notes(chart, lang) for line in note] if doubts_too else []
    relations = (relation_text(relation, lang) for relation in chart.relations)
    return sentences([*doubts, *_columns(chart, lang), *relations], lang)


def _columns(chart: ChartValue, lang: str) -> list[str]:
    """The pillars in words, each with its ten god."""
    return [
        label(
            "picture.column", lang, where=label(column.position, lang), pillar=pillar_name(column.pillar, lang),
            god=term(column.ten_god.value, lang) if column.ten_god else label("day_master", lang),
        )
        for column in chart.columns
    ]  # fmt: skip


def doubtful(picture: Picture, chart: ChartValue, compact: bool) -> None:
    """The warnings first: each with what else might be, or only their sentences."""
    found = notes(chart, picture.lang)
    told = [line for note in found[:_MOST_DOUBTS] for line in (note[:1] if compact else note)]
    if len(found) > _MOST_DOUBTS:
        told.append(label("picture.more", picture.lang, count=len(found) - _MOST_DOUBTS))
    picture.note(label("picture.doubts", picture.lang), told)


def natal_seats(chart: ChartValue) -> list[SignColumn]:
    """The columns of the birth, the one of an unknown hour empty; what varies during an unknown day is not certain."""
    by_place = {column.position: column for column in chart.columns}
    sure = chart.day.invariant if chart.day else None
    found = []
    for place in POSITIONS:
        column = by_place.get(place)
        god = column.ten_god.value if column and column.ten_god else None
        certain = sure is None or sure.get(place) is not None
        found.append(SignColumn(place, column.pillar if column else None, god, certain))
    return found


def signs(
    picture: Picture,
    seats: Sequence[SignColumn],
    at: Frame,
    above: Sequence[arcs.Arc],
    below: Sequence[arcs.Arc],
    arrows: bool = True,
) -> float:
    """Names, ten gods, stems and branches with the arcs around them, `arrows` of 盖头 and 截脚 beside them; where the
    next row begins."""
    lang, day = picture.lang, at.span(POSITIONS.index("day"))
    room = arcs.STEP * (1 + max((level.level for level in arcs.levels(above, at.signs)), default=-1))
    gods = [
        lines(term(seat.god, lang) if seat.god else label("day_master", lang), at.wide - 6, LEAST)
        for seat in seats
    ]
    head = picture.height + 16
    tall = leading(LEAST) * max(1, *(len(god) for god in gods))
    stem = head + 8 + tall + room + 42
    for name, y in (("ten_god", head + 20), ("stem", stem - 8), ("branch", stem + _BETWEEN - 8)):
        if at.words:
            picture.text(2, y, label(name, lang), "soft", size=LEAST)
    for number, (seat, x) in enumerate(zip(seats, at.middles, strict=True)):
        picture.text(x, head, _place_name(seat.place, lang), "soft", anchor="middle")
        if seat.place == "day":
            _seal(picture, x, head, at.wide)
        else:
            told = gods[number] if seat.pillar else ()
            picture.block(x, head + 20, told, size=LEAST, anchor="middle")
        if seat.pillar is None:
            _empty_seat(picture, seat.place, x, stem, at.wide)
            continue
        if not seat.certain:
            half = at.wide / 2 - 2
            picture.path(
                f"M{x - half:g} {stem - 38:g}h{2 * half:g}v{_BETWEEN + 48:g}h{-2 * half:g}z",
                "earth",
                dashed=True,
            )
            picture.text(
                x, stem + _BETWEEN + 24, label("picture.varies", lang), "earth", size=LEAST, anchor="middle"
            )
        for sign, y in ((seat.pillar.stem, stem), (seat.pillar.branch, stem + _BETWEEN)):
            one_sign(picture, sign.value, sign.element, x - at.aside, y, at.words)
        if arrows:
            _control(picture, seat.pillar, x - at.aside - 24, stem)
    if above:
        arcs.draw(picture, above, at.signs, stem - 37, False, day)
    base = stem + _BETWEEN + (30 if any(not seat.certain for seat in seats) else 10)
    return arcs.draw(picture, below, at.signs, base, True, day) + 8


def _seal(picture: Picture, x: float, head: float, wide: float) -> None:
    """The seal of the day master in the place of a ten god."""
    told = lines(label("day_master", picture.lang), wide - 8, LEAST)
    broad = max(length(line, LEAST) for line in told) + 8
    picture.rect(x - broad / 2, head + 7, broad, 2 + leading(LEAST) * len(told), "seal", radius=2)
    for row, line in enumerate(told):
        picture.text(x, head + 20 + 15 * row, line, "on-seal", size=LEAST, anchor="middle", bold=True)


def _empty_seat(picture: Picture, place: str, x: float, stem: float, wide: float) -> None:
    """The frame of a pillar that is not there: unknown at birth, or no luck that runs."""
    half = min(30.0, wide / 2 - 2)
    picture.rect(x - half, stem - 36, 2 * half, 44 + _BETWEEN, "", radius=3, edge="edge")
    mark = "?" if place in POSITIONS else "–"
    picture.text(x, stem + 6, mark, "soft", size=26, anchor="middle", serif=True)
    if place in POSITIONS:
        picture.text(x, stem + 26, label("unknown", picture.lang), "soft", size=LEAST, anchor="middle")


def _place_name(place: str, lang: str) -> str:
    """`年柱`; of what runs 大运, 小运 and 流年, in English in a word."""
    return label(place if place in POSITIONS else f"seat.{place}", lang)


def one_sign(picture: Picture, sign: str, element: Element, x: float, y: float, words: bool = True) -> None:
    """A sign with its element: shape, colour, and where there is room the word."""
    picture.text(x, y, sign, size=SIGN, anchor="middle", serif=True, bold=True)
    word, color = term(element.value, picture.lang), _color(element)
    if not words:
        picture.mark(element, x + 27, y - 12)
    elif picture.lang == "en":
        picture.mark(element, x + 28, y - 20)
        picture.text(x + 22, y - 2, word, color, size=LEAST)
    else:
        picture.mark(element, x + 27, y - 20)
        picture.text(x + 27, y - 2, word, color, size=LEAST, anchor="middle")


def _color(element: Element) -> str:
    return ELEMENT_COLORS[element.index]


def _control(picture: Picture, pillar: Pillar, x: float, stem: float) -> None:
    """盖头 and 截脚: an arrow from what controls to what is controlled."""
    upper, lower = pillar.stem.element, pillar.branch.element
    top, foot = stem - 12, stem + _BETWEEN - 26
    if upper.controls is lower:
        picture.path(f"M{x:g} {top:g}V{foot:g}m-3 -6l3 6l3 -6", "edge", thick=1)
    elif lower.controls is upper:
        picture.path(f"M{x:g} {foot:g}V{top:g}m-3 6l3 -6l3 6", "edge", thick=1)


def hidden(
    picture: Picture, columns: Sequence[Column], at: Frame, y: float, chart: ChartValue | None
) -> float:
    """The hidden stems with their ten gods, main qi first; ● marks the commander of the month."""
    lang, bottom = picture.lang, y
    commander = chart.siling.stem if chart is not None and chart.siling else None
    picture.text(2, y + 12, label("hidden", lang), "soft", size=LEAST)
    for column, x in zip(columns, at.middles, strict=False):
        here = y + 12
        for number, (each, god) in enumerate(zip(column.hidden, column.hidden_gods, strict=True)):
            mark = ("●", "seal") if column.position == "month" and each.stem is commander else None
            told = lines(term(god.value, lang), at.wide - 18, LEAST)
            wide = 15 + max(
                *(length(line, LEAST) for line in told), length(told[-1], LEAST) + (16 if mark else 0)
            )
            left = x - min(wide, at.wide - 6) / 2
            picture.text(
                left, here, each.stem.value, _color(each.stem.element), size=13, serif=True, bold=True
            )
            for line in told:
                tail = mark if line is told[-1] else None
                picture.text(left + 15, here, line, "soft" if number else "ink", size=LEAST, tail=tail)
                here += 15
            here += 1
        bottom = max(bottom, here)
    return bottom


def _rows(picture: Picture, chart: ChartValue, at: Frame, y: float) -> float:
    """Stages, nayin, voids and 神煞, a hairline above each row."""
    lang = picture.lang
    for name, cell in _CELLS:
        cells = [cell(chart, column, lang) for column in chart.columns]
        if not any(cells):
            continue
        picture.path(f"M0 {y:g}H{picture.width:g}", "line", thick=1)
        picture.text(2, y + 14, label(name, lang), "soft", size=LEAST)
        ends = [y + 14]
        for words, x in zip(cells, at.middles, strict=False):
            here = y + 14
            for word in words:
                # Of several names of several lines each stands apart.
                found = lines(word, at.wide - 4, LEAST)
                here = picture.block(x, here, found, size=LEAST, anchor="middle") + 3 * (len(found) > 1)
            ends.append(here)
        y = max(ends) - 8
    return y


def _stars(chart: ChartValue, column: Column, lang: str) -> list[str]:
    return [
        term(star.name, lang, "star")
        for star in chart.stars
        if column.position in star.positions and star.name != _VOID
    ]


_CELLS: tuple[tuple[str, Callable[[ChartValue, Column, str], list[str]]], ...] = (
    ("stage_day", lambda chart, column, lang: [term(column.stage_day_master.value, lang)]),
    ("stage_self", lambda chart, column, lang: [term(column.stage_self.value, lang)]),
    ("nayin", lambda chart, column, lang: [term(column.nayin, lang)]),
    ("void", lambda chart, column, lang: [label("void_here", lang)] if column.void else []),
    ("stars", _stars),
)


def shortened(told: str, room: float, size: float) -> str:
    """The text, or as much of it as fits, with an ellipsis."""
    if length(told, size) <= room:
        return told
    while told and length(told + "…", size) > room:
        told = told[:-1]
    return told + "…"
