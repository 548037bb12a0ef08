"""`bazi liuren`: 小六壬, six palms counted by month, day and hour."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import now as clock
from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import CAST_SCHOOL, OUTPUT, formats, options
from bazi_cli.request import school_of
from bazi_core.render.notes import noted
from bazi_core.render.phrases import titled
from bazi_core.tables.words import label


@click.command("liuren", cls=Command)
@options("at", "month", "day", "hour", "leap", *CAST_SCHOOL)
@formats("text", "json")
@options(*OUTPUT)
def command(**given: Any) -> None:
    """The palms of a time, or of --month, --day and --hour; without either, of now."""
    from bazi_core import liuren

    lang = language(given["lang"])
    stated = {name: given[name] for name in ("month", "day", "hour") if given[name] is not None}
    at = given["at"]
    if at is None and not stated:
        at = clock.now()
        output.note(titled(label("ly_now", lang), at.isoformat(), lang))
    found = liuren.cast(at, school=school_of(given), leap=given["leap"] or "same", **stated)
    if given["format"] == "json":
        output.emit(output.as_json(found.to_dict(given["lang"] or "zh-Hans")), given["output"])
        return
    for doubt in found.warnings:
        output.note("\n  ".join(noted(doubt, lang)))
    palms = "  ".join(liuren.palm_name(palm, lang) for palm in found.palms)
    meaning = liuren.meaning(found.result, lang)
    output.emit(f"{palms}\n{liuren.palm_name(found.result, lang)}  {meaning}\n", given["output"])
