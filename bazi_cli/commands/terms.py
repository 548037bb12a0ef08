"""`bazi terms`: the 24 solar terms of a year with their local times."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import now, output
from bazi_cli.grids import drawn, headed
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, PLACE, formats, options
from bazi_cli.request import zone_of_options
from bazi_core.render.phrases import reading, sign_name
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from datetime import tzinfo

    from bazi_core.astro.terms import TermEvent

# Below a second a doubt in ΔT changes nothing that is shown.
_SHOWN_DOUBT_S = 1.0


@click.command("terms", cls=Command)
@click.argument("year", type=int, required=False)
@options(*PLACE, "cycle", "engine", "future_utc")
@formats("text", "json", "md")
@options(*OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, year: int | None, **given: Any) -> None:
    """The 24 solar terms 节气 of a Gregorian YEAR (default: this one), at +08:00 or on the clock of a place."""
    from bazi_core.astro.terms import CHINA_STANDARD, solar_terms

    zone = zone_of_options(ctx) or CHINA_STANDARD
    year = now.now().astimezone(zone).year if year is None else year
    policy = given["future_utc"] or "utc_frozen"
    events = solar_terms(year, cycle=given["cycle"], tz=zone, future_utc=policy, backend=given["engine"])
    text = (
        _json(year, events, zone, given, policy) if given["format"] == "json" else _table(year, events, given)
    )
    output.emit(text, given["output"])


def _json(year: int, events: tuple[TermEvent, ...], zone: tzinfo, given: dict[str, Any], policy: str) -> str:
    return output.as_json(
        {
            "year": year,
            "cycle": given["cycle"],
            "engine": given["engine"],
            "future_utc": policy,
            "timezone": str(zone),
            "terms": [event.to_dict() for event in events],
        }
    )


def _table(year: int, events: tuple[TermEvent, ...], given: dict[str, Any]) -> str:
    lang, form = language(given["lang"]), given["format"]
    head = [label(name, lang) for name in ("term", "term_kind", "longitude_deg", "local_time")]
    rows = [
        [
            _name(event, lang),
            _kind(event, lang),
            f"{event.longitude_deg}",
            f"{reading(event.local)} {event.local[23:]}",
        ]
        for event in events
    ]
    title = headed(form, label("terms_title", lang, year=year))
    return title + drawn(form, [head, *rows]) + _doubt(events, lang)


def _name(event: TermEvent, lang: str) -> str:
    """The name of a term; in English followed by the hanzi, without brackets to save space."""
    name = term(event.name.value, lang)
    return f"{name} {event.name.value}" if lang == "en" else name


def _kind(event: TermEvent, lang: str) -> str:
    """节 with the month that it opens, or 气; in English the month alone."""
    if lang == "en":
        return f"{sign_name(event.name.month_branch)} {event.name.month_branch}" if event.name.is_jie else ""
    kind = {"节": "節", "气": "氣"}[event.kind] if lang == "zh-Hant" else event.kind
    return f"{kind} {event.name.month_branch}" if event.name.is_jie else kind


def _doubt(events: tuple[TermEvent, ...], lang: str) -> str:
    """A sentence on the uncertainty of the times where the Earth's rotation is not known well; else empty."""
    doubts = [event.delta_t_uncertainty_s for event in events]
    if None in doubts:
        return label("delta_t_unknown", lang) + "\n"
    largest = max(doubt for doubt in doubts if doubt is not None)
    if largest < _SHOWN_DOUBT_S:
        return ""
    return label("delta_t_doubt", lang, span=str(timedelta(seconds=round(largest)))) + "\n"
