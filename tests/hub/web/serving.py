"""The pages behind a real server on a loopback port."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from tests.hub.live import _no_signals
from tests.hub.web.browsing import town

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def served(**options: str) -> Iterator[str]:
    """The address of a town with open gates."""
    listener = socket.create_server(("127.0.0.1", 0))
    ready = threading.Event()
    servers: list[uvicorn.Server] = []

    async def serve() -> None:
        async with town(**options) as made:
            server = uvicorn.Server(
                uvicorn.Config(
                    made.app, log_config=None, access_log=False, lifespan="off", proxy_headers=False
                )
            )
            server.capture_signals = _no_signals  # type: ignore[method-assign]
            servers.append(server)
            serving = asyncio.create_task(server.serve([listener]))
            while not server.started:
                await asyncio.sleep(0.001)
            ready.set()
            await serving

    def run() -> None:
        try:
            asyncio.run(serve())
        finally:
            ready.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        servers[0].should_exit = True
        thread.join(30)
        listener.close()
