"""MCP frames: revisions, dialects, the ladder of 2026-07-28, and what a call is made of."""

import json
from typing import Any

import pytest

from bazi_hub.http.wire import mcp
from bazi_hub.http.wire.answer import Answer
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.call import Caller, Outcome, RateWindow
from bazi_hub.words.errors import HubError
from bazi_hub.words.settings import Settings
from tests.hub.client import rpc, tool_call
from tests.tables import holds_for_all

SETTINGS = Settings()
CALLER = Caller("account", "personal")
SDK = {"accept": "application/json, text/event-stream"}
PLAIN: dict[str, str] = {}
MODERN = "2026-07-28"

BESIDE_TOOLS = {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}}


def read(message: Any, headers: dict[str, str] | None = None) -> mcp.Request | Answer:
    return mcp.read(json.dumps(message).encode(), mcp.peer(headers or PLAIN), SETTINGS)


def request(message: Any, headers: dict[str, str] | None = None) -> mcp.Request:
    found = read(message, headers)
    assert isinstance(found, mcp.Request), found
    return found


def answer(message: Any, headers: dict[str, str] | None = None) -> Answer:
    found = read(message, headers)
    made = found if isinstance(found, Answer) else mcp.immediate(found)
    assert made is not None
    return made


def result(message: Any, headers: dict[str, str] | None = None) -> Any:
    return json.loads(answer(message, headers).body)["result"]


def code(message: Any, headers: dict[str, str] | None = None) -> tuple[int, int]:
    made = answer(message, headers)
    return json.loads(made.body)["error"]["code"], made.status


def modern(method: str, params: dict[str, Any] | None = None, **headers: str) -> tuple[Any, dict[str, str]]:
    meta = {mcp.VERSION_KEY: MODERN, mcp.CAPABILITIES_KEY: {}}
    given = {"mcp-protocol-version": MODERN, "mcp-method": method} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return rpc(method, {**(params or {}), "_meta": meta}, 5), given


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_initialize_answers_in_the_revision_that_was_asked_for(revision: str) -> None:
    made = result(rpc("initialize", {"protocolVersion": revision}))
    assert made["protocolVersion"] == revision
    beside = {} if revision == "2024-11-05" else BESIDE_TOOLS
    assert made["capabilities"] == {"tools": {"listChanged": False}, **beside}
    assert set(made["serverInfo"]) == {"name", "title", "version"}
    assert made["serverInfo"]["name"] == "bazi-hub"
    assert made["instructions"]


@pytest.mark.parametrize("asked", [{"protocolVersion": "2020-01-01"}, {"protocolVersion": [1]}, {}])
def test_initialize_answers_in_the_newest_handshake_revision_otherwise(asked: dict[str, Any]) -> None:
    assert result(rpc("initialize", asked))["protocolVersion"] == "2025-11-25"


def test_ping_is_answered_with_an_empty_object() -> None:
    assert result(rpc("ping")) == {}


def test_notifications_are_accepted_and_not_answered() -> None:
    for headers in (PLAIN, SDK, {"mcp-protocol-version": MODERN}):
        made = answer({"jsonrpc": "2.0", "method": "notifications/initialized", "params": 3}, headers)
        assert (made.status, made.body, made.body_type) == (202, b"", None)


@pytest.mark.parametrize(
    "message",
    [
        [],
        [rpc("ping")],
        3,
        None,
        "ping",
        {},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": [1], "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 3},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "get_skill_info"}},
    ],
)
@pytest.mark.parametrize("headers", [PLAIN, SDK])
def test_what_is_no_request_is_refused_and_nothing_is_executed(message: Any, headers: dict[str, str]) -> None:
    made = answer(message, headers)
    assert made.status == 400
    assert json.loads(made.body) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "Invalid Request"},
    }


@pytest.mark.parametrize("params", [[], None, 1, "x"])
def test_params_that_are_no_object_are_invalid(params: Any) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    for headers in (PLAIN, SDK):
        assert code(message, headers) == (-32602, 400)
        assert json.loads(answer(message, headers).body)["id"] == 7


def test_ids_come_back_as_they_were() -> None:
    for request_id in (0, -3, "", "七", 2**70):
        assert json.loads(answer(rpc("ping", request_id=request_id)).body)["id"] == request_id


def test_a_body_that_is_no_json_is_a_parse_error_in_the_words_of_each_dialect() -> None:
    plain = mcp.read(b"{", mcp.peer(PLAIN), SETTINGS)
    assert isinstance(plain, Answer)
    assert plain.status == 400
    assert json.loads(plain.body) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": -32000,
            "message": "PARSE_ERROR",
            "data": {"detail": "Request body is not valid JSON", "reason": "INVALID_JSON"},
        },
    }
    sdk = mcp.read(b"{", mcp.peer(SDK), SETTINGS)
    assert isinstance(sdk, Answer)
    assert (json.loads(sdk.body)["error"]["code"], sdk.status) == (-32700, 400)


def test_an_unknown_method_is_an_unknown_tool_to_plain_clients() -> None:
    made = answer(rpc("prompts/list"))
    assert made.status == 404
    error = json.loads(made.body)["error"]
    assert (error["code"], error["message"], error["data"]["method"]) == (
        -32000,
        "UNKNOWN_TOOL",
        "prompts/list",
    )


@pytest.mark.parametrize(
    ("headers", "sdk"),
    [
        ({}, False),
        ({"accept": "*/*"}, False),
        ({"accept": "application/json"}, False),
        ({"accept": "application/json, TEXT/event-stream"}, True),
        ({"mcp-protocol-version": "2025-06-18"}, True),
    ],
)
def test_the_dialect_is_known_by_two_headers(headers: dict[str, str], sdk: bool) -> None:
    assert mcp.peer(headers).sdk is sdk


# --- 2026-07-28 ---


def test_discover_tells_the_revision_and_how_long_that_stays_true() -> None:
    made = result(*modern("server/discover"))
    assert made.pop("instructions")
    assert made.pop("_meta")[mcp.SERVER_KEY]["name"] == "bazi-hub"
    assert made == {
        "resultType": "complete",
        "supportedVersions": [MODERN],
        "capabilities": {"tools": {}, **BESIDE_TOOLS},
        "ttlMs": 300_000,
        "cacheScope": "public",
    }


@pytest.mark.parametrize("method", ["initialize", "ping", "prompts/list"])
def test_the_modern_revision_has_no_handshake_and_no_ping(method: str) -> None:
    assert code(*modern(method)) == (-32601, 404)


def test_discover_belongs_to_the_modern_revision_alone() -> None:
    assert code(rpc("server/discover"), SDK) == (-32601, 200)


@pytest.mark.parametrize("meta", [None, {}, {mcp.VERSION_KEY: MODERN}, {mcp.CAPABILITIES_KEY: {}}, 3])
def test_the_first_step_asks_for_the_envelope(meta: Any) -> None:
    params = {} if meta is None else {"_meta": meta}
    headers = {"mcp-protocol-version": "2031-01-01"}
    assert code(rpc("tools/list", params), headers) == (-32602, 400)


@holds_for_all(
    "changes, blamed",
    [
        ({"mcp-protocol-version": "2027-01-01"}, "mcp-protocol-version"),
        ({"mcp-protocol-version": f"{MODERN}, {MODERN}"}, "mcp-protocol-version"),
        ({"mcp-method": "tools/list"}, "mcp-method"),
        ({"mcp-method": "tools/call, tools/call"}, "mcp-method"),
        ({"mcp-method": None}, "mcp-method"),
        ({"mcp-name": "北京"}, "mcp-name"),
        ({"mcp-name": None}, "mcp-name"),
        ({"mcp-name": "=?base64?5YyX5Lqs!?="}, "mcp-name"),
    ],
)
def test_the_second_step_compares_headers_and_body(changes: dict[str, str | None], blamed: str) -> None:
    message, headers = modern("tools/call", {"name": "get_skill_info"}, mcp_name="get_skill_info")
    sent = {name: value for name, value in (headers | changes).items() if value is not None}
    made = answer(message, sent)
    error = json.loads(made.body)["error"]
    assert (made.status, error["code"]) == (400, -32020)
    assert error["message"] == f"{blamed} header does not match the request body"


@pytest.mark.parametrize(
    ("payload", "good"), [("eDE=", True), ("eDF=", False), ("eDE", False), ("/w==", False)]
)
def test_a_header_may_be_base64_in_its_canonical_form(payload: str, good: bool) -> None:
    # Of the four, the second decodes to the same two letters, through bits that ought to be zero.
    message, headers = modern("tools/call", {"name": "x1"}, mcp_name=f"=?base64?{payload}?=")
    assert isinstance(read(message, headers), mcp.Request) is good


def test_the_third_step_names_the_supported_revision() -> None:
    message = rpc("tools/list", {"_meta": {mcp.VERSION_KEY: "2027-01-01", mcp.CAPABILITIES_KEY: {}}})
    made = answer(message, {"mcp-protocol-version": "2027-01-01", "mcp-method": "tools/list"})
    error = json.loads(made.body)["error"]
    assert (made.status, error["code"]) == (400, -32022)
    assert error["data"] == {"supported": [MODERN], "requested": "2027-01-01"}


def test_a_client_that_disagrees_with_itself_is_told_so_first() -> None:
    message = rpc("tools/list", {"_meta": {mcp.VERSION_KEY: "2027-01-01", mcp.CAPABILITIES_KEY: {}}})
    assert code(message, {"mcp-protocol-version": "2027-01-02", "mcp-method": "tools/list"}) == (-32020, 400)


def test_a_modern_result_is_complete_and_names_the_server() -> None:
    made = mcp.outcome(
        request(*modern("tools/call", {"name": "x"}, mcp_name="x")), Outcome('{"a":1}', call_id="c")
    )
    told = json.loads(made.body)["result"]
    assert told["resultType"] == "complete"
    assert told["content"] == [{"type": "text", "text": '{"a":1}'}]
    assert told["_meta"][mcp.SERVER_KEY]["name"] == "bazi-hub"
    assert told["_meta"]["call_id"] == "c"


def test_on_stdio_the_revision_stands_in_the_request() -> None:
    message, _ = modern("server/discover")
    found = mcp.read(json.dumps(message).encode(), mcp.STDIO, SETTINGS)
    assert isinstance(found, mcp.Request)
    assert found.peer.modern
    plain = mcp.read(json.dumps(rpc("ping")).encode(), mcp.STDIO, SETTINGS)
    assert isinstance(plain, mcp.Request)
    assert not plain.peer.modern


# --- tools ---

IDS = "m1 m2 m3 t1 t2 t3 t4 f1 f2 f3 f4 f5"
LISTED = [ListedTool(tool, 4 if tool.metered else 0, tool.id != "t4") for tool in CATALOG.values()]


def test_the_list_has_the_twelve_tools_in_order_with_price_and_annotations() -> None:
    tools = json.loads(mcp.listing(request(rpc("tools/list", {"cursor": "x"})), LISTED, remote=True).body)[
        "result"
    ]["tools"]
    assert " ".join(tool["_meta"]["bazi.hub/id"] for tool in tools) == IDS
    by_id = {tool["_meta"]["bazi.hub/id"]: tool for tool in tools}
    assert set(by_id["m1"]) == {"name", "title", "description", "inputSchema", "annotations", "_meta"}
    hints = {
        hint: [key for key, tool in by_id.items() if tool["annotations"][hint]]
        for hint in by_id["m1"]["annotations"]
    }
    assert hints == {
        "readOnlyHint": ["m1", "m2", "m3", "f1", "f2"],
        "destructiveHint": [],
        "idempotentHint": ["f5"],
        "openWorldHint": ["t2", "t4"],
    }
    assert by_id["t4"]["_meta"] == {
        "bazi.hub/id": "t4",
        "bazi.hub/category": "fortune",
        "bazi.hub/credit_cost": 4,
        "bazi.hub/enabled": False,
    }


def test_the_rule_narrator_asks_nobody_in_the_open_world() -> None:
    tools = json.loads(mcp.listing(request(rpc("tools/list")), LISTED, remote=False).body)["result"]["tools"]
    assert not any(tool["annotations"]["openWorldHint"] for tool in tools)


def test_the_modern_list_may_be_kept_by_its_reader() -> None:
    made = json.loads(mcp.listing(request(*modern("tools/list")), LISTED, remote=False).body)["result"]
    assert (made["ttlMs"], made["cacheScope"], made["resultType"]) == (300_000, "private", "complete")


def test_published_schemas_have_no_combinator_at_the_top() -> None:
    for listed in LISTED:
        assert listed.tool.schema["type"] == "object"
        assert not {"oneOf", "anyOf", "allOf", "not"} & set(listed.tool.schema)


@pytest.mark.parametrize("arguments", [{}, None])
def test_missing_arguments_are_none(arguments: Any) -> None:
    params = {"name": "get_skill_info"} | ({} if arguments is None else {"arguments": None})
    assert mcp.call(request(rpc("tools/call", params)), CALLER, "r").arguments == {}


@pytest.mark.parametrize("arguments", [[], 3, "x", False])
def test_arguments_travel_as_they_came(arguments: Any) -> None:
    params = {"name": "get_skill_info", "arguments": arguments}
    assert mcp.call(request(rpc("tools/call", params)), CALLER, "r").arguments == arguments


@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 3}, {"name": ["get_skill_info"]}])
def test_a_call_without_a_name_is_of_an_unknown_tool(params: dict[str, Any]) -> None:
    with pytest.raises(HubError, match="UNKNOWN_TOOL"):
        mcp.call(request(rpc("tools/call", params)), CALLER, "r")


@holds_for_all(
    "header, member, key, wrong",
    [
        (None, None, None, 0),
        ("a", None, "a", 0),
        (None, "b", "b", 0),
        ("a", "a", "a", 0),
        ("a", "b", None, 1),
        ("", None, None, 1),
        (None, 7, None, 1),
        ("x" * 129, "a b", None, 2),
        ("x" * 128, None, "x" * 128, 0),
    ],
)
def test_the_idempotency_key_comes_by_header_or_meta(header: Any, member: Any, key: Any, wrong: int) -> None:
    headers = {} if header is None else {"idempotency-key": header}
    meta = {} if member is None else {"_meta": {"bazi.hub/idempotency_key": member}}
    call = mcp.call(request(tool_call(**meta), headers), CALLER, "r")
    assert (call.idempotency_key, len(call.issues)) == (key, wrong)


@pytest.mark.parametrize(("token", "known"), [("t", "t"), (0, 0), (True, None), (1.5, None), (None, None)])
def test_progress_tokens_are_texts_or_integers(token: Any, known: Any) -> None:
    assert request(tool_call(_meta={"progressToken": token})).progress_token == known


def test_limit_headers_stand_with_results_and_errors() -> None:
    window = RateWindow("fortune_call", 10, 0, 42)
    limited = HubError("RATE_LIMITED", "x", limit_type="fortune_call", limit=10, retry_after=42)
    for outcome in (Outcome("{}", window=window), Outcome(error=limited, window=window)):
        headers = dict(mcp.outcome(request(tool_call()), outcome).headers)
        assert headers["RateLimit-Policy"] == '"fortune_call";q=10;w=60'
        assert headers["RateLimit"] == '"fortune_call";r=0;t=42'
    assert headers["Retry-After"] == "42"


def test_results_with_any_text_survive_the_splice() -> None:
    text = json.dumps({"a": 'quote " back \\ \u2028 \x00 𝄞'}, ensure_ascii=False)
    made = json.loads(mcp.outcome(request(tool_call()), Outcome(text)).body)
    assert made["result"]["content"][0]["text"] == text
