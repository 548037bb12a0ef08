"""The tables of `bazi luck`: cycles, minor luck and flow pillars, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_cli.grids import drawn, headed
from bazi_cli.output import columns
from bazi_core.render import sheet
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.notes import notes
from bazi_core.render.phrases import elements, pillar_name, plain, reading
from bazi_core.render.text import bold, painted
from bazi_core.render.width import fold, pack
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.chart import Chart
    from bazi_core.luck.decades import FlowMarks, LuckCycle
    from bazi_core.luck.flows import Flow
    from bazi_core.render.phrases import Paint


def heading(chart: Chart, form: str, lang: str) -> str:
    """Whose luck, in which direction, from when."""
    line = sheet.luck_line(chart, lang)
    body = [line] if form == "md" else fold(line, min(columns(), 80), "  ")
    return headed(form, f"{sheet.title(chart, lang)}  {chart.pillars}") + "\n".join(body) + "\n"


def cycles(chart: Chart, form: str, lang: str, colour: bool) -> str:
    """The ten 大运 with the dates on which they begin."""
    assert chart.luck is not None
    paint = painted if colour else plain
    dated = chart.luck.start is not None
    head = [*_mark_heads(lang), *((label("from", lang), *_ages(lang)) if dated else ())]
    rows = [_cycle(cycle, lang, paint) for cycle in chart.luck.cycles]
    return headed(form, bold(label("luck", lang), colour), 2) + drawn(form, [head, *rows])


def _ages(lang: str) -> tuple[str, str]:
    return label("age_full", lang).replace(" ", "\n"), label("age_nominal_head", lang).replace(" ", "\n")


def _cycle(cycle: LuckCycle, lang: str, paint: Paint) -> list[str]:
    cells = _marks(cycle.pillar, cycle.marks, lang, paint)
    if cycle.start_at is None:
        return cells
    return [*cells, f"{cycle.start_at.date()}", str(cycle.start_age_full), str(cycle.start_age_nominal)]


def _mark_heads(lang: str) -> list[str]:
    return [label(name, lang) for name in ("pillar", "elements", "ten_god", "stage_day")]


def _marks(pillar: Pillar, marks: FlowMarks, lang: str, paint: Paint = plain) -> list[str]:
    """The cells that every luck and flow pillar has; pinyin is left to the chart, the dates need the room."""
    gods = (marks.ten_god_stem.value, marks.ten_god_branch.value)
    void = label("void") if marks.void else ""
    if lang == "en":
        stage = f"{marks.stage} {term(marks.stage.value, lang)}" + (f"\n{void}" if void else "")
        return [pillar_name(pillar, "zh-Hans", paint), elements(pillar, lang, paint), " ".join(gods), stage]
    shown = " ".join(term(god, lang) for god in gods)
    stage = f"{term(marks.stage.value, lang)} {void}".rstrip()
    return [pillar_name(pillar, lang, paint), elements(pillar, lang, paint), shown, stage]


def minor(chart: Chart, form: str, lang: str) -> str:
    """小运 of the years before the first 大运."""
    assert chart.luck is not None
    if not chart.luck.xiaoyun:
        return ""
    items = [
        f"{each.age_nominal} {each.year or ''} {each.pillar}".replace("  ", " ")
        for each in chart.luck.xiaoyun
    ]
    title = f"{label('xiaoyun', lang)}  ({label('age_nominal', lang)})"
    lines = [", ".join(items)] if form == "md" else pack(items, min(columns(), 80), "   ")
    return headed(form, title, 2) + "\n".join(lines) + "\n"


def flows(chart: Chart, kind: str, found: tuple[Flow, ...], form: str, lang: str) -> str:
    """The flow pillars of a kind, each with when it begins."""
    born = chart.birth.civil.year if kind == "liunian" and chart.birth else None
    names = [
        f"flow_{kind}" if born or kind != "liunian" else "flow_year",
        "pillar",
        "ten_god",
        "stage_day",
        "from",
    ]
    rows = [[label(name, lang) for name in names]]
    for flow in found:
        # Elements and glosses stand in the table of the 大运; here the instants need still more room.
        pillar, _, *marks = _marks(flow.pillar, flow.marks, "zh-Hans" if lang == "en" else lang)
        rows.append([_name(flow, born, lang), pillar, *marks, _when(chart, flow)])
    return headed(form, label(kind, lang), 2) + drawn(form, rows)


def _name(flow: Flow, born: int | None, lang: str) -> str:
    if flow.jie is not None:
        return term(flow.jie.value, lang) if lang != "en" else flow.jie.value
    return f"{flow.label} {int(flow.label) - born + 1}" if born else flow.label.replace("–", "-")


def _when(chart: Chart, flow: Flow) -> str:
    if flow.kind in ("liuri", "liushi"):
        return reading(flow.start.isoformat())[:16]
    return on_local_clock(chart, flow.start)


def warnings(chart: Chart, form: str, lang: str, left_out: tuple[str, ...] = ()) -> str:
    """The warnings of a chart but for those left out, numbered, with their alternatives."""
    found = [
        note
        for doubt, note in zip(chart.warnings, notes(chart, lang), strict=True)
        if doubt.code not in left_out
    ]
    if not found:
        return ""
    room = 10_000 if form == "md" else min(columns(), 80)
    lines = []
    for number, (first, *others) in enumerate(found, 1):
        lines += fold(f"{number}. {first}", room, "   ")
        for other in others:
            lines += fold(f"   {'- ' if form == 'md' else ''}{other}", room, "     ")
    return headed(form, label("warnings", lang), 2) + "\n".join(lines) + "\n"
