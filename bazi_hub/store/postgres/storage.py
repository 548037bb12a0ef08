"""Every store of the hub on one PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterable

from bazi_hub.money.prices import DEFAULT_PRICES
from bazi_hub.ports import Clock, Ids, Price, Telemetry
from bazi_hub.store.postgres.database import PostgresDatabase
from bazi_hub.store.postgres.ledger import RELEASE, PostgresLedger
from bazi_hub.store.postgres.runs import PostgresRuns
from bazi_hub.store.sql.accounts import SqlAccounts, SqlKeys, SqlSessions
from bazi_hub.store.sql.charts import SqlCharts
from bazi_hub.store.sql.forum import SqlForum
from bazi_hub.store.sql.prices import SqlPricing
from bazi_hub.store.sql.runs import SqlRunLog
from bazi_hub.store.sql.storage import SqlStorage

# How long a worker may go on with prices that another one changed.
PRICES_KEPT_S = 1.0


class PostgresStorage(SqlStorage):
    """Every store of the hub on one database of a PostgreSQL server.

    `database_time=False` counts leases by `clock` instead of the server's.
    """

    shared = True
    database: PostgresDatabase

    def __init__(
        self, url: str, clock: Clock, ids: Ids, *, result_ttl_ms: int = 86_400_000,
        prices: Iterable[Price] = DEFAULT_PRICES, migrating: bool = True, database_time: bool = True,
        telemetry: Telemetry | None = None,
    ) -> None:  # fmt: skip
        self.database = database = PostgresDatabase(
            url, clock, ids, prices=prices, migrating=migrating, database_time=database_time,
            release=RELEASE, telemetry=telemetry,
        )  # fmt: skip
        self.accounts = SqlAccounts(database)
        self.keys = SqlKeys(database)
        self.sessions = SqlSessions(database)
        self.pricing = SqlPricing(database, PRICES_KEPT_S)
        self.ledger = PostgresLedger(database, result_ttl_ms)
        self.forum = SqlForum(database, result_ttl_ms)
        self.charts = SqlCharts(database)
        self.runs = SqlRunLog(PostgresRuns(database, self.ledger))

    async def open(self) -> None:
        if not self.database.is_open:
            await self.database.open()
            await self.ledger.reap()
