"""The text of values for `print`: that of the command of each, in a language."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from bazi_core.alphabet import Pillar
from bazi_core.luck.decades import Luck
from bazi_core.luck.transition import transition
from bazi_core.moment import SolarMoment
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.sensitivity import Sensitivity
from bazi_core.pillars import POSITIONS
from bazi_core.render import sheet
from bazi_core.render.meaning import beyond, conclusions, other_reading, two_meanings
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import joined, pillar_name, pillars_text, titled
from bazi_core.render.sensitivity_sheet import sensitivity_text
from bazi_core.render.text import COLUMNS, aligned, pairs
from bazi_core.render.width import fold, table
from bazi_core.render.windows import windows_text
from bazi_core.render.year_text import year_text
from bazi_core.render.years_text import years_text
from bazi_core.reverse.search import FoundWindows
from bazi_core.tables.words import label, term
from bazi_core.unknown_hour import UnknownHour
from bazi_core.year.result import YearResult
from bazi_core.year.span import YearsResult


@singledispatch
def text_of(value: Any, lang: str) -> str:
    """The text of a value, without a line end."""
    raise TypeError(f"nothing prints a {type(value).__name__}")


@text_of.register
def _(value: Luck, lang: str) -> str:
    line = joined([label(value.direction, lang), transition(value, lang)], lang)
    names = ["pillar", "ten_god", "stage_day", *(["start_year", "age_full"] if value.start else [])]
    rows = [[label(name, lang).replace(" ", "\n") for name in names]]
    for cycle in value.cycles:
        cells = [
            pillar_name(cycle.pillar, lang),
            ("\n" if lang == "en" else " ").join(term(god, lang) for god in cycle.marks.ten_gods.values()),
            term(cycle.marks.stage.value, lang),
        ]
        rows.append([*cells, *([str(cycle.start_year), str(cycle.start_age_full)] if value.start else [])])
    return "\n".join([*fold(line, COLUMNS, "  "), *table(rows, COLUMNS)])


@text_of.register
def _(value: PatternResult, lang: str) -> str:
    names = ("strength", "pattern", "useful")
    texts = conclusions(value, lang, all_roles=True)
    if not texts:
        return label("word.facts_only", lang)
    name = label("four_pillars", lang)
    whose = (name[:1].upper() + name[1:], pillars_text(value.chart.pillars, lang))
    judged = [(label(each, lang), text) for each, text in zip(names, texts, strict=True)]
    more = (*two_meanings(value, lang, even_alike=True), *beyond(value, lang))
    others = [(label(each, lang), text) for each, text in more]
    return "\n".join(pairs([whose, *judged, *other_reading(value, lang), *others], COLUMNS))


@text_of.register
def _(value: Sensitivity, lang: str) -> str:
    return sensitivity_text(value, lang).rstrip("\n")


@text_of.register
def _(value: YearResult, lang: str) -> str:
    return year_text(value, lang).rstrip("\n")


@text_of.register
def _(value: YearsResult, lang: str) -> str:
    return years_text(value, lang).rstrip("\n")


@text_of.register
def _(value: SolarMoment, lang: str) -> str:
    return "\n".join(aligned(sheet.moment_rows(value, lang), COLUMNS))


@text_of.register
def _(value: UnknownHour, lang: str) -> str:
    certain = {name: pillar for name, pillar in value.invariant.items() if pillar}
    varies = [name for name in POSITIONS if name not in certain]
    rows = [[label(name, lang) for name in ("civil", *varies)]]
    for candidate in value.candidates:
        ends, pillars = candidate.to_dict(), dict(candidate.pillars.items())
        cells = [pillar_name(pillars[name], lang) for name in varies]
        rows.append([clock_span(ends["from"], ends["to"]), *cells])
    head = f"{value.birth.civil.date()}  {label('hour_unknown', lang)}"
    words = [f"{label(name, lang)} {pillar_name(Pillar(pillar), lang)}" for name, pillar in certain.items()]
    known = [titled(label("certain", lang), joined(words, lang), lang)] if words else []
    return "\n".join([head, *known, *table(rows, COLUMNS)])


@text_of.register
def _(value: FoundWindows, lang: str) -> str:
    return windows_text(value, lang, COLUMNS, most=20).rstrip("\n")
