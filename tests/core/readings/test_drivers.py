"""The loop around a port on a scripted clock: attempts, repair, deadline, refusal, cost, cache; blocking and not."""

from __future__ import annotations

import asyncio
import copy
import threading
from typing import Any

import pytest

from bazi_core.errors import (
    CostLimit,
    InvalidInput,
    PortError,
    PortInvalidOutput,
    PortRefused,
    PortTimeout,
    PortUnavailable,
)
from bazi_core.readings.drivers import LEAST_FOR_REPAIR_S, Limits, Outcome, adrive, drive, steps
from bazi_core.readings.fakes import Clock, FailingPort, ScriptedPort, Step, asynchronous, reply_of
from bazi_core.readings.port import Price, ReadingReply, Usage
from bazi_core.readings.requests import build_request, facts_of, required_of
from tests.core.readings.written import pattern, said, written

RESULT = pattern()
REQUEST = build_request(RESULT)
GOOD = written(RESULT)
BAD = copy.deepcopy(GOOD)
BAD["summary"].append(said("格局为正官格。", "pat.main"))
PRICE = Price(1.0, 1.0)


def carried(port: Any, clock: Clock, mode: str = "sync", timeout_s: float = 60.0, **limits: Any) -> Outcome:
    made = steps(REQUEST, facts_of(RESULT), required_of(RESULT), Limits(timeout_s, clock=clock, **limits))
    return drive(made, port) if mode == "sync" else asyncio.run(adrive(made, asynchronous(port)))


both = pytest.mark.parametrize("mode", ["sync", "async"])


@both
def test_a_good_reply_is_taken_at_once(mode):
    clock = Clock()
    port = ScriptedPort([Step(GOOD, 12.5)], clock)
    outcome = carried(port, clock, mode)
    assert (outcome.attempts, outcome.error, outcome.latency_ms) == (1, None, 12_500)
    assert outcome.reading.to_dict() == GOOD
    assert outcome.report.verdict == "pass"
    assert outcome.model == "scripted"


@both
def test_an_invalid_reply_is_repaired_once(mode):
    clock = Clock()
    port = ScriptedPort([Step(BAD, 20), Step(GOOD, 20)], clock)
    outcome = carried(port, clock, mode)
    assert (outcome.attempts, outcome.error) == (2, None)
    assert outcome.report.verdict == "repaired"
    first, second = port.requests
    assert "VOCABULARY" in second.instruction
    assert "VOCABULARY" not in first.instruction
    assert (first.timeout_s, second.timeout_s) == (60, 40)
    assert first.idempotency_key != second.idempotency_key


@both
def test_after_the_repair_there_is_no_further_attempt(mode):
    clock = Clock()
    port = ScriptedPort([BAD, "no JSON", GOOD], clock)
    outcome = carried(port, clock, mode)
    assert isinstance(outcome.error, PortInvalidOutput)
    assert [each["code"] for each in outcome.error.data["problems"]] == ["JSON"]
    assert (outcome.attempts, len(port.requests), outcome.reading) == (2, 2, None)


@pytest.mark.parametrize(("spent_s", "attempts"), [(49.9, 2), (50.0, 2), (50.1, 1), (59.9, 1)])
def test_a_repair_is_asked_for_while_ten_seconds_remain(spent_s, attempts):
    clock = Clock()
    outcome = carried(ScriptedPort([Step(BAD, spent_s), GOOD], clock), clock)
    assert LEAST_FOR_REPAIR_S == 10
    assert outcome.attempts == attempts
    assert isinstance(outcome.error, PortInvalidOutput) == (attempts == 1)


@both
def test_a_port_that_is_punctual_times_out_by_itself(mode):
    clock = Clock()
    outcome = carried(ScriptedPort([Step(GOOD, 61)], clock), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.latency_ms == 60_000


@both
def test_a_late_reply_is_dropped_however_good(mode):
    clock = Clock()
    outcome = carried(ScriptedPort([Step(GOOD, 60.001, punctual=False)], clock), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.error.data == {"timeout_s": 60.0}
    assert outcome.reading is None


@both
def test_a_reply_at_the_deadline_is_in_time(mode):
    clock = Clock()
    assert carried(ScriptedPort([Step(GOOD, 60)], clock), clock, mode).error is None


@both
def test_the_repair_may_be_late_too(mode):
    clock = Clock()
    outcome = carried(ScriptedPort([Step(BAD, 30), Step(GOOD, 31, punctual=False)], clock), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.attempts == 2


@both
@pytest.mark.parametrize(
    "error", [PortUnavailable("u", reason="http", status=503), PortRefused("r", reason="policy")]
)
def test_an_error_of_the_port_ends_the_call_without_another_attempt(mode, error):
    clock = Clock()
    port = ScriptedPort([error, GOOD], clock)
    outcome = carried(port, clock, mode)
    assert outcome.error is error
    assert len(port.requests) == 1


@both
def test_a_port_that_gives_up_is_told_as_the_time_that_the_whole_call_was_allowed(mode):
    clock = Clock()
    port = ScriptedPort([Step(BAD, 20), Step(GOOD, 61), GOOD], clock)
    outcome = carried(port, clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert (outcome.error.data, port.requests[1].timeout_s) == ({"timeout_s": 60.0}, 40.0)
    assert len(port.requests) == 2


@both
@pytest.mark.parametrize("reason", ["refusal", "content_filter"])
def test_a_refusal_told_as_a_reply_is_a_refusal(mode, reason):
    clock = Clock()
    port = ScriptedPort([ReadingReply("I can't help with that.", finish_reason=reason), GOOD], clock)
    outcome = carried(port, clock, mode)
    assert isinstance(outcome.error, PortRefused)
    assert outcome.error.data == {"reason": reason}
    assert len(port.requests) == 1


@both
def test_a_refusal_during_the_repair_ends_the_call(mode):
    clock = Clock()
    outcome = carried(ScriptedPort([BAD, PortRefused("no", reason="policy")], clock), clock, mode)
    assert isinstance(outcome.error, PortRefused)


@both
@pytest.mark.parametrize(
    "error", [ValueError("secret key sk-1"), KeyError("sk-1"), RuntimeError("庚 sk-1"), OSError("sk-1")]
)
def test_another_exception_of_a_port_becomes_unavailable_and_its_words_are_dropped(mode, error):
    outcome = carried(FailingPort(error), Clock(), mode)
    assert isinstance(outcome.error, PortUnavailable)
    assert outcome.error.data == {"reason": type(error).__name__}
    assert "sk-1" not in f"{outcome.error} {outcome.error!r} {outcome.error.to_dict()}"


def test_an_interruption_is_not_swallowed():
    class Interrupted:
        def generate(self, request):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carried(Interrupted(), Clock())


@both
@pytest.mark.parametrize("nonsense", [None, "text", {"text": "x"}, 7])
def test_what_is_no_reply_counts_as_an_empty_one(mode, nonsense):
    class Odd:
        def generate(self, request):
            return nonsense

    outcome = carried(Odd(), Clock(), mode)
    assert isinstance(outcome.error, PortInvalidOutput)


def test_a_port_that_hangs_is_left_behind():
    gate = threading.Event()

    class Hanging:
        def generate(self, request):
            gate.wait(10)
            return reply_of(GOOD)

    made = steps(REQUEST, facts_of(RESULT), (), Limits(0.05))
    outcome = drive(made, Hanging())
    gate.set()
    assert isinstance(outcome.error, PortTimeout)


def test_an_asynchronous_port_that_hangs_is_ended_by_the_caller_s_wait():
    class Hanging:
        async def generate(self, request):
            await asyncio.Event().wait()

    made = steps(REQUEST, facts_of(RESULT), (), Limits(0.05))
    outcome = asyncio.run(adrive(made, Hanging(), asyncio.wait_for))
    assert isinstance(outcome.error, PortTimeout)


def test_a_cancelled_call_is_cancelled():
    class Hanging:
        async def generate(self, request):
            await asyncio.Event().wait()

    async def cancelled() -> None:
        made = steps(REQUEST, facts_of(RESULT), (), Limits(60))
        task = asyncio.create_task(adrive(made, Hanging()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


@both
def test_usage_and_cost_are_those_of_all_attempts(mode):
    clock = Clock()
    script = [reply_of(BAD, usage=Usage(1000, 500)), reply_of(GOOD, usage=Usage(2000, 700, 0.25))]
    outcome = carried(ScriptedPort(script, clock), clock, mode, price=Price(1.0, 10.0))
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens) == (3000, 1200)
    assert outcome.usage.cost == pytest.approx(0.001 + 0.005 + 0.25)


def test_usage_is_told_for_a_call_that_failed():
    clock = Clock()
    outcome = carried(ScriptedPort([reply_of("x", usage=Usage(10, 5))] * 2, clock), clock)
    assert outcome.error is not None
    assert outcome.usage == Usage(20, 10)


@both
def test_a_call_that_may_cost_too_much_is_not_made(mode):
    port = ScriptedPort([GOOD])
    outcome = carried(port, Clock(), mode, max_cost=0.001, price=PRICE)
    assert isinstance(outcome.error, CostLimit)
    assert outcome.error.data["limit"] == 0.001 < outcome.error.data["estimate"]
    assert port.requests == []
    assert outcome.attempts == 0


def test_a_repair_that_would_cost_too_much_is_not_asked_for():
    limit = PRICE.estimate(REQUEST) * 1.01
    port = ScriptedPort([reply_of(BAD, usage=Usage(5000, 5000)), GOOD])
    outcome = carried(port, Clock(), max_cost=limit, price=PRICE)
    assert isinstance(outcome.error, PortInvalidOutput)
    assert len(port.requests) == 1


def test_a_limit_of_cost_without_a_price_is_refused():
    with pytest.raises(InvalidInput):
        carried(ScriptedPort([GOOD]), Clock(), max_cost=1.0)


def test_a_limit_that_suffices_does_not_matter():
    assert carried(ScriptedPort([GOOD]), Clock(), max_cost=1.0, price=PRICE).error is None


@both
def test_a_reply_that_passed_is_not_asked_for_again(mode):
    cache: dict[str, str] = {}
    first = carried(ScriptedPort([GOOD]), Clock(), mode, cache=cache)
    port = ScriptedPort([])
    second = carried(port, Clock(), mode, cache=cache)
    assert second.reading == first.reading
    assert (second.attempts, port.requests) == (0, [])


def test_a_reply_that_failed_is_not_kept():
    cache: dict[str, str] = {}
    carried(ScriptedPort([BAD, BAD]), Clock(), cache=cache)
    assert cache == {}


@pytest.mark.parametrize("kept", ["", "{", "null", '{"title": "x"}'])
def test_what_is_found_in_a_cache_is_checked_like_any_reply(kept):
    port = ScriptedPort([GOOD])
    outcome = carried(port, Clock(), cache={REQUEST.idempotency_key: kept})
    assert outcome.error is None
    assert len(port.requests) == 1


def test_time_that_is_used_up_before_the_call_is_a_timeout():
    port = ScriptedPort([GOOD])
    outcome = carried(port, Clock(), timeout_s=0.0)
    assert isinstance(outcome.error, PortTimeout)
    assert port.requests == []


@pytest.mark.parametrize(
    "script",
    [
        [PortTimeout("t", timeout_s=1)], [PortUnavailable("u", reason="x")], [PortRefused("r", reason="x")],
        ["{", "{"], [BAD, BAD],
    ],
)  # fmt: skip
def test_no_error_repeats_what_was_asked(script):
    error = carried(ScriptedPort(script), Clock()).error
    assert isinstance(error, PortError)
    told = f"{error} {error!r} {error.to_dict()}"
    assert REQUEST.facts_block[:40] not in told
    assert REQUEST.system[:40] not in told
