"""Every statement that moves money on PostgreSQL: one for each operation, whatever other processes do meanwhile.

A statement reads what the call meets (`meeting.py`), adds the call where nothing stands in its way, and moves balance or
quota under the same condition once more, on the row as it is when its lock is had. It tells how many rows it added, how
many it had to move, and how many it moved; where that does not fit, another process was faster, and the transaction is
repeated on what is true now.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from bazi_hub.ports import Admitted, Captured, Conflict, Fresh, Refused, Reused, Running
from bazi_hub.store.postgres.writer import Again, Operation, Outpaced
from bazi_hub.store.sql.database import driver, packed
from bazi_hub.store.sql.ledger import SqlLedger
from bazi_hub.store.sql.prior_call import (
    LOOK_ALONE,
    LOOK_BY_ARGUMENTS,
    LOOK_BY_KEY,
    TAKEN,
    WIDTH,
    Stale,
    fresh,
    how_to_look,
    meeting,
    parameters,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from bazi_hub.ports import NewCall
    from bazi_hub.store.postgres.storage import PostgresDatabase

# Now, by the clock of leases: the database's own, unless one is given.
TICK = "coalesce(CAST(:tick AS bigint), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))"

# The condition is asked twice: of the balance that was read, and of the one that is locked.
_ENOUGH = "{row}.posted - {row}.held >= greatest(met.credit_cost, met.min_balance)"
_READ_ENOUGH, _LOCKED_ENOUGH = _ENOUGH.format(row="met"), _ENOUGH.format(row="a")
_UNIT_LEFT = """q.account_id = call.account_id AND q.tool = call.tool AND call.from_quota
      AND q.used + q.reserved < q.granted"""

_ADD_CALL = f"""
    INSERT INTO calls (id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost,
        price_version, from_quota, charged, started_ms, completed_ms, lease_ms, admitted_ms, worker)
    SELECT :id, :account_id, CAST(:account_key AS text), :tool, :fingerprint, CAST(:key AS text), :replay, TRUE,
        {{state}}, {{cost}}, version, {{from_quota}}, {{charged}}, CAST(:started_ms AS bigint), {{completed_ms}},
        {TICK} + CAST(:lease_ms AS bigint), {TICK}, :worker
    FROM met
    WHERE same_id IS NULL AND NOT taken AND version IS NOT NULL AND ({{free}} OR free_left > 0 OR {_READ_ENOUGH})
    ON CONFLICT DO NOTHING RETURNING id, account_id, tool, cost, from_quota"""
_COST = "CASE WHEN {free} OR free_left > 0 THEN 0 ELSE credit_cost END"
_BEGIN = _ADD_CALL.format(
    state="'running'",
    cost=_COST.format(free="FALSE"),
    from_quota="free_left > 0",
    charged="0",
    completed_ms="NULL",
    free="FALSE",
)
_BEGIN_AND_END = _ADD_CALL.format(
    state="'captured'",
    cost=_COST.format(free=":free"),
    from_quota="NOT :free AND free_left > 0",
    charged=_COST.format(free=":free"),
    completed_ms="CAST(:now_ms AS bigint)",
    free=":free",
)
_COUNTS = """
SELECT met.*, (SELECT count(*) FROM call) AS added,
    (SELECT count(*) FROM call WHERE from_quota OR cost > 0) AS to_move,
    (SELECT count(*) FROM moved) + (SELECT count(*) FROM unit) AS moved
FROM met"""

ADMIT = f"""
WITH met AS MATERIALIZED ({{look}}),
call AS ({_BEGIN}),
moved AS (
    UPDATE accounts a SET held = a.held + call.cost FROM call, met
    WHERE a.id = call.account_id AND NOT call.from_quota AND call.cost > 0 AND {_LOCKED_ENOUGH} RETURNING 1),
unit AS (UPDATE quota q SET reserved = q.reserved + 1 FROM call WHERE {_UNIT_LEFT} RETURNING 1)
{_COUNTS}"""

# The posting of a capture with its two sides, after the account moved.
_POSTING = """
posting AS (
    INSERT INTO journal (kind, call_id, actor, ts_ms) SELECT 'capture', call.id, 'hub', CAST(:now_ms AS bigint)
    FROM call, moved WHERE call.{amount} > 0 RETURNING id),
sides AS (
    INSERT INTO entries (journal_id, account, amount, seq, posted_after)
    SELECT posting.id, 'user:' || call.account_id, -call.{amount}, moved.seq, moved.posted FROM posting, call, moved
    UNION ALL SELECT posting.id, 'system:revenue', call.{amount}, NULL, NULL FROM posting, call)"""

CHARGE = f"""
WITH met AS MATERIALIZED ({{look}}),
call AS ({_BEGIN_AND_END}),
moved AS (
    UPDATE accounts a SET posted = a.posted - call.cost, seq = a.seq + 1 FROM call, met
    WHERE a.id = call.account_id AND NOT call.from_quota AND call.cost > 0 AND {_LOCKED_ENOUGH}
    RETURNING a.posted, a.seq),
unit AS (UPDATE quota q SET used = q.used + 1 FROM call WHERE {_UNIT_LEFT} RETURNING 1),
kept AS (INSERT INTO results (call_id, body) SELECT id, CAST(:body AS bytea) FROM call),
{_POSTING.format(amount="cost")}
{_COUNTS}"""

# `by_quota`: whether a unit was reserved; a free capture gives it back and is none of the quota any more.
_END_CALL = """
call AS (
    UPDATE calls c SET state = {state}, error = {error}, completed_ms = CAST(:now_ms AS bigint),
        charged = {charged}, from_quota = {from_quota}
    FROM (SELECT id, from_quota AS by_quota FROM calls WHERE id = :id) was
    WHERE c.id = was.id AND c.state = 'running'
    RETURNING c.id, c.account_id, c.tool, c.cost, c.charged, c.from_quota, was.by_quota)"""
_COUNT_UNCHARGED = """
counted AS (
    INSERT INTO uncharged AS u (account_id, day, readings)
    SELECT account_id, CAST(:day AS integer), 1 FROM call WHERE CAST(:day AS integer) IS NOT NULL
    ON CONFLICT (account_id, day) DO UPDATE SET readings = u.readings + 1)"""

_CAPTURED = _END_CALL.format(
    state="'captured'",
    error="NULL",
    charged="CASE WHEN :free THEN 0 ELSE c.cost END",
    from_quota="c.from_quota AND NOT :free",
)
_RELEASED = _END_CALL.format(
    state="'released'", error="CAST(:error AS text)", charged="0", from_quota="c.from_quota"
)
_OF_ACCOUNT = "a.id = call.account_id AND NOT call.by_quota AND call.cost > 0"
_OF_QUOTA = "q.account_id = call.account_id AND q.tool = call.tool AND call.by_quota"

CAPTURE = f"""
WITH {_CAPTURED},
moved AS (
    UPDATE accounts a SET posted = a.posted - call.charged, held = a.held - call.cost,
        seq = a.seq + CASE WHEN call.charged > 0 THEN 1 ELSE 0 END
    FROM call WHERE {_OF_ACCOUNT} RETURNING a.posted, a.seq),
unit AS (
    UPDATE quota q SET reserved = q.reserved - 1, used = q.used + CASE WHEN :free THEN 0 ELSE 1 END
    FROM call WHERE {_OF_QUOTA}),
kept AS (INSERT INTO results (call_id, body) SELECT id, CAST(:body AS bytea) FROM call),
{_POSTING.format(amount="charged")},
{_COUNT_UNCHARGED}
SELECT charged, from_quota FROM call"""

RELEASE = f"""
WITH {_RELEASED},
moved AS (UPDATE accounts a SET held = a.held - call.cost FROM call WHERE {_OF_ACCOUNT}),
unit AS (UPDATE quota q SET reserved = q.reserved - 1 FROM call WHERE {_OF_QUOTA}),
{_COUNT_UNCHARGED}
SELECT 1 FROM call"""


_LOOKS = (LOOK_BY_KEY, LOOK_BY_ARGUMENTS, LOOK_ALONE)
_ADMIT = {look: driver(ADMIT.format(look=look)) for look in _LOOKS}
_CHARGE = {look: driver(CHARGE.format(look=look)) for look in _LOOKS}
_CAPTURE, _RELEASE = driver(CAPTURE), driver(RELEASE)
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

    async def hold(self, call: NewCall) -> Admitted | Captured | Running | Reused | Refused:
        outcome = await self._begin(_ADMIT[how_to_look(call)], call, {}, free=False, leaves="running")
        if isinstance(outcome, Admitted):
            self._account_of[call.id] = call.account_id
            while len(self._account_of) > REMEMBERED:
                self._account_of.popitem(last=False)
        return outcome

    async def charge(
        self, call: NewCall, result: str, free: bool = False
    ) -> Admitted | Captured | Running | Reused | Refused:
        told = {"body": await self._server.pack(result), "free": free}
        return await self._begin(_CHARGE[how_to_look(call)], call, told, free, leaves="captured")

    async def _begin(
        self, statement: str, call: NewCall, more: dict[str, Any], free: bool, leaves: str
    ) -> Admitted | Captured | Running | Reused | Refused:
        told = self._added(call) | more

        def read(row: Sequence[Any] | None) -> Any:
            return _begun(row, call, told["since_ms"], free)

        outcome: Admitted | Captured | Running | Reused | Refused
        outcome = await self._server.submit(Operation(call.account_id, statement, told, read, leaves))
        return outcome

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        told = {"body": await self._server.pack(result), "free": free}
        row = await self._end(_CAPTURE, call_id, told, day, "captured")
        return None if row is None else Admitted(call_id, row[0], row[1])

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        return await self._end(_RELEASE, call_id, {"error": error}, day, "released") is not None

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        await self._server.catch_up()
        return await super().reap(everything, dead)

    # --- the same in a transaction of somebody else ---

    def hold_within(
        self, db: Connection, call: NewCall
    ) -> Admitted | Captured | Running | Reused | Refused | Again:
        """Raises `Outpaced` where the transaction has to be repeated."""
        told = self._added(call)
        row = db.exec_driver_sql(_ADMIT[how_to_look(call)], told).fetchone()
        outcome: Admitted | Captured | Running | Reused | Refused | Again
        outcome = _begun(row, call, told["since_ms"], free=False)
        return outcome

    def capture_within(
        self, db: Connection, call_id: str, result: str, free: bool, day: int | None
    ) -> Admitted | None:
        told = self._ended(call_id, day) | {"body": packed(result), "free": free}
        row = db.exec_driver_sql(_CAPTURE, told).fetchone()
        return None if row is None else Admitted(call_id, row[0], row[1])

    def release_within(self, db: Connection, call_id: str, error: str, day: int | None) -> bool:
        told = self._ended(call_id, day) | {"error": error}
        return db.exec_driver_sql(_RELEASE, told).fetchone() is not None

    async def _end(
        self, statement: str, call_id: str, more: dict[str, Any], day: int | None, leaves: str
    ) -> Any:
        told = self._ended(call_id, day) | more
        account_id = self._account_of.pop(call_id, "")
        return await self._server.submit(Operation(account_id, statement, told, lambda row: row, leaves))

    # --- what statements are told ---

    def _added(self, call: NewCall) -> dict[str, Any]:
        """Of a call that is to be added; `since_ms` is when the oldest result was made that still counts."""
        now_ms = self._db.clock.now_ms()
        leased = {"tick": self._server.given_tick(), "lease_ms": int(call.lease_s * 1000)}
        return parameters(call, now_ms - self._result_ttl_ms) | {"now_ms": now_ms} | leased

    def _ended(self, call_id: str, day: int | None) -> dict[str, Any]:
        """Of a call that is to be ended."""
        return {"id": call_id, "day": day, "now_ms": self._db.clock.now_ms()}


def _begun(row: Sequence[Any] | None, call: NewCall, since_ms: int, free: bool) -> Any:
    """What became of a call that was to be added, or why the transaction has to be repeated."""
    found = meeting(row, call, since_ms)
    if row is None or not isinstance(found, Fresh | Stale):
        return found
    met = fresh(row, call)
    if row[ADDED]:
        if row[MOVED] != row[TO_MOVE]:
            raise Outpaced(call.account_id)
        return Admitted(call.id, 0 if met.free or free else met.price.credit_cost, met.free and not free)
    if row[TAKEN]:
        raise Conflict(f"the call {call.id} is known already")
    if not free and not met.affordable:
        return Refused(met.price, met.posted, met.held)
    # Affordable and not added: its key has to be freed first, or the same call of another process was just faster.
    return Again(found.call_id if isinstance(found, Stale) else None)
