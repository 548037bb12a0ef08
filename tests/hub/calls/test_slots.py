"""The reader's slots: so many at a time, accounts in turn, a bounded queue."""

import asyncio
from collections import Counter
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.errors import PortTimeout
from bazi_core.model.port import ReadingReply
from bazi_hub.calls.slots import MOST_WAITING, MOST_WAITING_OF_AN_ACCOUNT, Slots, SlottedPort
from bazi_hub.words.system import NoTelemetry, SystemClock
from tests.hub.stories import in_loop


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


@in_loop
async def test_an_account_with_many_calls_delays_another_by_one_slot():
    slots, order = Slots(1), []

    async def call(account):
        await slots.take(account)
        order.append(account)
        await asyncio.sleep(0)
        slots.give(account)

    await asyncio.gather(*(call("many") for _ in range(10)), call("few"))
    assert order.index("few") <= 2


@in_loop
async def test_no_more_than_its_slots_run_at_a_time():
    slots, running, most = Slots(3), 0, 0

    async def call(number):
        nonlocal running, most
        account = f"account-{number % 4}"
        await slots.take(account)
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        slots.give(account)

    await asyncio.gather(*(call(number) for number in range(40)))
    assert most == 3


@in_loop
async def test_a_waiting_call_that_is_given_up_leaves_its_place():
    slots = Slots(1)
    await slots.take("a")
    waiting = [asyncio.create_task(slots.take("a")) for _ in range(3)]
    await settled()
    waiting[1].cancel()
    await settled()
    for task in (waiting[0], waiting[2]):
        slots.give("a")
        await task
    slots.give("a")
    assert slots.room("a")
    await asyncio.wait_for(slots.take("a"), 1)


@in_loop
async def test_a_slot_that_comes_to_a_call_just_given_up_is_not_lost():
    slots = Slots(1)
    await slots.take("a")
    waiting = asyncio.create_task(slots.take("a"))
    await settled()
    slots.give("a")
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(slots.take("b"), 1)


def test_room_is_bounded_for_each_account_and_for_all():
    slots = Slots(1)
    with ExitStack() as seats:
        for number in range(1 + MOST_WAITING_OF_AN_ACCOUNT):
            assert slots.room("a")
            for _ in range(3):
                seats.enter_context(slots.seat("a", f"thread-{number}"))
        assert not slots.room("a")
        for number in range(MOST_WAITING - MOST_WAITING_OF_AN_ACCOUNT):
            assert slots.room("b")
            seats.enter_context(slots.seat(f"other-{number}", "call"))
        assert not slots.room("b")
    assert slots.room("a")
    assert slots.room("b")


@in_loop
async def test_no_account_has_more_than_its_share_and_another_finds_a_slot_at_once():
    slots = Slots(8, 3)
    hanging = [asyncio.create_task(slots.take("many")) for _ in range(90)]
    await settled()
    assert sum(task.done() for task in hanging) == 3
    others = [asyncio.create_task(slots.take(f"other-{number}")) for number in range(5)]
    await settled()
    assert all(task.done() for task in others)
    slots.give("other-0")
    await settled()
    # Free, and not for whoever has a share of it.
    assert sum(task.done() for task in hanging) == 3
    slots.give("many")
    await settled()
    assert sum(task.done() for task in hanging) == 4
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)


@given(
    st.integers(1, 6), st.integers(1, 4), st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=60)
)
@in_loop
async def test_a_slot_is_never_idle_while_somebody_may_have_it(size, most, steps):
    """Whatever comes, ends and is given up: no share is exceeded, no slot lost, and nobody waits beside a free one."""
    slots, running, waiting = Slots(size, most), [], []
    for number, ends in steps:
        account = f"account-{number}"
        if not ends:
            waiting.append((account, asyncio.create_task(slots.take(account))))
        elif running and number % 2:
            slots.give(running.pop(0))
        elif waiting:
            waiting.pop(0)[1].cancel()
        await settled()
        running += [each for each, task in waiting if task.done()]
        waiting = [(each, task) for each, task in waiting if not task.done()]
        has = Counter(running)
        assert len(running) <= size
        assert max(has.values(), default=0) <= most
        assert len(running) == size or all(has[each] == most for each, _ in waiting)
    for _, task in waiting:
        task.cancel()
    await asyncio.gather(*(task for _, task in waiting), return_exceptions=True)
    for account in running:
        slots.give(account)
    for number in range(size):
        await asyncio.wait_for(slots.take(f"last-{number}"), 1)


@pytest.mark.parametrize(("size", "share"), [(1, 1), (3, 1), (8, 2), (64, 16)])
def test_without_a_word_from_the_operator_the_share_is_a_quarter(size, share):
    assert Slots(size).most == share


class Endless:
    async def generate(self, request):
        return ReadingReply("{}")


def test_waiting_is_part_of_the_time_that_is_allowed():
    from bazi_hub.tools.births import chart_of
    from tests.core.readings.written import request_of
    from tests.hub.worlds import BIRTH

    request = request_of(chart_of(BIRTH).pattern())._replace(timeout_s=0.01)

    async def story():
        slots = Slots(1)
        port = SlottedPort(Endless(), slots, "a", SystemClock(), NoTelemetry())
        assert (await port.generate(request)).text == "{}"
        await slots.take("b")
        with pytest.raises(PortTimeout):
            await port.generate(request)
        slots.give("b")
        assert slots.room("a")

    asyncio.run(story())
