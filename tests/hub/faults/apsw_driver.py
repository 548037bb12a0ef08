"""A small DB-API over apsw, as much of `sqlite3` as the storage needs: apsw takes file systems written in Python."""

from __future__ import annotations

import sqlite3
from itertools import islice
from typing import Any

import apsw

# A fault of SQLite by its apsw class, and what `sqlite3` calls it.
_FAULTS = {apsw.ConstraintError: sqlite3.IntegrityError}


def _translated(fault: apsw.Error) -> sqlite3.Error:
    return _FAULTS.get(type(fault), sqlite3.OperationalError)(str(fault))


class Cursor:
    arraysize = 1

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._cursor.exec_trace = self._described
        self.description: Any = None
        self._rows: Any = iter(())
        self.rowcount = -1
        self.lastrowid: int | None = None

    def _described(self, cursor: apsw.Cursor, _statement: str, _bindings: Any) -> bool:
        # Before the first step: afterwards apsw describes nothing that gave no row.
        columns = cursor.get_description()
        self.description = tuple((name, *(None,) * 6) for name, _ in columns) or None
        return True

    def execute(self, statement: str, parameters: Any = ()) -> Cursor:
        return self._do(lambda: self._cursor.execute(statement, parameters))

    def executemany(self, statement: str, parameters: Any) -> Cursor:
        return self._do(lambda: self._cursor.executemany(statement, parameters))

    def _do(self, act: Any) -> Cursor:
        try:
            # All of it at once: a statement that waits to be read to its end would keep the transaction open.
            self._rows = iter(act().fetchall())
        except apsw.Error as fault:
            raise _translated(fault) from fault
        self.rowcount = self._connection.changes()
        self.lastrowid = self._connection.last_insert_rowid()
        return self

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def fetchmany(self, size: int = 1) -> list[Any]:
        return list(islice(self._rows, size))

    def close(self) -> None:
        self._cursor.close(True)


class Connection:
    isolation_level = None

    def __init__(self, path: str, vfs: str) -> None:
        self._connection = apsw.Connection(path, vfs=vfs)

    def cursor(self) -> Cursor:
        return Cursor(self._connection)

    def execute(self, statement: str, parameters: Any = ()) -> Cursor:
        return self.cursor().execute(statement, parameters)

    def create_function(self, *_: Any, **__: Any) -> None:
        """SQLAlchemy offers functions that no statement of the hub uses."""

    def commit(self) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")

    def _end(self, statement: str) -> None:
        if self._connection.in_transaction:
            self.execute(statement)

    def close(self) -> None:
        self._connection.close(True)
