"""Every tool for every credential: who is let in, and who is counted."""

import asyncio
import json
from functools import partial

import pytest

from bazi_hub.tools.catalog import CATALOG, TOOLS
from bazi_hub.words.call import Caller
from tests.hub.client import Connection, tool_call
from tests.hub.live import composed
from tests.hub.worlds import AGENT, BROWSER, ME, T1, T2, T3, T4, Reader, in_world

PAGE = Caller(ME.account_id, "web")
UNLIMITED = ("get_skill_info", "forum_list_posts", "forum_get_post", "forum_like_post")
METERED = (T1, T2, T3, T4)


def test_no_tool_is_called_without_a_credential():
    async def run():
        app, _, hub = await composed()
        found = []
        for tool in TOOLS:
            for path, body in (("/api/mcp", tool_call(tool.name)), (tool.path, {})):
                found.append(await Connection(app, path, json.dumps(body).encode()).run())
        await hub.close(0)
        return found

    found = asyncio.run(run())
    assert len(found) == 24
    assert {response.status for response in found} == {401}
    for over_mcp, over_rest in zip(found[::2], found[1::2], strict=True):
        assert over_mcp.json["error"]["data"] == {"detail": "Unauthorized"}
        assert over_rest.json["error"] == {"code": "UNAUTHORIZED", "message": "Unauthorized"}


@pytest.mark.parametrize("tool", METERED)
@in_world
async def test_a_cookie_is_told_that_fortune_tools_need_a_key(world, tool):
    error = await world.refused(tool, {}, BROWSER)
    assert (error.name, error.data) == ("UNAUTHORIZED", {"detail": "API key required"})
    assert (await world.refused(tool, {}, PAGE)).name == "INVALID_INPUT"


@pytest.mark.parametrize("tool", UNLIMITED)
@pytest.mark.parametrize("caller", [ME, AGENT, BROWSER, PAGE], ids=lambda caller: caller.kind)
@in_world
async def test_what_has_no_limit_is_never_counted(world, tool, caller):
    for _ in range(70):
        outcome = await world.ask(tool, {}, caller)
        assert outcome.window is None
        assert outcome.error is None or outcome.error.name == "INVALID_INPUT"


@pytest.mark.parametrize("caller", [ME, PAGE], ids=lambda caller: caller.kind)
@in_world
async def test_a_person_has_no_window_on_fortune_tools(world, caller):
    for number in range(24):
        outcome = await world.ask(METERED[number % 4], {}, caller)
        assert (outcome.error.name, outcome.window) == ("INVALID_INPUT", None)


@pytest.mark.parametrize("caller", [ME, BROWSER, PAGE], ids=lambda caller: caller.kind)
@in_world
async def test_a_person_has_no_window_on_meta_tools(world, caller):
    for number in range(70):
        tool = "get_user_credits" if number % 2 else "get_usage_history"
        outcome = await world.ask(tool, {}, caller)
        assert (outcome.error, outcome.window) == (None, None)


@pytest.mark.parametrize("caller", [ME, AGENT, BROWSER, PAGE], ids=lambda caller: caller.kind)
@in_world
async def test_a_second_post_of_a_minute_is_limited_whoever_writes_it(world, caller):
    post = {"title": "t", "content": "c"}
    await world.told("forum_create_post", post, caller)
    for other in (ME, AGENT, BROWSER, PAGE):
        error = await world.refused("forum_create_post", post, other)
        assert (error.data["limit_type"], error.data["limit"], error.data["retry_after"]) == ("post", 1, 50)
    world.clock.advance(50)
    assert (await world.told("forum_create_post", post, caller))["success"] is True


@in_world
async def test_all_four_fortune_tools_share_the_ten_calls_of_an_agents_minute(world):
    left = [(await world.ask(METERED[number % 4], {}, AGENT)).window.remaining for number in range(10)]
    assert left == [*range(9, -1, -1)]
    for tool in METERED:
        assert (await world.refused(tool, {}, AGENT)).data["limit_type"] == "fortune_call"


@in_world(reader=partial(Reader, 15))
async def test_a_reading_by_a_model_costs_its_price_and_nothing_for_the_model(world):
    reader = world.reader
    outcome = await world.ask(T2, CATALOG[T2].example)
    assert (outcome.credits_deducted, reader.asked) == (4, 1)
    amounts = [entry.amount for entry in await world.storage.ledger.entries(ME.account_id)]
    assert amounts == [25, -4]
