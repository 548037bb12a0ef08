"""Waiting no longer than is allowed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


async def within(work: Awaitable[T], seconds: float) -> T:
    """What the work gives; `TimeoutError` where it takes longer.

    Not `asyncio.wait_for`: before Python 3.12 that one loses a cancellation which comes while the work has just ended, and
    whoever was cancelled goes on.

    >>> asyncio.run(within(asyncio.sleep(0, "done"), 1.0))
    'done'
    """
    async with asyncio.timeout(seconds):
        return await work
