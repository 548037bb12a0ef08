"""Arguments as models write them: what is meant where that is certain, and what to write where it is not.

`written.csv` holds the names and words that people and models use in place of those of the schemas. A word of the calendar
is taken for the one it means; a name, a language or a number in quotes is refused, and the issue says what to use.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bazi_core.birth import gender_of
from bazi_core.errors import UnknownOption
from bazi_hub.words.errors import Issue
from bazi_hub.words.languages import narrated

UNKNOWN = "Unknown argument"
# Characters of a number in quotes; of a name that is compared with others; names compared in a call.
_LONGEST_NUMBER, _LONGEST_NAME, _MOST_COMPARED = 20, 40, 8

with (Path(__file__).parent / "written.csv").open(encoding="utf-8", newline="") as _table:
    _MEANT = {(kind, written): meant for kind, written, meant in list(csv.reader(_table))[1:]}


def plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with gender and calendar as the schema writes them, where they are known.

    >>> plain({"gender": "女", "calendar": "农历"}), plain({"gender": "x", "calendar": 3})
    ({'gender': 'female', 'calendar': 'lunar'}, {'gender': 'x', 'calendar': 3})
    """
    arguments = dict(arguments)
    with suppress(UnknownOption):
        if isinstance(arguments.get("gender"), str):
            arguments["gender"] = gender_of(arguments["gender"])
    calendar = arguments.get("calendar")
    if isinstance(calendar, str):
        arguments["calendar"] = _MEANT.get(("calendar", calendar.lower()), calendar)
    return arguments


def without_nulls(schema: dict[str, Any], arguments: Any) -> Any:
    """The arguments without those that are null where null says nothing: of what may be left out, and is no value.

    >>> birth = {"properties": {"hour": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "fold": {"type": "integer"}}}
    >>> without_nulls(birth, {"hour": None, "fold": None, "other": None})
    {'hour': None, 'other': None}
    """
    members = schema.get("properties")
    if not isinstance(arguments, dict) or members is None:
        return arguments
    required = schema.get("required", ())
    return {
        name: without_nulls(members[name], value) if name in members else value
        for name, value in arguments.items()
        if value is not None or name in required or name not in members or takes_null(members[name])
    }


def takes_null(schema: dict[str, Any]) -> bool:
    """Whether null is a value of its own."""
    return {"type": "null"} in schema.get("anyOf", ())


def helped(schema: dict[str, Any], arguments: Any, issues: Sequence[Issue]) -> list[Issue]:
    """The issues, each with what to write instead where that is known.

    >>> schema = {"properties": {"birth_hour": {}, "birth_minute": {}}}
    >>> helped(schema, {"birth_time": "13:30"}, [Issue("birth_time", "Unknown argument")])
    [Issue(path='birth_time', message='Unknown argument birth_time: use birth_hour, birth_minute')]
    """
    names = _names(schema)
    found, compared = [], 0
    for issue in issues:
        if issue.message == UNKNOWN:
            compared += 1
            meant = _argument(issue.path, names, compared <= _MOST_COMPARED)
            say = f"{UNKNOWN} {issue.path}: use {meant}" if meant else UNKNOWN
            found.append(Issue(issue.path, say))
        else:
            instead = _instead(schema, issue, _at(arguments, issue.path))
            found.append(Issue(issue.path, f"{issue.message}: {instead}") if instead else issue)
    return found


def _names(schema: dict[str, Any], within: str = "") -> list[str]:
    """The dotted paths of all arguments."""
    found = []
    for name, member in schema.get("properties", {}).items():
        found += [f"{within}{name}", *_names(member, f"{within}{name}.")]
    return found


def _argument(path: str, names: list[str], compare: bool) -> str:
    """The arguments to use in place of one that is not known; nothing where nothing is near."""
    name = path.rpartition(".")[2].lower().replace("-", "_").replace(" ", "_")[:_LONGEST_NAME]
    meant = [use for use in _MEANT.get(("argument", name), "").split() if use in names]
    if meant or not compare:
        return ", ".join(meant)
    last = {each.rpartition(".")[2]: each for each in reversed(names)}
    return next((last[near] for near in get_close_matches(name, last, 1, 0.8)), "")


def _instead(schema: dict[str, Any], issue: Issue, value: Any) -> str:
    """What to write in place of a value that is wrong; nothing where that is not known."""
    if not isinstance(value, str):
        return ""
    name = issue.path.rpartition(".")[2]
    if issue.message.startswith(("Expected integer", "Expected number")):
        number = _number_in(value, whole=issue.message.startswith("Expected integer"))
        return f"write {number}, without quotes" if number else ""
    if name == "language":
        return f"use {_MEANT.get(('language', value.strip().lower()[:_LONGEST_NAME])) or narrated(value)}"
    if issue.message.startswith("Expected object"):
        members = schema.get("properties", {}).get(name, {}).get("required", [])
        return ", ".join(f"use {name}.{member}" for member in members)
    return ""


def _number_in(text: str, *, whole: bool) -> str:
    """The number that a text is."""
    if len(text) <= _LONGEST_NUMBER:
        with suppress(ValueError):
            return str(int(text))
        with suppress(ValueError):
            number = float(text)
            if number.is_integer():
                return str(int(number))
            if not whole and number == number and abs(number) != float("inf"):
                return str(number)
    return ""


def _at(value: Any, path: str) -> Any:
    """The value at a dotted path; None where there is none."""
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
