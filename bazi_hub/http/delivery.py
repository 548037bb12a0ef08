"""Whether an answer was handed over whole, and telling the hub so.

Servers report a disconnect after every complete answer, so the question has to be asked just before its last byte, of a
task that has been waiting for the client to leave.
"""

from __future__ import annotations

import asyncio
from typing import Any

from bazi_hub.calls.hub import Hub
from bazi_hub.http.exchange import Exchange
from bazi_hub.words.call import Outcome

# A call that ends before has no task that waits for its client to leave: the server is asked once.
MOMENT_S = 0.05


class Watch:
    """Watches for the client of one exchange to leave, from now until `end`."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(MOMENT_S, self._begin)

    def _begin(self) -> None:
        self._task = self._exchange.watch()

    async def still_there(self) -> bool:
        """Whether the client did not leave so far."""
        if self._task is not None:
            return await still_there(self._task)
        await asyncio.sleep(0)
        return not self._exchange.left()

    def end(self) -> None:
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()


async def still_there(gone: asyncio.Future[Any]) -> bool:
    """Whether the client is still connected. One turn of the loop lets a known disconnection arrive."""
    await asyncio.sleep(0)
    return not gone.done()


async def delivered(hub: Hub, outcome: Outcome) -> None:
    """Says that an answer was seen."""
    if outcome.undelivered is not None:
        await hub.delivered(outcome.undelivered)
