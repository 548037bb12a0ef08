"""Every code over MCP to plain clients and to SDKs, over REST, and over standard input and output."""

import asyncio
import io
import json
from typing import Any

import pytest

from bazi_hub.stdio import serve_stdio
from bazi_hub.words.call import Caller, Outcome
from bazi_hub.words.errors import CODES, HubError
from tests.hub.client import KEY, SDK, ask, tool_call
from tests.hub.fake_hub import FakeHub
from tests.hub.vectors import EVERY_CODE, REST_ONLY

REST = "/api/universal/fortune/bazi_pattern_analysis"
BUSINESS = sorted(set(EVERY_CODE) - REST_ONLY)


def outcome(code: str) -> Outcome:
    members = dict(EVERY_CODE[code])
    return Outcome(error=HubError(code, members.pop("detail"), **members))


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
def test_stdio_has_the_frame_of_an_sdk(hub: FakeHub, code: str) -> None:
    hub.outcome = outcome(code)
    out, source = io.BytesIO(), io.BytesIO(json.dumps(tool_call("bazi_pattern_analysis")).encode() + b"\n")
    asyncio.run(serve_stdio(hub, Caller("a", "personal"), out, source))  # type: ignore[arg-type]
    assert json.loads(out.getvalue()) == frame(code)


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
