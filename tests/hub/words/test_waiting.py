"""Waiting for so long and no longer: what takes too long ends, and whoever is cancelled is cancelled."""

import asyncio

import pytest

from bazi_hub.words.waiting import finish_then_cancel, shielded, within
from tests.hub.stories import in_loop


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


@in_loop
async def test_a_cancellation_that_meets_the_end_of_the_work_is_not_lost():
    work = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(within(work, 60))
    await asyncio.sleep(0)
    work.set_result("too late")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@in_loop
async def test_whoever_is_cancelled_meanwhile_waits_for_the_end_and_is_cancelled_then():
    work = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(finish_then_cancel(work))
    for _ in range(3):
        await asyncio.sleep(0)
        waiting.cancel()
    await asyncio.sleep(0)
    assert (waiting.done(), work.done()) == (False, False)
    work.set_result("decided")
    with pytest.raises(asyncio.CancelledError):
        await waiting


def test_a_last_step_is_taken_by_whoever_is_cancelled_too():
    async def story():
        work = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(shielded(work))
        for _ in range(3):
            await asyncio.sleep(0)
            waiting.cancel()
        work.set_result("decided")
        return await waiting

    assert asyncio.run(story()) == "decided"
