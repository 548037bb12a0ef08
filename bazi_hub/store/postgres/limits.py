"""Rate limits that several processes share: windows and leases by the database's own clock.

A hit of a window is one upsert. For a place the bucket is locked first: how many are taken stands in many rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, text

from bazi_hub.ports import LimitHit
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.schema import rate_windows
from bazi_hub.store.sql.database import alone

_CLOCK = """WITH clock AS MATERIALIZED (
    SELECT coalesce(CAST(:now_ms AS bigint), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)) AS ms)"""

_NOW = f"""{_CLOCK}, now AS (
    SELECT ms / 1000 / :window_s AS number, :window_s - CAST(ms / 1000 % :window_s AS integer) AS reset_s FROM clock)"""

# The row is left alone, and no hit returned, when its window is the current one and full.
_TAKE = text(f"""{_NOW}, hit AS (
    INSERT INTO rate_windows AS r (bucket, window_s, number, hits)
    SELECT :bucket, :window_s, number, 1 FROM now WHERE :most > 0
    ON CONFLICT (bucket, window_s) DO UPDATE
    SET number = excluded.number, hits = CASE WHEN r.number = excluded.number THEN r.hits + 1 ELSE 1 END
    WHERE r.number <> excluded.number OR r.hits < :most
    RETURNING hits)
SELECT number, reset_s, (SELECT hits FROM hit) AS hits FROM now""")

_LOOK = text(f"""{_NOW}
SELECT now.number, reset_s, coalesce(r.hits, 0) AS hits FROM now
LEFT JOIN rate_windows r ON r.bucket = :bucket AND r.window_s = :window_s AND r.number = now.number""")

_GIVE_BACK = text(f"""{_NOW}
UPDATE rate_windows r SET hits = r.hits - 1 FROM now
WHERE r.bucket = :bucket AND r.window_s = :window_s AND r.number = now.number AND r.number = :number AND r.hits > 0""")

_ENTER = text(f"""{_CLOCK}, taken AS (
    SELECT count(*) AS places, min(until_ms) AS first_ms FROM rate_places, clock WHERE bucket = :bucket AND until_ms > ms),
entered AS (
    INSERT INTO rate_places (bucket, place, until_ms)
    SELECT :bucket, :place, ms + :lease_ms FROM clock, taken WHERE places < :most RETURNING 1)
SELECT CASE WHEN EXISTS (SELECT 1 FROM entered) THEN 0 ELSE (first_ms - ms + 999) / 1000 END FROM clock, taken""")

_STAY = text(f"""{_CLOCK}
INSERT INTO rate_places (bucket, place, until_ms) SELECT :bucket, :place, ms + :lease_ms FROM clock
ON CONFLICT (bucket, place) DO UPDATE SET until_ms = excluded.until_ms""")

_LEAVE = text("DELETE FROM rate_places WHERE bucket = :bucket AND place = :place")

_LAPSED = text(f"{_CLOCK} DELETE FROM rate_places r USING clock WHERE r.until_ms <= ms")


class PostgresLimits:
    """Stands beside a `PostgresStorage`, on the same database; opened and closed with it."""

    def __init__(self, storage: PostgresStorage) -> None:
        self._db = storage.database

    def _parameters(self, bucket: str, window_s: int, **more: Any) -> dict[str, Any]:
        return {"bucket": bucket, "window_s": window_s, "now_ms": self._db.given_now_ms(), **more}

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        told = self._parameters(bucket, window_s, most=limit)
        row = await self._db.write(lambda db: db.execute(_TAKE, told).one())
        if row.hits is None:
            return LimitHit(False, 0, row.reset_s, row.number)
        return LimitHit(True, limit - row.hits, row.reset_s, row.number)

    async def peek(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        told = self._parameters(bucket, window_s)
        row = await self._db.read(lambda db: db.execute(_LOOK, told).one())
        return LimitHit(row.hits < limit, max(0, limit - row.hits), row.reset_s, row.number)

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        told = self._parameters(bucket, window_s, number=window)
        await self._db.write(lambda db: db.execute(_GIVE_BACK, told) and None)

    async def acquire(self, bucket: str, place: str, most: int, lease_s: float) -> int:
        told = self._leased({place: bucket}, lease_s)[0] | {"most": most}

        def work(db: Connection) -> int:
            alone(db, f"places {bucket}")
            return int(db.execute(_ENTER, told).scalar_one())

        return await self._db.write(work)

    async def renew(self, places: Mapping[str, str], lease_s: float) -> None:
        if places:
            told = self._leased(places, lease_s)
            await self._db.write(lambda db: db.execute(_STAY, told) and None)

    async def release(self, bucket: str, place: str) -> None:
        told = {"bucket": bucket, "place": place}
        await self._db.write(lambda db: db.execute(_LEAVE, told) and None)

    def _leased(self, places: Mapping[str, str], lease_s: float) -> list[dict[str, Any]]:
        lease = {"lease_ms": round(lease_s * 1000), "now_ms": self._db.given_now_ms()}
        # In one order, so that nobody waits for somebody who waits.
        return [{"bucket": bucket, "place": place, **lease} for place, bucket in sorted(places.items())]

    async def sweep(self) -> int:
        over = text(
            f"{_NOW} DELETE FROM rate_windows r USING now WHERE r.window_s = :window_s AND r.number < now.number"
        )

        def work(db: Connection) -> int:
            sizes = db.execute(
                rate_windows.select().with_only_columns(rate_windows.c.window_s).distinct()
            ).scalars()
            windows = sum(db.execute(over, self._parameters("", size)).rowcount for size in sizes.all())
            return windows + db.execute(_LAPSED, {"now_ms": self._db.given_now_ms()}).rowcount

        return await self._db.write(work)
