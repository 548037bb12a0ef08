"""Two releases meet: exports of older ones are imported, and a worker of the older one goes on beside newer tables."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import MetaData, create_engine, text

from bazi_hub.ports import Admitted, Comment, NewerSchema, Post, StoreError
from bazi_hub.store import backup
from bazi_hub.store.backup import MANIFEST, export_tables, fill, import_from
from bazi_hub.store.migrate import HEAD, migrate, revision, revisions, start_over
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.database import DatabaseInUse
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from tests.hub.databases import ENGINES, on_postgres, on_sqlite
from tests.hub.promises.runs import succeeded
from tests.hub.stories import in_loop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bazi_hub.testing import World

EXPORTS = Path(__file__).parents[1] / "exports"
FROZEN = sorted(each.parent.name for each in EXPORTS.glob(f"*/{MANIFEST}"))
# By default the oldest, which comes the longest way.
EACH = [FROZEN[0], *(pytest.param(each, marks=pytest.mark.exhaustive) for each in FROZEN[1:])]
ACTOR = "os:operator"


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest) -> Any:
    """Where an empty database is: a file or an address."""
    if request.param == "sqlite":
        yield request.getfixturevalue("tmp_path") / "hub.db"
        return
    given = request.getfixturevalue("new_url")()
    yield given
    as_it_was(given)


def as_it_was(url: str) -> None:
    """Gives the database back with the tables of this release, whatever a test made of it."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as db:
        found = MetaData()
        found.reflect(db)
        for table in found.sorted_tables:
            db.execute(text(f"ALTER TABLE {table.name} DISABLE TRIGGER USER"))
        found.drop_all(db)
        db.execute(text("DROP FUNCTION refuse_change"))
        migrate(db)
    engine.dispose()


def opened(place: Any, **options: Any) -> Any:
    return (on_sqlite if isinstance(place, Path) else on_postgres)(place, **options)


@asynccontextmanager
async def imported(place: Any, release: str) -> AsyncIterator[World]:
    async with opened(place, prices=()) as world:
        assert await import_from(world.storage.database, EXPORTS / release) == []
        # The same numbers were given in the story that is imported.
        for _ in range(100):
            world.ids.uuid()
        yield world


def rows_of(release: str) -> dict[str, list[dict[str, Any]]]:
    """What a frozen export holds, by table."""
    files = sorted((EXPORTS / release).glob("*.jsonl"))
    return {file.stem: [json.loads(line) for line in file.read_text("utf-8").splitlines()] for file in files}


# --- exports of older releases -------------------------------------------------------------------------------------------


def test_every_revision_has_a_frozen_export() -> None:
    assert revisions() == FROZEN
    assert revisions()[-1] == HEAD


@pytest.mark.parametrize("release", EACH)
def test_a_frozen_export_holds_a_whole_story(release: str) -> None:
    """None of its tables is empty: a row that a later release loses would be seen."""
    manifest = json.loads((EXPORTS / release / MANIFEST).read_text("utf-8"))
    assert manifest["schema"] == release
    assert [name for name, table in manifest["tables"].items() if not table["rows"]] == []
    states = {row["state"] for row in rows_of(release)["calls"]}
    assert states == {"running", "captured", "released"}
    assert any(row["held"] for row in rows_of(release)["accounts"])


@pytest.mark.parametrize("release", EACH)
@in_loop
async def test_the_export_of_an_older_release_is_imported_whole_and_its_books_are_right(
    place: Any, release: str
) -> None:
    async with imported(place, release) as world:
        database: Any = world.storage.database
        assert await database.read(revision) == HEAD
        now = {table.name: table for table in backup.TABLES}
        for name, rows in rows_of(release).items():
            found = await database.scan(
                lambda db, table=now[name]: db.execute(table.select()).mappings().all()
            )
            told = [{column: backup._encoded(row[column]) for column in rows[0]} for row in found]
            assert sorted(told, key=json.dumps) == sorted(rows, key=json.dumps), name


@pytest.mark.parametrize("release", EACH)
@in_loop
async def test_life_goes_on_after_the_import_of_an_older_release(place: Any, release: str) -> None:
    async with imported(place, release) as world:
        li, wang = [each.id for each in await world.storage.accounts.listed() if each.email]
        await lived(world, li, wang)
        # What is sealed is sealed again.
        database: Any = world.storage.database
        with pytest.raises(StoreError, match="append-only"):
            await database.write(lambda db: db.execute(text("DELETE FROM entries")))


async def lived(world: World, who: str, other: str) -> None:
    """A bit of everything; the books are right afterwards."""
    ledger, forum, now = world.storage.ledger, world.storage.forum, world.clock.now_ms()
    number = world.ids.uuid()
    assert await ledger.post("grant", who, 30, f"order-{number}", ACTOR)
    await world.captured(who, result='{"a":1}')
    failed = await world.admitted(who, key=f"k-{number}")
    assert await ledger.release(failed.id, "UPSTREAM_ERROR", day=4)
    await succeeded(world, who, f"run-{number}", thread_id=number)
    post = Post(world.ids.uuid(), who, "题", "文", "李", "human", ("a",), 1985, None, now)
    await forum.add_post(post, None, "{}")
    await forum.add_comment(
        Comment(world.ids.uuid(), post.id, other, "好", "王", "human", None, now), None, "{}"
    )
    await forum.like(post.id, other, True, now)
    assert await ledger.verify() == []


@pytest.mark.parametrize("release", EACH)
def test_tables_of_an_older_release_are_exported_as_that_release_did(tmp_path: Path, release: str) -> None:
    """For who installed the newer release before thinking of a backup."""
    engine = create_engine(f"sqlite:///{tmp_path}/hub.db")
    with engine.begin() as db:
        migrate(db)
        fill(db, EXPORTS / release)
        export_tables(db, tmp_path / "export", with_keys=True)
    engine.dispose()
    for file in (EXPORTS / release).iterdir():
        assert (tmp_path / "export" / file.name).read_bytes() == file.read_bytes(), file


def test_tables_of_a_newer_release_are_not_exported_in_part(
    new_file: Callable[[], Path], tmp_path: Path
) -> None:
    engine = create_engine(f"sqlite:///{new_file()}")
    with engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(NewerSchema, match="9999"):
            export_tables(db, tmp_path / "export", with_keys=True)
    engine.dispose()
    assert not (tmp_path / "export").exists()


# --- two releases on one database ----------------------------------------------------------------------------------------

# What a revision may do: tables of its own, and columns that who does not know them need not fill.
NEXT = (
    "CREATE TABLE next_things (id TEXT PRIMARY KEY, body TEXT NOT NULL)",
    *(
        f"ALTER TABLE {table} ADD COLUMN next_{kind}"
        for table in (
            "accounts", "calls", "journal", "entries", "posts", "comments", "runs", "run_messages",
            "results",
        )
        for kind in ("text TEXT", "flag BOOLEAN NOT NULL DEFAULT FALSE")
    ),
    "CREATE INDEX next_calls ON calls (next_text)",
    "UPDATE alembic_version SET version_num = '9999'",
)  # fmt: skip


@in_loop
async def test_a_worker_goes_on_beside_the_tables_of_the_next_release(place: Any) -> None:
    """It finishes what runs and takes what still comes, and is no longer ready; a new one of its release does not start."""
    async with opened(place) as world:
        database: Any = world.storage.database
        who, other = await world.account(50), await world.account(50)
        await lived(world, who, other)
        running = await world.admitted(who)
        await world.storage.migrated()

        def upgrade(db: Any) -> None:
            for statement in NEXT:
                db.execute(text(statement))

        await database.write(upgrade)
        with pytest.raises(StoreError):
            await world.storage.migrated()
        assert await world.storage.ledger.capture(running.id, "{}") is not None
        await lived(world, who, other)
        assert isinstance(await world.storage.ledger.hold(world.call(who)), Admitted)
        # On SQLite the lock alone keeps a second one out; the first has to be gone before.
        with pytest.raises((NewerSchema, DatabaseInUse)):
            await second(place).open()
    with pytest.raises(NewerSchema, match="older than they are"):
        await second(place).open()


def second(place: Any) -> Any:
    kind: Any = SqliteStorage if isinstance(place, Path) else PostgresStorage
    return kind(place, FakeClock(), FakeIds())


@pytest.mark.parametrize(("older", "newer"), [*pairwise(FROZEN)])
def test_a_revision_takes_nothing_from_the_release_before(
    new_file: Callable[[], Path], older: str, newer: str
) -> None:
    """A worker of that release may be running: its tables and columns stay, and new columns fill themselves."""
    before, after = (tables_at(new_file(), each) for each in (older, newer))
    assert before.keys() <= after.keys()
    for name, table in before.items():
        columns = {column.name: column for column in after[name].columns}
        for column in table.columns:
            kept = columns.pop(column.name)
            assert (str(kept.type), kept.nullable) == (str(column.type), column.nullable), (
                f"{name}.{column.name}"
            )
        for added in columns.values():
            assert added.nullable or added.server_default is not None, f"{name}.{added.name}"


def tables_at(file: Path, release: str) -> dict[str, Any]:
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as db:
        start_over(db, release)
        found = MetaData()
        found.reflect(db)
    engine.dispose()
    return {table.name: table for table in found.sorted_tables if table.name != "alembic_version"}
