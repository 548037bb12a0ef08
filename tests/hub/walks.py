"""How far a value goes through the hub: the functions that hold it, their modules, and the names it has there.

    python -m tests.hub.walks     # functions/modules/names of each walk, and which they are

A value is followed by a mark in it: a city or a number. A function of `bazi_hub` holds the value if a parameter or local
variable of it does, by itself or inside texts, bytes, mappings, sequences, dataclasses and models. Values made of it that do
not repeat the mark (a digest, a chart) are not followed.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import os
import sys
import tempfile
from types import CodeType, FrameType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

import bazi_hub
from bazi_hub import Hub, Settings
from bazi_hub.identity import Identity, Secrets
from bazi_hub.memory import MemoryLimits, MemoryStorage, NoTelemetry, SystemClock, SystemIds
from bazi_hub.pages import pages
from bazi_hub.ports import Account
from bazi_hub.server import create_app
from bazi_hub.server.runs import run_routes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PACKAGE = os.path.dirname(bazi_hub.__file__)
# So deep values are looked into.
DEPTH = 4
CITY, NUMBER = "Zhangjiakou", 777_777
BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30, "gender": "male",
    "location": {"city_name": CITY},
}  # fmt: skip
FORM = {"y": "1990", "m": "5", "d": "15", "h": "13", "i": "30", "g": "male", "place": CITY}
TOOL = "bazi_pattern_analysis"
QUESTION = "去 Zhangjiakou 工作如何?"
RUN = {
    "threadId": "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11", "runId": "walk", "state": {}, "tools": [], "context": [],
    "messages": [{"id": "m1", "role": "user", "content": QUESTION}],
    "forwardedProps": {"divinationPayload": {
        "divinationMethod": "手动起卦", "questionType": "事业", "question": QUESTION,
        "divinationTimeIso": "2026-04-03T20:30:00+08:00", "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
    }},
}  # fmt: skip


class Walk(NamedTuple):
    """The functions and modules that a value passed, and its names there."""

    stays: set[tuple[str, str]]
    rooms: set[str]
    names: set[str]

    def __str__(self) -> str:
        return f"{len(self.stays)}/{len(self.rooms)}/{len(self.names)}"


def holds(value: Any, mark: Any, depth: int = DEPTH) -> bool:
    """Whether a value repeats the mark."""
    if isinstance(value, str):
        return isinstance(mark, str) and mark in value
    if isinstance(value, bytes | bytearray):
        return isinstance(mark, str) and mark.encode() in value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(value == mark)
    if depth == 0:
        return False
    if isinstance(value, dict):
        inner: Any = (*value.keys(), *value.values()) if len(value) < 200 else ()
    elif isinstance(value, list | tuple | set | frozenset):
        inner = value if len(value) < 200 else ()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, each.name, None) for each in dataclasses.fields(value)]
    elif hasattr(type(value), "model_fields"):
        inner = list(vars(value).values())
    else:
        return False
    return any(holds(each, mark, depth - 1) for each in inner)


class Follower:
    """Watches calls and returns while a work is done, but for those of tasks that run beside it, as housekeeping does."""

    def __init__(self, mark: Any, beside: set[asyncio.Task[Any]]) -> None:
        self.mark, self.beside = mark, beside
        self.walk = Walk(set(), set(), set())
        self._known: dict[CodeType, str | None] = {}

    def _room(self, code: CodeType) -> str | None:
        if code not in self._known:
            name = code.co_filename
            inside = name.startswith(PACKAGE) and not code.co_name.startswith("<")
            self._known[code] = os.path.relpath(name, PACKAGE) if inside else None
        return self._known[code]

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "return"):
            return
        room = self._room(frame.f_code)
        if room is None:
            return
        held = [name for name, value in frame.f_locals.items() if name != "self" and holds(value, self.mark)]
        if held and asyncio.current_task() not in self.beside:
            self.walk.stays.add((room, frame.f_code.co_qualname))
            self.walk.rooms.add(room)
            self.walk.names.update(held)


async def followed(mark: Any, work: Callable[[], Awaitable[Any]]) -> Walk:
    """The walk of a mark while something is done."""
    follower = Follower(mark, asyncio.all_tasks() - {asyncio.current_task()})
    sys.setprofile(follower)
    try:
        await work()
    finally:
        sys.setprofile(None)
    return follower.walk


async def walks() -> dict[str, Walk]:
    """A paid call over REST and over MCP, the form of a birth, and a run that is followed to its end."""
    clock, ids = SystemClock(), SystemIds()
    hub = Hub(Settings(), storage=MemoryStorage(clock, ids), limits=MemoryLimits(clock), clock=clock, ids=ids)
    identity = Identity(
        hub.storage, Secrets(bytes(32), bytes(32)), clock=clock, ids=ids, telemetry=NoTelemetry()
    )
    parts = SimpleNamespace(hub=hub, identity=identity, passwords=None, limits=hub.limits)
    app = create_app(hub, identity, routes=[*run_routes(hub, identity), *pages(parts)])
    await hub.start()
    await hub.storage.accounts.create(Account("li", None, None, "active", None, 0), 1000, "walk")
    key, _ = await identity.issue("li", "personal", "walk")
    found = {}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:

        async def rest() -> None:
            answer = await client.post(
                f"/api/universal/fortune/{TOOL}", json=BIRTH, headers={"x-api-key": key}
            )
            assert answer.status_code == 200, answer.text

        async def mcp() -> None:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": {"name": TOOL, "arguments": {**BIRTH, "birth_day": 16}}}  # fmt: skip
            answer = await client.post("/api/mcp", json=body, headers={"x-api-key": key})
            assert answer.status_code == 200, answer.text

        async def form() -> None:
            answer = await client.get(
                "/chart", params=FORM, headers={"accept-language": "en"}, follow_redirects=True
            )
            assert answer.status_code == 200, answer.text
            assert CITY in answer.text

        async def run() -> None:
            answer = await client.post("/api/v1/agent/agui", json=RUN, headers={"x-api-key": key})
            assert "RUN_FINISHED" in answer.text, answer.text

        found["REST"] = await followed(CITY, rest)
        found["MCP"] = await followed(CITY, mcp)
        found["form"] = await followed(CITY, form)
        found["run"] = await followed(CITY, run)
    await hub.close()
    return found


async def setting(database: str) -> Walk:
    """`BAZI_HUB_STARTER_CREDITS` from the environment to a new account."""
    secret = base64.b64encode(bytes(range(32))).decode()
    environment = {
        "BAZI_HUB_KEY_PEPPER": secret, "BAZI_HUB_SESSION_SECRET": secret,
        "BAZI_HUB_STARTER_CREDITS": str(NUMBER), "BAZI_HUB_DATABASE_URL": database,
    }  # fmt: skip

    async def work() -> None:
        app = bazi_hub.asgi(environment=environment)
        async with bazi_hub.lifespan(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                form = {"email": "li@example.org", "password": "a quiet river of 7 stones"}
                answer = await client.post("/signup", data=form, headers={"origin": "http://localhost"})
                assert answer.status_code == 303, answer.text

    return await followed(NUMBER, work)


async def all_walks() -> dict[str, Walk]:
    with tempfile.TemporaryDirectory() as folder:
        return {**await walks(), "setting": await setting(f"{folder}/hub.sqlite3")}


if __name__ == "__main__":
    for name, walk in asyncio.run(all_walks()).items():
        print(name, walk)
        for room in sorted(walk.rooms):
            print("   ", room, *sorted(function for place, function in walk.stays if place == room))
        print("   ", *sorted(walk.names))
