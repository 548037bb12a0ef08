"""The ledger in memory: it finds the rows of a call, asks the rules, and does what they say.

A call ends once: whoever finds it running ends it, whoever comes later changes nothing. A call that costs nothing runs the
same path and posts nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from typing import Any

from bazi_hub.money import rules
from bazi_hub.money.rules import Ending, LedgerMove, Prior
from bazi_hub.ports import (
    Account,
    AccountStanding,
    Admitted,
    CallRecord,
    Captured,
    Conflict,
    Decision,
    Entry,
    Finding,
    Found,
    Fresh,
    NewCall,
    PriorCall,
    Refused,
    Reused,
    State,
    days,
)
from bazi_hub.store.memory.run_changes import interrupt
from bazi_hub.store.memory.tables import CallRow, JournalRow, Quota, Tables
from bazi_hub.store.memory.verify import findings

NO_QUOTA = Quota(0)


class MemoryLedger:
    def __init__(self, tables: Tables, result_ttl_ms: int) -> None:
        self._tables = tables
        self._result_ttl_ms = result_ttl_ms

    # --- calls ---

    async def peek(self, call: NewCall) -> Found:
        return self._prior_call(call) or self._fresh(call)

    async def hold(self, call: NewCall) -> Decision:
        row = self._begin(call, rules.HOLD)
        return Admitted(row.id, row.cost, row.from_quota) if isinstance(row, CallRow) else row

    async def charge(self, call: NewCall, result: str, free: bool = False) -> Decision:
        row = self._begin(call, rules.CHARGE, gratis=free)
        if not isinstance(row, CallRow):
            return row
        self._tables.end(row, "captured")
        row.result, row.charged = result, row.cost
        return Admitted(row.id, row.charged, row.from_quota)

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        row = self._tables.running.get(call_id)
        if row is None:
            return None
        self._end(row, rules.capture(row.cost, row.from_quota, free), day)
        row.result, row.gratis = result, free
        return Admitted(row.id, row.charged, row.from_quota)

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        row = self._tables.running.get(call_id)
        if row is None:
            return False
        self._end(row, rules.release(row.from_quota), day)
        row.error = error
        return True

    def _prior_call(self, call: NewCall) -> PriorCall | None:
        """The call that stands in the way of a new one; None where none does."""
        return rules.prior_call(call, self._prior(call), self._since_ms())

    def _prior(self, call: NewCall) -> Prior | None:
        """The call under the same key; without one, of those with the same arguments and an unseen answer the newest."""
        tables = self._tables
        if call.key is not None:
            row = tables.by_key.get((call.account_id, call.key))
        else:
            same = tables.by_likeness.get((call.account_id, call.tool, call.fingerprint), {})
            newest = max(
                same.values(), key=lambda row: (row.state == "running", row.completed_ms or 0), default=None
            )
            row = newest if call.replay else None
        if row is None:
            return None
        return Prior(
            row.id, row.tool, row.fingerprint, row.state, row.completed_ms or 0, row.from_quota, row.result
        )

    def _since_ms(self) -> int:
        """The time of the oldest result that is still given again."""
        return self._tables.clock.now_ms() - self._result_ttl_ms

    def _fresh(self, call: NewCall) -> Fresh:
        tables = self._tables
        if call.tool not in tables.prices:
            raise LookupError(f"{call.tool} has no price")
        account = tables.accounts.get(call.account_id)
        if account is None:
            raise LookupError(f"no account {call.account_id}")
        quota = tables.quotas.get(call.account_id, {}).get(call.tool, NO_QUOTA)
        return Fresh(tables.prices[call.tool][-1], rules.unit_left(quota.left), account.posted, account.held)

    def _begin(self, call: NewCall, step: LedgerMove, gratis: bool = False) -> CallRow | PriorCall | Refused:
        """The row of a new call with what it takes to begin with, or what stands in its way."""
        met = self._prior_call(call)
        if met is not None:
            return met
        fresh = self._fresh(call)
        agreed = rules.admission(fresh, gratis)
        if isinstance(agreed, Refused):
            return agreed
        row = self._enter(
            call, cost=agreed.cost, price_version=fresh.price.version, from_quota=agreed.from_quota, gratis=gratis
        )  # fmt: skip
        self._tables.move(row, step)
        return row

    def _enter(self, call: NewCall, **members: Any) -> CallRow:
        tables = self._tables
        if call.id in tables.calls:
            raise Conflict(f"the id {call.id} is taken")
        lapsed = None if call.key is None else tables.by_key.get((call.account_id, call.key))
        if lapsed is not None:
            tables.forget(lapsed)
        return tables.begin(call, **members)

    def _end(self, row: CallRow, ending: Ending, day: int | None = None) -> None:
        self._tables.move(row, ending.move)
        self._tables.end(row, ending.state)
        row.charged, row.from_quota = ending.charged, ending.from_quota
        self._count(row.account_id, day)

    def _count(self, account_id: str, day: int | None) -> None:
        if day is not None:
            self._tables.uncharged[account_id, day] += 1

    # --- receipts of the forum ---

    def met_receipt(self, receipt: NewCall | None) -> Captured | Reused | None:
        """The same post or comment, where it stands already."""
        if receipt is None or receipt.key is None:
            return None
        return rules.prior_receipt(receipt, self._prior(receipt), self._since_ms())

    def keep_receipt(self, receipt: NewCall | None, result: str) -> None:
        """Keeps what was answered, under the key of who asked."""
        if receipt is None or receipt.key is None:
            return
        row = self._enter(receipt, metered=False)
        self._tables.end(row, "captured")
        row.result = result

    # --- what is known of a call and an account ---

    async def state(self, call_id: str) -> tuple[State, str | None] | None:
        row = self._tables.calls.get(call_id)
        return None if row is None else (row.state, row.error)

    async def result(self, call_id: str) -> Captured | None:
        row = self._tables.calls.get(call_id)
        return None if row is None or row.result is None else Captured(row.id, row.result, row.from_quota)

    async def charged(self, call_id: str) -> tuple[str, int] | None:
        row = self._tables.calls.get(call_id)
        return None if row is None or row.state != "captured" else (row.account_id, row.charged)

    async def delivered(self, call_ids: Sequence[str]) -> None:
        for call_id in call_ids:
            row = self._tables.calls.get(call_id)
            if row is not None and row.state == "captured":
                self._tables.seen(row)

    async def uncharged(self, account_id: str, day: int) -> int:
        return self._tables.uncharged[account_id, day]

    async def count_uncharged(self, account_id: str, day: int) -> None:
        self._count(account_id, day)

    async def account(self, account_id: str) -> Account | None:
        return self._tables.accounts.get(account_id)

    async def held(self) -> int:
        return sum(account.held for account in self._tables.accounts.values())

    async def standing(self, account_id: str) -> AccountStanding | None:
        account = await self.account(account_id)
        quotas = sorted(self._tables.quotas.get(account_id, {}).items())
        free = {tool: quota.left for tool, quota in quotas if quota.granted}
        return None if account is None else AccountStanding(account.posted, account.held, free)

    async def history(self, account_id: str, limit: int) -> list[CallRecord]:
        metered = [row for row in self._tables.calls_of.get(account_id, ()) if row.metered]
        numbered = heapq.nlargest(limit, enumerate(metered), key=lambda pair: (pair[1].started_ms, pair[0]))
        return [
            CallRecord(row.id, row.tool, row.charged, row.state, row.error, row.started_ms, row.completed_ms)
            for _, row in numbered
        ]

    async def entries(self, account_id: str) -> list[Entry]:
        listed = []
        for entry in self._tables.entries.get(f"user:{account_id}", ()):
            row = self._tables.journal[entry.journal_id]
            listed.append(
                Entry(
                    row.id, row.kind, entry.account, entry.amount, entry.seq, entry.posted_after,
                    row.call_id, row.ref, row.actor, row.memo, row.ts_ms,
                )
            )  # fmt: skip
        return listed

    # --- postings of an operator ---

    async def post(
        self, kind: str, account_id: str, amount: int, ref: str, actor: str, memo: str | None = None,
        call_id: str | None = None,
    ) -> bool:  # fmt: skip
        rules.require_posting(kind, amount)
        tables = self._tables
        account = tables.accounts.get(account_id)
        if account is None:
            raise LookupError(f"no account {account_id}")
        once = (kind, rules.posted_once_by(kind, ref, call_id)[1])
        if once in tables.posted_once:
            return False
        if kind == "refund":
            row = tables.calls.get(call_id or "")
            own = row is not None and row.account_id == account_id and row.state == "captured"
            rules.require_refundable(amount, row.charged if row is not None and own else None)
        if not rules.remains_covered(account.posted, account.held, amount):
            raise Conflict(f"only {account.available} credits are available")
        tables.posted_once.add(once)
        row_id, now_ms = tables.ids.uuid(), tables.clock.now_ms()
        tables.post(JournalRow(row_id, kind, call_id, ref, actor, memo, now_ms), account_id, amount)
        after = {
            "kind": kind,
            "amount": amount,
            "ref": ref,
            "call_id": call_id,
            "posted": account.posted + amount,
        }
        tables.told(actor, f"credits.{kind}", account_id, {"posted": account.posted}, after)
        return True

    # --- what time does ---

    async def heartbeat(self, worker: str) -> None:
        self._tables.beats[worker] = self._tables.clock.monotonic()

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        running = self._tables.running.values()
        lapsed = [row for row in running if everything or self._lapsed(row, dead)]
        for row in lapsed:
            self._end(row, rules.release(row.from_quota, "expired"))
            interrupt(self._tables, row.id)
        return len(lapsed)

    def _lapsed(self, row: CallRow, dead: Collection[str] = ()) -> bool:
        heartbeat_s = self._tables.beats.get(row.worker, row.admitted_s)
        lapsed: bool = rules.has_lapsed(
            now_ms=1000 * self._tables.clock.monotonic(),
            lease_ms=1000 * row.lease_until_s,
            admitted_ms=1000 * row.admitted_s,
            heartbeat_ms=1000 * heartbeat_s,
            has_worker=bool(row.worker),
            is_dead=row.worker in dead,
        )
        return lapsed

    async def purge(self, older_than_ms: int) -> int:
        ended = self._tables.ended.values()
        old = [row for row in ended if row.completed_ms is not None and row.completed_ms < older_than_ms]
        for row in old:
            self._tables.forget(row)
        for counted in [each for each in self._tables.uncharged if each[1] < days(older_than_ms)]:
            del self._tables.uncharged[counted]
        return len(old)

    async def verify(self) -> list[Finding]:
        return findings(self._tables)
