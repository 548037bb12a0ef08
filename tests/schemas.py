"""Whether values are as JSON Schemas say, by a validator in Rust: fast enough to ask it at every place of an object.

`jsonschema`, which users have, says the same: `tests/test_schemas.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from bazi_core.render.schemas import schema


@cache
def validator(name: str) -> Draft202012Validator:
    """That of a shipped schema."""
    return Draft202012Validator(schema(name))


def problems(valid: Draft202012Validator, made: Any) -> list[str]:
    """What is wrong with a value, and where in it."""
    return [
        f"{'/'.join(map(str, each.instance_path))}: {each.message[:200]}" for each in valid.iter_errors(made)
    ]


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema."""
    if isinstance(node, dict):
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(each)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Every object inside an object, with the way to it."""
    if isinstance(value, dict):
        yield path, value
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield from places(each, (*path, step))
