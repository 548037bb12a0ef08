"""Birth arguments: their schema, and the chart that they state.

The wall clock is Gregorian. Coordinates win over the name of the place, a named zone over an offset, and an offset counts
only beside a longitude: agents send the offset of today, which misses the daylight saving of then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bazi_core.astro.civil import format_offset
from bazi_core.astro.terms import FIRST_YEAR, LAST_YEAR
from bazi_core.birth import birth
from bazi_core.chart import Chart, cast
from bazi_core.doubts import Doubt
from bazi_core.errors import BaziError
from bazi_core.facts import composed
from bazi_core.moment import moment
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.place.zones import canonical_key
from bazi_core.school import DEFAULT, OPTIONS, PROFILES, School
from bazi_core.when import gregorian
from bazi_hub.errors import Issue
from bazi_hub.tools.given import WRONG, Given
from bazi_hub.tools.refusals import BadArguments

if TYPE_CHECKING:
    from datetime import date

    from bazi_core.birth import Birth

# A birth in the first or last year of the tables has no term on one side.
YEARS = (FIRST_YEAR + 1, LAST_YEAR - 1)

LOCATION: dict[str, Any] = {
    "type": "object",
    "description": (
        "Where the person was born. Only city_name is needed; an unknown name needs longitude and timezone_id. "
        "Given coordinates win over the name. timezone_offset counts only beside longitude and without timezone_id."
    ),
    "properties": {
        "city_name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 100,
            "description": "A city such as Beijing, 北京, 'Springfield, IL' or 长春/朝阳; or a ref that an error offered.",
        },
        "longitude": {"type": "number", "minimum": -180, "maximum": 180, "description": "Degrees, east positive."},
        "latitude": {"type": "number", "minimum": -90, "maximum": 90, "description": "Degrees; only beside longitude."},
        "timezone_id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "IANA, such as Asia/Shanghai."},
        "timezone_offset": {"type": "number", "minimum": -16, "maximum": 16, "description": "Hours ahead of UTC."},
    },
    "required": ["city_name"],
    "additionalProperties": False,
}  # fmt: skip


def _options() -> dict[str, Any]:
    chosen = {name: {"type": "string", "enum": list(allowed)} for name, allowed in OPTIONS.items()}
    return {
        "type": "object",
        "description": "Choices in which schools differ; what is left out takes the default of the profile.",
        "properties": {
            **chosen,
            "profile": {"type": "string", "enum": list(PROFILES)},
            "boundary_window_s": {"type": "integer", "minimum": 0, "maximum": 86_400},
            "star_variants": _map_of("string", "Variant by star."),
            "yong_weights": _map_of("number", "Weight by method."),
            "fold": {"type": "integer", "enum": [0, 1], "description": "Which of two equal clock readings: 0 the first."},
        },
        "additionalProperties": False,
    }  # fmt: skip


def _map_of(kind: str, description: str) -> dict[str, Any]:
    return {"type": "object", "description": description, "additionalProperties": {"type": kind}}


BIRTH: dict[str, dict[str, Any]] = {
    "birth_year": {
        "type": "integer",
        "minimum": YEARS[0],
        "maximum": YEARS[1],
        "description": "Gregorian year.",
    },
    "birth_month": {"type": "integer", "minimum": 1, "maximum": 12},
    "birth_day": {"type": "integer", "minimum": 1, "maximum": 31},
    "birth_hour": {
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 23,
        "description": "Hour on the clock of the place, daylight saving included; null when the hour is unknown.",
    },
    "birth_minute": {
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 59,
        "description": "Null or 0 when the hour is unknown.",
    },
    "gender": {"type": "string", "enum": ["male", "female"], "description": "Decides the direction of luck."},
    "location": LOCATION,
    "options": _options(),
}
REQUIRED = [name for name in BIRTH if name != "options"]
_STATED = ("city_name", "longitude", "latitude", "timezone_id", "timezone_offset")


def chart_of(arguments: dict[str, Any]) -> Chart:
    """The chart of birth arguments that the schema let pass; `BadArguments` for what cannot be."""
    given = Given(arguments)
    found = chart(given)
    given.settled()
    return found


def chart(given: Given) -> Chart:
    """The chart of birth arguments, found as far as they are right."""
    day = given.find(gregorian, given["birth_year"], given["birth_month"], given["birth_day"])
    clock = given.find(_clock, given["birth_hour"], given["birth_minute"])
    where, ignored = _where(given)
    school = given.find(_school, given["options"])
    # Neither the moment nor the place waits for a gender.
    gender = None if given["gender"] is WRONG else given["gender"]
    born = given.find(_birth, day, clock, where, school, given.member("options", "fold"), gender)
    found = given.find(cast, born, school)
    return found if ignored is None else given.find(_with_warning, found, born, ignored)


def _clock(hour: int | None, minute: int | None) -> str | None:
    """The reading of the clock; None for an unknown hour."""
    if hour is None:
        if minute:
            raise BadArguments(Issue("birth_minute", "Must be null or 0 when birth_hour is null"))
        return None
    if minute is None:
        raise BadArguments(
            Issue("birth_minute", "Expected integer, got null: only an unknown hour has an unknown minute")
        )
    return f"{hour:02d}:{minute:02d}"


def _school(options: dict[str, Any] | None) -> School:
    chosen = {name: value for name, value in (options or {}).items() if name != "fold"}
    if not chosen:
        return DEFAULT
    return School.named(chosen.pop("profile", "ziping"), **chosen)


def _birth(
    day: date, clock: str | None, where: dict[str, Any], school: School, fold: int | None, gender: str | None
) -> Birth:
    return birth(
        day.isoformat() if clock is None else f"{day.isoformat()} {clock}",
        gender=gender,
        hour_unknown=clock is None,
        calendar="gregorian",
        fold=fold,
        future_utc=school.future_utc,
        **where,
    )


def _where(given: Given) -> tuple[dict[str, Any], float | None]:
    """The arguments of `birth` for a location, and the offset that is overruled, if one is."""
    name, longitude, latitude, zone, offset = (given.member("location", member) for member in _STATED)
    # Put together as it is counted, so that the longest name fits the core.
    name = given.find(composed, name)
    place = given.find(_named, name, longitude, zone, offset)
    given.find(_beside_longitude, latitude, longitude)
    key = zone if zone is None else given.find(canonical_key, zone)
    where = given.find(_located, name, place, longitude, latitude, key, offset)
    counts = offset is not None and longitude is not None and zone is None
    return where, None if counts else offset


def _named(name: str, longitude: float | None, zone: str | None, offset: float | None) -> Place | None:
    """The place of that name; None where the name is only a label."""
    labelled = longitude is not None and (zone is not None or offset is not None)
    return None if labelled else look_up(name)


def _beside_longitude(latitude: float | None, longitude: float | None) -> None:
    if latitude is not None and longitude is None:
        raise BadArguments(Issue("location.latitude", "Needs longitude beside it"))


def _located(
    name: str,
    place: Place | None,
    longitude: float | None,
    latitude: float | None,
    zone: str | None,
    offset: float | None,
) -> dict[str, Any]:
    if place is None:
        clock = {"utc_offset": offset} if zone is None else {"tz": zone}
        return {"city": name, "longitude": longitude, "latitude": latitude, **clock}
    if longitude is None:
        return {"city": name, "tz": zone}
    return {"place": _moved(name, place, longitude, latitude)}


def _moved(name: str, place: Place, longitude: float, latitude: float | None) -> Place:
    """A place known by name, at the coordinates given: its zone counts, its own coordinates do not."""
    return Place(
        name=name,
        country=place.country,
        longitude=float(longitude),
        latitude=None if latitude is None else float(latitude),
        timezone_id=place.timezone_id,
        source="user",
    )


def _with_warning(chart: Chart, born: Birth, offset: float) -> Chart:
    """The chart with a warning, where the offset that was stated is not the one of that place and time."""
    used = _offset_s(chart, born)
    if used is None or used == round(offset * 3600):
        return chart
    told = {"given": format_offset(round(offset * 3600)), "used": format_offset(used)}
    doubt = Doubt("TIMEZONE_OFFSET_IGNORED", told)
    return replace(chart, doubts=(*chart.doubts, doubt))


def _offset_s(chart: Chart, born: Birth) -> int | None:
    if chart.moment is not None:
        return chart.moment.utc_offset_s
    noon = born._replace(hour_unknown=False, civil=born.civil.replace(hour=12))
    try:
        return moment(noon).utc_offset_s
    except BaziError:
        return None
