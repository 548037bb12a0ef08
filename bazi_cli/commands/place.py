"""`bazi place`: which place a name would be taken for."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.render.text import pairs
from bazi_core.tables.words import label


@click.command("place", short_help="What a place name would be taken for.")
@click.argument("query", nargs=-1, required=True, type=TEXT)
@formats("text", "json")
@options(*OUTPUT)
def command(query: tuple[str, ...], **given: Any) -> None:
    """The place that QUERY names, with its coordinates and zone.

    An ambiguous name prints the choices and ends with 3; each ref is accepted as a query.
    """
    found = look_up(" ".join(query))
    text = _json(found) if given["format"] == "json" else _text(found, language(given["lang"]))
    output.emit(text, given["output"])


def _json(found: Place) -> str:
    passed_over = [other.to_dict() for other in found.passed_over]
    return output.as_json({**found.to_dict(), "population": found.population, "passed_over": passed_over})


def _text(found: Place, lang: str) -> str:
    rows = [(label("place", lang), str(found))]
    if found.admin or found.country:
        rows.append((label("admin", lang), " ".join(filter(None, (found.admin, found.country)))))
    if found.alt_timezone_id:
        rows.append((label("other_clock", lang), found.alt_timezone_id))
    if found.population:
        rows.append((label("population", lang), f"{found.population:,}"))
    rows += [
        (label("passed_over", lang) if at == 0 else "", str(other))
        for at, other in enumerate(found.passed_over)
    ]
    return "\n".join(pairs(rows, output.columns())) + "\n"
