"""The official Python client, in each of its modes and on both transports, with one session that survives an error."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from bazi_core.errors import PortUnavailable
from tests.hub.clients.chain import went_the_chain
from tests.hub.clients.conversation import Script
from tests.hub.live import Live, live
from tests.hub.worlds import BIRTH

ROOT = Path(__file__).parents[3]
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}
# Where each starts a process of its own.
ONE_BY_DEFAULT = [
    "auto",
    *(pytest.param(mode, marks=pytest.mark.process) for mode in MODES if mode != "auto"),
]


async def session(transport: Any, mode: str) -> list[str]:
    """What happens in one session: a list, a call, an error, and another call."""
    told: list[Any] = []
    async with Client(transport, mode=mode) as client:
        listed = await client.list_tools()
        told.append([tool.name for tool in listed.tools][:2])
        told.append(
            json.loads((await client.call_tool("get_user_credits", {})).content[0].text)["balance"] >= 0
        )
        wrong = await client.call_tool("bazi_basic_analysis", {"birth_year": 1990})
        assert wrong.is_error
        assert json.loads(wrong.content[0].text) == wrong.structured_content
        told.append(wrong.structured_content["code"])
        assert {"path": "gender", "message": "Required"} in wrong.structured_content["issues"]
        told.append((await client.call_tool("no_such_tool", {})).structured_content["code"])
        chart = json.loads((await client.call_tool("bazi_basic_analysis", BIRTH)).content[0].text)
        told.append(chart["base_context"]["four_pillars"]["day"])
    return told


EXPECTED = [
    ["get_skill_info", "get_user_credits"],
    True,
    "INVALID_INPUT",
    "UNKNOWN_TOOL",
    "庚辰",
]


@pytest.mark.parametrize("mode", MODES)
def test_over_http(server: Live, mode: str) -> None:
    async def run() -> list[Any]:
        async with httpx2.AsyncClient(headers={"x-api-key": server.keys.personal}) as http:
            return await session(streamable_http_client(server.mcp, http_client=http), mode)

    assert asyncio.run(run()) == EXPECTED


@pytest.mark.parametrize("mode", MODES)
def test_a_script_goes_the_chain_over_handles(server: Live, mode: str) -> None:
    script = Script()

    async def run() -> str:
        async with (
            httpx2.AsyncClient(headers={"x-api-key": server.keys.personal}) as http,
            Client(streamable_http_client(server.mcp, http_client=http), mode=mode) as client,
        ):
            step = script.after(None)
            while step.tool:
                step = script.after((await client.call_tool(step.tool, step.arguments)).content[0].text)
            return step.words

    assert len(asyncio.run(run())) > 1000
    went_the_chain(script.told)


@pytest.mark.parametrize("mode", MODES)
def test_resources_are_listed_and_read(server: Live, mode: str) -> None:
    async def run() -> list[Any]:
        async with Client(server.mcp, mode=mode) as client:
            listed = (await client.list_resources()).resources
            return [(await client.read_resource(str(each.uri))).contents[0].text for each in listed]

    texts = asyncio.run(run())
    assert len(texts) == 12
    assert texts[0].startswith("---\nname: bazi")
    assert texts[-1].startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("mode", MODES)
def test_without_a_key_the_tools_are_seen_and_none_is_called(server: Live, mode: str) -> None:
    async def run() -> tuple[int, Any]:
        async with Client(server.mcp, mode=mode) as client:
            listed = await client.list_tools()
            with pytest.raises(MCPError) as raised:
                await client.call_tool("get_user_credits", {})
            return len(listed.tools), raised.value.error.message

    assert asyncio.run(run()) == (12, "UNAUTHORIZED")


class Failing:
    """A reading service that is down."""

    name = "failing"

    async def generate(self, request: Any) -> Any:
        raise PortUnavailable("no", reason="http", status=503)


@pytest.mark.parametrize("mode", MODES)
def test_phases_of_a_reading_are_heard_before_its_error(mode: str) -> None:
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def run(server: Live) -> str:
        async with (
            httpx2.AsyncClient(headers={"x-api-key": server.keys.personal}) as http,
            Client(streamable_http_client(server.mcp, http_client=http), mode=mode) as client,
        ):
            failed = await client.call_tool("bazi_pattern_analysis", BIRTH, progress_callback=hear)
            await client.call_tool("get_user_credits", {})
            return str(failed.structured_content["code"])

    with live(reader=Failing()) as server:
        assert asyncio.run(run(server)) == "REST_ERROR"
    assert heard == [(1, "reading")]


LOCAL = """
from bazi_hub.stdio import claim_stdout
out = claim_stdout()
import asyncio
from bazi_hub.calls.local import LOCAL, local_hub
from bazi_hub.stdio import serve_stdio
async def main():
    hub = await local_hub()
    await serve_stdio(hub, LOCAL, out)
    await hub.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("mode", ONE_BY_DEFAULT)
def test_over_stdio(mode: str) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-c", LOCAL], env=dict(os.environ), cwd=str(ROOT)
    )

    async def run() -> list[Any]:
        return await session(stdio_client(started), mode)

    assert asyncio.run(run()) == EXPECTED


BRIDGE = """
import sys
from bazi_hub.stdio import bridge, claim_stdout
out = claim_stdout()
import asyncio
asyncio.run(bridge(sys.argv[1], sys.argv[2], out))
"""


@pytest.mark.parametrize("mode", ONE_BY_DEFAULT)
def test_over_the_bridge(server: Live, mode: str) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-c", BRIDGE, server.url, server.keys.personal], cwd=str(ROOT)
    )

    async def run() -> list[Any]:
        return await session(stdio_client(started), mode)

    assert asyncio.run(run()) == EXPECTED
