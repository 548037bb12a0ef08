"""`verify` finds whatever somebody does to the rows behind the hub's back."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import pytest

from bazi_hub.store.sql.verify import verify
from bazi_hub.store.sqlite.database import reading
from tests.hub.databases import on_sqlite
from tests.hub.stories import in_loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHART = "bazi_basic_analysis"
# What somebody does, and the invariant that it breaks.
DEFECTS = {
    "a balance is raised": ("I1", "UPDATE accounts SET posted = posted + 1"),
    "a hold is forgotten": ("I2", "UPDATE accounts SET held = 0"),
    "a balance is negative": ("I3", "UPDATE accounts SET posted = -1"),
    "one side is missing": ("I4", "DELETE FROM entries WHERE account = 'system:revenue'"),
    "one side is larger": ("I4", "UPDATE entries SET amount = amount + 1 WHERE account = 'system:revenue'"),
    "a posting has no sides": ("I4", "INSERT INTO journal (kind, actor, ts_ms) VALUES ('grant', 'a', 0)"),
    "a side has no posting": ("I4", "DELETE FROM journal WHERE kind = 'capture'"),
    "what was paid is entered as a gift": (
        "I4",
        "UPDATE entries SET account = 'system:grants' WHERE account = 'system:revenue'",
    ),
    "a posting is called something else": ("I4", "UPDATE journal SET kind = 'adjust' WHERE kind = 'grant'"),
    "a call is captured twice": (
        "I5",
        "INSERT INTO journal (kind, call_id, actor, ts_ms) "
        "SELECT kind, call_id, actor, 0 FROM journal WHERE kind = 'capture'",
    ),
    "a call is refunded twice": (
        "I5",
        "INSERT INTO journal (kind, call_id, actor, ts_ms) "
        "SELECT kind, call_id, actor, 0 FROM journal WHERE kind = 'refund'",
    ),
    "a refund is larger than what was paid": ("I6", "UPDATE entries SET amount = 40 WHERE amount = 3"),
    "a refund is of no call": ("I6", "UPDATE journal SET call_id = NULL WHERE kind = 'refund'"),
    "a result is missing": ("I6", "DELETE FROM results"),
    "a result is nobody's": ("I6", "INSERT INTO results VALUES ('x', 'y')"),
    "a paid call was released": ("I6", "UPDATE calls SET state = 'released' WHERE charged > 0"),
    "a record says less than was posted": ("I6", "UPDATE calls SET charged = 0"),
    "a unit of quota is given twice": ("I8", "UPDATE quota SET used = 0"),
    "a quota is gone": ("I8", "DELETE FROM quota"),
    "more was used than granted": ("I8", "UPDATE quota SET granted = 0"),
    "a unit stays reserved": ("I8", "UPDATE quota SET reserved = 1, granted = 2"),
    "an entry is missing": ("I10", "DELETE FROM entries WHERE seq = 1"),
    "an entry is altered": ("I10", "UPDATE entries SET amount = amount + 1 WHERE seq = 1"),
    "a running balance is altered": ("I10", "UPDATE entries SET posted_after = 3 WHERE seq = 1"),
    "an entry has no number": ("I10", "UPDATE entries SET seq = NULL WHERE seq = 2"),
    "the count of entries is wrong": ("I10", "UPDATE accounts SET seq = seq + 1"),
    "the price was another one": ("I11", "UPDATE calls SET cost = 3, charged = 3 WHERE charged > 0"),
    "a version of the price is not there": ("I11", "UPDATE calls SET price_version = 9"),
}


async def _books(path: Path) -> None:
    """Everything that an account can have: a paid call, a free one, one that runs, one that failed, a gift, a refund."""
    async with on_sqlite(path) as world:
        account_id = await world.account(25)
        paid = await world.captured(account_id)
        await world.captured(account_id, CHART)
        ledger = world.storage.ledger
        await ledger.post("grant", account_id, 2, "case-1", "os:operator")
        await ledger.post("refund", account_id, 3, "case-2", "os:operator", call_id=paid.id)
        failed = await world.admitted(account_id)
        await world.storage.ledger.release(failed.id, "UPSTREAM_ERROR")
        await world.admitted(account_id)


def _tamper(path: Path, statement: str) -> None:
    """As somebody would who opens the file: no trigger, no constraint and no index stops him."""
    db = sqlite3.connect(path)
    for kind, name in db.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL").fetchall():
        if kind in ("trigger", "index"):
            db.execute(f"DROP {kind} {name}")
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute(statement)
    db.commit()
    db.close()


def test_books_that_are_right_are_found_right(new_file: Callable[[], Path]) -> None:
    path = new_file()
    asyncio.run(_books(path))
    with reading(path) as db:
        assert verify(db) == []


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_defect_is_found(new_file: Callable[[], Path], defect: str) -> None:
    invariant, statement = DEFECTS[defect]
    path = new_file()
    asyncio.run(_books(path))
    _tamper(path, statement)
    with reading(path) as db:
        found = verify(db)
    assert invariant in {finding.invariant for finding in found}
    assert all(finding.subject and finding.detail for finding in found)


@in_loop
async def test_the_books_of_a_running_hub_are_read_beside_it(new_file: Callable[[], Path]) -> None:
    path = new_file()
    async with on_sqlite(path) as world:
        account_id = await world.account(100)
        for _ in range(5):
            with reading(path) as db:
                await world.captured(account_id)
                assert verify(db) == []
