"""The stores of one process's memory, over the same rows."""

from __future__ import annotations

from collections.abc import Iterable

from bazi_hub.money.prices import DEFAULT_PRICES
from bazi_hub.ports import (
    Accounts,
    AdminAct,
    ChartStore,
    Clock,
    ForumStore,
    Ids,
    KeyStore,
    Ledger,
    Price,
    Pricing,
    SessionStore,
)
from bazi_hub.ports.runs import RunLog
from bazi_hub.store.memory.accounts import MemoryAccounts, MemoryKeys, MemoryPricing, MemorySessions
from bazi_hub.store.memory.forum import MemoryCharts, MemoryForum
from bazi_hub.store.memory.ledger import MemoryLedger
from bazi_hub.store.memory.runs import MemoryRunLog
from bazi_hub.store.memory.tables import Tables
from bazi_hub.words.system import SystemClock, SystemIds

DAY_MS = 86_400_000


class MemoryStorage:
    """`tables` are the rows themselves. Results can be given again for `result_ttl_ms`, a day unless told otherwise."""

    accounts: Accounts
    keys: KeyStore
    sessions: SessionStore
    pricing: Pricing
    ledger: Ledger
    forum: ForumStore
    charts: ChartStore
    runs: RunLog

    def __init__(
        self,
        clock: Clock | None = None,
        ids: Ids | None = None,
        prices: Iterable[Price] = DEFAULT_PRICES,
        result_ttl_ms: int = DAY_MS,
        ledger: type[MemoryLedger] = MemoryLedger,
    ) -> None:
        self.tables = Tables(
            clock or SystemClock(), ids or SystemIds(), prices={price.tool: [price] for price in prices}
        )
        self.accounts = MemoryAccounts(self.tables)
        self.keys = MemoryKeys(self.tables)
        self.sessions = MemorySessions(self.tables)
        self.pricing = MemoryPricing(self.tables)
        self.ledger = book = ledger(self.tables, result_ttl_ms)
        self.forum = MemoryForum(self.tables, book)
        self.charts = MemoryCharts(self.tables)
        self.runs = MemoryRunLog(self.tables, book)

    @property
    def shared(self) -> bool:
        return False

    async def open(self) -> None:
        """Does nothing: memory is always open."""

    async def close(self) -> None:
        """There is nothing to close."""

    async def probe(self) -> None:
        """Memory can be written to."""

    async def migrated(self) -> None:
        """There is nothing older."""

    async def journal(self) -> list[AdminAct]:
        return list(self.tables.acts)
