"""The toolset `all` and arguments as models write them, over REST and over MCP as the official clients send it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from bazi_hub.money.prices import DEFAULT_PRICES, FURTHER_PRICES
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.tools.toolsets import FURTHER
from tests.hub.databases import on_postgres, on_sqlite
from tests.hub.tools.test_written import BY_ID, ROWS, arguments
from tests.hub.transports import McpSdk, Rest
from tests.hub.worlds import BIRTH, ME, T1, in_world, plays, world

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hub.transports import Door
    from tests.hub.worlds import World

PRICES = (*DEFAULT_PRICES, *FURTHER_PRICES)
COST = {price.tool: price.credit_cost for price in PRICES}
DOORS = pytest.mark.parametrize("door", [Rest, McpSdk])


async def each_further_tool(made: World, door: type[Door]) -> None:
    """Every tool beside the twelve answers its example at its price."""
    there = door(made)
    asked = await there.ask(T1, {**BIRTH, "detail": "compact"})
    handle = json.loads(asked.text or "")["base_context"]["handle"]
    posted, _ = await made.money()
    for tool in FURTHER:
        given = {**tool.example, **({"base_context": handle} if "base_context" in tool.example else {})}
        told = await there.ask(tool.name, given)
        assert (told.code, told.credits_deducted) == (None, COST[tool.name]), (tool.name, told)
        posted -= COST[tool.name]
        assert await made.money() == (posted, 0)
    pricing = json.loads((await there.ask("get_user_credits", {})).text or "")["pricing"]
    assert {each["tool_name"]: each["credit_cost"] for each in pricing}.items() >= {
        (tool.name, COST[tool.name]) for tool in FURTHER
    }


@DOORS
def test_every_tool_beside_the_twelve_is_called_and_charged(door: type[Door]) -> None:
    clock, ids = FakeClock(), FakeIds()
    storage = MemoryStorage(clock, ids, prices=PRICES)
    parts = {"credits": 100, "storage": storage, "clock": clock, "ids": ids, "toolset": "all"}
    plays(lambda made: each_further_tool(made, door), **parts)


async def prices_come(opened: Callable[..., Any], place: Any, door: type[Door]) -> None:
    """A database that had only the prices of the twelve is given those of the others."""
    async with opened(place) as made:
        assert {*await made.storage.pricing.all()} == {price.tool for price in DEFAULT_PRICES}
    async with opened(place, prices=PRICES) as made:
        parts = {"storage": made.storage, "clock": made.clock, "ids": made.ids}
        async with world(100, toolset="all", **parts) as hub:
            await each_further_tool(hub, door)


def test_their_prices_come_to_a_file_that_had_only_those_of_the_twelve(tmp_path: Path) -> None:
    asyncio.run(prices_come(on_sqlite, tmp_path / "hub.db", Rest))


@pytest.mark.postgres
def test_their_prices_come_to_a_database_that_had_only_those_of_the_twelve(
    new_url: Callable[[], str],
) -> None:
    asyncio.run(prices_come(on_postgres, new_url(), McpSdk))


@DOORS
@in_world
async def test_a_tool_of_the_other_toolset_is_unknown(made: World, door: type[Door]) -> None:
    told = await door(made).ask("liuren_quick", {"time": "2026-04-03T20:30:00+08:00"})
    assert told.code == "UNKNOWN_TOOL"


@DOORS
def test_somebody_in_distress_is_answered_with_nothing_on_the_account(door: type[Door]) -> None:
    async def story(made: World) -> None:
        there = door(made)
        for tool in ("question_divination", "liuyao_divine"):
            told = await there.ask(tool, {"question": "我不想活了", "time": "2026-04-03T20:30:00+08:00"})
            assert (told.code, told.credits_deducted) == (None, 0), told
            assert "急救电话" in (told.text or "")
        asked = {"question": "今天适合谈合作吗？", "time": "2026-04-03T20:30:00+08:00"}
        assert (await there.ask("question_divination", asked)).code == "INSUFFICIENT_CREDITS"
        assert await made.storage.ledger.history(ME.account_id, 10) is not None

    clock, ids = FakeClock(), FakeIds()
    storage = MemoryStorage(clock, ids, prices=PRICES)
    plays(story, credits=0, storage=storage, clock=clock, ids=ids, toolset="all")


@DOORS
def test_what_models_write_is_answered_over_the_wire_with_the_argument_to_use(door: type[Door]) -> None:
    async def story(made: World) -> None:
        made.hub.refused.most = 1_000_000
        there = door(made)
        failed: list[Any] = []
        for row in ROWS:
            told = await there.ask(BY_ID[row["tool"]].name, arguments(row))
            path, _, words = row["ends_in"].partition(":")
            found = {issue["path"]: issue["message"] for issue in told.data.get("issues", ())}
            right = told.code is None if path == "ok" else words.strip() in found.get(path, "-")
            failed += [] if right else [(row, told.code, found)]
        assert failed == []

    plays(story, credits=100_000, free_answers=1_000_000)
