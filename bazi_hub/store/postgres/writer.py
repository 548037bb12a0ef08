"""The thread that moves money on PostgreSQL: one connection, at most 128 statements in one transaction, sent in one go.

Statements are sorted by account, so that two processes lock accounts in the same order. An operation that fails takes
nobody with it: the transaction is rolled back and its operations run one by one. Where the connection is lost while a
transaction is committed, its calls tell by their ids what became of it: it stands and is answered, or it is done once more.
Where the database is away for longer than anybody waits, its callers are told of an error, and the calls are kept in mind,
those too that were to end and of which it heard nothing: before anything else is done on the next connection, those that
still run are released.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import psycopg
from psycopg import errors

from bazi_hub.ports import Admitted, StoreError, Telemetry
from bazi_hub.store.sql.batches import Batches, Failed

MOST_ITEMS = 128
TRIES = 20
# How long a commit is asked after that nobody answered: 20 seconds, in which a server restarts.
PAUSES_S = (0.0, 0.1, 0.2, 0.3, 0.4, *(1.0,) * 19)

_FORGET = (
    "DELETE FROM results WHERE call_id = %(id)s",
    "UPDATE calls SET fingerprint = NULL, key = NULL WHERE id = %(id)s AND state <> 'running'",
)


# A transaction that is still under way holds the accounts of its new calls, and the calls that it ends: whoever has these
# rows sees how it ended. The calls are read in a statement of their own, behind it.
_AWAIT = "SELECT 1 FROM accounts WHERE id = ANY(%(accounts)s) ORDER BY id FOR UPDATE"
_STATES = "SELECT id, state FROM calls WHERE id = ANY(%(calls)s) ORDER BY id FOR UPDATE"


class LedgerOperation(NamedTuple):
    """One statement, the account whose row it locks, how its row is read, and the state in which it `leaves` its call."""

    account_id: str
    statement: str
    parameters: dict[str, Any]
    read: Callable[[Any], Any]
    leaves: str | None = None

    @property
    def ends(self) -> bool:
        """Whether it ends a call that was begun before."""
        return self.leaves is not None and "account_id" not in self.parameters


class Again(NamedTuple):
    """The operation has to run once more, after `stale` (a call that is too old) was forgotten."""

    stale: str | None = None


class Outpaced(Exception):
    """The balance went away between reading and locking: what the transaction wrote must not stay."""


class Unanswered(Exception):
    """The connection was lost while the transaction was committed. `outcomes` are true if it was."""

    def __init__(self, outcomes: list[Any]) -> None:
        super().__init__()
        self.outcomes = outcomes


LOST = (psycopg.OperationalError, psycopg.InterfaceError)
REPEATED = (errors.SerializationFailure, errors.DeadlockDetected, Outpaced)


class PostgresWriter(Batches[LedgerOperation]):
    """`release` is the statement that ends a running call unpaid."""

    def __init__(
        self, url: str, connected: dict[str, Any], release: str, telemetry: Telemetry | None
    ) -> None:
        super().__init__(MOST_ITEMS, psycopg.Error, telemetry)
        self._url, self._connected_with, self._release = url, connected, release
        self._connection: psycopg.Connection[Any] | None = None
        # Of each transaction that was given up, what moved money if it was committed, and what was to end a call.
        self._forsaken: list[list[LedgerOperation]] = []

    @property
    def in_doubt(self) -> bool:
        """Whether the outcome of some commit is unknown, or some call was left running."""
        return bool(self._forsaken)

    def run(self) -> None:
        super().run()
        self._drop()

    def settle(self, batch: list[LedgerOperation]) -> list[Any]:
        """Runs a batch until every operation has its outcome."""
        outcomes: list[Any] = [Again()] * len(batch)
        for _ in range(TRIES):
            waiting = [place for place, outcome in enumerate(outcomes) if isinstance(outcome, Again)]
            if not waiting:
                return outcomes
            waiting.sort(key=lambda place: batch[place].account_id)
            stale = [outcomes[place].stale for place in waiting if outcomes[place].stale]
            settled = self._settle_some([batch[place] for place in waiting], stale)
            for place, outcome in zip(waiting, settled, strict=True):
                outcomes[place] = outcome
        return [_given_up(outcome) for outcome in outcomes]

    def _settle_some(self, operations: list[LedgerOperation], stale: Sequence[str]) -> list[Any]:
        try:
            return self._transaction(operations, stale)
        except REPEATED:
            self._roll_back()
            return [self._alone(operation) for operation in operations]
        except Unanswered as lost:
            return self._resolved(operations, lost)
        except LOST as fault:
            return self._undone(operations, fault)
        except Exception:
            self._roll_back()
            return [self._alone(operation) for operation in operations]

    def _alone(self, operation: LedgerOperation) -> Any:
        """An operation in its own transaction."""
        try:
            return self._transaction([operation], ())[0]
        except REPEATED:
            self._roll_back()
            return Again()
        except Unanswered as lost:
            return self._resolved([operation], lost)[0]
        except LOST as fault:
            return self._undone([operation], fault)[0]
        except Exception as fault:
            self._roll_back()
            return Failed(fault)

    def _transaction(self, operations: list[LedgerOperation], stale: Sequence[str]) -> list[Any]:
        """One transaction; `Conflict` and the like are outcomes, for their statements changed nothing."""
        connection = self._connected()
        with connection.pipeline():
            for call_id in stale:
                for statement in _FORGET:
                    connection.execute(statement, {"id": call_id})
            cursors = [connection.execute(one.statement, one.parameters) for one in operations]
        outcomes = [_read(one, cursor.fetchone()) for one, cursor in zip(operations, cursors, strict=True)]
        try:
            connection.commit()
        except LOST as fault:
            if not connection.closed:
                # The server has answered, and undone it.
                raise
            raise Unanswered(outcomes) from fault
        return outcomes

    def _undone(self, operations: list[LedgerOperation], fault: Exception) -> list[Any]:
        """The outcomes of a transaction that was lost before it was to be committed: nothing of it happened."""
        self._drop()
        ends = [one for one in operations if one.ends]
        if ends:
            self._forsaken.append(ends)
            self._tell("end_given_up", "error", ends)
        return [Failed(fault)] * len(operations)

    def _resolved(self, operations: list[LedgerOperation], lost: Unanswered) -> list[Any]:
        """The outcomes of a transaction whose commit was not answered; what did not happen runs again."""
        self._drop()
        moved = [one for one, outcome in zip(operations, lost.outcomes, strict=True) if _moved(one, outcome)]
        if not moved:
            return lost.outcomes
        for pause_s in PAUSES_S:
            time.sleep(pause_s)
            try:
                connection = self._connected()
                stands = _stand(moved, _states(connection, moved))
                connection.rollback()
            except psycopg.Error:
                self._drop()
                continue
            self._tell("commit_resolved", "warning", moved, stands=stands)
            return lost.outcomes if stands else [Again()] * len(operations)
        self._forsaken.append(moved)
        self._tell("commit_unknown", "error", moved)
        return [Failed(lost.__cause__ or lost)] * len(operations)  # type: ignore[arg-type]

    def _catch_up(self, connection: psycopg.Connection[Any]) -> None:
        """Finds out what became of transactions that were given up. Their callers were told of an error: what was paid
        stands and is answered when it is asked for again, and nobody executes what still runs."""
        while self._forsaken:
            moved = self._forsaken.pop()
            try:
                states = _states(connection, moved)
                running = [one for one in moved if states.get(one.parameters["id"]) == "running"]
                for one in running:
                    connection.execute(self._release, _UNHEARD | one.parameters)
                connection.commit()
            except (*LOST, *REPEATED):
                self._forsaken.append(moved)
                raise
            released = [one.parameters["id"] for one in running]
            self._tell("commit_resolved", "warning", moved, stands=_stand(moved, states), released=released)

    def _tell(self, event: str, level: str, moved: list[LedgerOperation], **members: Any) -> None:
        if self._telemetry:
            self._telemetry.log(event, level, calls=[one.parameters["id"] for one in moved], **members)

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._url, prepare_threshold=1, **self._connected_with)
        if self._forsaken:
            self._catch_up(self._connection)
        return self._connection

    def _roll_back(self) -> None:
        try:
            if self._connection is not None:
                self._connection.rollback()
        except psycopg.Error:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


_KNOWN = ("running", "captured", "released", "expired")
# How a call is released of which its caller was told that it failed; an operation that ends it has its own words.
_UNHEARD = {"error": "INTERNAL_ERROR", "day": None}


def _states(connection: psycopg.Connection[Any], moved: list[LedgerOperation]) -> dict[str, str]:
    """The states of the calls of a transaction, when it is over. They are locked until the one that asks is."""
    accounts = [one.account_id for one in moved if not one.ends]
    connection.execute(_AWAIT, {"accounts": accounts})
    return dict(connection.execute(_STATES, {"calls": [one.parameters["id"] for one in moved]}).fetchall())


def _stand(moved: list[LedgerOperation], states: dict[str, str]) -> bool:
    """Whether the transaction of these was committed."""
    # One that was begun may have ended since: then it was begun.
    return all(
        states.get(one.parameters["id"]) in (_KNOWN if one.leaves == "running" else (one.leaves,))
        for one in moved
    )


def _moved(operation: LedgerOperation, outcome: Any) -> bool:
    """Whether the operation changed anything, if its transaction was committed: it began a call, or found one to end."""
    return operation.leaves is not None and (isinstance(outcome, Admitted) or type(outcome) is tuple)


def _read(operation: LedgerOperation, row: Any) -> Any:
    try:
        return operation.read(row)
    except Outpaced:
        raise
    except Exception as fault:
        return Failed(fault)


def _given_up(outcome: Any) -> Any:
    if isinstance(outcome, Again):
        return Failed(StoreError("the account is too busy"))
    return outcome
