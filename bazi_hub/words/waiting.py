"""Waiting no longer than is allowed, and for as long as it has to be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def within(work: Awaitable[T], seconds: float) -> T:
    """The result of the work; `TimeoutError` where it takes longer.

    Not `asyncio.wait_for`: before Python 3.12 that one loses a cancellation which comes while the work has just ended, and
    whoever was cancelled goes on.

    >>> asyncio.run(within(asyncio.sleep(0, "done"), 1.0))
    'done'
    """
    async with asyncio.timeout(seconds):
        return await work


async def shielded(work: Awaitable[T]) -> T:
    """The result of the work, also to a task that is cancelled meanwhile; the cancellation is swallowed.

    >>> asyncio.run(shielded(asyncio.sleep(0, "done")))
    'done'
    """
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([task])
    return task.result()


async def finish_then_cancel(work: Awaitable[T]) -> T:
    """The result of the work. A task that is cancelled meanwhile is cancelled when the work has ended.

    >>> asyncio.run(finish_then_cancel(asyncio.sleep(0, "done")))
    'done'
    """
    given = await shielded(work)
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
    return given
