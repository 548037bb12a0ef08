"""A page that takes a while, for a script that asks for events: how far it is, and at the end what the page has become.

An event is a line of JSON with one member (WHATWG server-sent events); where there is nothing to tell for a while, a comment
says that somebody is still there. A page that told nothing is answered as it would be without.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from bazi_hub.http.wire.mcp import EVENT_STREAM, PING
from bazi_hub.words.call import compact
from bazi_hub.words.waiting import within

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

    from starlette.responses import Response

    from bazi_hub.http.exchange import Exchange

# Neither kept nor packed on the way, and handed on by proxies piece by piece.
HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


def wanted(exchange: Exchange) -> bool:
    return EVENT_STREAM in exchange.headers.get("accept", "").lower()


class Events:
    """What one visit is told. `sign_s`: seconds of silence before a sign of life."""

    def __init__(self, exchange: Exchange, headers: Mapping[str, str], sign_s: float) -> None:
        self._exchange, self._headers, self._sign_s = exchange, {**headers, **HEADERS}, sign_s
        self._untold: deque[tuple[str, str]] = deque()
        self._woken = asyncio.Event()

    def tell(self, name: str, what: str) -> None:
        self._untold.append((name, what))
        self._woken.set()

    async def carry(self, making: Coroutine[None, None, Response]) -> Response | None:
        """The response, unless an event came before it: then it is sent as the last one, if the client still listens."""
        work = asyncio.create_task(making)
        work.add_done_callback(lambda _: self._woken.set())
        while not work.done():
            try:
                await within(self._woken.wait(), self._sign_s)
            except TimeoutError:
                await self._sign()
            self._woken.clear()
            await self._tell_all()
        response = work.result()
        if not self._exchange.started:
            return response
        self._untold.append(_end(response))
        await self._tell_all()
        await self._exchange.part(b"", more=False)
        return None

    async def _tell_all(self) -> None:
        while self._untold:
            if not self._exchange.started:
                await self._exchange.start(200, tuple(self._headers.items()), EVENT_STREAM)
            name, what = self._untold.popleft()
            await self._exchange.part(f"data: {compact({name: what})}\n\n".encode())

    async def _sign(self) -> None:
        if self._exchange.started:
            await self._exchange.part(PING)


def _end(response: Response) -> tuple[str, str]:
    """Where to go on, else the page to show."""
    to = response.headers.get("location")
    return ("page", bytes(response.body).decode()) if to is None else ("place", to)
