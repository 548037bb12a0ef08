"""The address of a chart: a query that holds a birth in one spelling, so that a chart is opened again without being stored.

`t=1990-05-15T13:30` is the reading of the clock (a date alone where the hour is unknown), `p=cn:110000` the place or
`lon= lat= tz=` in its stead, `g=m` or `g=f`, `fold=` which of two equal readings. An option of the School has its own name,
where it differs from the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_core.school import DEFAULT, OPTIONS
from bazi_hub.pages.birth import LONGEST_FIELD, chart_of
from bazi_hub.tools.refusals import BadArguments

GENDERS = {"m": "male", "f": "female"}
_PLACED = {"lon": "longitude", "lat": "latitude"}
_PARTS = ("birth_year", "birth_month", "birth_day")
_CLOCK = ("birth_hour", "birth_minute")


def chart_of_query(query: Mapping[str, str]) -> Chart:
    """The chart of an address; `BadArguments` with every issue.

    >>> str(chart_of_query({"t": "1990-05-15T13:30", "p": "cn:110000", "g": "m"}).pillars)
    '庚午 辛巳 庚辰 壬午'
    """
    return chart_of(arguments(query))


def arguments(query: Mapping[str, str]) -> dict[str, Any]:
    """The arguments that an address states; what cannot be a number stays text, for the schema to refuse."""
    given = {name: value[:LONGEST_FIELD] for name, value in query.items()}
    date, clock, time = given.get("t", "").partition("T")
    days, hours = [*date.split("-"), "", ""][:3], [*time.split(":"), ""][:2]
    options: dict[str, Any] = {name: given[name] for name in OPTIONS if given.get(name)}
    if "fold" in given:
        options["fold"] = _whole(given["fold"])
    location = {name: _number(given[key]) for key, name in _PLACED.items() if given.get(key)}
    if given.get("tz"):
        location["timezone_id"] = given["tz"]
    # Coordinates need no name; they are their own.
    named = given.get("p") or ", ".join(given[key] for key in ("lat", "lon") if given.get(key))
    return {
        **dict(zip(_PARTS, map(_whole, days), strict=True)),
        **dict(zip(_CLOCK, map(_whole, hours) if clock else (None, None), strict=True)),
        "gender": GENDERS.get(given.get("g", ""), given.get("g", "")),
        "location": {"city_name": named, **location},
        **({"options": options} if options else {}),
    }


def query_of(chart: Chart) -> str | None:
    """The address of a chart; None for one that no address holds, such as one of pillars alone.

    >>> query_of(chart_of_query({"g": "m", "p": "cn:110000", "t": "1990-05-15T13:30"}))
    't=1990-05-15T13:30&p=cn:110000&g=m'
    """
    born, school = chart.birth, chart.school
    if born is None or born.hour_branch is not None or chart.gender is None:
        return None
    said = {"t": f"{born.civil:%Y-%m-%d}" if born.hour_unknown else f"{born.civil:%Y-%m-%dT%H:%M}"}
    place = born.place
    if place is not None and place.ref:
        said["p"] = place.ref
    elif place is not None:
        said |= {"lon": f"{place.longitude:g}", "lat": f"{place.latitude:g}"}
    if born.timezone_id:
        said["tz"] = born.timezone_id
    said["g"] = chart.gender[0]
    if born.fold is not None:
        said["fold"] = str(born.fold)
    for named in ({}, {name: str(getattr(school, name)) for name in OPTIONS}):
        apart = {name: value for name, value in named.items() if value != str(getattr(DEFAULT, name))}
        if _is_of(found := {**said, **apart}, chart):
            return urlencode(found, safe=":")
    return None


def _is_of(query: dict[str, str], chart: Chart) -> bool:
    try:
        made = chart_of_query(query)
    except (BadArguments, BaziError):
        return False
    return _told_apart(made) == _told_apart(chart)


def _told_apart(chart: Chart) -> tuple[Any, ...]:
    """What a name of the place does not change."""
    return chart.pillars, chart.moment and chart.moment.utc_ms, chart.school


def _whole(text: str) -> Any:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else text


def _number(text: str) -> Any:
    plain = text.removeprefix("-").replace(".", "", 1)
    return float(text) if plain.isascii() and plain.isdecimal() else text
