"""`bazi luck`: 大运 with dates and ages, and on request the 流年, 流月, 流日 and 流时."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import luck_tables, output
from bazi_cli.grids import headed
from bazi_cli.language import language
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import asked_chart
from bazi_core.errors import BirthRequired, OutOfRange
from bazi_core.render.phrases import titled
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from datetime import date

    from bazi_core.chart import Chart
    from bazi_core.luck.flows import Flow

LONGEST_RANGE = 200
_SHARED = ("schema_version", "engine_version", "input", "school", "four_pillars", "major_luck", "warnings")


@click.command("luck", short_help="大运, and the 流年 流月 流日 流时 asked for.")
@click.argument("when", nargs=-1, type=TEXT)
@options(*PLACE, *BIRTH, "pillars", "years", "target", "year", "date")
@formats("text", "json", "md")
@options(*OUTPUT, "strict", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """Direction, start and the ten 大运 of a birth; it needs --gender."""
    asked = asked_chart(ctx, " ".join(when) if when else None)
    chart, lang = asked.chart, language(given["lang"])
    if chart.luck is None:
        raise BirthRequired(
            "luck runs by gender", hint="give --gender male or --gender female", missing=["gender"]
        )
    if asked.now and not output.says_itself(given):
        output.note(titled(label("now", lang), asked.now, lang))
    flows = _flows(chart, given)
    if given["format"] == "json":
        text = _json(chart, flows, given["lang"] or "zh-Hans")
    else:
        text = _text(chart, flows, given["format"], lang)
        if asked.now:
            text = headed(given["format"], titled(label("now", lang), asked.now, lang), 6) + text
    output.emit(text, given["output"])
    return output.strict_status(given["strict"], len(chart.warnings), lang)


def _flows(chart: Chart, given: dict[str, Any]) -> dict[str, tuple[Flow, ...]]:
    """The flow pillars that were asked for, by kind."""
    found: dict[str, tuple[Flow, ...]] = {"liunian": (), "liuyue": (), "liuri": (), "liushi": ()}
    if years := _years(chart, given["years"], given["target"]):
        found["liunian"] = tuple(chart.flow_year(year) for year in years)
    if given["year"] is not None:
        found["liuyue"] = chart.flow_months(given["year"])
    if given["date"] is not None:
        day = _date(given["date"])
        found |= {"liuri": chart.flow_days(day), "liushi": chart.flow_hours(day)}
    return found


def _years(chart: Chart, text: str | None, target: int | None) -> range:
    if text is not None:
        return _range(text)
    return _years_of_cycle(chart, target) if target is not None else range(0)


def _range(text: str) -> range:
    found = re.fullmatch(r"\s*(\d{4})\s*(?:[-–~:]\s*(\d{4}))?\s*", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if not 0 <= last - first < LONGEST_RANGE:
        raise click.BadParameter(
            f"{text[:40]!r}: write 2020-2030, at most {LONGEST_RANGE} years", param_hint="--years"
        )
    return range(first, last + 1)


def _years_of_cycle(chart: Chart, target: int) -> range:
    """The years of the 大运 that runs in a year, or those before the first."""
    assert chart.luck is not None
    first = chart.luck.cycles[0]
    if first.start_year is None or first.start_age_nominal is None:
        raise BirthRequired(
            "without the moment of birth no 大运 has years", hint="use --years", missing=["moment"]
        )
    born, last = first.start_year - first.start_age_nominal + 1, first.start_year + 99
    if not born <= target <= last:
        raise OutOfRange(
            f"year {target} is outside the life of this chart {born} … {last}",
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


def _json(chart: Chart, flows: dict[str, tuple[Flow, ...]], lang: str) -> str:
    base = chart.to_dict(facts=False, lang=lang)
    rows = {kind: [flow.to_dict() for flow in found] for kind, found in flows.items()}
    return output.as_json({name: base[name] for name in _SHARED} | rows)


def _text(chart: Chart, flows: dict[str, tuple[Flow, ...]], form: str, lang: str) -> str:
    colour = form == "text" and output.has_colour(sys.stdout)
    sections = [luck_tables.heading(chart, form, lang), luck_tables.cycles(chart, form, lang, colour)]
    sections += [luck_tables.minor(chart, form, lang)]
    for kind, found in flows.items():
        if found:
            sections.append(luck_tables.flows(chart, kind, found, form, lang))
    sections.append(luck_tables.warnings(chart, form, lang))
    return "\n".join(section for section in sections if section)
