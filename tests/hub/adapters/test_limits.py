"""Limits that are counted in PostgreSQL, by its own clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psycopg

from bazi_hub.adapters.limits import PostgresLimits
from bazi_hub.adapters.postgres import PostgresStorage
from bazi_hub.testing import FakeClock, FakeIds

if TYPE_CHECKING:
    from collections.abc import Callable

# Long enough for no window to end during a test.
DAYS_30 = 30 * 86_400


def test_processes_whose_clocks_differ_share_one_window(new_url: Callable[[], str]) -> None:
    """F13."""

    async def story(url: str) -> None:
        clocks = FakeClock(), FakeClock(now_ms=0)
        storages = [PostgresStorage(url, clock, FakeIds()) for clock in clocks]
        for storage in storages:
            await storage.open()
        limits = [PostgresLimits(storage) for storage in storages]
        hits = await asyncio.gather(*(limits[place % 2].take("post:a", 10, DAYS_30) for place in range(40)))
        assert sum(hit.allowed for hit in hits) == 10
        assert len({hit.window for hit in hits}) == 1
        await limits[1].give_back("post:a", hits[0].window, DAYS_30)
        assert (await limits[0].look("post:a", 10, DAYS_30)).remaining == 1
        for storage in storages:
            await storage.close()

    asyncio.run(story(new_url()))


def test_windows_that_are_over_are_swept_away(new_url: Callable[[], str]) -> None:
    async def story(url: str) -> None:
        storage = PostgresStorage(url, FakeClock(), FakeIds())
        await storage.open()
        limits = PostgresLimits(storage)
        await limits.take("post:now", 10, DAYS_30)
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("INSERT INTO rate_windows VALUES ('post:old', 60, 1, 1)")
        assert await limits.sweep() == 1
        assert not (await limits.take("post:now", 1, DAYS_30)).allowed
        await storage.close()

    asyncio.run(story(new_url()))
