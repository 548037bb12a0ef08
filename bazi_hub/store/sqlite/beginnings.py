"""Calls that begin on SQLite, held or charged: one statement reads what all that wait together meet, the rules decide each,
and one writes them.

A statement lets go of the interpreter and has to get it back. With some for each call the writer and the event loop wait
for each other most of the time; two run beside the loop. Calls that could meet each other (one id, key or question) go one
behind the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection

from bazi_hub.money import rules
from bazi_hub.money.rules import LedgerMove, Terms
from bazi_hub.ports import Admitted, Conflict, Decision, Fresh, NewCall, Refused
from bazi_hub.store.schema import calls
from bazi_hub.store.sql.batches import Failed
from bazi_hub.store.sql.prior_call import (
    COLUMNS,
    FREE_LEFT,
    HELD,
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

ACTOR = "hub"

_LOOK = f"""
WITH call (place, id, account_id, tool, fingerprint, key, replay) AS (VALUES {{rows}})
SELECT json_group_array(json_array(call.place, {", ".join(COLUMNS.values()).format("call.")}))
FROM call LEFT JOIN accounts a ON a.id = call.account_id {JOINS.format("call.")}"""
_RESULT = "SELECT body FROM results WHERE call_id = ?"

_COLUMNS = """id, account_id, account_key, tool, fingerprint, key, replay, metered, state, cost, price_version, from_quota,
    charged, started_ms, completed_ms, lease_ms, admitted_ms, worker, delivered"""
_NEW = f"""INSERT INTO calls ({_COLUMNS}) VALUES (NEW.{", NEW.".join(_COLUMNS.replace(",", "").split())});"""


def _moved(move: LedgerMove) -> str:
    return f"""
    UPDATE quota SET {assigned(move, QUOTA, "1")}
        WHERE NEW.from_quota AND account_id = NEW.account_id AND tool = NEW.tool;
    UPDATE accounts SET {assigned(move, BALANCE, "NEW.cost")} WHERE NEW.cost > 0 AND id = NEW.account_id;"""


# What one row of `beginning` does: all that a held or a paid call writes, without coming back to the interpreter in between.
# Entries have no row number of their own, so the last one stays that of the posting.
WRITE = (
    f"""CREATE TEMP VIEW beginning AS SELECT {_COLUMNS}, NULL AS body FROM calls""",
    f"""CREATE TEMP TRIGGER held INSTEAD OF INSERT ON beginning WHEN NEW.state = 'running' BEGIN
    {_NEW}{_moved(rules.HOLD)}
END""",
    f"""CREATE TEMP TRIGGER charged INSTEAD OF INSERT ON beginning WHEN NEW.state = 'captured' BEGIN
    {_NEW}{_moved(rules.CHARGE)}
    INSERT INTO results (call_id, body) VALUES (NEW.id, NEW.body);
    INSERT INTO journal (kind, call_id, actor, ts_ms)
        SELECT 'capture', NEW.id, '{ACTOR}', NEW.completed_ms WHERE NEW.cost > 0;
    INSERT INTO entries (journal_id, account, amount, seq, posted_after)
        SELECT last_insert_rowid(), 'user:' || id, -NEW.cost, seq, posted FROM accounts
        WHERE NEW.cost > 0 AND id = NEW.account_id;
    INSERT INTO entries (journal_id, account, amount)
        SELECT last_insert_rowid(), 'system:revenue', NEW.cost WHERE NEW.cost > 0;
END""",
)
_ADD = f"INSERT INTO beginning ({_COLUMNS}, body) VALUES {{rows}}"


class Beginning(NamedTuple):
    """A call that is to be charged for its result, or held where there is none (`body` None) yet; `since_ms` is when the
    oldest result was made that still counts."""

    call: NewCall
    now_ms: int
    since_ms: int
    body: bytes | None = None
    gratis: bool = False

    @property
    def move(self) -> LedgerMove:
        return rules.HOLD if self.body is None else rules.CHARGE

    def names(self) -> set[Hashable]:
        """The names that no two calls of one statement may share."""
        call = self.call
        key = set() if call.key is None else {(call.account_id, call.key)}
        return {call.id, (call.account_id, call.tool, call.fingerprint), *key}


class BeginningBatch:
    """The calls that begin together; `outcomes` has a decision or a fault for each."""

    def __init__(
        self, execute: Callable[..., Any], db: Connection, waiting: list[Beginning], tick: int
    ) -> None:
        self._execute, self._db, self._waiting, self._tick = execute, db, waiting, tick
        # What the calls before leave: of an account its balance and holds, of a quota its units.
        self._balance: dict[str, tuple[int, int]] = {}
        self._left: dict[tuple[str, str], int] = {}
        self._rows: list[Any] = []
        self.outcomes: list[Decision | Failed] = []

    def settled(self) -> list[Decision | Failed]:
        """Groups of calls that do not meet each other, each read, decided and written."""
        while len(self.outcomes) < len(self._waiting):
            rest = self._waiting[len(self.outcomes) :]
            self._settle(rest[: _apart(rest)])
        return self.outcomes

    def _settle(self, group: list[Beginning]) -> None:
        for told in (self._balance, self._left, self._rows):
            told.clear()
        for beginning, row in zip(group, self._prior_rows(group), strict=True):
            try:
                self.outcomes.append(self._decided(beginning, row))
            except (LookupError, Conflict) as fault:
                self.outcomes.append(Failed(fault))
        if self._rows:
            values = [value for row in self._rows for value in row]
            self._execute(_many(_ADD, len(self._rows[0]), len(self._rows)), values)

    def _prior_rows(self, group: list[Beginning]) -> list[list[Any]]:
        """The row of each call, without the stored result."""
        told: list[Any] = []
        for place, beginning in enumerate(group):
            call = beginning.call
            told += (place, call.id, call.account_id, call.tool, call.fingerprint, call.key, call.replay)
        # As one row: each would let go of the interpreter.
        (text,) = self._execute(_many(_LOOK, 7, len(group)), told).fetchone()
        return [row for _, *row in sorted(json.loads(text), key=itemgetter(0))]

    def _decided(self, beginning: Beginning, row: list[Any]) -> Decision:
        call, move = beginning.call, beginning.move
        unit = call.account_id, call.tool
        row[POSTED], row[HELD] = self._balance.get(call.account_id, (row[POSTED], row[HELD]))
        row[FREE_LEFT] = self._left.get(unit, row[FREE_LEFT])
        stored = self._execute(_RESULT, (row[SAME],)).fetchone() if row[SAME_STATE] == "captured" else None
        met = found([*row, stored and stored[0]], call, beginning.since_ms)
        if not isinstance(met, Fresh):
            return met
        if row[TAKEN]:
            raise Conflict(f"the call {call.id} is known already")
        agreed = rules.admission(met, beginning.gratis)
        if isinstance(agreed, Refused):
            return agreed
        if (old := stale(row, call)) is not None:
            forget(self._db, calls.c.id == old)
        moved = move.posted * agreed.cost, move.held * agreed.cost
        self._balance[call.account_id] = row[POSTED] + moved[0], row[HELD] + moved[1]
        self._left[unit] = row[FREE_LEFT] - (move.used + move.reserved) * agreed.from_quota
        self._rows.append(_row(beginning, agreed, met.price.version, self._tick))
        return Admitted(call.id, agreed.cost, agreed.from_quota)


def _apart(waiting: list[Beginning]) -> int:
    """The number of waiting calls from the first on that share no name."""
    named: set[Hashable] = set()
    for count, beginning in enumerate(waiting):
        names = beginning.names()
        if not named.isdisjoint(names):
            return count
        named |= names
    return len(waiting)


def _row(beginning: Beginning, agreed: Terms, version: int, tick: int) -> tuple[Any, ...]:
    """The columns of `beginning`."""
    call, body = beginning.call, beginning.body
    ended = ("running", 0, None) if body is None else ("captured", agreed.cost, beginning.now_ms)
    state, charged, completed_ms = ended
    return (
        call.id, call.account_id, call.account_key, call.tool, call.fingerprint, call.key, call.replay, True,
        state, agreed.cost, version, agreed.from_quota, charged, call.started_ms, completed_ms,
        tick + int(call.lease_s * 1000), tick, call.worker, False, body,
    )  # fmt: skip


@lru_cache(1024)
def _many(statement: str, width: int, count: int) -> str:
    """A statement with so many rows of parameters."""
    return statement.format(rows=",".join([f"({','.join('?' * width)})"] * count))
