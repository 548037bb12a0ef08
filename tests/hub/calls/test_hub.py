"""The life of a hub: started late, twice, in vain, or from many threads; and closed at any moment of it."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

import bazi_hub.calls.state
from bazi_hub.calls.hub import Hub
from bazi_hub.calls.in_progress import CallInProgress
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.ports import Session, StoreClosed, StoreError
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.settings import Settings
from tests.hub.stories import in_loop
from tests.hub.worlds import BIRTH, ME, T1, T2, Reader, Voices, in_world, plays, world
from tests.waiting import eventually

CALLERS = 16


class Stores(MemoryStorage):
    """Stores that notice whether they are open, and may take their time to open or fail behind it."""

    def __init__(self) -> None:
        super().__init__(FakeClock(), FakeIds())
        self.is_open = False
        self.slow = asyncio.Event()
        self.slow.set()
        self.fault: Exception | None = None
        self.ledger.heartbeat = self._heartbeat  # type: ignore[method-assign]

    async def open(self) -> None:
        self.is_open = True
        await self.slow.wait()

    async def close(self) -> None:
        self.is_open = False

    async def _heartbeat(self, worker: str) -> None:
        if self.fault is not None:
            raise self.fault


def hub_on(stores: MemoryStorage) -> Hub:
    clock = FakeClock()
    return Hub(Settings(), storage=stores, limits=MemoryLimits(clock), clock=clock, ids=FakeIds())


def watchers() -> int:
    return sum("HubState._watch" in repr(task.get_coro()) for task in asyncio.all_tasks())


@in_loop
async def test_a_start_that_failed_half_way_can_be_repeated_or_closed():
    stores = Stores()
    hub, stores.fault = hub_on(stores), StoreError("disk full")
    for _ in range(2):
        with pytest.raises(StoreError, match="disk full"):
            await hub.start()
    stores.fault = None
    await hub.start()
    assert watchers() == 1
    other = hub_on(failing := Stores())
    failing.fault = StoreError("disk full")
    with pytest.raises(StoreError):
        await other.start()
    await other.close()
    await hub.close()
    assert (failing.is_open, stores.is_open) == (False, False)


@pytest.mark.parametrize("turns", range(6))
@in_loop
async def test_a_hub_that_is_closed_while_it_opens_leaves_nothing_open(turns):
    stores = Stores()
    stores.slow.clear()
    hub = hub_on(stores)
    starting = asyncio.create_task(hub.start())
    for _ in range(turns):
        await asyncio.sleep(0)
    closing = asyncio.create_task(hub.close())
    for _ in range(5):
        await asyncio.sleep(0)
    stores.slow.set()
    await asyncio.gather(starting, closing, return_exceptions=True)
    assert (stores.is_open, watchers()) == (False, 0)


@in_loop
async def test_a_closed_hub_stays_closed_and_says_so():
    stores = Stores()
    hub = hub_on(stores)
    await hub.start()
    await asyncio.gather(hub.close(), hub.close())
    await hub.close()
    with pytest.raises(StoreClosed):
        await hub.start()
    outcome = await hub.dispatch(T1, BIRTH, ME)
    assert (outcome.error.name, outcome.error.data["reason"]) == ("UPSTREAM_ERROR", "DRAINING")
    assert stores.is_open is False


def test_a_hub_is_watched_over_in_the_next_event_loop_too():
    stores = Stores()
    hub = hub_on(stores)

    async def used():
        await hub.start()
        return watchers()

    assert [asyncio.run(used()) for _ in range(3)] == [1, 1, 1]
    asyncio.run(hub.close())
    assert stores.is_open is False


@in_loop
async def test_a_hub_that_begins_again_ends_no_call_of_its_own():
    reader = Reader(15)
    async with world(reader=reader) as made:
        running = await made.held_up(reader)
        made.hub._watching.cancel()
        await asyncio.wait([made.hub._watching])
        await made.hub.start()
        reader.gate.set()
        assert ((await running).error, watchers()) == (None, 1)


def test_many_threads_that_begin_at_once_share_one_loop():
    hub = hub_on(Stores())
    together, results = threading.Barrier(CALLERS), []
    before = set(threading.enumerate())

    def ask():
        together.wait()
        results.append(hub.dispatch_sync("get_skill_info", {}, ME).error)

    threads = [threading.Thread(target=ask) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loops = len(set(threading.enumerate()) - before)
    hub.close_sync()
    assert (results, loops) == ([None] * CALLERS, 1)
    assert set(threading.enumerate()) <= before


@in_world
async def test_what_was_let_in_before_a_hub_drains_does_not_begin_behind_it(world):
    """It waits for the ledger while the hub looks for what runs, and finds nothing."""
    looked, look = asyncio.Event(), world.storage.ledger.peek

    async def slow(call):
        await looked.wait()
        return await look(call)

    world.storage.ledger.peek = slow
    late = asyncio.create_task(world.ask(T2, BIRTH))
    await asyncio.sleep(0)
    await world.hub.drain()
    looked.set()
    error = (await late).error
    assert (error.name, error.data["reason"], world.hub.in_progress) == ("UPSTREAM_ERROR", "DRAINING", {})
    assert await world.money() == (25, 0)


class Slowly:
    """A step of a store that is done at once and takes its time to say so."""

    def __init__(self, step) -> None:
        self._step, self.done, self.told = step, asyncio.Event(), asyncio.Event()

    async def __call__(self, *told, **more):
        result = await self._step(*told, **more)
        self.done.set()
        await self.told.wait()
        return result


async def closed_during(world, name: str):
    """The outcome of a call at whose step the hub stops waiting."""
    step = Slowly(getattr(world.storage.ledger, name))
    setattr(world.storage.ledger, name, step)
    running = asyncio.create_task(world.ask(T2, BIRTH))
    await step.done.wait()
    draining = asyncio.create_task(world.hub.drain(0))
    for _ in range(10):
        await asyncio.sleep(0)
    step.told.set()
    await draining
    return await running


@in_loop
async def test_a_call_that_is_stopped_while_it_is_admitted_gives_its_hold_back():
    async with world(reader=Reader(15)) as made:
        outcome = await closed_during(made, "hold")
        assert (outcome.error.data["reason"], await made.money()) == ("DRAINING", (25, 0))
        assert made.hub._reader.asked == 0


@pytest.mark.parametrize(("step", "reader"), [("capture", Reader), ("charge", None)])
@in_loop
async def test_whoever_paid_while_the_hub_stopped_waiting_is_answered(step, reader):
    async with world(reader=reader and reader(15)) as made:
        outcome = await closed_during(made, step)
        assert (outcome.error, outcome.credits_deducted) == (None, 4)
        assert json.loads(outcome.result)["pattern_result"]
        assert await made.money() == (21, 0)


@in_loop
async def test_a_call_that_somebody_else_is_paying_for_is_stopped_all_the_same():
    task = asyncio.ensure_future(asyncio.Event().wait())
    flight = CallInProgress("fingerprint", task)
    flight.settle()
    flight.stop()
    await asyncio.sleep(0)
    assert not task.cancelled()
    with pytest.raises(asyncio.CancelledError):
        flight.wait()
    flight.stop()
    await asyncio.wait([task])
    assert task.cancelled()


def heard(purge, dropped):
    """The same, telling how many it dropped."""

    async def told(now_ms):
        dropped.append(await purge(now_ms))
        return dropped[-1]

    return told


@pytest.mark.parametrize("database", ["memory", "sqlite"])
def test_the_hub_drops_what_lapsed_once_in_an_hour(database, tmp_path, monkeypatch):
    clock, ids = FakeClock(), FakeIds()
    storage = (
        SqliteStorage(tmp_path / "hub.db", clock, ids) if database == "sqlite" else MemoryStorage(clock, ids)
    )
    a_day_ms, dropped = 86_400_000, []
    for store, name in ((storage.sessions, "purge"), (storage.accounts, "purge_invites")):
        monkeypatch.setattr(store, name, heard(getattr(store, name), dropped))
    monkeypatch.setattr(bazi_hub.calls.state, "REAP_EVERY_S", 0.001)

    async def story(world):
        accounts, sessions, ledger = world.storage.accounts, world.storage.sessions, world.storage.ledger
        now = clock.now_ms()
        await eventually(lambda: dropped == [0, 0])
        await accounts.invite("hash", now + a_day_ms, "test")
        await sessions.add(Session("s", ME.account_id, "csrf", now, now, now + a_day_ms))
        await ledger.count_uncharged(ME.account_id, now // a_day_ms)
        for later_s, found in ((2 * 86_400 + 1, [0, 0, 1, 1]), (3600, [0, 0, 1, 1, 0, 0])):
            clock.advance(later_s)
            await eventually(lambda found=found: len(dropped) == len(found))
            assert dropped == found
        assert await sessions.find("s") is None
        assert await ledger.uncharged(ME.account_id, now // a_day_ms) == 0

    plays(story, storage=storage, clock=clock, ids=ids)


STEPS = ("heartbeat", "purge", "reap", "held")


@pytest.mark.parametrize("failing", [*STEPS, "sweep", "asked", "lapsed", "runs"])
def test_a_step_of_the_watch_that_fails_keeps_no_other_from_being_done(failing, monkeypatch):
    monkeypatch.setattr(bazi_hub.calls.state, "REAP_EVERY_S", 0.001)

    async def story():
        stores = Stores()
        hub, voices, done = hub_on(stores), Voices(), set()
        hub.telemetry = voices

        def step(name):
            async def told(*arguments):
                if name == failing and begun.is_set():
                    raise ValueError(name)
                done.add(name)
                return 0

            return told

        begun = asyncio.Event()
        for name in STEPS:
            monkeypatch.setattr(stores.ledger, name, step(name))
        monkeypatch.setattr(hub.limits, "sweep", step("sweep"))
        monkeypatch.setattr(hub, "_forget_lapsed", step("lapsed"))
        monkeypatch.setattr(stores.runs, "purge", step("runs"))
        hub.on_watch.append(step("asked"))
        await hub.start()
        begun.set()
        done.clear()
        everything = {*STEPS, "sweep", "asked", "lapsed", "runs"}
        await eventually(lambda: done == everything - {failing})
        await eventually(lambda: [line for line in voices.logged if line["event"] == "watch_failed"])
        await hub.close()

    asyncio.run(story())
