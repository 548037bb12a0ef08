"""What is the memory store's own: its defaults, its bounds, its fakes."""

import asyncio

from bazi_hub.money.limits import MemoryLimits
from bazi_hub.money.prices import DEFAULT_PRICES
from bazi_hub.ports import Captured, Fresh, Price
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import START_MS, FakeClock, FakeIds, World


def test_windows_that_ended_are_forgotten():
    async def story():
        clock = FakeClock()
        limits = MemoryLimits(clock)
        for minute in range(5):
            for account in range(100):
                await limits.take(f"post:{minute}:{account}", 1)
            await limits.take("sign-up:a", 5, 86_400)
            clock.advance(60)
        await limits.take("post:last", 1)
        return len(limits), await limits.peek("sign-up:a", 5, 86_400)

    kept, sign_ups = asyncio.run(story())
    assert kept == 2
    assert sign_ups.remaining == 0


def test_a_refused_hit_leaves_no_counter():
    async def story():
        limits = MemoryLimits(FakeClock())
        for account in range(100):
            await limits.take(f"post:{account}", 0)
            await limits.peek(f"post:{account}", 1)
        return len(limits)

    assert asyncio.run(story()) == 0


def test_results_are_kept_as_long_as_asked():
    async def story():
        clock, ids = FakeClock(), FakeIds()
        world = World(MemoryStorage(clock, ids, result_ttl_ms=60_000), clock, ids)
        account = await world.account(25)
        first = await world.captured(account)
        again = world.call(account, fingerprint=first.fingerprint)
        clock.advance(59)
        before = await world.storage.ledger.peek(again)
        clock.advance(2)
        return before, await world.storage.ledger.peek(again)

    before, after = asyncio.run(story())
    assert isinstance(before, Captured)
    assert isinstance(after, Fresh)


def test_prices_can_be_other_ones():
    storage = MemoryStorage(prices=[price._replace(credit_cost=0, min_balance=0) for price in DEFAULT_PRICES])
    assert {price.credit_cost for price in asyncio.run(storage.pricing.all()).values()} == {0}


def test_two_storages_know_nothing_of_each_other():
    async def story():
        one, two = MemoryStorage(), MemoryStorage()
        await one.pricing.set(Price("bazi_basic_analysis", 9, 9, 0, True), "os:operator")
        await World(one).account(5)
        return await two.accounts.listed(), (await two.pricing.all())["bazi_basic_analysis"].credit_cost

    assert asyncio.run(story()) == ([], 1)


def test_memory_is_shared_with_no_other_process():
    assert MemoryStorage().shared is False


def test_forgotten_calls_leave_the_indexes():
    async def story():
        clock, ids = FakeClock(), FakeIds()
        world = World(MemoryStorage(clock, ids), clock, ids)
        account = await world.account(100)
        for number in range(10):
            call = await world.captured(account, key=f"k{number}" if number % 2 else None)
            if number % 3 == 0:
                await world.storage.ledger.delivered([call.id])
        clock.advance(10)
        await world.storage.ledger.purge(clock.now_ms())
        return world.storage.tables

    tables = asyncio.run(story())
    assert len(tables.calls) == 10
    assert [tables.by_key, tables.by_likeness, tables.running, tables.ended] == [{}] * 4


def test_the_two_fake_clocks_move_together_unless_the_wall_clock_is_set():
    clock = FakeClock()
    clock.advance(10)
    clock.set_wall(-3600)
    assert (clock.now_ms(), clock.monotonic()) == (START_MS + 10_000 - 3_600_000, 1010.0)
