"""One SQLite file: one process, one writing connection, one COMMIT for everything that waits.

Writes queue up for a single thread. It takes what is there (at most 256), commits once with `synchronous=FULL`, and only
then tells anybody: what is acknowledged survives a power cut. Where one fails, all are done once more, each behind a
savepoint. Reads go to connections of their own, which never wait in WAL mode.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from bazi_hub.ports import Clock, Ids, Price, StoreClosed, StoreError, Telemetry
from bazi_hub.store.migrate import migrate, require_head
from bazi_hub.store.sql.batches import Batches, Failed
from bazi_hub.store.sql.database import faults, packed, store_error
from bazi_hub.store.sql.prices import preload
from bazi_hub.store.sql.threads import Threads
from bazi_hub.store.sqlite.beginnings import WRITE

T = TypeVar("T")

MOST_ITEMS = 256
# Statements for many rows are kept by how many they are.
STATEMENTS_KEPT = 512
# Up to this many characters compressing takes less time than handing over.
PACKED_HERE = 4096
# 64 MB of cache: ids are random, so every call touches pages all over the indexes.
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
    "cache_size = -65536",
    # A checkpoint writes each page once, however often it changed since the last: 16 MB of log.
    "wal_autocheckpoint = 4000",
)
# Makes the driver's connection of the one that is being opened.
_CREATOR: ContextVar[Callable[[], Any]] = ContextVar("_CREATOR")
_ENGINE = create_engine(
    "sqlite://", creator=lambda: _CREATOR.get()(), poolclass=NullPool, isolation_level="AUTOCOMMIT"
)


class DatabaseInUse(StoreError):
    """Another process has the file."""


def connect(path: str) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and may be used by any thread, one at a time."""
    return sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )


class WriteItem(NamedTuple):
    """An item, and what does all such items that wait one behind the other; it may be done again after a rollback."""

    do: Callable[[list[Any]], list[Any]]
    item: Any


class SqliteWriter(Batches[WriteItem]):
    """The thread of the one writing connection."""

    def __init__(self, raw: sqlite3.Connection, telemetry: Telemetry | None) -> None:
        super().__init__(MOST_ITEMS, sqlite3.Error, telemetry)
        self._execute = raw.execute

    def settle(self, batch: list[WriteItem]) -> list[Any]:
        """The outcomes of a batch, committed; a fault of the commit is the outcome of every item."""
        try:
            try:
                outcomes = self._in_transaction(self._together, batch)
            except Exception:
                # Whose fault it was shows when each has a savepoint.
                self._roll_back()
                outcomes = self._in_transaction(self._apart, batch)
            self._execute("COMMIT")
        except Exception as fault:
            self._roll_back()
            return [Failed(fault)] * len(batch)
        return outcomes

    def _in_transaction(
        self, way: Callable[[list[WriteItem]], list[Any]], batch: list[WriteItem]
    ) -> list[Any]:
        self._execute("BEGIN IMMEDIATE")
        return way(batch)

    def _together(self, batch: list[WriteItem]) -> list[Any]:
        outcomes: list[Any] = []
        for do, works in groupby(batch, attrgetter("do")):
            outcomes += do([work.item for work in works])
        return outcomes

    def _apart(self, batch: list[WriteItem]) -> list[Any]:
        return [self._alone(work) for work in batch]

    def _alone(self, work: WriteItem) -> Any:
        self._execute("SAVEPOINT item")
        try:
            (outcome,) = work.do([work.item])
        except Exception as fault:
            # Where the whole transaction is gone (disk full), this raises, and with it the group fails.
            self._execute("ROLLBACK TO item")
            outcome = Failed(fault)
        self._execute("RELEASE item")
        return outcome

    def _roll_back(self) -> None:
        try:
            self._execute("ROLLBACK")
        except sqlite3.Error:
            # Rolled back by SQLite itself, or never begun.
            return


class SqliteDatabase:
    """The file with its lock, its writer and its readers."""

    def __init__(
        self, path: str | Path, clock: Clock, ids: Ids, *, creator: Callable[[str], Any] = connect,
        prices: Iterable[Price], migrating: bool = True, telemetry: Telemetry | None = None,
    ) -> None:  # fmt: skip
        self.clock, self.ids = clock, ids
        self.path = os.fspath(path)
        self._creator, self._prices, self._migrating, self._telemetry = (
            creator,
            tuple(prices),
            migrating,
            telemetry,
        )
        self._lock: int | None = None
        self._writer: SqliteWriter | None = None
        self._reading = threading.Lock()
        self._threads = Threads(2, "bazi-hub-reader")
        self._opened: list[Connection] = []

    @property
    def is_open(self) -> bool:
        return self._writer is not None

    def open(self) -> None:
        """Takes the lock, migrates, and starts the writer."""
        with faults(sqlite3.Error):
            self._lock = _locked(self.path)
            try:
                # E-mails and key digests are nobody else's business.
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
                self._connect()
            except BaseException:
                self._disconnect()
                raise

    def _connect(self) -> None:
        self.writing = self._kept_connection()
        raw = _driver(self.writing)
        for pragma in _PRAGMAS:
            raw.execute(f"PRAGMA {pragma}")
        self.execute = raw.execute
        raw.execute("BEGIN IMMEDIATE")
        if self._migrating:
            migrate(self.writing)
        else:
            require_head(self.writing)
        preload(self.writing, self._prices, self.clock.now_ms())
        raw.execute("COMMIT")
        for statement in WRITE:
            raw.execute(statement)
        self._reading_core = self._kept_connection()
        self._read = _driver(self._reading_core).execute
        self._read("PRAGMA busy_timeout = 5000")
        self._read("PRAGMA query_only = ON")
        self._writer = SqliteWriter(raw, self._telemetry)
        self._writer.start()
        self._threads.start()

    def _open(self) -> Connection:
        return _connection(lambda: self._creator(self.path))

    def _kept_connection(self) -> Connection:
        """One that stays open with the database."""
        self._opened.append(self._open())
        return self._opened[-1]

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return self.submit_with(lambda _: [work()], None)

    def submit_with(self, do: Callable[[list[Any]], list[Any]], item: Any) -> asyncio.Future[Any]:
        """Lets an item be done together with others of its kind; where that fails, by itself."""
        if self._writer is None:
            raise StoreClosed("the database is not open")
        return self._writer.submit(WriteItem(do, item))

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self.submit(lambda: work(self.writing))

    async def read(self, work: Callable[[Connection], T]) -> T:
        # Some twenty microseconds: less than the way to another thread and back.
        if self._writer is None:
            raise StoreClosed("the database is not open")
        with faults(sqlite3.Error), self._reading:
            return work(self._reading_core)

    async def look(self, work: Callable[[Callable[[str, dict[str, Any]], Any]], T]) -> T:
        """The result of reads through the driver."""
        return self._reads(lambda: work(self._read))

    async def row(self, statement: str, parameters: dict[str, Any]) -> Any:
        """One row through the driver."""
        return self._reads(lambda: self._read(statement, parameters).fetchone())

    def rows(self, statement: str, parameters: dict[str, Any]) -> list[Any]:
        """All of them."""
        return self._reads(lambda: self._read(statement, parameters).fetchall())

    def _reads(self, work: Callable[[], T]) -> T:
        if self._writer is None:
            raise StoreClosed("the database is not open")
        # `faults` by hand: every call comes through here.
        try:
            with self._reading:
                return work()
        except (sqlite3.Error, OSError) as fault:
            raise store_error(fault) from fault

    async def pack(self, result: str) -> bytes:
        """A result as it is stored; a long one is compressed on another thread, which never is the writer's."""
        if len(result) < PACKED_HERE:
            return packed(result)
        return await self._threads.do(lambda: packed(result))

    async def scan(self, work: Callable[[Connection], T]) -> T:
        return await self._threads.do(lambda: self._scan(work))

    def _scan(self, work: Callable[[Connection], T]) -> T:
        with faults(sqlite3.Error), self._open() as db:
            driver = _driver(db)
            driver.execute("PRAGMA query_only = ON")
            driver.execute("BEGIN")
            return work(db)

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is None:
            return
        writer.stop()

        def disconnect() -> None:
            writer.join()
            self._disconnect()

        await self._threads.end(disconnect)

    def _disconnect(self) -> None:
        while self._opened:
            self._opened.pop().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@contextmanager
def reading(path: str | Path) -> Iterator[Connection]:
    """A file as it is at this moment, read-only and without its lock: to verify or export beside a running hub."""
    uri = f"{Path(path).resolve().as_uri()}?mode=ro"

    def creator() -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    with faults(sqlite3.Error), _connection(creator) as db:
        _driver(db).execute("BEGIN")
        yield db


def _connection(creator: Callable[[], Any]) -> Connection:
    """A connection of the driver's, whose transactions are none of SQLAlchemy's business.

    All come from one engine, which keeps statements compiled: an engine for each connection would compile them anew.
    """
    token = _CREATOR.set(creator)
    try:
        return _ENGINE.connect()
    finally:
        _CREATOR.reset(token)


def _driver(db: Connection) -> Any:
    """The connection of the driver beneath."""
    return db.connection.driver_connection


def _locked(path: str) -> int:
    """The lock file, held by this process until it is closed."""
    try:
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as fault:
        raise store_error(fault) from fault
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise DatabaseInUse(f"another process uses {path}; SQLite serves one at a time") from None
    return lock
