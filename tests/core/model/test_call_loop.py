"""One call to a port on a scripted clock: deadline, refusal, cost, cache; blocking and not."""

from __future__ import annotations

import asyncio
import json
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
from bazi_core.model.call_loop import CallOutcome, Checked, Limits, adrive, drive, steps
from bazi_core.model.fakes import FailingPort, FakeClock, ScriptedPort, Step, asynchronous, reply_of
from bazi_core.model.port import Price, ReadingReply, Usage
from bazi_hub.testing.readers import REQUEST

GOOD, BAD = "[1, 2]", "no JSON"
PRICE = Price(1.0, 1.0)


def check(reply: ReadingReply) -> Checked[list[int]]:
    """Takes any list of JSON."""
    try:
        value = json.loads(reply.text)
    except ValueError:
        value = None
    if not isinstance(value, list):
        raise PortInvalidOutput("no list", problems=[{"code": "JSON"}])
    return Checked(value, json.dumps(value))


def carried(
    port: Any, clock: FakeClock, mode: str = "sync", timeout_s: float = 60.0, **limits: Any
) -> CallOutcome[list[int]]:
    made = steps(REQUEST, Limits(timeout_s, clock=clock, **limits), check)
    return drive(made, port) if mode == "sync" else asyncio.run(adrive(made, asynchronous(port)))


both = pytest.mark.parametrize("mode", ["sync", "async"])


@both
def test_a_reply_of_no_use_ends_the_call_without_another_attempt(mode):
    clock = FakeClock()
    port = ScriptedPort([BAD, GOOD], clock)
    outcome = carried(port, clock, mode)
    assert isinstance(outcome.error, PortInvalidOutput)
    assert (outcome.attempts, len(port.requests), outcome.value) == (1, 1, None)


@both
def test_a_port_that_gives_up_is_told_as_the_time_that_the_call_was_allowed(mode):
    clock = FakeClock()
    outcome = carried(FailingPort(PortTimeout("t", timeout_s=7)), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.error.data == {"timeout_s": 60.0}


@both
def test_a_price_makes_the_cost_that_a_port_does_not_tell(mode):
    clock = FakeClock()
    port = ScriptedPort([reply_of(GOOD, usage=Usage(1000, 500))], clock)
    assert carried(port, clock, mode, price=Price(1.0, 10.0)).usage.cost == pytest.approx(0.006)


@both
def test_a_good_reply_is_taken_at_once(mode):
    clock = FakeClock()
    port = ScriptedPort([Step(GOOD, 12.5)], clock)
    outcome = carried(port, clock, mode)
    assert (outcome.attempts, outcome.error, outcome.latency_ms) == (1, None, 12_500)
    assert outcome.value == [1, 2]
    assert outcome.model == "scripted"


@both
def test_a_port_that_is_punctual_times_out_by_itself(mode):
    clock = FakeClock()
    outcome = carried(ScriptedPort([Step(GOOD, 61)], clock), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.latency_ms == 60_000


@both
def test_a_late_reply_is_dropped_however_good(mode):
    clock = FakeClock()
    outcome = carried(ScriptedPort([Step(GOOD, 60.001, punctual=False)], clock), clock, mode)
    assert isinstance(outcome.error, PortTimeout)
    assert outcome.error.data == {"timeout_s": 60.0}
    assert outcome.value is None


@both
def test_a_reply_at_the_deadline_is_in_time(mode):
    clock = FakeClock()
    assert carried(ScriptedPort([Step(GOOD, 60)], clock), clock, mode).error is None


@both
@pytest.mark.parametrize(
    "error", [PortUnavailable("u", reason="http", status=503), PortRefused("r", reason="policy")]
)
def test_an_error_of_the_port_ends_the_call_without_another_attempt(mode, error):
    clock = FakeClock()
    port = ScriptedPort([error, GOOD], clock)
    outcome = carried(port, clock, mode)
    assert outcome.error is error
    assert len(port.requests) == 1


@both
@pytest.mark.parametrize("reason", ["refusal", "content_filter"])
def test_a_refusal_told_as_a_reply_is_a_refusal(mode, reason):
    clock = FakeClock()
    port = ScriptedPort([ReadingReply("I can't help with that.", finish_reason=reason), GOOD], clock)
    outcome = carried(port, clock, mode)
    assert isinstance(outcome.error, PortRefused)
    assert outcome.error.data == {"reason": reason}
    assert len(port.requests) == 1


@both
@pytest.mark.parametrize(
    "error", [ValueError("secret key sk-1"), KeyError("sk-1"), RuntimeError("庚 sk-1"), OSError("sk-1")]
)
def test_another_exception_of_a_port_becomes_unavailable_and_its_words_are_dropped(mode, error):
    outcome = carried(FailingPort(error), FakeClock(), mode)
    assert isinstance(outcome.error, PortUnavailable)
    assert outcome.error.data == {"reason": type(error).__name__}
    assert "sk-1" not in f"{outcome.error} {outcome.error!r} {outcome.error.to_dict()}"


def test_an_interruption_is_not_swallowed():
    class Interrupted:
        def generate(self, request):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carried(Interrupted(), FakeClock())


@both
@pytest.mark.parametrize("nonsense", [None, "text", {"text": "x"}, 7])
def test_what_is_no_reply_counts_as_an_empty_one(mode, nonsense):
    class Odd:
        def generate(self, request):
            return nonsense

    outcome = carried(Odd(), FakeClock(), mode)
    assert isinstance(outcome.error, PortInvalidOutput)


def test_a_port_that_hangs_is_left_behind():
    gate = threading.Event()

    class Hanging:
        def generate(self, request):
            gate.wait(10)
            return reply_of(GOOD)

    made = steps(REQUEST, Limits(0.05), check)
    outcome = drive(made, Hanging())
    gate.set()
    assert isinstance(outcome.error, PortTimeout)


def test_an_asynchronous_port_that_hangs_is_ended_by_the_caller_s_wait():
    class Hanging:
        async def generate(self, request):
            await asyncio.Event().wait()

    made = steps(REQUEST, Limits(0.05), check)
    outcome = asyncio.run(adrive(made, Hanging(), asyncio.wait_for))
    assert isinstance(outcome.error, PortTimeout)


def test_a_cancelled_call_is_cancelled():
    class Hanging:
        async def generate(self, request):
            await asyncio.Event().wait()

    async def cancelled() -> None:
        made = steps(REQUEST, Limits(60), check)
        task = asyncio.create_task(adrive(made, Hanging()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_usage_is_told_for_a_call_that_failed():
    clock = FakeClock()
    outcome = carried(ScriptedPort([reply_of("x", usage=Usage(10, 5))], clock), clock, price=Price(1.0, 10.0))
    assert outcome.error is not None
    assert outcome.usage == Usage(10, 5, 0.00006)


@both
def test_a_call_that_may_cost_too_much_is_not_made(mode):
    port = ScriptedPort([GOOD])
    outcome = carried(port, FakeClock(), mode, max_cost=0.0001, price=PRICE)
    assert isinstance(outcome.error, CostLimit)
    assert outcome.error.data["limit"] == 0.0001 < outcome.error.data["estimate"]
    assert port.requests == []
    assert outcome.attempts == 0


def test_a_limit_of_cost_without_a_price_is_refused():
    with pytest.raises(InvalidInput):
        carried(ScriptedPort([GOOD]), FakeClock(), max_cost=1.0)


def test_a_limit_that_suffices_does_not_matter():
    assert carried(ScriptedPort([GOOD]), FakeClock(), max_cost=1.0, price=PRICE).error is None


@both
def test_a_reply_that_passed_is_not_asked_for_again(mode):
    cache: dict[str, str] = {}
    first = carried(ScriptedPort([GOOD]), FakeClock(), mode, cache=cache)
    port = ScriptedPort([])
    second = carried(port, FakeClock(), mode, cache=cache)
    assert second.value == first.value
    assert (second.attempts, port.requests) == (0, [])


def test_a_reply_that_failed_is_not_kept():
    cache: dict[str, str] = {}
    carried(ScriptedPort([BAD]), FakeClock(), cache=cache)
    assert cache == {}


@pytest.mark.parametrize("kept", ["", "{", "null", '{"title": "x"}'])
def test_what_is_found_in_a_cache_is_checked_like_any_reply(kept):
    port = ScriptedPort([GOOD])
    outcome = carried(port, FakeClock(), cache={REQUEST.idempotency_key: kept})
    assert outcome.error is None
    assert len(port.requests) == 1


def test_time_that_is_used_up_before_the_call_is_a_timeout():
    port = ScriptedPort([GOOD])
    outcome = carried(port, FakeClock(), timeout_s=0.0)
    assert isinstance(outcome.error, PortTimeout)
    assert port.requests == []


@pytest.mark.parametrize(
    "script",
    [
        [PortTimeout("t", timeout_s=1)], [PortUnavailable("u", reason="x")], [PortRefused("r", reason="x")],
        ["{"], [BAD],
    ],
)  # fmt: skip
def test_no_error_repeats_what_was_asked(script):
    error = carried(ScriptedPort(script), FakeClock()).error
    assert isinstance(error, PortError)
    told = f"{error} {error!r} {error.to_dict()}"
    assert REQUEST.menu[:40] not in told
    assert REQUEST.system[:40] not in told
