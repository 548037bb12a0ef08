"""From the options of a command to a birth or a chart of the core."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from bazi_cli import now as clock
from bazi_cli.options import PLACE
from bazi_core.school import School

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bazi_core.chart import Chart

_STRONGEST_FIRST = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
)
_FIELDS = frozenset(field.name for field in fields(School)) - {"profile"}


class Asked(NamedTuple):
    """A chart, and the present moment when no time was given."""

    chart: Chart
    now: str | None


def school_of(given: dict[str, Any]) -> School:
    """The School of the options."""
    chosen = {name: value for name, value in given.items() if name in _FIELDS and value is not None}
    profile = given.get("school")
    return School.named(profile, **chosen) if profile is not None else School.of(chosen)


def where_of(ctx: click.Context) -> dict[str, Any]:
    """The arguments of the core that say where; a place is one statement.

    When any of its options is on the command line, those from the environment and the configuration are left
    aside: `--city "New York"` must not be read with a `tz` that was kept for another city.
    """
    stated = strongest(ctx, PLACE)
    names = {"lon": "longitude", "lat": "latitude"}
    return {names.get(name, name): value for name, value in stated.items()}


def strongest(ctx: click.Context, names: Sequence[str]) -> dict[str, Any]:
    """What is stated by these options where they make one statement together: on the command line, else by the
    environment, else by the configuration."""
    stated = {name: value for name in names if (value := ctx.params[name]) is not None and value is not False}
    sources = {name: ctx.get_parameter_source(name) for name in stated}
    used = next((source for source in _STRONGEST_FIRST if source in sources.values()), None)
    return {name: value for name, value in stated.items() if sources[name] is used}


def birth_arguments(ctx: click.Context) -> dict[str, Any]:
    """All arguments of a birth but the time."""
    names = ("fold", "calendar", "hour_unknown", "gender")
    stated = {name: ctx.params[name] for name in names if ctx.params.get(name) is not None}
    return {**where_of(ctx), **stated}


def asked_chart(ctx: click.Context, when: str | None) -> Asked:
    """The chart that the arguments and options ask for; without a time, that of now."""
    from bazi_core.chart import chart

    given, school = ctx.params, school_of(ctx.params)
    if given.get("pillars") is not None:
        if when is not None:
            raise click.UsageError("give a time or --pillars, not both", ctx)
        return Asked(chart(pillars=given["pillars"], gender=given["gender"], school=school), None)
    arguments = birth_arguments(ctx)
    if when is not None:
        return Asked(chart(when, school=school, **arguments), None)
    present = present_at(arguments, school)
    fixed = {"utc_offset": present.utcoffset()} if not _has_zone(arguments) else {"fold": present.fold}
    text = present.replace(tzinfo=None).isoformat(" ")
    made = chart(text, school=school, **{**arguments, **fixed})
    return Asked(made, present.isoformat(" "))


def present_at(where: dict[str, Any], school: School) -> datetime:
    """The present on the clock of a place; at the device's offset when none is given."""
    from datetime import timedelta, timezone

    from bazi_core.birth import birth
    from bazi_core.moment import zone_of
    from bazi_core.place.zones import zone

    present = clock.now()
    if where.get("utc_offset") is not None:
        from bazi_core.when import parse_offset

        return present.astimezone(timezone(timedelta(seconds=parse_offset(where["utc_offset"]))))
    if not _has_zone(where):
        return present
    place = {name: value for name, value in where.items() if name in ("city", "longitude", "latitude", "tz")}
    key = zone_of(birth("2000-01-01", hour_unknown=True, **place), school)
    return present.astimezone(zone(key)) if key else present


def _has_zone(where: dict[str, Any]) -> bool:
    return any(where.get(name) is not None for name in ("tz", "city", "latitude"))


def zone_of_options(ctx: click.Context) -> Any:
    """The clock that the place options name, as a tzinfo; None when they name none."""
    from datetime import timedelta, timezone

    from bazi_core.place.zones import zone

    where = where_of(ctx)
    if where.get("utc_offset") is not None:
        from bazi_core.when import parse_offset

        return timezone(timedelta(seconds=parse_offset(where["utc_offset"])))
    if where.get("tz") is not None:
        return zone(where["tz"])
    if where.get("city") is not None:
        from bazi_core.place.gazetteer import look_up

        key = look_up(where["city"]).timezone_id
        return zone(key) if key else None
    return None
