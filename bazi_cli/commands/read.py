"""`bazi read`: the reading of a chart or of one of its years."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.reader import note_fallback, port_of, wished, wrapped
from bazi_cli.request import as_of, asked_chart
from bazi_core.errors import BirthRequired
from bazi_core.place.display import place_shown
from bazi_core.render.phrases import printable, titled
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.face import Chart
    from bazi_core.readings.result import NarratedReading


@click.command("read", cls=Command)
@click.argument("when", nargs=-1, type=TEXT)
@options(
    *PLACE,
    *BIRTH,
    "pillars",
    "target",
    "as_of",
    "question",
    "tone",
    "length",
    "no_plain",
    "reader",
    "on_failure",
)
@formats("text", "json", "md")
@options(*OUTPUT, "explain", "compact", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """The reading of a chart, or with --year of a year. It needs --gender."""
    asked = asked_chart(ctx, " ".join(when) if when else None)
    lang = language(given["lang"])
    if asked.now:
        output.note(titled(label("now", lang), asked.now, lang))
    if asked.chart.gender is None:
        raise BirthRequired(Said("reading_gender"), hint=Said("gender_hint"), missing=["gender"])
    read = _chart_read if given["target"] is None else _year_read
    output.emit(read(asked.chart, given, lang), given["output"])
    return 0


def _chart_read(chart: Chart, given: dict[str, Any], lang: str) -> str:
    from bazi_core.readings.final import read_pattern, told

    result = chart.pattern()
    if given["explain"] is not None:
        return output.explained(given["explain"] or "pat.main", result.all_facts, given["format"], lang)
    reading = read_pattern(result, port=port_of(given), as_of=as_of(given), **wished(given, lang))
    note_fallback(reading.provenance, lang)
    if given["format"] == "json":
        return output.as_json(told(result, reading).to_dict(not given["compact"], given["lang"] or "zh-Hans"))
    return _prose(_head(chart, f"{result.pillars}", lang), reading, given["format"])


def _year_read(chart: Chart, given: dict[str, Any], lang: str) -> str:
    from bazi_core.readings.final import read

    year = chart.year(given["target"])
    if given["explain"] is not None:
        name = given["explain"] or f"yr.{given['target']}.score.overall"
        return output.explained(name, year.all_facts, given["format"], lang)
    result = read(year, port=port_of(given), as_of=as_of(given), **wished(given, lang))
    note_fallback(result.told.provenance, lang)
    if given["format"] == "json":
        return output.as_json(result.to_dict(not given["compact"]))
    head = f"{result.year.pattern.pillars}  {result.year.target_year} {result.year.pillar}"
    return _prose(_head(chart, head, lang), result.told, given["format"])


def _head(chart: Chart, pillars: str, lang: str) -> str:
    """The pillars, and the place for which they were cast."""
    place = chart.birth.place if chart.birth is not None else None
    return f"{pillars}\n{printable(place_shown(place, lang))}" if place is not None else pillars


def _prose(head: str, reading: NarratedReading, form: str) -> str:
    title = reading.reading.title
    if form == "md":
        return f"# {title}\n\n{head}\n\n{reading.narrative}\n"
    return f"{wrapped(title)}\n{wrapped(head)}\n\n{wrapped(reading.narrative)}\n"
