"""`bazi year`: one 流年 before a chart, with its events, scores and months."""

from __future__ import annotations

import sys
from datetime import UTC
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import now as clock
from bazi_cli import output
from bazi_cli.grids import headed
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import ChartRequest, asked_chart
from bazi_core.render.phrases import titled
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.year.result import YearResult


@click.command("year", cls=Command)
@click.argument("when", nargs=-1, type=TEXT)
@options(*PLACE, *BIRTH, "pillars", "target")
@formats("text", "json", "md", "svg")
@options(*OUTPUT, "explain", "compact", "theme", "strict", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """The 流年 of a birth: events, scores, months; it needs --gender."""
    asked = asked_chart(ctx, " ".join(when) if when else None)
    lang, target = language(given["lang"]), given["target"]
    year = asked.chart.year(present(asked.chart) if target is None else target)
    said = list(_assumed(asked, None if target is not None else year, lang))
    if not output.says_itself(given):
        for line in said:
            output.note(line)
    output.emit(_written(year, said, given, lang), given["output"])
    warnings = len(asked.chart.warnings) + len(year.pattern.warnings) + len(year.warnings)
    return output.strict_status(given["strict"], warnings, lang)


def present(chart: ChartValue) -> int:
    """The 流年 that runs now, by the School's own beginning of the year."""
    at = clock.now().astimezone(UTC).replace(tzinfo=None)
    return at.year - (at < chart.flow_year(at.year).start)


def _assumed(asked: ChartRequest, year: YearResult | None, lang: str) -> list[str]:
    """Lines of assumed values: a birth now, the current year."""
    lines = [titled(label("now", lang), asked.now, lang)] if asked.now else []
    if year is not None:
        lines.append(titled(label("now_year", lang), f"{year.target_year} {year.pillar}", lang))
    return lines


def _written(year: YearResult, said: list[str], given: dict[str, Any], lang: str) -> str:
    why = given["explain"]
    if given["format"] == "json":
        return _as_json(year, why, given)
    from bazi_core.render import year_text

    if why is not None:
        name = why or f"yr.{year.target_year}.score.overall"
        return year_text.explain_year(year, name, lang) + "\n"
    if given["format"] == "svg":
        return year.svg(lang, given["theme"] or "light", clock.now()) + "\n"
    if given["format"] == "md":
        return "".join(headed("md", line, 6) for line in said) + year_text.year_markdown(year, lang)
    colour = output.has_colour(sys.stdout, given["output"])
    body = year_text.year_text(year, lang, colour, columns=output.columns(), compact=given["compact"])
    return "".join(f"{line}\n" for line in said) + body


def _as_json(year: YearResult, why: str | None, given: dict[str, Any]) -> str:
    # The object does not depend on the locale: it has a language only if one is given.
    if why is not None:
        facts = year.basis(why) if why else year.facts.values()
        return output.as_json([fact.to_dict() for fact in facts])
    return output.as_json(year.to_dict(facts=not given["compact"], lang=given["lang"] or "zh-Hans"))
