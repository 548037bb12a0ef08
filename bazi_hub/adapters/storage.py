"""What a storage does in the same way on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from bazi_hub.adapters.migrate import require_head
from bazi_hub.adapters.schema import admin_journal, workers
from bazi_hub.ports import AdminAct

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bazi_hub.adapters.database import Database


class SqlStorage:
    """A storage has a database besides, and a store for each port."""

    database: Database

    async def close(self) -> None:
        await self.database.close()

    async def probe(self) -> None:
        """Writes a row that belongs to nobody, and takes it back."""

        def work(db: Connection) -> None:
            db.execute(workers.insert().values(id="probe", seen_ms=0))
            db.execute(workers.delete().where(workers.c.id == "probe"))

        await self.database.write(work)

    async def migrated(self) -> None:
        await self.database.read(require_head)

    async def journal(self) -> list[AdminAct]:
        """The admin journal, oldest first."""
        columns = [admin_journal.c[name] for name in AdminAct._fields]
        ordered = select(*columns).order_by(admin_journal.c.id)
        return await self.database.scan(lambda db: [AdminAct(*row) for row in db.execute(ordered)])
