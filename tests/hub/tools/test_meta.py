"""m1–m3: what there is, what it costs now, what was used."""

from functools import partial

import pytest

from bazi_core import __version__
from bazi_hub.ports import Account, Price
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.words.call import Caller
from tests.hub.divination import runworld
from tests.hub.worlds import AGENT, BIRTH, BROWSER, ME, T1, T2, Reader, in_world, on_day

IDS = ["m1", "m2", "m3", "t1", "t2", "t3", "t4", "f1", "f2", "f3", "f4", "f5"]
FORTUNE = [
    "bazi_basic_analysis", "bazi_pattern_analysis", "bigluck_year_analysis", "bigluck_year_fortune_eval",
]  # fmt: skip


@in_world
async def test_twelve_tools_stand_in_their_order_with_all_that_a_client_needs(world):
    info = await world.told("get_skill_info")
    assert [tool["id"] for tool in info["tools"]] == IDS
    assert info["version"] == __version__
    assert [each["tool_name"] for each in info["fortune_pricing"]] == FORTUNE
    for tool in info["tools"]:
        assert list(tool) == [
            "id", "name", "category", "description", "cost", "llm", "auth", "limit", "enabled", "input_schema",
        ]  # fmt: skip
    assert [tool["cost"] for tool in info["tools"][:3]] == [0, 0, 0]
    assert [tool["id"] for tool in info["tools"] if tool["llm"]] == []
    assert "entertainment" in info["disclaimer"]


@in_world
async def test_schemas_are_left_out_for_whom_has_them_from_a_list(world):
    whole, short = [await world.told("get_skill_info", each) for each in ({}, {"schemas": False})]
    for tool in whole["tools"]:
        del tool["input_schema"]
    assert short == whole


@in_world
async def test_any_tool_that_is_switched_off_says_so(world):
    for name in ("get_user_credits", "forum_like_post", "bazi_basic_analysis"):
        await world.storage.pricing.set(Price(name, 0, 0, 0, False), "test")
        error = await world.refused(name, {"post_id": "x"})
        assert (error.name, error.members) == ("TOOL_DISABLED", {"tool_name": name})


@in_world(reader=Reader)
async def test_where_a_model_takes_part_the_tools_say_so(world):
    info = await world.told("get_skill_info")
    assert [tool["id"] for tool in info["tools"] if tool["llm"]] == ["t2", "t4"]


def test_credentials_of_each_tool_are_those_of_the_table():
    keys, all_three = ["personal", "agent"], ["personal", "agent", "cookie"]
    assert {tool.id: tool.auth for tool in CATALOG.values()} == {
        each: keys if each.startswith("t") else all_three for each in IDS
    }


@in_world
async def test_limits_of_each_tool_are_those_of_the_table(world):
    info = await world.told("get_skill_info")
    found = {tool["id"]: tool["limit"] for tool in info["tools"] if tool["limit"]}
    meta, fortune = {"type": "meta_call", "per_minute": 60}, {"type": "fortune_call", "per_minute": 10}
    assert found == {
        **dict.fromkeys(("m2", "m3"), meta),
        **dict.fromkeys(("t1", "t2", "t3", "t4"), fortune),
        "f3": {"type": "post", "per_minute": 1},
        "f4": {"type": "comment", "per_minute": 5},
    }


@in_world
async def test_prices_are_live_and_a_tool_that_is_off_says_so(world):
    await world.storage.pricing.set(Price(T2, 7, 9, 0, False), "test")
    info = await world.told("get_skill_info")
    [tool] = [each for each in info["tools"] if each["name"] == T2]
    assert (tool["cost"], tool["enabled"]) == (7, False)
    assert {"tool_name": T2, "credit_cost": 7} in info["fortune_pricing"]
    credit = await world.told("get_user_credits")
    assert {"tool_name": T2, "credit_cost": 7, "min_balance": 9} in credit["pricing"]
    assert [each["tool_name"] for each in credit["pricing"]] == FORTUNE


@in_world
async def test_a_balance_tells_what_is_held_and_what_remains_free(world):
    assert await world.told("get_user_credits", {}, BROWSER) == {
        "balance": 25, "held": 0, "available": 25,
        "free_remaining": [{"tool_name": T1, "remaining": 1}],
        "pricing": [
            {"tool_name": name, "credit_cost": cost, "min_balance": cost}
            for name, cost in zip(FORTUNE, (1, 4, 1, 6), strict=True)
        ],
    }  # fmt: skip
    await world.told(T1, BIRTH)
    assert (await world.told("get_user_credits"))["free_remaining"] == [{"tool_name": T1, "remaining": 0}]


@in_world
async def test_every_tool_with_a_free_quota_is_listed_with_what_this_account_has_of_it(world):
    await world.storage.pricing.set(Price(T2, 4, 4, 2, True), "test")
    late = Account("account-2", None, None, "active", None, world.clock.now_ms())
    await world.storage.accounts.create(late, 25, "test")
    for caller, left in ((ME, 0), (Caller(late.id, "personal"), 2)):
        assert (await world.told("get_user_credits", {}, caller))["free_remaining"] == [
            {"tool_name": T1, "remaining": 1},
            {"tool_name": T2, "remaining": left},
        ]
    assert (await world.ask(T2, BIRTH)).credits_deducted == 4
    await world.storage.pricing.set(Price(T1, 1, 1, 0, True), "test")
    assert (await world.told("get_user_credits"))["free_remaining"][0] == {"tool_name": T1, "remaining": 1}
    assert (await world.ask(T1, BIRTH)).from_free_quota


def test_a_run_that_was_cancelled_has_failed_without_an_error():
    async def story(web):
        await web.held_up()
        run = f"{runworld.RUNS}/{runworld.THREAD}?runId={runworld.RUN}"
        assert (await web.ask("DELETE", run)).json["status"] == "cancelled"
        history = await web.ask("POST", "/api/universal/meta/get_usage_history", {})
        [record] = history.json["data"]
        assert record["tool_name"] == "divination_run"
        assert (record["status"], record["error"], record["credits_deducted"]) == ("failed", None, 0)

    runworld.plays(story, reader=runworld.Model())


@in_world(reader=partial(Reader, 15))
async def test_a_history_is_newest_first_and_tells_failures_without_a_charge(world):
    reader = world.reader
    await world.told(T2, BIRTH)
    world.clock.advance(1)
    reader.error = RuntimeError("x")
    await world.refused(T2, on_day(16))
    world.clock.advance(1)
    await world.told(T1, BIRTH)
    found = await world.told("get_usage_history")
    assert [
        (each["tool_name"], each["status"], each["credits_deducted"], each["error"]) for each in found
    ] == [(T1, "success", 0, None), (T2, "failed", 0, "UPSTREAM_ERROR"), (T2, "success", 4, None)]
    assert list(found[0]) == [
        "id", "tool_name", "credits_deducted", "status", "error", "duration_ms", "started_at", "completed_at",
    ]  # fmt: skip
    assert found[0]["started_at"] == "2026-03-01T12:34:12.000Z"


@pytest.mark.parametrize(("limit", "count"), [(None, 10), (3, 3), (0, 1), (-1, 1), (1000, 12), (2.0, 2)])
@in_world
async def test_a_history_has_as_many_records_as_asked_for_within_bounds(world, limit, count):
    for day in range(1, 13):
        await world.told(T1, on_day(day))
    arguments = {} if limit is None else {"limit": limit}
    assert len(await world.told("get_usage_history", arguments)) == count


@in_world
async def test_a_limit_of_a_wrong_type_is_refused(world):
    for limit in ("3", 2.5, True):
        assert (await world.refused("get_usage_history", {"limit": limit})).name == "INVALID_INPUT"


@in_world
async def test_unknown_arguments_of_meta_tools_are_ignored(world):
    for tool in ("get_skill_info", "get_user_credits", "get_usage_history"):
        assert await world.told(tool, {"hello": 1}, AGENT) == await world.told(tool, {}, AGENT)
