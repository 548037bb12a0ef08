"""`bazi hour`: what a date alone says when the hour of birth is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.grids import drawn, headed
from bazi_cli.language import language
from bazi_cli.luck_tables import warnings
from bazi_cli.options import OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import school_of, where_of
from bazi_core.pillars import POSITIONS
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import joined, pillar_name, printable, titled
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.chart import Chart
    from bazi_core.unknown_hour import UnknownHour

_SAID_ANYWAY = ("HOUR_UNKNOWN", "GENDER_UNKNOWN")


@click.command("hour", short_help="A date without its hour: what is certain, what varies.")
@click.argument("date", nargs=-1, required=True, type=TEXT)
@options(*PLACE, "calendar", "gender")
@formats("text", "json", "md")
@options(*OUTPUT, *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, date: tuple[str, ...], **given: Any) -> None:
    """All four-pillar sets of a DATE with the clock times between which they hold, and what they share."""
    from bazi_core.chart import chart

    stated = {name: given[name] for name in ("calendar", "gender") if given[name] is not None}
    made = chart(" ".join(date), hour_unknown=True, school=school_of(given), **where_of(ctx), **stated)
    assert made.day is not None
    if given["format"] == "json":
        text = _json(made, made.day, given["lang"] or "zh-Hans")
    else:
        lang = language(given["lang"])
        parts = _text(made.day, given["format"], lang), warnings(made, given["format"], lang, _SAID_ANYWAY)
        text = "\n".join(filter(None, parts))
    output.emit(text, given["output"])


def _json(made: Chart, day: UnknownHour, lang: str) -> str:
    doubts = [doubt.to_dict(lang) for doubt in made.warnings if doubt.code not in _SAID_ANYWAY]
    head = {"input": day.birth.to_dict(), "used": day.used, "pillars": day.pillars.to_dict()}
    return output.as_json({**head, **day.to_dict(), "warnings": doubts})


def _text(found: UnknownHour, form: str, lang: str) -> str:
    place = found.birth.place
    where = f"  {printable(str(place))}" if place else ""
    lines = [titled(label("certain", lang), _certain(found, lang), lang)]
    for name, spans in found.varies.items():
        shown = [f"{span['value']} {clock_span(span['from'], span['to'])}" for span in spans]
        lines.append(titled(label(name, lang), joined(shown, lang), lang))
    lines.append(label(f"used_{found.used}", lang))
    bullet = "- " if form == "md" else ""
    notes = "\n".join(bullet + line for line in lines) + "\n" + ("\n" if form == "md" else "")
    return headed(form, f"{found.birth.civil.date()}{where}") + notes + drawn(form, _rows(found, lang))


def _certain(found: UnknownHour, lang: str) -> str:
    known = [f"{label(name, lang)} {value}" for name, value in found.invariant.items() if value]
    return joined(known, lang) if known else label("none_such", lang)


def _rows(found: UnknownHour, lang: str) -> list[list[str]]:
    rows = [[label("civil", lang), *(label(name, lang) for name in POSITIONS)]]
    for each in found.candidates:
        ends = each.to_dict()
        cells = [pillar_name(pillar, lang) if pillar else "" for pillar in each.pillars]
        rows.append([clock_span(ends["from"], ends["to"]), *cells])
    return rows
