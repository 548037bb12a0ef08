"""Values against a closed JSON Schema: every problem with the path to it, nothing coerced.

Only the keywords that the schemas of replies use are known; another one is a defect of the schema and raises.
Strings hold the signs of printed Chinese and English and no others: nothing that is invisible, drawn like another
sign, or joined to one, since a term that the eye reads and the checker does not would escape it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool}
# Letters, digits and punctuation of ASCII, accented Latin, dashes and quotes, arrows, signs of CJK and full width.
_FOREIGN = re.compile(
    "[^ -~\u00a1-\u00ac\u00ae-\u00b1\u00b4-\u00b8\u00bb\u00bf-\u024f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20ac"
    "\u2190-\u2193\u2212\u3001-\u301f\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff20\uff3b-\uff40\uff5b-\uff65]"
)


class Problem(NamedTuple):
    """What is wrong with a reply: the step of the check (1–9), where, a code, and words."""

    step: int
    path: str
    code: str
    detail: str

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


def problems(value: Any, schema: Mapping[str, Any], path: str = "") -> Iterator[Problem]:
    """Everything in a value that a schema does not allow.

    >>> schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}}}
    >>> [(each.path, each.code) for each in problems({"a": 1, "b": 2}, schema)]
    [('b', 'EXTRA'), ('a', 'TYPE')]
    """
    if "type" in schema and not isinstance(value, _TYPES[schema["type"]]):
        yield Problem(2, path, "TYPE", f"must be of type {schema['type']}")
        return
    for keyword, wanted in schema.items():
        yield from _KEYWORDS[keyword](value, wanted, schema, path)
    if isinstance(value, str) and (found := _FOREIGN.search(value)):
        yield Problem(2, path, "CHARACTER", f"must not hold U+{ord(found[0]):04X}")


def _properties(value: Any, wanted: Any, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    for name in value:
        if name not in wanted:
            yield Problem(2, _member(path, name), "EXTRA", "is not a member")
    for name, each in wanted.items():
        if name in value:
            yield from problems(value[name], each, _member(path, name))


def _required(value: Any, wanted: Any, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    return (Problem(2, _member(path, name), "MISSING", "is required") for name in wanted if name not in value)


def _items(value: Any, wanted: Any, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    for number, each in enumerate(value):
        yield from problems(each, wanted, f"{path}[{number}]")


def _enum(value: Any, wanted: Any, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if value not in wanted:
        yield Problem(2, path, "ENUM", f"must be one of {', '.join(wanted)}")


def _length(least: bool) -> Callable[..., Iterator[Problem]]:
    def check(value: Any, wanted: int, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
        given = len(value)
        if given < wanted if least else given > wanted:
            word, code = ("least", "TOO_SHORT") if least else ("most", "TOO_LONG")
            yield Problem(2, path, code, f"must have at {word} {wanted}, has {given}")

    return check


def _pattern(value: Any, wanted: str, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if not re.search(wanted, value):
        yield Problem(2, path, "PATTERN", f"must match {wanted}")


def _unique(value: Any, wanted: bool, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if wanted and any(each in value[:number] for number, each in enumerate(value)):
        yield Problem(2, path, "REPEATED", "must not hold anything twice")


def _said(value: Any, wanted: Any, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    return iter(())


_KEYWORDS: dict[str, Callable[..., Iterator[Problem]]] = {
    **dict.fromkeys(("type", "additionalProperties", "description", "title", "$schema", "$id"), _said),
    "properties": _properties,
    "required": _required,
    "items": _items,
    "enum": _enum,
    "minItems": _length(least=True),
    "maxItems": _length(least=False),
    "minLength": _length(least=True),
    "maxLength": _length(least=False),
    "pattern": _pattern,
    "uniqueItems": _unique,
}


def _member(path: str, name: object) -> str:
    shown = str(name)[:40].encode("utf-8", "replace").decode("utf-8")
    return f"{path}.{shown}" if path else shown
