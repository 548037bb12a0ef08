"""Every store of the hub on one SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bazi_hub.money.prices import DEFAULT_PRICES
from bazi_hub.ports import Clock, Ids, Price, Telemetry
from bazi_hub.store.sql.accounts import SqlAccounts, SqlKeys, SqlSessions
from bazi_hub.store.sql.charts import SqlCharts
from bazi_hub.store.sql.forum import SqlForum
from bazi_hub.store.sql.prices import SqlPricing
from bazi_hub.store.sql.runs import SqlRunLog
from bazi_hub.store.sql.storage import SqlStorage
from bazi_hub.store.sqlite.database import SqliteDatabase, connect
from bazi_hub.store.sqlite.ledger import SqliteLedger
from bazi_hub.store.sqlite.runs import SqliteRuns


class SqliteStorage(SqlStorage):
    """Every store of the hub on one file.

    `result_ttl_ms` is how long a result answers the same call again; `creator` opens a connection for a path, of any driver
    that behaves like `sqlite3`.
    """

    shared = False
    database: SqliteDatabase

    def __init__(
        self, path: str | Path, clock: Clock, ids: Ids, *, result_ttl_ms: int = 86_400_000,
        prices: Iterable[Price] = DEFAULT_PRICES, migrating: bool = True, telemetry: Telemetry | None = None,
        creator: Callable[[str], Any] = connect,
    ) -> None:  # fmt: skip
        self.database = database = SqliteDatabase(
            path, clock, ids, creator=creator, prices=prices, migrating=migrating, telemetry=telemetry
        )
        self.accounts = SqlAccounts(database)
        self.keys = SqlKeys(database)
        self.sessions = SqlSessions(database)
        self.pricing = SqlPricing(database)
        self.ledger = SqliteLedger(database, result_ttl_ms)
        self.forum = SqlForum(database, result_ttl_ms)
        self.charts = SqlCharts(database)
        self.runs = SqlRunLog(SqliteRuns(database, self.ledger))

    async def open(self) -> None:
        if not self.database.is_open:
            self.database.open()
            await self.ledger.reap(everything=True)
