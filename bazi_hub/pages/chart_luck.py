"""The luck of a chart as its page unfolds it: the decades, the place on them where one is now, and their years."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from bazi_core.alphabet import PILLARS, Element, Pillar, Stem
from bazi_core.face import Chart
from bazi_core.luck.decades import LuckCycle
from bazi_core.luck.running import Running
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.useful import ROLES
from bazi_core.render import luck_sheet, sheet
from bazi_core.render.phrases import joined, pillar_name
from bazi_core.tables.words import label, term
from bazi_core.views.ten_gods import ten_god
from bazi_hub.pages.address import OpenChart
from bazi_hub.pages.chart_strength import ElementMark, element_mark
from bazi_hub.pages.texts import text
from bazi_hub.tools.births import YEARS


class YearCell(NamedTuple):
    """A year of a decade; `age` tells the nominal age in it."""

    year: int
    pillar: str
    god: str
    age: str
    now: bool


class Decade(NamedTuple):
    """A 大运 and its ten years. `marks` are the elements of its stem and branch."""

    pillar: str
    name: str
    marks: list[ElementMark]
    god: str
    gods: str
    stage: str
    fact: str
    year: int | None = None
    age: int | None = None
    span: str = ""
    roles: str = ""
    now: bool = False
    years: Sequence[YearCell] = ()


class LuckView(NamedTuple):
    """`picked` is the decade that stands open, the running one or the first."""

    lines: list[str]
    decades: list[Decade]
    picked: int


def luck_view(
    chart: Chart, result: PatternResult, running: Running, now: datetime, lang: str, known: OpenChart | None
) -> LuckView | None:
    """The ten decades of a chart; None where nothing says which way they run."""
    luck = chart.luck
    if luck is None:
        return None
    since = known.since if known else None
    here = running.cycle.index if running.cycle else None
    if since is not None:
        passed = (now.year - since[0]) * 12 + now.month - since[1]
        here = passed // 120 if 0 <= passed < 1200 else None
    roles = [_roles(each, lang) for each in (result, *result.alternatives)]
    gods = {stem: term(ten_god(chart.day_master, stem).value, lang) for stem in Stem}
    starts, decades = luck.starts, []
    for cycle in luck.cycles:
        first, born = _beginning(chart, cycle, known)
        age = first - born if since is not None and first is not None and born is not None else None
        decades.append(
            _decade(cycle, lang)._replace(
                year=first,
                age=cycle.start_age_full if age is None else age,
                span=_span(starts, cycle.index),
                roles=_roles_of(cycle.pillar, roles, lang),
                now=cycle.index == here,
                years=_years(first, born, gods, running.year, lang),
            )
        )
    return LuckView(_luck_lines(chart, running, lang, known), decades, here or 0)


def _beginning(chart: Chart, cycle: LuckCycle, known: OpenChart | None) -> tuple[int | None, int | None]:
    """The first year of a decade and the year of birth, as far as they are known."""
    if known is None:
        return cycle.start_year, chart.birth.civil.year if chart.birth else None
    if known.since is None or known.born is None:
        return cycle.start_year, known.born
    return known.since[0] + 10 * cycle.index, known.born


def _decade(cycle: LuckCycle, lang: str) -> Decade:
    """What is said of a decade in every chart that has it, its place in time left open."""
    marks = cycle.marks
    gods = [term(god.value, lang) for god in (marks.ten_god_stem, marks.ten_god_branch)]
    stage = [term(marks.stage.value, lang), *([label("void", lang)] if marks.void else [])]
    signs = (cycle.pillar.stem, cycle.pillar.branch)
    return Decade(
        cycle.pillar.value,
        pillar_name(cycle.pillar, lang),
        [element_mark(sign.element, lang) for sign in signs],
        gods[0],
        joined(gods, lang),
        joined(stage, lang),
        f"dy.{cycle.index + 1}",
    )


def _years(
    first: int | None, born: int | None, gods: dict[Stem, str], this_year: int, lang: str
) -> list[YearCell]:
    """The ten years of a decade; none where it is not known when it begins."""
    if first is None or born is None:
        return []
    return [
        YearCell(
            year,
            pillar.value,
            gods[pillar.stem],
            text("chart.luck.nominal", lang, age=year - born + 1),
            year == this_year,
        )
        for year in range(first, min(first + 10, YEARS[1] + 1))
        for pillar in (PILLARS[(year - 4) % 60],)
    ]


def _luck_lines(chart: Chart, running: Running, lang: str, known: OpenChart | None) -> list[str]:
    if known is not None:
        assert chart.luck is not None
        line = [label(chart.luck.direction, lang)]
        if known.since is not None:
            line.append(text("chart.luck.since", lang, month="{}-{:02}".format(*known.since)))
        return [joined(line, lang)]
    return [sheet.luck_line(chart, lang, keys=False), luck_sheet.running_line(chart, running, lang)]


def _span(starts: Sequence[datetime], at: int) -> str:
    return f"{starts[at].date()} – {starts[at + 1].date()}" if starts else ""


def _roles(result: PatternResult, lang: str) -> tuple[str, dict[Element, str]]:
    """The verdict, if there are two, and the role of each element under it."""
    if result.strength is None:
        return "", {}
    head = label(f"if.{result.strength.verdict}", lang) if result.is_open else ""
    return head, {element: term(role, lang) for role, element in zip(ROLES, result.useful.order, strict=True)}


def _roles_of(pillar: Pillar, readings: Iterable[tuple[str, dict[Element, str]]], lang: str) -> str:
    """What stem and branch of a luck pillar are to the chart, under every verdict."""
    told = []
    for head, roles in readings:
        if roles:
            parts = {
                part: f"{term(sign.element.value, lang)}{' ' if lang == 'en' else ''}{roles[sign.element]}"
                for part, sign in (("stem", pillar.stem), ("branch", pillar.branch))
            }
            told.append(text("chart.luck.if" if head else "chart.luck.roles", lang, head=head, **parts))
    return (". " if lang == "en" else "；").join(told)


__all__ = ["LuckView", "luck_view"]
