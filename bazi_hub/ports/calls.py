"""A call as the ledger sees it: what it is asked with, what it meets, and what is left of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bazi_hub.ports.pricing import Price

# The state of a call: it runs, or it ended in one of three ways.
State = Literal["running", "captured", "released", "expired"]


class NewCall(NamedTuple):
    """A call as the ledger is asked for it. `key` is the caller's idempotency key, `account_key` the id of the API key,
    `worker` the process whose `heartbeat` keeps it alive."""

    id: str
    account_id: str
    tool: str
    fingerprint: str
    key: str | None = None
    account_key: str | None = None
    replay: bool = True
    lease_s: float = 330.0
    started_ms: int = 0
    worker: str = ""


class Fresh(NamedTuple):
    """No same call stands there: the price, whether free quota is left for it, and what the account owns and holds."""

    price: Price
    free: bool
    posted: int
    held: int


class Admitted(NamedTuple):
    """A call that is running with its price held, or, from `charge` and `capture`, one that has been paid."""

    call_id: str
    cost: int
    from_free_quota: bool


class Captured(NamedTuple):
    """The same call was answered already; its result is replayed at no cost."""

    call_id: str
    result: str
    from_free_quota: bool


class Running(NamedTuple):
    """The same call is being executed."""

    call_id: str


class Reused(NamedTuple):
    """The idempotency key belongs to another call."""

    call_id: str


class Refused(NamedTuple):
    """Neither quota nor balance covers the price."""

    price: Price
    posted: int
    held: int


# The same call before; what a look finds; what becomes of a call that is to be held or charged.
PriorCall = Captured | Running | Reused
Found = Fresh | PriorCall
Decision = Admitted | PriorCall | Refused


class CallRecord(NamedTuple):
    """A line of the usage history."""

    id: str
    tool: str
    credits_deducted: int
    state: State
    error: str | None
    started_ms: int
    completed_ms: int | None
