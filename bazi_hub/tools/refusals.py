"""Errors of the core as the hub answers them: `INVALID_INPUT` at the argument, or a fault that is not the caller's."""

from __future__ import annotations

from typing import Any

from bazi_core.errors import BaziError
from bazi_core.tables.sentences import Listed
from bazi_hub.tools.arguments import Described
from bazi_hub.words.errors import HubError, Issue, invalid_input

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
    "INVALID_LUNAR_DATE": "birth_day",
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
FAULTS = frozenset({"EPHEMERIS_MISSING", "DATA_CORRUPT", "COST_LIMIT"})
_RESERVED = frozenset({"detail", "issues", "reason", "request_id"})


class BadArguments(Exception):
    """Arguments with issues. `error` is the first that the core found, in the order of the arguments."""

    def __init__(self, *issues: Issue, error: BaziError | None = None) -> None:
        super().__init__(*issues)
        self.issues = list(issues)
        self.error = error


def refusal(tool: Described, error: BaziError | BadArguments) -> HubError:
    """The hub's error for what the core refused, or for all that is wrong with arguments.

    `reason` and what stands beside it are those of the first error of the core; issues come in the order of the arguments.

    >>> from bazi_core.errors import AmbiguousLocalTime
    >>> from bazi_hub.tools.catalog import TOOLS
    >>> refusal(TOOLS[3], AmbiguousLocalTime("came twice", readings=[])).members["issues"]
    [{'path': 'birth_hour', 'message': 'came twice; say with options.fold which of the two is meant'}]
    """
    issues, first = (
        (error.issues, error.error) if isinstance(error, BadArguments) else ([issue_of(error)], error)
    )
    if first is None:
        return invalid_input(tool.name, _in_order(tool, issues))
    if first.code in FAULTS:
        return HubError("CONFIG_ERROR", "The hub is not configured for this tool")
    companions = {name: value for name, value in first.data.items() if name not in _RESERVED}
    return invalid_input(tool.name, _in_order(tool, issues), reason=first.code, **companions)


def _in_order(tool: Described, issues: list[Issue]) -> list[Issue]:
    """The issues in the order of the schema; those about no argument come last."""
    places = {name: place for place, name in enumerate(tool.schema["properties"])}
    return sorted(
        dict.fromkeys(issues), key=lambda issue: places.get(issue.path.partition(".")[0], len(places))
    )


def issue_of(error: BaziError) -> Issue:
    """The issue of an error of the core: at its argument, with a hint."""
    hint = _HINTS.get(error.code)
    # Pages tell the sentence of the core in their own language; for programs it is its English text.
    return Issue(path_of(error), Listed([error.message, hint], "; ") if hint else error.message)


def path_of(error: BaziError) -> str:
    """The dotted path of the argument that an error is about."""
    data: dict[str, Any] = error.data
    if data.get("path"):
        return str(data["path"])
    if error.code in ("INVALID_DATETIME", "AMBIGUOUS_DATETIME"):
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
        return "target_year" if data.get("quantity") == "target_year" else "birth_year"
    return _PATHS.get(error.code) or str(data.get("field") or "arguments")
