"""Prices: every change is a new version, and the newest counts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import inf

from sqlalchemy import Connection, func, select

from bazi_hub.ports import Price
from bazi_hub.store import schema
from bazi_hub.store.sql.database import Database, alone, note

_prices = schema.prices
_latest = (
    select(_prices.c.tool, func.max(_prices.c.version).label("version")).group_by(_prices.c.tool).subquery()
)
_newest = select(*(_prices.c[name] for name in Price._fields)).join(
    _latest, (_latest.c.tool == _prices.c.tool) & (_latest.c.version == _prices.c.version)
)


def newest(db: Connection) -> dict[str, Price]:
    """The price of every tool."""
    return {row.tool: Price(*row) for row in db.execute(_newest.order_by(_prices.c.tool))}


def add_version(db: Connection, price: Price, now_ms: int, actor: str) -> tuple[Price | None, Price]:
    """The version before, and the one that is added."""
    alone(db, f"price:{price.tool}")
    before = newest(db).get(price.tool)
    after = price._replace(version=before.version + 1 if before else 1)
    db.execute(_prices.insert().values(after._asdict() | {"changed_ms": now_ms, "changed_by": actor}))
    return before, after


def preload(db: Connection, rows: Iterable[Price], now_ms: int) -> None:
    """Gives a price to every tool that has none."""
    alone(db, "prices")
    known = newest(db)
    for price in rows:
        if price.tool not in known:
            add_version(db, price, now_ms, "system")


def _price_text(price: Price) -> str:
    return json.dumps(price._asdict())


class SqlPricing:
    """`kept_s` is how long another process may go on with old prices; with none, they hold until they are set here."""

    def __init__(self, database: Database, kept_s: float = inf) -> None:
        self._db, self._kept_s = database, kept_s
        self._known: dict[str, Price] | None = None
        self._until_s = 0.0

    async def all(self) -> dict[str, Price]:
        """The newest prices: every call asks for them, so they are kept; admission reads those of its transaction anyway."""
        now_s = self._db.clock.monotonic()
        if self._known is None or now_s >= self._until_s:
            self._known, self._until_s = await self._db.read(newest), now_s + self._kept_s
        return self._known

    async def set(self, price: Price, actor: str) -> Price:
        if min(price.credit_cost, price.min_balance, price.free_quota) < 0:
            raise ValueError(f"{price} has a negative member")
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> Price:
            before, after = add_version(db, price, now_ms, actor)
            note(
                db, now_ms, actor, "price.set", price.tool, before and _price_text(before), _price_text(after)
            )
            return after

        set_price = await self._db.write(work)
        self._known = None
        return set_price
