"""Every tool and every error through every door: the same bytes, the same effects."""

import json
import re

import pytest

from bazi_core.errors import PortRefused, PortTimeout, PortUnavailable
from bazi_hub.ports import Price, StoreError
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.words.errors import CODES
from tests.hub.transports import DOORS, Direct
from tests.hub.worlds import BIRTH, T1, T2, T3, T4, Broken, Reader, on_day, plays

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NOBODY = "00000000-0000-4000-8000-00000000ffff"


def numbered(text):
    """The text with every id replaced by its turn: ids are counted, and transports count their requests too."""
    seen = {}
    return UUID.sub(lambda found: f"<{seen.setdefault(found[0], len(seen))}>", text or "")


async def effects(world):
    """What a run left behind: postings, records, posts, quota."""
    ledger, forum = world.storage.ledger, world.storage.forum
    entries, records = await ledger.entries("account-1"), await ledger.history("account-1", 100)
    posts = await forum.posts(0, 50, None, None)
    return {
        "entries": [(each.kind, each.amount, each.posted_after) for each in entries],
        "history": [(each.tool, each.credits_deducted, each.state, each.error) for each in records],
        "posts": [(each.title, each.author_type, each.likes_count, each.comments_count) for each in posts],
        "quota": (await ledger.standing("account-1")).free,
    }


def through(kind, script, **more):
    """What a script of calls is told through a door, and its effects."""
    found = {}

    async def story(world):
        door = kind(world)
        found["told"] = await script(world, door)
        found["effects"] = await effects(world)

    plays(story, **more)
    return found


async def every_tool(world, door):
    told = []

    async def ask(tool, arguments, flavor="personal", key=None):
        told.append(await door.ask(tool, arguments, flavor, key))
        return json.loads(told[-1].text)

    for flavor in ("personal", "agent"):
        await ask("get_skill_info", {}, flavor)
        await ask("get_user_credits", {}, flavor)
    base = await ask(T1, BIRTH)
    pattern = await ask(T2, {"base_context": base, "language": "en"}, key="once")
    await ask(T2, {"base_context": base, "language": "en"}, key="once")
    year = await ask(T3, {"base_context": base, "pattern_result": pattern, "target_year": 2026})
    await ask(T4, {"year_analysis_result": year, "pattern_result": pattern, "question": "今年适合换工作吗？"})
    made = await ask("forum_create_post", {"title": "丙午", "content": "火旺\n🔥", "tags": ["流年"]}, "agent")
    post = {"post_id": made["post_id"]}
    await ask("forum_create_comment", {**post, "content": "同感"}, "agent")
    await ask("forum_like_post", post)
    await ask("forum_like_post", {**post, "action": "unlike"})
    await ask("forum_list_posts", {"include": "agent_metadata"})
    await ask("forum_get_post", post)
    await ask("get_usage_history", {"limit": 5})
    return told


@pytest.mark.parametrize("door", DOORS[1:], ids=lambda door: door.__name__)
def test_every_tool_does_the_same_whatever_brought_it(door):
    expected, found = through(Direct, every_tool), through(door, every_tool)
    for one, other in zip(expected["told"], found["told"], strict=True):
        assert numbered(one.text) == numbered(other.text)
        assert one[1:] == other[1:]
    assert expected["effects"] == found["effects"]


async def every_error(world, door):
    told = []

    async def ask(tool, arguments, flavor="personal", key=None):
        told.append(await door.ask(tool, arguments, flavor, key))

    await ask("bazi_basic_analisys", {})
    await ask(T1, {"birth_year": "x", "zodiac": 1})
    await ask(T1, {**BIRTH, "location": {"city_name": "Nowhereville"}})
    await ask("forum_get_post", {"post_id": NOBODY})
    await ask("get_usage_history", {"limit": "x"})
    await world.storage.pricing.set(Price(T3, 1, 1, 0, False), "test")
    await ask(T3, {})
    await ask(T4, {"year_analysis_result": {}, "pattern_result": {}})
    await ask(T2, BIRTH, key="k")
    await ask(T2, on_day(16), key="k")
    for fault in (PortTimeout("x", timeout_s=60), PortUnavailable("x", status=503), PortRefused("x")):
        world.reader.error = fault
        await ask(T2, on_day(17))
    for _ in range(11):
        await ask(T2, {}, "agent")
    await ask("forum_create_post", {"title": "t", "content": "c"})
    await ask("forum_create_post", {"title": "t", "content": "c"})
    account = await world.storage.ledger.account("account-1")
    await world.storage.ledger.post("adjust", "account-1", -account.posted, "empty", "test", "empty")
    await ask(T2, on_day(18))
    kept = {name: getattr(world.storage, name) for name in ("ledger", "forum")}
    for name in kept:
        setattr(world.storage, name, Broken(StoreError("x")))
    await ask("get_user_credits", {})
    await ask("forum_list_posts", {})
    await ask(T1, BIRTH)
    for name in kept:
        setattr(world.storage, name, Broken(StoreError("x", read_only=True)))
    await ask("get_user_credits", {})
    for name, store in kept.items():
        setattr(world.storage, name, store)
    world.hub.draining = True
    await ask(T1, BIRTH)
    world.hub.draining = False
    return told


def failed(door):
    reader = Reader(15)

    async def script(world, entry):
        world.reader = reader
        return await every_error(world, entry)

    return through(door, script, reader=reader)


@pytest.mark.parametrize("door", DOORS[1:], ids=lambda door: door.__name__)
def test_every_error_is_the_same_whatever_brought_it(door):
    expected, found = failed(Direct), failed(door)
    for one, other in zip(expected["told"], found["told"], strict=True):
        assert one._replace(text=numbered(one.text)) == other._replace(text=numbered(other.text))
    assert expected["effects"] == found["effects"]


def test_the_script_meets_every_code_that_a_tool_can_answer_with():
    met = {told.code for told in failed(Direct)["told"]} - {None}
    # The rest are of the transport: no body, no verb, no credential, no path.
    transport = {"PARSE_ERROR", "INVALID_BODY", "UNAUTHORIZED", "AUTH_BACKEND_ERROR"}
    transport |= {"METHOD_NOT_ALLOWED", "GONE_DEPRECATED"}
    assert met == set(CODES) - transport - {"JOB_NOT_FOUND"}
    assert len(CATALOG) == 12
