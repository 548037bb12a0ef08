"""The tables are what the migrations make of them, on both engines, and some rows never change."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import sqlite3
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url, select, text

from bazi_hub.ports import StoreError
from bazi_hub.store import schema
from bazi_hub.store.migrate import HEAD, migrate, revision
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.schema import APPEND_ONLY, metadata, workers
from bazi_hub.store.sql.database import add_new
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds, World
from tests.hub.databases import ENGINES, on_postgres, on_sqlite
from tests.hub.stories import in_loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from sqlalchemy import Engine

    from tests.hub.databases import Server


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "sqlite":
        return create_engine(f"sqlite:///{request.getfixturevalue('new_file')()}")
    url = request.getfixturevalue("new_url")()
    return create_engine(make_url(url).set(drivername="postgresql+psycopg"))


def test_the_migrations_make_the_tables_of_the_schema(engine: Engine) -> None:
    with engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []
        assert revision(db) == HEAD
    engine.dispose()


def test_a_migrated_database_is_left_alone(engine: Engine) -> None:
    with engine.begin() as db:
        migrate(db)
        assert revision(db) == HEAD
    engine.dispose()


def test_only_e_mails_that_an_operator_gave_are_verified_after_the_migration(engine: Engine) -> None:
    made = {"self": "self", "given": "anna", "other": "anna"}
    with engine.begin() as db:
        for account, actor in made.items():
            row = {
                "id": account,
                "status": "active",
                "created_ms": 0,
                "email": None if account == "other" else f"{account}@x",
            }
            db.execute(schema.accounts.insert().values(row))
            told = {"ts_ms": 0, "actor": actor, "action": "account.create", "target": account}
            db.execute(schema.admin_journal.insert().values(told))
        by_operator = importlib.import_module("bazi_hub.store.migrations.versions.r0004_emails").BY_OPERATOR
        db.execute(text(by_operator).bindparams(yes=True))
        verified = select(schema.accounts.c.id).where(schema.accounts.c.email_verified)
        assert db.execute(verified).scalars().all() == ["given"]
    engine.dispose()


def test_the_newest_revision_is_the_one_that_a_start_looks_for() -> None:
    config = Config()
    config.set_main_option("script_location", "bazi_hub.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_counters_of_limits_are_not_logged_on_postgresql(new_url: Callable[[], str]) -> None:
    with psycopg.connect(new_url()) as db:
        wanted = "SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY 1"
        assert db.execute(wanted).fetchall() == [("rate_places",), ("rate_windows",)]


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("act", ["UPDATE {} SET {} = {}", "DELETE FROM {}"])
def test_what_was_posted_cannot_be_changed(engine: Engine, table: str, act: str) -> None:
    """I10."""
    column = metadata.tables[table].columns.keys()[1]
    with engine.begin() as db:
        rows = {
            "journal": "INSERT INTO journal (id, kind, ref, actor, ts_ms) VALUES (1, 'grant', 'r', 'a', 0)",
            "entries": "INSERT INTO entries (journal_id, account, amount) VALUES (1, 'system:grants', 5)",
            "prices": "INSERT INTO prices VALUES ('some_tool', 1, 1, 1, 0, TRUE, 0, 'a')",
            "admin_journal": "INSERT INTO admin_journal (ts_ms, actor, action, target) VALUES (0, 'a', 'b', 'c')",
        }
        if table == "entries":
            db.execute(text(rows["journal"]))
        db.execute(text(rows[table]))
    with pytest.raises(Exception, match="append-only"), engine.begin() as db:
        db.execute(text(act.format(table, column, column)))
    engine.dispose()


@pytest.mark.parametrize("change", ["posted = -1", "held = -1", "held = posted + 1"])
def test_no_account_goes_under_water_whoever_writes(engine: Engine, change: str) -> None:
    """I3."""
    with engine.begin() as db:
        db.execute(text("INSERT INTO accounts (id, status, created_ms, posted) VALUES ('a', 'active', 0, 5)"))
    with pytest.raises(Exception, match=r"negative|constraint"), engine.begin() as db:
        db.execute(text(f"UPDATE accounts SET {change}"))
    engine.dispose()


def test_a_hub_older_than_its_database_says_so(new_file: Callable[[], Path]) -> None:
    path = new_file()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    with pytest.raises(StoreError, match="version 9999, which this hub does not know"):
        asyncio.run(SqliteStorage(path, FakeClock(), FakeIds()).open())


def test_a_storage_that_may_not_migrate_says_what_is_missing(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "new.db", FakeClock(), FakeIds(), migrating=False)
    with pytest.raises(StoreError, match="bazi hub migrate"):
        asyncio.run(storage.open())


def test_processes_that_start_together_migrate_once(postgres: Server) -> None:
    async def story(url: str) -> None:
        storages = [PostgresStorage(url, FakeClock(), FakeIds()) for _ in range(4)]
        await asyncio.gather(*(storage.open() for storage in storages))
        assert len(await storages[0].pricing.all()) == 5
        await asyncio.gather(*(storage.close() for storage in storages))

    postgres.run("CREATE DATABASE bare_hub")
    asyncio.run(story(postgres.plain.format("bare_hub")))


LOOKS = {
    "calls_by_key": "account_id = 'a' AND key = 'k' AND state IN ('running', 'captured')",
    "calls_unseen": "account_id = 'a' AND tool = 't' AND fingerprint = 'f' "
    "AND state IN ('running', 'captured') AND NOT delivered",
}


@pytest.mark.parametrize("index", LOOKS)
def test_the_same_call_is_found_without_reading_the_history(new_file: Callable[[], Path], index: str) -> None:
    db = sqlite3.connect(new_file())
    plan = db.execute(f"EXPLAIN QUERY PLAN SELECT id FROM calls WHERE {LOOKS[index]}").fetchall()
    db.close()
    assert index in plan[0][3]


@pytest.mark.parametrize("module", ["sql.batches", "sql.database", "sql.accounts", "postgres.ledger"])
def test_examples_in_the_documentation_hold(module: str) -> None:
    tried = doctest.testmod(importlib.import_module(f"bazi_hub.store.{module}"))
    assert tried.failed == 0


@pytest.mark.parametrize(
    ("new", "on"), [("new_file", on_sqlite), pytest.param("new_url", on_postgres, marks=pytest.mark.postgres)]
)
def test_a_storage_notices_that_its_tables_are_not_those_of_this_version(
    request: pytest.FixtureRequest, new: str, on: Callable[[Any], AbstractAsyncContextManager[World]]
) -> None:
    place = request.getfixturevalue(new)()

    async def story() -> None:
        async with on(place) as world:
            database: Any = world.storage.database  # type: ignore[attr-defined]
            await world.storage.migrated()
            for version, right in (("0000", False), (HEAD, True)):
                change = text(f"UPDATE alembic_version SET version_num = '{version}'")
                await database.write(lambda db, change=change: db.execute(change) and None)
                with nullcontext() if right else pytest.raises(StoreError, match="bazi hub migrate"):
                    await world.storage.migrated()

    asyncio.run(story())


@in_loop
async def test_a_row_of_nobody_is_not_left_by_a_probe(new_file: Callable[[], Path]) -> None:
    storage = SqliteStorage(new_file(), FakeClock(), FakeIds())
    await storage.open()
    # As of a process that died between its two transactions.
    await storage.database.write(lambda db: add_new(db, workers, id="probe:dead", seen_ms=0))
    await storage.probe()
    left = await storage.database.read(lambda db: db.execute(select(workers.c.id)).scalars().all())
    await storage.close()
    assert left == []
