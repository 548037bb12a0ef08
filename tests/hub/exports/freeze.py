"""Writes the export of one release, to be kept: what every later release can still import.

It is run by the release itself, whose tables and format it freezes. From the root of this checkout, for a release at COMMIT:

    git archive COMMIT | tar -x -C /tmp/release
    PYTHONPATH=/tmp/release python tests/hub/exports/freeze.py tests/hub/exports/REVISION

Each was made by the last commit before the next revision of the tables: 0001 by 4721995, 0002 by 101e4db, 0003 by
0d81645, 0004 by 942fbde. A revision that comes later is frozen before it is released; a test asks for it. What is
frozen is never written again.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from bazi_hub.ports import Comment, Key, Post, Price, Saved, Session
from bazi_hub.store.backup import export_tables
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds, World

ACTOR = "os:operator"
DAY_MS = 86_400_000


async def people(world: World) -> tuple[str, str]:
    """Two who stay and one who was erased; keys, sessions, an invitation."""
    storage, now = world.storage, world.clock.now_ms()
    li = await world.account(25, email="Li@example.org", display_name="李")
    wang = await world.account(10, email="wang@example.org", language="zh-Hans")
    gone = await world.account(3, email="gone@example.org")
    await storage.accounts.change(wang, ACTOR, password_hash="$argon2id$nothing")
    await storage.accounts.erase(gone, ACTOR)
    for number, flavor in enumerate(("personal", "agent")):
        named = "Robin" if flavor == "agent" else None
        key = Key(f"key0000{number}", li, flavor, bytes(range(number, 32 + number)), "p1", named, now)
        await storage.keys.add(key, 20, ACTOR)
    await storage.keys.revoke("key00001", now + 5, ACTOR)
    await storage.sessions.add(Session("s1", wang, "csrf", now, now, now + DAY_MS))
    await storage.accounts.invite("hash of an invitation", now + DAY_MS, ACTOR)
    return li, wang


async def money(world: World, li: str, wang: str) -> None:
    """Grants, charges, a quota used and one in use, a refund, a failure, a hold that stands, a price that changed."""
    ledger = world.storage.ledger
    await ledger.post("grant", li, 100, "order-1", ACTOR, "paid")
    await ledger.post("adjust", wang, -1, "slip-1", ACTOR, "entered twice")
    await world.captured(li, result='{"八字":"' + "乙丑" * 700 + '"}')
    await world.captured(li, "bazi_basic_analysis")
    await world.captured(li, "bazi_basic_analysis", key="mine")
    refunded = await world.captured(wang)
    await ledger.post("refund", wang, 4, refunded.id, ACTOR, "not what was asked", refunded.id)
    failed = await world.admitted(li, key="k1")
    await ledger.release(failed.id, "UPSTREAM_ERROR", day=3)
    await world.admitted(li)
    await world.admitted(wang, "bazi_basic_analysis")
    await world.storage.pricing.set(Price("bigluck_year_analysis", 2, 2, 0, True), ACTOR)


async def words(world: World, li: str, wang: str) -> None:
    """Posts, one of them hidden, a comment, a like; charts and a link."""
    forum, charts, now = world.storage.forum, world.storage.charts, world.clock.now_ms()
    seen = Post(world.ids.uuid(), li, "题", "文\n第二行", "李", "human", ("a", "b"), 1985, None, now)
    hidden = Post(world.ids.uuid(), wang, "spam", "spam", "王", "agent", (), None, {"agent_name": "R"}, now)
    for post in (seen, hidden):
        await forum.add_post(post, None, "{}")
    said = {"agent_name": "R"}
    await forum.add_comment(
        Comment(world.ids.uuid(), seen.id, wang, "好", "王", "agent", said, now), None, "{}"
    )
    await forum.like(seen.id, wang, True, now)
    await forum.hide("post", hidden.id, True, "spam", ACTOR)
    await charts.add(Saved("c1", li, "chart", "mine", '{"birth":"1990-05-15T13:30"}', now))
    await charts.share("c1", li, "hash of a link", now)


async def divinations(world: World, li: str) -> None:
    """A run that was paid, where the release has runs."""
    try:
        from tests.hub.promises.runs import succeeded
    except ImportError:
        return
    await succeeded(world, li)


async def freeze(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        storage = SqliteStorage(Path(place) / "hub.db", FakeClock(), FakeIds())
        await storage.open()
        world = World(storage, storage.database.clock, storage.database.ids)
        li, wang = await people(world)
        await money(world, li, wang)
        await words(world, li, wang)
        await divinations(world, li)
        assert await storage.ledger.verify() == []
        await storage.database.scan(lambda db: export_tables(db, folder, True))
        await storage.close()


if __name__ == "__main__":
    asyncio.run(freeze(Path(sys.argv[1])))
