"""Every frame of the hub as the types of the official SDK read it, in every revision."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from mcp_types import methods

from bazi_hub.http.wire import mcp
from tests.hub.client import rpc, tool_call
from tests.hub.worlds import BIRTH

if TYPE_CHECKING:
    from tests.hub.live import Live

HANDSHAKE = {"capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}}
CALLS = [
    tool_call("get_skill_info"),
    tool_call("bazi_basic_analysis", BIRTH),
    tool_call("bazi_basic_analysis", {**BIRTH, "birth_month": "5"}),
    tool_call("no_such_tool"),
]


def result(server: Live, revision: str, message: dict[str, Any]) -> dict[str, Any]:
    """The result of a request of a revision."""
    headers = {"x-api-key": server.keys.personal, "mcp-protocol-version": revision}
    if revision == mcp.MODERN_REVISION:
        meta = {mcp.VERSION_KEY: revision, mcp.CAPABILITIES_KEY: {}}
        message = {**message, "params": {**message.get("params", {}), "_meta": meta}}
        headers |= {"mcp-method": message["method"], "mcp-name": message["params"].get("name", "")}
    answer = httpx.post(
        server.mcp, json=message, headers={key: each for key, each in headers.items() if each}
    )
    found: dict[str, Any] = json.loads(answer.text)["result"]
    return found


@pytest.mark.parametrize("revision", mcp.REVISIONS)
def test_every_result_is_one_of_its_method_in_its_revision(server: Live, revision: str) -> None:
    modern = revision == mcp.MODERN_REVISION
    first = (
        rpc("server/discover") if modern else rpc("initialize", {"protocolVersion": revision, **HANDSHAKE})
    )
    calls = CALLS if revision != mcp.HANDSHAKE_REVISIONS[0] else CALLS[:2]
    for message in (first, rpc("tools/list"), *calls):
        found = result(server, revision, message)
        methods.validate_server_result(message["method"], revision, found)
