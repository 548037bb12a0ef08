"""Shapes of JSON Schema as declarations of TypeScript."""

from __future__ import annotations

import json
from typing import Any

Schema = dict[str, Any]


def declarations(definitions: dict[str, Schema]) -> str:
    """Every definition as an exported type.

    >>> print(declarations({"a_text": {"description": "A text.", "type": ["string", "null"]}}), end="")
    <BLANKLINE>
    /** A text. */
    export type AText = string | null;
    """
    return "".join(
        f"\n/** {_plain(schema.get('description', name))} */\nexport type {_name(name)} = {type_of(schema)};\n"
        for name, schema in definitions.items()
    )


def _plain(text: str) -> str:
    return text.replace("*/", "* /")


def _name(definition: str) -> str:
    """`six_line_names` as SixLineNames."""
    return "".join(part[:1].upper() + part[1:] for part in definition.split("_"))


_PRIMITIVE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def type_of(schema: Schema, depth: int = 0) -> str:
    """A shape as a type; `depth` is how far its members are indented."""
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema and "properties" not in schema:
            return " | ".join(_grouped(type_of(each, depth)) for each in schema[several])
    kinds = schema.get("type", "unknown")
    if isinstance(kinds, list):
        return " | ".join(_members(schema, depth) if kind == "object" else _PRIMITIVE[kind] for kind in kinds)
    if kinds == "array":
        return f"{_grouped(type_of(schema.get('items', {}), depth))}[]"
    if kinds == "object":
        return _members(schema, depth)
    return _PRIMITIVE.get(kinds, "unknown")


def _grouped(made: str) -> str:
    return f"({made})" if " | " in made and not made.startswith("{") else made


def _members(schema: Schema, depth: int) -> str:
    if "properties" not in schema:
        values = [*schema.get("patternProperties", {}).values()]
        other = schema.get("additionalProperties")
        values += [other] if isinstance(other, dict) else []
        return f"Record<string, {type_of(values[0], depth) if values else 'unknown'}>"
    pad, required = "  " * (depth + 1), schema.get("required", [])
    lines = [
        f"{pad}{json.dumps(name, ensure_ascii=False)}{'' if name in required else '?'}: {type_of(member, depth + 1)};\n"
        for name, member in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + "  " * depth + "}"
