"""SQLite keeps every promise of the ports."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bazi_hub.adapters.sqlite import SqliteStorage
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
    PricingContract,
    SessionStoreContract,
    StorageLifeContract,
    World,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path


class OnSqlite:
    @pytest.fixture(autouse=True)
    def _files(self, new_file: Callable[[], Path]) -> None:
        self.new_file = new_file

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[World]:
        clock, ids = FakeClock(), FakeIds()
        storage = SqliteStorage(self.new_file(), clock, ids)
        await storage.open()
        try:
            yield World(storage, clock, ids)
        finally:
            await storage.close()


class TestAccounts(OnSqlite, AccountsContract): ...


class TestJournal(OnSqlite, JournalContract): ...


class TestErase(OnSqlite, EraseContract): ...


class TestKeys(OnSqlite, KeyStoreContract): ...


class TestSessions(OnSqlite, SessionStoreContract): ...


class TestPricing(OnSqlite, PricingContract): ...


class TestLedger(OnSqlite, LedgerContract): ...


class TestForum(OnSqlite, ForumStoreContract): ...


class TestCharts(OnSqlite, ChartStoreContract): ...


class TestLife(OnSqlite, StorageLifeContract): ...
