"""The two tables of a printed chart: the four columns 年 月 日 时 and the ten 大运.

Canonical terms stay Chinese; in English each stands beside its pinyin or gloss. The element of every stem and
branch is written out, so that colour is never the only sign of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.pillars import POSITIONS
from bazi_core.render.phrases import character, elements, pillar_name, plain
from bazi_core.render.width import fold
from bazi_core.tables.words import label, term
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.chart import Chart
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.render.phrases import Paint
    from bazi_core.views.columns import Column

    Rows = list[list[str]]

# Four columns of this width and their labels fill eighty.
_GLOSS_COLUMNS = 13


def pillar_rows(chart: Chart, lang: str, paint: Paint = plain, compact: bool = False) -> Rows:
    """The four columns, the head first, each row with its label; `compact` without 自坐 and 神煞."""
    columns = {column.position: column for column in chart.columns}
    rows = [["", *(_position(name, lang) for name in POSITIONS)]]
    for name, cell in _CELLS:
        if compact and name == "stage_self":
            continue
        cells = [cell(columns[at], lang, paint) if at in columns else "" for at in POSITIONS]
        rows.append([label(name, lang), *cells])
    if chart.stars and not compact:
        rows.append([label("stars", lang), *("\n".join(_stars(chart, at, lang)) for at in POSITIONS)])
    if "hour" not in columns:
        for row in rows[2:4]:
            row[4] = label("unknown", lang)
    return rows


def _position(name: str, lang: str) -> str:
    return f"{label(name, lang)} {label(name)}" if lang == "en" else label(name, lang)


def _ten_god(column: Column, lang: str, paint: Paint) -> str:
    if column.ten_god is not None:
        return _with_gloss(column.ten_god.value, lang)
    day_master = label("day_master", lang)
    return f"{label('day_master')}\n{day_master}" if lang == "en" else day_master


def _stem(column: Column, lang: str, paint: Paint) -> str:
    return character(column.pillar.stem, lang, paint)


def _branch(column: Column, lang: str, paint: Paint) -> str:
    return character(column.pillar.branch, lang, paint)


def _hidden(column: Column, lang: str, paint: Paint) -> str:
    lines = []
    for hidden, god in zip(column.hidden, column.hidden_gods, strict=True):
        element = hidden.stem.element
        gap = " " if lang == "en" else ""
        stem = paint(f"{hidden.stem}{gap}{term(element.value, lang)}", element)
        # In English the canonical ten god alone: the legend below the table has its gloss.
        lines.append(f"{stem} {god if lang == 'en' else term(god.value, lang)}")
    return "\n".join(lines)


def _stage_day(column: Column, lang: str, paint: Paint) -> str:
    return _with_gloss(column.stage_day_master.value, lang)


def _stage_self(column: Column, lang: str, paint: Paint) -> str:
    return _with_gloss(column.stage_self.value, lang)


def _nayin(column: Column, lang: str, paint: Paint) -> str:
    return _with_gloss(column.nayin, lang)


def _void(column: Column, lang: str, paint: Paint) -> str:
    branches = "".join(branch.value for branch in void_branches(column.pillar))
    return f"{branches}\n{label('void_here', lang)}" if column.void else branches


def _stars(chart: Chart, position: str, lang: str) -> list[str]:
    """The stars of a pillar, one a line; in English by their canonical names, which fit the column."""
    names = [star.name for star in chart.stars if position in star.positions]
    return names if lang == "en" else [term(name, lang) for name in names]


def _with_gloss(hanzi: str, lang: str) -> str:
    return (
        "\n".join(fold(f"{hanzi} {term(hanzi, lang)}", _GLOSS_COLUMNS)) if lang == "en" else term(hanzi, lang)
    )


_CELLS: tuple[tuple[str, Callable[[Column, str, Paint], str]], ...] = (
    ("ten_god", _ten_god),
    ("stem", _stem),
    ("branch", _branch),
    ("hidden", _hidden),
    ("stage_day", _stage_day),
    ("stage_self", _stage_self),
    ("nayin", _nayin),
    ("void", _void),
)


def luck_rows(chart: Chart, lang: str, paint: Paint = plain) -> Rows:
    """The ten 大运 side by side, as charts print them; in English, where words are long, one below the other."""
    luck = chart.luck
    if luck is None:
        return []
    rows = [
        [label(name, lang), *(cell(cycle, lang, paint) for cycle in luck.cycles)]
        for name, cell in _LUCK_CELLS
    ]
    if lang == "en":
        return _transposed([*rows, *_date_rows(luck, chart.school.age_style, lang)])
    voids = [label("void", lang), *(label("void", lang) if cycle.marks.void else "" for cycle in luck.cycles)]
    return [*rows, *([voids] if any(voids[1:]) else []), *_date_rows(luck, chart.school.age_style, lang)]


def _transposed(rows: Rows) -> Rows:
    return [list(row) for row in zip(*rows, strict=True)]


def _luck_pillar(cycle: LuckCycle, lang: str, paint: Paint) -> str:
    return pillar_name(cycle.pillar, lang, paint)


def _luck_elements(cycle: LuckCycle, lang: str, paint: Paint) -> str:
    return elements(cycle.pillar, lang, paint)


def _luck_gods(cycle: LuckCycle, lang: str, paint: Paint) -> str:
    gods = [cycle.marks.ten_god_stem.value, cycle.marks.ten_god_branch.value]
    return " ".join(gods) if lang == "en" else "\n".join(term(god, lang) for god in gods)


def _luck_stage(cycle: LuckCycle, lang: str, paint: Paint) -> str:
    stage = cycle.marks.stage.value
    if lang != "en":
        return term(stage, lang)
    return f"{stage} {term(stage, lang)}" + (f" {label('void')}" if cycle.marks.void else "")


_LUCK_CELLS: tuple[tuple[str, Callable[[LuckCycle, str, Paint], str]], ...] = (
    ("pillar", _luck_pillar),
    ("elements", _luck_elements),
    ("ten_god", _luck_gods),
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


def legend(chart: Chart, lang: str) -> list[str]:
    """The glosses of the ten gods that stand in the tables without one; only English needs it."""
    if lang != "en":
        return []
    used = {god for column in chart.columns for god in column.hidden_gods}
    for cycle in chart.luck.cycles if chart.luck else ():
        used |= {cycle.marks.ten_god_stem, cycle.marks.ten_god_branch}
    return [f"{god} {term(god.value, lang)}" for god in sorted(used, key=lambda god: god.index)]
