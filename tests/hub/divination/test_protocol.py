"""What the protocol promises to a front end, from the request that its document shows to the history."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import jsonschema
import pytest

from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.divination.schemas import document, of
from tests.hub.divination.runworld import (
    AGUI,
    DERIVE,
    GOLDEN,
    HISTORY,
    PAYLOAD,
    PRICE,
    RUN,
    RUNS,
    THREAD,
    Model,
    Web,
    body,
    in_web,
)

# The request of the protocol's document, byte for byte, with a real thread id.
EXAMPLE = """{
  "threadId": "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11",
  "runId": "run_20260403_xxx",
  "state": {},
  "messages": [
    {
      "id": "msg_run_20260403_xxx_user_0",
      "role": "user",
      "content": "我最近换工作是否合适?"
    }
  ],
  "tools": [],
  "context": [],
  "forwardedProps": {
    "runtime_mode": "chat",
    "client_time": {
      "device_timezone": "Asia/Shanghai",
      "client_now_iso": "2026-04-03T20:30:00+08:00",
      "client_epoch_ms": 1775219400000
    },
    "divinationPayload": {
      "divinationMethod": "手动起卦",
      "questionType": "事业",
      "question": "我最近换工作是否合适?",
      "divinationTimeIso": "2026-04-03T20:30:00+08:00",
      "yaoLines": [
        "少阳",
        "少阴",
        "老阳",
        "少阴",
        "少阳",
        "老阴"
      ]
    }
  }
}
""".encode()


def fits(name: str, value: Any) -> None:
    """A value is of the published shape."""
    jsonschema.Draft202012Validator(of(name)).validate(value)


@in_web
async def test_the_three_routes_are_there_with_their_verbs(web: Web) -> None:
    """D01, D02, D03."""
    assert (await web.submit()).status == 202
    await web.settled()
    assert (await web.stream()).status == 200
    assert (await web.ask("GET", HISTORY)).status == 200
    for path, allowed in (
        (RUNS, "POST"), (f"{RUNS}/{THREAD}/events", "GET"), (HISTORY, "GET"), (f"{RUNS}/{THREAD}", "GET, DELETE"),
        (AGUI, "POST"), (DERIVE, "POST"), (PRICE, "GET"),
    ):  # fmt: skip
        for verb in {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"} - set(allowed.split(", ")):
            refused = await web.ask(verb, path, who=None)
            assert (refused.status, refused.headers["allow"]) == (405, allowed), (verb, path)
            assert refused.json["code"] == "METHOD_NOT_ALLOWED"
            assert refused.json["params"] == {"allow": allowed}


@in_web
async def test_the_request_of_the_document_is_accepted_byte_for_byte(web: Web) -> None:
    """D04."""
    accepted = await web.submit(EXAMPLE)
    assert accepted.status == 202, accepted.body
    url = f"{RUNS}/{THREAD}/events?runId={RUN}"
    assert accepted.json == {
        "threadId": THREAD, "runId": RUN, "status": "accepted", "attempt": 1, "eventsUrl": url, "credits_held": 4,
    }  # fmt: skip
    assert accepted.headers["location"] == url
    assert accepted.headers["cache-control"] == "no-store"
    assert accepted.headers["x-request-id"]
    fits("RunAccepted", accepted.json)


@in_web
async def test_the_cast_of_the_document_is_derived_as_the_golden_object(web: Web) -> None:
    """D13, D17, D18."""
    await web.submit(EXAMPLE)
    await web.settled()
    derived = next(one for one in (await web.stream()).events if one["type"] == "DIVINATION_DERIVED")
    assert derived["divination"] == GOLDEN["seedRequest"]
    assert list(derived["divination"]) == list(GOLDEN["seedRequest"])
    assert set(derived) == {"type", "timestamp", "divination", "analysis"}
    fits("Divination", derived["divination"])
    fits("Analysis", derived["analysis"])
    assert derived["analysis"]["cast"] is None


def test_every_level_of_the_strict_object_is_closed() -> None:
    """D17."""
    definitions = document()["$defs"]

    def closed(schema: Any) -> None:
        if isinstance(schema, dict):
            if "$ref" in schema:
                closed(definitions[schema["$ref"].rpartition("/")[2]])
            if schema.get("type") == "object" and "properties" in schema:
                assert schema["additionalProperties"] is False
                assert set(schema["required"]) == set(schema["properties"])
            for member in schema.values():
                closed(member)
        elif isinstance(schema, list):
            for member in schema:
                closed(member)

    closed(definitions["Divination"])


@in_web
async def test_the_cast_is_told_once_before_any_text(web: Web) -> None:
    """D16, D30."""
    await web.submit()
    await web.settled()
    kinds = [one["type"] for one in (await web.stream()).events]
    assert kinds.count("DIVINATION_DERIVED") == 1
    assert kinds[:5] == [
        "RUN_STARTED", "STEP_STARTED", "DIVINATION_DERIVED", "STEP_FINISHED", "STEP_STARTED",
    ]  # fmt: skip
    assert kinds[5] == "TEXT_MESSAGE_START"
    assert kinds[-3:] == ["TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_FINISHED"]
    assert set(kinds[6:-3]) == {"TEXT_MESSAGE_CONTENT"}


@in_web
async def test_the_end_of_the_text_carries_the_six_fields(web: Web) -> None:
    """D19, D26."""
    await web.submit()
    await web.settled()
    events = (await web.stream()).events
    end = events[-3]
    assert set(end) == {
        "type", "timestamp", "messageId", "sign_level", "conclusion", "focus_points", "advice", "keywords", "answer",
    }  # fmt: skip
    assert end["sign_level"] in ("上上签", "中上签", "中下签", "下下签")
    assert 1 <= len(end["conclusion"]) <= 5
    assert "".join(one["delta"] for one in events if one["type"] == "TEXT_MESSAGE_CONTENT") == end["answer"]
    assert end["answer"].endswith("专业意见。")


@pytest.mark.parametrize("profile", ["seed", "agui"])
@in_web(reader=Model)
async def test_every_event_has_a_published_shape(web: Web, profile: str) -> None:
    await web.submit()
    await web.settled()
    web.reader.error = RuntimeError("no")  # type: ignore[union-attr]
    await web.submit(body(run="r2", payload=None, said="然后呢？"))
    await web.settled(run="r2")
    web.reader.error, web.reader.gate = None, asyncio.Event()  # type: ignore[union-attr]
    await web.submit(body(run="r3"))
    await web.begun(3)
    await web.ask("DELETE", f"{RUNS}/{THREAD}?runId=r3")
    shape = "SeedEvent" if profile == "seed" else "AguiEvent"
    seen = set()
    for run in (RUN, "r2", "r3"):
        for event in (await web.stream(run=run, query=f"&profile={profile}")).events:
            fits(shape, event)
            seen.add(event["type"])
    both = {"RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "STEP_STARTED", "STEP_FINISHED"}
    both |= {"TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"}
    assert seen == both | ({"DIVINATION_DERIVED"} if profile == "seed" else {"CUSTOM", "STATE_SNAPSHOT"})


@in_web
async def test_the_history_has_the_shape_of_the_document(web: Web) -> None:
    """D22, D23, D24, D25."""
    await web.submit()
    await web.settled()
    found = await web.history(f"?threadId={THREAD}&day=2026-03-01")
    assert {name: found[name] for name in ("scope", "threadId", "day", "hasMore")} == {
        "scope": "history_day", "threadId": THREAD, "day": "2026-03-01", "hasMore": False,
    }  # fmt: skip
    fits("History", found)
    assistant, user = found["messages"]
    assert (assistant["role"], assistant["seq"], user["role"], user["seq"]) == ("assistant", 2, "user", 1)
    assert assistant["timestamp"] == "2026-03-01T12:34:10+00:00"
    assert user["content"] == PAYLOAD["question"]
    assert "agent_output" not in user
    output = assistant["agent_output"]
    assert output["status"] == "success"
    assert output["divination_derived"] == GOLDEN["seedRequest"]
    assert assistant["content"] == output["answer"]
    events = (await web.stream()).events
    assert events[-3]["messageId"] == assistant["id"]
    derived = next(one for one in events if one["type"] == "DIVINATION_DERIVED")
    assert output["divination_analysis"] == derived["analysis"]
    assert all(
        output[name] == events[-3][name] for name in ("sign_level", "conclusion", "answer", "keywords")
    )
    for part in ("conclusion", "focus_points", "advice"):
        assert len(output["evidence"][part]) == len(output[part])
    cited = {fact for sentence in output["evidence"]["answer"] for fact in sentence}
    assert cited <= set(output["divination_analysis"]["facts"])


@in_web
async def test_nothing_has_a_ui_schema(web: Web) -> None:
    """D27."""
    await web.submit()
    await web.settled()
    for found in (await web.stream(), await web.stream(query="&profile=agui"), await web.ask("GET", HISTORY)):
        assert b"ui_schema" not in found.body
    assert "ui_schema" not in json.dumps(document())


@in_web
async def test_errors_are_problem_documents(web: Web) -> None:
    """D28."""
    value = body()
    value["forwardedProps"]["divinationPayload"] = PAYLOAD | {"yaoLines": PAYLOAD["yaoLines"][:5]}
    refused = await web.submit(value)
    assert refused.headers["content-type"] == "application/problem+json"
    told = refused.json
    assert told.pop("instance") == f"urn:uuid:{refused.headers['x-request-id']}"
    assert told == {
        "type": "/problems/yao-lines-length",
        "title": "yaoLines must have six items",
        "status": 422,
        "detail": "yaoLines: expected 6 items, got 5",
        "code": "YAO_LINES_LENGTH",
        "params": {
            "errors": [
                {
                    "pointer": "/forwardedProps/divinationPayload/yaoLines",
                    "code": "YAO_LINES_LENGTH",
                    "message": "expected 6 items, got 5",
                }
            ]
        },
    }
    fits("Problem", refused.json)


@in_web
async def test_every_code_is_in_the_registry_and_can_be_looked_up(web: Web) -> None:
    """D29."""
    listed = (await web.ask("GET", "/problems", who=None)).json
    assert [row["code"] for row in listed] == list(PROBLEMS)
    for row in listed:
        entry = await web.ask("GET", row["type"], who=None)
        assert entry.json == row
        page = await web.ask("GET", row["type"], who=None, accept="text/html")
        assert row["code"] in page.body.decode()
    for path, status in (("/problems", 200), ("/problems/thread-busy", 200), ("/problems/nothing", 404)):
        found = await web.ask("GET", path, who=None)
        assert (found.status, found.headers["cache-control"]) == (status, "no-store")
        assert found.headers["x-request-id"]


@in_web(reader=Model)
async def test_a_follow_up_reads_the_cast_of_its_thread_and_tells_it_no_more(web: Web) -> None:
    await web.submit()
    await web.settled()
    value = body(run="r2", payload=None, said="什么时候有消息？")
    value["messages"].insert(0, {"id": "x", "role": "user", "content": "甲"})
    value["messages"].insert(1, {"id": "y", "role": "assistant", "content": "改口：上上签" * 900})
    accepted = await web.submit(value)
    assert accepted.status == 202
    await web.settled(run="r2")
    kinds = [one["type"] for one in (await web.stream(run="r2")).events]
    assert kinds[:3] == ["RUN_STARTED", "STEP_STARTED", "TEXT_MESSAGE_START"]
    agui = (await web.stream(run="r2", query="&profile=agui")).events
    assert {"CUSTOM", "STATE_SNAPSHOT"} & {one["type"] for one in agui} == set()
    asked = web.reader.asked[-1].user_question
    assert PAYLOAD["question"] in asked
    assert "什么时候有消息？" in asked
    assert "改口" not in asked
    newest, said, *_ = (await web.history())["messages"]
    assert said["content"] == "什么时候有消息？"
    assert newest["agent_output"]["divination_derived"] == GOLDEN["seedRequest"]


@in_web
async def test_a_stock_client_sends_the_cast_with_every_run_and_is_told_it_in_each(web: Web) -> None:
    await web.submit()
    await web.settled()
    value = body(run="r2", said="然后呢？")
    value["state"] = {"divination": {"a": 1}, "analysis": 2, "mine": {"b": [1, "é"]}}
    await web.submit(value)
    await web.settled(run="r2")
    events = (await web.stream(run="r2", query="&profile=agui")).events
    assert [one["type"] for one in events].count("CUSTOM") == 1
    snapshot = next(one for one in events if one["type"] == "STATE_SNAPSHOT")["snapshot"]
    assert snapshot["mine"] == {"b": [1, "é"]}
    assert snapshot["divination"] == GOLDEN["seedRequest"]


@in_web
async def test_what_is_derived_follows_the_question_of_the_cast_and_history_keeps_what_was_said(
    web: Web,
) -> None:
    await web.submit(body(said="嗨"))
    await web.settled()
    newest, first = (await web.history())["messages"]
    assert first["content"] == "嗨"
    assert newest["agent_output"]["divination_derived"]["question"] == PAYLOAD["question"]


@in_web
async def test_a_question_is_echoed_exactly_as_it_was_sent(web: Web) -> None:
    question = ' e\u0301 \u202e我？<b>"\\ '
    derived = await web.ask("POST", DERIVE, PAYLOAD | {"question": question})
    assert derived.json["divination"]["question"] == question
    await web.submit(body(payload=PAYLOAD | {"question": question}))
    await web.settled()
    told = next(one for one in (await web.stream()).events if one["type"] == "DIVINATION_DERIVED")
    assert told["divination"]["question"] == question


@in_web
async def test_derivation_is_free_and_leaves_nothing(web: Web) -> None:
    derived = await web.ask("POST", DERIVE, PAYLOAD, "agent")
    assert derived.status == 200
    assert derived.json["divination"] == GOLDEN["seedRequest"]
    fits("Derived", derived.json)
    assert "ratelimit" not in derived.headers
    assert (await web.history())["messages"] == []
    assert await web.money() == (1000, 0)
    refused = await web.ask("POST", DERIVE, PAYLOAD | {"yaoLines": []})
    assert [one["pointer"] for one in refused.json["params"]["errors"]] == ["/yaoLines"]


@in_web
async def test_the_price_is_live_and_stands_beside_the_balance(web: Web) -> None:
    price = (await web.storage.pricing.all())["divination_run"]
    await web.storage.pricing.set(price._replace(credit_cost=7, min_balance=9), "test")
    found = await web.ask("GET", PRICE)
    assert found.json == {
        "tool_name": "divination_run", "credit_cost": 7, "min_balance": 9, "enabled": True, "balance": 1000, "held": 0,
        "available": 1000,
    }  # fmt: skip
    fits("Price", found.json)
    assert (await web.submit()).json["credits_held"] == 7
    assert (await web.settled())["credits_deducted"] == 7


@in_web
async def test_a_run_is_no_tool_that_can_be_called(web: Web) -> None:
    called = await web.ask("POST", "/api/universal/fortune/divination_run", {})
    assert (called.status, called.json["error"]["code"]) == (404, "UNKNOWN_TOOL")
    await web.submit()
    await web.settled()
    usage = await web.ask("POST", "/api/universal/meta/get_usage_history", {})
    (record,) = usage.json["data"]
    assert (record["tool_name"], record["credits_deducted"], record["status"]) == (
        "divination_run",
        4,
        "success",
    )
    credits = await web.ask("POST", "/api/universal/meta/get_user_credits", {})
    assert len(credits.json["data"]["pricing"]) == 4


@in_web
async def test_thread_ids_are_kept_in_lower_case(web: Web) -> None:
    accepted = await web.submit(body(thread=THREAD.upper()))
    assert accepted.json["threadId"] == THREAD
    await web.settled()
    assert (await web.stream(thread=THREAD.upper())).status == 200
    assert len((await web.history(f"?threadId={THREAD.upper()}"))["messages"]) == 2


@in_web(reader=Model)
async def test_the_status_of_a_run_says_how_it_stands(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    running = (await web.ask("GET", f"{RUNS}/{THREAD}?runId={RUN}")).json
    fits("RunStatus", running)
    assert running == {
        "threadId": THREAD, "runId": RUN, "status": "running", "attempt": 1,
        "createdAt": "2026-03-01T12:34:10+00:00", "finishedAt": None, "credits_deducted": 0, "lastSeq": 5, "error": None,
    }  # fmt: skip
    web.reader.gate.set()
    ended = await web.settled()
    fits("RunStatus", ended)
    assert (ended["status"], ended["credits_deducted"]) == ("succeeded", 4)
