"""A ledger told as simply as it can be: a list of calls and a list of postings, everything else counted from them.

It shares nothing with the stores but the values of the ports. Times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bazi_hub.ports import Captured, Fresh, NewCall, Price, Refused, Reused, Running

KEPT_S = 86_400
SILENT_S = 30


@dataclass
class Call:
    """A call that was let in."""

    asked: NewCall
    price: Price
    by_quota: bool
    since: float
    state: str = "running"
    error: str | None = None
    ended: float | None = None
    result: str = ""
    cost: int = 0
    delivered: bool = False
    purged: bool = False

    @property
    def held(self) -> int:
        return self.price.credit_cost if self.state == "running" and not self.by_quota else 0


@dataclass
class Model:
    prices: dict[str, Price]
    now: float = 0.0
    granted: dict[str, dict[str, int]] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    postings: list[tuple[str, str, int, str | None]] = field(default_factory=list)
    refs: set[tuple[str, str]] = field(default_factory=set)
    beats: dict[str, float] = field(default_factory=dict)
    uncharged: dict[tuple[str, int], int] = field(default_factory=dict)

    # --- what follows from the lists ---

    def of(self, account: str) -> list[Call]:
        return [call for call in self.calls.values() if call.asked.account_id == account]

    def posted(self, account: str) -> int:
        return sum(amount for _, owner, amount, _ in self.postings if owner == account)

    def held(self, account: str) -> int:
        return sum(call.held for call in self.of(account))

    def quota(self, account: str, tool: str) -> int:
        taken = [
            call
            for call in self.of(account)
            if call.asked.tool == tool and call.by_quota and call.state in ("running", "captured")
        ]
        return self.granted[account].get(tool, 0) - len(taken)

    # --- what a call meets ---

    def met(self, asked: NewCall) -> list[Captured | Running | Reused]:
        """The answers that are right for a call that stands there already; none for one that does not."""
        return [self._answer(call, asked) for call in self.of(asked.account_id) if self._same(call, asked)]

    def _same(self, call: Call, asked: NewCall) -> bool:
        lapsed = call.ended is not None and self.now - call.ended > KEPT_S
        if call.state not in ("running", "captured") or call.purged or lapsed:
            return False
        if asked.key is not None:
            return call.asked.key == asked.key
        alike = (call.asked.tool, call.asked.fingerprint) == (asked.tool, asked.fingerprint)
        return asked.replay and alike and not call.delivered

    @staticmethod
    def _answer(call: Call, asked: NewCall) -> Captured | Running | Reused:
        if (call.asked.tool, call.asked.fingerprint) != (asked.tool, asked.fingerprint):
            return Reused(call.asked.id)
        if call.state == "running":
            return Running(call.asked.id)
        return Captured(call.asked.id, call.result, call.by_quota)

    def fresh(self, asked: NewCall) -> Fresh:
        account = asked.account_id
        by_quota = self.quota(account, asked.tool) > 0
        return Fresh(self.prices[asked.tool], by_quota, self.posted(account), self.held(account))

    def refused(self, asked: NewCall) -> Refused | None:
        fresh = self.fresh(asked)
        least = max(fresh.price.credit_cost, fresh.price.min_balance)
        if fresh.free or fresh.posted - fresh.held >= least:
            return None
        return Refused(fresh.price, fresh.posted, fresh.held)

    # --- what happens to a call ---

    def let_in(self, asked: NewCall) -> Call:
        for old in self.of(asked.account_id):
            if asked.key is not None and old.asked.key == asked.key and old.ended is not None:
                # The key has a new owner.
                old.purged = old.purged or old.state == "captured"
        fresh = self.fresh(asked)
        call = self.calls[asked.id] = Call(asked, fresh.price, fresh.free, self.now)
        return call

    def captured(self, call: Call, result: str, free: bool) -> None:
        call.state, call.ended, call.result = "captured", self.now, result
        if free:
            call.by_quota = False
        elif not call.by_quota:
            call.cost = call.price.credit_cost
        if call.cost:
            self.postings.append(("capture", call.asked.account_id, -call.cost, call.asked.id))

    def unpaid(self, call: Call, state: str, error: str | None = None) -> None:
        call.state, call.ended, call.error = state, self.now, error

    def count(self, account: str, day: int | None) -> None:
        if day is not None:
            self.uncharged[account, day] = self.uncharged.get((account, day), 0) + 1

    def lapsed(self) -> list[Call]:
        return [call for call in self.calls.values() if call.state == "running" and self._lapsed(call)]

    def _lapsed(self, call: Call) -> bool:
        if self.now > call.since + call.asked.lease_s:
            return True
        worker = call.asked.worker
        heard = max(call.since, self.beats.get(worker, call.since))
        return worker != "" and self.now > heard + SILENT_S
