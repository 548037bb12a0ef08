"""Every statement that moves money on SQLite. One writer runs them, so what a look has found still holds when it writes.

Calls begin together (`beginnings.py`). Where one ends, the rules say how, and its record, the move of balance or quota, its
result and its posting follow, each by one statement through the driver.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bazi_hub.money import rules
from bazi_hub.money.rules import Ending, LedgerMove
from bazi_hub.ports import AccountStanding, Admitted, Decision, NewCall
from bazi_hub.store.sql.batches import Failed
from bazi_hub.store.sql.database import packed
from bazi_hub.store.sql.ledger import STANDING, SqlLedger, count_uncharged, standing_of
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, assigned
from bazi_hub.store.sqlite.beginnings import ACTOR, Beginning, BeginningBatch
from bazi_hub.store.sqlite.database import SqliteDatabase

# What an ending moves; one that posts tells the number of its entry and the balance after it.
MOVE_BALANCE = {
    move: f"UPDATE accounts SET {assigned(move, BALANCE, ':cost')} WHERE id = :account_id"
    + (" RETURNING seq, posted" if move.posted else "")
    for move in (rules.CAPTURE, rules.RELEASE)
}
MOVE_UNIT = {
    move: f"UPDATE quota SET {assigned(move, QUOTA, '1')} WHERE account_id = :account_id AND tool = :tool"
    for move in MOVE_BALANCE
}

RUNNING = "SELECT account_id, tool, cost, from_quota FROM calls WHERE id = :id AND state = 'running'"
END_CALL = """UPDATE calls SET state = :state, error = :error, completed_ms = :now_ms, charged = :charged,
    from_quota = :from_quota WHERE id = :id"""
DELIVERED = """UPDATE calls SET delivered = 1
    WHERE state = 'captured' AND id IN (SELECT value FROM json_each(:ids))"""

ADD_RESULT = "INSERT INTO results (call_id, body) VALUES (:id, :body)"
ADD_POSTING = "INSERT INTO journal (kind, call_id, actor, ts_ms) VALUES ('capture', :id, :actor, :now_ms)"
ADD_SIDES = """INSERT INTO entries (journal_id, account, amount, seq, posted_after)
    VALUES (:journal_id, :user, -:cost, :seq, :posted), (:journal_id, 'system:revenue', :cost, NULL, NULL)"""


class SqliteLedger(SqlLedger):
    def __init__(self, database: SqliteDatabase, result_ttl_ms: int) -> None:
        super().__init__(database, result_ttl_ms)
        self._file = database

    def _tick(self) -> int:
        # No lease outlives the process, so its own clock will do, and the wall clock may be set.
        return int(self._file.clock.monotonic() * 1000)

    async def standing(self, account_id: str) -> AccountStanding | None:
        return standing_of(self._file.rows(STANDING, {"id": account_id}))

    async def hold(self, call: NewCall) -> Decision:
        outcome: Decision = await self._file.submit_with(self._begin, self._beginning(call))
        return outcome

    async def charge(self, call: NewCall, result: str, free: bool = False) -> Decision:
        beginning = self._beginning(call, await self._file.pack(result), free)
        outcome: Decision = await self._file.submit_with(self._begin, beginning)
        return outcome

    def _beginning(self, call: NewCall, body: bytes | None = None, gratis: bool = False) -> Beginning:
        now_ms = self._file.clock.now_ms()
        return Beginning(call, now_ms, now_ms - self._result_ttl_ms, body, gratis)

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        body = await self._file.pack(result)
        now_ms = self._file.clock.now_ms()
        return await self._file.submit(lambda: self._capture(call_id, body, free, day, now_ms))

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        now_ms = self._file.clock.now_ms()
        return await self._file.submit(lambda: self._release(call_id, error, day, now_ms))

    async def delivered(self, call_ids: Sequence[str]) -> None:
        ids = {"ids": json.dumps(list(call_ids))}
        await self._file.submit(lambda: self._file.execute(DELIVERED, ids) and None)

    # --- on the writer's thread -----------------------------------------------------------------------------------------

    def hold_within(self, call: NewCall) -> Decision:
        """`hold` inside a transaction that is open, as the next two."""
        (outcome,) = self._begin([self._beginning(call)])
        if isinstance(outcome, Failed):
            raise outcome.fault
        return outcome

    def capture_within(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None:
        return self._capture(call_id, packed(result), free, day, self._file.clock.now_ms())

    def release_within(self, call_id: str, error: str, day: int | None) -> bool:
        return self._release(call_id, error, day, self._file.clock.now_ms())

    def _begin(self, waiting: list[Beginning]) -> list[Decision | Failed]:
        return BeginningBatch(self._file.execute, self._file.writing, waiting, self._tick()).settled()

    def _capture(
        self, call_id: str, body: bytes, free: bool, day: int | None, now_ms: int
    ) -> Admitted | None:
        row = self._running(call_id)
        if row is None:
            return None
        ending = rules.capture(row["cost"], row["from_quota"], free)
        self._end(row, ending, None, day, now_ms)
        self._file.execute(ADD_RESULT, {"id": call_id, "body": body})
        return Admitted(call_id, ending.charged, ending.from_quota)

    def _release(self, call_id: str, error: str, day: int | None, now_ms: int) -> bool:
        row = self._running(call_id)
        if row is None:
            return False
        self._end(row, rules.release(row["from_quota"]), error, day, now_ms)
        return True

    def _running(self, call_id: str) -> dict[str, Any] | None:
        """Id, account, tool, cost and payer of a running call; None of one that has ended."""
        row = self._file.execute(RUNNING, {"id": call_id}).fetchone()
        if row is None:
            return None
        account_id, tool, cost, from_quota = row
        return {
            "id": call_id, "account_id": account_id, "tool": tool, "cost": cost, "from_quota": bool(from_quota)
        }  # fmt: skip

    def _end(
        self, row: dict[str, Any], ending: Ending, error: str | None, day: int | None, now_ms: int
    ) -> None:
        """Ends a call that runs."""
        members = {"id": row["id"], "state": ending.state, "error": error, "now_ms": now_ms}
        self._file.execute(END_CALL, members | {"charged": ending.charged, "from_quota": ending.from_quota})
        self._move(ending.move, row, now_ms)
        if day is not None:
            count_uncharged(self._file.writing, row["account_id"], day)

    def _move(self, move: LedgerMove, row: dict[str, Any], now_ms: int) -> None:
        """Moves the balance, with the posting and its two sides where credits are paid, or the quota."""
        if row["from_quota"]:
            self._file.execute(MOVE_UNIT[move], row)
        elif row["cost"]:
            moved = self._file.execute(MOVE_BALANCE[move], row)
            if move.posted:
                seq, posted = moved.fetchone()
                self._post(row, seq, posted, now_ms)

    def _post(self, row: dict[str, Any], seq: int, posted: int, now_ms: int) -> None:
        journal_id = self._file.execute(ADD_POSTING, row | {"now_ms": now_ms, "actor": ACTOR}).lastrowid
        user = f"user:{row['account_id']}"
        sides = {"journal_id": journal_id, "user": user, "cost": row["cost"], "seq": seq, "posted": posted}
        self._file.execute(ADD_SIDES, sides)
