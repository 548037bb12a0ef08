"""Birth arguments: their schema, and the chart that they state.

The calendar is Gregorian unless it is said to be lunar. Coordinates win over those of the named place, its zone over an
offset, and a named zone over both: agents send the offset of today, which misses the daylight saving of then. An offset
decides only where the name is not known, beside a longitude; one that differs from the zone's is told by `OFFSET_DIFFERS`.
"""

from __future__ import annotations

from typing import Any

from bazi_core.astro.lunar_text import is_lunar
from bazi_core.astro.terms import FIRST_YEAR, LAST_YEAR
from bazi_core.birth import Birth, birth
from bazi_core.face import Chart, cast
from bazi_core.facts import composed
from bazi_core.place.gazetteer import look_up
from bazi_core.place.zones import canonical_key
from bazi_core.school import DEFAULT, OPTIONS, PROFILES, School
from bazi_core.when import gregorian, parse_offset
from bazi_hub.tools.argument_reader import WRONG, ArgumentReader
from bazi_hub.tools.arguments import rule
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.rehydrate import unwrapped
from bazi_hub.tools.written import helped, plain
from bazi_hub.words.errors import Issue

# A birth in the first or last year of the tables has no term on one side.
YEARS = (FIRST_YEAR + 1, LAST_YEAR - 1)

LOCATION: dict[str, Any] = {
    "type": "object",
    "description": (
        "Where the person was born. Only city_name is needed; an unknown name needs longitude and timezone_id. "
        "Given coordinates win over the name; its zone counts. timezone_offset decides only for an unknown name, beside "
        "longitude and without timezone_id."
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
        "timezone_id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "IANA (Asia/Shanghai) or UTC+8."},
        "timezone_offset": {"type": "number", "minimum": -16, "maximum": 16, "description": "Hours ahead of UTC."},
    },
    "required": ["city_name"],
    "additionalProperties": False,
}  # fmt: skip


ALL_OPTIONS: dict[str, Any] = {
    "profile": {"type": "string", "enum": list(PROFILES)},
    **{name: {"type": "string", "enum": list(allowed)} for name, allowed in OPTIONS.items()},
    "fold": {"type": "integer", "enum": [0, 1], "description": "Which of two equal clock readings: 0 the first."},
    "boundary_window_s": {"type": "integer", "minimum": 0, "maximum": 86_400},
    "star_variants": {"type": "object", "additionalProperties": {"type": "string"}},
    "yong_weights": {"type": "object", "additionalProperties": {"type": "number"}},
}  # fmt: skip
# Those that people set are listed; every client pays for the list in tokens.
LISTED_OPTIONS = (
    "profile", "time_basis", "day_boundary", "late_zi_hour_stem", "year_boundary", "luck_start", "fold",
)  # fmt: skip
OPTIONS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": (
        "Choices in which schools differ; what is left out takes the default of the profile. Other options of the School "
        "may be given too."
    ),
    "properties": {name: ALL_OPTIONS[name] for name in LISTED_OPTIONS},
    "additionalProperties": True,
}
_WHOLE_OPTIONS: dict[str, Any] = {
    "type": "object",
    "properties": {"options": {"type": "object", "properties": ALL_OPTIONS, "additionalProperties": False}},
}
_wrong_options = rule(_WHOLE_OPTIONS)


BIRTH: dict[str, dict[str, Any]] = {
    "birth_year": {
        "type": "integer",
        "minimum": YEARS[0],
        "maximum": YEARS[1],
        "description": "Year in the calendar.",
    },
    "birth_month": {"type": "integer", "minimum": 1, "maximum": 12},
    "birth_day": {"type": "integer", "minimum": 1, "maximum": 31},
    "birth_hour": {
        "anyOf": [{"type": "integer", "minimum": 0, "maximum": 23}, {"type": "null"}],
        "description": "Hour on the clock of the place, daylight saving included; null when the hour is unknown.",
    },
    "birth_minute": {
        "anyOf": [{"type": "integer", "minimum": 0, "maximum": 59}, {"type": "null"}],
        "description": "Null or 0 when the hour is unknown.",
    },
    "gender": {"type": "string", "enum": ["male", "female"], "description": "Decides the direction of luck."},
    "location": LOCATION,
    "calendar": {
        "type": "string",
        "enum": ["gregorian", "lunar"],
        "default": "gregorian",
        "description": "Of year, month and day: lunar for a date of the 农历.",
    },
    "leap_month": {
        "type": "boolean",
        "default": False,
        "description": "With calendar lunar: the leap month (闰月).",
    },
    "options": OPTIONS_SCHEMA,
}
_OPTIONAL = ("calendar", "leap_month", "options")
REQUIRED = [name for name in BIRTH if name not in _OPTIONAL]
_STATED = ("city_name", "longitude", "latitude", "timezone_id", "timezone_offset")


def prepared(arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Issue]]:
    """The arguments with objects taken out of results and the gender as the schema writes it, and nothing wrong with them.

    >>> prepared({"gender": "女"}), prepared({"gender": "x"})
    (({'gender': 'female'}, []), ({'gender': 'x'}, []))
    """
    arguments, wrong = unwrapped(arguments)
    if isinstance(arguments.get("birth"), dict):
        arguments["birth"] = plain(arguments["birth"])
    return plain(arguments), wrong


def chart_of(arguments: dict[str, Any]) -> Chart:
    """The chart of birth arguments that the schema let pass; `BadArguments` for what cannot be."""
    given = ArgumentReader(arguments)
    found = chart(given)
    given.settled()
    return found


def chart_within(name: str, arguments: dict[str, Any]) -> Chart:
    """The chart of birth arguments that are themselves the argument `name`."""
    try:
        return chart_of(arguments)
    except BadArguments as error:
        issues = (Issue(f"{name}.{issue.path}", issue.message) for issue in error.issues)
        raise BadArguments(*issues, error=error.error) from None


def chart(given: ArgumentReader) -> Chart:
    """The chart of birth arguments, found as far as they are right."""
    parts = (given["birth_year"], given["birth_month"], given["birth_day"])
    day = given.find(_day, *parts, given["calendar"], given["leap_month"])
    clock = given.find(_clock, given["birth_hour"], given["birth_minute"])
    location, claimed = _located(given)
    school = given.find(_school, given["options"])
    # Neither the moment nor the place waits for a gender.
    gender = None if given["gender"] is WRONG else given["gender"]
    born = given.find(_birth, day, clock, location, school, given.member("options", "fold"), gender)
    if claimed is not None and born is not WRONG:
        born = born._replace(claimed_offset_s=claimed)
    return given.find(cast, born, school)


def _day(year: int, month: int, day: int, calendar: str | None, leap: bool | None) -> str:
    """The date as the core reads it. Whether a lunar date exists is known with the place, whose calendar counts."""
    if calendar == "lunar":
        return f"农历{year}年{'闰' if leap else ''}{month}月{day}日"
    if leap:
        raise BadArguments(Issue("leap_month", "Only with calendar lunar"))
    return gregorian(year, month, day).isoformat()


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
    given = {"options": options or {}}
    if wrong := _wrong_options("", given):
        raise BadArguments(*helped(_WHOLE_OPTIONS, given, wrong))
    chosen = {name: value for name, value in (options or {}).items() if name != "fold"}
    if not chosen:
        return DEFAULT
    return School.named(chosen.pop("profile", "ziping"), **chosen)


def _birth(
    day: str,
    clock: str | None,
    location: dict[str, Any],
    school: School,
    fold: int | None,
    gender: str | None,
) -> Birth:
    return birth(
        day if clock is None else f"{day} {clock}",
        gender=gender,
        hour_unknown=clock is None,
        calendar=None if is_lunar(day) else "gregorian",
        fold=fold,
        school=school,
        **location,
    )


def _located(given: ArgumentReader) -> tuple[dict[str, Any], int | None]:
    """The arguments of `birth` for a location, and the offset that a named zone overrules, if one does."""
    name, longitude, latitude, zone, offset = (given.member("location", member) for member in _STATED)
    # Put together as it is counted, so that the longest name fits the core.
    name = given.find(composed, name)
    given.find(_known_or_placed, name, longitude, zone, offset)
    given.find(_beside_longitude, latitude, longitude)
    key = zone if zone is None else given.find(canonical_key, zone)
    location = given.find(_location, name, longitude, latitude, key, offset)
    overruled = zone is not None and offset is not None and offset is not WRONG
    return location, parse_offset(offset) if overruled else None


def _known_or_placed(name: str, longitude: float | None, zone: str | None, offset: float | None) -> None:
    """An unknown name of a place needs a longitude and a clock beside it."""
    if longitude is None or (zone is None and offset is None):
        look_up(name)


def _beside_longitude(latitude: float | None, longitude: float | None) -> None:
    if latitude is not None and longitude is None:
        raise BadArguments(Issue("location.latitude", "Needs longitude beside it"))


def _location(
    name: str, longitude: float | None, latitude: float | None, zone: str | None, offset: float | None
) -> dict[str, Any]:
    clock = {"utc_offset": offset} if zone is None else {"tz": zone}
    # A latitude alone has been refused already.
    beside = None if longitude is None else latitude
    return {"city": name, "longitude": longitude, "latitude": beside, **clock}
