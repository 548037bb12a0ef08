"""A pipe to a hub elsewhere: every line of standard input is posted to it, every answer written to standard output."""

from __future__ import annotations

import base64
import uuid
from json import loads
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from bazi_hub.stdio.lines import Write, claim_stdin, serve_lines

if TYPE_CHECKING:
    import httpx

ENDPOINT = "/api/mcp"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# Longer than any call may take.
TIMEOUT_S = 330.0
LINE_LIMIT = 1 << 20
ACCEPT = "application/json, text/event-stream"


def endpoint(url: str) -> str:
    """The MCP address of a hub. The key travels with every request, so `http:` is for this machine only.

    >>> endpoint("https://hub.example.org/")
    'https://hub.example.org/api/mcp'
    """
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ValueError(f"{url}: http is for this machine only; use https, for the key is sent along")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url}: not the address of a hub")
    base = url.rstrip("/")
    return base if base.endswith(ENDPOINT) else base + ENDPOINT


async def bridge(
    url: str,
    key: str,
    out: BinaryIO,
    source: BinaryIO | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> None:
    """Forwards every line until the input ends. `out` is what `claim_stdout` gave."""
    import httpx

    headers = {"x-api-key": key, "content-type": "application/json", "accept": ACCEPT}
    async with httpx.AsyncClient(headers=headers, timeout=TIMEOUT_S, transport=transport) as client:
        far = _Far(client, endpoint(url))
        await serve_lines(far.answer, out, source or claim_stdin(), LINE_LIMIT)


class _Far:
    """The hub at the other end."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self.client, self.url = client, url
        # What the client has agreed on.
        self.revision: str | None = None

    async def answer(self, line: bytes, write: Write) -> None:
        """Posts a line and writes what comes back: one frame, or those of an event stream."""
        import httpx

        from bazi_hub.http.wire import mcp

        request = message(line)
        if request.get("method") == "initialize":
            self.revision = mcp.agreed(params_of(request))
        headers = routing_headers(line, self.revision or mcp.HANDSHAKE_REVISIONS[-1])
        try:
            async with self.client.stream("POST", self.url, content=line, headers=headers) as response:
                await self._copied(line, response, write)
        except httpx.HTTPError as error:
            await self._failed(line, write, f"{type(error).__name__}: no answer from {self.url}")

    async def _copied(self, line: bytes, response: httpx.Response, write: Write) -> None:
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind == "text/event-stream":
            async for text in response.aiter_lines():
                if text.startswith("data:"):
                    await write(text[5:].strip().encode())
        elif kind == "application/json":
            await write(await response.aread())
        elif response.status_code != 202:
            await self._failed(line, write, f"HTTP {response.status_code} from {self.url}")

    async def _failed(self, line: bytes, write: Write, detail: str) -> None:
        """Writes the error answer of a request; nothing for a notification."""
        from bazi_hub.http.wire import mcp
        from bazi_hub.words.errors import HubError

        told = message(line)
        if told.get("id") is not None:
            error = HubError("UPSTREAM_ERROR", detail, reason="UNAVAILABLE").traced(str(uuid.uuid4()))
            peer = mcp.piped(revision=self.revision)
            request = mcp.Request(told["id"], str(told.get("method")), params_of(told), peer)
            await write(mcp.failure(request, error).body)


def message(line: bytes) -> dict[str, Any]:
    """The object in a line; an empty one if it holds none, which the hub refuses."""
    try:
        found = loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def params_of(request: dict[str, Any]) -> dict[str, Any]:
    """The params of a request; none where they are no object."""
    params = request.get("params")
    return params if isinstance(params, dict) else {}


def routing_headers(line: bytes, agreed: str) -> dict[str, str]:
    """The routing headers of a request: of revision 2026-07-28 all three, before it the revision that was agreed on.

    >>> meta = '{"io.modelcontextprotocol/protocolVersion": "2026-07-28"}'
    >>> line = f'{{"method": "tools/call", "params": {{"name": "x", "_meta": {meta}}}}}'.encode()
    >>> routing_headers(line, "2025-11-25")
    {'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'x'}
    """
    from bazi_hub.http.wire.mcp import VERSION_KEY

    request = message(line)
    params = params_of(request)
    meta = params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str):
        return {"MCP-Protocol-Version": agreed}
    told = {
        "MCP-Protocol-Version": version,
        "Mcp-Method": request.get("method"),
        "Mcp-Name": params.get("name"),
    }
    return {name: _fitting(value) for name, value in told.items() if isinstance(value, str)}


def _fitting(value: str) -> str:
    """A text as a header can hold it."""
    plain = value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?")
    return value if plain else f"=?base64?{base64.b64encode(value.encode()).decode()}?="
