"""Charges that wait together, paid together on SQLite: one look at all of them, then one statement for each table.

A statement lets go of the interpreter and has to get it back. One for each row made the writer and the event loop wait for
each other most of the time; these few run beside the loop. Only charges that meet nothing but price, quota and balance
are made here; the others are left to `SqliteLedger`, which asks each what it meets.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.adapters.meeting import FREE_LEFT, POSTED, SEQ, fresh
from bazi_hub.ports import Admitted, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from bazi_hub.ports import NewCall

ACTOR = "hub"

_LOOK = """
WITH call (place, id, account_id, tool, fingerprint, key, replay, since_ms) AS (VALUES {rows})
SELECT json_group_array(json_array(call.place, a.posted, a.held, a.seq,
       coalesce(q.granted - q.used - q.reserved, 0),
       p.tool, p.credit_cost, p.min_balance, p.free_quota, p.enabled, p.version))
FROM call JOIN accounts a ON a.id = call.account_id
JOIN prices p ON p.tool = call.tool AND p.version = (SELECT max(version) FROM prices WHERE tool = call.tool)
LEFT JOIN quota q ON q.account_id = a.id AND q.tool = call.tool
WHERE NOT EXISTS (SELECT 1 FROM calls WHERE id = call.id)
  AND NOT CASE WHEN call.key IS NOT NULL THEN EXISTS (
        SELECT 1 FROM calls s WHERE s.account_id = call.account_id AND s.key = call.key
          AND s.state IN ('running', 'captured'))
      WHEN call.replay THEN EXISTS (
        SELECT 1 FROM calls s WHERE s.account_id = call.account_id AND s.tool = call.tool
          AND s.fingerprint = call.fingerprint AND s.state IN ('running', 'captured') AND NOT s.delivered
          AND (s.state = 'running' OR s.completed_ms >= call.since_ms))
      ELSE 0 END"""
_ADD_CALLS = """INSERT INTO calls (id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost,
    price_version, from_quota, charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered)
    VALUES {rows}"""
_ADD_RESULTS = "INSERT INTO results (call_id, body) VALUES {rows}"
_MOVE = """WITH moved (id, posted, seq) AS (VALUES {rows})
    UPDATE accounts SET posted = moved.posted, seq = moved.seq FROM moved WHERE accounts.id = moved.id"""
_USE = "UPDATE quota SET used = used + 1 WHERE account_id = ? AND tool = ?"
_ADD_POSTINGS = "INSERT INTO journal (kind, call_id, actor, ts_ms) VALUES {rows}"
_ADD_SIDES = "INSERT INTO entries (journal_id, account, amount, seq, posted_after) VALUES {rows}"


class Charge(NamedTuple):
    """A call that is to be recorded, paid and answered; `since_ms` is when the oldest result was made that still counts."""

    call: NewCall
    body: bytes
    free: bool
    now_ms: int
    since_ms: int

    def names(self) -> list[Hashable]:
        """What no two charges of one statement may share."""
        call = self.call
        key = () if call.key is None else ((call.account_id, call.key),)
        return [call.id, (call.account_id, call.tool, call.fingerprint), *key]


class Made(NamedTuple):
    """A charge that goes through, and the number and balance of its entry, if it costs anything."""

    charge: Charge
    version: int
    cost: int
    from_quota: bool
    seq: int
    posted: int


class Together:
    """The charges of one batch."""

    def __init__(self, execute: Callable[..., Any], charges: Sequence[Charge], tick: int) -> None:
        self._execute, self._charges, self._tick = execute, charges, tick
        # What is left after the charges before: of an account its balance and number of entries, of a quota its units.
        self._moved: dict[str, tuple[int, int]] = {}
        self._left: dict[tuple[str, str], int] = {}
        self._made: list[Made] = []

    def settled(self) -> list[Admitted | Refused | None]:
        """What became of each; None for one that has to be asked what it meets."""
        outcomes: list[Admitted | Refused | None] = [None] * len(self._charges)
        named: set[Hashable] = set()
        for place, *row in self._looked():
            names = self._charges[place].names()
            if named.isdisjoint(names):
                named.update(names)
                outcomes[place] = self._decided(self._charges[place], row)
        if self._made:
            self._write()
        return outcomes

    def _looked(self) -> Iterable[list[Any]]:
        """Place, account, quota and price of those that meet no other call, in order."""
        told: list[Any] = []
        for place, each in enumerate(self._charges):
            call = each.call
            told += (
                place, call.id, call.account_id, call.tool, call.fingerprint, call.key, call.replay, each.since_ms
            )  # fmt: skip
        # As one row, for the same reason as above.
        (text,) = self._execute(_many(_LOOK, 8, len(self._charges)), told).fetchone()
        return sorted(json.loads(text))

    def _decided(self, charge: Charge, row: list[Any]) -> Admitted | Refused:
        call = charge.call
        unit = call.account_id, call.tool
        row[POSTED], row[SEQ] = self._moved.get(call.account_id, (row[POSTED], row[SEQ]))
        row[FREE_LEFT] = self._left.get(unit, row[FREE_LEFT])
        met = fresh(row, call)
        if not charge.free and not met.affordable:
            return Refused(met.price, met.posted, met.held)
        cost = 0 if met.free or charge.free else met.price.credit_cost
        made = Made(
            charge, met.price.version, cost, met.free and not charge.free, row[SEQ] + 1, met.posted - cost
        )
        self._made.append(made)
        if made.from_quota:
            self._left[unit] = row[FREE_LEFT] - 1
        elif cost:
            self._moved[call.account_id] = made.posted, made.seq
        return Admitted(call.id, cost, made.from_quota)

    def _write(self) -> None:
        self._add(_ADD_CALLS, [_call(made, self._tick) for made in self._made])
        self._add(_ADD_RESULTS, [(made.charge.call.id, made.charge.body) for made in self._made])
        for made in self._made:
            if made.from_quota:
                self._execute(_USE, (made.charge.call.account_id, made.charge.call.tool))
        if self._moved:
            self._add(_MOVE, [(account_id, *after) for account_id, after in self._moved.items()])
            self._post([made for made in self._made if made.cost])

    def _post(self, paid: list[Made]) -> None:
        """A posting for each, with its two sides. Rows of one statement are numbered one after the other."""
        last = self._add(
            _ADD_POSTINGS, [("capture", made.charge.call.id, ACTOR, made.charge.now_ms) for made in paid]
        )
        sides: list[tuple[Any, ...]] = []
        for number, made in enumerate(paid, last - len(paid) + 1):
            user = f"user:{made.charge.call.account_id}"
            sides.append((number, user, -made.cost, made.seq, made.posted))
            sides.append((number, "system:revenue", made.cost, None, None))
        self._add(_ADD_SIDES, sides)

    def _add(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> int:
        """Runs a statement with these rows; the number of the last that was added."""
        told = [value for row in rows for value in row]
        number: int = self._execute(_many(statement, len(rows[0]), len(rows)), told).lastrowid
        return number


def _call(made: Made, tick: int) -> tuple[Any, ...]:
    """The columns of `_ADD_CALLS`."""
    call = made.charge.call
    return (
        call.id, call.account_id, call.account_key, call.tool, call.fingerprint, call.key, call.replay, True,
        "captured", made.cost, made.version, made.from_quota, made.cost, call.started_ms, made.charge.now_ms,
        tick + int(call.lease_s * 1000), tick, call.worker, False,
    )  # fmt: skip


@lru_cache(1024)
def _many(statement: str, width: int, count: int) -> str:
    """A statement with so many rows of parameters."""
    return statement.format(rows=",".join([f"({','.join('?' * width)})"] * count))
