"""The JSON Schemas of the objects, each complete in itself: draft 2020-12, closed, every member described.

The objects share their definitions (`schemas/definitions.json`); a schema is handed out with those that it uses.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "schemas")
_ENDING = ".schema.json"


def names() -> list[str]:
    """The objects that have a schema."""
    return sorted(name.removesuffix(_ENDING) for name in os.listdir(FOLDER) if name.endswith(_ENDING))


def schema(name: str) -> dict[str, Any]:
    """The schema of an object, with the definitions that it refers to."""
    own: dict[str, Any] = _read(name + _ENDING)
    shared = _read("definitions.json")
    wanted: dict[str, Any] = {}
    waiting = references(own)
    while waiting:
        each = waiting.pop()
        if each not in wanted:
            wanted[each] = shared[each]
            waiting += references(shared[each])
    return {**own, "$defs": dict(sorted(wanted.items()))}


def references(node: Any) -> list[str]:
    """Names of the definitions to which a schema refers."""
    if isinstance(node, list):
        return [name for each in node for name in references(each)]
    if not isinstance(node, dict):
        return []
    own = [node["$ref"].rpartition("/")[2]] if isinstance(node.get("$ref"), str) else []
    return own + [name for each in node.values() for name in references(each)]


@cache
def _read(file: str) -> Any:
    with open(os.path.join(FOLDER, file), encoding="utf-8") as opened:
        return json.load(opened)
