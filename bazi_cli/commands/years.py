"""`bazi years`: the 流年 of a chart side by side, as text, JSON, Markdown or a drawing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.commands.year import present
from bazi_cli.grids import headed
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import BIRTH, DOMAINS, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.reader import note_fallback, port_of, wished, wrapped
from bazi_cli.request import ChartRequest, as_of, asked_chart
from bazi_core.errors import known
from bazi_core.render.phrases import titled
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.readings.result import NarratedReading
    from bazi_core.year.comparison import Comparison
    from bazi_core.year.span import YearsResult

_TEN = 10


@click.command("years", cls=Command)
@click.argument("when", nargs=-1, type=TEXT)
@options(
    *PLACE,
    *BIRTH,
    "pillars",
    "first",
    "last",
    "domain",
    "compare",
    "question",
    "as_of",
    "tone",
    "length",
    "no_plain",
    "reader",
    "on_failure",
)
@formats("text", "json", "md", "svg")
@options(*OUTPUT, "explain", "compact", "facts", "theme", "strict", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """Years side by side; they need --gender."""
    asked = asked_chart(ctx, " ".join(when) if when else None)
    lang, chart = language(given["lang"]), asked.chart
    first = present(chart) if given["first"] is None else given["first"]
    span = chart.years(first, first + _TEN - 1 if given["last"] is None else given["last"])
    comparison, reading = _comparison(span, given), _answer(span, given, lang)
    said = _assumed(asked, span if given["first"] is None else None, lang)
    written = _written(span, comparison, reading, said, given, lang)
    if not output.says_itself(given):
        for line in said:
            output.note(line)
    output.emit(written, given["output"])
    warnings = len(chart.warnings) + len(span.pattern.warnings) + len(span.warnings)
    return output.strict_status(given["strict"], warnings, lang)


def _comparison(span: YearsResult, given: dict[str, Any]) -> Comparison | None:
    """The years of `--compare`, by the score of `--domain`."""
    if given["domain"] is not None:
        known("domain", given["domain"], DOMAINS)
    if given["compare"] is None:
        return None
    parts = [part.strip() for part in given["compare"].replace("，", ",").split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise click.BadParameter(Said("write_compare"), param_hint="--compare")
    return span.compare(given["domain"] or DOMAINS[0], [int(part) for part in parts])


def _answer(span: YearsResult, given: dict[str, Any], lang: str) -> NarratedReading | None:
    """The answer to `--question`, short by default."""
    if given["question"] is None:
        return None
    from bazi_core.readings.final import read_years

    wish = wished(given, lang)
    reading = read_years(span, port=port_of(given), **{"length": "short", "as_of": as_of(given), **wish})
    note_fallback(reading.provenance, lang)
    return reading


def _assumed(asked: ChartRequest, span: YearsResult | None, lang: str) -> list[str]:
    """Lines of assumed values: a birth now, the current year as the first."""
    lines = [titled(label("now", lang), asked.now, lang)] if asked.now else []
    if span is not None:
        lines.append(titled(label("now_years", lang), str(span.first), lang))
    return lines


def _written(
    span: YearsResult,
    comparison: Comparison | None,
    narrated: NarratedReading | None,
    said: list[str],
    given: dict[str, Any],
    lang: str,
) -> str:
    why, domain = given["explain"], given["domain"]
    if why is not None:
        highest = span.ranking(domain or DOMAINS[0]).evidence[0]
        return output.explained(why or highest, span.all_facts, given["format"], lang)
    if given["format"] == "json":
        # The object does not depend on the locale: it has a language only if one is given.
        reading = None if narrated is None else narrated.to_dict()
        return output.as_json(span.to_dict(given["facts"], given["lang"] or "zh-Hans", comparison, reading))
    if given["format"] == "svg":
        theme = given["theme"] or "light"
        return span.svg(lang, theme, domain or DOMAINS[0], present(span.chart)) + "\n"
    from bazi_core.render import years_text

    if given["format"] == "md":
        answer = "" if narrated is None else f"{narrated.narrative}\n\n"
        body = years_text.years_markdown(span, lang, domain=domain, comparison=comparison)
        return "".join(headed("md", line, 6) for line in said) + answer + body
    colour = output.has_colour(sys.stdout, given["output"])
    body = years_text.years_text(
        span,
        lang,
        colour,
        columns=output.columns(),
        compact=given["compact"],
        domain=domain,
        comparison=comparison,
    )
    answer = "" if narrated is None else f"{wrapped(narrated.narrative)}\n\n"
    return "".join(f"{line}\n" for line in said) + answer + body
