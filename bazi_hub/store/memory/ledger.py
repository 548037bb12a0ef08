"""The ledger: a price is held and then captured or released, or charged in one step.

A call ends once: whoever finds it running ends it, whoever comes later changes nothing. The free quota pays before credits
do and asks for no balance. A call that costs nothing runs the same path and posts nothing.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from bazi_hub.ports import (
    Admitted,
    CallRecord,
    Captured,
    Conflict,
    Entry,
    Fresh,
    Refused,
    Reused,
    Running,
    Standing,
    days,
)
from bazi_hub.store.memory.runs import interrupt
from bazi_hub.store.memory.tables import CallRow, JournalRow, Quota
from bazi_hub.store.memory.verify import findings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bazi_hub.ports import Account, Finding, NewCall, State
    from bazi_hub.store.memory.tables import Tables

SILENT_S = 30.0
NO_QUOTA = Quota(0)


class MemoryLedger:
    def __init__(self, tables: Tables, result_ttl_ms: int) -> None:
        self._tables = tables
        self._result_ttl_ms = result_ttl_ms

    # --- calls ---

    async def peek(self, call: NewCall) -> Fresh | Captured | Running | Reused:
        return self._met(call) or self._fresh(call)

    async def hold(self, call: NewCall) -> Admitted | Captured | Running | Reused | Refused:
        met = self._met(call)
        if met is not None:
            return met
        fresh = self._fresh(call)
        if not self._covered(fresh):
            return Refused(fresh.price, fresh.posted, fresh.held)
        row = self._begin(call, fresh)
        return Admitted(row.id, row.held, row.from_quota)

    async def charge(
        self, call: NewCall, result: str, free: bool = False
    ) -> Admitted | Captured | Running | Reused | Refused:
        met = self._met(call)
        if met is not None:
            return met
        fresh = self._fresh(call)
        if not free and not self._covered(fresh):
            return Refused(fresh.price, fresh.posted, fresh.held)
        return self._pay(self._begin(call, fresh), result, free)

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        row = self._tables.calls.get(call_id)
        if row is None or row.state != "running":
            return None
        self._count(row.account_id, day)
        return self._pay(row, result, free)

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        row = self._tables.calls.get(call_id)
        if row is None or row.state != "running":
            return False
        self._count(row.account_id, day)
        self._unpaid(row, "released")
        row.error = error
        return True

    def _met(self, call: NewCall) -> Captured | Running | Reused | None:
        """The same call, where it stands already."""
        row = self._same(call)
        if row is None:
            return None
        if (row.tool, row.fingerprint) != (call.tool, call.fingerprint):
            return Reused(row.id)
        return Running(row.id) if row.state == "running" else _captured(row)

    def _same(self, call: NewCall) -> CallRow | None:
        tables = self._tables
        if call.key is not None:
            row = tables.by_key.get((call.account_id, call.key))
            return row if row is not None and self._kept(row) else None
        if not call.replay:
            return None
        same = tables.by_likeness.get((call.account_id, call.tool, call.fingerprint), {})
        return next((row for row in same.values() if self._kept(row)), None)

    def _kept(self, row: CallRow) -> bool:
        """Whether its result may still be given again."""
        if row.completed_ms is None:
            return True
        return self._tables.clock.now_ms() - row.completed_ms <= self._result_ttl_ms

    def _fresh(self, call: NewCall) -> Fresh:
        tables = self._tables
        if call.tool not in tables.prices:
            raise LookupError(f"{call.tool} has no price")
        account = tables.accounts.get(call.account_id)
        if account is None:
            raise LookupError(f"no account {call.account_id}")
        free = self._quota(call.account_id, call.tool).left > 0
        return Fresh(tables.prices[call.tool][-1], free, account.posted, account.held)

    def _covered(self, fresh: Fresh) -> bool:
        """Whether quota or balance pays for it."""
        return fresh.affordable

    def _quota(self, account_id: str, tool: str) -> Quota:
        return self._tables.quotas.get(account_id, {}).get(tool, NO_QUOTA)

    def _begin(self, call: NewCall, fresh: Fresh) -> CallRow:
        price = fresh.price
        row = self._enter(call, price=price.credit_cost, price_version=price.version, from_quota=fresh.free)
        self._hold(row, 1)
        return row

    def _enter(self, call: NewCall, **members: Any) -> CallRow:
        tables = self._tables
        if call.id in tables.calls:
            raise Conflict(f"the id {call.id} is taken")
        lapsed = None if call.key is None else tables.by_key.get((call.account_id, call.key))
        if lapsed is not None:
            tables.forget(lapsed)
        return tables.begin(call, **members)

    def _hold(self, row: CallRow, sign: int) -> None:
        """Takes a credit hold or a reserved unit of quota, or gives it back."""
        accounts = self._tables.accounts
        if row.from_quota:
            self._quota(row.account_id, row.tool).reserved += sign
        else:
            account = accounts[row.account_id]
            accounts[row.account_id] = account._replace(held=account.held + sign * row.held)

    def _pay(self, row: CallRow, result: str, free: bool) -> Admitted:
        self._hold(row, -1)
        self._tables.end(row, "captured")
        row.result, row.free = result, free
        if free:
            row.from_quota = False
        elif row.from_quota:
            self._quota(row.account_id, row.tool).used += 1
        elif row.price:
            row.deducted = row.price
            self._post("capture", row.account_id, -row.price, call_id=row.id, actor="hub")
        return Admitted(row.id, row.deducted, row.from_quota)

    def _unpaid(self, row: CallRow, state: State) -> None:
        self._hold(row, -1)
        self._tables.end(row, state)

    def _count(self, account_id: str, day: int | None) -> None:
        if day is not None:
            self._tables.uncharged[account_id, day] += 1

    # --- receipts of the forum ---

    def met_receipt(self, receipt: NewCall | None) -> Captured | Reused | None:
        """The same post or comment, where it stands already; whatever runs under its key is something else."""
        met = None if receipt is None or receipt.key is None else self._met(receipt)
        return Reused(met.call_id) if isinstance(met, Running) else met

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
        return None if row is None or row.result is None else _captured(row)

    async def charged(self, call_id: str) -> tuple[str, int] | None:
        row = self._tables.calls.get(call_id)
        return None if row is None or row.state != "captured" else (row.account_id, row.deducted)

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

    async def standing(self, account_id: str) -> Standing | None:
        account = await self.account(account_id)
        quotas = sorted(self._tables.quotas.get(account_id, {}).items())
        free = {tool: quota.left for tool, quota in quotas if quota.granted}
        return None if account is None else Standing(account.posted, account.held, free)

    async def history(self, account_id: str, limit: int) -> list[CallRecord]:
        metered = [row for row in self._tables.calls_of.get(account_id, ()) if row.metered]
        numbered = heapq.nlargest(limit, enumerate(metered), key=lambda pair: (pair[1].started_ms, pair[0]))
        return [
            CallRecord(row.id, row.tool, row.deducted, row.state, row.error, row.started_ms, row.completed_ms)
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
        if kind not in ("grant", "refund", "adjust") or amount == 0 or (amount < 0 and kind != "adjust"):
            raise ValueError(f"a {kind} of {amount} cannot be posted")
        tables = self._tables
        account = tables.accounts.get(account_id)
        if account is None:
            raise LookupError(f"no account {account_id}")
        once = (kind, call_id or "" if kind == "refund" else ref)
        if once in tables.posted_once:
            return False
        if kind == "refund":
            self._check_refund(account_id, amount, call_id)
        if account.available + amount < 0:
            raise Conflict(f"only {account.available} credits are available")
        tables.posted_once.add(once)
        self._post(kind, account_id, amount, call_id=call_id, ref=ref, actor=actor, memo=memo)
        after = {
            "kind": kind,
            "amount": amount,
            "ref": ref,
            "call_id": call_id,
            "posted": account.posted + amount,
        }
        tables.told(actor, f"credits.{kind}", account_id, {"posted": account.posted}, after)
        return True

    def _check_refund(self, account_id: str, amount: int, call_id: str | None) -> None:
        row = self._tables.calls.get(call_id or "")
        if row is None or row.account_id != account_id or row.state != "captured":
            raise Conflict(f"{call_id} is no paid call of {account_id}")
        if amount > row.deducted:
            raise Conflict(f"{call_id} cost {row.deducted}")

    def _post(
        self, kind: str, account_id: str, amount: int, *, actor: str, call_id: str | None = None,
        ref: str | None = None, memo: str | None = None,
    ) -> None:  # fmt: skip
        tables = self._tables
        row = JournalRow(tables.ids.uuid(), kind, call_id, ref, actor, memo, tables.clock.now_ms())
        tables.post(row, account_id, amount)

    # --- what time does ---

    async def heartbeat(self, worker: str) -> None:
        self._tables.beats[worker] = self._tables.clock.monotonic()

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        running = self._tables.running.values()
        lapsed = [row for row in running if everything or row.worker in dead or self._lapsed(row)]
        for row in lapsed:
            self._unpaid(row, "expired")
            interrupt(self._tables, row.id)
        return len(lapsed)

    def _lapsed(self, row: CallRow) -> bool:
        now = self._tables.clock.monotonic()
        sign_of_life = max(row.admitted_s, self._tables.beats.get(row.worker, row.admitted_s))
        silent = bool(row.worker) and now - sign_of_life > SILENT_S
        return silent or now > row.lease_until_s

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


def _captured(row: CallRow) -> Captured:
    return Captured(row.id, row.result or "", row.from_quota)
