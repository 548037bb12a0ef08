"""Arguments against the published schema: every problem at once, at dotted paths, in words.

The schema that clients see is the one that is enforced. A number with an integral value is an integer (`1985.0` is),
strings and booleans are not; that is how JSON Schema counts too.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_hub.errors import Issue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jsonschema.exceptions import ValidationError

    from bazi_hub.tools.tool import Tool

_JSON_NAMES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
LONGEST_SHOWN = 60


def problems(tool: Tool, arguments: Any) -> list[Issue]:
    """What is wrong with the arguments of a tool; nothing if nothing is."""
    found = [issue for error in _validator(tool).iter_errors(arguments) for issue in _issues(error)]
    return sorted(set(found))


def whole(value: Any) -> Any:
    """The same JSON value with integral numbers as integers, so that `1985.0` and `1985` are one argument.

    >>> whole({"birth_year": 1985.0, "longitude": 116.4})
    {'birth_year': 1985, 'longitude': 116.4}
    """
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole(member) for member in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@cache
def _validator(tool: Tool) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(tool.schema)


def _issues(error: ValidationError) -> Iterator[Issue]:
    path = [str(part) for part in error.absolute_path]
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        yield from (Issue(".".join([*path, name]), "Required") for name in missing)
    elif error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        extra = [name for name in error.instance if name not in known]
        yield from (Issue(".".join([*path, _shown(name)]), "Unknown argument") for name in extra)
    else:
        say = _WORDS.get(str(error.validator), lambda limit, given: "Not allowed")
        yield Issue(".".join(path) or "arguments", say(error.validator_value, error.instance))


def _type(wanted: Any, given: Any) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    return f"Expected {' or '.join(names)}, got {_JSON_NAMES.get(type(given), 'null')}"


_WORDS: dict[str, Callable[[Any, Any], str]] = {
    "type": _type,
    "enum": lambda allowed, given: f"Expected one of {', '.join(map(str, allowed))}, got {_shown(given)}",
    "const": lambda allowed, given: f"Expected {allowed}, got {_shown(given)}",
    "minimum": lambda least, given: f"Must be at least {least}, got {_shown(given)}",
    "maximum": lambda most, given: f"Must be at most {most}, got {_shown(given)}",
    "minLength": lambda least, given: (
        f"Must have at least {least} characters" if least > 1 else "Must not be empty"
    ),
    "maxLength": lambda most, given: f"Must have at most {most} characters, got {len(given)}",
    "minItems": lambda least, given: f"Must have at least {least} items",
    "maxItems": lambda most, given: f"Must have at most {most} items, got {len(given)}",
    "pattern": lambda pattern, given: f"Not in the right form: {_shown(given)}",
    "anyOf": lambda options, given: f"Fits none of the forms allowed here: {_shown(given)}",
}


def _shown(value: Any) -> str:
    from bazi_core.errors import shown

    return shown(value, LONGEST_SHOWN)
