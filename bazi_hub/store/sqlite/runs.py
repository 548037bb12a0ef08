"""The log of runs on SQLite: on the writer's thread, through the driver, in the group commit of everything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from bazi_hub.ports import Admitted, NewCall
from bazi_hub.store.sql.runs import ResultRows, RunTransaction
from bazi_hub.store.sqlite.database import SqliteDatabase
from bazi_hub.store.sqlite.ledger import SqliteLedger

T = TypeVar("T")


class SqliteWork:
    """The writer's transaction. There is one writer, so no lock is needed."""

    def __init__(self, database: SqliteDatabase, ledger: SqliteLedger) -> None:
        self._database, self._ledger = database, ledger

    def execute(self, statement: str, parameters: dict[str, Any]) -> ResultRows:
        row: ResultRows = self._database.execute(statement, parameters)
        return row

    def lock(self, account_id: str) -> None:
        return

    def hold(self, call: NewCall) -> Any:
        return self._ledger.hold_within(call)

    def capture(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None:
        return self._ledger.capture_within(call_id, result, free, day)

    def release(self, call_id: str, error: str, day: int | None) -> bool:
        return self._ledger.release_within(call_id, error, day)


class SqliteRuns:
    def __init__(self, database: SqliteDatabase, ledger: SqliteLedger) -> None:
        self._database = database
        self._work = SqliteWork(database, ledger)
        self.clock, self.ids = database.clock, database.ids

    async def work(self, work: Callable[[RunTransaction], T]) -> T:
        return await self._database.submit(lambda: work(self._work))

    async def look(self, work: Callable[[Callable[[str, dict[str, Any]], ResultRows]], T]) -> T:
        return await self._database.look(work)
