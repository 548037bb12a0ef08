"""Every code over MCP to plain clients and to SDKs, over REST, and over standard input and output."""

import asyncio
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from mcp_types import CallToolResult

from bazi_hub.http.wire import mcp
from bazi_hub.stdio import serve_stdio
from bazi_hub.words.call import Caller, Outcome
from bazi_hub.words.errors import CODES, HubError
from tests.hub.client import KEY, SDK, ask, rpc, tool_call
from tests.hub.fake_hub import FakeHub
from tests.hub.vectors import EVERY_CODE, REST_ONLY

REST = "/api/universal/fortune/bazi_pattern_analysis"
BUSINESS = sorted(set(EVERY_CODE) - REST_ONLY)


def outcome(code: str) -> Outcome:
    members = dict(EVERY_CODE[code])
    return Outcome(error=HubError(code, members.pop("detail"), **members))


def revealed(code: str) -> dict[str, Any]:
    """An error as a result: what a model is to read, as text and as an object, and that nothing was paid."""
    told = {"code": code, **EVERY_CODE[code]}
    meta = {"credits_deducted": 0, "from_free_quota": False, "call_id": None, "replayed": False}
    return {
        "content": [{"type": "text", "text": json.dumps(told, ensure_ascii=False, separators=(",", ":"))}],
        "structuredContent": told,
        "isError": True,
        "_meta": meta,
    }


def frame(code: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": code, "data": EVERY_CODE[code]}}


@pytest.mark.parametrize("code", BUSINESS)
def test_plain_clients_get_the_status_of_the_code(app: Any, hub: FakeHub, code: str) -> None:
    hub.outcome = outcome(code)
    response = ask(app, body=tool_call("bazi_pattern_analysis"), headers=KEY)
    assert (response.status, response.json) == (CODES[code].status, frame(code))


@pytest.mark.parametrize("code", BUSINESS)
def test_sdks_get_errors_with_status_200_but_for_a_missing_credential(
    app: Any, hub: FakeHub, code: str
) -> None:
    hub.outcome = outcome(code)
    for tool in ("bazi_pattern_analysis", "bazi_basic_analysis", "get_skill_info"):
        response = ask(app, body=tool_call(tool), headers=SDK)
        assert (response.status, response.json) == (401 if code == "UNAUTHORIZED" else 200, frame(code))


@pytest.mark.parametrize("code", sorted(EVERY_CODE))
def test_rest_has_an_envelope_with_the_status_of_the_code(app: Any, hub: FakeHub, code: str) -> None:
    hub.outcome = outcome(code)
    response = ask(app, REST, headers=KEY)
    details = {name: value for name, value in EVERY_CODE[code].items() if name != "detail"}
    told = {"code": code, "message": EVERY_CODE[code]["detail"]} | ({"details": details} if details else {})
    assert (response.status, response.json) == (CODES[code].status, {"success": False, "error": told})


@pytest.mark.parametrize("code", BUSINESS)
@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_from_2025_03_26_on_errors_of_tools_are_results(
    app: Any, hub: FakeHub, code: str, revision: str
) -> None:
    hub.outcome = outcome(code)
    response = ask(
        app, body=tool_call("bazi_pattern_analysis"), headers=KEY | {"mcp-protocol-version": revision}
    )
    if code == "UNAUTHORIZED":
        # The client has to act, not its model.
        assert (response.status, response.json) == (401, frame(code))
    else:
        assert (response.status, response.json["result"]) == (200, revealed(code))
        assert ("retry-after" in response.headers) is ("retry_after" in EVERY_CODE[code])


@pytest.mark.parametrize("code", BUSINESS)
def test_who_names_2024_11_05_gets_the_frame_of_whom_names_none(app: Any, hub: FakeHub, code: str) -> None:
    hub.outcome = outcome(code)
    named = ask(app, body=tool_call(), headers=SDK | {"mcp-protocol-version": "2024-11-05"})
    unnamed = ask(app, body=tool_call(), headers=SDK)
    assert (named.status, named.body) == (unnamed.status, unnamed.body)
    assert named.json == frame(code)


@pytest.mark.parametrize(
    ("tool_errors", "headers", "result"),
    [
        ("jsonrpc", KEY | {"mcp-protocol-version": "2025-11-25"}, False),
        ("jsonrpc", SDK, False),
        ("result", KEY, True),
        ("result", SDK | {"mcp-protocol-version": "2024-11-05"}, True),
        ("by_revision", KEY, False),
    ],
)
def test_the_operator_may_choose_one_form_for_everybody(
    app: Any, hub: FakeHub, tool_errors: Any, headers: dict[str, str], result: bool
) -> None:
    hub.settings = replace(hub.settings, tool_errors=tool_errors)
    hub.outcome = outcome("NOT_FOUND")
    response = ask(app, body=tool_call(), headers=headers)
    assert ("result" in response.json, "error" in response.json) == (result, not result)
    assert response.status == (200 if result or headers != KEY else 404)


def test_what_is_no_call_of_a_tool_fails_as_before_in_every_revision(app: Any) -> None:
    headers = KEY | {"mcp-protocol-version": "2025-11-25"}
    assert ask(app, body=rpc("prompts/list"), headers=headers).json["error"]["code"] == -32601
    assert ask(app, body=b"{", headers=headers).json["error"]["code"] == -32700


def piped(hub: FakeHub, *messages: Any) -> list[Any]:
    out = io.BytesIO()
    source = io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in messages))
    asyncio.run(serve_stdio(hub, Caller("a", "personal"), out, source))  # type: ignore[arg-type]
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("code", BUSINESS)
def test_over_stdio_errors_of_tools_are_results_unless_2024_11_05_was_agreed_on(
    hub: FakeHub, code: str
) -> None:
    hub.outcome = outcome(code)
    call = tool_call("bazi_pattern_analysis") | {"id": 1}
    (alone,) = piped(hub, call)
    assert alone == frame(code) if code == "UNAUTHORIZED" else alone["result"] == revealed(code)
    handshake = rpc("initialize", {"protocolVersion": "2024-11-05"}, 0)
    assert frame(code) in piped(hub, handshake, call)


def test_a_modern_error_is_complete_and_names_the_server(app: Any, hub: FakeHub) -> None:
    hub.outcome = outcome("NOT_FOUND")
    meta = {mcp.VERSION_KEY: mcp.MODERN_REVISION, mcp.CAPABILITIES_KEY: {}}
    routed = {
        "mcp-protocol-version": mcp.MODERN_REVISION,
        "mcp-method": "tools/call",
        "mcp-name": "get_skill_info",
    }
    result = ask(app, body=tool_call(_meta=meta), headers=KEY | routed).json["result"]
    assert (result["resultType"], result["isError"]) == ("complete", True)
    assert result["_meta"] == revealed("NOT_FOUND")["_meta"] | {mcp.SERVER_KEY: mcp.SERVER}


@pytest.mark.parametrize("code", BUSINESS)
def test_the_types_of_the_official_sdk_accept_an_error_as_a_result(code: str) -> None:
    read = CallToolResult.model_validate(revealed(code))
    assert (read.is_error, read.structured_content["code"]) == (True, code)


@pytest.mark.parametrize("headers", [KEY, SDK])
def test_errors_carry_the_headers_of_their_code(app: Any, hub: FakeHub, headers: dict[str, str]) -> None:
    hub.outcome = outcome("UNAUTHORIZED")
    for path, body in (("/api/mcp", tool_call()), (REST, {})):
        response = ask(app, path, body, headers=headers)
        assert response.headers["www-authenticate"] == 'Bearer realm="bazi-hub"'
    hub.outcome = outcome("RATE_LIMITED")
    for path, body in (("/api/mcp", tool_call()), (REST, {})):
        response = ask(app, path, body, headers=headers)
        assert response.headers["retry-after"] == "42"


def test_every_fault_carries_the_id_of_its_request(app: Any, hub: FakeHub, identity: Any) -> None:
    hub.fault = RuntimeError("bug")
    response = ask(app, body=tool_call(), headers=KEY)
    assert response.json["error"]["message"] == "INTERNAL_ERROR"
    assert response.json["error"]["data"]["request_id"] == response.headers["x-request-id"]
    response = ask(app, REST, headers=KEY)
    assert (response.status, response.json["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert response.json["error"]["details"]["request_id"] == response.headers["x-request-id"]
    assert "bug" not in response.body.decode()
    assert [event for event, _ in hub.telemetry.lines] == ["fault", "fault"]
    identity.fault = HubError("AUTH_BACKEND_ERROR", "The credential could not be verified")
    for path, body in (("/api/mcp", tool_call()), (REST, {})):
        response = ask(app, path, body, headers=KEY)
        assert response.status == 500
        assert response.headers["x-request-id"] in response.body.decode()


def test_the_id_of_a_request_is_never_taken_from_it(app: Any) -> None:
    response = ask(app, body=tool_call(), headers={**KEY, "x-request-id": "mine"})
    assert response.headers["x-request-id"] != "mine"


def test_nothing_under_api_is_to_be_stored(app: Any) -> None:
    for path in ("/api/mcp", "/api/mcp/sse", REST, "/api/nothing"):
        for method in ("GET", "POST"):
            response = ask(app, path, tool_call(), method=method, headers=KEY)
            assert response.headers["cache-control"] == "no-store"
            assert response.headers["x-request-id"]


def test_both_transports_carry_the_same_bytes(app: Any, hub: FakeHub) -> None:
    text = '{"b":1.0,"a":"乙丑 \\" \\\\ \\u2028"}'
    hub.outcome = Outcome(text, credits_deducted=4, call_id="c")
    framed = ask(app, body=tool_call("bazi_pattern_analysis"), headers=SDK)
    enveloped = ask(app, REST, headers=KEY)
    assert framed.json["result"]["content"][0]["text"] == text
    assert f'"data":{text},'.encode() in enveloped.body
    assert enveloped.headers["x-call-id"] == "c"
