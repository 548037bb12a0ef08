"""What a call is told of itself, what comes first when several checks fail, and what is left of it."""

import asyncio
import itertools
import json
from functools import partial

import pytest

from bazi_hub.ports import Price
from tests.hub.client import Connection, tool_call
from tests.hub.live import composed
from tests.hub.worlds import AGENT, BIRTH, ME, T1, T2, Reader, in_world, on_day, plays
from tests.waiting import eventually

FREE = {"credits_deducted": 0, "from_free_quota": False, "call_id": None, "replayed": False}


def exchanged(*requests, **headers):
    """The responses of a fresh hub to a personal key: of each request its path and its body."""

    async def run():
        app, keys, hub = await composed()
        sent = {
            "x-api-key": keys.personal,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        found = [
            await Connection(app, path, json.dumps(body).encode(), headers=sent).run()
            for path, body in requests
        ]
        await hub.close(0)
        return found

    return asyncio.run(run())


def test_every_result_over_mcp_has_the_four_members_of_its_charge():
    post = tool_call(
        "forum_create_post", {"title": "t", "content": "c"}, _meta={"bazi.hub/idempotency_key": "k"}
    )
    found = exchanged(
        ("/api/mcp", tool_call("get_skill_info")), ("/api/mcp", tool_call("forum_list_posts")), ("/api/mcp", post),
        ("/api/mcp", tool_call(T1, BIRTH)), ("/api/mcp", tool_call(T1, on_day(16))),
    )  # fmt: skip
    metas = [response.json["result"]["_meta"] for response in found]
    assert metas[:3] == [FREE, FREE, FREE]
    assert [(meta["credits_deducted"], meta["from_free_quota"]) for meta in metas[3:]] == [
        (0, True),
        (1, False),
    ]
    assert all(meta["call_id"] and meta["replayed"] is False for meta in metas[3:])
    assert all(set(meta) == set(FREE) for meta in metas)


def test_an_event_stream_says_what_is_left_of_the_limit_like_any_other_answer():
    async def run():
        app, keys, hub = await composed(reader=Reader(15))
        sent = {"x-api-key": keys.agent, "accept": "application/json, text/event-stream"}
        call = json.dumps(tool_call(T2, BIRTH, _meta={"progressToken": "t"})).encode()
        found = await Connection(app, "/api/mcp", call, headers=sent).run()
        await hub.close(0)
        return found

    found = asyncio.run(run())
    assert found.headers["content-type"] == "text/event-stream"
    assert found.headers["ratelimit-policy"] == '"fortune_call";q=10;w=60'
    assert found.headers["ratelimit"].startswith('"fortune_call";r=9;t=')


@in_world
async def test_a_post_that_is_given_again_says_so_and_has_no_call(world):
    wanted = {"title": "t", "content": "c"}
    await world.ask("forum_create_post", wanted, key="k")
    world.clock.advance(60)
    again = await world.ask("forum_create_post", wanted, key="k")
    assert again.meta == {**FREE, "replayed": True}


def test_no_session_is_issued_and_one_that_comes_is_ignored():
    listed, called = exchanged(
        (
            "/api/mcp",
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        ),
        ("/api/mcp", tool_call()),
        mcp_session_id="what-i-was-given-elsewhere",
    )
    assert (listed.status, called.status) == (200, 200)
    assert "mcp-session-id" not in listed.headers | called.headers


@pytest.mark.parametrize("tool", ["meta/get_skill_info", "meta/get_usage_history", "forum/forum_list_posts"])
def test_a_key_for_retries_is_not_looked_at_where_nothing_is_kept_under_it(tool):
    (found,) = exchanged((f"/api/universal/{tool}", {}), idempotency_key="two words")
    assert found.status == 200
    assert "idempotent-replayed" not in found.headers


@in_world(reader=partial(Reader, 15))
async def test_a_call_that_runs_and_one_that_expired_stand_in_the_history(world):
    reader = world.reader
    reader.gate.clear()
    running = asyncio.create_task(world.ask(T2, BIRTH))
    await eventually(lambda: reader.asked)
    [record] = await world.told("get_usage_history")
    assert (record["status"], record["error"]) == ("running", None)
    assert (record["duration_ms"], record["completed_at"], record["credits_deducted"]) == (None, None, 0)
    world.clock.advance(91)
    await world.storage.ledger.reap()
    [record] = await world.told("get_usage_history")
    assert (record["status"], record["credits_deducted"]) == ("expired", 0)
    assert record["completed_at"] is not None
    reader.gate.set()
    await running


@in_world(credits=7)
async def test_a_refusal_and_a_replay_leave_no_line_in_the_history(world):
    await world.ask(T2, BIRTH, key="k")
    await world.ask(T2, BIRTH, key="k")
    await world.refused(T2, on_day(16))
    await world.refused(T2, {})
    await world.refused(T2, on_day(17), key="k")
    assert len(await world.told("get_usage_history")) == 1


@in_world
async def test_a_replay_is_a_hit_of_the_window_like_any_other_call(world):
    left = [(await world.ask(T2, BIRTH, AGENT, key="k")).window.remaining for _ in range(10)]
    assert left == [*range(9, -1, -1)]
    assert (await world.refused(T2, BIRTH, AGENT, key="k")).name == "RATE_LIMITED"
    assert await world.money() == (21, 0)


def test_of_the_checks_behind_the_arguments_the_earlier_decides():
    """Replay, the day's budget, room to wait, credits: each call fails for all that stands behind it, too."""
    reader = Reader(15)

    async def story(world):
        first = await world.ask(T2, BIRTH, key="k")
        await world.storage.pricing.set(Price(T2, 5000, 5000, 0, True), "test")
        world.hub.slots.room = lambda account_id: False
        assert (await world.refused(T2, on_day(16))).data["reason"] == "OVERLOADED"
        for _ in range(20):
            await world.storage.ledger.count_uncharged(ME.account_id, world.clock.now_ms() // 86_400_000)
        assert (await world.refused(T2, on_day(16))).data["limit_type"] == "uncharged_readings"
        assert (await world.ask(T2, BIRTH, key="k")).result == first.result
        world.hub.slots.room = lambda account_id: True
        world.clock.advance(86_400)
        assert (await world.refused(T2, on_day(16))).name == "INSUFFICIENT_CREDITS"

    plays(story, reader=reader)


@in_world(reader=partial(Reader, 15), llm_deadline_t2_s=0.05)
async def test_a_reader_that_hangs_is_given_up_at_its_deadline_and_the_hold_goes_back(world):
    reader = world.reader
    reader.gate.clear()
    ticks = itertools.count(1000.0, 1e-6)
    world.clock.monotonic = lambda: next(ticks)
    error = await world.refused(T2, BIRTH)
    assert (error.name, error.data["timeout_s"]) == ("UPSTREAM_TIMEOUT", 0.05)
    assert await world.money() == (25, 0)
    assert world.hub.slots.room(ME.account_id)
    [record] = await world.told("get_usage_history")
    assert (record["status"], record["error"]) == ("failed", "UPSTREAM_TIMEOUT")


@in_world
async def test_a_higher_least_balance_than_the_price_has_to_be_there(world):
    await world.storage.pricing.set(Price(T2, 4, 26, 0, True), "test")
    error = await world.refused(T2, BIRTH)
    assert (error.data["credit_cost"], error.data["min_balance"], error.data["reason"]) == (4, 26, "BALANCE")
    await world.storage.pricing.set(Price(T2, 4, 25, 0, True), "test")
    assert (await world.ask(T2, BIRTH)).credits_deducted == 4
