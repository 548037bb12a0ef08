"""The pages behind a real server on a loopback port."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from tests.hub.live import _no_signals
from tests.hub.pages.browsing import town
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from tests.hub.pages.browsing import Town


class Served:
    """A town with open gates: its address, and what a test does to it while it is visited."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.ready = threading.Event()
        self.town: Town
        self._loop: asyncio.AbstractEventLoop
        self._server: uvicorn.Server

    async def serve(self, **options: Any) -> None:
        async with town(**options) as self.town:
            config = uvicorn.Config(
                self.town.app, log_config=None, access_log=False, lifespan="off", proxy_headers=False
            )
            self._loop, self._server = asyncio.get_running_loop(), uvicorn.Server(config)
            self._server.capture_signals = _no_signals  # type: ignore[method-assign]
            serving = asyncio.create_task(self._server.serve([self._listener]))
            await eventually(lambda: self._server.started)
            self.ready.set()
            await serving

    def close(self) -> None:
        self._server.should_exit = True

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What comes of something that is done where the town lives."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def cut(self) -> None:
        """Cuts every connection, as a network does that goes away."""

        async def cut() -> None:
            for connection in list(self._server.server_state.connections):
                connection.transport.abort()

        self.do(cut())


@contextmanager
def served(**options: Any) -> Iterator[Served]:
    made = Served()

    def run() -> None:
        try:
            asyncio.run(made.serve(**options))
        finally:
            made.ready.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    made.ready.wait(30)
    try:
        yield made
    finally:
        made.close()
        thread.join(30)
