"""The two tables of a printed chart: the four columns 年 月 日 时 and the ten 大运.

In English every cell has its term in English; the canonical term stands beside it or in the legend below. The
element of every stem and branch is written out, so that colour is never the only sign of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pillars import POSITIONS
from bazi_core.render.phrases import character, elements, marked, pillar_name, plain, titled
from bazi_core.render.width import pack
from bazi_core.tables.words import label, term
from bazi_core.views.cycles import void_branches
from bazi_core.wording import sign_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.alphabet import Branch, Element, Stem
    from bazi_core.chart import ChartValue
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.render.phrases import Paint
    from bazi_core.views.columns import Column

    Rows = list[list[str]]

# Columns that a cell of the four pillars may take in a page, which breaks lines itself.
WIDE = 1000


class CellItem(NamedTuple):
    """One item of a cell: the words between which a line may break, and the element that colours them."""

    words: list[str]
    element: Element | None = None


def pillar_rows(
    chart: ChartValue,
    lang: str,
    paint: Paint = plain,
    compact: bool = False,
    *,
    room: int = WIDE,
    hidden_labels: bool = False,
) -> Rows:
    """The four columns, the head first, each row with its label, in cells of at most `room`.

    `compact` is without 自坐 and 神煞; `hidden_labels` says of every hidden stem whether it is 本气, 中气 or 余气.
    """
    columns = {column.position: column for column in chart.columns}
    cells = dict(_CELLS, hidden=_labelled) if hidden_labels else dict(_CELLS)
    if compact:
        del cells["stage_self"]
    rows = [
        [
            "",
            *(
                f"{label(name, lang)} {label(name)}" if lang == "en" else label(name, lang)
                for name in POSITIONS
            ),
        ]
    ]
    for name, cell in cells.items():
        items = [cell(columns[at], lang) if at in columns else [] for at in POSITIONS]
        rows.append([label(name, lang), *(_laid(item, room, paint) for item in items)])
    if chart.stars and not compact:
        stars = [_stars(chart, at, lang) for at in POSITIONS]
        rows.append([label("stars", lang), *(_laid(star, room, paint) for star in stars)])
    if "hour" not in columns:
        for row in rows[2:4]:
            row[4] = label("unknown", lang)
    return rows


def room_of(columns: int, lang: str) -> int:
    """Width in columns of a cell of the four pillars on a display: in Chinese the smallest, in English the largest.

    >>> room_of(80, "en"), room_of(60, "en"), room_of(80, "zh-Hans")
    (14, 21, 13)
    """
    if lang != "en":
        return _HANZI_ROOM
    labels = max(len(label(name, lang)) for name in (*dict(_CELLS), "stars"))
    beside = 4 if columns >= labels + 4 * (_LEAST_ROOM + 3) + 4 else 2
    return min((columns - labels - 4) // beside - 3, _MOST_ROOM)


_HANZI_ROOM, _LEAST_ROOM, _MOST_ROOM = 13, 14, 24


def _laid(items: list[CellItem], room: int, paint: Paint) -> str:
    """The lines of a cell; continuation lines are indented if the cell has several items."""
    indent = " " if items[1:] else ""
    lines = [(line, item.element) for item in items for line in pack(item.words, room, " ", indent)]
    return "\n".join(paint(line, element) if element else line for line, element in lines)


def _ten_god(column: Column, lang: str) -> list[CellItem]:
    if column.ten_god is not None:
        return [_named(column.ten_god.value, lang)]
    own = label("day_master", lang)
    return [CellItem([*own.split(), f"({label('day_master')})"] if lang == "en" else [own])]


def _sign(sign: Stem | Branch, lang: str) -> CellItem:
    if lang != "en":
        return CellItem([character(sign, lang)], sign.element)
    name, _, rest = character(sign, lang).partition(" (")
    return CellItem([name, f"({rest}"], sign.element)


def _hidden(column: Column, lang: str) -> list[CellItem]:
    """Every hidden stem with its ten god: in one line, in English in two."""
    items = []
    for hidden, god in zip(column.hidden, column.hidden_gods, strict=True):
        own = CellItem([f"{hidden.stem} {sign_name(hidden.stem)}"], hidden.stem.element)
        if lang == "en":
            items += [own, CellItem(term(god.value, lang).split())]
        else:
            items.append(CellItem([f"{hidden.stem}{hidden.stem.element} {term(god.value, lang)}"]))
    return items


def _labelled(column: Column, lang: str) -> list[CellItem]:
    """The hidden stems, each with the rank of its qi."""
    items = _hidden(column, lang)
    for at, hidden in enumerate(column.hidden):
        words = items[2 * at + 1].words if lang == "en" else items[at].words
        words.append(f"({term(hidden.qi, lang)})" if lang == "en" else term(hidden.qi, lang))
    return items


def _void(column: Column, lang: str) -> list[CellItem]:
    one, other = void_branches(column.pillar)
    if lang == "en":
        items = [CellItem([f"{sign_name(one)} {one},", f"{sign_name(other)} {other}"])]
    else:
        items = [CellItem([f"{one}{other}"])]
    return [*items, CellItem([label("void_here", lang)])] if column.void else items


def _stars(chart: ChartValue, position: str, lang: str) -> list[CellItem]:
    """The stars of a pillar; in English their canonical names stand in the legend."""
    names = [star.name for star in chart.stars if position in star.positions]
    return [CellItem(term(name, lang, "star").split()) for name in names]


def _named(hanzi: str, lang: str) -> CellItem:
    return CellItem([*term(hanzi, lang).split(), f"({hanzi})"] if lang == "en" else [term(hanzi, lang)])


_CELLS: tuple[tuple[str, Callable[[Column, str], list[CellItem]]], ...] = (
    ("ten_god", _ten_god),
    ("stem", lambda column, lang: [_sign(column.pillar.stem, lang)]),
    ("branch", lambda column, lang: [_sign(column.pillar.branch, lang)]),
    ("hidden", _hidden),
    ("stage_day", lambda column, lang: [_named(column.stage_day_master.value, lang)]),
    ("stage_self", lambda column, lang: [_named(column.stage_self.value, lang)]),
    ("nayin", lambda column, lang: [_named(column.nayin, lang)]),
    ("void", _void),
)


def luck_rows(chart: ChartValue, lang: str, paint: Paint = plain, runs: LuckCycle | None = None) -> Rows:
    """The ten 大运 side by side, as charts print them; in English, where words are long, one below the other.

    `runs` is the one that is marked as running.
    """
    luck = chart.luck
    if luck is None:
        return []
    rows = [
        [label(name, lang), *(cell(cycle, lang, paint) for cycle in luck.cycles)]
        for name, cell in _LUCK_CELLS
    ]
    rows[0][1:] = [
        marked(name, cycle is runs, lang) for name, cycle in zip(rows[0][1:], luck.cycles, strict=True)
    ]
    if lang == "en":
        return [list(row) for row in zip(*rows, *_date_rows(luck, chart.school.age_style, lang), strict=True)]
    voids = [label("void", lang), *(label("void", lang) if cycle.marks.void else "" for cycle in luck.cycles)]
    return [*rows, *([voids] if any(voids[1:]) else []), *_date_rows(luck, chart.school.age_style, lang)]


def _luck_stage(cycle: LuckCycle, lang: str, paint: Paint) -> str:
    stage = term(cycle.marks.stage.value, lang)
    return f"{stage}\n{label('void', lang).lower()}" if lang == "en" and cycle.marks.void else stage


_LUCK_CELLS: tuple[tuple[str, Callable[[LuckCycle, str, Paint], str]], ...] = (
    ("pillar", lambda cycle, lang, paint: pillar_name(cycle.pillar, lang, paint)),
    ("elements", lambda cycle, lang, paint: elements(cycle.pillar, lang, paint).replace(" ", "\n")),
    (
        "ten_god",
        lambda cycle, lang, paint: "\n".join(term(god, lang) for god in cycle.marks.ten_gods.values()),
    ),
    ("stage_day", _luck_stage),
)


def _date_rows(luck: Luck, age_style: str, lang: str) -> Rows:
    if luck.start is None:
        return []
    ages = [
        cycle.start_age_nominal if age_style == "nominal" else cycle.start_age_full for cycle in luck.cycles
    ]
    return [
        [label("start_year", lang), *(str(cycle.start_year) for cycle in luck.cycles)],
        [label(f"age_{age_style}", lang).replace(" ", "\n"), *map(str, ages)],
    ]


def legend(chart: ChartValue, lang: str, compact: bool = False) -> list[str]:
    """The canonical form of the names that the tables print without it; empty but in English."""
    if lang != "en":
        return []
    used = {god for column in chart.columns for god in column.hidden_gods}
    for cycle in chart.luck.cycles if chart.luck else ():
        used |= {cycle.marks.ten_god_stem, cycle.marks.ten_god_branch}
    gods = [f"{term(god.value, lang)} {god}" for god in sorted(used, key=lambda god: god.index)]
    stars = dict.fromkeys(star.name for star in chart.stars) if not compact else {}
    names = [*gods, *(f"{term(name, lang, 'star')} {name}" for name in stars)]
    return [titled(label("in_chinese", lang), names[0], lang), *names[1:]] if names else []


def age_legend(chart: ChartValue, lang: str) -> list[str]:
    """The explanation of the ages below the ten 大运; empty where they have none."""
    dated = chart.luck is not None and chart.luck.start is not None
    return [label(f"age_legend.{chart.school.age_style}", lang)] if dated else []
