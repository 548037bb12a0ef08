"""Limits that are counted in PostgreSQL, by its own clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psycopg

from bazi_hub.store.postgres.limits import PostgresLimits
from bazi_hub.store.postgres.storage import PostgresStorage
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
        assert (await limits[0].peek("post:a", 10, DAYS_30)).remaining == 1
        for storage in storages:
            await storage.close()

    asyncio.run(story(new_url()))


def test_processes_share_places_and_those_of_a_dead_one_lapse(new_url: Callable[[], str]) -> None:
    async def story(url: str) -> None:
        clock = FakeClock()
        storages = [PostgresStorage(url, clock, FakeIds(), database_time=False) for _ in range(2)]
        for storage in storages:
            await storage.open()
        alive, dead = limits = [PostgresLimits(storage) for storage in storages]
        waits = await asyncio.gather(
            *(limits[n % 2].acquire("stream:a", f"place-{n}", 16, 30) for n in range(40))
        )
        assert sorted(waits) == [0] * 16 + [30] * 24
        inside = [f"place-{n}" for n, wait in enumerate(waits) if not wait]
        kept = dict.fromkeys(inside[:4], "stream:a")
        for _ in range(2):
            clock.advance(20)
            await alive.renew(kept, 30)
        assert await dead.sweep() == 16 - len(kept)
        later = [await alive.acquire("stream:a", f"later-{number}", 16, 30) for number in range(13)]
        assert later == [0] * 12 + [30]
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
