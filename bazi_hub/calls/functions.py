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
from bazi_hub.tools.catalog import TOOLS
from bazi_hub.words.call import Caller


class Toolset(NamedTuple):
    """`schemas` go to the model; `call(name, arguments)` gives the result as JSON text, or the error as such."""

    schemas: list[dict[str, Any]]
    call: Callable[[str, dict[str, Any] | str], str]


def as_openai(hub: Hub | None = None, caller: Caller = LOCAL) -> Toolset:
    """The tools as functions of a chat completion.

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
        for tool in TOOLS
    ]
    return Toolset(schemas, _caller(hub, caller))


def as_mcp(hub: Hub | None = None, caller: Caller = LOCAL) -> Toolset:
    """The tools as an MCP server lists them."""
    schemas = [
        {"name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.schema}
        for tool in TOOLS
    ]
    return Toolset(schemas, _caller(hub, caller))


def _caller(hub: Hub | None, caller: Caller) -> Callable[[str, dict[str, Any] | str], str]:
    held: list[Hub] = [] if hub is None else [hub]

    def call(name: str, arguments: dict[str, Any] | str) -> str:
        if not held:
            held.append(_local())
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        outcome = held[0].dispatch_sync(name, given, caller)
        if outcome.error is None:
            return outcome.result or "null"
        return json.dumps({"error": {"code": outcome.error.name, **outcome.error.data}}, ensure_ascii=False)

    return call


def _local() -> Hub:
    """A local hub that is asked without an event loop."""
    background = Background()
    made: Hub = background.run(local_hub())
    made.adopt(background)
    return made
