"""Arguments as models write them: what is meant where that is certain, and what to write where it is not.

`written.csv` holds the names and words that people and models use in place of those of the schemas. A word of the calendar
is taken for the one it means; a name, a language or a number in quotes is refused, and the issue says what to use.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bazi_core.alphabet import HourBranch
from bazi_core.astro.eras import number
from bazi_core.birth import gender_of
from bazi_core.dates import MONTHS
from bazi_core.errors import BaziError, UnknownOption
from bazi_core.hours import meant, time_at
from bazi_hub.words.errors import Issue
from bazi_hub.words.languages import narrated

UNKNOWN = "Unknown argument"
# Characters of a number in quotes; of a name that is compared with others; names that are compared in one call.
_LONGEST_NUMBER, _LONGEST_NAME, _MOST_COMPARED = 20, 40, 8
# Characters of a value whose words are understood; of the name of a month.
_LONGEST_VALUE, _SHORTEST_MONTH = 40, 3
_WITH_UNIT = re.compile(r"(\d{1,4})\s?(?:st|nd|rd|th|年|月|日|号|號|时|時|点|點|分)?", re.ASCII)
_HANZI_NUMBER = re.compile(r"[一二三四五六七八九]?十?[一二三四五六七八九]?(?<=.)")

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
            advice = _argument(issue.path, names, compared <= _MOST_COMPARED)
            say = f"{UNKNOWN} {issue.path}: {advice}" if advice else UNKNOWN
            found.append(Issue(issue.path, say))
        else:
            instead = _instead(issue, _at(arguments, issue.path))
            found.append(Issue(issue.path, f"{issue.message}: {instead}") if instead else issue)
    return found


def _names(schema: dict[str, Any], within: str = "") -> list[str]:
    """The dotted paths of all arguments."""
    found = []
    for name, member in schema.get("properties", {}).items():
        found += [f"{within}{name}", *_names(member, f"{within}{name}.")]
    return found


def _argument(path: str, names: list[str], compare: bool) -> str:
    """What to do about an argument that is not known: those to use, or to leave it out; nothing where nothing is near."""
    name = path.rpartition(".")[2].lower().replace("-", "_").replace(" ", "_")[:_LONGEST_NAME]
    if ("left_out", path) in _MEANT:
        return "leave it out, nothing is calculated from it"
    # Within an argument that is itself a set of arguments, these stand below it.
    above = f"{path.partition('.')[0]}."
    meant = _MEANT.get(("argument", name), "").split()
    uses = [
        use
        for each in meant
        for use in (each, f"{above}{each}")
        if use in names and ("." in path or use == each)
    ]
    if uses:
        return f"use {', '.join(uses)}"
    if not compare:
        return ""
    last = {each.rpartition(".")[2]: each for each in reversed(names)}
    return next((f"use {last[near]}" for near in get_close_matches(name, last, 1, 0.8)), "")


def _instead(issue: Issue, value: Any) -> str:
    """What to write in place of a value that is wrong; nothing where that is not known."""
    name = issue.path.rpartition(".")[2]
    if issue.message.startswith("Expected object"):
        if member := _MEANT.get(("member", name)):
            return f"use {member}"
        tool = _MEANT.get(("answered_by", name))
        return f"use what {tool} answered, or its handle" if tool else ""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
        if type(value) is int and issue.message.startswith("Expected integer"):
            return f"write {value}, not a list"
    if not isinstance(value, str) or len(value) > _LONGEST_VALUE:
        return ""
    written = value.strip().lower()
    if name == "language":
        return f"use {_MEANT.get(('language', written)) or narrated(value)}" if written else ""
    if issue.message.startswith("Expected integer"):
        if (number := _number_in(value, whole=True)) or ("unknown", written) in _MEANT:
            return f"write {number}, without quotes" if number else "write null" * (name in _MAY_BE_UNKNOWN)
        return _READERS.get(name, _numbered)(written)
    if issue.message.startswith("Expected number"):
        number = _number_in(value, whole=False)
        return f"write {number}, without quotes" if number else ""
    return ""


def _hour_written(text: str) -> str:
    """The hour and minute of a time in words or of a clock.

    >>> _hour_written("1:30 pm"), _hour_written("午时")
    ('write 13, and birth_minute 30', 'write 12, and birth_minute 0: the middle of 午时')
    >>> _hour_written("子时")
    'write 0 where the day begins, or 23 where it ends, and birth_minute 30'
    """
    match = time_at(text, 0) or time_at(f"{text}时", 0)
    if match is None:
        return _numbered(text)
    try:
        time = meant(match)
    except BaziError:
        return ""
    if time.named is not None:
        if time.named is HourBranch.子:
            return "write 0 where the day begins, or 23 where it ends, and birth_minute 30"
        hour, minute = divmod(time.named.start_hour * 60 + time.named.length_hours * 30, 60)
        return f"write {hour}, and birth_minute {minute}: the middle of {time.named.value}时"
    told = [(reading.time[0], reading.time[1]) for reading in time.readings]
    return " or ".join(f"write {hour}, and birth_minute {minute}" for hour, minute in dict.fromkeys(told))


def _month_written(text: str) -> str:
    """The number of a month by its name, a leap month too.

    >>> _month_written("闰五月"), _month_written("may"), _month_written("腊月")
    ('write 5, with calendar lunar and leap_month true', 'write 5', 'write 12, with calendar lunar')
    """
    name = text.rstrip(".月")
    leap = name.startswith(("闰", "閏"))
    name = name.lstrip("闰閏")
    if name.isascii() and len(name) >= _SHORTEST_MONTH and name.isalpha():
        return next((f"write {at}" for at, month in enumerate(MONTHS, 1) if month.startswith(name)), "")
    lunar = _MEANT.get(("month", name))
    told = _numbered(lunar or name)
    if told and leap:
        return f"{told}, with calendar lunar and leap_month true"
    return f"{told}, with calendar lunar" if lunar else told


def _numbered(text: str) -> str:
    """The number that stands before or within a unit of the calendar: 15th, 1990年, 初五.

    >>> _numbered("15th"), _numbered("1990年"), _numbered("廿三"), _numbered("about 15")
    ('write 15', 'write 1990', 'write 23', '')
    """
    match = _WITH_UNIT.fullmatch(text)
    told = match[1] if match else _counted(text)
    return f"write {int(told)}" if told else ""


def _counted(text: str) -> str:
    """The digits of a number in hanzi below 100; nothing for other text."""
    plain = text.lstrip("初").rstrip("日号號").replace("廿", "二十").replace("卅", "三十")
    return str(number(plain)) if _HANZI_NUMBER.fullmatch(plain) else ""


_MAY_BE_UNKNOWN = ("birth_hour", "birth_minute")
_READERS = {"birth_hour": _hour_written, "birth_month": _month_written}


def _number_in(text: str, *, whole: bool) -> str:
    """The number that a text is."""
    if len(text) <= _LONGEST_NUMBER:
        with suppress(ValueError):
            return str(int(text))
        with suppress(ValueError):
            value = float(text)
            if value.is_integer():
                return str(int(value))
            if not whole and value == value and abs(value) != float("inf"):
                return str(value)
    return ""


def _at(value: Any, path: str) -> Any:
    """The value at a dotted path; None where there is none."""
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
