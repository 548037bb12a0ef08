"""Configurations of agent clients: one snippet for each, for a local process or for a hub on the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

NAME = "bazi"
KEY_SHOWN = "<your-key>"
# t4 may take ninety seconds, and most clients give up after sixty.
TIMEOUT_S = 130
# Starts the hub where nothing is installed.
LAUNCHED = ("uvx", "bazi-core", "mcp")


def _remote(url: str, key_header: str = "x-api-key") -> dict[str, Any]:
    return {"url": f"{url}/api/mcp", "headers": {key_header: KEY_SHOWN}}


def _process(words: Sequence[str]) -> dict[str, Any]:
    return {"command": words[0], "args": [*words[1:]]}


def _claude(url: str | None, words: Sequence[str]) -> str:
    return _json({"mcpServers": {NAME: {"type": "http", **_remote(url)} if url else _process(words)}})


def _cursor(url: str | None, words: Sequence[str]) -> str:
    return _json({"mcpServers": {NAME: _remote(url) if url else _process(words)}})


def _cline(url: str | None, words: Sequence[str]) -> str:
    server = {"type": "streamableHttp", **_remote(url)} if url else _process(words)
    return _json({"mcpServers": {NAME: {**server, "timeout": TIMEOUT_S}}})


def _vscode(url: str | None, words: Sequence[str]) -> str:
    server = {"type": "http", **_remote(url)} if url else {"type": "stdio", **_process(words)}
    return _json({"servers": {NAME: server}})


def _langchain(url: str | None, words: Sequence[str]) -> str:
    server = (
        {"transport": "streamable_http", **_remote(url), "timeout": TIMEOUT_S}
        if url
        else {"transport": "stdio", **_process(words)}
    )
    return (
        "from langchain_mcp_adapters.client import MultiServerMCPClient\n\n"
        f"client = MultiServerMCPClient({json.dumps({NAME: server}, indent=4)})\n"
        "tools = await client.get_tools()\n"
    )


def _coze(url: str | None, words: Sequence[str]) -> str:
    base = url or "https://hub.example"
    return _json(
        {"openapi": f"{base}/openapi.json", "auth": {"type": "service", "in": "header", "name": "x-api-key"}}
    )


# The file that a client reads its configuration from.
FILES = {
    "claude": ".mcp.json (Claude Code), claude_desktop_config.json (Claude Desktop: Settings, Developer, Edit Config)",
    "cursor": "~/.cursor/mcp.json",
    "cline": "cline_mcp_settings.json (MCP Servers, Configure)",
    "vscode": ".vscode/mcp.json",
}

CLIENTS = {
    "claude": _claude,
    "cursor": _cursor,
    "cline": _cline,
    "vscode": _vscode,
    "langchain": _langchain,
    "coze": _coze,
}


def snippet(client: str, url: str | None = None, words: Sequence[str] = LAUNCHED) -> str:
    """The configuration of a client; without a URL it starts the hub by the words of a command.

    >>> print(snippet("cursor", "https://hub.example"), end="")
    {
      "mcpServers": {
        "bazi": {
          "url": "https://hub.example/api/mcp",
          "headers": {
            "x-api-key": "<your-key>"
          }
        }
      }
    }
    """
    return CLIENTS[client](url.rstrip("/") if url else None, words)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
