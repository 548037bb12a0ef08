"""W1–W8: the frames that clients rely on, made from outcomes and compared to the letter."""

import json
from typing import Any

import pytest

from bazi_hub.http.wire import mcp, rest
from bazi_hub.http.wire.answer import Answer
from bazi_hub.words.call import Outcome
from bazi_hub.words.errors import CODES, HubError
from bazi_hub.words.settings import Settings
from tests.hub.vectors import EVERY_CODE, FRAMES
from tests.tables import holds_for_all

SETTINGS = Settings()
SDK = {"accept": "application/json, text/event-stream"}


def error_of(code: str, data: dict[str, Any]) -> HubError:
    members = dict(data)
    return HubError(code, members.pop("detail"), **members)


def request_of(request_id: int, headers: dict[str, str] | None = None) -> mcp.Request:
    return mcp.Request(request_id, "tools/call", {"name": "x"}, mcp.peer(headers or {}))


def answered(body: Any, headers: dict[str, str]) -> Answer:
    """What is answered to a frame without asking a hub."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    read = mcp.read(raw, mcp.peer(headers), SETTINGS)
    answer = read if isinstance(read, Answer) else mcp.immediate(read)
    assert answer is not None
    return answer


def test_w1_a_result_is_one_text_block_with_its_meta() -> None:
    wanted = FRAMES["W1"]
    text = wanted["result"]["content"][0]["text"]
    outcome = Outcome(text, from_free_quota=True, call_id=wanted["result"]["_meta"]["call_id"])
    answer = mcp.outcome(request_of(5), outcome)
    assert answer.status == 200
    assert answer.body.decode() == json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))


def test_w2_a_business_error_is_a_top_level_error_with_flat_data() -> None:
    wanted = FRAMES["W2"]
    error = error_of(wanted["error"]["message"], wanted["error"]["data"])
    answer = mcp.outcome(request_of(4), Outcome(error=error))
    assert (answer.status, json.loads(answer.body)) == (402, wanted)


def test_w3_the_rest_envelope_of_a_paid_call() -> None:
    answer = rest.outcome(Outcome('{"year_analysis_result":{}}', credits_deducted=1, call_id="c"))
    assert (answer.status, json.loads(answer.body)) == (200, FRAMES["W3"])
    assert ("X-Call-Id", "c") in answer.headers


def test_w4_the_rest_envelope_of_a_call_that_the_free_quota_paid() -> None:
    answer = rest.outcome(Outcome('{"base_context":{}}', from_free_quota=True))
    assert json.loads(answer.body) == FRAMES["W4"]


def test_w5_the_rest_envelope_of_an_error() -> None:
    told = FRAMES["W5"]["error"]
    answer = rest.failure(HubError(told["code"], told["message"], **told["details"]))
    assert (answer.status, json.loads(answer.body)) == (429, FRAMES["W5"])
    assert answer.headers == (("Retry-After", "42"),)


@holds_for_all("code", EVERY_CODE)
def test_w6_every_code_has_its_data_in_mcp_and_its_details_in_rest(code: str) -> None:
    data = EVERY_CODE[code]
    error = error_of(code, data)
    framed = mcp.outcome(request_of(4), Outcome(error=error))
    assert json.loads(framed.body)["error"] == {"code": -32000, "message": code, "data": data}
    enveloped = rest.failure(error)
    details = {name: value for name, value in data.items() if name != "detail"}
    told = {"code": code, "message": data["detail"]} | ({"details": details} if details else {})
    assert json.loads(enveloped.body) == {"success": False, "error": told}
    assert framed.status == enveloped.status == CODES[code].status


def test_w6_names_every_code_that_is_sent() -> None:
    assert set(EVERY_CODE) == set(CODES) - {"JOB_NOT_FOUND"}


@pytest.mark.parametrize("index", [0, 2])
def test_w7_whole_frames_without_and_with_members(index: int) -> None:
    framed, enveloped = FRAMES["W7"][index : index + 2]
    error = error_of(framed["error"]["message"], framed["error"]["data"])
    assert json.loads(mcp.business(1, mcp.PLAIN, error).body) == framed
    assert json.loads(rest.failure(error).body) == enveloped


def modern(**changes: Any) -> dict[str, Any]:
    meta = {mcp.VERSION_KEY: "2026-07-28", mcp.CAPABILITIES_KEY: {}} | changes
    params = {"name": "get_skill_info", "_meta": meta}
    return {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params}


MODERN = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "get_skill_info"}
LATER = "2027-01-01"
W8 = [
    (b"{", SDK, 400),
    ([], SDK, 400),
    ({"jsonrpc": "2.0", "id": 5, "method": "resources/list"}, SDK, 200),
    (modern(), MODERN | {"mcp-name": "another"}, 400),
    (modern(**{mcp.VERSION_KEY: LATER}), MODERN | {"mcp-protocol-version": LATER}, 400),
]


@pytest.mark.parametrize(("index", "body", "headers", "status"), [(i, *row) for i, row in enumerate(W8)])
def test_w8_faults_of_the_protocol(index: int, body: Any, headers: dict[str, str], status: int) -> None:
    answer = answered(body, headers)
    assert (answer.status, json.loads(answer.body)) == (status, FRAMES["W8"][index])
