"""`bazi place`: the place that a name means."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_core.place.display import Former, former_names, place_shown, region_shown
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.render.text import pairs
from bazi_core.tables.words import label


@click.command("place", cls=Command)
@click.argument("query", nargs=-1, required=True, type=TEXT)
@formats("text", "json")
@options(*OUTPUT)
def command(query: tuple[str, ...], **given: Any) -> None:
    """The place that QUERY names, with its coordinates and zone."""
    place = look_up(" ".join(query))
    former = former_names(" ".join(query), place)
    text = (
        _json(place, former) if given["format"] == "json" else _text(place, former, language(given["lang"]))
    )
    output.emit(text, given["output"])


def _json(place: Place, former: list[Former]) -> str:
    passed_over = [other.to_dict() for other in place.passed_over]
    further = {
        "population": place.population,
        "former_names": [name._asdict() for name in former],
        "passed_over": passed_over,
    }
    return output.as_json({**place.to_dict(), **further})


def _text(place: Place, former: list[Former], lang: str) -> str:
    rows = [(label("place", lang), place_shown(place, lang))]
    rows += [(label("former_name", lang), _former(name, lang)) for name in former]
    if place.admin or place.country:
        rows.append((label("admin", lang), _region(place, lang)))
    if place.alt_timezone_id:
        rows.append((label("other_clock", lang), place.alt_timezone_id))
    if place.population:
        rows.append((label("population", lang), f"{place.population:,}"))
    rows += [
        (label("passed_over", lang) if at == 0 else "", f"{place_shown(other, lang)}  {_region(other, lang)}")
        for at, other in enumerate(place.passed_over)
    ]
    return "\n".join(pairs(rows, output.columns())) + "\n"


def _region(place: Place, lang: str) -> str:
    return region_shown(place.ref, place.admin, place.country, lang)


def _former(name: Former, lang: str) -> str:
    """The name and the years in which it was official, as far as they are known."""
    years = {"first": name.first, "last": name.last}
    which = {(True, True): "former_between", (True, False): "former_since", (False, True): "former_until"}
    key = which.get((name.first is not None, name.last is not None))
    written = {at: _year(year, lang) for at, year in years.items() if year is not None}
    return f"{name.name}  {label(key, lang).format(**written)}" if key else name.name


def _year(year: int, lang: str) -> str:
    return str(year) if year > 0 else label("year_bc", lang).format(year=-year)
