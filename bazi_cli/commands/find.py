"""`bazi find`: the times that have these pillars."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import school_of, where_of
from bazi_core.tables.sentences import Said


@click.command("find", cls=Command)
@click.argument("pillars", nargs=-1, type=TEXT)
@options("since", "until", *PLACE)
@formats("text", "json", "md")
@options(*OUTPUT, "explain", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, pillars: tuple[str, ...], **given: Any) -> None:
    """The windows of time that have these PILLARS, whole or in part."""
    from bazi_core.reverse.search import FIRST_YEAR, LAST_YEAR, find

    text, why = " ".join(pillars), given["explain"]
    if why:
        # `--explain "庚午 …"` means the pillars: nothing here has an id.
        text = f"{why} {text}".rstrip()
    if not text:
        raise click.UsageError(Said("find_nothing_given"), ctx)
    start, end = given["since"] or FIRST_YEAR, given["until"] or LAST_YEAR
    windows = find(text, start, end, school=school_of(given), **where_of(ctx))
    lang = language(given["lang"])
    if given["format"] == "json":
        months = [] if why is None else [[each.isoformat() for each in span] for span in windows.months]
        body = output.as_json({**windows.to_dict(), **({"months": months} if why is not None else {})})
    else:
        from bazi_core.render.windows import why_text, windows_markdown, windows_text

        room = output.columns()
        body = (
            windows_markdown(windows, lang) if given["format"] == "md" else windows_text(windows, lang, room)
        )
        if why is not None:
            body = f"{body}\n{why_text(windows, lang, min(room, output.COLUMNS))}"
    output.emit(body, given["output"])
