"""Both databases beside the model of a ledger, whatever the order of what is done to them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bazi_hub.adapters.postgres import PostgresStorage
from bazi_hub.adapters.sqlite import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds, StorageContract, World
from tests.hub.invariants.machine import play

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.hub.databases import Server


class OnSqlite(StorageContract):
    def __init__(self, new_file: Callable[[], Path]) -> None:
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


class OnPostgres(StorageContract):
    def __init__(self, server: Server) -> None:
        self.server = server

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[World]:
        clock, ids, url = FakeClock(), FakeIds(), self.server.take()
        storage = PostgresStorage(url, clock, ids, database_time=False)
        await storage.open()
        try:
            yield World(storage, clock, ids)
        finally:
            await storage.close()
            self.server.give_back(url)


def test_the_ledger_on_sqlite_does_what_its_model_does(new_file: Callable[[], Path]) -> None:
    play(OnSqlite(new_file), examples=10)


def test_the_ledger_on_postgresql_does_what_its_model_does(server: Server) -> None:
    play(OnPostgres(server), examples=3)
