"""Saved charts and readings, and the links that open one to others."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, delete, select, tuple_

from bazi_hub.ports import Conflict, Saved, SavedItem
from bazi_hub.ports.charts import USUAL_LISTED, Position
from bazi_hub.store import schema
from bazi_hub.store.sql.database import Database, add_new

_charts, _shares = schema.charts, schema.shares
_saved = select(*(_charts.c[name] for name in Saved._fields))
_position = tuple_(_charts.c.created_ms, _charts.c.id)
_kept = (
    select(*[_charts.c[name] for name in SavedItem._fields[:-1]] + [_shares.c.created_ms])
    .outerjoin(_shares, _shares.c.chart_id == _charts.c.id)
    .order_by(_charts.c.created_ms.desc(), _charts.c.id.desc())
)


def _own(saved_id: str, account_id: str) -> Any:
    return and_(_charts.c.id == saved_id, _charts.c.account_id == account_id)


def _drop_share(db: Connection, saved_id: str) -> bool:
    gone = delete(_shares).where(_shares.c.chart_id == saved_id).returning(_shares.c.chart_id)
    return db.execute(gone).first() is not None


class SqlCharts:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, saved: Saved) -> None:
        def work(db: Connection) -> None:
            if not add_new(db, _charts, **saved._asdict()):
                raise Conflict("this chart is saved already")

        await self._db.write(work)

    async def get(self, saved_id: str, account_id: str) -> Saved | None:
        wanted = _saved.where(_own(saved_id, account_id))
        row = await self._db.read(lambda db: db.execute(wanted).first())
        return None if row is None else Saved(*row)

    async def of(
        self, account_id: str, most: int = USUAL_LISTED, below: Position | None = None
    ) -> list[SavedItem]:
        wanted = _kept.where(_charts.c.account_id == account_id).limit(most)
        if below is not None:
            wanted = wanted.where(_position < below)
        return [SavedItem(*row) for row in await self._db.read(lambda db: db.execute(wanted).all())]

    async def delete(self, saved_id: str, account_id: str) -> bool:
        return await self._with_own(saved_id, account_id, _delete)

    async def share(self, saved_id: str, account_id: str, token_hash: str, now_ms: int) -> bool:
        def share(db: Connection, saved_id: str) -> bool:
            _drop_share(db, saved_id)
            row = {"token_hash": token_hash, "chart_id": saved_id, "created_ms": now_ms}
            db.execute(_shares.insert().values(row))
            return True

        return await self._with_own(saved_id, account_id, share)

    async def unshare(self, saved_id: str, account_id: str) -> bool:
        return await self._with_own(saved_id, account_id, _drop_share)

    async def shared_ms(self, saved_id: str, account_id: str) -> int | None:
        share = select(_shares.c.created_ms).join(_charts, _shares.c.chart_id == _charts.c.id)
        wanted = share.where(_own(saved_id, account_id))
        return await self._db.read(lambda db: db.execute(wanted).scalar())

    async def shared(self, token_hash: str) -> Saved | None:
        wanted = _saved.join(_shares, _shares.c.chart_id == _charts.c.id)
        opened = wanted.where(_shares.c.token_hash == token_hash)
        row = await self._db.read(lambda db: db.execute(opened).first())
        return None if row is None else Saved(*row)

    async def _with_own(self, saved_id: str, account_id: str, act: Any) -> bool:
        """Acts on a chart, if it is there and belongs to the account."""
        wanted = select(_charts.c.id).where(_own(saved_id, account_id))

        def work(db: Connection) -> bool:
            return db.execute(wanted).first() is not None and act(db, saved_id)

        return await self._db.write(work)


def _delete(db: Connection, saved_id: str) -> bool:
    _drop_share(db, saved_id)
    db.execute(delete(_charts).where(_charts.c.id == saved_id))
    return True
