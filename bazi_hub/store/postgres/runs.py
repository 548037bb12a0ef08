"""The log of runs on PostgreSQL: a transaction of its own for every change, on a connection of the pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection

from bazi_hub.ports import Admitted, NewCall, StoreError
from bazi_hub.store.postgres.database import PostgresDatabase
from bazi_hub.store.postgres.ledger import PostgresLedger
from bazi_hub.store.postgres.writer import Again, Outpaced
from bazi_hub.store.sql.runs import RawTransaction, ResultRows, RunTransaction

T = TypeVar("T")

TRIES = 20


class PostgresWork(RawTransaction):
    """A transaction, in which the ledger's statements run too."""

    def __init__(self, db: Connection, ledger: PostgresLedger) -> None:
        super().__init__(db)
        self._ledger = ledger

    def hold(self, call: NewCall) -> Any:
        found = self._ledger.hold_within(self._db, call)
        if isinstance(found, Again):
            raise Outpaced(call.account_id)
        return found

    def capture(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None:
        return self._ledger.capture_within(self._db, call_id, result, free, day)

    def release(self, call_id: str, error: str, day: int | None) -> bool:
        return self._ledger.release_within(self._db, call_id, error, day)


class PostgresRuns:
    def __init__(self, database: PostgresDatabase, ledger: PostgresLedger) -> None:
        self._database, self._ledger = database, ledger
        self.clock, self.ids = database.clock, database.ids

    async def work(self, work: Callable[[RunTransaction], T]) -> T:
        for _ in range(TRIES):
            try:
                return await self._database.write(lambda db: work(PostgresWork(db, self._ledger)))
            except Outpaced:
                # The balance moved between reading and locking: once more, on what is true now.
                continue
        raise StoreError("the account is too busy")

    async def look(self, work: Callable[[Callable[[str, dict[str, Any]], ResultRows]], T]) -> T:
        return await self._database.read(lambda db: work(RawTransaction(db).execute))
