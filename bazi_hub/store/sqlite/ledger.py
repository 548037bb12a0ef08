"""Every statement that moves money on SQLite. One writer runs them, so what a look has found still holds when it writes.

A call meets its row (`sql/prior_call.py`), the rules say what becomes of it, and the call itself, the move of balance or
quota, its result and its posting follow, each by one statement through the driver. Charges are made together (`charges.py`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bazi_hub.money import rules
from bazi_hub.ports import Admitted, Conflict, Fresh, Refused
from bazi_hub.store.schema import calls
from bazi_hub.store.sql.database import packed
from bazi_hub.store.sql.ledger import STANDING, SqlLedger, count_uncharged, standing_of
from bazi_hub.store.sql.prior_call import LOOK, TAKEN, found, parameters, stale
from bazi_hub.store.sql.receipts import forget
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, assigned
from bazi_hub.store.sqlite.charges import ACTOR, Charge, ChargeBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_hub.money.rules import Ending, Move
    from bazi_hub.ports import Decision, NewCall, Standing
    from bazi_hub.store.sqlite.database import SqliteDatabase

# What a step moves; one that posts tells the number of its entry and the balance after it.
MOVE_BALANCE = {
    move: f"UPDATE accounts SET {assigned(move, BALANCE, ':cost')} WHERE id = :account_id"
    + (" RETURNING seq, posted" if move.posted else "")
    for move in (rules.HOLD, rules.CAPTURE, rules.RELEASE)
}
MOVE_UNIT = {
    move: f"UPDATE quota SET {assigned(move, QUOTA, '1')} WHERE account_id = :account_id AND tool = :tool"
    for move in MOVE_BALANCE
}

ADD_CALL = """INSERT INTO calls (id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost,
        price_version, from_quota, charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered)
    VALUES (:id, :account_id, :account_key, :tool, :fingerprint, :key, :replay, 1, 'running', :cost,
        :version, :from_quota, 0, :started_ms, NULL, :lease_ms, :admitted_ms, :worker, 0)"""
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

    async def standing(self, account_id: str) -> Standing | None:
        return standing_of(self._file.rows(STANDING, {"id": account_id}))

    async def hold(self, call: NewCall) -> Decision:
        now_ms = self._file.clock.now_ms()
        return await self._file.submit(lambda: self._admit(call, now_ms))

    async def charge(self, call: NewCall, result: str, free: bool = False) -> Decision:
        body = await self._file.pack(result)
        now_ms = self._file.clock.now_ms()
        charge = Charge(call, body, free, now_ms, now_ms - self._result_ttl_ms)
        outcome: Decision = await self._file.submit_with(self._charge, charge)
        return outcome

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
        return self._admit(call, self._file.clock.now_ms())

    def capture_within(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None:
        return self._capture(call_id, packed(result), free, day, self._file.clock.now_ms())

    def release_within(self, call_id: str, error: str, day: int | None) -> bool:
        return self._release(call_id, error, day, self._file.clock.now_ms())

    def _charge(self, charges: list[Charge]) -> list[Any]:
        return ChargeBatch(self._file.execute, self._file.writing, charges, self._tick()).settled()

    def _admit(self, call: NewCall, now_ms: int) -> Decision:
        since_ms = now_ms - self._result_ttl_ms
        row = self._file.execute(LOOK, parameters(call, since_ms)).fetchone()
        met = found(row, call, since_ms)
        if not isinstance(met, Fresh):
            return met
        if row[TAKEN]:
            raise Conflict(f"the call {call.id} is known already")
        agreed = rules.admission(met)
        if isinstance(agreed, Refused):
            return agreed
        if (old := stale(row, call)) is not None:
            forget(self._file.writing, calls.c.id == old)
        tick = self._tick()
        row = call._asdict() | {
            "cost": agreed.cost,
            "from_quota": agreed.from_quota,
            "version": met.price.version,
            "lease_ms": tick + int(call.lease_s * 1000),
            "admitted_ms": tick,
        }
        self._file.execute(ADD_CALL, row)
        self._move(rules.HOLD, row, now_ms)
        return Admitted(call.id, agreed.cost, agreed.from_quota)

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
        """Id, account, tool, cost and payer of a call that nobody ended."""
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

    def _move(self, move: Move, row: dict[str, Any], now_ms: int) -> None:
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
