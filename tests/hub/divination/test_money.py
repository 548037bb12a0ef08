"""A run is executed once and paid once, whatever is sent again, cancelled or refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bazi_core.errors import PortTimeout
from bazi_hub.ports import StoreError
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from tests.hub.divination.grammar import check_stream
from tests.hub.divination.runworld import (
    AGUI,
    OTHER_THREAD,
    PAYLOAD,
    PRICE,
    RUN,
    RUNS,
    THREAD,
    Model,
    Web,
    body,
    in_web,
    plays,
)
from tests.hub.stories import in_loop
from tests.sizes import sizes
from tests.waiting import eventually

if TYPE_CHECKING:
    from pathlib import Path

STATUS = f"{RUNS}/{THREAD}?runId={RUN}"


@in_web(reader=Model)
async def test_fifty_equal_submissions_are_one_run(web: Web) -> None:
    web.reader.gate.clear()
    found = await asyncio.gather(*(web.submit() for _ in range(50)))
    assert sorted(one.status for one in found) == [200] * 49 + [202]
    assert {one.headers.get("idempotent-replayed") for one in found if one.status == 200} == {"true"}
    assert {one.json["credits_held"] for one in found} == {4}
    assert await web.money() == (1000, 4)
    await web.begun()
    web.reader.gate.set()
    assert (await web.settled())["credits_deducted"] == 4
    assert len(web.reader.asked) == 1
    assert await web.money() == (996, 0)


@in_web(reader=Model)
async def test_a_submission_on_both_routes_at_once_is_one_run(web: Web) -> None:
    for number in range(20):
        value = body(run=f"r{number}")
        posts = [web.submit(value), web.ask("POST", AGUI, value)] * 1
        found = await asyncio.gather(*posts)
        assert {one.status for one in found} <= {200, 202}
        await web.settled(run=f"r{number}")
    assert len(web.reader.asked) == 20
    assert await web.money() == (1000 - 80, 0)


@in_web(reader=Model)
async def test_a_repeated_submission_says_how_the_run_stands(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    assert (await web.submit()).json["status"] == "running"
    web.reader.gate.set()
    await web.settled()
    again = await web.submit()
    assert (again.status, again.json["status"], again.json["attempt"]) == (200, "succeeded", 1)
    await web.submit(body(run="r2"))
    web.reader.gate.clear()
    await web.ask("DELETE", f"{RUNS}/{THREAD}?runId=r2")


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value["state"].update(a=1),
        lambda value: value["messages"][0].update(content="别的"),
        lambda value: value["messages"][0].update(id="other"),
        lambda value: value["tools"].append({"name": "x"}),
        lambda value: value["context"].append({"a": 1}),
        lambda value: value["forwardedProps"].update(ai_language="en"),
        lambda value: value["forwardedProps"].update(divinationPayload=PAYLOAD | {"question": "别的？"}),
        lambda value: value["forwardedProps"].pop("divinationPayload"),
    ],
)
@in_web
async def test_the_same_name_with_another_body_is_a_conflict(web: Web, change: Any) -> None:
    await web.submit()
    await web.settled()
    value = body()
    change(value)
    refused = await web.submit(value)
    assert (refused.status, refused.json["code"]) == (409, "RUN_CONFLICT")
    assert await web.money() == (996, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(state={"divination": {"x": 1}, "analysis": []}),
        lambda value: value["forwardedProps"].pop("client_time"),
        lambda value: value.update(protocolVersion="1.1", unknown={"a": 1}),
        lambda value: value["forwardedProps"].update(unknown=[1]),
        lambda value: value.update(threadId=THREAD.upper()),
    ],
)
@in_web
async def test_what_does_not_matter_does_not_make_another_body(web: Web, change: Any) -> None:
    await web.submit()
    await web.settled()
    value = body()
    change(value)
    again = await web.submit(value)
    assert (again.status, again.headers["idempotent-replayed"]) == (200, "true")


@in_web
async def test_an_idempotency_key_is_not_looked_at(web: Web) -> None:
    assert (await web.submit(idempotency_key="a")).status == 202
    await web.settled()
    assert (await web.submit(body(run="r2"), idempotency_key="a")).status == 202
    await web.settled(run="r2")
    assert await web.money() == (992, 0)


@in_web(reader=Model)
async def test_a_failed_run_is_free_and_runs_again(web: Web) -> None:
    web.reader.error = PortTimeout("late", timeout_s=90)
    await web.submit()
    failed = await web.settled()
    assert failed["error"]["code"] == "UPSTREAM_TIMEOUT"
    assert (failed["status"], failed["credits_deducted"]) == ("failed", 0)
    assert await web.money() == (1000, 0)
    newest = (await web.history())["messages"][0]
    assert newest["content"] == ""
    output = newest["agent_output"]
    assert (output["status"], output["error"]["code"], output["answer"]) == ("error", "UPSTREAM_TIMEOUT", "")
    assert "sign_level" not in output
    assert output["conclusion"] == output["keywords"] == []
    assert output["divination_derived"]["guaName"] == "水火既济"
    other = body()
    other["messages"][0]["content"] = "别的"
    assert (await web.submit(other)).status == 409
    web.reader.error = None
    assert (await web.submit()).json["attempt"] == 2
    assert (await web.settled())["status"] == "succeeded"
    assert await web.money() == (996, 0)
    assert [one["role"] for one in (await web.history())["messages"]] == ["assistant", "assistant", "user"]


@in_web(reader=Model)
async def test_a_busy_thread_names_its_run(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    refused = await web.submit(body(run="r2"))
    assert (refused.status, refused.json["code"]) == (409, "THREAD_BUSY")
    assert refused.json["params"] == {"runId": RUN}
    assert (await web.submit(body(thread=OTHER_THREAD))).status == 202
    assert await web.money() == (1000, 8)
    web.reader.gate.set()
    await web.settled()
    await web.settled(OTHER_THREAD)


@in_web
async def test_a_thread_keeps_its_cast(web: Web) -> None:
    await web.submit()
    await web.settled()
    refused = await web.submit(body(run="r2", payload=PAYLOAD | {"question": "别的？"}))
    assert (refused.status, refused.json["code"]) == (409, "THREAD_HAS_DERIVATION")
    reordered = dict(reversed(PAYLOAD.items()))
    assert (await web.submit(body(run="r2", payload=reordered))).status == 202
    await web.settled(run="r2")


@pytest.mark.parametrize("without", ["payload", "props"])
@in_web
async def test_the_first_run_of_a_thread_needs_a_cast(web: Web, without: str) -> None:
    value = body(payload=None)
    if without == "props":
        del value["forwardedProps"]
    refused = await web.submit(value)
    assert (refused.status, refused.json["code"]) == (422, "DERIVATION_REQUIRED")
    assert refused.json["params"]["errors"][0]["pointer"] == "/forwardedProps/divinationPayload"
    assert (await web.ask("GET", STATUS)).json["code"] == "THREAD_NOT_FOUND"


@in_web(reader=Model)
async def test_a_cancelled_run_gives_its_hold_back(web: Web) -> None:
    await web.held_up()
    stream = asyncio.ensure_future(web.stream())
    await asyncio.sleep(0.01)
    for _ in range(2):
        stopped = await web.ask("DELETE", STATUS)
        assert (stopped.status, stopped.json) == (
            200,
            {"threadId": THREAD, "runId": RUN, "status": "cancelled"},
        )
    end = (await stream).events[-1]
    assert (end["type"], end["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    assert (await web.settled())["status"] == "cancelled"
    assert await web.money() == (1000, 0)
    assert (await web.submit()).json["status"] == "cancelled"
    newest = (await web.history())["messages"][0]["agent_output"]
    assert (newest["status"], newest["answer"], newest["advice"]) == ("cancelled", "", [])
    assert "sign_level" not in newest
    web.reader.gate.set()
    assert (await web.submit(body(run="r2"))).status == 202
    await web.settled(run="r2")


@in_web(reader=Model)
async def test_what_has_ended_cannot_be_cancelled(web: Web) -> None:
    await web.submit()
    await web.settled()
    refused = await web.ask("DELETE", STATUS)
    assert (refused.status, refused.json["code"]) == (409, "RUN_FINISHED_ALREADY")
    assert refused.json["params"] == {"status": "succeeded"}
    web.reader.error = RuntimeError("no")
    await web.submit(body(run="r2"))
    await web.settled(run="r2")
    refused = await web.ask("DELETE", f"{RUNS}/{THREAD}?runId=r2")
    assert refused.json["params"] == {"status": "failed"}


async def turned(web: Web, turns: int) -> None:
    """Submits a run that the model would hold up, and lets the loop turn so often."""
    web.reader.gate.clear()
    assert (await web.submit()).status == 202
    await web.turns(turns)


@pytest.mark.parametrize("turns", range(31))
@in_web(reader=Model, llm_max_concurrency=1)
async def test_a_run_that_is_cancelled_at_any_moment_gives_all_back(web: Web, turns: int) -> None:
    await turned(web, turns)
    assert (await web.ask("DELETE", STATUS)).status == 200
    await web.turns(20)
    left, asked = len(web.hub.in_progress), len(web.reader.asked)
    web.reader.gate.set()
    assert (left, await web.money()) == (0, (1000, 0))
    # Whoever comes next finds the one slot free.
    await web.submit(body(run="r2"))
    assert (await web.settled(run="r2"))["status"] == "succeeded"
    assert len(web.reader.asked) == asked + 1


@pytest.mark.parametrize("turns", range(31))
@in_loop
async def test_a_hub_that_closes_at_any_moment_waits_for_no_model_and_gives_the_hold_back(turns: int) -> None:
    web = Web(reader=Model())
    await web.open()
    await turned(web, turns)
    async with asyncio.timeout(20):
        await web.hub.close(0)
    assert (await web.money(), web.hub.in_progress) == ((1000, 0), {})
    await web.checked()


class SlowlyAdmitted:
    """A log that admits a run at once and takes its time to say so."""

    def __init__(self, web: Web) -> None:
        self._admit, self.done, self.told = web.storage.runs.admit, asyncio.Event(), asyncio.Event()
        web.storage.runs.admit = self

    async def __call__(self, *run: Any) -> Any:
        found = await self._admit(*run)
        self.done.set()
        await self.told.wait()
        return found


@in_web(reader=Model)
async def test_a_run_whose_submitter_was_cancelled_while_it_was_admitted_is_executed(web: Web) -> None:
    """Otherwise its hold would stay, and its thread be busy, until the lease has passed."""
    log = SlowlyAdmitted(web)
    submitting = asyncio.create_task(web.submit())
    await log.done.wait()
    submitting.cancel()
    await asyncio.wait([submitting])
    log.told.set()
    assert (await web.settled())["status"] == "succeeded"
    assert await web.money() == (996, 0)
    await web.idle()
    [line] = [one for one in web.voices.logged if one["event"] == "call"]
    assert (line["code"], line["tool"]) == ("OK", "divination_run")


@in_web(reader=Model)
async def test_a_hub_that_closes_while_a_run_is_admitted_gives_the_hold_back(web: Web) -> None:
    log = SlowlyAdmitted(web)
    submitting = asyncio.create_task(web.submit())
    await log.done.wait()
    draining = asyncio.create_task(web.hub.drain(0))
    await web.turns(10)
    log.told.set()
    await draining
    assert (await submitting).status == 202
    assert (await web.settled())["error"]["code"] == "UPSTREAM_ERROR"
    assert (await web.money(), web.reader.asked) == ((1000, 0), [])


@in_web(reader=Model)
async def test_a_run_that_was_let_in_before_a_hub_drains_does_not_begin_behind_it(web: Web) -> None:
    go, meet = asyncio.Event(), web.storage.runs.meet

    async def slow(*named: str) -> Any:
        await go.wait()
        return await meet(*named)

    web.storage.runs.meet = slow
    late = asyncio.create_task(web.submit())
    await web.turns(5)
    await web.hub.drain()
    go.set()
    refused = await late
    assert (refused.status, refused.json["params"]["reason"]) == (502, "DRAINING")
    assert (await web.money(), web.hub.in_progress) == ((1000, 0), {})


@in_web(reader=Model)
async def test_an_admission_that_fails_is_told_to_its_submitter(web: Web) -> None:
    async def fail(*run: Any) -> Any:
        raise StoreError("disk full")

    admit, web.storage.runs.admit = web.storage.runs.admit, fail
    assert (await web.submit()).json["code"] == "INTERNAL_ERROR"
    await web.idle()
    web.storage.runs.admit = admit
    assert (await web.submit()).status == 202
    assert (await web.settled())["status"] == "succeeded"
    await web.idle()
    codes = [one["code"] for one in web.voices.logged if one["event"] == "call"]
    assert codes == ["INTERNAL_ERROR", "OK"]


@sizes(24, 200)
@in_web(reader=Model, credits=10_000, uncharged_readings=1000)
async def test_cancelling_against_the_end_has_one_outcome(web: Web, count: int) -> None:
    """However often: the money agrees with whoever was first."""
    ended = {"succeeded": 0, "cancelled": 0}
    for number in range(count):
        await web.held_up(body(run=f"r{number}"), number + 1)
        web.reader.gate.set()
        for _ in range(number % 12):
            await asyncio.sleep(0)
        stopped = await web.ask("DELETE", f"{RUNS}/{THREAD}?runId=r{number}")
        status = (await web.settled(run=f"r{number}"))["status"]
        ended[status] += 1
        assert stopped.status == (200 if status == "cancelled" else 409)
    assert await web.money() == (10_000 - 4 * ended["succeeded"], 0)
    assert min(ended.values()) > 0


@in_web(reader=Model)
async def test_a_result_that_comes_too_late_is_neither_told_nor_paid(web: Web) -> None:
    await web.held_up()
    web.clock.advance(121)
    assert await web.storage.ledger.reap() == 1
    failed = await web.settled()
    assert failed["error"]["code"] == "RUN_INTERRUPTED"
    assert [one["type"] for one in (await web.stream()).events][-1] == "RUN_ERROR"
    web.reader.gate.set()
    await eventually(lambda: not web.hub.in_progress)
    assert await web.settled() == failed
    assert await web.money() == (1000, 0)
    again = await web.submit()
    assert again.json["attempt"] == 2
    await web.settled()


@in_web(reader=Model)
async def test_a_reader_of_a_run_that_was_interrupted_elsewhere_is_told(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    stream = asyncio.ensure_future(web.stream())
    await eventually(lambda: web.service.feed._waiting)
    await web.storage.ledger.reap(everything=True)
    assert (await stream).events[-1]["code"] == "RUN_INTERRUPTED"
    web.reader.gate.set()


@in_web
async def test_ten_runs_a_minute_of_an_agent_share_the_window_of_the_tools(web: Web) -> None:
    for number in range(9):
        found = await web.submit(body(run=f"r{number}"), "agent")
        assert found.headers["ratelimit-policy"] == '"fortune_call";q=10;w=60'
        assert found.headers["ratelimit"] == f'"fortune_call";r={9 - number};t=50'
        await web.settled(run=f"r{number}")
    tool = await web.ask("POST", "/api/universal/fortune/bazi_basic_analysis", {}, "agent")
    assert tool.headers["ratelimit"] == '"fortune_call";r=0;t=50'
    refused = await web.submit(body(run="r9"), "agent")
    assert (refused.status, refused.headers["retry-after"]) == (429, "50")
    assert refused.headers["ratelimit"] == '"fortune_call";r=0;t=50'
    assert refused.json["params"] == {"limit_type": "fortune_call", "limit": 10, "retry_after": 50}
    assert (await web.ask("POST", AGUI, body(run="r9"), "agent")).status == 429
    # Everything else has no class.
    assert (await web.ask("GET", PRICE, None, "agent")).status == 200
    assert "ratelimit" not in (await web.ask("GET", f"{RUNS}/{THREAD}?runId=r1", None, "agent")).headers
    assert (await web.submit(body(run="r9"))).status == 202, "a person's key has no window"
    await web.settled(run="r9")


@in_web(reader=Model, uncharged_readings=2)
async def test_readings_asked_in_vain_are_counted_for_the_day(web: Web) -> None:
    web.reader.error = PortTimeout("late", timeout_s=90)
    for number in range(2):
        await web.submit(body(run=f"r{number}"))
        await web.settled(run=f"r{number}")
    refused = await web.submit(body(run="r3"))
    assert (refused.status, refused.json["code"]) == (429, "RATE_LIMITED")
    assert refused.json["params"]["limit_type"] == "uncharged_readings"
    # Somebody in distress is answered all the same.
    comfort = await web.submit(
        body(thread=OTHER_THREAD, payload=PAYLOAD | {"question": "我不想活了，该怎么办？"})
    )
    assert comfort.status == 202
    assert (await web.settled(OTHER_THREAD))["credits_deducted"] == 0
    web.clock.advance(86_400)
    web.reader.error = None
    assert (await web.submit(body(run="r3"))).status == 202
    await web.settled(run="r3")


@in_web
async def test_runs_can_be_switched_off_and_all_else_goes_on(web: Web) -> None:
    await web.submit()
    await web.settled()
    price = (await web.storage.pricing.all())["divination_run"]
    await web.storage.pricing.set(price._replace(enabled=False), "test")
    for path in (RUNS, AGUI):
        refused = await web.ask("POST", path, {"anything": 1})
        assert (refused.status, refused.json["code"]) == (403, "TOOL_DISABLED")
        assert refused.json["params"] == {"tool_name": "divination_run"}
    assert (await web.stream()).status == 200
    assert len((await web.history())["messages"]) == 2
    assert (await web.ask("GET", PRICE)).json["enabled"] is False
    assert (await web.ask("POST", "/api/v1/divination/derive", PAYLOAD)).status == 200


@in_web(reader=Model, credits=7, topup_url="https://example.org/top-up")
async def test_who_cannot_pay_holds_nothing_and_leaves_no_run(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    refused = await web.submit(body(thread=OTHER_THREAD))
    assert (refused.status, refused.json["params"]["reason"]) == (402, "RESERVED")
    assert refused.json["params"]["topup_url"] == "https://example.org/top-up"
    assert (await web.ask("GET", f"{RUNS}/{OTHER_THREAD}?runId={RUN}")).status == 404
    web.reader.gate.set()
    await web.settled()


ORDER = [
    # Each request fails for all that stands behind it, too.
    ("UNAUTHORIZED", {"who": None, "disabled": True, "full": True, "bad": True}),
    ("TOOL_DISABLED", {"disabled": True, "full": True, "bad": True}),
    ("RATE_LIMITED", {"full": True, "bad": True}),
    ("INVALID_PAYLOAD", {"bad": True, "conflict": True}),
    ("RUN_CONFLICT", {"conflict": True, "busy": True, "other": True}),
    ("THREAD_BUSY", {"busy": True, "other": True, "spent": True}),
    ("THREAD_HAS_DERIVATION", {"other": True, "spent": True, "poor": True}),
    ("RATE_LIMITED", {"spent": True, "crowded": True, "poor": True}),
    ("UPSTREAM_ERROR", {"crowded": True, "poor": True}),
    ("INSUFFICIENT_CREDITS", {"poor": True}),
]


@pytest.mark.parametrize(("code", "faults"), ORDER, ids=[f"{n}-{row[0]}" for n, row in enumerate(ORDER)])
@in_web(reader=Model)
async def test_the_first_check_that_fails_decides(web: Web, code: str, faults: dict[str, Any]) -> None:
    await web.submit(body(run="old"))
    await web.settled(run="old")
    value = body(run="old" if "conflict" in faults else "new")
    if "busy" in faults:
        web.reader.gate.clear()
        await web.submit(body(run="running"))
    if "other" in faults or "conflict" in faults:
        value["forwardedProps"]["divinationPayload"] = PAYLOAD | {"question": "别的？"}
    if "bad" in faults:
        value["tools"] = 1
    if "spent" in faults:
        from bazi_hub.ports import days

        for _ in range(20):
            await web.storage.ledger.count_uncharged(web.accounts["me"], days(web.clock.now_ms()))
    if "crowded" in faults:
        web.hub.slots.room = lambda account_id: False  # type: ignore[method-assign]
    if "full" in faults:
        for _ in range(10):
            await web.limits.take(f"fortune_call:{web.keys['agent'][4:12]}", 10)
    price = (await web.storage.pricing.all())["divination_run"]
    changed = price._replace(enabled="disabled" not in faults)
    if "poor" in faults:
        changed = changed._replace(credit_cost=5000, min_balance=5000)
    await web.storage.pricing.set(changed, "test")
    refused = await web.ask("POST", RUNS, value, None if "who" in faults else "agent")
    assert refused.json["code"] == code, refused.json
    if code == "RATE_LIMITED":
        wanted = "fortune_call" if "full" in faults else "uncharged_readings"
        assert refused.json["params"]["limit_type"] == wanted
    web.reader.gate.set()
    if "busy" in faults:
        await web.settled(run="running")


DISTRESSED = PAYLOAD | {"question": "我不想活了，该怎么办？"}


def thread_of(number: int) -> str:
    return f"7b0c9a52-2f0b-4d52-9a65-0c4f0a6f{number:04}"


@pytest.mark.parametrize("database", ["memory", "sqlite"])
def test_answers_to_distress_are_given_beyond_the_budget_of_a_day_and_stored_no_more(
    database: str, tmp_path: Path
) -> None:
    clock, ids = FakeClock(), FakeIds()
    storage = SqliteStorage(tmp_path / "hub.db", clock, ids) if database == "sqlite" else None

    async def story(web: Web) -> None:
        for number in range(2):
            assert (await web.submit(body(thread=thread_of(number), payload=DISTRESSED))).status == 202
            await web.settled(thread_of(number))
        kept = (await web.stream(thread_of(0))).events[-3]["answer"]
        before = await web.history()
        beyond = await web.ask("POST", AGUI, body(thread=thread_of(2), payload=DISTRESSED))
        assert beyond.status == 200
        check_stream(beyond.events, "agui")
        said = "".join(one["delta"] for one in beyond.events if one["type"] == "TEXT_MESSAGE_CONTENT")
        assert said == kept
        refused = await web.submit(body(thread=thread_of(3), payload=DISTRESSED))
        assert (refused.status, refused.json["code"]) == (429, "RATE_LIMITED")
        assert refused.json["detail"] == kept
        assert refused.json["params"]["limit_type"] == "free_answers"
        assert refused.headers["retry-after"] == str(refused.json["params"]["retry_after"])
        assert await web.history() == before
        assert (await web.ask("GET", f"{RUNS}/{thread_of(2)}?runId={RUN}")).status == 404
        assert await web.money() == (1000, 0)
        # Others, what is paid, and the next day have their own room.
        assert (await web.submit(body(payload=DISTRESSED), "you")).status == 202
        await web.settled(who="you")
        assert (await web.submit(body())).status == 202
        await web.settled()
        web.clock.advance(86_400)
        assert (await web.submit(body(thread=thread_of(4), payload=DISTRESSED))).status == 202
        await web.settled(thread_of(4))

    plays(story, free_answers=2, storage=storage, clock=clock, ids=ids)


@in_web
async def test_a_long_request_in_distress_is_answered_and_not_stored(web: Web) -> None:
    long = body(payload=DISTRESSED) | {"state": {"x": "x" * 20_000}}
    told = await web.ask("POST", AGUI, long)
    assert told.status == 200
    assert told.events[-1]["type"] == "RUN_FINISHED"
    assert (await web.history())["messages"] == []


@in_web(credits=0)
async def test_somebody_in_distress_without_credits_is_answered(web: Web) -> None:
    told = await web.ask("POST", AGUI, body(payload=DISTRESSED))
    assert told.status == 200
    assert told.events[-1]["type"] == "RUN_FINISHED"
    assert (await web.submit(body())).status == 402
