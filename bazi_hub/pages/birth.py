"""The form for a birth: what to ask again where its fields do not settle it, and places for what is being typed."""

from __future__ import annotations

from typing import Any, NamedTuple

from bazi_core.astro.civil import format_offset
from bazi_core.errors import PlaceError
from bazi_core.place.clusters import Place
from bazi_core.place.display import name_shown, region_shown
from bazi_core.place.gazetteer import look_up
from bazi_core.render.phrases import degrees
from bazi_core.tables.sentences import Said
from bazi_hub.pages.chinese import told
from bazi_hub.pages.texts import known, text
from bazi_hub.tools.births import YEARS
from bazi_hub.words.errors import HubError

MOST_CHOICES = 8
_RANGE = dict(zip(("first", "last"), YEARS, strict=True))
# Which field an argument comes from; the date, the time and the coordinates are one question of several fields each.
_FIELD_OF = {
    "birth_year": "y",
    "birth_month": "m",
    "birth_day": "d",
    "birth_hour": "h",
    "birth_minute": "i",
    "gender": "g",
    "calendar": "cal",
    "leap_month": "leap",
    "location.city_name": "place",
    "location.longitude": "lon",
    "location.latitude": "lat",
    "location.timezone_id": "tz",
    "options.fold": "h",
    "options.profile": "school",
    "options.time_basis": "basis",
    "options.day_boundary": "turn",
    "options.late_zi_hour_stem": "zi",
}
QUESTIONS = {"y": "date", "m": "date", "d": "date", "leap": "date", "h": "time", "i": "time"}
# Which question a reason is about, where a phrase of its own tells it.
_QUESTION_OF_REASON = {
    "AMBIGUOUS_LOCAL_TIME": "time",
    "NONEXISTENT_LOCAL_TIME": "time",
    "ZONE_UNKNOWN": "tz",
    "ZONE_REQUIRED": "tz",
    "OUT_OF_RANGE": "date",
}


class Wrong(NamedTuple):
    """A field of the form, the question that it belongs to, and what is the matter with it."""

    field: str
    question: str
    message: str


class Suggestion(NamedTuple):
    """A place that may be meant: the value that is sent, its name, where it lies, its longitude and zone."""

    value: str
    name: str
    region: str
    at: str


class Fold(NamedTuple):
    """One of two equal readings of the clock."""

    value: str
    shown: str


def said(error: HubError, doubt: PlaceError | None, language: str) -> list[Wrong]:
    """The issues, one for each question; `doubt` is what is the matter with the place, whatever is wrong before it."""
    found: dict[str, Wrong] = {}
    for issue in error.members.get("issues", []):
        field = _FIELD_OF.get(issue["path"], issue["path"])
        question = QUESTIONS.get(field, field)
        if question == "place" and doubt is not None and doubt.data.get("query"):
            told = text(f"birth.{doubt.code}", language)
        else:
            told = _message(issue, question, error.members.get("reason", ""), error, language)
        found.setdefault(question, Wrong(field, question, told))
    return list(found.values())


def _message(issue: Any, question: str, reason: str, error: HubError, language: str) -> str:
    own = f"birth.{reason}"
    if _QUESTION_OF_REASON.get(reason) == question and known(own):
        jump = {name: str(error.members.get(name, ""))[11:16] for name in ("nearest_before", "nearest_after")}
        return text(own, language, **jump, **_RANGE)
    # The core says in every language which day of which month there is none of.
    if question == "date" and isinstance(issue["message"], Said):
        return told(issue["message"], language)
    usual = f"birth.wrong.{question}"
    return text(usual, language, **_RANGE) if known(usual) else told(issue["message"], language)


def place_doubt(name: str) -> PlaceError | None:
    """Why a name is no place; None where it is one."""
    try:
        look_up(name)
    except PlaceError as error:
        return error
    return None


def places_meant(doubt: PlaceError | None, language: str) -> list[Suggestion]:
    """The places that could be meant."""
    data = doubt.data if doubt else {}
    found = [each["ref"] for each in data.get("candidates", ())] or data.get("suggestions", [])
    return suggestions([place for name in found[:MOST_CHOICES] if (place := _known(name))], language)


def chosen(values: dict[str, str], language: str) -> list[Suggestion]:
    """The place that was picked for what is in the field, if it is one."""
    picked = values["ref"] if values["asked"] == values["place"] else ""
    place = _known(picked) if picked else None
    return suggestions([place], language) if place and place.ref == picked else []


def _known(ref: str) -> Place | None:
    try:
        return look_up(ref)
    except PlaceError:
        return None


def suggestions(places: Any, language: str) -> list[Suggestion]:
    """Places as the form offers them."""
    return [
        Suggestion(
            place.ref or "",
            name_shown(place.ref, place.name, language),
            region_shown(place.ref, place.admin, place.country, language),
            f"{shown_longitude(place.longitude)} · {place.timezone_id}",
        )
        for place in places
    ]


def shown_longitude(longitude: float | None) -> str:
    """`116.407°E`."""
    told = degrees(longitude or 0.0)
    return f"{told[:-1]}°{told[-1]}"


def folds(error: HubError, language: str) -> list[Fold]:
    """The two readings of a clock that went back."""
    return [
        Fold(
            str(reading["fold"]),
            text(f"birth.fold.{reading['fold']}", language, offset=format_offset(reading["utc_offset_s"])),
        )
        for reading in error.members.get("readings") or []
    ]
