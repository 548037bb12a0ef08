"""PostgreSQL keeps every promise of the ports."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bazi_hub.store.postgres.limits import PostgresLimits
from bazi_hub.testing import LimiterWorld
from tests.hub.databases import on_postgres
from tests.hub.promises.limits import LimiterContract
from tests.hub.promises.store import StoreContract

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from bazi_hub.testing import World


class OnPostgres:
    @pytest.fixture(autouse=True)
    def _databases(self, new_url: Callable[[], str]) -> None:
        self.new_url = new_url


class TestStore(OnPostgres, StoreContract):
    def opened(self) -> AbstractAsyncContextManager[World]:
        return on_postgres(self.new_url())


class TestLimits(OnPostgres, LimiterContract):
    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LimiterWorld]:
        async with on_postgres(self.new_url()) as world:
            yield LimiterWorld(PostgresLimits(world.storage), world.clock)
