"""The money rules as SQL say of every row of small numbers what they say in Python, on both engines."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import product
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bazi_hub.money import rules
from bazi_hub.ports import Price
from bazi_hub.store.sql.rendered import BALANCE, QUOTA, Columns, assigned, choose, sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hub.databases import Server

MOVES = {"hold": rules.HOLD, "capture": rules.CAPTURE, "release": rules.RELEASE, "charge": rules.CHARGE}
NAMES = ("posted", "held", "credit_cost", "min_balance", "free_left")
ROWS = list(product(range(4), range(4), range(4), range(4), range(2)))
MET = Columns("met")


def decided(row: tuple[int, ...]) -> tuple[Any, ...]:
    posted, held, cost, least, free_left = row
    price = Price("tool", cost, least, 0, True)
    agreed = rules.terms(rules.unit_left(free_left), posted, held, price)
    return (*agreed, rules.covers(posted, held, price), rules.remains_covered(posted, held, -cost))


# The same, of columns.
AGREED = rules.terms(rules.unit_left(MET.free_left), MET.posted, MET.held, MET, choose)
CONDITIONS = (
    *AGREED, rules.covers(MET.posted, MET.held, MET), rules.remains_covered(MET.posted, MET.held, -MET.credit_cost)
)  # fmt: skip
STATEMENT = f"""WITH met ({", ".join(NAMES)}) AS (VALUES {", ".join(map(str, ROWS))})
    SELECT {", ".join((*NAMES, *(sql(condition) for condition in CONDITIONS)))} FROM met"""


def current(state: str, completed: int | None) -> Any:
    return rules.is_current(state, completed or 0, 2)


def rows_of(execute: Callable[[str], Any], statement: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in execute(statement).fetchall()]


def compare(execute: Callable[[str], Any]) -> None:
    """Every condition over every row, and every move over a row of every table."""
    found = rows_of(execute, STATEMENT)
    assert sorted(found) == sorted((*row, *decided(row)) for row in ROWS)
    states = [("running", None), *(("captured", moment) for moment in range(4))]
    values = ", ".join(f"('{state}', {'NULL' if moment is None else moment})" for state, moment in states)
    is_current = sql(rules.is_current(Columns("s").state, Columns("s").completed_ms, 2))
    found = rows_of(execute, f"WITH s (state, completed_ms) AS (VALUES {values}) SELECT {is_current} FROM s")
    assert [bool(truth) for (truth,) in found] == [current(*state) for state in states]
    for move in MOVES.values():
        for names, amount in ((BALANCE, 3), (QUOTA, 1)):
            execute("DROP TABLE IF EXISTS moved")
            execute(
                "CREATE TEMP TABLE moved AS SELECT 10 AS posted, 10 AS held, 10 AS used, 10 AS reserved, 1 AS seq"
            )
            if assigned(move, names, str(amount)):
                execute(f"UPDATE moved SET {assigned(move, names, str(amount))}")
            signs = [sign if name in names else 0 for name, sign in move._asdict().items()]
            entries = 2 if move.posted and names is BALANCE else 1
            after = (*(10 + sign * amount for sign in signs), entries)
            assert rows_of(execute, "SELECT posted, held, used, reserved, seq FROM moved") == [after]


def test_the_rules_are_the_same_on_sqlite() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        compare(db.execute)


@pytest.mark.postgres
def test_the_rules_are_the_same_on_postgresql(postgres: Server) -> None:
    with psycopg.connect(postgres.uri, autocommit=True) as db:
        compare(db.execute)
