"""A whole hub on a loopback port: memory stores, two keys, and uvicorn in a thread."""

from __future__ import annotations

import asyncio
import io
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn

from bazi_hub.calls.hub import Hub
from bazi_hub.http.app import create_app
from bazi_hub.http.operations import Monitor
from bazi_hub.http.runs import run_routes
from bazi_hub.http.telemetry import Metrics
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.ports import Account
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import SystemClock, SystemIds
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_hub.http.app import Application

CREDITS = 1_000_000


class Keys(NamedTuple):
    personal: str
    agent: str


class Live(NamedTuple):
    """Where a hub listens, and who may call it."""

    url: str
    keys: Keys
    hub: Hub

    @property
    def mcp(self) -> str:
        return f"{self.url}/api/mcp"


async def composed(
    settings: Settings | None = None, limits: Any = None, credits: int = CREDITS, **parts: Any
) -> tuple[Application, Keys, Hub]:
    """An application with an account that can pay, and a key of each kind."""
    clock, ids, metrics = SystemClock(), SystemIds(), Metrics(io.StringIO())
    storage = MemoryStorage(clock, ids)
    hub = Hub(
        settings or Settings(),
        storage=storage,
        limits=limits or MemoryLimits(clock),
        clock=clock,
        ids=ids,
        telemetry=metrics,
        **parts,
    )
    await hub.start()
    identity = Identity(storage, Secrets(bytes(32), bytes(32)), clock=clock, ids=ids, telemetry=metrics)
    account = Account(ids.uuid(), None, "tester", "active", None, clock.now_ms())
    await storage.accounts.create(account, credits, "test")
    personal, _ = await identity.issue(account.id, "personal", "test")
    agent, _ = await identity.issue(account.id, "agent", "test", "tester")
    app = create_app(hub, identity, routes=run_routes(hub, identity), monitor=Monitor(metrics.exposition))
    return app, Keys(personal, agent), hub


def keyed(app: Any, key: str) -> Any:
    """The same for clients that cannot send a key: it is put in on the way."""

    async def through(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "headers": [*scope["headers"], (b"x-api-key", key.encode())]}, receive, send)

    return through


@contextmanager
def live(settings: Settings | None = None, keyless: bool = False, **parts: Any) -> Iterator[Live]:
    """The same behind a real server. `keyless`: whoever comes has the personal key."""
    listener = socket.create_server(("127.0.0.1", 0))
    ready, ended = threading.Event(), threading.Event()
    found: dict[str, Any] = {}

    async def serve() -> None:
        app, keys, hub = await composed(settings, **parts)
        served = keyed(app, keys.personal) if keyless else app
        config = uvicorn.Config(
            served, log_config=None, access_log=False, lifespan="off", proxy_headers=False
        )
        server = uvicorn.Server(config)
        server.capture_signals = _no_signals  # type: ignore[method-assign]
        found.update(keys=keys, hub=hub, server=server)
        serving = asyncio.create_task(server.serve([listener]))
        await eventually(lambda: server.started)
        ready.set()
        await serving
        await hub.close(0)

    def run() -> None:
        try:
            asyncio.run(serve())
        finally:
            ready.set()
            ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield Live(f"http://127.0.0.1:{listener.getsockname()[1]}", found["keys"], found["hub"])
    finally:
        found["server"].should_exit = True
        ended.wait(30)
        thread.join(30)
        listener.close()


@contextmanager
def _no_signals() -> Iterator[None]:
    yield
