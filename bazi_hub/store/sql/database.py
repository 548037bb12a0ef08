"""What the stores stand on: work is a plain function of a connection, run where its engine wants it to run.

`Database.write` gives back what the work returned once that is durable; when the work raises, nothing of it happened.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Table, exc, func, select
from sqlalchemy.dialects import postgresql, sqlite

from bazi_hub.ports import Clock, Ids, StoreError
from bazi_hub.store import schema

T = TypeVar("T")

# Shorter results are kept as they are: a stream has a head of its own.
COMPRESSED_FROM = 512


class Database(Protocol):
    """An opened database of either engine."""

    clock: Clock
    ids: Ids

    async def write(self, work: Callable[[Connection], T]) -> T: ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """For reads of a few rows."""

    async def row(self, statement: str, parameters: dict[str, Any]) -> Any:
        """One row of a statement that every call needs, straight from the driver."""

    async def scan(self, work: Callable[[Connection], T]) -> T:
        """For reads that take their time; they see one state of the database throughout."""

    async def close(self) -> None:
        """Refuses new work, and returns when the database is no longer in use."""


@contextmanager
def faults(driver: type[Exception]) -> Iterator[None]:
    """Turns the faults of a driver, and those that SQLAlchemy wraps, into `StoreError`."""
    try:
        yield
    except (exc.SQLAlchemyError, OSError, driver) as fault:
        raise store_error(fault) from fault


def store_error(fault: BaseException) -> StoreError:
    """A fault as the ports tell it.

    >>> store_error(OSError(28, "No space left on device"))
    StoreError('[Errno 28] No space left on device')
    """
    told = str(getattr(fault, "orig", None) or fault)
    read_only = any(word in told.lower() for word in ("readonly", "read-only"))
    return fault if isinstance(fault, StoreError) else StoreError(told, read_only)


def upsert(db: Connection, table: Table) -> Any:
    """An insert that may say what to do where the row is there."""
    return (sqlite.insert if db.dialect.name == "sqlite" else postgresql.insert)(table)


def add_new(db: Connection, table: Table, **row: Any) -> bool:
    """Adds a row unless a unique index knows it already; whether it did."""
    keys = list(table.primary_key.columns)
    added = upsert(db, table).values(**row).on_conflict_do_nothing().returning(*keys)
    return db.execute(added).first() is not None


def alone(db: Connection, name: str) -> None:
    """Locks the work of that name until this transaction ends; SQLite has one writer anyway."""
    if db.dialect.name == "postgresql":
        db.execute(select(func.pg_advisory_xact_lock(func.hashtext(name))))


def note(db: Connection, now_ms: int, actor: str, action: str, target: str,
         before: str | None = None, after: str | None = None) -> None:  # fmt: skip
    """A line of the admin journal. Nothing personal may stand in it, since it is never deleted."""
    row = {
        "ts_ms": now_ms,
        "actor": actor,
        "action": action,
        "target": target,
        "before": before,
        "after": after,
    }
    db.execute(schema.admin_journal.insert().values(row))


@cache
def driver(statement: str) -> str:
    """A statement with its parameters as psycopg writes them.

    >>> driver("SELECT 'user:' || CAST(:id AS text)")
    "SELECT 'user:' || CAST(%(id)s AS text)"
    """
    return re.sub(r"(?<!\w):(\w+)", r"%(\1)s", statement)


def packed(result: str) -> bytes:
    """A result as it is stored.

    >>> unpacked(packed("{}")), unpacked(packed("9" * 4000)) == "9" * 4000, len(packed("9" * 4000)) < 100
    ('{}', True, True)
    """
    body = result.encode()
    return body if len(body) < COMPRESSED_FROM else zlib.compress(body, 1)


def unpacked(body: bytes) -> str:
    # A zlib stream begins with an x, which no JSON text does.
    return (zlib.decompress(body) if body[:1] == b"x" else body).decode()
