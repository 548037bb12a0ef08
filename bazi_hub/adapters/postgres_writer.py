"""The thread that moves money on PostgreSQL: one connection, at most 128 statements in one transaction, sent in one go.

Statements are sorted by account, so that two processes lock accounts in the same order. An operation that fails takes
nobody with it: the transaction is rolled back and its operations run one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import errors

from bazi_hub.adapters.batches import Batches, Failed
from bazi_hub.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_hub.ports import Telemetry

MOST_ITEMS = 128
TRIES = 20

_FORGET = (
    "DELETE FROM results WHERE call_id = %(id)s",
    "UPDATE calls SET fingerprint = NULL, key = NULL WHERE id = %(id)s AND state <> 'running'",
)


class Operation(NamedTuple):
    """One statement, the account whose row it locks, and how its row is read."""

    account_id: str
    statement: str
    parameters: dict[str, Any]
    read: Callable[[Any], Any]


class Again(NamedTuple):
    """The operation has to run once more, after `stale` (a call that is too old) was forgotten."""

    stale: str | None = None


class Outpaced(Exception):
    """The balance went away between reading and locking: what the transaction wrote must not stay."""


REPEATED = (errors.SerializationFailure, errors.DeadlockDetected, Outpaced)


class Writer(Batches[Operation]):
    def __init__(self, url: str, connected: dict[str, Any], telemetry: Telemetry | None) -> None:
        super().__init__(MOST_ITEMS, psycopg.Error, telemetry)
        self._url, self._connected_with = url, connected
        self._connection: psycopg.Connection[Any] | None = None

    def run(self) -> None:
        super().run()
        self._drop()

    def settle(self, batch: list[Operation]) -> list[Any]:
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

    def _settle_some(self, operations: list[Operation], stale: Sequence[str]) -> list[Any]:
        try:
            return self._transaction(operations, stale)
        except REPEATED:
            self._roll_back()
            return [self._alone(operation) for operation in operations]
        except (psycopg.OperationalError, psycopg.InterfaceError) as fault:
            # The connection is gone; whether the transaction was committed is not known.
            self._drop()
            return [Failed(fault)] * len(operations)
        except Exception:
            self._roll_back()
            return [self._alone(operation) for operation in operations]

    def _alone(self, operation: Operation) -> Any:
        """An operation in its own transaction."""
        try:
            return self._transaction([operation], ())[0]
        except REPEATED:
            self._roll_back()
            return Again()
        except (psycopg.OperationalError, psycopg.InterfaceError) as fault:
            self._drop()
            return Failed(fault)
        except Exception as fault:
            self._roll_back()
            return Failed(fault)

    def _transaction(self, operations: list[Operation], stale: Sequence[str]) -> list[Any]:
        """One transaction; `Conflict` and the like are outcomes, for their statements changed nothing."""
        connection = self._connected()
        with connection.pipeline():
            for call_id in stale:
                for statement in _FORGET:
                    connection.execute(statement, {"id": call_id})
            cursors = [connection.execute(one.statement, one.parameters) for one in operations]
        outcomes = [_read(one, cursor.fetchone()) for one, cursor in zip(operations, cursors, strict=True)]
        connection.commit()
        return outcomes

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._url, prepare_threshold=1, **self._connected_with)
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


def _read(operation: Operation, row: Any) -> Any:
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
