"""Rate limits that several processes share: one upsert for a hit, the window from the database's own clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from bazi_hub.adapters.schema import rate_windows
from bazi_hub.ports import Taken

if TYPE_CHECKING:
    from bazi_hub.adapters.postgres import PostgresStorage

_NOW = """WITH clock AS MATERIALIZED (
    SELECT coalesce(CAST(:now_ms AS bigint), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)) AS ms),
now AS (
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


class PostgresLimits:
    """Stands beside a `PostgresStorage`, on the same database; opened and closed with it."""

    def __init__(self, storage: PostgresStorage) -> None:
        self._db = storage.database

    def _told(self, bucket: str, window_s: int, **more: Any) -> dict[str, Any]:
        return {"bucket": bucket, "window_s": window_s, "now_ms": self._db.given_now_ms(), **more}

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        told = self._told(bucket, window_s, most=limit)
        row = await self._db.write(lambda db: db.execute(_TAKE, told).one())
        if row.hits is None:
            return Taken(False, 0, row.reset_s, row.number)
        return Taken(True, limit - row.hits, row.reset_s, row.number)

    async def look(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        told = self._told(bucket, window_s)
        row = await self._db.read(lambda db: db.execute(_LOOK, told).one())
        return Taken(row.hits < limit, max(0, limit - row.hits), row.reset_s, row.number)

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        told = self._told(bucket, window_s, number=window)
        await self._db.write(lambda db: db.execute(_GIVE_BACK, told) and None)

    async def sweep(self) -> int:
        """Drops the windows that are over; how many."""
        over = text(
            f"{_NOW} DELETE FROM rate_windows r USING now WHERE r.window_s = :window_s AND r.number < now.number"
        )

        def work(db: Connection) -> int:
            sizes = db.execute(
                rate_windows.select().with_only_columns(rate_windows.c.window_s).distinct()
            ).scalars()
            return sum(db.execute(over, self._told("", size)).rowcount for size in sizes.all())

        return await self._db.write(work)
