"""`bazi hour`: the possible charts of a date when the hour of birth is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.grids import drawn, headed
from bazi_cli.language import language
from bazi_cli.luck_tables import warnings
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import school_of, where_of
from bazi_core.alphabet import Pillar
from bazi_core.pillars import POSITIONS
from bazi_core.place.display import place_shown
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import joined, pillar_name, printable, titled
from bazi_core.render.width import fold
from bazi_core.tables.words import label, term
from bazi_core.views.certainty import OPEN

if TYPE_CHECKING:
    from bazi_core.face import Chart
    from bazi_core.unknown_hour import UnknownHour

# Said by the table, or of three pillars alone.
_SAID_ANYWAY = ("HOUR_UNKNOWN", "GENDER_UNKNOWN", "BALANCED_STRENGTH", "METHODS_DISAGREE")


@click.command("hour", cls=Command)
@click.argument("date", nargs=-1, required=True, type=TEXT)
@options(*PLACE, "calendar", "gender")
@formats("text", "json", "md")
@options(*OUTPUT, "explain", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, date: tuple[str, ...], **given: Any) -> None:
    """All four-pillar sets of a DATE with their clock times, their meanings, and the parts that they share."""
    from bazi_core.face import chart

    stated = {name: given[name] for name in ("calendar", "gender") if given[name] is not None}
    chart_of_day = chart(
        " ".join(date), hour_unknown=True, school=school_of(given), **where_of(ctx), **stated
    )
    assert chart_of_day.day is not None
    lang = language(given["lang"])
    if given["explain"] is not None:
        text = output.explained(
            given["explain"] or "pat.main", chart_of_day.pattern().all_facts, given["format"], lang
        )
    elif given["format"] == "json":
        text = _json(chart_of_day, chart_of_day.day, given["lang"] or "zh-Hans")
    else:
        parts = (
            _text(chart_of_day, chart_of_day.day, given["format"], lang),
            warnings(chart_of_day, given["format"], lang, _SAID_ANYWAY),
        )
        text = "\n".join(filter(None, parts))
    output.emit(text, given["output"])


def _json(chart_of_day: Chart, day: UnknownHour, lang: str) -> str:
    warnings = [each.to_dict(lang) for each in chart_of_day.own_warnings if each.code not in _SAID_ANYWAY]
    head = {"input": day.birth.to_dict(), "used": day.used, "pillars": day.pillars.to_dict()}
    members = day.to_dict()
    meanings = [_meaning(each) for each in chart_of_day.by_hour]
    for each, meaning in zip(members["candidates"], meanings, strict=True):
        each.update(meaning)
    members["invariant"] |= _shared(meanings)
    return output.as_json({**head, **members, "warnings": warnings})


def _meaning(chart: Chart) -> dict[str, str | None]:
    """Strength, its certainty, pattern and useful god of one of the hours."""
    result = chart.pattern()
    return {
        "strength": chart.strength.verdict if chart.strength else None,
        "certainty": chart.strength.certainty if chart.strength else None,
        "pattern": result.name,
        "useful": result.useful_gods[0].value if result.useful_gods else None,
    }


def _shared(meanings: list[dict[str, str | None]]) -> dict[str, str | None]:
    """The meaning shared by all hours, by name; None where they differ."""
    first = meanings[0]
    return {
        name: first[name] if all(meaning[name] == first[name] for meaning in meanings) else None
        for name in first
    }


def _text(chart: Chart, day: UnknownHour, form: str, lang: str) -> str:
    place = day.birth.place
    where = f"  {printable(place_shown(place, lang))}" if place else ""
    meanings = [_worded(_meaning(each), lang) for each in chart.by_hour]
    lines = [titled(label("certain", lang), _certain(day, meanings, lang), lang)]
    for name, spans in day.varies.items():
        shown = [
            f"{pillar_name(Pillar(span['value']), lang)} {clock_span(span['from'], span['to'])}"
            for span in spans
        ]
        lines.append(titled(label(name, lang), joined(shown, lang), lang))
    lines.append(label(f"used_{day.used}", lang))
    bullet = "- " if form == "md" else ""
    room = 10_000 if form == "md" else output.columns()
    head = "\n".join(fold(f"{day.birth.civil.date()}{where}", room, "  "))
    notes = "\n".join(part for line in lines for part in fold(bullet + line, room, "  "))
    gap = "\n\n" if form == "md" else "\n"
    return headed(form, head) + notes + gap + drawn(form, _rows(day, meanings, lang))


def _worded(meaning: dict[str, str | None], lang: str) -> dict[str, str | None]:
    """The meaning of an hour in words; an open strength begins with that."""
    words = {
        name: term(value, lang) if value else None for name, value in meaning.items() if name != "certainty"
    }
    if meaning["certainty"] == OPEN:
        words["strength"] = label(f"open_as.{meaning['strength']}", lang)
    return words


def _certain(day: UnknownHour, meanings: list[dict[str, str | None]], lang: str) -> str:
    pillars = [(name, Pillar(value)) for name, value in day.invariant.items() if value]
    known = [f"{label(name, lang)} {pillar_name(pillar, lang)}" for name, pillar in pillars]
    known += [f"{label(name, lang)} {value}" for name, value in _shared(meanings).items() if value]
    return joined(known, lang) if known else label("none_such", lang)


def _rows(day: UnknownHour, meanings: list[dict[str, str | None]], lang: str) -> list[list[str]]:
    """The pieces of the day as rows; in English only the columns that vary, since the others stand above the table."""
    shared = {**day.invariant, **_shared(meanings)} if lang == "en" else {}
    certain = {name for name, value in shared.items() if value}
    positions = [name for name in POSITIONS if name not in certain]
    judged = [name for name in meanings[0] if name not in certain]
    rows = [[label(name, lang) for name in ("civil", *positions, *judged)]]
    for each, meaning in zip(day.candidates, meanings, strict=True):
        ends = each.to_dict()
        pillars = dict(each.pillars.items())
        cells = [pillar_name(pillars[name], lang) for name in positions]
        cells += [meaning[name] or "" for name in judged]
        rows.append([clock_span(ends["from"], ends["to"]), *cells])
    return rows
