"""All three stores keep what a log of runs promises."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bazi_hub.adapters.postgres import PostgresStorage
from bazi_hub.adapters.sqlite import SqliteStorage
from bazi_hub.memory import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds, RunLogContract, World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path


class TestInMemory(RunLogContract):
    @asynccontextmanager
    async def opened(self) -> AsyncIterator[World]:
        clock, ids = FakeClock(), FakeIds()
        yield World(MemoryStorage(clock, ids), clock, ids)


class TestOnSqlite(RunLogContract):
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


class TestOnPostgres(RunLogContract):
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
