"""A page that takes a while, for a script that asks for events: how far it is, and at the end what the page has become.

An event is a line of JSON with one member (WHATWG server-sent events); where there is nothing to tell for a while, a comment
says that somebody is still there. A page that told nothing is answered as it would be without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping

from starlette.responses import Response

from bazi_hub.http.exchange import Exchange
from bazi_hub.http.sse import PING, EventStream
from bazi_hub.http.wire.mcp import EVENT_STREAM
from bazi_hub.words.call import compact

# Neither kept nor packed on the way, and handed on by proxies piece by piece.
HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


def wanted(exchange: Exchange) -> bool:
    return EVENT_STREAM in exchange.headers.get("accept", "").lower()


class Events:
    """The event stream of one visit. `sign_s`: seconds of silence before a sign of life."""

    def __init__(self, exchange: Exchange, headers: Mapping[str, str], sign_s: float) -> None:
        sent = tuple({**headers, **HEADERS}.items())
        self._exchange = exchange
        self._stream = EventStream(exchange, sent, sign_s, lambda: PING if exchange.started else b"")

    def tell(self, name: str, what: str) -> None:
        self._stream.tell(_event(name, what))

    async def carry(self, making: Coroutine[None, None, Response]) -> Response | None:
        """The response, unless an event came before it: then it is sent as the last one, if the client still listens."""
        response = await self._stream.accompany(asyncio.create_task(making))
        if not self._exchange.started:
            return response
        # Where to go on, else the page to show.
        to = response.headers.get("location")
        last = _event("page", bytes(response.body).decode()) if to is None else _event("place", to)
        await self._stream.send(last)
        await self._stream.send(b"", more=False)
        return None


def _event(name: str, what: str) -> bytes:
    return f"data: {compact({name: what})}\n\n".encode()
