"""The ledger away from the hot path: what both engines do in the same words. Hot operations stand with each engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, select, text, update

from bazi_hub.money import rules
from bazi_hub.ports import (
    Account,
    AccountStanding,
    CallRecord,
    Captured,
    Entry,
    Finding,
    Found,
    NewCall,
    State,
    days,
)
from bazi_hub.ports.runs import TOOL
from bazi_hub.store import schema
from bazi_hub.store.sql.database import Database, unpacked, upsert
from bazi_hub.store.sql.postings import administer
from bazi_hub.store.sql.prior_call import LOOK, found, parameters
from bazi_hub.store.sql.receipts import forget
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, assigned
from bazi_hub.store.sql.runs import Endings, RawTransaction
from bazi_hub.store.sql.verify import verify

_calls, _results, _uncharged = schema.calls, schema.results, schema.uncharged
_journal, _entries, _workers = schema.journal, schema.entries, schema.workers

# Every process that ever started would stand in the table.
GONE_MS = 86_400_000
ACCOUNT = f"SELECT {', '.join(Account._fields)} FROM accounts WHERE id = :id"
# One row for each tool with a quota, or one without a tool.
STANDING = """SELECT a.posted, a.held, q.tool, q.granted - q.used - q.reserved
    FROM accounts a LEFT JOIN quota q ON q.account_id = a.id WHERE a.id = :id ORDER BY q.tool"""


def standing_of(rows: Sequence[Sequence[Any]]) -> AccountStanding | None:
    """The standing of the rows of `STANDING`; None without rows."""
    if not rows:
        return None
    posted, held, *_ = rows[0]
    return AccountStanding(posted, held, {tool: left for _, _, tool, left in rows if tool is not None})


def count_uncharged(db: Connection, account_id: str, day: int) -> None:
    """Counts one more unpaid reading of that day."""
    first = upsert(db, _uncharged).values(account_id=account_id, day=day, readings=1)
    more = {"readings": _uncharged.c.readings + 1}
    db.execute(first.on_conflict_do_update(index_elements=["account_id", "day"], set_=more))


# The hold of a call that ends unpaid, and the unit of quota that was reserved for one.
_GIVE_BACK = f"UPDATE accounts SET {assigned(rules.RELEASE, BALANCE, ':cost')} WHERE id = :account_id"
_GIVE_BACK_UNIT = (
    f"UPDATE quota SET {assigned(rules.RELEASE, QUOTA, '1')} WHERE account_id = :account_id AND tool = :tool"
)


def give_back(db: Connection, account_id: str, tool: str, cost: int, from_quota: bool) -> None:
    """Takes the hold of a call that ended away, or its reserved unit of quota."""
    told = {"account_id": account_id, "tool": tool, "cost": cost}
    db.execute(text(_GIVE_BACK_UNIT if from_quota else _GIVE_BACK), told)


class SqlLedger(ABC):
    """The ledger but for `hold`, `charge`, `capture` and `release`."""

    def __init__(self, database: Database, result_ttl_ms: int) -> None:
        self._db = database
        self._result_ttl_ms = result_ttl_ms

    @abstractmethod
    def _tick(self) -> Any:
        """Now, by the clock of leases: a number, or an expression of the database."""

    async def peek(self, call: NewCall) -> Found:
        since_ms = self._db.clock.now_ms() - self._result_ttl_ms
        return found(await self._db.row(LOOK, parameters(call, since_ms)), call, since_ms)

    async def state(self, call_id: str) -> tuple[State, str | None] | None:
        wanted = select(_calls.c.state, _calls.c.error).where(_calls.c.id == call_id)
        row = await self._db.read(lambda db: db.execute(wanted).first())
        return None if row is None else (row.state, row.error)

    async def result(self, call_id: str) -> Captured | None:
        kept = select(_results.c.body, _calls.c.from_quota).join(_calls, _calls.c.id == _results.c.call_id)
        row = await self._db.read(lambda db: db.execute(kept.where(_calls.c.id == call_id)).first())
        return None if row is None else Captured(call_id, unpacked(row.body), row.from_quota)

    async def charged(self, call_id: str) -> tuple[str, int] | None:
        of_call = and_(_calls.c.id == call_id, _calls.c.state == "captured", _calls.c.metered)
        wanted = select(_calls.c.account_id, _calls.c.charged).where(of_call)
        row = await self._db.read(lambda db: db.execute(wanted).first())
        return None if row is None else (row.account_id, row.charged)

    async def delivered(self, call_ids: Sequence[str]) -> None:
        ended = and_(_calls.c.id.in_(sorted(call_ids)), _calls.c.state == "captured")
        seen = update(_calls).where(ended).values(delivered=True)
        await self._db.write(lambda db: db.execute(seen) and None)

    async def uncharged(self, account_id: str, day: int) -> int:
        of_day = and_(_uncharged.c.account_id == account_id, _uncharged.c.day == day)
        wanted = select(_uncharged.c.readings).where(of_day)
        return await self._db.read(lambda db: db.execute(wanted).scalar()) or 0

    async def count_uncharged(self, account_id: str, day: int) -> None:
        await self._db.write(lambda db: count_uncharged(db, account_id, day))

    async def account(self, account_id: str) -> Account | None:
        row = await self._db.row(ACCOUNT, {"id": account_id})
        return None if row is None else Account(*row)

    async def held(self) -> int:
        running = select(func.coalesce(func.sum(_calls.c.cost), 0)).where(_calls.c.state == "running")
        return int(await self._db.scan(lambda db: db.execute(running).scalar_one()))

    async def standing(self, account_id: str) -> AccountStanding | None:
        rows = await self._db.read(lambda db: db.execute(text(STANDING), {"id": account_id}).all())
        return standing_of(rows)

    async def history(self, account_id: str, limit: int) -> list[CallRecord]:
        names = ("id", "tool", "charged", "state", "error", "started_ms", "completed_ms")
        own = select(*(_calls.c[name] for name in names))
        own = own.where(_calls.c.account_id == account_id, _calls.c.metered)
        page = own.order_by(_calls.c.started_ms.desc(), _calls.c.id.desc()).limit(limit)
        return [CallRecord(*row) for row in await self._db.read(lambda db: db.execute(page).all())]

    async def entries(self, account_id: str) -> list[Entry]:
        of = {"journal_id": _journal.c.id, **dict(_journal.c.items()), **dict(_entries.c.items())}
        wanted = select(*(of[name].label(name) for name in Entry._fields))
        wanted = wanted.join(_journal, _journal.c.id == _entries.c.journal_id)
        own = wanted.where(_entries.c.account == f"user:{account_id}").order_by(_entries.c.seq)
        rows = await self._db.scan(lambda db: db.execute(own).all())
        return [Entry(str(row[0]), *row[1:]) for row in rows]

    async def post(
        self, kind: str, account_id: str, amount: int, ref: str, actor: str, memo: str | None = None,
        call_id: str | None = None,
    ) -> bool:  # fmt: skip
        rules.require_posting(kind, amount)
        now_ms = self._db.clock.now_ms()
        posting = (now_ms, kind, account_id, amount, ref, actor, memo, call_id)
        return await self._db.write(lambda db: administer(db, *posting))

    async def heartbeat(self, worker: str) -> None:
        def work(db: Connection) -> None:
            alive = upsert(db, _workers).values(id=worker, seen_ms=self._tick())
            db.execute(
                alive.on_conflict_do_update(index_elements=["id"], set_={"seen_ms": alive.excluded.seen_ms})
            )

        await self._db.write(work)

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> int:
            late = _late(self._tick(), dead) if not everything else _calls.c.state == "running"
            end = {"state": "expired", "completed_ms": now_ms}
            held = (_calls.c.account_id, _calls.c.tool, _calls.c.cost, _calls.c.from_quota, _calls.c.id)
            ended = db.execute(update(_calls).where(late).values(end).returning(*held)).all()
            for *row, call_id in sorted(ended, key=lambda row: row.account_id):
                give_back(db, *row)
                if row[1] == TOOL:
                    Endings(RawTransaction(db), now_ms, self._db.ids).interrupt(call_id)
            return len(ended)

        return await self._db.write(work)

    async def purge(self, older_than_ms: int) -> int:
        def work(db: Connection) -> int:
            db.execute(_workers.delete().where(_workers.c.seen_ms < self._tick() - GONE_MS))
            db.execute(_uncharged.delete().where(_uncharged.c.day < days(older_than_ms)))
            return forget(db, _calls.c.completed_ms < older_than_ms)

        return await self._db.write(work)

    async def verify(self) -> list[Finding]:
        return await self._db.scan(verify)


def _late(tick: Any, dead: Collection[str]) -> Any:
    """Running calls whose lease passed, or whose worker is dead or silent."""
    heartbeat = select(func.coalesce(func.max(_workers.c.seen_ms), 0)).where(_workers.c.id == _calls.c.worker)
    lapsed = rules.has_lapsed(
        now_ms=tick,
        lease_ms=_calls.c.lease_ms,
        admitted_ms=_calls.c.admitted_ms,
        heartbeat_ms=heartbeat.scalar_subquery(),
        has_worker=_calls.c.worker != "",
        is_dead=_calls.c.worker.in_(sorted(dead)),
    )
    return and_(_calls.c.state == "running", lapsed)
