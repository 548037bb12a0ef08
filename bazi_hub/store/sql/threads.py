"""The threads of an open database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bazi_hub.ports import StoreClosed

T = TypeVar("T")


class Threads:
    """They work between `start` and `end`; who comes before or behind is told that the database is not open."""

    def __init__(self, count: int, name: str) -> None:
        self._count, self._name = count, name
        self._pool: ThreadPoolExecutor | None = None

    def start(self) -> None:
        self._pool = ThreadPoolExecutor(self._count, self._name)

    async def do(self, work: Callable[[], T]) -> T:
        """The result of work on one of them. A thread goes on when its caller goes away."""
        if self._pool is None:
            raise StoreClosed("the database is not open")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def end(self, afterwards: Callable[[], None]) -> None:
        """Refuses new work, and runs the last step when every thread is idle.

        Connections are closed only there: one that a thread gives back to a pool already disposed of stays open.
        """
        pool, self._pool = self._pool, None
        if pool is None:
            return

        def work() -> None:
            pool.shutdown()
            afterwards()

        await asyncio.to_thread(work)
