"""`bazi days`: the days of a span on which the almanac favours a purpose."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_cli.reader import manner, told
from bazi_cli.request import almanac_place, charts_of

NO_DAY = 3


@click.command("days", cls=Command)
@click.argument("purpose", metavar="PURPOSE", type=TEXT)
@options(
    "first_day",
    "last_day",
    "city",
    "tz",
    "births",
    "births_file",
    "limit",
    "personal",
    "rows",
    "told",
    "length",
    "no_plain",
)
@formats("text", "json", "md")
@options(*OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, purpose: str, **given: Any) -> None:
    """The best days 择日 for a PURPOSE; exit status 3 where no day fits."""
    from bazi_core.almanac.search import days
    from bazi_core.almanac.text import days_text

    found = days(
        purpose,
        given["first_day"],
        given["last_day"],
        charts=charts_of(given["births"], given["births_file"]),
        limit=given["limit"],
        personal=given["personal"],
        **almanac_place(ctx),
    )
    if given["told"]:
        text = told(found.read(language(given["lang"]), **manner(given)), given["format"])
    elif given["format"] == "json":
        text = output.as_json(found.to_dict(language(given["lang"])))
    else:
        markdown = given["format"] == "md"
        text = days_text(found, language(given["lang"]), explain=given["rows"], markdown=markdown)
    output.emit(text, given["output"])
    if not found.days:
        ctx.exit(NO_DAY)
