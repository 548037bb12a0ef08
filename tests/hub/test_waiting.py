"""Waiting for so long and no longer: what takes too long ends, and whoever is cancelled is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from bazi_hub.waiting import within


def test_what_takes_too_long_is_ended():
    ended = []

    async def endless():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    with pytest.raises(TimeoutError):
        asyncio.run(within(endless(), 0))
    assert ended == [True]


def test_a_cancellation_that_meets_the_end_of_the_work_is_not_lost():
    async def story():
        work = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(within(work, 60))
        await asyncio.sleep(0)
        work.set_result("too late")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(story())
