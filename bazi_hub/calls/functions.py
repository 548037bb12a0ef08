"""The tools for programs that call models themselves: schemas in the form a client wants, and one function that calls.

Nothing of any framework is imported. Without a hub the tools run on a local one: in memory, nothing to pay.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from bazi_hub.calls.background import Background
from bazi_hub.calls.hub import Hub
from bazi_hub.calls.local import LOCAL, local_hub
from bazi_hub.tools.tool import Tool
from bazi_hub.tools.toolsets import Toolset as Tools
from bazi_hub.tools.toolsets import catalog_of
from bazi_hub.words.call import Caller


class Toolset(NamedTuple):
    """`schemas` go to the model; `call(name, arguments)` gives the result as JSON text, or the error as such."""

    schemas: list[dict[str, Any]]
    call: Callable[[str, dict[str, Any] | str], str]


def as_openai(hub: Hub | None = None, caller: Caller = LOCAL, toolset: Tools = "core") -> Toolset:
    """The tools as functions of a chat completion; of those that a given hub serves, the ones in the toolset.

    >>> tools = as_openai()
    >>> tools.schemas[0]["function"]["name"]
    'get_skill_info'
    >>> json.loads(tools.call("get_user_credits", "{}"))["balance"]
    0
    """
    schemas = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in _served(hub, toolset)
    ]
    return Toolset(schemas, _caller(hub, caller, toolset))


def as_mcp(hub: Hub | None = None, caller: Caller = LOCAL, toolset: Tools = "core") -> Toolset:
    """The tools as an MCP server lists them."""
    schemas = [
        {"name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.schema}
        for tool in _served(hub, toolset)
    ]
    return Toolset(schemas, _caller(hub, caller, toolset))


def _served(hub: Hub | None, toolset: Tools) -> list[Tool]:
    """The tools of a toolset, as far as the hub has them."""
    return [tool for tool in catalog_of(toolset).values() if hub is None or tool.name in hub.catalog]


def _caller(hub: Hub | None, caller: Caller, toolset: Tools) -> Callable[[str, dict[str, Any] | str], str]:
    held: list[Hub] = [] if hub is None else [hub]

    def call(name: str, arguments: dict[str, Any] | str) -> str:
        if not held:
            held.append(_local(toolset))
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        outcome = held[0].dispatch_sync(name, given, caller)
        if outcome.error is None:
            return outcome.result or "null"
        return json.dumps({"error": {"code": outcome.error.name, **outcome.error.data}}, ensure_ascii=False)

    return call


def _local(toolset: Tools) -> Hub:
    """A local hub that is asked without an event loop."""
    background = Background()
    made: Hub = background.run(local_hub(toolset=toolset))
    made.adopt(background)
    return made
