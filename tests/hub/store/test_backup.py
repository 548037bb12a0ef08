"""What is exported from one engine is imported into either, row by row."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from bazi_hub.ports import Comment, Conflict, Key, NewerSchema, Post, Saved, Session
from bazi_hub.store.backup import MANIFEST, TABLES, export_tables, import_from
from bazi_hub.store.migrate import HEAD
from bazi_hub.store.sqlite.database import reading
from tests.hub.databases import ENGINES, on_postgres, on_sqlite
from tests.hub.promises.runs import succeeded
from tests.hub.stories import in_loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from bazi_hub.testing import World

ACTOR = "os:operator"


@pytest.fixture
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """Opens an empty storage of an engine."""
    numbers = iter(range(10))
    needs_server = request.node.get_closest_marker("postgres")
    new_url = request.getfixturevalue("new_url") if needs_server else None

    def opened(engine: str, **options: Any) -> AbstractAsyncContextManager[World]:
        if engine == "sqlite":
            return on_sqlite(tmp_path / f"{next(numbers)}.db", **options)
        return on_postgres(new_url(), **options)

    return opened


async def furnish(world: World) -> str:
    """A row in every table that is exported."""
    storage, now = world.storage, world.clock.now_ms()
    account_id = await world.account(25, email="li@example.org", display_name="李")
    await storage.keys.add(
        Key("key00001", account_id, "agent", bytes(range(32)), "p1", "Robin", now), 20, ACTOR
    )
    await storage.sessions.add(Session("s", account_id, "csrf", now, now, now + 1000))
    await storage.accounts.invite("hash", now + 1000, ACTOR)
    await world.captured(account_id, result='{"八字":"' + "乙" * 2000 + '"}')
    await world.captured(account_id, "bazi_basic_analysis")
    failed = await world.admitted(account_id, key="k1")
    await storage.ledger.release(failed.id, "UPSTREAM_ERROR", day=3)
    post = Post(world.ids.uuid(), account_id, "题", "文\n", "李", "human", ("a", "b"), 1985, None, now)
    await storage.forum.add_post(post, None, "{}")
    await storage.forum.add_comment(
        Comment(world.ids.uuid(), post.id, account_id, "好", "李", "agent", {"agent_name": "R"}, now),
        None,
        "{}",
    )
    await storage.forum.like(post.id, account_id, True, now)
    await storage.charts.add(Saved("c1", account_id, "chart", "mine", "{}", now))
    await storage.charts.share("c1", account_id, "token", now)
    await succeeded(world, account_id)
    return account_id


async def exported(world: World, folder: Path, with_keys: bool = False) -> dict[str, Any]:
    return await world.storage.database.scan(lambda db: export_tables(db, folder, with_keys))


async def rows(world: World) -> dict[str, list[Any]]:
    storage: Any = world.storage
    return await storage.database.scan(
        lambda db: {
            table.name: [tuple(row) for row in db.execute(select(table).order_by(*table.primary_key.columns))]
            for table in TABLES
        }
    )


@pytest.mark.parametrize("source", ENGINES)
@pytest.mark.parametrize("target", ENGINES)
@in_loop
async def test_an_export_is_imported_row_by_row_into_either_engine(
    world: Callable[..., Any], tmp_path: Path, source: str, target: str
) -> None:
    async with world(source) as old, world(target, prices=()) as new:
        account_id = await furnish(old)
        manifest = await exported(old, tmp_path / "export", with_keys=True)
        assert {name: bool(table["rows"]) for name, table in manifest["tables"].items()} == {
            table.name: True for table in TABLES
        }
        assert await import_from(new.storage.database, tmp_path / "export") == []
        assert await rows(new) == await rows(old)
        # And it goes on: numbers, money, the forum.
        assert await new.storage.ledger.post("grant", account_id, 5, "order-9", ACTOR)
        assert await new.storage.ledger.verify() == []


@in_loop
async def test_hashes_of_keys_stay_at_home_unless_they_are_asked_for(
    world: Callable[..., Any], tmp_path: Path
) -> None:
    async with world("sqlite") as old, world("sqlite", prices=()) as new:
        await furnish(old)
        await exported(old, tmp_path / "export")
        (line,) = (tmp_path / "export" / "api_keys.jsonl").read_text(encoding="utf-8").splitlines()
        assert json.loads(line)["digest"] == ""
        await import_from(new.storage.database, tmp_path / "export")
        found = await new.storage.keys.find("key00001")
        assert found is not None
        assert found[0].digest == b""


@pytest.mark.parametrize("exists", [False, True])
def test_an_export_is_for_its_owner_alone_whatever_the_mask_of_the_process(
    world: Callable[..., Any], tmp_path: Path, exists: bool
) -> None:
    folder = tmp_path / "export"
    if exists:
        folder.mkdir(mode=0o755)

    async def story() -> None:
        async with world("sqlite") as old:
            await furnish(old)
            await exported(old, folder, with_keys=True)

    before = os.umask(0)
    try:
        asyncio.run(story())
    finally:
        os.umask(before)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (modes, len([*folder.iterdir()])) == ({0o600}, len(TABLES) + 1)
    assert exists or stat.S_IMODE(folder.stat().st_mode) == 0o700


@in_loop
async def test_an_export_goes_through_no_link(world: Callable[..., Any], tmp_path: Path) -> None:
    async with world("sqlite") as old:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "export").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(Conflict, match="symbolic link"):
            await exported(old, tmp_path / "export")
        assert [*(tmp_path / "elsewhere").iterdir()] == []


@in_loop
async def test_a_file_that_was_altered_is_not_imported(world: Callable[..., Any], tmp_path: Path) -> None:
    async with world("sqlite") as old, world("sqlite", prices=()) as new:
        await furnish(old)
        await exported(old, tmp_path / "export")
        file = tmp_path / "export" / "accounts.jsonl"
        file.write_text(file.read_text(encoding="utf-8").replace("李", "王"), encoding="utf-8")
        with pytest.raises(ValueError, match=r"accounts\.jsonl"):
            await import_from(new.storage.database, tmp_path / "export")
        assert await new.storage.accounts.listed() == []


@in_loop
async def test_an_export_of_a_newer_schema_is_refused(world: Callable[..., Any], tmp_path: Path) -> None:
    async with world("sqlite") as old, world("sqlite", prices=()) as new:
        await exported(old, tmp_path / "export")
        manifest = tmp_path / "export" / MANIFEST
        manifest.write_text(
            manifest.read_text(encoding="utf-8").replace(f'"{HEAD}"', '"9999"'), encoding="utf-8"
        )
        with pytest.raises(NewerSchema, match="9999") as refused:
            await import_from(new.storage.database, tmp_path / "export")
        assert (refused.value.schema, refused.value.known) == ("9999", HEAD)
        assert await new.storage.ledger.verify() == []


@in_loop
async def test_an_export_that_lacks_a_table_is_not_imported(
    world: Callable[..., Any], tmp_path: Path
) -> None:
    async with world("sqlite") as old, world("sqlite", prices=()) as new:
        await furnish(old)
        manifest = await exported(old, tmp_path / "export")
        del manifest["tables"]["likes"]
        (tmp_path / "export" / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        with pytest.raises(ValueError, match="does not name the tables"):
            await import_from(new.storage.database, tmp_path / "export")
        assert await new.storage.accounts.listed() == []


@in_loop
async def test_nothing_is_imported_over_something(world: Callable[..., Any], tmp_path: Path) -> None:
    async with world("sqlite") as old:
        await furnish(old)
        await exported(old, tmp_path / "export")
        with pytest.raises(Conflict):
            await import_from(old.storage.database, tmp_path / "export")
        with pytest.raises(Conflict):
            await exported(old, tmp_path / "export")


@in_loop
async def test_a_file_is_exported_beside_the_hub_that_uses_it(
    world: Callable[..., Any], tmp_path: Path
) -> None:
    async with world("sqlite") as old:
        await furnish(old)
        with reading(old.storage.database.path) as db:
            manifest = export_tables(db, tmp_path / "export", with_keys=False)
        assert manifest["tables"]["accounts"]["rows"] == 1
