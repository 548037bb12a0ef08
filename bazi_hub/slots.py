"""Who may ask the reader next: so many at once, the waiting accounts in turn.

One account with many calls delays another by one slot at most. A call that finds no room to wait is refused before
anything is held for it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from bazi_core.readings.port import member, name_of, timed_out
from bazi_hub.waiting import within

if TYPE_CHECKING:
    from bazi_core.readings.port import AsyncReadingPort, ReadingReply, ReadingRequest
    from bazi_hub.ports import Clock, Telemetry

MOST_WAITING = 256
MOST_WAITING_OF_AN_ACCOUNT = 16


class Slots:
    """The reader's slots in this process."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def room(self, account_id: str) -> bool:
        """Whether a call of this account could wait, or would not have to."""
        if self._free:
            return True
        own = len(self._waiting.get(account_id, ()))
        return own < MOST_WAITING_OF_AN_ACCOUNT and sum(map(len, self._waiting.values())) < MOST_WAITING

    async def take(self, account_id: str) -> None:
        """Returns when the caller has a slot; `give` it back."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account_id, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give()
            else:
                self._forget(account_id, turn)
            raise

    def give(self) -> None:
        """Frees a slot, or hands it to the account whose turn it is."""
        while self._waiting:
            account_id, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[account_id] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _forget(self, account_id: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(account_id)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[account_id]


class SlottedPort:
    """A reading port whose calls wait their turn; the wait is part of the time that the caller allows."""

    def __init__(
        self, port: AsyncReadingPort, slots: Slots, account_id: str, clock: Clock, telemetry: Telemetry
    ) -> None:
        self._port, self._slots, self._account_id = port, slots, account_id
        self._clock, self._telemetry = clock, telemetry
        self.name, self.model = name_of(port), member(port, "model")
        self.price = member(port, "price")

    async def generate(self, request: ReadingRequest) -> ReadingReply:
        start = self._clock.monotonic()
        try:
            await within(self._slots.take(self._account_id), request.timeout_s)
        except TimeoutError:
            raise timed_out(request.timeout_s) from None
        try:
            left_s = request.timeout_s - (self._clock.monotonic() - start)
            if left_s <= 0:
                raise timed_out(request.timeout_s)
            return await self._port.generate(request._replace(timeout_s=left_s))
        finally:
            self._slots.give()
            self._telemetry.observe("reader_seconds", self._clock.monotonic() - start)
