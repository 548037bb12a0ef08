"""From the options of a command to a birth or a chart of the core."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from bazi_cli import now as clock
from bazi_cli.options import PLACE
from bazi_core.school import School
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bazi_core.face import Chart

_STRONGEST_FIRST = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
)
_FIELDS = frozenset(field.name for field in fields(School)) - {"profile"}


class ChartRequest(NamedTuple):
    """A chart, and the present moment when no time was given."""

    chart: Chart
    now: str | None


def school_of(given: dict[str, Any]) -> School:
    """The School of the options."""
    chosen = {name: value for name, value in given.items() if name in _FIELDS and value is not None}
    profile = given.get("school")
    return School.named(profile, **chosen) if profile is not None else School.of(chosen)


def where_of(ctx: click.Context) -> dict[str, Any]:
    """The place arguments of the core; a place is one statement.

    When any of its options is on the command line, those from the environment and the configuration are left
    aside: `--city "New York"` must not be read with a `tz` that was kept for another city.
    """
    stated = strongest(ctx, PLACE)
    names = {"lon": "longitude", "lat": "latitude"}
    return {names.get(name, name): value for name, value in stated.items()}


def strongest(ctx: click.Context, names: Sequence[str]) -> dict[str, Any]:
    """The values of options that form one statement, from a single source: the command line, else the environment, else
    the configuration."""
    stated = {name: value for name in names if (value := ctx.params[name]) is not None and value is not False}
    sources = {name: ctx.get_parameter_source(name) for name in stated}
    used = next((source for source in _STRONGEST_FIRST if source in sources.values()), None)
    return {name: value for name, value in stated.items() if sources[name] is used}


def birth_arguments(ctx: click.Context) -> dict[str, Any]:
    """All arguments of a birth but the time."""
    names = ("fold", "calendar", "hour_unknown", "gender")
    stated = {name: ctx.params[name] for name in names if ctx.params.get(name) is not None}
    return {**where_of(ctx), **stated}


def asked_chart(ctx: click.Context, when: str | None) -> ChartRequest:
    """The chart that the arguments and options ask for; without a time, that of now."""
    from bazi_core.face import chart

    given, school = ctx.params, school_of(ctx.params)
    if given.get("pillars") is not None:
        if when is not None:
            raise click.UsageError(Said("time_or_pillars"), ctx)
        return ChartRequest(chart(pillars=given["pillars"], gender=given["gender"], school=school), None)
    arguments = birth_arguments(ctx)
    if when is not None:
        return ChartRequest(chart(when, school=school, **arguments), None)
    present = present_at(arguments, school)
    fixed = {"utc_offset": present.utcoffset()} if not _has_zone(arguments) else {"fold": present.fold}
    text = present.replace(tzinfo=None).isoformat(" ")
    result = chart(text, school=school, **{**arguments, **fixed})
    return ChartRequest(result, present.isoformat(" "))


LONGEST_RANGE = 200


def read_years(when: str | None, text: str | None) -> tuple[str | None, range | bool]:
    """The time, and the years of `--years`: a range, all of them (True, the option alone), or none (False).

    In `--years "1990-05-15 13:30"` the option has taken the time, which is given back.
    """
    if text is None:
        return when, False
    match = re.fullmatch(r"\s*(\d{4})\s*(?:[-–~:]\s*(\d{4}))?\s*", text[:40], re.ASCII)
    if not match and when is None and text:
        return text, True
    if not text:
        return when, True
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not 0 <= last - first < LONGEST_RANGE:
        said = Said("write_years", text=text[:40], longest=LONGEST_RANGE)
        raise click.BadParameter(said, param_hint="--years")
    return when, range(first, last + 1)


def almanac_place(ctx: click.Context) -> dict[str, Any]:
    """The place arguments of a day of the almanac."""
    return strongest(ctx, ("city", "tz"))


def charts_of(births: Sequence[str], files: Sequence[str] = ()) -> list[Chart]:
    """The charts of births written as `1990-05-15 13:30,北京,male`, those in files one to a line; `#` begins a remark."""
    from bazi_core.face import chart

    written = [*births]
    for name in files:
        with open(name, encoding="utf-8-sig", errors="replace") as file:
            written += [line.strip() for line in file if line.strip() and not line.startswith("#")]
    charts = []
    for text in written:
        when, *rest = (part.strip() for part in text.replace("，", ",").split(","))
        if not rest or len(rest) > 2:
            raise click.UsageError(Said("birth_parts", given=text[:60]))
        charts.append(chart(when, city=rest[0], gender=rest[1] if len(rest) > 1 else None))
    return charts


def as_of(given: dict[str, Any]) -> str | datetime:
    """The date of `--as-of`, else the present."""
    return clock.now() if given["as_of"] is None else given["as_of"]


def present_at(where: dict[str, Any], school: School) -> datetime:
    """The present on the clock of a place; at the device's offset when none is given."""
    from datetime import timedelta, timezone

    from bazi_core.birth import birth
    from bazi_core.civil_clock import zone_of
    from bazi_core.place.zones import zone

    present = clock.now()
    names = ("city", "longitude", "latitude", "tz", "utc_offset")
    place = {name: value for name, value in where.items() if name in names}
    if not _has_zone(where) and where.get("utc_offset") is None:
        return present
    born = birth("2000-01-01", hour_unknown=True, **place)
    if born.utc_offset_s is not None:
        return present.astimezone(timezone(timedelta(seconds=born.utc_offset_s)))
    key = zone_of(born, school)
    return present.astimezone(zone(key)) if key else present


def _has_zone(where: dict[str, Any]) -> bool:
    return any(where.get(name) is not None for name in ("tz", "city", "latitude"))


def zone_of_options(ctx: click.Context) -> Any:
    """The clock that the place options name, as a tzinfo; None when they name none."""
    from datetime import timedelta, timezone

    from bazi_core.place.zones import canonical_key, zone

    where = where_of(ctx)
    if where.get("tz") is not None:
        return zone(canonical_key(where["tz"]))
    if where.get("city") is not None:
        from bazi_core.place.gazetteer import look_up

        key = look_up(where["city"]).timezone_id
        return zone(key) if key else None
    if where.get("utc_offset") is not None:
        from bazi_core.when import parse_offset

        return timezone(timedelta(seconds=parse_offset(where["utc_offset"])))
    return None
