"""Slots of the reader: so many at once, so many of one account, the waiting accounts in turn.

A reader that hangs keeps whatever slots its calls have. So no account has more than a share of them, and the others find one
free at once; where all are taken, one account with many calls delays another by one slot at most. A call that finds no room
to wait is refused before anything is held for it.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from bazi_core.model.port import AsyncReadingPort, ReadingReply, ReadingRequest, member, name_of, timed_out
from bazi_hub.ports import Clock, Telemetry
from bazi_hub.words.waiting import within

MOST_WAITING = 256
MOST_WAITING_OF_AN_ACCOUNT = 16
# The share of one account where the operator names none.
SHARE = 4


class Slots:
    """The reader's slots in this process: `size` of them, `most` for one account (None: a quarter).

    >>> slots = Slots(64)
    >>> slots.most
    16
    """

    def __init__(self, size: int, most: int | None = None) -> None:
        self._free, self._size = size, size
        self.most = max(1, size // SHARE) if most is None else most
        self._running: Counter[str] = Counter()
        self._seated: dict[str, Counter[str]] = {}
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def room(self, account_id: str) -> bool:
        """Whether one more reading of this account could run or wait."""
        mine = min(self.most, self._size) + MOST_WAITING_OF_AN_ACCOUNT
        seated = sum(map(len, self._seated.values()))
        return len(self._seated.get(account_id, ())) < mine and seated < self._size + MOST_WAITING

    @contextmanager
    def seat(self, account_id: str, name: str) -> Iterator[None]:
        """Counts a reading of this account from the moment it was let in until it has ended. Those of one name, of which
        only one will run, count once."""
        names = self._seated.setdefault(account_id, Counter())
        names[name] += 1
        try:
            yield
        finally:
            _less(names, name)
            if not names:
                self._seated.pop(account_id, None)

    async def take(self, account_id: str) -> None:
        """Returns when the caller has a slot; `give` it back."""
        if self._may(account_id):
            self._hand_out(account_id)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account_id, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give(account_id)
            else:
                self._forget(account_id, turn)
            raise

    def give(self, account_id: str) -> None:
        """Frees a slot of this account, and hands it to the account whose turn it is."""
        _less(self._running, account_id)
        self._free += 1
        for waiting in list(self._waiting):
            if self._may(waiting) and self._call(waiting):
                return

    def _may(self, account_id: str) -> bool:
        return self._free > 0 and self._running[account_id] < self.most

    def _hand_out(self, account_id: str) -> None:
        self._free -= 1
        self._running[account_id] += 1

    def _call(self, account_id: str) -> bool:
        """Whether a waiting reading of this account took the slot; the account goes to the end of the queue."""
        queue = self._waiting.pop(account_id)
        while queue and queue[0].done():
            # Given up a moment ago.
            queue.popleft()
        if not queue:
            return False
        self._hand_out(account_id)
        queue.popleft().set_result(None)
        if queue:
            self._waiting[account_id] = queue
        return True

    def _forget(self, account_id: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(account_id)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[account_id]


def _less(counts: Counter[str], name: str) -> None:
    """One less; of what there is none nothing is kept."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]


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
            self._slots.give(self._account_id)
            self._telemetry.observe("reader_seconds", self._clock.monotonic() - start)
