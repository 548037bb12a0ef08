"""Charges on SQLite: one statement reads what all that wait together meet, the rules decide each, and one writes them.

A statement lets go of the interpreter and has to get it back. With some for each charge the writer and the event loop wait
for each other most of the time; two run beside the loop. Charges that could meet each other (one id, key or question) go
one behind the other.
"""

from __future__ import annotations

import json
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.money import rules
from bazi_hub.ports import Admitted, Conflict, Fresh, Refused
from bazi_hub.store.schema import calls
from bazi_hub.store.sql.batches import Failed
from bazi_hub.store.sql.prior_call import (
    COLUMNS,
    FREE_LEFT,
    JOINS,
    POSTED,
    SAME,
    SAME_STATE,
    TAKEN,
    found,
    stale,
)
from bazi_hub.store.sql.receipts import forget
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, assigned

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sqlalchemy import Connection

    from bazi_hub.money.rules import Terms
    from bazi_hub.ports import Decision, NewCall

ACTOR = "hub"

_LOOK = f"""
WITH call (place, id, account_id, tool, fingerprint, key, replay) AS (VALUES {{rows}})
SELECT json_group_array(json_array(call.place, {", ".join(COLUMNS.values()).format("call.")}))
FROM call LEFT JOIN accounts a ON a.id = call.account_id {JOINS.format("call.")}"""
_RESULT = "SELECT body FROM results WHERE call_id = ?"

_COLUMNS = """id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost, price_version, from_quota,
    charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered"""
# What one row of `charge` does: all that a paid call writes, without coming back to the interpreter in between. Entries have
# no row number of their own, so the last one stays that of the posting.
WRITE = (
    f"""CREATE TEMP VIEW charge AS SELECT {_COLUMNS}, NULL AS body FROM calls""",
    f"""CREATE TEMP TRIGGER charged INSTEAD OF INSERT ON charge BEGIN
    INSERT INTO calls ({_COLUMNS}) VALUES (NEW.{", NEW.".join(_COLUMNS.replace(",", "").split())});
    INSERT INTO results (call_id, body) VALUES (NEW.id, NEW.body);
    UPDATE quota SET {assigned(rules.CHARGE, QUOTA, "1")}
        WHERE NEW.from_quota AND account_id = NEW.account_id AND tool = NEW.tool;
    UPDATE accounts SET {assigned(rules.CHARGE, BALANCE, "NEW.cost")} WHERE NEW.cost > 0 AND id = NEW.account_id;
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
    gratis: bool
    now_ms: int
    since_ms: int

    def names(self) -> set[Hashable]:
        """What no two charges of one statement may share."""
        call = self.call
        key = set() if call.key is None else {(call.account_id, call.key)}
        return {call.id, (call.account_id, call.tool, call.fingerprint), *key}


class ChargeBatch:
    """The charges that wait together; `outcomes` has a decision or a fault for each."""

    def __init__(self, execute: Callable[..., Any], db: Connection, charges: list[Charge], tick: int) -> None:
        self._execute, self._db, self._charges, self._tick = execute, db, charges, tick
        # What the charges before leave: of an account its balance, of a quota its units.
        self._posted: dict[str, int] = {}
        self._left: dict[tuple[str, str], int] = {}
        self._rows: list[Any] = []
        self.outcomes: list[Decision | Failed] = []

    def settled(self) -> list[Decision | Failed]:
        """Runs of charges that do not meet each other, each read, decided and written."""
        while len(self.outcomes) < len(self._charges):
            self._settle(self._charges[len(self.outcomes) :][: self._apart()])
        return self.outcomes

    def _apart(self) -> int:
        """How many of those that wait share no name."""
        named: set[Hashable] = set()
        for count, charge in enumerate(self._charges[len(self.outcomes) :]):
            names = charge.names()
            if not named.isdisjoint(names):
                return count
            named |= names
        return len(self._charges)

    def _settle(self, charges: list[Charge]) -> None:
        for told in (self._posted, self._left, self._rows):
            told.clear()
        for charge, row in zip(charges, self._looked(charges), strict=True):
            try:
                self.outcomes.append(self._decided(charge, row))
            except (LookupError, Conflict) as fault:
                self.outcomes.append(Failed(fault))
        if self._rows:
            values = [value for row in self._rows for value in row]
            self._execute(_many(_ADD, len(self._rows[0]), len(self._rows)), values)

    def _looked(self, charges: list[Charge]) -> list[list[Any]]:
        """What each meets, without the stored result."""
        told: list[Any] = []
        for place, charge in enumerate(charges):
            call = charge.call
            told += (place, call.id, call.account_id, call.tool, call.fingerprint, call.key, call.replay)
        # As one row: each would let go of the interpreter.
        (text,) = self._execute(_many(_LOOK, 7, len(charges)), told).fetchone()
        return [row for _, *row in sorted(json.loads(text), key=itemgetter(0))]

    def _decided(self, charge: Charge, row: list[Any]) -> Decision:
        call, unit = charge.call, (charge.call.account_id, charge.call.tool)
        row[POSTED] = self._posted.get(call.account_id, row[POSTED])
        row[FREE_LEFT] = self._left.get(unit, row[FREE_LEFT])
        stored = self._execute(_RESULT, (row[SAME],)).fetchone() if row[SAME_STATE] == "captured" else None
        met = found([*row, stored and stored[0]], call, charge.since_ms)
        if not isinstance(met, Fresh):
            return met
        if row[TAKEN]:
            raise Conflict(f"the call {call.id} is known already")
        agreed = rules.admission(met, charge.gratis)
        if isinstance(agreed, Refused):
            return agreed
        if (old := stale(row, call)) is not None:
            forget(self._db, calls.c.id == old)
        self._posted[call.account_id] = row[POSTED] + rules.CHARGE.posted * agreed.cost
        self._left[unit] = row[FREE_LEFT] - rules.CHARGE.used * agreed.from_quota
        self._rows.append(_row(charge, agreed, met.price.version, self._tick))
        return Admitted(call.id, agreed.cost, agreed.from_quota)


def _row(charge: Charge, agreed: Terms, version: int, tick: int) -> tuple[Any, ...]:
    """The columns of `charge`."""
    call = charge.call
    return (
        call.id, call.account_id, call.account_key, call.tool, call.fingerprint, call.key, call.replay, True,
        "captured", agreed.cost, version, agreed.from_quota, agreed.cost, call.started_ms, charge.now_ms,
        tick + int(call.lease_s * 1000), tick, call.worker, False, charge.body,
    )  # fmt: skip


@lru_cache(1024)
def _many(statement: str, width: int, count: int) -> str:
    """A statement with so many rows of parameters."""
    return statement.format(rows=",".join([f"({','.join('?' * width)})"] * count))
