"""The rows that the memory store keeps, as a database would, and the few indexes it finds them by.

Money is double entry: a journal row says what happened, its two entries say between whom. Users' entries are numbered and
carry the balance after them; system accounts have no balance.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bazi_hub.money.rules import LedgerMove
from bazi_hub.ports import (
    COUNTER_ACCOUNT,
    Account,
    AdminAct,
    Clock,
    Comment,
    Ids,
    Key,
    NewCall,
    Post,
    Price,
    Saved,
    Session,
    State,
)
from bazi_hub.store.memory.run_rows import RunRows


@dataclass(slots=True)
class Quota:
    """Free calls of an account for a tool: given at its creation, used by captured calls, reserved by running ones."""

    granted: int
    used: int = 0
    reserved: int = 0

    @property
    def left(self) -> int:
        return self.granted - self.used - self.reserved


@dataclass(slots=True)
class CallRow:
    """A call: what is held for it (`cost`, by `price_version`), who pays, how it ended, and for a day its result.

    `gratis`: ended with a result that is not charged. `metered` is False for the receipt of a post.
    """

    id: str
    account_id: str
    tool: str
    fingerprint: str | None
    key: str | None
    account_key: str | None
    worker: str
    admitted_s: float
    lease_until_s: float
    started_ms: int
    cost: int = 0
    price_version: int = 0
    from_quota: bool = False
    gratis: bool = False
    metered: bool = True
    state: State = "running"
    error: str | None = None
    completed_ms: int | None = None
    charged: int = 0
    result: str | None = None
    purged: bool = False

    @property
    def likeness(self) -> tuple[str, str, str | None]:
        """Account, tool and fingerprint: the identity of a call without a key."""
        return self.account_id, self.tool, self.fingerprint


class JournalRow(NamedTuple):
    id: str
    kind: str
    call_id: str | None
    ref: str | None
    actor: str
    memo: str | None
    ts_ms: int


class EntryRow(NamedTuple):
    journal_id: str
    account: str
    amount: int
    seq: int | None
    posted_after: int | None


class Link(NamedTuple):
    """A link that opens a saved chart."""

    chart_id: str
    created_ms: int


@dataclass(slots=True)
class Tables:
    """Everything that is stored. Below are indexes: calls that run, that are not forgotten yet, that can be met again."""

    clock: Clock
    ids: Ids
    accounts: dict[str, Account] = field(default_factory=dict)
    invites: dict[str, int] = field(default_factory=dict)
    keys: dict[str, Key] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    prices: dict[str, list[Price]] = field(default_factory=dict)
    quotas: dict[str, dict[str, Quota]] = field(default_factory=dict)
    calls: dict[str, CallRow] = field(default_factory=dict)
    journal: dict[str, JournalRow] = field(default_factory=dict)
    entries: dict[str, list[EntryRow]] = field(default_factory=dict)
    uncharged: Counter[tuple[str, int]] = field(default_factory=Counter)
    beats: dict[str, float] = field(default_factory=dict)
    posts: dict[str, Post] = field(default_factory=dict)
    comments: dict[str, dict[str, Comment]] = field(default_factory=dict)
    likes: dict[str, set[str]] = field(default_factory=dict)
    charts: dict[str, Saved] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    acts: list[AdminAct] = field(default_factory=list)
    runs: RunRows = field(default_factory=RunRows)

    calls_of: dict[str, list[CallRow]] = field(default_factory=dict)
    running: dict[str, CallRow] = field(default_factory=dict)
    ended: dict[str, CallRow] = field(default_factory=dict)
    by_key: dict[tuple[str, str], CallRow] = field(default_factory=dict)
    by_likeness: dict[tuple[str, str, str | None], dict[str, CallRow]] = field(default_factory=dict)
    posted_once: set[tuple[str, str]] = field(default_factory=set)

    def told(
        self,
        actor: str,
        action: str,
        target: str,
        before: dict[str, Any] | None,
        after: dict[str, Any] | None,
    ) -> None:
        """Adds a row to the journal of the operators."""
        texts = [None if members is None else json.dumps(members) for members in (before, after)]
        self.acts.append(AdminAct(self.clock.now_ms(), actor, action, target, *texts))

    def post(self, row: JournalRow, account_id: str, amount: int) -> None:
        """Adds a journal group of two entries and brings the balance up to it."""
        account = self.accounts[account_id]
        self.accounts[account_id] = account = account._replace(posted=account.posted + amount)
        self.journal[row.id] = row
        mine = self.entries.setdefault(f"user:{account_id}", [])
        mine.append(EntryRow(row.id, f"user:{account_id}", amount, len(mine) + 1, account.posted))
        opposite = COUNTER_ACCOUNT[row.kind]
        self.entries.setdefault(opposite, []).append(EntryRow(row.id, opposite, -amount, None, None))

    def begin(self, call: NewCall, **members: Any) -> CallRow:
        """Adds the row of a call that runs, where it can be met again."""
        now = self.clock.monotonic()
        row = CallRow(
            call.id,
            call.account_id,
            call.tool,
            call.fingerprint,
            call.key,
            call.account_key,
            call.worker,
            now,
            now + call.lease_s,
            call.started_ms,
            **members,
        )
        self.calls[row.id] = self.running[row.id] = row
        self.calls_of.setdefault(row.account_id, []).append(row)
        if row.key is not None:
            self.by_key[row.account_id, row.key] = row
        self.by_likeness.setdefault(row.likeness, {})[row.id] = row
        return row

    def end(self, row: CallRow, state: State) -> None:
        """Notes how a call ended; only a captured one can still be met."""
        row.state, row.completed_ms = state, self.clock.now_ms()
        self.running.pop(row.id, None)
        self.ended[row.id] = row
        if state != "captured":
            self.unfind(row)

    def move(self, row: CallRow, step: LedgerMove) -> None:
        """Applies the move of a call to the account, or to the quota that pays."""
        if row.from_quota:
            quota = self.quotas[row.account_id][row.tool]
            quota.used += step.used
            quota.reserved += step.reserved
        else:
            account = self.accounts[row.account_id]
            self.accounts[row.account_id] = account._replace(held=account.held + step.held * row.cost)
            if step.posted and row.cost:
                journal = JournalRow(
                    self.ids.uuid(), "capture", row.id, None, "hub", None, self.clock.now_ms()
                )
                self.post(journal, row.account_id, step.posted * row.cost)

    def seen(self, row: CallRow) -> None:
        """Its answer was handed over: only its key leads to it now."""
        self._unlike(row)

    def unfind(self, row: CallRow) -> None:
        """Takes a call out of the indexes by which retries find it."""
        self._unlike(row)
        if row.key is not None and self.by_key.get((row.account_id, row.key)) is row:
            del self.by_key[row.account_id, row.key]

    def forget(self, row: CallRow) -> None:
        """Drops what an ended call is known by, and its result; the record stays."""
        self.unfind(row)
        self.ended.pop(row.id, None)
        row.key = row.fingerprint = row.result = None
        row.purged = True

    def _unlike(self, row: CallRow) -> None:
        same = self.by_likeness.get(row.likeness, {})
        same.pop(row.id, None)
        if not same:
            self.by_likeness.pop(row.likeness, None)
