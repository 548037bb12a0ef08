"""A response that is an event stream (WHATWG server-sent events): the one loop of long calls, of pages and of runs.

It begins with its first piece. After a while of silence a sign of life is sent, since clients and proxies give a silent
response up after a minute. A reader to whom a piece cannot be handed over is lost: nothing more is sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bazi_hub.http.exchange import Exchange
from bazi_hub.http.wire.answer import Headers
from bazi_hub.http.wire.mcp import EVENT_STREAM
from bazi_hub.words.waiting import within

T = TypeVar("T")

PING = b": ping\n\n"
# So long one piece may take to be handed over.
STALLED_S = 60.0


class EventStream:
    """The stream of one exchange. `sign_s`: seconds of silence before `sign`, whose piece may be empty."""

    def __init__(
        self,
        exchange: Exchange,
        headers: Headers,
        sign_s: float,
        sign: Callable[[], bytes] = lambda: PING,
        body_type: str = EVENT_STREAM,
    ) -> None:
        self.exchange, self.headers, self._body_type = exchange, headers, body_type
        self._sign_s, self._sign = sign_s, sign
        self._untold: deque[bytes] = deque()
        self._woken = asyncio.Event()
        self.lost = False

    def wake(self, *_: Any) -> None:
        """Has the next step taken now."""
        self._woken.set()

    def tell(self, piece: bytes) -> None:
        """Has a piece sent with the next step."""
        self._untold.append(piece)
        self.wake()

    async def send(self, piece: bytes, more: bool = True) -> None:
        """Hands a piece over, behind the head of the response if it is the first."""
        if self.lost:
            return
        if not self.exchange.started:
            await self.exchange.start(200, self.headers, self._body_type)
        try:
            await within(self.exchange.part(piece, more), STALLED_S)
        except TimeoutError:
            self.lost = True

    async def follow(self, step: Callable[[], Awaitable[bool]]) -> None:
        """Takes steps, whenever woken, until one of them was the last."""
        while not await step():
            try:
                await within(self._woken.wait(), self._sign_s)
            except TimeoutError:
                if piece := self._sign():
                    await self.send(piece)
            self._woken.clear()

    async def accompany(self, work: asyncio.Future[T]) -> T:
        """The result of a piece of work, once all that was told meanwhile is sent."""
        work.add_done_callback(self.wake)

        async def step() -> bool:
            while self._untold:
                await self.send(self._untold.popleft())
            return work.done()

        await self.follow(step)
        return work.result()
