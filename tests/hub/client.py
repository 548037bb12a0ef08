"""An ASGI client without a network: one request, and everything that was sent back, in order."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

KEY = {"x-api-key": "personal"}
SDK = {**KEY, "accept": "application/json, text/event-stream"}


@dataclass
class Response:
    """What came back. `parts` are the pieces of the body as they were sent, `cookies` what it sets."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    parts: list[bytes] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return b"".join(self.parts)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The data of every event of a stream."""
        lines = self.body.decode().splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


class Connection:
    """Both ends of one request, for tests that let things happen in between."""

    def __init__(
        self,
        app: Any,
        path: str = "/api/mcp",
        body: bytes | list[bytes] = b"",
        method: str = "POST",
        headers: dict[str, str] | None = None,
        client: tuple[str, int] | None = ("127.0.0.1", 5000),
        **scope: Any,
    ) -> None:
        self.app, self.response = app, Response()
        self.gone, self.never = asyncio.Event(), False
        self._chunks = [body] if isinstance(body, bytes) else list(body)
        sent = {"host": "localhost", **(headers or {})}
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [
                (name.encode("latin-1"), value.encode("latin-1")) for name, value in sent.items() if value
            ],
            "client": client,
            **scope,
        }

    async def run(self) -> Response:
        await self.app(self.scope, self._receive, self._send)
        return self.response

    async def _receive(self) -> dict[str, Any]:
        if self._chunks:
            chunk = self._chunks.pop(0)
            more = bool(self._chunks) or self.never
            return {"type": "http.request", "body": chunk, "more_body": more}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.response.status = message["status"]
            lines = [(name.decode(), value.decode()) for name, value in message["headers"]]
            self.response.headers = dict(lines)
            self.response.cookies = [value for name, value in lines if name == "set-cookie"]
        else:
            self.response.parts.append(message.get("body", b""))


def ask(app: Any, path: str = "/api/mcp", body: Any = b"", **options: Any) -> Response:
    """One request from beginning to end; a body that is not bytes is sent as JSON."""
    raw = body if isinstance(body, bytes | list) else json.dumps(body, ensure_ascii=False).encode()

    async def run() -> Response:
        return await Connection(app, path, raw, **options).run()

    return asyncio.run(run())


def rpc(method: str, params: Any = None, request_id: Any = 1) -> dict[str, Any]:
    """A JSON-RPC request."""
    given = {} if params is None else {"params": params}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **given}


def tool_call(name: str = "get_skill_info", arguments: Any = None, **params: Any) -> dict[str, Any]:
    """A `tools/call`."""
    return rpc("tools/call", {"name": name, "arguments": {} if arguments is None else arguments, **params})
