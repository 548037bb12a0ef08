"""Whatever comes in, reading it raises nothing that is not an answer, and every answer is JSON."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bazi_hub.http.wire import mcp, rest
from bazi_hub.http.wire.answer import Answer
from bazi_hub.words.call import Call, Caller, Outcome
from bazi_hub.words.errors import CODES, HubError
from bazi_hub.words.settings import Settings

SETTINGS = Settings()
CALLER = Caller("account", "personal")
TEXT = st.text(max_size=12)
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
JSON = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
METHODS = st.sampled_from(
    ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled"]
)
META = st.dictionaries(
    st.sampled_from([mcp.VERSION_KEY, mcp.CAPABILITIES_KEY, "progressToken", "bazi.hub/idempotency_key"]),
    JSON | st.just("2026-07-28"),
)
PARAMS = st.fixed_dictionaries({}, optional={"name": JSON, "arguments": JSON, "_meta": META | JSON})
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": JSON,
        "method": METHODS | JSON,
        "params": PARAMS | JSON,
        "result": JSON,
    },
)
HEADERS = st.dictionaries(
    st.sampled_from(["accept", "mcp-protocol-version", "mcp-method", "mcp-name", "idempotency-key"]),
    st.sampled_from(
        ["2026-07-28", "2025-06-18", "text/event-stream", "=?base64?eA==?=", "=?base64?=?=", "x", ""]
    )
    | st.text(st.characters(max_codepoint=255), max_size=8)
    | METHODS,
)


def call_of(found: mcp.Request) -> Call | HubError:
    try:
        return mcp.call(found, CALLER, "r")
    except HubError as error:
        return error


def refusal(body: bytes) -> str | None:
    try:
        rest.read(body, SETTINGS)
    except HubError as error:
        return error.name
    return None


@given(MESSAGE | JSON, HEADERS)
def test_every_message_becomes_a_request_or_an_answer(message: Any, headers: dict[str, str]) -> None:
    body = json.dumps(message, ensure_ascii=False).encode()
    for peer in (mcp.peer(headers), mcp.STDIO):
        found = mcp.read(body, peer, SETTINGS)
        made = found if isinstance(found, Answer) else mcp.immediate(found)
        if made is None:
            assert isinstance(found, mcp.Request)
            if found.method == "tools/call":
                assert isinstance(call_of(found), Call | HubError)
            made = mcp.outcome(found, Outcome('{"a":1}'))
        if made.status != 202:
            assert json.loads(made.body)["jsonrpc"] == "2.0"


@given(st.binary(max_size=200), HEADERS)
def test_every_body_is_answered(body: bytes, headers: dict[str, str]) -> None:
    assert isinstance(mcp.read(body, mcp.peer(headers), SETTINGS), mcp.Request | Answer)
    assert refusal(body) in (None, "PARSE_ERROR", "INVALID_BODY")


@given(TEXT, LEAF, st.booleans(), st.integers(0, 9))
def test_decoding_an_encoded_outcome_gives_it_back(text: str, request_id: Any, free: bool, paid: int) -> None:
    result = json.dumps({"t": text}, ensure_ascii=False)
    outcome = Outcome(result, credits_deducted=paid, from_free_quota=free, call_id="c", replayed=free)
    framed = json.loads(mcp.outcome(mcp.Request(3, "tools/call", {}, mcp.PLAIN), outcome).body)["result"]
    assert framed["content"][0]["text"] == result
    assert framed["_meta"] == outcome.meta
    enveloped = rest.outcome(outcome).body.decode()
    assert f'"data":{result},' in enveloped
    assert json.loads(enveloped)["credits_deducted"] == paid


@given(st.sampled_from([code for code in CODES.values() if code.status != 405]), TEXT, TEXT)
def test_decoding_an_encoded_error_gives_it_back(code: Any, detail: str, value: str) -> None:
    members = {"retry_after": 3, "successor": "/api/mcp", "reason": value}
    error = HubError(code.name, detail, **members)
    framed = json.loads(mcp.business(3, mcp.PLAIN, error).body)["error"]
    assert (framed["message"], framed["data"]) == (code.name, {"detail": detail, **members})
    told = json.loads(rest.failure(error).body)["error"]
    assert (told["code"], told["message"], told["details"]) == (code.name, detail, members)
