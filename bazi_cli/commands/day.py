"""`bazi day`: the almanac of a civil day at a place."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_cli.reader import manner, told
from bazi_cli.request import almanac_place, charts_of, present_at


@click.command("day", cls=Command)
@click.argument("date", metavar="[DATE]", type=TEXT, required=False)
@options(
    "city", "tz", "births", "births_file", "items", "hours", "rows", "told", "question", "length", "no_plain"
)
@formats("text", "json", "md")
@options(*OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, date: str | None, **given: Any) -> None:
    """The almanac 黄历 of a DATE (default: today at the place)."""
    from bazi_core.almanac.day import almanac
    from bazi_core.almanac.school import DEFAULT
    from bazi_core.almanac.text import day_text

    where = almanac_place(ctx)
    when = date or present_at(where, DEFAULT.of_charts).date().isoformat()
    charts = charts_of(given["births"], given["births_file"])
    day = almanac(when, charts=charts, question=given["question"], **where)
    lang = language(given["lang"])
    if given["told"] or given["question"] is not None:
        text = told(day.read(lang, **manner(given)), given["format"])
    elif given["format"] == "json":
        text = output.as_json(day.to_dict(given["items"], given["lang"] or "zh-Hans"))
    else:
        form = {"hours": given["hours"], "explain": given["rows"], "markdown": given["format"] == "md"}
        text = day_text(day, lang, given["items"], **form)
    output.emit(text, given["output"])
