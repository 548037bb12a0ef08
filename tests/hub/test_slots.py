"""The reader's slots: so many at a time, accounts in turn, a bounded queue."""

from __future__ import annotations

import asyncio

import pytest

from bazi_core.errors import PortTimeout
from bazi_core.readings.port import ReadingReply
from bazi_hub.memory import NoTelemetry, SystemClock
from bazi_hub.slots import MOST_WAITING, MOST_WAITING_OF_AN_ACCOUNT, Slots, SlottedPort


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


def test_an_account_with_many_calls_delays_another_by_one_slot():
    async def story():
        slots, order = Slots(1), []

        async def call(account):
            await slots.take(account)
            order.append(account)
            await asyncio.sleep(0)
            slots.give()

        await asyncio.gather(*(call("many") for _ in range(10)), call("few"))
        assert order.index("few") <= 2

    asyncio.run(story())


def test_no_more_than_its_slots_run_at_a_time():
    async def story():
        slots, running, most = Slots(3), 0, 0

        async def call(number):
            nonlocal running, most
            await slots.take(f"account-{number % 4}")
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            slots.give()

        await asyncio.gather(*(call(number) for number in range(40)))
        assert most == 3

    asyncio.run(story())


def test_a_waiting_call_that_is_given_up_leaves_its_place():
    async def story():
        slots = Slots(1)
        await slots.take("a")
        waiting = [asyncio.create_task(slots.take("a")) for _ in range(3)]
        await settled()
        waiting[1].cancel()
        await settled()
        for task in (waiting[0], waiting[2]):
            slots.give()
            await task
        slots.give()
        assert slots.room("a")
        await asyncio.wait_for(slots.take("a"), 1)

    asyncio.run(story())


def test_a_slot_that_comes_to_a_call_just_given_up_is_not_lost():
    async def story():
        slots = Slots(1)
        await slots.take("a")
        waiting = asyncio.create_task(slots.take("a"))
        await settled()
        slots.give()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(slots.take("b"), 1)

    asyncio.run(story())


def test_room_to_wait_is_bounded_for_each_account_and_for_all():
    async def story():
        slots = Slots(1)
        await slots.take("a")
        waiting = [asyncio.create_task(slots.take("a")) for _ in range(MOST_WAITING_OF_AN_ACCOUNT)]
        await settled()
        assert not slots.room("a")
        assert slots.room("b")
        waiting += [asyncio.create_task(slots.take(f"other-{n}")) for n in range(MOST_WAITING - len(waiting))]
        await settled()
        assert not slots.room("b")
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert slots.room("a")

    asyncio.run(story())


class Endless:
    async def generate(self, request):
        return ReadingReply("{}")


def test_waiting_is_part_of_the_time_that_is_allowed():
    from bazi_core.readings.requests import build_request
    from bazi_hub.tools.births import chart_of
    from tests.hub.worlds import BIRTH

    request = build_request(chart_of(BIRTH).pattern())._replace(timeout_s=0.01)

    async def story():
        slots = Slots(1)
        port = SlottedPort(Endless(), slots, "a", SystemClock(), NoTelemetry())
        assert (await port.generate(request)).text == "{}"
        await slots.take("b")
        with pytest.raises(PortTimeout):
            await port.generate(request)
        slots.give()
        assert slots.room("a")

    asyncio.run(story())
