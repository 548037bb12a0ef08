"""The sensitivity of a chart as text or Markdown: parts that hold, parts that may change, and a row for each choice."""

from __future__ import annotations

from bazi_core.alphabet import Pillar, Stem
from bazi_core.pattern.sensitivity import PARTS, TIME, Other, Sensitivity, SensitivityRow
from bazi_core.pillars import POSITIONS
from bazi_core.render.markdown import bullets, pipe_table
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import character, joined, pillar_name, pillars_text, titled
from bazi_core.render.text import COLUMNS, NARROWEST, WIDEST, pairs
from bazi_core.render.width import fold, table, width
from bazi_core.tables.words import label, term

_FRAME, _LEAST = 10, 20  # columns of the frame around three cells, and the fewest for the last


def sensitivity_text(sensitivity: Sensitivity, lang: str = "zh-Hans", columns: int = COLUMNS) -> str:
    """The table for a terminal of `columns` (40 to 120).

    >>> import bazi_core as bz
    >>> found = bz.chart(pillars="庚午 辛巳 庚辰 壬午").sensitivity()
    >>> print(sensitivity_text(found).splitlines()[2])
    会变    旺衰 身强 / 身弱，用神 水火 / 土金
    """
    columns = max(NARROWEST, min(columns, WIDEST))
    head = [*fold(_title(sensitivity, lang), columns, "  "), *pairs(_summary(sensitivity, lang), columns)]
    return "\n".join([*head, *table(_folded(_rows(sensitivity, lang), columns), columns)]) + "\n"


def sensitivity_markdown(sensitivity: Sensitivity, lang: str = "zh-Hans") -> str:
    """The table as Markdown."""
    blocks = [
        [f"# {_title(sensitivity, lang)}"],
        bullets(_summary(sensitivity, lang)),
        pipe_table(_rows(sensitivity, lang)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _title(sensitivity: Sensitivity, lang: str) -> str:
    return f"{label('sensitivity', lang)}  {pillars_text(sensitivity.taken.pillars, lang)}"


def _summary(sensitivity: Sensitivity, lang: str) -> list[tuple[str, str]]:
    """(label, value) rows of the parts that hold, and of those that may change with their values."""
    parts_by_name: dict[str, list[str]] = {"holds": [], "may_change": []}
    for part, values in sensitivity.values.items():
        known = [_value(part, value, lang) for value in values if value is not None]
        if known:
            parts_by_name["holds" if sensitivity.survives[part] else "may_change"].append(
                f"{label(part, lang)} {' / '.join(known)}"
            )
    return [
        (label(name, lang), joined(parts, lang) or label("none_such", lang))
        for name, parts in parts_by_name.items()
    ]


def _rows(sensitivity: Sensitivity, lang: str) -> list[list[str]]:
    head = [label(name, lang) for name in ("choice", "this_chart", "else_taken")]
    return [
        head,
        *([label(f"choice.{row.choice}", lang), *_cells(sensitivity, row, lang)] for row in sensitivity.rows),
    ]


def _folded(rows: list[list[str]], columns: int) -> list[list[str]]:
    """The rows, their last cells folded to fit beside the others if there is room."""
    room = columns - sum(max(width(row[at]) for row in rows) for at in (0, 1)) - _FRAME
    if room < _LEAST:
        return rows
    return [
        [*cells, "\n".join(line for part in last.split("\n") for line in fold(part, room, "  "))]
        for *cells, last in rows
    ]


def _cells(sensitivity: Sensitivity, row: SensitivityRow, lang: str) -> tuple[str, str]:
    """The value taken by the chart, and every other value with its changes, a line each."""
    if row.choice != TIME:
        taken = label(f"value.{row.choice}.{row.taken}", lang)
        # Only the clocks may have no other value: those of the Sun need a longitude.
        return taken, "\n".join(_of_values(row, lang)) or label("no_longitude", lang)
    taken = row.taken
    if sensitivity.chart.day is None:
        taken = label("either_way", lang, clock=taken[11:16], minutes=sensitivity.minutes)
    return taken, "\n".join(_of_time(each, lang) for each in row.others) or label("unchanged", lang)


def _of_values(row: SensitivityRow, lang: str) -> list[str]:
    """Lines of values grouped by their changes; a single line if no value changes anything."""
    if row.others and not row.changes:
        return [label("unchanged", lang)]
    names: dict[str, list[str]] = {}
    for each in row.others:
        names.setdefault(_changed(each, lang), []).append(label(f"value.{row.choice}.{each.value}", lang))
    mark = "; " if lang == "en" else "；"
    return [titled(mark.join(values), changed, lang) for changed, values in names.items()]


def _of_time(other: Other, lang: str) -> str:
    ends = other.to_dict()
    return titled(clock_span(ends["from"], ends["to"]), _changed(other, lang), lang)


def _changed(other: Other, lang: str) -> str:
    """`时柱 癸未，旺衰 身弱`, or the words for no change."""
    changes = [
        f"{label(part, lang)} {_value(part, other.outcome.of(part), lang)}"
        for part in PARTS
        if part in other.changes
    ]
    return joined(changes, lang) or label("unchanged", lang)


def _value(part: str, value: str | None, lang: str) -> str:
    """A part in words."""
    if value is None:
        return label("unknown", lang)
    if part in POSITIONS:
        return pillar_name(Pillar(value), lang)
    if part == "siling":
        return character(Stem(value), lang)
    if part == "useful":
        names = [term(each, lang) for each in value]
        return (", " if lang == "en" else "").join(names)
    return term(value, lang)
