"""One PostgreSQL database: several processes on one database.

Money goes through the batch writer of each process (`writer.py`), everything else through a small pool of
connections in threads. READ COMMITTED, `synchronous_commit` on; leases and minutes are counted by the database's clock, so
that processes whose clocks differ agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import psycopg
from sqlalchemy import BigInteger, Connection, cast, create_engine, func, make_url
from sqlalchemy.exc import OperationalError

from bazi_hub.ports import Clock, Ids, Price, StoreClosed, StoreError, Telemetry
from bazi_hub.store.migrate import migrate, require_head
from bazi_hub.store.postgres.writer import LedgerOperation, PostgresWriter
from bazi_hub.store.sql.database import driver, faults, packed
from bazi_hub.store.sql.prices import preload
from bazi_hub.store.sql.threads import Threads

T = TypeVar("T")

CONNECTIONS = 8
PACKED_HERE = 4096
TRIES = 5
# Serialization failure, deadlock.
_REPEATED = ("40001", "40P01")
# A process that is stopped in the middle of a transaction keeps its locks no longer than this: others need the accounts.
IDLE_MS = 10_000
_OPTIONS = """-c synchronous_commit=on -c default_transaction_isolation=read\\ committed
    -c idle_in_transaction_session_timeout={idle_ms}"""


class PostgresDatabase:
    """The pool and the batch writer of one process. `release` is the statement that ends a running call unpaid."""

    def __init__(
        self, url: str, clock: Clock, ids: Ids, *, prices: Iterable[Price], migrating: bool, database_time: bool,
        release: str, telemetry: Telemetry | None,
    ) -> None:  # fmt: skip
        self.clock, self.ids = clock, ids
        self._release = release
        self._url = make_url(url).set(drivername="postgresql+psycopg")
        self._prices, self._migrating, self._telemetry = tuple(prices), migrating, telemetry
        self._database_time = database_time
        self._threads = Threads(CONNECTIONS, "bazi-hub-store")
        self._writer: PostgresWriter | None = None

    @property
    def is_open(self) -> bool:
        return self._writer is not None

    async def open(self) -> None:
        connected = {"options": _OPTIONS.format(idle_ms=IDLE_MS), "connect_timeout": 5}
        # A connection is asked before it is used: after a restart of the server none of them is any good.
        self._engine = create_engine(
            self._url, pool_size=CONNECTIONS, max_overflow=0, pool_use_lifo=True, pool_pre_ping=True,
            connect_args=connected,
        )  # fmt: skip
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._threads.start()
        try:
            await self.write(self._prepare)
        except BaseException:
            await self.close()
            raise
        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._writer = PostgresWriter(plain, connected, self._release, self._telemetry)
        self._writer.start()

    def _prepare(self, db: Connection) -> None:
        if self._migrating:
            migrate(db)
        else:
            require_head(db)
        preload(db, self._prices, self.clock.now_ms())

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.stop()

        def disconnect() -> None:
            if writer is not None:
                writer.join()
            self._engine.dispose()

        await self._threads.end(disconnect)

    def given_tick(self) -> int | None:
        """The clock of leases where it is not the database's own."""
        return None if self._database_time else int(self.clock.monotonic() * 1000)

    def given_now_ms(self) -> int | None:
        """The wall clock where it is not the database's own."""
        return None if self._database_time else self.clock.now_ms()

    def tick(self) -> Any:
        """The clock of leases as an SQL expression."""
        given = self.given_tick()
        if given is not None:
            return given
        return cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger)

    async def submit(self, operation: LedgerOperation) -> Any:
        if self._writer is None:
            raise StoreClosed("the database is not open")
        return await self._writer.submit(operation)

    async def catch_up(self) -> None:
        """Lets the writer settle commits whose answer was lost, if there are any."""
        if self._writer is not None and self._writer.in_doubt:
            # Whatever is asked of it, that comes first.
            await self.row("SELECT 1", {})

    async def pack(self, result: str) -> bytes:
        """A result as it is stored; a long one is compressed on another thread."""
        return packed(result) if len(result) < PACKED_HERE else await self._threads.do(lambda: packed(result))

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self._threads.do(lambda: self._write(work))

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._threads.do(lambda: self._read(work))

    async def row(self, statement: str, parameters: dict[str, Any]) -> Any:
        # With what is written: sent in one go with others it is three times as quick as on a connection of its own.
        return await self.submit(LedgerOperation("", driver(statement), parameters, lambda row: row))

    async def scan(self, work: Callable[[Connection], T]) -> T:
        return await self._threads.do(lambda: self._scan(work))

    def _write(self, work: Callable[[Connection], T]) -> T:
        for attempt in range(TRIES):
            try:
                with faults(psycopg.Error), self._engine.begin() as db:
                    return work(db)
            except StoreError as fault:
                if not _repeated(fault) or attempt == TRIES - 1:
                    raise
                time.sleep(0.01 * 2**attempt)
        raise AssertionError("unreachable")

    def _read(self, work: Callable[[Connection], T]) -> T:
        with faults(psycopg.Error), self._reading.connect() as db:
            return work(db)

    def _scan(self, work: Callable[[Connection], T]) -> T:
        with faults(psycopg.Error), self._engine.connect() as db:
            steady = db.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            return work(steady)


def _repeated(fault: StoreError) -> bool:
    cause = fault.__cause__
    return isinstance(cause, OperationalError) and getattr(cause.orig, "sqlstate", None) in _REPEATED
