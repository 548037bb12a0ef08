"""The form for a birth: its fields as the arguments of a chart, and what to ask again where they do not settle it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bazi_core.astro.civil import format_offset
from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_core.when import parse_date, parse_when
from bazi_hub.pages.chinese import told
from bazi_hub.pages.texts import known, text
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import checked
from bazi_hub.words.errors import HubError

CHART_TOOL = CATALOG["bazi_basic_analysis"]
FIELDS = (
    "date", "time", "hour_unknown", "gender", "city", "asked", "ref", "longitude", "latitude", "timezone_id", "fold",
)  # fmt: skip
LONGEST_FIELD = 100
_NUMBER = re.compile(r"[+-]?([0-9]{1,17}\.?[0-9]{0,17}|\.[0-9]{1,17})")
MOST_CHOICES = 8
# Which field of the form an argument comes from.
_FIELD_OF = {
    "birth_year": "date",
    "birth_month": "date",
    "birth_day": "date",
    "birth_hour": "time",
    "birth_minute": "time",
    "location.city_name": "city",
    "location.longitude": "longitude",
    "location.latitude": "latitude",
    "location.timezone_id": "timezone_id",
    "options.fold": "time",
}
# Which field a reason is about, where a text tells it.
_FIELD_OF_REASON = {
    "PLACE_NOT_FOUND": "city",
    "PLACE_AMBIGUOUS": "city",
    "AMBIGUOUS_LOCAL_TIME": "time",
    "NONEXISTENT_LOCAL_TIME": "time",
    "ZONE_UNKNOWN": "timezone_id",
    "ZONE_REQUIRED": "timezone_id",
    "OUT_OF_RANGE": "date",
}


class FieldChoice(NamedTuple):
    """Values of a field that would settle it, each with what a reader sees."""

    field: str
    options: list[tuple[str, str]]


class Wrong(NamedTuple):
    """A field of the form and its error."""

    field: str
    message: str


def fields(form: dict[str, str]) -> dict[str, str]:
    """The fields of the form, no longer than they can be."""
    return {name: form.get(name, "").strip()[:LONGEST_FIELD] for name in FIELDS}


def arguments(values: dict[str, str]) -> dict[str, Any]:
    """The arguments that a form states; what cannot be a number stays text, for the schema to refuse."""
    year, month, day = _date(values["date"])
    hour, minute = [*values["time"].split(":"), "", ""][:2]
    unknown = bool(values["hour_unknown"])
    # A place that was chosen stands for the name that was asked about, not for one typed since.
    chosen = values["ref"] if values["asked"] == values["city"] else ""
    location: dict[str, Any] = {"city_name": chosen or values["city"]}
    for name in ("longitude", "latitude"):
        if values[name]:
            location[name] = _number(values[name], float)
    if values["timezone_id"]:
        location["timezone_id"] = values["timezone_id"]
    options = {"options": {"fold": _number(values["fold"], int)}} if values["fold"] else {}
    return {
        "birth_year": _number(year, int),
        "birth_month": _number(month, int),
        "birth_day": _number(day, int),
        "birth_hour": None if unknown else _number(hour, int),
        "birth_minute": None if unknown else _number(minute, int),
        "gender": values["gender"],
        "location": location,
        **options,
    }


def _date(text: str) -> list[str]:
    """Year, month and day of a date in any Gregorian spelling that the command reads; else what stands between its dashes.

    >>> _date("1990-05-15") == _date("May 15, 1990") == _date("1990年5月15日") == ["1990", "5", "15"]
    True
    """
    try:
        return [str(part) for part in parse_date(parse_when(text).date_text)]
    except BaziError:
        return [*text.split("-"), "", "", ""][:3]


def chart_of(arguments: dict[str, Any]) -> Chart:
    """The chart of the arguments; `BadArguments` with every issue."""
    chart: Chart = checked(CHART_TOOL, arguments).subject
    return chart


def said(error: HubError, language: str) -> list[Wrong]:
    """The issues, field by field."""
    reason = error.members.get("reason", "")
    found: dict[str, Wrong] = {}
    for issue in error.members.get("issues", []):
        field = _FIELD_OF.get(issue["path"], issue["path"])
        own = f"birth.{reason}" if _FIELD_OF_REASON.get(reason) == field else f"birth.wrong.{field}"
        found.setdefault(
            field, Wrong(field, text(own, language) if known(own) else told(issue["message"], language))
        )
    return list(found.values())


def choice(error: HubError, language: str) -> FieldChoice | None:
    """The values that could be meant, where the hub knows them."""
    members = error.members
    places = members.get("candidates") or members.get("suggestions")
    if isinstance(places, list) and places:
        shown = [_place(place) for place in places[:MOST_CHOICES]]
        return FieldChoice("ref", [each for each in shown if each])
    readings = members.get("readings")
    if isinstance(readings, list) and readings:
        return FieldChoice(
            "fold",
            [
                (
                    str(reading["fold"]),
                    text(
                        f"birth.fold.{reading['fold']}",
                        language,
                        offset=format_offset(reading["utc_offset_s"]),
                    ),
                )
                for reading in readings
            ],
        )
    return None


def _place(found: Any) -> tuple[str, str]:
    """A place that may be meant: the value that is sent and the text that is read."""
    if isinstance(found, str):
        return found, found
    parts = (found.get(name) for name in ("name", "admin", "country"))
    return str(found.get("ref") or found.get("name")), ", ".join(str(part) for part in parts if part)


def _number(text: str, kind: type[int] | type[float]) -> Any:
    return kind(text) if _NUMBER.fullmatch(text) and (kind is float or "." not in text) else text
