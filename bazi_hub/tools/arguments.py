"""Arguments against the published schema: every problem at once, at dotted paths, in words.

The schema that clients see is the one that is enforced, made into functions once. Of JSON Schema 2020-12 it knows what the
catalogue uses, and a keyword that it does not know is an error when the catalogue is made. A number with an integral value
is an integer (`1985.0` is), strings and booleans are not; that is how JSON Schema counts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import gt, lt
from typing import Any, Protocol

from bazi_core.errors import shown
from bazi_hub.tools.written import UNKNOWN, helped, takes_null
from bazi_hub.words.errors import MOST_TOLD, Issue
from bazi_hub.words.text_rules import characters, too_long

# What is wrong with the value at a path: mostly nothing.
Rule = Callable[[str, Any], Sequence[Issue]]

LONGEST_SHOWN = 60
NONE: tuple[Issue, ...] = ()
_NOTES = frozenset({"description", "default", "title"})


class Described(Protocol):
    """The part of a tool that its arguments are held against."""

    @property
    def name(self) -> str: ...

    @property
    def schema(self) -> dict[str, Any]: ...

    def __hash__(self) -> int: ...


def problems(tool: Described, arguments: Any) -> list[Issue]:
    """Every issue of the arguments of a tool, sorted by path."""
    found = _rule_of(tool)("", arguments)
    return helped(tool.schema, arguments, sorted(set(found))) if found else []


def whole(value: Any) -> Any:
    """The same JSON value with integral numbers as integers, so that `1985.0` and `1985` are one argument.

    >>> whole({"birth_year": 1985.0, "longitude": 116.4})
    {'birth_year': 1985, 'longitude': 116.4}
    """
    kind = type(value)
    if kind is dict or isinstance(value, dict):
        return {name: member if type(member) in _WHOLE else whole(member) for name, member in value.items()}
    if kind is list or isinstance(value, list):
        return [member if type(member) in _WHOLE else whole(member) for member in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = frozenset((int, str, bool, type(None)))


@cache
def _rule_of(tool: Described) -> Rule:
    return rule(tool.schema)


def rule(schema: dict[str, Any]) -> Rule:
    """The function that gives the issues of a value.

    >>> [*rule({"type": "object", "required": ["a"], "properties": {}})("x", {})]
    [Issue(path='x.a', message='Required')]
    """
    if "anyOf" in schema:
        return _any_of(schema["anyOf"])
    kind = _KINDS[schema["type"]]
    keywords = [keyword for keyword in schema if keyword not in (*_NOTES, "type")]
    # What is too long is looked at no further.
    bounds, rules = (
        [_RULES[keyword](schema[keyword], schema) for keyword in keywords if (keyword in _MOST) is first]
        for first in (True, False)
    )

    def check(path: str, value: Any) -> Sequence[Issue]:
        if not kind(value):
            return [Issue(path or "arguments", f"Expected {schema['type']}, got {_name(value)}")]
        for bound in bounds:
            if wrong := bound(path, value):
                return wrong
        found: Sequence[Issue] = NONE
        for each in rules:
            if wrong := each(path, value):
                found = [*found, *wrong]
        return found

    return check


def _any_of(schemas: list[dict[str, Any]]) -> Rule:
    """The rule of one of several kinds, each of another type: that of the kind which the value is of."""
    kinds = [(_KINDS[schema["type"]], rule(schema)) for schema in schemas]
    names = " or ".join(schema["type"] for schema in schemas)

    def check(path: str, value: Any) -> Sequence[Issue]:
        for kind, each in kinds:
            if kind(value):
                return each(path, value)
        return [Issue(path or "arguments", f"Expected {names}, got {_name(value)}")]

    return check


def required(member: dict[str, Any]) -> str:
    """What is said of an argument that is missing."""
    return "Required; null if unknown, never a guess" if takes_null(member) else "Required"


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_KINDS: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _number,
    "integer": lambda value: _number(value) and (isinstance(value, int) or value.is_integer()),
}


def _name(value: Any) -> str:
    return next(
        name for name in ("object", "array", "string", "boolean", "null", "number") if _KINDS[name](value)
    )


def _at(path: str, name: Any) -> str:
    return f"{path}.{name}" if path else str(name)


def _properties(members: dict[str, Any], schema: dict[str, Any]) -> Rule:
    rules = {name: rule(member) for name, member in members.items()}

    def check(path: str, value: Any) -> Sequence[Issue]:
        found: Sequence[Issue] = NONE
        if isinstance(value, dict):
            for name, each in rules.items():
                if name in value and (wrong := each(_at(path, name), value[name])):
                    found = [*found, *wrong]
        return found

    return check


def _required(names: list[str], schema: dict[str, Any]) -> Rule:
    told = [(name, required(schema.get("properties", {}).get(name, {}))) for name in names]

    def check(path: str, value: Any) -> Sequence[Issue]:
        if not isinstance(value, dict):
            return NONE
        return [Issue(_at(path, name), say) for name, say in told if name not in value]

    return check


def _additional(allowed: Any, schema: dict[str, Any]) -> Rule:
    known = schema.get("properties", {})
    others = None if isinstance(allowed, bool) else rule(allowed)

    def check(path: str, value: Any) -> Sequence[Issue]:
        if allowed is True or not isinstance(value, dict):
            return NONE
        unknown = [name for name in value if name not in known]
        found: list[Issue] = []
        for name in unknown[:MOST_TOLD]:
            at = _at(path, shown(name, LONGEST_SHOWN))
            found += [Issue(at, UNKNOWN)] if others is None else others(at, value[name])
        if len(unknown) > MOST_TOLD:
            found.append(Issue(path or "arguments", f"{len(unknown) - MOST_TOLD} more are unknown"))
        return found

    return check


def _items(schema_of_items: dict[str, Any], schema: dict[str, Any]) -> Rule:
    each = rule(schema_of_items)

    def check(path: str, value: Any) -> Sequence[Issue]:
        if not isinstance(value, list):
            return NONE
        return [issue for number, item in enumerate(value) for issue in each(_at(path, number), item)]

    return check


def _enum(allowed: list[Any], schema: dict[str, Any]) -> Rule:
    listed = ", ".join(map(str, allowed))

    def check(path: str, value: Any) -> Sequence[Issue]:
        # True is 1 in Python and not in JSON.
        if isinstance(value, bool) or value not in allowed:
            return [Issue(path, f"Expected one of {listed}, got {shown(value, LONGEST_SHOWN)}")]
        return NONE

    return check


def _bound(
    kind: Callable[[Any], bool], breaks: Callable[[Any, Any], bool], say: Callable[[Any, Any], str]
) -> Any:
    """A keyword that compares a value of a kind with a limit."""

    def made(limit: Any, schema: dict[str, Any]) -> Rule:
        def check(path: str, value: Any) -> Sequence[Issue]:
            return [Issue(path, say(limit, value))] if kind(value) and breaks(value, limit) else NONE

        return check

    return made


def _pattern(pattern: str, schema: dict[str, Any]) -> Rule:
    # In JSON Schema `$` is the end; in Python it would let a line end pass.
    expression = re.compile(pattern.removesuffix("$") + (r"\Z" if pattern.endswith("$") else ""))

    def check(path: str, value: Any) -> Sequence[Issue]:
        if isinstance(value, str) and not expression.search(value):
            return [Issue(path, f"Not in the right form: {shown(value, LONGEST_SHOWN)}")]
        return NONE

    return check


def _length(value: Any) -> int:
    return characters(value) if isinstance(value, str) else len(value)


def _longest(most: int, schema: dict[str, Any]) -> Rule:
    def check(path: str, value: Any) -> Sequence[Issue]:
        count = too_long(value, most) if isinstance(value, str) else 0
        return [Issue(path, f"Must have at most {most} characters, got {count}")] if count else NONE

    return check


def _least(least: int, what: str, value: Any) -> str:
    return "Must not be empty" if least == 1 else f"Must have at least {least} {what}"


def _most(most: int, what: str, value: Any) -> str:
    return f"Must have at most {most} {what}, got {_length(value)}"


def _size(
    kind: str, breaks: Callable[[int, int], bool], say: Callable[[int, str, Any], str], what: str
) -> Any:
    return _bound(
        _KINDS[kind],
        lambda value, limit: breaks(_length(value), limit),
        lambda limit, value: say(limit, what, value),
    )


_MOST = frozenset({"maxLength", "maxItems"})
_RULES: dict[str, Callable[[Any, dict[str, Any]], Rule]] = {
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _bound(_number, lt, lambda least, value: f"Must be at least {least}, got {shown(value, 20)}"),
    "maximum": _bound(_number, gt, lambda most, value: f"Must be at most {most}, got {shown(value, 20)}"),
    "minLength": _size("string", lt, _least, "characters"),
    "maxLength": _longest,
    "minItems": _size("array", lt, _least, "items"),
    "maxItems": _size("array", gt, _most, "items"),
}
