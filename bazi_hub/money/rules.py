"""The effect of a charge, hold, capture, release, posting or retry on an account: decided here, and nowhere else.

A store reads rows, asks here, and applies the answer. Conditions are arithmetic on whatever has the operators of numbers:
a store asks them of the values of a row, and PostgreSQL is given the same conditions with columns in the place of values
(`bazi_hub.store.sql.rendered`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bazi_hub.ports import Captured, Conflict, Fresh, NewCall, PriorCall, Refused, Reused, Running, State

# A worker without a heartbeat for so long is taken for dead.
SILENT_MS = 30_000


# --- conditions: numbers in, truth out; columns in, a condition of SQL out ----------------------------------------------
# Only `&`, `|` and comparisons join them: `not` and `~` mean something else of a truth than of a column. A length of time is
# subtracted from a moment in Python, and the moment passed.


def unit_left(free_left: Any) -> Any:
    """Whether the free quota has a unit left."""
    return free_left > 0


def covers(posted: Any, held: Any, price: Any) -> Any:
    """Whether the available balance pays a price (anything with `credit_cost` and `min_balance`).

    >>> from bazi_hub.ports import Price
    >>> covers(7, 4, Price("t", credit_cost=3, min_balance=3, free_quota=0, enabled=True))
    True
    >>> covers(7, 4, Price("t", credit_cost=3, min_balance=4, free_quota=0, enabled=True))
    False
    """
    available = posted - held
    return (available >= price.credit_cost) & (available >= price.min_balance)


def remains_covered(posted: Any, held: Any, amount: Any) -> Any:
    """Whether the holds are covered still after a posting of this amount."""
    return posted + amount >= held


def is_current(state: Any, completed_ms: Any, since_ms: Any) -> Any:
    """Whether a call still answers the same call: it runs, or ended no earlier than `since_ms`."""
    return (state == "running") | (completed_ms >= since_ms)


def has_lapsed(
    now_ms: Any, lease_ms: Any, admitted_ms: Any, heartbeat_ms: Any, has_worker: Any, is_dead: Any
) -> Any:
    """Whether a running call has expired: its lease is over, its worker is dead, or silent since before it was admitted."""
    silent_ms = now_ms - SILENT_MS
    return (
        (lease_ms < now_ms) | is_dead | (has_worker & (admitted_ms < silent_ms) & (heartbeat_ms < silent_ms))
    )


# --- who pays -----------------------------------------------------------------------------------------------------------


class Terms(NamedTuple):
    """The payer of a call: a unit of free quota, or `cost` credits of the balance. Not `admitted`: neither pays."""

    admitted: Any
    cost: Any
    from_quota: Any


# What is given away asks for nothing.
GRATIS = Terms(admitted=True, cost=0, from_quota=False)


def _either(condition: bool, yes: Any, no: Any) -> Any:
    return yes if condition else no


def terms(
    from_quota: Any, posted: Any, held: Any, price: Any, choose: Callable[[Any, Any, Any], Any] = _either
) -> Terms:
    """The terms of a call: free quota pays before credits do, and asks for no balance."""
    return Terms(
        from_quota | covers(posted, held, price), choose(from_quota, 0, price.credit_cost), from_quota
    )


def admission(fresh: Fresh, gratis: bool = False) -> Terms | Refused:
    """The terms on which a call is held or charged, or its refusal; what is `gratis` is never refused."""
    agreed = GRATIS if gratis else terms(fresh.free, fresh.posted, fresh.held, fresh.price)
    return agreed if agreed.admitted else Refused(fresh.price, fresh.posted, fresh.held)


def refusal_reason(refused: Refused) -> str:
    """`RESERVED` where running calls hold what is missing, else `BALANCE`; a refusal for another reason needs a member of
    `Refused` that says so, a reason here and its sentence in `calls/gate.py`."""
    return "RESERVED" if covers(refused.posted, 0, refused.price) else "BALANCE"


# --- what moves ---------------------------------------------------------------------------------------------------------


class LedgerMove(NamedTuple):
    """The change of a step for every credit of the cost: of `posted` and `held`, or of the quota's `used` and `reserved`."""

    posted: int = 0
    held: int = 0
    used: int = 0
    reserved: int = 0


HOLD = LedgerMove(held=+1, reserved=+1)
CAPTURE = LedgerMove(posted=-1, held=-1, used=+1, reserved=-1)
RELEASE = LedgerMove(held=-1, reserved=-1)
# A charge is a hold and its capture in one step.
CHARGE = LedgerMove(posted=-1, used=+1)


class Ending(NamedTuple):
    """The end of a running call: its state, its cost, whether the quota paid, and the moves."""

    state: State
    charged: Any
    from_quota: Any
    move: LedgerMove


def capture(cost: Any, from_quota: Any, gratis: bool) -> Ending:
    """The ending of a call whose result is stored; one that is `gratis` gives its hold or its unit back."""
    return Ending("captured", 0, False, RELEASE) if gratis else Ending("captured", cost, from_quota, CAPTURE)


def release(from_quota: Any, state: State = "released") -> Ending:
    """The ending of a call that is not paid."""
    return Ending(state, 0, from_quota, RELEASE)


# --- the same call before -----------------------------------------------------------------------------------------------


class Prior(NamedTuple):
    """The row of a call under the same key, or with the same arguments; `completed_ms` is 0 while it runs."""

    call_id: str
    tool: str
    fingerprint: str | None
    state: State
    completed_ms: int
    from_quota: bool
    result: str | None


def prior_call(call: NewCall, prior: Prior | None, since_ms: int) -> PriorCall | None:
    """The earlier call that decides over this one; None where it is too old to count, or there is none."""
    if prior is None or not is_current(prior.state, prior.completed_ms, since_ms):
        return None
    if (prior.tool, prior.fingerprint) != (call.tool, call.fingerprint):
        return Reused(prior.call_id)
    if prior.state == "running":
        return Running(prior.call_id)
    return Captured(prior.call_id, prior.result or "", prior.from_quota)


def prior_receipt(receipt: NewCall, prior: Prior | None, since_ms: int) -> Captured | Reused | None:
    """The same for what is stored at once: what runs under its key is something else."""
    met = prior_call(receipt, prior, since_ms)
    return Reused(met.call_id) if isinstance(met, Running) else met


# --- postings of an operator --------------------------------------------------------------------------------------------


def require_posting(kind: str, amount: int) -> None:
    """`ValueError` for what no operator posts: another kind, nothing, or a grant or refund below nothing."""
    if kind not in ("grant", "refund", "adjust") or amount == 0 or (amount < 0 and kind != "adjust"):
        raise ValueError(f"a {kind} of {amount} cannot be posted")


def posted_once_by(kind: str, ref: str, call_id: str | None) -> tuple[str, str]:
    """The column of the journal that is unique for a kind, and its value."""
    return ("call_id", call_id or "") if kind == "refund" else ("ref", ref)


def require_refundable(amount: int, charged: int | None) -> None:
    """`Conflict` unless a captured call of this account (None: no such call) cost as much as is given back."""
    if charged is None:
        raise Conflict("no such captured call of this account")
    if amount > charged:
        raise Conflict(f"the call cost {charged}")
