"""The part of a storage that is the same on every engine."""

from __future__ import annotations

from hashlib import shake_256

from sqlalchemy import select

from bazi_hub.ports import AdminAct
from bazi_hub.store.migrate import require_head
from bazi_hub.store.schema import admin_journal, workers
from bazi_hub.store.sql.database import Database

# As much as a long reading takes, in rows that an index can hold; no engine finds anything in it to make shorter.
PROBE_ROWS, PROBE_BYTES = 32, 2000
_PROBE = "probe:"


class SqlStorage:
    """A storage has a database besides, and a store for each port."""

    database: Database

    async def close(self) -> None:
        await self.database.close()

    async def probe(self) -> None:
        """Writes as much as a reading would, in rows that belong to nobody, and takes them back once they are written.

        In two transactions: what is taken back in the same one, SQLite never writes at all.
        """
        mark = self.database.ids.uuid()
        noise = shake_256(mark.encode()).hexdigest(PROBE_ROWS * PROBE_BYTES // 2)
        pieces = [noise[at : at + PROBE_BYTES] for at in range(0, len(noise), PROBE_BYTES)]
        rows = [{"id": f"{_PROBE}{mark}:{piece}", "seen_ms": 0} for piece in pieces]
        await self.database.write(lambda db: db.execute(workers.insert(), rows) and None)
        # With those of a process that died in between.
        left = workers.delete().where(workers.c.id.startswith(_PROBE))
        await self.database.write(lambda db: db.execute(left) and None)

    async def migrated(self) -> None:
        await self.database.read(require_head)

    async def journal(self) -> list[AdminAct]:
        """The admin journal, oldest first."""
        columns = [admin_journal.c[name] for name in AdminAct._fields]
        ordered = select(*columns).order_by(admin_journal.c.id)
        return await self.database.scan(lambda db: [AdminAct(*row) for row in db.execute(ordered)])
