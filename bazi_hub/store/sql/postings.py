"""Postings that are made by hand or with an account: starter, grant, refund, adjust. Captures stand with the calls."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from bazi_hub.money import rules
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
    enough = rules.remains_covered(_accounts.c.posted, _accounts.c.held, amount)
    change = update(_accounts).where(_accounts.c.id == account_id, enough)
    moved = change.values(posted=_accounts.c.posted + amount, seq=_accounts.c.seq + 1)
    row = db.execute(moved.returning(_accounts.c.seq, _accounts.c.posted)).first()
    if row is None:
        if db.execute(select(_accounts.c.id).where(_accounts.c.id == account_id)).first() is None:
            raise LookupError(account_id)
        raise Conflict("the balance would not do")
    return row.seq, row.posted


def charged_for(db: Connection, account_id: str, call_id: str | None) -> int | None:
    """The cost of a captured call of this account; None where there is none."""
    wanted = select(_calls.c.charged).where(
        _calls.c.id == call_id, _calls.c.account_id == account_id, _calls.c.state == "captured"
    )
    charged: int | None = db.execute(wanted).scalar()
    return charged


def _posted_before(db: Connection, kind: str, ref: str, call_id: str | None) -> bool:
    """Whether this reference, or a refund of this call, is in the journal; nobody else may add it meanwhile."""
    column, once = rules.posted_once_by(kind, ref, call_id)
    alone(db, f"{kind}:{once}")
    same = select(_journal.c.id).where(_journal.c.kind == kind, _journal.c[column] == once)
    return db.execute(same).first() is not None


def administer(db: Connection, now_ms: int, kind: str, account_id: str, amount: int, ref: str, actor: str,
               memo: str | None = None, call_id: str | None = None) -> bool:  # fmt: skip
    """A posting by an operator, with its line in the admin journal. False: posted before."""
    if _posted_before(db, kind, ref, call_id):
        return False
    if kind == "refund":
        rules.require_refundable(amount, charged_for(db, account_id, call_id))
    post(db, now_ms, kind, account_id, amount, ref, actor, memo, call_id)
    note(db, now_ms, actor, f"credits.{kind}", account_id, after=f"{amount:+d} {call_id or ref}")
    return True
