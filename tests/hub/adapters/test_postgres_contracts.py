"""PostgreSQL keeps every promise of the ports."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bazi_hub.adapters.limits import PostgresLimits
from bazi_hub.adapters.postgres import PostgresStorage
from bazi_hub.testing import (
    AccountsContract,
    ChartStoreContract,
    EraseContract,
    FakeClock,
    FakeIds,
    ForumStoreContract,
    JournalContract,
    KeyStoreContract,
    LedgerContract,
    Limited,
    PricingContract,
    RateLimiterContract,
    SessionStoreContract,
    StorageLifeContract,
    World,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class OnPostgres:
    @pytest.fixture(autouse=True)
    def _databases(self, new_url: Callable[[], str]) -> None:
        self.new_url = new_url

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[World]:
        clock, ids = FakeClock(), FakeIds()
        storage = PostgresStorage(self.new_url(), clock, ids, database_time=False)
        await storage.open()
        try:
            yield World(storage, clock, ids)
        finally:
            await storage.close()


class TestAccounts(OnPostgres, AccountsContract): ...


class TestJournal(OnPostgres, JournalContract): ...


class TestErase(OnPostgres, EraseContract): ...


class TestKeys(OnPostgres, KeyStoreContract): ...


class TestSessions(OnPostgres, SessionStoreContract): ...


class TestPricing(OnPostgres, PricingContract): ...


class TestLedger(OnPostgres, LedgerContract): ...


class TestForum(OnPostgres, ForumStoreContract): ...


class TestCharts(OnPostgres, ChartStoreContract): ...


class TestLife(OnPostgres, StorageLifeContract): ...


class TestLimits(OnPostgres, RateLimiterContract):
    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Limited]:
        async with super().opened() as world:
            yield Limited(PostgresLimits(world.storage), world.clock)
