"""API keys on SQLite: every call of an account that was silent for a while looks its key up, straight through the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_hub.adapters.people import SqlKeys
from bazi_hub.ports import Account, Key

if TYPE_CHECKING:
    from bazi_hub.adapters.sqlite import SqliteDatabase

# The key of an erased account has no digest any more.
FIND = f"""SELECT {", ".join(f"k.{name}" for name in Key._fields)}, {", ".join(f"a.{name}" for name in Account._fields)}
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = :key_id AND a.status <> 'erased'"""
USED = "UPDATE api_keys SET last_used_ms = :now_ms WHERE id = :key_id"


class SqliteKeys(SqlKeys):
    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        self._file = database

    async def find(self, key_id: str) -> tuple[Key, Account] | None:
        row = self._file.row(FIND, {"key_id": key_id})
        width = len(Key._fields)
        return None if row is None else (Key(*row[:width]), Account(*row[width:]))

    async def used(self, key_id: str, now_ms: int) -> None:
        told = {"key_id": key_id, "now_ms": now_ms}
        await self._file.submit(lambda: self._file.execute(USED, told) and None)
