"""Objects that clients pass back: unwrapped from whatever result they came in, then made again.

Clients hand over whole results, so each object argument may be the object or a result that contains it, either as JSON text
too, or the handle of the call that made it, in whose place that call's result is put before anything else. Of an object
only `input`, `school` and `target_year` count, with versions and digest to compare (`bazi_core.readings.parents`); one
that names no School or engine is refused, for those of today may be others.
"""

from __future__ import annotations

from collections.abc import Callable
from json import loads
from typing import Any, Generic, NamedTuple, TypeVar

from bazi_core import objects
from bazi_core.errors import BaziError, InvalidInput
from bazi_core.face import Chart
from bazi_core.pattern.result import PatternResult
from bazi_core.readings.parents import of_one_chart
from bazi_core.tables.sentences import Said
from bazi_core.warnings import BaziWarning
from bazi_core.year.result import YearResult
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.errors import Issue

T = TypeVar("T")

UNKNOWN_HANDLE = (
    "Unknown handle; those of this account are known for a day: give the object, or make it again"
)
# Where each object may lie within what was passed.
_WRAPPINGS: dict[str, tuple[tuple[str, ...], ...]] = {
    "base_context": (("base_context",), ("partial", "base_context")),
    "pattern_result": (
        ("pattern_result",),
        ("final_result", "pattern_result"),
        ("partial", "pattern_result"),
    ),
    "year_analysis_result": (("year_analysis_result",), ("final_result",)),
}
# The members by which an object is made again.
_SOURCES = ("input", "school", "target_year")
# And those with which it is compared then; nobody looks at any other.
_COMPARED = ("schema_version", "engine_version", "digest")
# Members without which nobody knows what the object said.
_STATED = ("input", "school", "engine_version")
LONGEST_HANDLE = 64
# An object has some hundred values in these members.
MOST_VALUES = 1000


class Parent(NamedTuple, Generic[T]):
    """An object made again, with a warning where it came from another engine."""

    made: T
    own_warnings: tuple[BaziWarning, ...]


def unwrapped(arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Issue]]:
    """The arguments with every object argument taken out of the result that contains it, as far as it is read, and what is
    too large in them.

    >>> unwrapped({"base_context": {"partial": {"base_context": {"input": {}, "major_luck": {}}}}})
    ({'base_context': {'input': {}}}, [])
    >>> unwrapped({"base_context": {"input": [[]] * 2000}})
    ({'base_context': {}}, [Issue(path='base_context.input', message='Must hold at most 1000 values')])
    """
    arguments, issues = dict(arguments), []
    for name in [wrapping for wrapping in _WRAPPINGS if wrapping in arguments]:
        value = _inside(name, _read(arguments[name]))
        if isinstance(value, dict):
            read = {member: value[member] for member in (*_SOURCES, *_COMPARED) if member in value}
            large = [member for member, inner in read.items() if _holds_more(inner, MOST_VALUES)]
            issues += [
                Issue(f"{name}.{member}", f"Must hold at most {MOST_VALUES} values") for member in large
            ]
            value = {member: inner for member, inner in read.items() if member not in large}
        arguments[name] = value
    return arguments, issues


def handles(arguments: Any) -> dict[str, str]:
    """The handles among the arguments.

    >>> handles({"base_context": "0b1f", "pattern_result": '{"pattern_result": {}}', "question": "4efc"})
    {'base_context': '0b1f'}
    """
    if not isinstance(arguments, dict):
        return {}
    return {
        name: value
        for name, value in arguments.items()
        if name in _WRAPPINGS
        and isinstance(value, str)
        and len(value) <= LONGEST_HANDLE
        and not value.lstrip().startswith("{")
    }


def _read(value: Any) -> Any:
    """The object that a text holds; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return loads(value)
    except (ValueError, RecursionError):
        return value


def _holds_more(value: Any, most: int) -> bool:
    """Whether a value has more than so many values in it; looks at no more."""
    count, waiting = 0, [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict | list):
            count += len(inner)
            if count > most:
                return True
            waiting += inner.values() if isinstance(inner, dict) else inner
    return False


def _inside(name: str, value: Any) -> Any:
    if not isinstance(value, dict) or "input" in value:
        return value
    for path in _WRAPPINGS[name]:
        inner: Any = value
        for part in path:
            inner = inner.get(part) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            return inner
    return value


def sources(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with every object reduced to what it is made from, for the fingerprint of a call."""
    return {
        name: {source: value[source] for source in _SOURCES if source in value}
        if name in _WRAPPINGS and isinstance(value, dict)
        else value
        for name, value in arguments.items()
    }


def base(given: dict[str, Any]) -> Chart:
    """The chart of a `base_context`, made again."""
    return _within("base_context", Chart.from_dict, given)


def pattern(given: dict[str, Any]) -> Parent[PatternResult]:
    """The pattern of a `pattern_result`."""
    return Parent(*_within("pattern_result", objects.pattern_of, given))


def year(given: dict[str, Any]) -> Parent[YearResult]:
    """The year of a `year_analysis_result`."""
    return Parent(*_within("year_analysis_result", objects.year_of, given))


def same_chart(one: Chart, other: Chart, name: str) -> None:
    """Nothing for two of the same input and School; else `DIGEST_MISMATCH` at the argument that the other came from."""
    of_one_chart(one.head(), other.head(), name)


def recomputed(chart: Chart) -> tuple[BaziWarning, ...]:
    """The warning that a chart came from another engine, where it did."""
    return tuple(each for each in chart.own_warnings if each.code == "RECOMPUTED")


def _within(name: str, make: Callable[[dict[str, Any]], T], given: dict[str, Any]) -> T:
    """The object of an argument; its errors get paths within it."""
    if isinstance(given, str):
        raise BadArguments(Issue(name, UNKNOWN_HANDLE))
    if missing := [member for member in _STATED if member not in given]:
        raise BadArguments(*(Issue(f"{name}.{member}", "Required") for member in missing))
    if not isinstance(given["input"], dict):
        raise InvalidInput(Said("named_no_input", name=name), path=f"{name}.input")
    try:
        return make(given)
    except BaziError as error:
        path = str(error.data.get("path") or "")
        if path.startswith(name):
            raise
        data = {**error.data, "path": f"{name}.{path}" if path else name}
        raise type(error)(error.message, hint=error.hint, **data) from None
