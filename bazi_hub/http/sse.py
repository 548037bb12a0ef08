"""A long call over MCP: its answer as plain JSON if that comes soon, otherwise at the end of an event stream.

Clients and proxies give a silent response up after a minute, and a reading takes longer. So after a while, or at the first
phase that the client asked to hear of, the response becomes a stream (WHATWG server-sent events) with signs of life.
"""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import count
from typing import TYPE_CHECKING

from bazi_hub.http.delivery import delivered, still_there
from bazi_hub.http.wire import mcp
from bazi_hub.http.wire.answer import limit_headers
from bazi_hub.words.waiting import within

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.calls.hub import Hub
    from bazi_hub.http.exchange import Exchange
    from bazi_hub.words.call import Caller, Outcome, Window

HEADERS = (("Cache-Control", "no-cache, no-transform"), ("X-Accel-Buffering", "no"))


class Stream:
    """One such response. `sign_s`: seconds between signs of life."""

    def __init__(self, hub: Hub, exchange: Exchange, request: mcp.Request, sign_s: float) -> None:
        self.hub, self.exchange, self.request, self.sign_s = hub, exchange, request, sign_s
        self._phases: deque[str] = deque()
        self._window: Window | None = None
        self._woken = asyncio.Event()
        self._steps = count(1)

    async def carry(self, caller: Caller) -> None:
        """Makes the call and hands its outcome over, as events if need be."""
        tell = None if self.request.progress_token is None else self._teller()
        call = mcp.call(self.request, caller, self.exchange.id, tell=tell, counted=self._counted)
        async with self.exchange.watched() as gone:
            outcome = await self._followed(asyncio.ensure_future(self.hub.call(call)))
            answer = mcp.outcome(self.request, outcome)
            seen = await still_there(gone)
            if self.exchange.started:
                await self.exchange.part(mcp.event(answer.body), more=False)
            else:
                await self.exchange.answer(answer)
        if seen:
            await delivered(self.hub, outcome)

    def _counted(self, window: Window) -> None:
        self._window = window

    def _teller(self) -> Callable[[str], None]:
        """Takes phases from any thread."""
        loop = asyncio.get_running_loop()

        def hear(phase: str) -> None:
            self._phases.append(phase)
            self._woken.set()

        def tell(phase: str) -> None:
            loop.call_soon_threadsafe(hear, phase)

        return tell

    async def _followed(self, work: asyncio.Future[Outcome]) -> Outcome:
        """The outcome, after every event that came before it."""
        loop = asyncio.get_running_loop()
        next_sign = loop.time() + self.sign_s
        work.add_done_callback(lambda _: self._woken.set())
        while True:
            try:
                await within(self._woken.wait(), next_sign - loop.time())
            except TimeoutError:
                next_sign += self.sign_s
                await self._sign()
            self._woken.clear()
            while self._phases:
                await self._progress(self._phases.popleft())
            if work.done():
                return work.result()

    async def _sign(self) -> None:
        await self._begun()
        await self.exchange.part(mcp.PING)
        await self._progress(None)

    async def _progress(self, phase: str | None) -> None:
        token = self.request.progress_token
        if token is not None:
            await self._begun()
            await self.exchange.part(mcp.event(mcp.progress(token, next(self._steps), phase)))

    async def _begun(self) -> None:
        if not self.exchange.started:
            await self.exchange.start(200, (*HEADERS, *limit_headers(self._window)), mcp.EVENT_STREAM)
