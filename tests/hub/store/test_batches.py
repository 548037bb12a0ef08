"""Work of many is settled together, and the fault of one stays its own."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import text

from bazi_hub.ports import Admitted, StoreError
from bazi_hub.store.postgres import database as postgres
from bazi_hub.store.postgres.writer import LedgerOperation
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from tests.hub.databases import ENGINES, OTHERS, on_postgres, on_sqlite, opened
from tests.hub.stories import in_loop
from tests.waiting import eventually, eventually_there

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from bazi_hub.testing import World

    Opened = AbstractAsyncContextManager[World]


@pytest.fixture(params=ENGINES)
def on_either(request: pytest.FixtureRequest) -> Opened:
    """The world of an empty database of each engine."""
    if request.param == "sqlite":
        return on_sqlite(request.getfixturevalue("new_file")())
    return on_postgres(request.getfixturevalue("new_url")())


class Told:
    """A telemetry that remembers."""

    def __init__(self) -> None:
        self.observed: list[tuple[str, float]] = []

    def observe(self, name: str, value: float, **labels: str) -> None:
        self.observed.append((name, value))

    def count(self, name: str, amount: float = 1, **labels: str) -> None: ...

    def log(self, event: str, level: str = "info", **members: Any) -> None: ...


@in_loop
async def test_an_item_that_fails_on_sqlite_takes_nobody_with_it(new_file: Callable[[], Path]) -> None:
    async with on_sqlite(new_file()) as world:
        database: Any = world.storage.database  # type: ignore[attr-defined]
        account_id = await world.account(100)

        def half_done(db: Any) -> None:
            db.execute(text("UPDATE accounts SET status = 'suspended'"))
            db.execute(text("UPDATE accounts SET posted = -1"))

        calls = [world.storage.ledger.charge(world.call(account_id), "{}") for _ in range(4)]
        answers = await asyncio.gather(
            *calls[:2], database.write(half_done), *calls[2:], return_exceptions=True
        )
        assert isinstance(answers.pop(2), StoreError)
        assert all(isinstance(answer, Admitted) for answer in answers)
        account = await world.storage.accounts.get(account_id)
        assert account is not None
        assert (account.status, account.posted) == ("active", 84)


@in_loop
async def test_an_item_that_fails_on_postgresql_takes_nobody_with_it(new_url: Callable[[], str]) -> None:
    async with on_postgres(new_url(), database_time=True) as world:
        database: Any = world.storage.database  # type: ignore[attr-defined]
        account_id = await world.account(100)
        broken = LedgerOperation(
            account_id, "UPDATE accounts SET posted = -1 RETURNING 1", {}, lambda row: row
        )
        calls = [world.storage.ledger.charge(world.call(account_id), "{}") for _ in range(8)]
        answers = await asyncio.gather(
            *calls[:4], database.submit(broken), *calls[4:], return_exceptions=True
        )
        assert isinstance(answers.pop(4), StoreError)
        assert all(isinstance(answer, Admitted) for answer in answers)
        assert await world.balance(account_id) == (68, 0)
        assert await world.storage.ledger.verify() == []


@in_loop
async def test_what_waits_is_committed_together(new_file: Callable[[], Path]) -> None:
    told = Told()
    async with on_sqlite(new_file(), telemetry=told) as world:
        account_id = await world.account(1000)
        told.observed.clear()
        await asyncio.gather(*(world.storage.ledger.charge(world.call(account_id), "{}") for _ in range(200)))
        batches = [value for name, value in told.observed if name == "commit_batch"]
        assert sum(batches) == 200
        assert len(batches) < 100
        assert len([name for name, _ in told.observed if name == "commit_seconds"]) == len(batches)


@in_loop
async def test_nobody_waits_for_a_storage_that_is_closed(new_file: Callable[[], Path]) -> None:
    storage = SqliteStorage(new_file(), FakeClock(), FakeIds())
    async with opened(storage) as world:
        account_id = await world.account(10)
    for use in (
        storage.ledger.hold(world.call(account_id)),
        storage.ledger.account(account_id),
        storage.ledger.verify(),
    ):
        with pytest.raises(StoreError, match="not open"):
            await use
    await storage.open()
    assert await world.balance(account_id) == (10, 0)
    await storage.close()


def test_a_file_that_could_not_be_opened_is_free_for_the_next_attempt(tmp_path: Path) -> None:
    """Not "another process uses it": nobody does."""
    place = tmp_path / "hub.db"
    place.mkdir()

    async def story() -> None:
        storage = SqliteStorage(place, FakeClock(), FakeIds())
        for _ in range(2):
            with pytest.raises(StoreError, match="Is a directory"):
                await storage.open()
        place.rmdir()
        async with opened(storage) as world:
            assert await world.balance(await world.account(10)) == (10, 0)

    asyncio.run(story())


@in_loop
async def test_a_caller_that_went_away_spoils_nothing(new_file: Callable[[], Path]) -> None:
    async with on_sqlite(new_file()) as world:
        account_id = await world.account(100)
        calls = [
            asyncio.ensure_future(world.storage.ledger.charge(world.call(account_id), "{}")) for _ in range(6)
        ]
        await asyncio.sleep(0)
        calls[0].cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(answer, Admitted) for answer in answers[1:])
        assert await world.storage.ledger.verify() == []


@in_loop
async def test_workers_that_were_not_heard_of_for_a_day_are_forgotten(on_either: Opened) -> None:
    async with on_either as world:
        storage: Any = world.storage
        for name, later_s in (("gone", 82_000), ("here", 5_000)):
            await storage.ledger.heartbeat(name)
            world.clock.advance(later_s)
        await storage.ledger.purge(world.clock.now_ms())
        left = await storage.database.read(lambda db: db.execute(text("SELECT id FROM workers")).all())
        assert left == [("here",)]


@in_loop
async def test_a_lease_of_the_database_ends_by_its_own_clock(new_url: Callable[[], str]) -> None:
    """F13: the clock of the process is an hour away."""
    async with on_postgres(new_url(), database_time=True) as world:
        account_id = await world.account(10)
        call = await world.admitted(account_id, lease_s=60, worker="w")
        world.clock.advance(3600)
        assert await world.storage.ledger.reap() == 0
        other = await world.admitted(account_id, lease_s=-1)
        assert await world.storage.ledger.reap() == 1
        assert await world.storage.ledger.state(call.id) == ("running", None)
        assert await world.storage.ledger.state(other.id) == ("expired", None)


async def _interrupted(database: Any, work: Callable[[Any], Any]) -> None:
    """Work on a thread whose caller goes away in the middle."""
    begun = threading.Event()
    asked = asyncio.ensure_future(database.scan(lambda db: begun.set() or work(db)))
    await eventually(begun.is_set)
    asked.cancel()


def test_closing_postgresql_leaves_no_connection_behind(new_url: Callable[[], str]) -> None:
    """Also none whose caller went away: the thread goes on, and gives its connection back after that of the others."""
    url = new_url()

    async def story() -> None:
        async with on_postgres(url) as world:
            await _interrupted(
                world.storage.database,  # type: ignore[attr-defined]
                lambda db: db.execute(text("SELECT pg_sleep(0.2)")),
            )

    asyncio.run(story())
    with psycopg.connect(url, autocommit=True) as connection:
        # The server takes a moment to see that a client is gone.
        eventually_there(lambda: not connection.execute(OTHERS).fetchall(), 5)


@in_loop
async def test_who_comes_while_a_storage_closes_is_told_so(on_either: Opened) -> None:
    async with on_either as world:
        storage: Any = world.storage
        account_id = await world.account(10)
        await _interrupted(storage.database, lambda db: time.sleep(0.2))
        closing = asyncio.ensure_future(storage.close())
        await asyncio.sleep(0.01)
        assert not closing.done()
        for use in (
            storage.ledger.charge(world.call(account_id), "{}"),
            storage.ledger.account(account_id),
            storage.accounts.get(account_id),
            storage.accounts.change(account_id, "test", status="suspended"),
            storage.ledger.verify(),
            storage.database.pack("x" * 100_000),
        ):
            with pytest.raises(StoreError, match="not open"):
                await asyncio.wait_for(use, 5)
        await closing


def test_a_worker_that_is_stopped_in_a_transaction_keeps_nobody_from_an_account_for_long(
    new_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "IDLE_MS", 100)
    begun, resumed = threading.Event(), threading.Event()

    def stopped(db: Any) -> None:
        db.execute(text("UPDATE accounts SET held = held"))
        begun.set()
        resumed.wait()

    async def story() -> None:
        url = new_url()
        async with on_postgres(url) as here, on_postgres(url) as there, asyncio.timeout(30):
            account_id = await there.account(10)
            stands = asyncio.ensure_future(here.storage.database.write(stopped))
            await asyncio.to_thread(begun.wait)
            assert isinstance(await there.storage.ledger.charge(there.call(account_id), "{}"), Admitted)
            resumed.set()
            with pytest.raises(StoreError):
                await stands

    try:
        asyncio.run(story())
    finally:
        resumed.set()
