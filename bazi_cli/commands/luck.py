"""`bazi luck`: 大运 with dates and ages, and on request the 流年, 流月, 流日 and 流时."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import luck_tables, output
from bazi_cli.grids import headed
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import as_of, asked_chart, read_years
from bazi_core.errors import BirthRequired, OutOfRange
from bazi_core.render.phrases import titled
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from datetime import date

    from bazi_core.face import Chart
    from bazi_core.luck.decades import LuckCycle
    from bazi_core.luck.running import Running

_SHARED = ("schema_version", "engine_version", "input", "school", "four_pillars", "major_luck", "warnings")


@click.command("luck", cls=Command)
@click.argument("when", nargs=-1, type=TEXT)
@options(*PLACE, *BIRTH, "pillars", "years", "decade", "year", "date", "as_of")
@formats("text", "json", "md", "svg")
@options(*OUTPUT, "explain", "theme", "strict", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """Direction, start and the ten 大运 of a birth; it needs --gender."""
    text, years = read_years(" ".join(when) if when else None, given["years"])
    asked = asked_chart(ctx, text)
    chart, lang = asked.chart, language(given["lang"])
    if chart.luck is None:
        raise BirthRequired(Said("luck_gender"), hint=Said("gender_hint"), missing=["gender"])
    if asked.now and not output.says_itself(given):
        output.note(titled(label("now", lang), asked.now, lang))
    flows, now = _flows(chart, years, given), chart.running(as_of(given))
    if given["explain"] is not None:
        text = output.explained(given["explain"] or "dy.1", chart.facts, given["format"], lang)
    elif given["format"] == "json":
        text = _json(chart, flows, now, given["lang"] or "zh-Hans")
    elif given["format"] == "svg":
        part = "grid" if years else "luck"
        text = chart.svg(lang, given["theme"] or "light", part=part, as_of=as_of(given)) + "\n"
    else:
        text = _text(chart, flows, now, given["format"], lang, years is True)
        if asked.now:
            text = headed(given["format"], titled(label("now", lang), asked.now, lang), 6) + text
    output.emit(text, given["output"])
    return output.strict_status(given["strict"], len(chart.warnings), lang)


def _flows(chart: Chart, years: range | bool, given: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The flow pillars of the options, by kind; 流年 with ages, 小运 and the stars met."""
    flows: dict[str, tuple[Any, ...]] = {"liunian": (), "liuyue": (), "liuri": (), "liushi": ()}
    if not years and given["decade"] is not None:
        years = _years_of_cycle(chart, given["decade"])
    if years:
        flows["liunian"] = chart.luck_years(None if years is True else years)
    if given["year"] is not None:
        flows["liuyue"] = chart.flow_months(given["year"])
    if given["date"] is not None:
        day = _date(given["date"])
        flows |= {"liuri": chart.flow_days(day), "liushi": chart.flow_hours(day)}
    return flows


def _years_of_cycle(chart: Chart, target: int) -> range:
    """The years of the 大运 that runs in a year, or those before the first."""
    assert chart.luck is not None
    first = chart.luck.cycles[0]
    if first.start_year is None or first.start_age_nominal is None:
        raise BirthRequired(Said("luck_no_years"), hint=Said("luck_no_years_hint"), missing=["moment"])
    born, last = first.start_year - first.start_age_nominal + 1, first.start_year + 99
    if not born <= target <= last:
        raise OutOfRange(
            Said("outside_life", target=target, born=born, last=last),
            quantity="target",
            first=born,
            last=last,
            given=target,
        )
    if target < first.start_year:
        return range(born, first.start_year)
    start = target - (target - first.start_year) % 10
    return range(start, start + 10)


def _date(text: str) -> date:
    from bazi_core.when import gregorian, parse_date

    return gregorian(*parse_date(text.strip()))


def _json(chart: Chart, flows: dict[str, tuple[Any, ...]], now: Running, lang: str) -> str:
    base = chart.to_dict(facts=False, lang=lang)
    kinds = {kind: [flow.to_dict() for flow in found] for kind, found in flows.items()}
    beside = {"running": now.to_dict(), "cycles_met": [_met(chart, cycle) for cycle in _cycles(chart)]}
    return output.as_json({name: base[name] for name in _SHARED} | beside | kinds)


def _cycles(chart: Chart) -> tuple[LuckCycle, ...]:
    return chart.luck.cycles if chart.luck else ()


def _met(chart: Chart, cycle: LuckCycle) -> dict[str, Any]:
    """The relations and stars that a 大运 meets in the chart, JSON-ready."""
    from bazi_core.luck.meeting import meeting_dict

    stars = chart.stars_met(cycle.pillar)
    return {
        "index": cycle.index,
        "relations": [each.to_dict() for each in chart.relations_met(cycle.pillar)],
        "stars_met": [meeting_dict(star, f"dy.{cycle.index + 1}") for star in stars],
    }


def _text(
    chart: Chart, flows: dict[str, tuple[Any, ...]], now: Running, form: str, lang: str, by_cycle: bool
) -> str:
    colour = form == "text" and output.has_colour(sys.stdout)
    sections = [
        luck_tables.heading(chart, now, form, lang),
        luck_tables.cycles(chart, now, form, lang, colour),
        luck_tables.met(chart, form, lang),
        luck_tables.minor(chart, form, lang),
    ]
    for kind, found in flows.items():
        if kind == "liunian" and by_cycle:
            sections += luck_tables.years(chart, found, now, form, lang, colour)
        elif kind == "liunian" and found:
            sections.append(luck_tables.flows(chart, kind, tuple(each.flow for each in found), form, lang))
            sections.append(luck_tables.years_met(found, form, lang))
        elif found:
            sections.append(luck_tables.flows(chart, kind, found, form, lang))
    sections.append(luck_tables.warnings(chart, form, lang))
    return "\n".join(section for section in sections if section)
