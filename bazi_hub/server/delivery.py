"""Whether an answer was handed over whole, and telling the hub so.

Servers report a disconnect after every complete answer, so the question has to be asked just before its last byte, of a
task that has been waiting for the client to leave.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bazi_hub.call import Outcome
    from bazi_hub.hub import Hub


async def still_there(gone: asyncio.Future[Any]) -> bool:
    """Whether nobody left so far. One turn of the loop lets a leaving be noticed that is known to the server already."""
    await asyncio.sleep(0)
    return not gone.done()


async def delivered(hub: Hub, outcome: Outcome) -> None:
    """Says that an answer was seen."""
    if outcome.undelivered is not None:
        await hub.delivered(outcome.undelivered)
