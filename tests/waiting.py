"""Waiting for what has to come true, with an end to it."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# Far more than anything takes: whoever waits so long waits for what does not come.
PATIENCE_S = 60.0
# Of one look more than this is no waiting: the whole process stood still, as one that is stopped, and not what it waits for.
LONGEST_LOOK_S = 1.0
# So often the loop is let turn before the processor is left to others.
TURNS = 100


class _Waited:
    """How long somebody has waited who looks again and again."""

    def __init__(self, most_s: float) -> None:
        self._left_s, self._looked_s = most_s, time.monotonic()

    def bears(self) -> bool:
        """Whether there is time left; each look counts."""
        now_s = time.monotonic()
        self._left_s -= min(now_s - self._looked_s, LONGEST_LOOK_S)
        self._looked_s = now_s
        return self._left_s > 0


async def eventually(condition: Callable[[], Any], seconds: float = PATIENCE_S) -> Any:
    """What the condition gives as soon as it is true, or what it gives is awaited to; a failed test where time runs out."""
    waited, turns = _Waited(seconds), 0
    while True:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return found
        assert waited.bears(), f"not within {seconds} s: {inspect.getsource(condition).strip()}"
        turns += 1
        await asyncio.sleep(0 if turns < TURNS else 0.001)


def eventually_there(condition: Callable[[], Any], seconds: float = PATIENCE_S) -> Any:
    """The same where there is no loop."""
    waited = _Waited(seconds)
    while not (found := condition()):
        assert waited.bears(), f"not within {seconds} s: {inspect.getsource(condition).strip()}"
        time.sleep(0.002)
    return found
