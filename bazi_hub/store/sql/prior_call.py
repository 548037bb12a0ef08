"""What a call meets in the ledger, read in one row on both engines: balance, quota, price, and the same call before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.ports import Captured, Fresh, NewCall, Price, Reused, Running
from bazi_hub.store.sql.database import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

# How the same call is found. Without a key: while it runs, or unseen; of several the newest.
_BY_KEY = """SELECT id FROM calls
    WHERE account_id = :account_id AND key = :key AND state IN ('running', 'captured')"""
_BY_ARGUMENTS = """SELECT id FROM calls
    WHERE account_id = :account_id AND tool = :tool AND fingerprint = :fingerprint
      AND state IN ('running', 'captured') AND NOT delivered AND (state = 'running' OR completed_ms >= :since_ms)
    ORDER BY state DESC, completed_ms DESC LIMIT 1"""

_LOOK = """
SELECT a.posted, a.held, a.seq,
       coalesce(q.granted - q.used - q.reserved, 0) AS free_left,
       p.tool, p.credit_cost, p.min_balance, p.free_quota, p.enabled, p.version,
       EXISTS (SELECT 1 FROM calls WHERE id = :id) AS taken,
       s.id AS same_id, s.tool AS same_tool, s.fingerprint AS same_fingerprint, s.state AS same_state,
       s.from_quota AS same_from_quota, s.completed_ms AS same_completed_ms, r.body AS same_body
FROM accounts a
LEFT JOIN prices p ON p.tool = :tool AND p.version = (SELECT max(version) FROM prices WHERE tool = :tool)
LEFT JOIN quota q ON q.account_id = a.id AND q.tool = :tool
LEFT JOIN calls s ON s.id = ({same})
LEFT JOIN results r ON r.call_id = s.id
WHERE a.id = :account_id"""

LOOK_BY_KEY = _LOOK.format(same=_BY_KEY)
LOOK_BY_ARGUMENTS = _LOOK.format(same=_BY_ARGUMENTS)
LOOK_ALONE = _LOOK.format(same="NULL")
(POSTED, HELD, SEQ, FREE_LEFT, _, COST, _, _, _, VERSION, TAKEN, SAME, SAME_TOOL, SAME_FINGERPRINT, SAME_STATE,
 SAME_FROM_QUOTA, SAME_COMPLETED, SAME_BODY) = range(18)  # fmt: skip
WIDTH = 18


class Stale(NamedTuple):
    """A result that is too old for its key: the call has to be forgotten before the key may have another."""

    call_id: str


def how_to_look(call: NewCall) -> str:
    """The statement that finds what this call meets."""
    if call.key is not None:
        return LOOK_BY_KEY
    return LOOK_BY_ARGUMENTS if call.replay else LOOK_ALONE


def parameters(call: NewCall, since_ms: int) -> dict[str, Any]:
    return call._asdict() | {"since_ms": since_ms}


def meeting(
    row: Sequence[Any] | None, call: NewCall, since_ms: int
) -> Fresh | Captured | Running | Reused | Stale:
    """What the row says. `LookupError` for an account or a tool that the store does not know."""
    if row is None:
        raise LookupError(f"no account {call.account_id}")
    if row[SAME] is not None:
        if row[SAME_STATE] == "captured" and row[SAME_COMPLETED] < since_ms:
            return Stale(row[SAME])
        return _same(row, call)
    return fresh(row, call)


def fresh(row: Sequence[Any], call: NewCall) -> Fresh:
    """Price, quota and balance of a row that met no same call."""
    if row[VERSION] is None:
        raise LookupError(f"no price for {call.tool}")
    tool, cost, least, free_quota, enabled, version = row[FREE_LEFT + 1 : VERSION + 1]
    price = Price(tool, cost, least, free_quota, bool(enabled), version)
    return Fresh(price, row[FREE_LEFT] > 0, row[POSTED], row[HELD])


def _same(row: Sequence[Any], call: NewCall) -> Captured | Running | Reused:
    if (row[SAME_TOOL], row[SAME_FINGERPRINT]) != (call.tool, call.fingerprint):
        return Reused(row[SAME])
    if row[SAME_STATE] == "running":
        return Running(row[SAME])
    return Captured(row[SAME], unpacked(row[SAME_BODY]), bool(row[SAME_FROM_QUOTA]))
