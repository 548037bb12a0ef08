"""What the core refuses, as the hub says it: `INVALID_INPUT` at the argument, or a fault that is not the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_hub.errors import HubError, Issue, invalid_input

if TYPE_CHECKING:
    from bazi_core.errors import BaziError

# Where an error of the core belongs, by its code; else its own `path` or `field` says so.
_PATHS = {
    "PLACE_NOT_FOUND": "location.city_name",
    "PLACE_AMBIGUOUS": "location.city_name",
    "ZONE_UNKNOWN": "location.timezone_id",
    "ZONE_REQUIRED": "location.timezone_id",
    "ZONE_CONFLICT": "location.timezone_offset",
    "INVALID_OFFSET": "location.timezone_offset",
    "LONGITUDE_REQUIRED": "location.longitude",
    "CLOCK_NOT_APPLICABLE": "options.clock",
    "NONEXISTENT_LOCAL_TIME": "birth_hour",
    "AMBIGUOUS_LOCAL_TIME": "birth_hour",
    "CALENDAR_REQUIRED": "birth_year",
    "UNKNOWN_PROFILE": "options.profile",
    "QUESTION_TOO_LONG": "question",
}
# How to go on, in the words of the tools' arguments; the core's own hints name those of its functions.
_HINTS = {
    "PLACE_NOT_FOUND": "give longitude and timezone_id beside the name",
    "PLACE_AMBIGUOUS": "give the ref of one of the candidates as city_name",
    "ZONE_REQUIRED": "give timezone_id, or timezone_offset beside longitude",
    "AMBIGUOUS_LOCAL_TIME": "say with options.fold which of the two is meant",
    "NONEXISTENT_LOCAL_TIME": "the clock jumped over this reading",
}
# Not the caller's doing: the installation lacks something.
_FAULTS = frozenset({"EPHEMERIS_MISSING", "DATA_CORRUPT", "COST_LIMIT"})
_RESERVED = frozenset({"detail", "issues", "reason", "request_id"})


class BadArguments(Exception):
    """What is wrong with arguments beside each other, each of which fits the schema."""

    def __init__(self, *issues: Issue) -> None:
        super().__init__(*issues)
        self.issues = list(issues)


def refusal(tool: str, error: BaziError) -> HubError:
    """The hub's error for one of the core.

    >>> from bazi_core.errors import AmbiguousLocalTime
    >>> refusal("t", AmbiguousLocalTime("came twice", readings=[])).members["issues"]
    [{'path': 'birth_hour', 'message': 'came twice; say with options.fold which of the two is meant'}]
    """
    if error.code in _FAULTS:
        return HubError("CONFIG_ERROR", "The hub is not configured for this tool")
    hint = _HINTS.get(error.code)
    message = f"{error.message}; {hint}" if hint else error.message
    companions = {name: value for name, value in error.data.items() if name not in _RESERVED}
    return invalid_input(tool, [Issue(path_of(error), message)], reason=error.code, **companions)


def path_of(error: BaziError) -> str:
    """The dotted path of the argument that an error is about."""
    data: dict[str, Any] = error.data
    if error.code == "INVALID_DATETIME":
        return (
            f"birth_{data['reason']}"
            if data.get("reason") in ("month", "day", "hour", "minute")
            else "birth_day"
        )
    if error.code == "UNKNOWN_OPTION":
        return (
            str(data["name"])
            if data.get("name") in ("language", "tone", "length")
            else f"options.{data.get('name')}"
        )
    if error.code == "INVALID_COORDINATES":
        return f"location.{data.get('field')}"
    if error.code == "OUT_OF_RANGE":
        return "target_year" if data.get("quantity") == "target_year" else str(data.get("path", "birth_year"))
    return _PATHS.get(error.code) or str(data.get("path") or data.get("field") or "arguments")
