"""One row that decides over a call, on both engines: balance, quota, price, and the same call before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bazi_hub.money import rules
from bazi_hub.money.rules import Prior
from bazi_hub.ports import Found, Fresh, NewCall, Price, PriorCall
from bazi_hub.store.sql.database import unpacked

# The same call, for a call that stands in the place of `{0}` (parameters, or the alias of a row): under its key, or, without
# one, with the same arguments while it runs or nobody has seen its answer; of several the newest.
_SAME = """CASE WHEN CAST({0}key AS text) IS NOT NULL THEN (
        SELECT id FROM calls
        WHERE account_id = {0}account_id AND key = {0}key AND state IN ('running', 'captured'))
    WHEN {0}replay THEN (
        SELECT id FROM calls
        WHERE account_id = {0}account_id AND tool = {0}tool AND fingerprint = {0}fingerprint
          AND state IN ('running', 'captured') AND NOT delivered
        ORDER BY state DESC, completed_ms DESC LIMIT 1) END"""
# What a call meets, but for the stored result; the account is `a`.
COLUMNS = {
    "posted": "a.posted",
    "held": "a.held",
    "free_left": "coalesce(q.granted - q.used - q.reserved, 0)",
    **{name: f"p.{name}" for name in Price._fields},
    "taken": "EXISTS (SELECT 1 FROM calls WHERE id = {0}id)",
    **{
        f"same_{name}": f"s.{name}"
        for name in ("id", "tool", "fingerprint", "state", "completed_ms", "from_quota")
    },
}
_SELECTED = ", ".join(f"{column} AS {name}" for name, column in COLUMNS.items())
JOINS = f"""
    LEFT JOIN prices p ON p.tool = {{0}}tool AND p.version = (SELECT max(version) FROM prices WHERE tool = {{0}}tool)
    LEFT JOIN quota q ON q.account_id = a.id AND q.tool = {{0}}tool
    LEFT JOIN calls s ON s.id = {_SAME}"""
LOOK = f"""SELECT {_SELECTED.format(":")}, r.body AS same_body FROM accounts a {JOINS.format(":")}
    LEFT JOIN results r ON r.call_id = s.id WHERE a.id = :account_id"""
WIDTH = len(COLUMNS) + 1
POSTED, HELD, FREE_LEFT, VERSION, TAKEN, SAME, SAME_STATE = (
    list(COLUMNS).index(name)
    for name in ("posted", "held", "free_left", "version", "taken", "same_id", "same_state")
)
PRICE = slice(FREE_LEFT + 1, TAKEN)


def parameters(call: NewCall, since_ms: int) -> dict[str, Any]:
    """The parameters of `LOOK`; `since_ms` is the time of the oldest result that is still given again."""
    return call._asdict() | {"since_ms": since_ms}


def found(row: Sequence[Any] | None, call: NewCall, since_ms: int) -> Found:
    """The answer of a row to a call; `LookupError` for an account or a tool that the store does not know."""
    if row is None or row[POSTED] is None:
        raise LookupError(f"no account {call.account_id}")
    return prior(row, call, since_ms) or fresh(row, call)


def prior(row: Sequence[Any], call: NewCall, since_ms: int) -> PriorCall | None:
    """The earlier call of a row that decides over this one; None without one."""
    if row[SAME] is None:
        return None
    call_id, tool, fingerprint, state, completed_ms, from_quota, body = row[SAME:WIDTH]
    result = None if body is None else unpacked(body)
    before = Prior(call_id, tool, fingerprint, state, completed_ms or 0, bool(from_quota), result)
    return rules.prior_call(call, before, since_ms)


def stale(row: Sequence[Any], call: NewCall) -> str | None:
    """The call that has the key of a fresh one: too old to count, it is forgotten before the key may have another."""
    return row[SAME] if call.key is not None else None


def fresh(row: Sequence[Any], call: NewCall) -> Fresh:
    """Price, quota and balance of a row that met no same call."""
    if row[VERSION] is None:
        raise LookupError(f"no price for {call.tool}")
    price = Price._make(row[PRICE])
    return Fresh(
        price._replace(enabled=bool(price.enabled)), rules.unit_left(row[FREE_LEFT]), row[POSTED], row[HELD]
    )
