"""Postings that are made by hand or with an account: starter, grant, refund, adjust. Captures stand with the calls."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from bazi_hub.ports import COUNTER_ACCOUNT, Conflict
from bazi_hub.store import schema
from bazi_hub.store.sql.database import alone, note

_accounts, _calls, _journal, _entries = schema.accounts, schema.calls, schema.journal, schema.entries


def post(db: Connection, now_ms: int, kind: str, account_id: str, amount: int, ref: str, actor: str,
         memo: str | None = None, call_id: str | None = None) -> None:  # fmt: skip
    """A journal row with its two entries, and the balance."""
    row = {"kind": kind, "call_id": call_id, "ref": ref, "actor": actor, "memo": memo, "ts_ms": now_ms}
    journal_id = db.execute(_journal.insert().values(row).returning(_journal.c.id)).scalar_one()
    seq, posted = _move(db, account_id, amount)
    sides = [
        {"account": f"user:{account_id}", "amount": amount, "seq": seq, "posted_after": posted},
        {"account": COUNTER_ACCOUNT[kind], "amount": -amount, "seq": None, "posted_after": None},
    ]
    db.execute(_entries.insert().values([{"journal_id": journal_id} | side for side in sides]))


def _move(db: Connection, account_id: str, amount: int) -> tuple[int, int]:
    """Changes the balance; the number of the entry, and the balance after it."""
    enough = _accounts.c.posted + amount - _accounts.c.held >= 0
    change = update(_accounts).where(_accounts.c.id == account_id, enough)
    moved = change.values(posted=_accounts.c.posted + amount, seq=_accounts.c.seq + 1)
    row = db.execute(moved.returning(_accounts.c.seq, _accounts.c.posted)).first()
    if row is None:
        if db.execute(select(_accounts.c.id).where(_accounts.c.id == account_id)).first() is None:
            raise LookupError(account_id)
        raise Conflict("the balance would not do")
    return row.seq, row.posted


def check_amount(kind: str, amount: int) -> None:
    """An operator grants, refunds or adjusts, and never nothing."""
    if kind not in ("grant", "refund", "adjust"):
        raise ValueError(f"{kind} is no posting of an operator")
    if amount == 0 or (amount < 0 and kind != "adjust"):
        raise ValueError(f"a {kind} of {amount}")


def check_refund(db: Connection, account_id: str, amount: int, call_id: str | None) -> None:
    """A refund gives back what a captured call of this account cost, or less."""
    wanted = select(_calls.c.state, _calls.c.charged).where(_calls.c.id == call_id)
    row = db.execute(wanted.where(_calls.c.account_id == account_id)).first()
    if row is None or row.state != "captured":
        raise Conflict("no such captured call of this account")
    if not 0 < amount <= row.charged:
        raise Conflict(f"the call cost {row.charged}")


def _posted_before(db: Connection, kind: str, ref: str, call_id: str | None) -> bool:
    """Whether this reference, or a refund of this call, is in the journal; nobody else may add it meanwhile."""
    once = call_id if kind == "refund" else ref
    same = (_journal.c.call_id if kind == "refund" else _journal.c.ref) == once
    alone(db, f"{kind}:{once}")
    return db.execute(select(_journal.c.id).where(_journal.c.kind == kind, same)).first() is not None


def administer(db: Connection, now_ms: int, kind: str, account_id: str, amount: int, ref: str, actor: str,
               memo: str | None = None, call_id: str | None = None) -> bool:  # fmt: skip
    """A posting by an operator, with its line in the admin journal. False: posted before."""
    if _posted_before(db, kind, ref, call_id):
        return False
    if kind == "refund":
        check_refund(db, account_id, amount, call_id)
    post(db, now_ms, kind, account_id, amount, ref, actor, memo, call_id)
    note(db, now_ms, actor, f"credits.{kind}", account_id, after=f"{amount:+d} {call_id or ref}")
    return True
