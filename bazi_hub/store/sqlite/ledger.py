"""Every statement that moves money on SQLite. One writer runs them, so what a look has found still holds when it writes.

A call meets its row (`meeting.py`); then the hold or the debit, the call itself, its result, and the posting with its two
sides follow, each by one statement through the driver. Charges that meet nothing are made together (`sqlite_charges.py`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bazi_hub.ports import Admitted, Captured, Conflict, Fresh, Refused, Reused, Running
from bazi_hub.store.schema import calls
from bazi_hub.store.sql.database import packed
from bazi_hub.store.sql.ledger import STANDING, SqlLedger, count_uncharged, give_back, standing_of
from bazi_hub.store.sql.prior_call import TAKEN, Stale, fresh, how_to_look, meeting, parameters
from bazi_hub.store.sql.receipts import forget
from bazi_hub.store.sqlite.charges import ACTOR, Charge, ChargeBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_hub.ports import NewCall, Standing
    from bazi_hub.store.sqlite.storage import SqliteDatabase

HOLD = "UPDATE accounts SET held = held + :cost WHERE id = :account_id"
RESERVE = "UPDATE quota SET reserved = reserved + 1 WHERE account_id = :account_id AND tool = :tool"
USE = "UPDATE quota SET used = used + 1 WHERE account_id = :account_id AND tool = :tool"
USE_RESERVED = """UPDATE quota SET reserved = reserved - 1, used = used + 1
    WHERE account_id = :account_id AND tool = :tool"""
DEBIT = (
    "UPDATE accounts SET posted = posted - :cost, seq = seq + 1 WHERE id = :account_id RETURNING seq, posted"
)
DEBIT_HELD = """UPDATE accounts SET posted = posted - :cost, held = held - :cost, seq = seq + 1
    WHERE id = :account_id RETURNING seq, posted"""

ADD_CALL = """INSERT INTO calls (id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost,
        price_version, from_quota, charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered)
    VALUES (:id, :account_id, :account_key, :tool, :fingerprint, :key, :replay, 1, :state, :cost,
        :version, :from_quota, :charged, :started_ms, :completed_ms, :lease_ms, :admitted_ms, :worker, 0)"""
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

    async def hold(self, call: NewCall) -> Admitted | Captured | Running | Reused | Refused:
        now_ms = self._file.clock.now_ms()
        return await self._file.submit(lambda: self._admit(call, now_ms))

    async def charge(
        self, call: NewCall, result: str, free: bool = False
    ) -> Admitted | Captured | Running | Reused | Refused:
        body = await self._file.pack(result)
        now_ms = self._file.clock.now_ms()
        charge = Charge(call, body, free, now_ms, now_ms - self._result_ttl_ms)
        outcome: Admitted | Captured | Running | Reused | Refused
        outcome = await self._file.submit_with(self._charge_all, charge)
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

    def hold_within(self, call: NewCall) -> Admitted | Captured | Running | Reused | Refused:
        """`hold` in the transaction of somebody else, as the next two."""
        return self._admit(call, self._file.clock.now_ms())

    def capture_within(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None:
        return self._capture(call_id, packed(result), free, day, self._file.clock.now_ms())

    def release_within(self, call_id: str, error: str, day: int | None) -> bool:
        return self._release(call_id, error, day, self._file.clock.now_ms())

    def _meet(
        self, call: NewCall, now_ms: int, free: bool = False
    ) -> Fresh | Captured | Running | Reused | Refused:
        """What stands in the way of a call; Fresh where it may be added."""
        since_ms = now_ms - self._result_ttl_ms
        row = self._file.execute(how_to_look(call), parameters(call, since_ms)).fetchone()
        found = meeting(row, call, since_ms)
        met = fresh(row, call) if isinstance(found, Stale) else found
        if not isinstance(met, Fresh):
            return met
        if row[TAKEN]:
            raise Conflict(f"the call {call.id} is known already")
        if not free and not met.affordable:
            return Refused(met.price, met.posted, met.held)
        if isinstance(found, Stale):
            forget(self._file.writing, calls.c.id == found.call_id)
        return met

    def _admit(self, call: NewCall, now_ms: int) -> Admitted | Captured | Running | Reused | Refused:
        met = self._meet(call, now_ms)
        if not isinstance(met, Fresh):
            return met
        cost = 0 if met.free else met.price.credit_cost
        row = self._add(call, met, "running", cost, met.free, now_ms)
        if met.free:
            self._file.execute(RESERVE, row)
        elif cost:
            self._file.execute(HOLD, row)
        return Admitted(call.id, cost, met.free)

    def _charge_all(self, charges: list[Charge]) -> list[Admitted | Captured | Running | Reused | Refused]:
        settled = ChargeBatch(self._file.execute, charges, self._tick()).settled()
        return [
            self._charge(charge) if known is None else known
            for charge, known in zip(charges, settled, strict=True)
        ]

    def _charge(self, charge: Charge) -> Admitted | Captured | Running | Reused | Refused:
        """One that meets another call, or may."""
        call, body, free, now_ms, _ = charge
        met = self._meet(call, now_ms, free)
        if not isinstance(met, Fresh):
            return met
        from_quota = met.free and not free
        cost = 0 if met.free or free else met.price.credit_cost
        row = self._add(call, met, "captured", cost, from_quota, now_ms)
        self._file.execute(ADD_RESULT, {"id": call.id, "body": body})
        if from_quota:
            self._file.execute(USE, row)
        elif cost:
            self._post(DEBIT, call.id, call.account_id, cost, now_ms)
        return Admitted(call.id, cost, from_quota)

    def _capture(
        self, call_id: str, body: bytes, free: bool, day: int | None, now_ms: int
    ) -> Admitted | None:
        ended = self._end(call_id, "captured", None, now_ms, free)
        if ended is None:
            return None
        account_id, tool, cost, from_quota = ended
        self._file.execute(ADD_RESULT, {"id": call_id, "body": body})
        if free:
            give_back(self._file.writing, account_id, tool, cost, from_quota)
        elif from_quota:
            self._file.execute(USE_RESERVED, {"account_id": account_id, "tool": tool})
        elif cost:
            self._post(DEBIT_HELD, call_id, account_id, cost, now_ms)
        self._count(account_id, day)
        return Admitted(call_id, 0 if free else cost, bool(from_quota) and not free)

    def _release(self, call_id: str, error: str, day: int | None, now_ms: int) -> bool:
        ended = self._end(call_id, "released", error, now_ms)
        if ended is None:
            return False
        give_back(self._file.writing, *ended)
        self._count(ended[0], day)
        return True

    def _add(
        self, call: NewCall, met: Fresh, state: str, cost: int, from_quota: bool, now_ms: int
    ) -> dict[str, Any]:
        """Records the call; what the next statements are told about it."""
        captured, tick = state == "captured", self._tick()
        row = call._asdict() | {
            "state": state,
            "cost": cost,
            "version": met.price.version,
            "from_quota": from_quota,
            "charged": cost if captured else 0,
            "completed_ms": now_ms if captured else None,
            "lease_ms": tick + int(call.lease_s * 1000),
            "admitted_ms": tick,
        }
        self._file.execute(ADD_CALL, row)
        return row

    def _end(
        self, call_id: str, state: str, error: str | None, now_ms: int, free: bool = False
    ) -> tuple[str, str, int, bool] | None:
        """Ends a call that runs; its account, tool, cost and whether the quota was to pay."""
        row: tuple[str, str, int, bool] | None = self._file.execute(RUNNING, {"id": call_id}).fetchone()
        if row is None:
            return None
        _, _, cost, from_quota = row
        charged = cost if state == "captured" and not free else 0
        told = {"id": call_id, "state": state, "error": error, "now_ms": now_ms, "charged": charged}
        self._file.execute(END_CALL, told | {"from_quota": from_quota and not free})
        return row

    def _post(self, debit: str, call_id: str, account_id: str, cost: int, now_ms: int) -> None:
        """Takes the cost and writes the posting with its two sides."""
        row = {"id": call_id, "account_id": account_id, "cost": cost, "now_ms": now_ms, "actor": ACTOR}
        seq, posted = self._file.execute(debit, row).fetchone()
        journal_id = self._file.execute(ADD_POSTING, row).lastrowid
        sides = {"journal_id": journal_id, "user": f"user:{account_id}", "seq": seq, "posted": posted}
        self._file.execute(ADD_SIDES, sides | {"cost": cost})

    def _count(self, account_id: str, day: int | None) -> None:
        if day is not None:
            count_uncharged(self._file.writing, account_id, day)
