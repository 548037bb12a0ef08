"""The shipped place table: one read-only SQLite file, opened at the first question.

One connection serves all threads, behind a lock that is held for the microseconds of one query. The file
never changes while it is open (`immutable`), so no journal is looked for and nothing is written beside it.
"""

from __future__ import annotations

import os
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from bazi_core.errors import DataCorrupt
from bazi_core.place.folding import letter_map
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FILE = os.path.join(DATA, "places.sqlite")
MANIFEST = os.path.join(DATA, "MANIFEST.json")

_lock = Lock()


def rows(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows that answer one query.

    >>> rows("SELECT name, cc FROM place WHERE id = ?", [5128581])
    [('New York City', 'US')]
    """
    import sqlite3

    try:
        with _lock:
            return _connection().execute(sql, values).fetchall()
    except sqlite3.DatabaseError as error:
        raise _corrupt(str(error)) from error


@cache
def letters() -> dict[int, str]:
    """The character map that the names of the table were folded with."""
    return letter_map(_meta("traditional"), _meta("simplified"))


def verify() -> list[str]:
    """Sentences on differences between the table and its manifest; empty if there are none."""
    import hashlib

    try:
        expected = manifest()
        with open(FILE, "rb") as file:
            content = file.read()
    except (OSError, ValueError) as error:
        return [str(error)]
    actual = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return [
        f"places.sqlite: {key} is {value}, the manifest says {expected[key]}"
        for key, value in actual.items()
        if value != expected[key]
    ]


def manifest() -> dict[str, Any]:
    """The manifest of the table: sources, versions, counts, hashes."""
    import json

    with open(MANIFEST, encoding="utf-8") as file:
        content: dict[str, Any] = json.load(file)
    return content


def _meta(key: str) -> str:
    values = rows("SELECT value FROM meta WHERE key = ?", [key])
    if not values:
        raise _corrupt(f"no {key}")
    return str(values[0][0])


@cache
def _connection() -> sqlite3.Connection:
    import atexit
    import sqlite3

    connection = sqlite3.connect(uri(FILE), uri=True, check_same_thread=False)
    atexit.register(connection.close)
    return connection


def uri(path: str) -> str:
    """The URI with which SQLite opens a file read-only and immutable."""
    path = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    return f"file://{'' if path.startswith('/') else '/'}{path}?mode=ro&immutable=1"


def _corrupt(actual: str) -> DataCorrupt:
    return DataCorrupt(
        Said("places_unreadable", found=actual),
        hint=Said("places_hint"),
        file="places.sqlite",
        expected="the table described by MANIFEST.json",
        found=actual,
    )
