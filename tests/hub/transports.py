"""One call by every way into the hub, told in one form: what came back, and what it cost."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import httpx

from bazi_hub.http.app import create_app
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.stdio import serve_stdio
from bazi_hub.words.call import Call

if TYPE_CHECKING:
    from tests.hub.worlds import World

HOST = "http://127.0.0.1"


class Told(NamedTuple):
    """A result as text, or an error as code and data without what is unlike by nature."""

    text: str | None
    code: str | None
    data: dict[str, Any]
    credits_deducted: int
    from_free_quota: bool
    replayed: bool


class Door:
    """The hub of a world with two keys of its account, behind one of its transports."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.identity = Identity(
            world.storage,
            Secrets(bytes(32), bytes(32)),
            clock=world.clock,
            ids=world.ids,
            telemetry=world.voices,
        )
        self.app = create_app(world.hub, self.identity)
        self.keys: dict[str, str] = {}

    async def key(self, flavor: Any) -> str:
        if flavor not in self.keys:
            self.keys[flavor], _ = await self.identity.issue("account-1", flavor, "test", "Oracle")
        return self.keys[flavor]

    async def ask(self, tool: str, arguments: Any, flavor: str = "personal", key: str | None = None) -> Told:
        raise NotImplementedError

    async def post(self, path: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=HOST) as client:
            return await client.post(path, content=body, headers=headers)


class Direct(Door):
    """A function call."""

    async def ask(self, tool: str, arguments: Any, flavor: str = "personal", key: str | None = None) -> Told:
        caller = await self.identity.by_key(await self.key(flavor))
        outcome = await self.world.hub.call(Call(tool, arguments, caller, "request", key))
        if outcome.undelivered:
            await self.world.hub.delivered(outcome.undelivered)
        if outcome.error is not None:
            return error(outcome.error.name, dict(outcome.error.data))
        return Told(
            outcome.result, None, {}, outcome.credits_deducted, outcome.from_free_quota, outcome.replayed
        )


class Rest(Door):
    """Universal REST."""

    async def ask(self, tool: str, arguments: Any, flavor: str = "personal", key: str | None = None) -> Told:
        known = self.world.hub.catalog.get(tool)
        headers = {"x-api-key": await self.key(flavor)} | ({"idempotency-key": key} if key else {})
        path = f"/api/universal/{known.category if known else 'fortune'}/{tool}"
        answer = await self.post(path, json.dumps(arguments, ensure_ascii=False).encode(), headers)
        whole = answer.json()
        if not whole["success"]:
            told = whole["error"]
            found = error(told["code"], {"detail": told["message"], **told.get("details", {})})
            # REST alone names the category of a path that leads nowhere.
            found.data.pop("category", None)
            return found
        text = answer.text.partition('"data":')[2].rpartition(',"credits_deducted"')[0]
        return Told(
            text, None, {}, whole["credits_deducted"], whole.get("from_free_quota", False),
            answer.headers.get("idempotent-replayed") == "true",
        )  # fmt: skip


class Mcp(Door):
    """MCP over HTTP, as curl sends it."""

    headers: ClassVar[dict[str, str]] = {}

    async def ask(self, tool: str, arguments: Any, flavor: str = "personal", key: str | None = None) -> Told:
        answer = await self.post(
            "/api/mcp", frame(tool, arguments, key), {"x-api-key": await self.key(flavor), **self.headers}
        )
        return unframed(answer.json())


class McpSdk(Mcp):
    """The same, as the official clients send it."""

    headers: ClassVar[dict[str, str]] = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }


class Pipe(Door):
    """MCP over standard input and output."""

    async def ask(self, tool: str, arguments: Any, flavor: str = "personal", key: str | None = None) -> Told:
        caller = await self.identity.by_key(await self.key(flavor))
        out = io.BytesIO()
        await serve_stdio(self.world.hub, caller, out, io.BytesIO(frame(tool, arguments, key) + b"\n"))
        return unframed(json.loads(out.getvalue()))


DOORS: tuple[type[Door], ...] = (Direct, Rest, Mcp, McpSdk, Pipe)


def frame(tool: str, arguments: Any, key: str | None) -> bytes:
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    if key:
        params["_meta"] = {"bazi.hub/idempotency_key": key}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(request, ensure_ascii=False).encode()


def unframed(whole: dict[str, Any]) -> Told:
    if "error" in whole:
        return error(whole["error"]["message"], whole["error"]["data"])
    if whole["result"].get("isError"):
        told = dict(whole["result"]["structuredContent"])
        return error(told.pop("code"), told)
    meta = whole["result"]["_meta"]
    return Told(
        whole["result"]["content"][0]["text"], None, {}, meta["credits_deducted"], meta["from_free_quota"], meta["replayed"]
    )  # fmt: skip


def error(code: str, data: dict[str, Any]) -> Told:
    return Told(
        None, code, {name: value for name, value in data.items() if name != "request_id"}, 0, False, False
    )
