"""Every statement that moves money on PostgreSQL: one for each operation, whatever other processes do meanwhile.

A statement reads what the call meets (`sql/prior_call.py`), adds the call on the terms of the rules, and moves balance or
quota under the same rules once more, asked of the row as it is when its lock is had. It tells how many rows it added, how
many it had to move, and how many it moved; where that does not fit, another process was faster, and the transaction is
repeated on what is true now. Conditions and moves are `bazi_hub.money.rules`, with columns in the place of numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection

from bazi_hub.money import rules
from bazi_hub.money.rules import Ending, LedgerMove, Terms
from bazi_hub.ports import Admitted, Conflict, Decision, Fresh, NewCall, Refused
from bazi_hub.store.postgres.database import PostgresDatabase
from bazi_hub.store.postgres.writer import Again, LedgerOperation, Outpaced
from bazi_hub.store.sql.database import driver, packed
from bazi_hub.store.sql.ledger import SqlLedger
from bazi_hub.store.sql.prior_call import LOOK, TAKEN, WIDTH, found, parameters, stale
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, Columns, assigned, choose, parameter, sql

# Now, by the clock of leases: the database's own, unless one is given.
TICK = "coalesce(CAST(:tick AS bigint), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))"

_MET, _ACCOUNT, _UNIT, _CALL = (Columns(alias) for alias in ("met", "a", "q", "c"))
_CURRENT = sql(rules.is_current(_MET.same_state, _MET.same_completed_ms, parameter("since_ms")))
# Asked of the rows that are locked.
_COVERED = sql(rules.covers(_ACCOUNT.posted, _ACCOUNT.held, _MET))
_UNIT_LEFT = sql(rules.unit_left(_UNIT.granted - _UNIT.used - _UNIT.reserved))
_TERMS = rules.terms(rules.unit_left(_MET.free_left), _MET.posted, _MET.held, _MET, choose)

# The posting of a capture with its two sides, after the account moved.
_POSTING = """
posting AS (
    INSERT INTO journal (kind, call_id, actor, ts_ms) SELECT 'capture', call.id, 'hub', CAST(:now_ms AS bigint)
    FROM call, moved WHERE call.charged > 0 RETURNING id),
sides AS (
    INSERT INTO entries (journal_id, account, amount, seq, posted_after)
    SELECT posting.id, 'user:' || call.account_id, -call.charged, moved.seq, moved.posted FROM posting, call, moved
    UNION ALL SELECT posting.id, 'system:revenue', call.charged, NULL, NULL FROM posting, call)"""
_STORED = "kept AS (INSERT INTO results (call_id, body) SELECT id, CAST(:body AS bytea) FROM call),"


def _begin(terms: Terms, move: LedgerMove, ends: bool) -> str:
    """Adds a call on these terms, with what it moves; one that `ends` at once is captured."""
    cost, from_quota = sql(terms.cost), sql(terms.from_quota)
    state, charged, completed = (
        ("captured", cost, "CAST(:now_ms AS bigint)") if ends else ("running", "0", "NULL")
    )
    return driver(f"""
WITH met AS MATERIALIZED ({LOOK}),
call AS (
    INSERT INTO calls (id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost,
        price_version, from_quota, charged, started_ms, completed_ms, lease_ms, admitted_ms, worker)
    SELECT :id, :account_id, CAST(:account_key AS text), :tool, :fingerprint, CAST(:key AS text), :replay, TRUE,
        '{state}', {cost}, version, {from_quota}, {charged}, CAST(:started_ms AS bigint), {completed},
        {TICK} + CAST(:lease_ms AS bigint), {TICK}, :worker
    FROM met WHERE (same_id IS NULL OR NOT ({_CURRENT})) AND NOT taken AND version IS NOT NULL
        AND ({sql(terms.admitted)})
    ON CONFLICT DO NOTHING RETURNING id, account_id, tool, cost, charged, from_quota),
moved AS (
    UPDATE accounts a SET {assigned(move, BALANCE, "call.cost", "a.")} FROM call, met
    WHERE a.id = call.account_id AND NOT call.from_quota AND call.cost > 0 AND ({_COVERED})
    RETURNING a.posted, a.seq),
unit AS (
    UPDATE quota q SET {assigned(move, QUOTA, "1", "q.")} FROM call
    WHERE q.account_id = call.account_id AND q.tool = call.tool AND call.from_quota AND ({_UNIT_LEFT}) RETURNING 1),
{f"{_STORED} {_POSTING}," if ends else ""}
counts AS (SELECT (SELECT count(*) FROM call) AS added,
    (SELECT count(*) FROM call WHERE from_quota OR cost > 0) AS to_move,
    (SELECT count(*) FROM moved) + (SELECT count(*) FROM unit) AS moved)
SELECT met.*, counts.* FROM met, counts""")


def _end(ending: Ending, error: str = "NULL") -> str:
    """Ends a running call. `by_quota`: a unit of quota was reserved for it."""
    stores = ending.state == "captured"
    return driver(f"""
WITH call AS (
    UPDATE calls c SET state = '{ending.state}', error = {error}, completed_ms = CAST(:now_ms AS bigint),
        charged = {sql(ending.charged)}, from_quota = {sql(ending.from_quota)}
    FROM (SELECT id, from_quota AS by_quota FROM calls WHERE id = :id) was
    WHERE c.id = was.id AND c.state = 'running'
    RETURNING c.id, c.account_id, c.tool, c.cost, c.charged, c.from_quota, was.by_quota),
moved AS (
    UPDATE accounts a SET {assigned(ending.move, BALANCE, "call.cost", "a.")} FROM call
    WHERE a.id = call.account_id AND NOT call.by_quota AND call.cost > 0 RETURNING a.posted, a.seq),
unit AS (
    UPDATE quota q SET {assigned(ending.move, QUOTA, "1", "q.")} FROM call
    WHERE q.account_id = call.account_id AND q.tool = call.tool AND call.by_quota),
{_STORED if stores else ""}
{f"{_POSTING}," if ending.move.posted else ""}
counted AS (
    INSERT INTO uncharged AS u (account_id, day, readings)
    SELECT account_id, CAST(:day AS integer), 1 FROM call WHERE CAST(:day AS integer) IS NOT NULL
    ON CONFLICT (account_id, day) DO UPDATE SET readings = u.readings + 1)
SELECT charged, from_quota FROM call""")


ADMIT = _begin(_TERMS, rules.HOLD, ends=False)
# By whether they are gratis.
CHARGE = {
    gratis: _begin(rules.GRATIS if gratis else _TERMS, rules.CHARGE, ends=True) for gratis in (False, True)
}
CAPTURE = {gratis: _end(rules.capture(_CALL.cost, _CALL.from_quota, gratis)) for gratis in (False, True)}
RELEASE = _end(rules.release(_CALL.from_quota), "CAST(:error AS text)")
ADDED, TO_MOVE, MOVED = WIDTH, WIDTH + 1, WIDTH + 2

# Of so many running calls the account is remembered, by which a batch is sorted: locks are then taken in one order.
REMEMBERED = 10_000


class PostgresLedger(SqlLedger):
    def __init__(self, database: PostgresDatabase, result_ttl_ms: int) -> None:
        super().__init__(database, result_ttl_ms)
        self._server = database
        self._account_of: OrderedDict[str, str] = OrderedDict()

    def _tick(self) -> Any:
        return self._server.tick()

    async def hold(self, call: NewCall) -> Decision:
        outcome = await self._begin(ADMIT, call, {}, gratis=False, leaves="running")
        if isinstance(outcome, Admitted):
            self._account_of[call.id] = call.account_id
            while len(self._account_of) > REMEMBERED:
                self._account_of.popitem(last=False)
        return outcome

    async def charge(self, call: NewCall, result: str, free: bool = False) -> Decision:
        told = {"body": await self._server.pack(result)}
        return await self._begin(CHARGE[free], call, told, free, leaves="captured")

    async def _begin(
        self, statement: str, call: NewCall, more: dict[str, Any], gratis: bool, leaves: str
    ) -> Decision:
        told = self._added(call) | more

        def read(row: Sequence[Any] | None) -> Decision | Again:
            return _decision(row, call, told["since_ms"], gratis)

        outcome: Decision = await self._server.submit(
            LedgerOperation(call.account_id, statement, told, read, leaves)
        )
        return outcome

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        told = {"body": await self._server.pack(result)}
        row = await self._end(CAPTURE[free], call_id, told, day, "captured")
        return None if row is None else Admitted(call_id, row[0], row[1])

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        return await self._end(RELEASE, call_id, {"error": error}, day, "released") is not None

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        await self._server.catch_up()
        return await super().reap(everything, dead)

    # --- the same in a transaction of somebody else ---

    def hold_within(self, db: Connection, call: NewCall) -> Decision | Again:
        """Raises `Outpaced` where the transaction has to be repeated."""
        told = self._added(call)
        row = db.exec_driver_sql(ADMIT, told).fetchone()
        return _decision(row, call, told["since_ms"], gratis=False)

    def capture_within(
        self, db: Connection, call_id: str, result: str, free: bool, day: int | None
    ) -> Admitted | None:
        told = self._ended(call_id, day) | {"body": packed(result)}
        row = db.exec_driver_sql(CAPTURE[free], told).fetchone()
        return None if row is None else Admitted(call_id, row[0], row[1])

    def release_within(self, db: Connection, call_id: str, error: str, day: int | None) -> bool:
        told = self._ended(call_id, day) | {"error": error}
        return db.exec_driver_sql(RELEASE, told).fetchone() is not None

    async def _end(
        self, statement: str, call_id: str, more: dict[str, Any], day: int | None, leaves: str
    ) -> Any:
        told = self._ended(call_id, day) | more
        account_id = self._account_of.pop(call_id, "")
        return await self._server.submit(
            LedgerOperation(account_id, statement, told, lambda row: row, leaves)
        )

    # --- what statements are told ---

    def _added(self, call: NewCall) -> dict[str, Any]:
        """Of a call that is to be added."""
        now_ms = self._db.clock.now_ms()
        leased = {"tick": self._server.given_tick(), "lease_ms": int(call.lease_s * 1000)}
        return parameters(call, now_ms - self._result_ttl_ms) | {"now_ms": now_ms} | leased

    def _ended(self, call_id: str, day: int | None) -> dict[str, Any]:
        """Of a call that is to be ended."""
        return {"id": call_id, "day": day, "now_ms": self._db.clock.now_ms()}


def _decision(row: Sequence[Any] | None, call: NewCall, since_ms: int, gratis: bool) -> Decision | Again:
    """The decision on a call that was to be added, or the reason to repeat the transaction."""
    met = found(row, call, since_ms)
    if not isinstance(met, Fresh):
        return met
    assert row is not None
    agreed = rules.admission(met, gratis)
    if row[ADDED] and not isinstance(agreed, Refused):
        if row[MOVED] != row[TO_MOVE]:
            raise Outpaced(call.account_id)
        return Admitted(call.id, agreed.cost, agreed.from_quota)
    if row[TAKEN]:
        raise Conflict(f"the call {call.id} is known already")
    if isinstance(agreed, Refused):
        return agreed
    # Affordable and not added: its key has to be freed first, or the same call of another process was just faster.
    return Again(stale(row, call))
