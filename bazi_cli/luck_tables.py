"""The tables of `bazi luck`: cycles, minor luck and flow pillars, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_cli.grids import drawn, headed
from bazi_cli.output import columns, measure
from bazi_core.luck.years import Age
from bazi_core.render import luck_sheet, sheet
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.markdown import bullets
from bazi_core.render.notes import notes
from bazi_core.render.phrases import (
    bracketed,
    elements,
    joined,
    marked,
    pillar_name,
    pillars_text,
    plain,
    reading,
    titled,
)
from bazi_core.render.text import aligned, bold, painted
from bazi_core.render.width import fold, pack
from bazi_core.school import OPTIONS
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Pillar
    from bazi_core.face import Chart
    from bazi_core.luck.decades import FlowMarks, LuckCycle
    from bazi_core.luck.flows import Flow
    from bazi_core.luck.running import Running
    from bazi_core.luck.years import LuckYear
    from bazi_core.render.phrases import Paint


AGE_STYLES = OPTIONS["age_style"]


def heading(chart: Chart, now: Running, form: str, lang: str) -> str:
    """Title, direction and start of the luck, and the current 大运."""
    lines = [sheet.luck_line(chart, lang), luck_sheet.running_line(chart, now, lang)]
    whose = f"{sheet.title(chart, lang)}  {chart.pillars}"
    if lang == "en":
        # The pillars with their names are too long for a heading.
        whose = sheet.title(chart, lang)
        lines.insert(
            0, titled(label("four_pillars", lang).capitalize(), pillars_text(chart.pillars, lang), lang)
        )
    if form == "md":
        body = ["\n\n".join(lines)]
    else:
        body = [each for line in lines for each in fold(line, measure(), "  ")]
    return headed(form, whose) + "\n".join(body) + "\n"


def cycles(chart: Chart, now: Running, form: str, lang: str, colour: bool) -> str:
    """The ten 大运 with the dates on which they begin; the one that runs is marked."""
    assert chart.luck is not None
    paint = painted if colour else plain
    dated = chart.luck.start is not None
    head = [*_mark_heads(lang), *((label("from", lang), *_ages(lang)) if dated else ())]
    rows = [_cycle(cycle, lang, paint, cycle is now.cycle) for cycle in chart.luck.cycles]
    ages = (" " if lang == "en" else "").join(label(f"age_legend.{style}", lang) for style in AGE_STYLES)
    legend = "\n".join(fold(ages, 10_000 if form == "md" else measure()))
    note = ("\n" if form == "md" else "") + legend + "\n" if dated else ""
    table = drawn(form, [head, *rows])
    if lang != "en" and table.count("┌") > 1:
        # The elements, which the pillars say already, make room on a narrow display.
        table = drawn(form, [[first, *others] for first, _, *others in (head, *rows)])
    return headed(form, bold(label("luck", lang), colour), 2) + table + note


def _ages(lang: str) -> tuple[str, str]:
    full, nominal = (label(f"age_{style}", lang).replace(" ", "\n") for style in AGE_STYLES)
    return full, nominal


def _cycle(cycle: LuckCycle, lang: str, paint: Paint, runs: bool) -> list[str]:
    _, *others = _marks(cycle.pillar, cycle.marks, lang, paint)
    cells = [marked(luck_sheet.stacked(cycle.pillar, lang, paint), runs, lang), *others]
    if cycle.start_at is None:
        return cells
    return [*cells, f"{cycle.start_at.date()}", str(cycle.start_age_full), str(cycle.start_age_nominal)]


def _mark_heads(lang: str) -> list[str]:
    names = (
        ("pillar", "ten_god", "stage_day") if lang == "en" else ("pillar", "elements", "ten_god", "stage_day")
    )
    return [label(name, lang) for name in names]


def _marks(pillar: Pillar, marks: FlowMarks, lang: str, paint: Paint = plain) -> list[str]:
    """The cells that every luck and flow pillar has; in English its elements are in its name."""
    gods = [term(god.value, lang) for god in (marks.ten_god_stem, marks.ten_god_branch)]
    stage, void = term(marks.stage.value, lang), label("void", lang) if marks.void else ""
    if lang == "en":
        return [pillar_name(pillar, lang, paint), "\n".join(gods), f"{stage}\n{void.lower()}".rstrip()]
    return [
        pillar_name(pillar, lang, paint),
        elements(pillar, lang, paint),
        " ".join(gods),
        f"{stage} {void}".rstrip(),
    ]


def met(chart: Chart, form: str, lang: str) -> str:
    """The relations and 神煞 that each 大运 meets in the chart."""
    rows = luck_sheet.met_rows(chart, lang)
    if not rows:
        return ""
    legend = luck_sheet.met_legend(chart, lang)
    if form == "md":
        lines = [
            *bullets([(name, words) for name, words in rows]),
            *(["", ", ".join(legend)] if legend else []),
        ]
    else:
        room = measure()
        lines = [*aligned(rows, room), *(pack(legend, room, ", ", "  ") if legend else [])]
    return headed(form, label("met", lang), 2) + "\n".join(lines) + "\n"


def years(
    chart: Chart, luck_years: tuple[LuckYear, ...], now: Running, form: str, lang: str, colour: bool
) -> Iterator[str]:
    """The 流年 under each 大运."""
    paint, room = painted if colour else plain, 10_000 if form == "md" else columns()
    for name, group in luck_sheet.years_by_cycle(chart, luck_years, lang):
        rows = luck_sheet.year_rows(group, lang, room, paint, now.year)
        title = "\n".join(bold(line, colour) for line in fold(name, room, "  "))
        yield headed(form, title, 3) + drawn(form, rows)


def years_met(luck_years: tuple[LuckYear, ...], form: str, lang: str) -> str:
    """小运 and 神煞 of single 流年."""
    rows = [[f"{year.year}", words] for year in luck_years if (words := luck_sheet.year_words(year, lang))]
    if not rows:
        return ""
    lines = bullets([(name, words) for name, words in rows]) if form == "md" else aligned(rows, measure())
    return headed(form, label("met_years", lang), 2) + "\n".join(lines) + "\n"


def minor(chart: Chart, form: str, lang: str) -> str:
    """小运 of the years before the first 大运."""
    assert chart.luck is not None
    if not chart.luck.xiaoyun:
        return ""
    items = [
        f"{each.age_nominal} {each.year or ''} {pillar_name(each.pillar, lang)}".replace("  ", " ")
        for each in chart.luck.xiaoyun
    ]
    title = bracketed(label("xiaoyun", lang), label("age_nominal", lang).lower(), lang)
    lines = [joined(items, lang)] if form == "md" else pack(items, measure(), "   ")
    return headed(form, title, 2) + "\n".join(lines) + "\n"


# A term in English takes two lines beside an instant.
_TERM_ROOM = 10


def flows(chart: Chart, kind: str, flow_pillars: tuple[Flow, ...], form: str, lang: str) -> str:
    """The flow pillars of a kind, each with when it begins."""
    born = chart.birth.civil.year if kind == "liunian" and chart.birth else None
    names = [
        f"flow_{kind}" if born or kind != "liunian" else "flow_year",
        "pillar",
        "ten_god",
        "stage_day",
        "from",
    ]
    head = [label(name, lang) for name in names]
    rows = [[head[0].replace(" ", "\n") if lang == "en" else head[0], *head[1:]]]
    for flow in flow_pillars:
        # Elements stand in the table of the 大运; here the instants need the room.
        *_, gods, stage = _marks(flow.pillar, flow.marks, lang)
        when = _when(chart, flow)
        if lang == "en":
            when = when.replace(" ", "\n", 1)
        rows.append([_name(flow, born, lang), luck_sheet.stacked(flow.pillar, lang), gods, stage, when])
    return headed(form, label(kind, lang), 2) + drawn(form, rows)


def _name(flow: Flow, born: int | None, lang: str) -> str:
    if flow.jie is not None:
        name = term(flow.jie.value, lang)
        return "\n".join(pack([*name.split(), flow.jie.value], _TERM_ROOM, " ")) if lang == "en" else name
    if born is None:
        return flow.label.replace("–", "-")
    ages = Age.in_year(int(flow.label), born)
    return (
        f"{flow.label}\n{ages.full} / {ages.nominal}"
        if lang == "en"
        else f"{flow.label} {ages.full} {ages.nominal}"
    )


def _when(chart: Chart, flow: Flow) -> str:
    if flow.kind in ("liuri", "liushi"):
        return reading(flow.start.isoformat())[:16]
    return on_local_clock(chart, flow.start)


def warnings(chart: Chart, form: str, lang: str, left_out: tuple[str, ...] = ()) -> str:
    """The warnings of a chart but for those left out, numbered, with their alternatives."""
    texts = [
        note
        for doubt, note in zip(chart.warnings, notes(chart, lang), strict=True)
        if doubt.code not in left_out
    ]
    if not texts:
        return ""
    room = 10_000 if form == "md" else measure()
    lines = []
    for number, (first, *others) in enumerate(texts, 1):
        lines += fold(f"{number}. {first}", room, "   ")
        for other in others:
            lines += fold(f"   {'- ' if form == 'md' else ''}{other}", room, "     ")
    return headed(form, label("warnings", lang), 2) + "\n".join(lines) + "\n"
