"""The API for people: every tool of the catalogue, and every error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.responses import Response

from bazi_hub.pages.chinese import told
from bazi_hub.pages.request import PageRequest
from bazi_hub.tools.catalog import errors_of
from bazi_hub.tools.tool import Tool
from bazi_hub.words.errors import SENT_CODES


async def api(request: PageRequest) -> Response:
    listed = await request.site.hub.listed()
    return request.page(
        "docs.html",
        base=request.base,
        tools=[_tool(each.tool, each.enabled, request) for each in listed],
        codes=[(code, *code.phrases(request.language)) for code in SENT_CODES.values()],
    )


def _tool(tool: Tool, enabled: bool, request: PageRequest) -> dict[str, Any]:
    title, description = tool.phrases(request.language)
    return {
        "id": tool.id,
        "name": tool.name,
        "title": title,
        "description": description,
        "metered": tool.metered,
        "enabled": enabled,
        "auth": ", ".join(tool.auth),
        "limit": tool.limit,
        "arguments": list(_arguments(tool.schema, request.language)),
        "example": example(tool, request.base),
        "errors": [name for name in errors_of(tool) if name in SENT_CODES],
    }


def example(tool: Tool, base: str) -> str:
    """A call of a tool by hand."""
    body = json.dumps(tool.example, ensure_ascii=False)
    return f"curl {base}{tool.path} \\\n  -H 'x-api-key: <your-key>' \\\n  -d '{body}'"


def _arguments(schema: Mapping[str, Any], language: str, above: str = "") -> Iterator[dict[str, Any]]:
    """Every argument of a schema with its members below it; the many options of a School are told by their names."""
    for name, rules in schema.get("properties", {}).items():
        members = rules.get("properties", {})
        named = name == "options"
        yield {
            "name": above + name,
            "required": name in schema.get("required", ()),
            "type": _type(rules),
            "about": told(rules.get("description", ""), language)
            + (f" {', '.join(members)}" if named else ""),
        }
        if not named:
            yield from _arguments(rules, language, f"{above}{name}.")


def _type(rules: Mapping[str, Any]) -> str:
    """The type of a value, in a few words.

    >>> _type({"type": "integer", "minimum": 1, "maximum": 12}), _type({"type": "string", "enum": ["a", "b"]})
    ('integer 1…12', 'a | b')
    """
    if "enum" in rules:
        return " | ".join(json.dumps(each) if not isinstance(each, str) else each for each in rules["enum"])
    kinds = rules.get("type", "")
    shown = " or ".join(kinds) if isinstance(kinds, list) else kinds
    for bounds in (("minimum", "maximum"), ("minLength", "maxLength")):
        if all(bound in rules for bound in bounds):
            return f"{shown} {rules[bounds[0]]}…{rules[bounds[1]]}"
    return shown
