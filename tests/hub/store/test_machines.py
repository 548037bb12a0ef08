"""Both databases beside the model of a ledger, whatever the order of what is done to them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bazi_hub.testing import StorageContract, World
from tests.hub.databases import on_postgres, on_sqlite
from tests.hub.invariants.machine import play
from tests.sizes import sizes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from tests.hub.databases import Server


class OnSqlite(StorageContract):
    def __init__(self, new_file: Callable[[], Path]) -> None:
        self.new_file = new_file

    def opened(self) -> AbstractAsyncContextManager[World]:
        return on_sqlite(self.new_file())


class OnPostgres(StorageContract):
    def __init__(self, postgres: Server) -> None:
        self.postgres = postgres

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[World]:
        url = self.postgres.take()
        async with on_postgres(url) as world:
            yield world
        self.postgres.give_back(url)


@sizes(1, 10)
def test_the_ledger_on_sqlite_does_what_its_model_does(new_file: Callable[[], Path], count: int) -> None:
    play(OnSqlite(new_file), examples=count)


def test_the_ledger_on_postgresql_does_what_its_model_does(postgres: Server) -> None:
    play(OnPostgres(postgres), examples=3)
