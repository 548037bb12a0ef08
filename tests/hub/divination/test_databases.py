"""The same runs on SQLite and on PostgreSQL, with readers on another worker, and under load."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from bazi_hub.calls.hub import Hub
from bazi_hub.store.postgres.limits import PostgresLimits
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.system import SystemClock, SystemIds
from tests.hub.databases import ENGINES
from tests.hub.divination.runworld import AGUI, GOLDEN, RUN, RUNS, THREAD, Model, Web, body, web
from tests.hub.stories import in_loop
from tests.sizes import sizes
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable


@pytest.fixture(params=ENGINES)
def storage(request: pytest.FixtureRequest) -> Any:
    clock, ids = FakeClock(), FakeIds()
    if request.param == "sqlite":
        return SqliteStorage(request.getfixturevalue("new_file")(), clock, ids)
    return PostgresStorage(request.getfixturevalue("new_url")(), clock, ids, database_time=False)


def plays_on(storage: Any, story: Callable[[Web], Awaitable[None]], **parts: Any) -> None:
    async def play() -> None:
        database = storage.database
        async with web(storage=storage, clock=database.clock, ids=database.ids, **parts) as made:
            await story(made)

    asyncio.run(play())


def test_a_run_from_submission_to_history(storage: Any) -> None:
    async def story(made: Web) -> None:
        made.reader.error = RuntimeError("no")
        assert (await made.submit()).status == 202
        assert (await made.settled())["status"] == "failed"
        made.reader.error = None
        assert (await made.submit()).json["attempt"] == 2
        assert (await made.settled())["credits_deducted"] == 4
        assert (await made.submit()).status == 200
        events = (await made.stream()).events
        derived = next(one for one in events if one["type"] == "DIVINATION_DERIVED")
        assert derived["divination"] == GOLDEN["seedRequest"]
        made.reader.gate.clear()
        posted = asyncio.ensure_future(made.ask("POST", AGUI, body(run="r2", payload=None, said="然后呢？")))
        await made.begun(3)
        assert (await made.ask("DELETE", f"{RUNS}/{THREAD}?runId=r2")).status == 200
        assert (await posted).events[-1]["outcome"] == {"type": "cancelled"}
        statuses = [
            one["agent_output"]["status"]
            for one in (await made.history())["messages"]
            if one["role"] == "assistant"
        ]
        assert statuses == ["cancelled", "success", "error"]
        assert (await made.stream(query="&after=3&profile=agui")).status == 200
        assert await made.money() == (996, 0)

    plays_on(storage, story, reader=Model())


def test_fifty_equal_submissions_are_one_run(storage: Any) -> None:
    async def story(made: Web) -> None:
        posts = [made.submit() for _ in range(45)] + [made.ask("POST", AGUI, body()) for _ in range(5)]
        found = await asyncio.gather(*posts)
        assert {one.status for one in found} <= {200, 202}
        assert len(made.reader.asked) == 1
        await made.settled()
        assert await made.money() == (996, 0)

    plays_on(storage, story, reader=Model())


def test_a_restart_ends_what_was_running_and_the_same_submission_runs_again(storage: Any) -> None:
    async def story(made: Web) -> None:
        await made.held_up()
        assert await made.storage.ledger.reap(everything=True) == 1
        ended = await made.settled()
        assert ended["error"] == {
            "code": "RUN_INTERRUPTED", "message": "The run was interrupted; submit it again",
        }  # fmt: skip
        made.reader.gate.set()
        await eventually(lambda: not made.hub.in_progress)
        assert (await made.submit()).json["attempt"] == 2
        assert (await made.settled())["status"] == "succeeded"
        assert await made.money() == (996, 0)

    plays_on(storage, story, reader=Model())


def test_cancelling_against_the_end_has_one_outcome(storage: Any) -> None:
    async def story(made: Web) -> None:
        paid = 0
        for number in range(40):
            await made.held_up(body(run=f"r{number}"), number + 1)
            made.reader.gate.set()
            for _ in range(number % 8):
                await asyncio.sleep(0.0005)
            await made.ask("DELETE", f"{RUNS}/{THREAD}?runId=r{number}")
            paid += (await made.settled(run=f"r{number}"))["credits_deducted"]
        assert await made.money() == (1000 - paid, 0)

    plays_on(storage, story, reader=Model(), uncharged_readings=1000)


@asynccontextmanager
async def two_workers(url: str) -> AsyncIterator[tuple[Web, Web]]:
    """Two processes' worth of hubs on one database, with the same accounts."""
    clock, ids = SystemClock(), SystemIds()

    def parts() -> dict[str, Any]:
        storage = PostgresStorage(url, clock, ids)
        limits = PostgresLimits(storage)
        return {"storage": storage, "limits": limits, "clock": clock, "ids": ids, "reader": Model()}

    async with web(**parts()) as here:
        there = Web(**parts())
        await there.hub.start()
        there.keys, there.accounts = here.keys, here.accounts
        yield here, there
        await there.hub.close(0)


@in_loop
async def test_a_reader_on_another_worker_sees_what_happens(new_url: Callable[[], str]) -> None:
    """Submitted here, read and cancelled there."""
    async with two_workers(new_url()) as (here, there):
        here.reader.gate.clear()
        await here.submit()
        stream = asyncio.ensure_future(there.stream())
        await eventually(lambda: there.service.feed._waiting)
        await here.begun()
        here.reader.gate.set()
        assert (await stream).body == (await here.stream()).body
        assert (await there.submit()).headers["idempotent-replayed"] == "true"
        await here.held_up(body(run="r2"), 2)
        busy = await there.submit(body(run="r3"))
        assert (busy.status, busy.json["params"]) == (409, {"runId": "r2"})
        assert (await there.ask("DELETE", f"{RUNS}/{THREAD}?runId=r2")).status == 200
        here.reader.gate.set()
        await eventually(lambda: not here.hub.in_progress)
        assert (await here.settled(run="r2"))["status"] == "cancelled"
        assert await here.money() == (996, 0)


@in_loop
async def test_an_account_has_sixteen_streams_over_all_workers(new_url: Callable[[], str]) -> None:
    async with two_workers(new_url()) as (here, there):
        await here.held_up()
        streams = [asyncio.ensure_future(made.stream()) for made in (here, there) for _ in range(8)]
        await eventually(lambda: all(len(made.service.feed._streams) >= 8 for made in (here, there)))
        for made in (here, there):
            refused = await made.ask("GET", f"{RUNS}/{THREAD}/events?runId={RUN}")
            assert (refused.status, refused.json["params"]["limit"]) == (429, 16)
        here.reader.gate.set()
        await asyncio.gather(*streams)
        assert (await there.stream()).status == 200


@in_loop
async def test_equal_submissions_on_two_workers_are_one_run(new_url: Callable[[], str]) -> None:
    async with two_workers(new_url()) as (here, there):
        for number in range(5):
            value = body(run=f"r{number}")
            found = await asyncio.gather(*(each.submit(value) for each in (here, there) * 8))
            assert sorted(one.status for one in found) == [200] * 15 + [202]
            await here.settled(run=f"r{number}")
        asked = len(here.reader.asked) + len(there.reader.asked)
        assert asked == 5
        assert await here.money() == (980, 0)


@sizes(20, 200)
def test_very_many_runs_at_once_all_end_and_are_all_paid(new_file: Callable[[], Any], count: int) -> None:
    """The model is slow; the hub keeps the waiting in order."""
    clock, ids = FakeClock(), FakeIds()

    async def play() -> None:
        storage = SqliteStorage(new_file(), clock, ids)
        async with web(
            storage=storage, clock=clock, ids=ids, reader=Model(), llm_max_concurrency=count,
            llm_account_concurrency=count, requests_per_address=count,
        ) as made:  # fmt: skip
            made.reader.gate.clear()
            threads = [f"7b0c9a52-2f0b-4d52-9a65-0c4f0a6f{number:04}" for number in range(count)]
            found = await asyncio.gather(*(made.submit(body(thread=thread)) for thread in threads))
            assert {one.status for one in found} == {202}
            assert await made.money() == (1000, 4 * count)
            await made.begun(count)
            made.reader.gate.set()
            for thread in threads:
                assert (await made.settled(thread))["status"] == "succeeded"
            assert await made.money() == (1000 - 4 * count, 0)

    asyncio.run(play())


def test_a_hub_that_starts_on_a_file_ends_the_runs_of_the_process_before(new_file: Callable[[], Any]) -> None:
    path = new_file()

    async def play() -> None:
        clock, ids = FakeClock(), FakeIds()
        first = Web(SqliteStorage(path, clock, ids), Model(), clock, ids)
        await first.open()
        first.reader.gate.clear()
        await first.submit()
        # The process is gone: nothing is settled, the file is left as it is.
        run = (await first.storage.runs.meet(first.accounts["me"], THREAD, RUN)).run
        assert run is not None
        await first.storage.close()
        second = SqliteStorage(path, clock, ids)
        hub = Hub(first.hub.settings, storage=second, limits=first.limits, clock=clock, ids=ids)
        await hub.start()
        after = (await second.runs.meet(first.accounts["me"], THREAD, RUN)).run
        assert after is not None
        assert (after.status, after.error and after.error[0]) == ("failed", "RUN_INTERRUPTED")
        assert await second.ledger.verify() == []
        await hub.close(0)
        await first.hub.close(0)

    asyncio.run(play())


def test_a_run_that_its_call_contradicts_is_found(storage: Any) -> None:
    async def story(made: Web) -> None:
        await made.submit()
        await made.settled()
        for status, times in (("cancelled", 1), ("running", 1), ("succeeded", 0)):
            await storage.runs._engine.work(
                lambda tx, status=status: tx.execute("UPDATE runs SET status = :status", {"status": status})
            )
            found = await storage.ledger.verify()
            assert [one.invariant for one in found] == ["I6"] * times

    plays_on(storage, story)


@in_loop
async def test_a_run_in_memory_that_its_call_contradicts_is_found() -> None:
    async with web() as made:
        await made.submit()
        await made.settled()
        rows = made.storage.tables.runs.runs
        (kept,) = rows.values()
        rows[kept.id] = kept._replace(status="failed")
        assert [one.invariant for one in await made.storage.ledger.verify()] == ["I6"]
        rows[kept.id] = kept


def test_a_run_that_says_another_cost_than_its_call_is_found(storage: Any) -> None:
    async def story(made: Web) -> None:
        await made.submit()
        await made.settled()
        change = made.storage.database.write
        await change(lambda db: db.execute(text("UPDATE runs SET deducted = deducted + 1")) and None)
        [finding] = await made.storage.ledger.verify()
        assert finding.invariant == "I6"
        await change(lambda db: db.execute(text("UPDATE runs SET deducted = deducted - 1")) and None)

    plays_on(storage, story, reader=Model())
