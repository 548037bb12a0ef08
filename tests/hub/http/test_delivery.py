"""Handing answers over: streams of long calls, disconnects, and what counts as delivered."""

import asyncio
from typing import Any

import pytest

from bazi_hub.http.app import create_app
from bazi_hub.http.exchange import Pace
from bazi_hub.words.call import Outcome
from tests.hub.client import KEY, SDK, Connection, ask, tool_call
from tests.hub.fake_hub import CALL_ID, FakeHub, FakeIdentity, fault
from tests.waiting import eventually

PAID = Outcome('{"a":1}', credits_deducted=4, call_id=CALL_ID, undelivered=CALL_ID)
T1, T2 = "bazi_basic_analysis", "bazi_pattern_analysis"
TOKEN = {"progressToken": "t"}


@pytest.fixture
def paid(hub: FakeHub) -> FakeHub:
    hub.outcome = PAID
    return hub


def impatient(hub: FakeHub) -> Any:
    return create_app(hub, FakeIdentity(), pace=Pace(sign_s=0.001))  # type: ignore[arg-type]


@pytest.mark.parametrize("headers", [KEY, SDK])
@pytest.mark.parametrize("tool", [T1, T2])
def test_an_answer_that_was_taken_whole_is_delivered(
    app: Any, paid: FakeHub, tool: str, headers: dict[str, str]
) -> None:
    response = ask(app, body=tool_call(tool), headers=headers)
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert paid.seen == [CALL_ID]
    ask(app, f"/api/universal/fortune/{tool}", headers=KEY)
    assert paid.seen == [CALL_ID] * 2


@pytest.mark.parametrize("path", ["/api/mcp", f"/api/universal/fortune/{T2}"])
@pytest.mark.parametrize("headers", [KEY, SDK])
def test_a_disconnect_leaves_the_work_alone_and_the_answer_undelivered(
    app: Any, paid: FakeHub, path: str, headers: dict[str, str]
) -> None:
    async def run() -> None:
        import json

        paid.gate = asyncio.Event()
        connection = Connection(app, path, json.dumps(tool_call(T2)).encode(), headers=headers)
        running = asyncio.create_task(connection.run())
        await eventually(lambda: paid.calls)
        connection.gone.set()
        paid.gate.set()
        await running

    asyncio.run(run())
    assert len(paid.calls) == 1
    assert paid.seen == []


def test_free_answers_need_no_receipt(app: Any, hub: FakeHub) -> None:
    ask(app, body=tool_call(), headers=KEY)
    assert hub.seen == []


# --- streams ---


def streamed(hub: FakeHub, signs: int, headers: dict[str, str] = SDK, **params: Any) -> Any:
    """The response to a call that ends after so many pieces were sent."""
    import json

    async def run() -> Any:
        hub.gate = asyncio.Event()
        connection = Connection(
            impatient(hub), body=json.dumps(tool_call(T2, **params)).encode(), headers=headers
        )
        running = asyncio.create_task(connection.run())
        async with asyncio.timeout(20):
            await eventually(lambda: len(connection.response.parts) >= signs)
        hub.gate.set()
        return await running

    return asyncio.run(run())


def test_a_long_call_of_an_sdk_shows_signs_of_life_and_ends_with_its_answer(paid: FakeHub) -> None:
    response = streamed(paid, signs=3)
    assert (response.status, response.headers["content-type"]) == (200, "text/event-stream")
    assert response.headers["cache-control"] == "no-cache, no-transform"
    assert response.headers["x-accel-buffering"] == "no"
    assert "content-length" not in response.headers
    assert response.parts[:3] == [b": ping\n\n"] * 3
    assert response.parts[-1].startswith(b"event: message\ndata: {")
    assert response.events[-1]["result"]["content"][0]["text"] == PAID.result
    assert paid.seen == [CALL_ID]


def test_phases_are_told_to_whom_asked_for_them(app: Any, paid: FakeHub) -> None:
    paid.phases = ("computing", "reading")
    response = ask(app, body=tool_call(T2, _meta=TOKEN), headers=SDK)
    assert response.headers["content-type"] == "text/event-stream"
    *told, last = response.events
    assert [event["method"] for event in told] == ["notifications/progress"] * 2
    assert [event["params"] for event in told] == [
        {"progressToken": "t", "progress": 1, "message": "computing"},
        {"progressToken": "t", "progress": 2, "message": "reading"},
    ]
    assert last["id"] == 1


def test_progress_grows_while_nothing_new_is_known(paid: FakeHub) -> None:
    paid.phases = ("reading",)
    response = streamed(paid, signs=6, _meta=TOKEN)
    steps = [event["params"]["progress"] for event in response.events[:-1]]
    assert steps == list(range(1, len(steps) + 1))
    assert len(steps) > 2


def test_without_a_token_phases_begin_no_stream(app: Any, paid: FakeHub) -> None:
    paid.phases = ("reading",)
    assert ask(app, body=tool_call(T2), headers=SDK).headers["content-type"] == "application/json"


@pytest.mark.parametrize("headers", [KEY, {**KEY, "mcp-protocol-version": "2025-06-18"}])
def test_who_does_not_take_events_gets_json_however_long_it_takes(
    paid: FakeHub, headers: dict[str, str]
) -> None:
    paid.phases = ("reading",)
    response = streamed(paid, signs=0, headers=headers, _meta=TOKEN)
    assert response.headers["content-type"] == "application/json"


def test_an_error_after_the_stream_began_keeps_its_status(hub: FakeHub) -> None:
    hub.outcome = fault("UPSTREAM_TIMEOUT", timeout_s=60)
    response = streamed(hub, signs=1)
    assert response.status == 200
    assert response.events[-1]["error"]["message"] == "UPSTREAM_TIMEOUT"


def test_a_stream_whose_reader_left_is_not_delivered(paid: FakeHub) -> None:
    import json

    async def run() -> None:
        paid.gate = asyncio.Event()
        connection = Connection(impatient(paid), body=json.dumps(tool_call(T2)).encode(), headers=SDK)
        running = asyncio.create_task(connection.run())
        async with asyncio.timeout(20):
            await eventually(lambda: connection.response.parts)
        connection.gone.set()
        paid.gate.set()
        await running

    asyncio.run(run())
    assert paid.seen == []
