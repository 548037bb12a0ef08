"""What may go wrong with a store, and what may not come of it (F1–F5, F9, F10, F16, F17 of the ledger alone)."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bazi_hub.ports import Admitted, Captured, NewCall, Refused, Running, StoreError
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.database import DatabaseInUse, connect
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds, World
from bazi_hub.words.system import SystemClock
from tests.hub.databases import cluster
from tests.hub.faults import kill9, powercut
from tests.hub.stories import in_loop
from tests.hub.worlds import Voices
from tests.sizes import sizes
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

CHART = "bazi_basic_analysis"


@asynccontextmanager
async def sqlite_world(path: Path, **options: Any) -> AsyncIterator[World]:
    clock, ids = FakeClock(), FakeIds()
    storage = SqliteStorage(path, clock, ids, **options)
    await storage.open()
    try:
        yield World(storage, clock, ids)
    finally:
        await storage.close()


# --- F1, F2, F3: everybody at once, on SQLite and on PostgreSQL with one and with four processes -------------------------


@asynccontextmanager
async def opened(engine: str, place: Any) -> AsyncIterator[list[World]]:
    """A world for each process that stands on the database; ids are those of the first."""
    async with AsyncExitStack() as stack:
        if engine == "sqlite":
            yield [await stack.enter_async_context(sqlite_world(place()))]
            return
        url, clock, ids = place(), FakeClock(), FakeIds()
        worlds = []
        for _ in range(int(engine[-1])):
            storage = PostgresStorage(url, clock, ids)
            await storage.open()
            stack.push_async_callback(storage.close)
            worlds.append(World(storage, clock, ids))
        yield worlds


@pytest.fixture(
    params=["sqlite", *(pytest.param(f"postgresql-{many}", marks=pytest.mark.postgres) for many in (1, 4))]
)
def hubs(request: pytest.FixtureRequest) -> Callable[[], Any]:
    engine = request.param
    place = request.getfixturevalue("new_file" if engine == "sqlite" else "new_url")
    return lambda: opened(engine, place)


@in_loop
async def test_of_200_readings_at_once_25_credits_pay_for_six(hubs: Callable[[], Any]) -> None:
    async with hubs() as worlds:
        account_id = await worlds[0].account(25)
        calls = [worlds[0].call(account_id) for _ in range(200)]
        ledgers = [worlds[place % len(worlds)].storage.ledger for place in range(200)]
        answers = await asyncio.gather(
            *(ledger.hold(call) for ledger, call in zip(ledgers, calls, strict=True))
        )
        admitted = [answer for answer in answers if isinstance(answer, Admitted)]
        assert len(admitted) == 6
        assert sum(isinstance(answer, Refused) for answer in answers) == 194
        ledger = worlds[-1].storage.ledger
        assert all(await asyncio.gather(*(ledger.capture(answer.call_id, "{}") for answer in admitted)))
        assert await worlds[0].balance(account_id) == (1, 0)
        assert await ledger.verify() == []


@in_loop
async def test_of_200_first_charts_at_once_the_free_one_is_given_once(hubs: Callable[[], Any]) -> None:
    async with hubs() as worlds:
        account_id = await worlds[0].account(0)
        calls = [worlds[0].call(account_id, CHART) for _ in range(200)]
        ledgers = [worlds[place % len(worlds)].storage.ledger for place in range(200)]
        answers = await asyncio.gather(
            *(ledger.charge(call, "{}") for ledger, call in zip(ledgers, calls, strict=True))
        )
        assert sum(isinstance(answer, Admitted) for answer in answers) == 1
        assert sum(isinstance(answer, Refused) for answer in answers) == 199
        assert await worlds[0].storage.ledger.verify() == []


@in_loop
async def test_one_key_50_times_at_once_is_one_call(hubs: Callable[[], Any]) -> None:
    async with hubs() as worlds:
        account_id = await worlds[0].account(25)
        first = worlds[0].call(account_id, key="k1")
        again = [first._replace(id=worlds[0].ids.uuid()) for _ in range(49)]
        ledgers = [worlds[place % len(worlds)].storage.ledger for place in range(50)]
        answers = await asyncio.gather(
            *(ledger.hold(call) for ledger, call in zip(ledgers, [first, *again], strict=True))
        )
        (admitted,) = [answer for answer in answers if isinstance(answer, Admitted)]
        assert answers.count(Running(admitted.call_id)) == 49
        await ledgers[1].capture(admitted.call_id, "{}")
        told = await asyncio.gather(*(ledger.charge(first, "x") for ledger in ledgers))
        assert told == [Captured(admitted.call_id, "{}", False)] * 50
        assert await worlds[0].balance(account_id) == (21, 0)
        assert await worlds[-1].storage.ledger.verify() == []


# --- F4, F5: the process dies, the power fails --------------------------------------------------------------------------


@sizes(1, 25)
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path, count: int) -> None:
    assert kill9.rounds(tmp_path / "hub.db", count) > count


@sizes(1, 6)
def test_nothing_acknowledged_is_lost_when_the_power_fails(tmp_path: Path, count: int) -> None:
    assert sum(powercut.rehearse(tmp_path, seed) for seed in range(count)) > 16 * count


@pytest.mark.exhaustive
def test_without_the_sync_of_every_commit_the_power_cut_takes_money(tmp_path: Path) -> None:
    """That the rehearsal can fail."""

    def some_are_lost() -> None:
        for seed in range(6):
            powercut.rehearse(tmp_path, seed, pragma="synchronous = NORMAL")

    with pytest.raises(powercut.Loss):
        some_are_lost()


# --- F9: PostgreSQL restarts --------------------------------------------------------------------------------------------


def test_a_restart_of_postgresql_costs_errors_at_most_and_no_acknowledged_call() -> None:
    async def story(url: str, restart: Callable[[], None]) -> None:
        voices = Voices()
        storage = PostgresStorage(url, SystemClock(), FakeIds(), telemetry=voices)
        await storage.open()
        world = World(storage, FakeClock(), FakeIds(1000))
        accounts = [await world.account(1_000) for _ in range(32)]
        acknowledged: list[NewCall] = []
        failed = 0
        restarted = asyncio.Event()

        async def client(account_id: str) -> None:
            nonlocal failed
            done_after = 0
            while done_after < 3:
                call = world.call(account_id)
                try:
                    assert isinstance(await storage.ledger.charge(call, "{}"), Admitted)
                except StoreError:
                    failed += 1
                    await asyncio.sleep(0.01)
                    continue
                acknowledged.append(call)
                done_after += restarted.is_set()

        async def operator() -> None:
            await eventually(lambda: len(acknowledged) >= 200)
            await asyncio.to_thread(restart)
            restarted.set()

        await asyncio.wait_for(asyncio.gather(operator(), *map(client, accounts)), 60)
        # Met before a commit, it is an error; amid one, what became of it is asked.
        assert failed or [line for line in voices.logged if line["event"] == "commit_resolved"]
        for call in acknowledged:
            assert await storage.ledger.state(call.id) == ("captured", None)
        assert await storage.ledger.verify() == []
        await storage.close()

    with tempfile.TemporaryDirectory(prefix="hub-") as folder:
        server = cluster(Path(folder) / "data")

        def restart() -> None:
            process = server.get_postmaster_info().process
            # As `pg_ctl stop -m immediate`.
            process.send_signal(signal.SIGQUIT)
            process.wait(30)
            server.ensure_postgres_running()

        try:
            asyncio.run(story(server.get_uri(), restart))
        finally:
            server.cleanup()


# --- F10: a full disk, a file that may only be read ---------------------------------------------------------------------


@in_loop
async def test_a_full_disk_fails_whole_groups_and_nothing_else(new_file: Callable[[], Path]) -> None:
    async with sqlite_world(new_file()) as world:
        ledger, execute = world.storage.ledger, world.storage.database.execute
        account_id = await world.account(100_000)
        pages = execute("PRAGMA page_count").fetchone()[0]
        execute(f"PRAGMA max_page_count = {pages + 20}")
        calls = [world.call(account_id) for _ in range(400)]
        answers = await asyncio.gather(
            *(ledger.charge(call, "x" * 500) for call in calls), return_exceptions=True
        )
        faults = [answer for answer in answers if isinstance(answer, BaseException)]
        assert faults
        assert all(isinstance(fault, StoreError) and not fault.read_only for fault in faults)
        paid = [answer for answer in answers if isinstance(answer, Admitted)]
        assert await ledger.verify() == []
        assert await world.balance(account_id) == (100_000 - 4 * len(paid), 0)
        made = [world.account(1, display_name="x" * 4000) for _ in range(100)]
        with pytest.raises(StoreError):
            await asyncio.gather(*made)
        execute("PRAGMA max_page_count = 1000000")
        assert isinstance(await ledger.charge(world.call(account_id), "{}"), Admitted)
        assert await ledger.verify() == []


@in_loop
async def test_a_disk_that_is_full_for_a_result_but_not_for_a_byte_is_no_place_to_be_ready(
    new_file: Callable[[], Path],
) -> None:
    async with sqlite_world(new_file()) as world:
        execute: Any = world.storage.database.execute  # type: ignore[attr-defined]
        (pages,) = execute("PRAGMA page_count").fetchone()
        execute(f"PRAGMA max_page_count = {pages + 4}")
        # A byte still finds room.
        await world.storage.ledger.heartbeat("w")
        with pytest.raises(StoreError):
            await world.storage.probe()
        execute("PRAGMA max_page_count = 1000000")
        await world.storage.probe()
        assert execute("SELECT count(*) FROM workers WHERE id LIKE 'probe%'").fetchone() == (0,)


@in_loop
async def test_a_file_that_turns_read_only_answers_and_says_why_it_does_not_write(
    new_file: Callable[[], Path],
) -> None:
    async with sqlite_world(new_file()) as world:
        account_id = await world.account(10)
        world.storage.database.execute("PRAGMA query_only = ON")
        for write in (world.storage.ledger.charge(world.call(account_id), "{}"), world.storage.probe()):
            with pytest.raises(StoreError) as fault:
                await write
            assert fault.value.read_only
        assert await world.balance(account_id) == (10, 0)
        world.storage.database.execute("PRAGMA query_only = OFF")
        await world.storage.probe()


def test_a_read_only_file_cannot_be_opened_and_says_why(new_file: Callable[[], Path]) -> None:
    def creator(path: str) -> sqlite3.Connection:
        uri = f"{Path(path).as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    async def story() -> None:
        storage = SqliteStorage(new_file(), FakeClock(), FakeIds(), creator=creator)
        with pytest.raises(StoreError) as fault:
            await storage.open()
        assert fault.value.read_only

    asyncio.run(story())


# --- F16: one process a file --------------------------------------------------------------------------------------------


def test_a_second_process_on_the_file_is_refused(new_file: Callable[[], Path]) -> None:
    path = new_file()
    program = (
        "import asyncio, sys\n"
        "from bazi_hub.store.sqlite.database import DatabaseInUse\n"
        "from bazi_hub.store.sqlite.storage import SqliteStorage\n"
        "from bazi_hub.words.system import SystemClock, SystemIds\n"
        "try:\n"
        "    asyncio.run(SqliteStorage(sys.argv[1], SystemClock(), SystemIds()).open())\n"
        "except DatabaseInUse as fault:\n"
        "    print(fault)\n"
    )

    async def story() -> None:
        async with sqlite_world(path) as world:
            account_id = await world.account(10)
            running = await world.admitted(account_id)
            with pytest.raises(DatabaseInUse):
                await SqliteStorage(path, FakeClock(), FakeIds()).open()
            command = [sys.executable, "-c", program, str(path)]
            told = await asyncio.to_thread(
                subprocess.run, command, capture_output=True, text=True, check=True
            )
            assert "another process" in told.stdout
            # And it ended nobody's calls before it noticed.
            assert await world.storage.ledger.state(running.id) == ("running", None)

    asyncio.run(story())
    asyncio.run(_opens(path))


async def _opens(path: Path) -> None:
    async with sqlite_world(path):
        pass


def test_the_calls_of_a_process_that_died_end_when_the_file_is_opened(new_file: Callable[[], Path]) -> None:
    path = new_file()

    async def story() -> str:
        async with sqlite_world(path) as world:
            account_id = await world.account(10)
            await world.admitted(account_id)
            return account_id

    account_id = asyncio.run(story())

    async def later() -> None:
        async with sqlite_world(path) as world:
            assert await world.balance(account_id) == (10, 0)
            (record,) = await world.storage.ledger.history(account_id, 10)
            assert record.state == "expired"

    asyncio.run(later())


def test_a_connection_that_fails_leaves_the_lock_to_others(new_file: Callable[[], Path]) -> None:
    path = new_file()

    def broken(_path: str) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    async def story() -> None:
        with pytest.raises(StoreError):
            await SqliteStorage(path, FakeClock(), FakeIds(), creator=broken).open()
        async with sqlite_world(path, creator=connect):
            pass

    asyncio.run(story())


@in_loop
async def test_a_copy_of_a_file_of_a_dead_process_opens_with_its_log(
    new_file: Callable[[], Path], tmp_path: Path
) -> None:
    async with sqlite_world(new_file()) as world:
        account_id = await world.account(10)
        call = await world.captured(account_id, result="{}")
        for end in ("", "-wal"):
            shutil.copy(f"{world.storage.database.path}{end}", tmp_path / f"copy.db{end}")
        async with sqlite_world(tmp_path / "copy.db") as copy:
            assert await copy.storage.ledger.result(call.id) == Captured(call.id, "{}", False)
