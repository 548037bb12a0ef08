"""Results under idempotency keys: those of the forum are calls without a price, so that a key is one call's alone."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from bazi_hub.money import rules
from bazi_hub.money.rules import Prior
from bazi_hub.ports import Captured, NewCall, Reused
from bazi_hub.store import schema
from bazi_hub.store.sql.database import add_new, packed, unpacked

_calls, _results = schema.calls, schema.results


def keep_receipt(
    db: Connection, receipt: NewCall | None, result: str, now_ms: int, result_ttl_ms: int
) -> Captured | Reused | None:
    """Keeps the result of a new call, or gives what stands under its key already."""
    if receipt is None or receipt.key is None:
        return None
    of_key = and_(_calls.c.account_id == receipt.account_id, _calls.c.key == receipt.key)
    since_ms = now_ms - result_ttl_ms
    forget(db, and_(of_key, ~rules.is_current(_calls.c.state, _calls.c.completed_ms, since_ms)))
    if add_new(db, _calls, **_row(receipt, now_ms)):
        db.execute(_results.insert().values(call_id=receipt.id, body=packed(result)))
        return None
    holds = and_(of_key, _calls.c.state.in_(("running", "captured")))
    stored = select(_calls, _results.c.body).outerjoin(_results, _results.c.call_id == _calls.c.id)
    row = db.execute(stored.where(holds)).one()
    body = None if row.body is None else unpacked(row.body)
    prior = Prior(row.id, row.tool, row.fingerprint, row.state, row.completed_ms or 0, row.from_quota, body)
    return rules.prior_receipt(receipt, prior, since_ms)


def _row(receipt: NewCall, now_ms: int) -> dict[str, Any]:
    members = (
        "id",
        "account_id",
        "account_key",
        "tool",
        "fingerprint",
        "key",
        "replay",
        "started_ms",
        "worker",
    )
    row = {name: getattr(receipt, name) for name in members}
    settled = {"metered": False, "state": "captured", "completed_ms": now_ms, "delivered": True}
    return row | settled | {"lease_ms": 0, "admitted_ms": 0}


def forget(db: Connection, condition: ColumnElement[bool]) -> int:
    """Drops results, fingerprints and keys of ended calls; how many calls."""
    ended = and_(condition, _calls.c.state != "running", _calls.c.fingerprint.is_not(None))
    ids = db.execute(select(_calls.c.id).where(ended)).scalars().all()
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        db.execute(delete(_results).where(_results.c.call_id.in_(some)))
        db.execute(update(_calls).where(_calls.c.id.in_(some)).values(fingerprint=None, key=None))
    return len(ids)
