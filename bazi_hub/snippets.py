"""What agent clients want to be told: one snippet for each, for a local process or for a hub on the network."""

from __future__ import annotations

import json
from typing import Any

NAME = "bazi"
KEY_SHOWN = "<your-key>"
# t4 may take ninety seconds, and most clients give up after sixty.
TIMEOUT_S = 130


def _process() -> dict[str, Any]:
    return {"command": "uvx", "args": ["bazi-core", "mcp"]}


def _remote(url: str, key_header: str = "x-api-key") -> dict[str, Any]:
    return {"url": f"{url}/api/mcp", "headers": {key_header: KEY_SHOWN}}


def _claude(url: str | None) -> str:
    if url is None:
        return _json({"mcpServers": {NAME: _process()}})
    return _json({"mcpServers": {NAME: {"type": "http", **_remote(url)}}})


def _cursor(url: str | None) -> str:
    return _json({"mcpServers": {NAME: _process() if url is None else _remote(url)}})


def _cline(url: str | None) -> str:
    server = _process() if url is None else {"type": "streamableHttp", **_remote(url)}
    return _json({"mcpServers": {NAME: {**server, "timeout": TIMEOUT_S}}})


def _vscode(url: str | None) -> str:
    server = {"type": "stdio", **_process()} if url is None else {"type": "http", **_remote(url)}
    return _json({"servers": {NAME: server}})


def _langchain(url: str | None) -> str:
    server = (
        {"transport": "stdio", **_process()}
        if url is None
        else {"transport": "streamable_http", **_remote(url), "timeout": TIMEOUT_S}
    )
    return (
        "from langchain_mcp_adapters.client import MultiServerMCPClient\n\n"
        f"client = MultiServerMCPClient({json.dumps({NAME: server}, indent=4)})\n"
        "tools = await client.get_tools()\n"
    )


def _coze(url: str | None) -> str:
    base = url or "https://hub.example"
    return _json(
        {"openapi": f"{base}/openapi.json", "auth": {"type": "service", "in": "header", "name": "x-api-key"}}
    )


CLIENTS = {
    "claude": _claude,
    "cursor": _cursor,
    "cline": _cline,
    "vscode": _vscode,
    "langchain": _langchain,
    "coze": _coze,
}


def snippet(client: str, url: str | None = None) -> str:
    """The configuration of a client; without a URL it starts the hub as a process of its own.

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
    return CLIENTS[client](url.rstrip("/") if url else None)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
