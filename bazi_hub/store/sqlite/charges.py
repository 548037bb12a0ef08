"""Charges that wait together, paid together on SQLite: one statement looks at all of them, and one writes them.

A statement lets go of the interpreter and has to get it back. With seven for each charge the writer and the event loop wait
for each other most of the time; two run beside the loop. Only charges that meet nothing but price, quota and balance
are made here; the others are left to `SqliteLedger`, which asks each what it meets.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.ports import Admitted, Refused
from bazi_hub.store.sql.prior_call import FREE_LEFT, POSTED, fresh

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

_COLUMNS = """id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost, price_version, from_quota,
    charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered"""
# What one row of `charge` does: all that a paid call writes, without coming back to the interpreter in between. Entries have
# no row number of their own, so the last one stays that of the posting.
WRITE = (
    f"""CREATE TEMP VIEW charge AS SELECT {_COLUMNS}, NULL AS body FROM calls""",
    f"""CREATE TEMP TRIGGER charged INSTEAD OF INSERT ON charge BEGIN
    INSERT INTO calls ({_COLUMNS}) VALUES (NEW.{", NEW.".join(_COLUMNS.replace(",", "").split())});
    INSERT INTO results (call_id, body) VALUES (NEW.id, NEW.body);
    UPDATE quota SET used = used + 1
        WHERE NEW.from_quota AND account_id = NEW.account_id AND tool = NEW.tool;
    UPDATE accounts SET posted = posted - NEW.cost, seq = seq + 1 WHERE NEW.cost > 0 AND id = NEW.account_id;
    INSERT INTO journal (kind, call_id, actor, ts_ms)
        SELECT 'capture', NEW.id, '{ACTOR}', NEW.completed_ms WHERE NEW.cost > 0;
    INSERT INTO entries (journal_id, account, amount, seq, posted_after)
        SELECT last_insert_rowid(), 'user:' || id, -NEW.cost, seq, posted FROM accounts
        WHERE NEW.cost > 0 AND id = NEW.account_id;
    INSERT INTO entries (journal_id, account, amount)
        SELECT last_insert_rowid(), 'system:revenue', NEW.cost WHERE NEW.cost > 0;
END""",
)
_ADD = f"INSERT INTO charge ({_COLUMNS}, body) VALUES {{rows}}"


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
    """A charge that goes through."""

    charge: Charge
    version: int
    cost: int
    from_quota: bool


class ChargeBatch:
    """The charges of one batch."""

    def __init__(self, execute: Callable[..., Any], charges: Sequence[Charge], tick: int) -> None:
        self._execute, self._charges, self._tick = execute, charges, tick
        # What the charges before leave: of an account its balance, of a quota its units.
        self._posted: dict[str, int] = {}
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
            rows = [value for made in self._made for value in _row(made, self._tick)]
            self._execute(_many(_ADD, len(rows) // len(self._made), len(self._made)), rows)
        return outcomes

    def _looked(self) -> Iterable[list[Any]]:
        """Place, account, quota and price of those that meet no other call, in order."""
        told: list[Any] = []
        for place, each in enumerate(self._charges):
            call = each.call
            told += (
                place, call.id, call.account_id, call.tool, call.fingerprint, call.key, call.replay, each.since_ms
            )  # fmt: skip
        # As one row: each would let go of the interpreter.
        (text,) = self._execute(_many(_LOOK, 8, len(self._charges)), told).fetchone()
        return sorted(json.loads(text))

    def _decided(self, charge: Charge, row: list[Any]) -> Admitted | Refused:
        call = charge.call
        unit = call.account_id, call.tool
        row[POSTED] = self._posted.get(call.account_id, row[POSTED])
        row[FREE_LEFT] = self._left.get(unit, row[FREE_LEFT])
        met = fresh(row, call)
        if not charge.free and not met.affordable:
            return Refused(met.price, met.posted, met.held)
        cost, from_quota = (
            0 if met.free or charge.free else met.price.credit_cost,
            met.free and not charge.free,
        )
        self._posted[call.account_id] = row[POSTED] - cost
        self._left[unit] = row[FREE_LEFT] - from_quota
        self._made.append(Made(charge, met.price.version, cost, from_quota))
        return Admitted(call.id, cost, from_quota)


def _row(made: Made, tick: int) -> tuple[Any, ...]:
    """The columns of `charge`."""
    call = made.charge.call
    return (
        call.id, call.account_id, call.account_key, call.tool, call.fingerprint, call.key, call.replay, True,
        "captured", made.cost, made.version, made.from_quota, made.cost, call.started_ms, made.charge.now_ms,
        tick + int(call.lease_s * 1000), tick, call.worker, False, made.charge.body,
    )  # fmt: skip


@lru_cache(1024)
def _many(statement: str, width: int, count: int) -> str:
    """A statement with so many rows of parameters."""
    return statement.format(rows=",".join([f"({','.join('?' * width)})"] * count))
