"""The published requests against a whole hub, letter by letter, as `curl` sends them: no Accept but `*/*`."""

import asyncio
import json
from typing import Any

import pytest

from bazi_hub.tools.catalog import CATALOG
from tests.hub.client import Connection, Response, tool_call
from tests.hub.live import composed

CURL = {"accept": "*/*", "user-agent": "curl/8.5.0", "content-type": "application/json"}
BIRTH = CATALOG["bazi_basic_analysis"].example


def exchanged(*requests: tuple[str, Any], key: str = "personal", **headers: str) -> list[Response]:
    """The responses of a fresh hub to requests one after the other."""

    async def run() -> list[Response]:
        app, keys, hub = await composed()
        found = []
        for path, body in requests:
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent = {**CURL, "x-api-key": getattr(keys, key), **headers}
            found.append(await Connection(app, path, raw, headers=sent).run())
        await hub.close(0)
        return found

    return asyncio.run(run())


def test_the_list_of_tools() -> None:
    (listed,) = exchanged(("/api/mcp", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'))
    assert listed.status == 200
    assert [tool["name"] for tool in listed.json["result"]["tools"]] == list(CATALOG)


def test_the_first_tool_over_both_transports() -> None:
    body = b"""{
      "jsonrpc": "2.0",
      "id": 2,
      "method": "tools/call",
      "params": {
        "name": "get_skill_info",
        "arguments": {}
      }
    }"""
    framed, enveloped = exchanged(("/api/mcp", body), ("/api/universal/meta/get_skill_info", b"{}"))
    text = framed.json["result"]["content"][0]["text"]
    assert framed.json["id"] == 2
    assert json.loads(text) == enveloped.json["data"]
    assert text.encode() in enveloped.body
    assert len(json.loads(text)["tools"]) == 12


def test_a_whole_reading_passes_each_result_on() -> None:
    async def run() -> list[Response]:
        app, keys, hub = await composed()
        results: dict[str, Any] = {}
        found = []
        for name in (
            "bazi_basic_analysis",
            "bazi_pattern_analysis",
            "bigluck_year_analysis",
            "bigluck_year_fortune_eval",
        ):
            tool = CATALOG[name]
            arguments = {**tool.example, **{each: results[each] for each in tool.example if each in results}}
            headers = {**CURL, "x-api-key": keys.agent}
            found.append(
                await Connection(app, tool.path, json.dumps(arguments).encode(), headers=headers).run()
            )
            results |= found[-1].json["data"]
        await hub.close(0)
        return found

    found = asyncio.run(run())
    assert [response.status for response in found] == [200] * 4
    assert [response.json["credits_deducted"] for response in found] == [0, 4, 1, 6]
    assert found[0].json["from_free_quota"] is True
    assert [response.headers["ratelimit"].split(";")[1] for response in found] == ["r=9", "r=8", "r=7", "r=6"]
    assert all(response.headers["x-call-id"] for response in found)


def test_the_eleventh_call_of_a_minute_is_limited_on_either_transport() -> None:
    path, bad = CATALOG["bazi_basic_analysis"].path, {"birth_year": 1}
    *_, over_mcp, over_rest = exchanged(
        *[(path, bad)] * 10, ("/api/mcp", tool_call("bazi_basic_analysis", bad)), (path, bad), key="agent"
    )
    assert over_mcp.status == over_rest.status == 429
    data = over_mcp.json["error"]["data"]
    assert (data["limit_type"], data["limit"]) == ("fortune_call", 10)
    assert over_rest.headers["retry-after"] == str(over_rest.json["error"]["details"]["retry_after"])
    assert over_rest.headers["ratelimit-policy"] == '"fortune_call";q=10;w=60'


def test_a_key_that_comes_twice_and_differs_is_refused_where_keys_are_kept() -> None:
    twice = {"_meta": {"bazi.hub/idempotency_key": "b"}}
    kept, ignored = exchanged(
        ("/api/mcp", tool_call("bazi_basic_analysis", BIRTH, **twice)),
        ("/api/mcp", tool_call("forum_list_posts", {}, **twice)),
        **{"idempotency-key": "a"},
    )
    assert kept.json["error"]["message"] == "INVALID_INPUT"
    assert [issue["path"] for issue in kept.json["error"]["data"]["issues"]] == ["Idempotency-Key"]
    assert "result" in ignored.json


def test_a_retry_under_a_key_is_paid_once_and_says_so() -> None:
    request = (CATALOG["bazi_pattern_analysis"].path, BIRTH)
    first, second = exchanged(request, request, **{"idempotency-key": "reading-1"})
    assert (first.json["credits_deducted"], second.json["credits_deducted"]) == (4, 0)
    assert second.headers["idempotent-replayed"] == "true"
    assert first.json["data"] == second.json["data"]
    assert first.headers["x-call-id"] == second.headers["x-call-id"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/universal/forum/get_skill_info", 404, "UNKNOWN_TOOL"),
        ("/api/universal/meta/get_skill_inf", 404, "UNKNOWN_TOOL"),
        ("/api/universal/other/get_skill_info", 404, "UNKNOWN_TOOL"),
        ("/api/universal/forum/forum_get_post", 400, "INVALID_INPUT"),
    ],
)
def test_paths_that_name_no_tool_suggest_one(path: str, status: int, code: str) -> None:
    (response,) = exchanged((path, b"{}"))
    error = response.json["error"]
    assert (response.status, error["code"]) == (status, code)
    if code == "UNKNOWN_TOOL":
        assert error["details"]["suggestion"] == "get_skill_info"


@pytest.mark.parametrize("key", ["", "bzp_nobody", "Bearer"])
def test_without_a_good_key_no_tool_is_called(key: str) -> None:
    async def run() -> list[Response]:
        app, _, hub = await composed()
        found = []
        for path, body in (("/api/mcp", tool_call()), (CATALOG["get_skill_info"].path, {})):
            raw = json.dumps(body).encode()
            found.append(await Connection(app, path, raw, headers={**CURL, "x-api-key": key}).run())
        await hub.close(0)
        return found

    framed, enveloped = asyncio.run(run())
    assert framed.json["error"] == {
        "code": -32000,
        "message": "UNAUTHORIZED",
        "data": {"detail": "Unauthorized"},
    }
    assert enveloped.json == {"success": False, "error": {"code": "UNAUTHORIZED", "message": "Unauthorized"}}
    assert framed.status == enveloped.status == 401
