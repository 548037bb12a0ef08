"""Whether values are as JSON Schemas say, by a validator in Rust: fast enough to ask it at every place of an object.

`jsonschema`, which users have, says the same: `tests/test_schemas.py`.
"""

from __future__ import annotations

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
