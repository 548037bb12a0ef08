"""The loop around a port: one attempt, one repair while there is time, then the rules or an error.

`steps` is the whole of it as a generator that does no I/O: it yields requests and takes replies. `drive` and `adrive` carry
them to a port, blocking or not. Time is a monotonic clock that the caller may inject; a reply that comes after the
deadline is dropped, a refusal is never asked again, and what may cost too much is not asked at all.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bazi_core.errors import (
    BaziError,
    CostLimit,
    InvalidInput,
    PortError,
    PortInvalidOutput,
    PortRefused,
    PortTimeout,
    PortUnavailable,
    shown,
)
from bazi_core.readings.port import ReadingReply, Usage, member, name_of, timed_out, within
from bazi_core.readings.reply import Checked, check_reply
from bazi_core.readings.requests import repair_request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, MutableMapping

    from bazi_core.facts import Fact
    from bazi_core.readings.grounding import GroundingReport, Requirement
    from bazi_core.readings.port import AsyncReadingPort, Price, ReadingPort, ReadingRequest
    from bazi_core.readings.validation import Problem

    Steps = Generator["ReadingRequest", "ReadingReply", "Outcome"]
    Check = Callable[
        [ReadingRequest, ReadingReply, Mapping[str, Fact], Iterable[Requirement]],
        Checked | tuple[Problem, ...],
    ]
    Wait = Callable[[Awaitable[Any], float], Awaitable[Any]]

T = TypeVar("T")
# A repair is worth asking for while at least so much of the deadline is left.
LEAST_FOR_REPAIR_S = 10.0
# A port that keeps to its own timeout is left this much longer to say so.
GRACE_S = 0.25
MOST_PROBLEMS = 20
LONGEST_NAME, MOST_TOKENS = 100, 10**9
REFUSALS = ("refusal", "content_filter")


class Limits(NamedTuple):
    """What a call may take: seconds in all, and cost in the unit of the price (None: any)."""

    timeout_s: float
    max_cost: float | None = None
    price: Price | None = None
    clock: Callable[[], float] = time.monotonic
    cache: MutableMapping[str, str] | None = None


class Outcome(NamedTuple):
    """What became of a call: a reading that passed, or the error; attempts, usage and time in either case.

    The reading is a `Reading`, or what the task of the request has in its place.
    """

    request: ReadingRequest
    reading: Any
    report: GroundingReport | None
    error: PortError | None
    attempts: int
    model: str
    usage: Usage
    latency_ms: int


class _Call:
    """The account of a call: what was asked, what it took."""

    def __init__(self, request: ReadingRequest, limits: Limits, check: Check) -> None:
        self.request, self.limits, self.check = request, limits, check
        self.start = _instant(limits.clock())
        self.attempts, self.model, self.usage = 0, "", Usage()

    @property
    def left_s(self) -> float:
        return self.start + self.limits.timeout_s - self.limits.clock()

    def took(self, reply: ReadingReply) -> None:
        self.model = reply.model or self.model
        usage = reply.usage
        if usage.cost is None and self.limits.price is not None:
            usage = usage._replace(cost=self.limits.price.of(usage))
        self.usage = usage if self.attempts == 1 else self.usage + usage

    def estimate(self, request: ReadingRequest) -> float | None:
        """What has been spent and what this request may cost, where there is a limit."""
        if self.limits.max_cost is None or self.limits.price is None:
            return None
        return (self.usage.cost or 0.0) + self.limits.price.estimate(request)

    def ended(self, checked: Checked | None, error: PortError | None) -> Outcome:
        latency_ms = max(0, round((self.limits.clock() - self.start) * 1000))
        reading, report = checked if checked else (None, None)
        if report is not None and self.attempts > 1:
            report = report.repaired()
        return Outcome(
            self.request, reading, report, error, self.attempts, self.model, self.usage, latency_ms
        )


def steps(
    request: ReadingRequest,
    facts: Mapping[str, Fact],
    required: Iterable[Requirement],
    limits: Limits,
    check: Check = check_reply,
) -> Steps:
    """The whole call as requests to make; send in what came back, or throw in what went wrong.

    `check` says whether a reply will do, by default for charts and years.
    """
    if limits.max_cost is not None and limits.price is None:
        raise InvalidInput("a limit of cost needs a price", hint="give price=Price(…)", path="price")
    call, required = _Call(request, limits, check), tuple(required)
    cached = _kept(limits.cache, request.idempotency_key)
    if isinstance(cached, str):
        checked = check(request, ReadingReply(cached), facts, required)
        if isinstance(checked, Checked):
            return call.ended(checked, None)
    try:
        checked = yield from _attempts(call, facts, required)
    except PortError as error:
        return call.ended(None, error)
    _keep(limits.cache, request.idempotency_key, _text(checked.reading))
    return call.ended(checked, None)


def _attempts(
    call: _Call, facts: Mapping[str, Fact], required: tuple[Requirement, ...]
) -> Generator[ReadingRequest, ReadingReply, Checked]:
    """At most two requests; raises the `PortError` that ends them."""
    request, limit = call.request, call.limits.max_cost
    estimate = call.estimate(request)
    if estimate is not None and limit is not None and estimate > limit:
        raise CostLimit("the call may cost more than allowed", limit=limit, estimate=round(estimate, 6))
    while True:
        reply = yield from _asked(call, request)
        checked = call.check(request, reply, facts, required)
        if isinstance(checked, Checked):
            return checked
        again = repair_request(request, checked, reply.text)
        estimate = call.estimate(again)
        affordable = estimate is None or limit is None or estimate <= limit
        if call.attempts > 1 or call.left_s < LEAST_FOR_REPAIR_S or not affordable:
            raise _invalid(checked)
        request = again


def _asked(call: _Call, request: ReadingRequest) -> Generator[ReadingRequest, ReadingReply, ReadingReply]:
    left_s = call.left_s
    if left_s <= 0:
        raise timed_out(call.limits.timeout_s)
    call.attempts += 1
    try:
        reply = yield request._replace(timeout_s=left_s)
    except PortTimeout:
        # A port knows what was left to it; whoever asked is told what was allowed.
        raise timed_out(call.limits.timeout_s) from None
    call.took(reply)
    if call.left_s < 0:
        raise timed_out(call.limits.timeout_s)
    if reply.finish_reason in REFUSALS:
        raise PortRefused("the model declined to answer", reason=reply.finish_reason)
    return reply


def _instant(given: Any) -> float:
    """What a clock says, if it is a time."""
    if type(given) not in (int, float) or given != given or abs(given) == float("inf"):
        raise InvalidInput(f"the clock gives seconds, not {shown(given)}", path="clock", given=shown(given))
    return float(given)


def _invalid(problems: tuple[Problem, ...]) -> PortInvalidOutput:
    return PortInvalidOutput(
        f"the reply has {len(problems)} problem{'s' * (len(problems) > 1)}, the first: {problems[0].code}",
        problems=[each.to_dict() for each in problems[:MOST_PROBLEMS]],
    )


def _text(reading: Any) -> str:
    from bazi_core.facts import canonical_json

    return canonical_json(reading.to_dict())


def drive(made: Steps, port: ReadingPort) -> Outcome:
    """Carry the steps to a port that blocks; one that does not come back in time is left behind."""
    try:
        request = next(made)
        while True:
            try:
                reply = within(request.timeout_s, _calling(port, request), GRACE_S)
            except Exception as error:
                request = made.throw(_port_error(error))
            else:
                request = made.send(_reply(reply))
    except StopIteration as done:
        outcome: Outcome = done.value
        return outcome


async def adrive(made: Steps, port: AsyncReadingPort, wait: Wait | None = None) -> Outcome:
    """Carry the steps to an asynchronous port.

    `wait(awaitable, seconds)` ends a call that takes longer and raises `TimeoutError`, as an `await` under `asyncio.timeout`
    does (`asyncio.wait_for` loses a cancellation which meets the reply, before Python 3.12); without it the port has to keep
    to its timeout by itself.
    """
    try:
        request = next(made)
        while True:
            try:
                asked = port.generate(request)
                reply = await (asked if wait is None else wait(asked, request.timeout_s + GRACE_S))
            except TimeoutError:
                request = made.throw(timed_out(request.timeout_s))
            except Exception as error:
                request = made.throw(_port_error(error))
            else:
                request = made.send(_reply(reply))
    except StopIteration as done:
        outcome: Outcome = done.value
        return outcome


def _calling(port: ReadingPort, request: ReadingRequest) -> Callable[[], ReadingReply]:
    return lambda: port.generate(request)


def _reply(reply: Any) -> ReadingReply:
    """What a port gave back, every member of its own kind; anything else counts as nothing said."""
    if not isinstance(reply, ReadingReply):
        return ReadingReply()
    usage = reply.usage if isinstance(reply.usage, Usage) else Usage()
    cost = usage.cost if isinstance(usage.cost, (int, float)) and 0 <= usage.cost < float("inf") else None
    return ReadingReply(
        reply.text if isinstance(reply.text, str) else "",
        reply.parsed,
        _name(reply.model),
        _name(reply.finish_reason),
        Usage(_count(usage.input_tokens), _count(usage.output_tokens), cost),
        _count(reply.latency_ms),
    )


def _kept(cache: MutableMapping[str, str] | None, key: str) -> Any:
    """What a cache has; one that fails has nothing, and must not end a reading."""
    try:
        return None if cache is None else cache.get(key)
    except Exception:
        return None


def _keep(cache: MutableMapping[str, str] | None, key: str, text: str) -> None:
    with suppress(Exception):
        if cache is not None:
            cache[key] = text


def _name(given: Any) -> str:
    """A short text that can be written out, or nothing."""
    return given[:LONGEST_NAME].encode("utf-8", "replace").decode("utf-8") if isinstance(given, str) else ""


def _count(given: Any) -> int:
    return given if type(given) is int and 0 <= given < MOST_TOKENS else 0


def _port_error(error: Exception) -> PortError:
    """The error of a port as it is; anything else that a port raises, by its kind alone: its words may hold secrets."""
    if isinstance(error, PortError):
        return error
    return PortUnavailable(f"the port failed with {type(error).__name__}", reason=type(error).__name__)


def describe(port: object) -> tuple[str, str]:
    """Name and model of a port, as far as it tells."""
    return _name(name_of(port)), _name(member(port, "model"))


def price_of(port: object) -> Price | None:
    """The price that a port states of itself, if it is one."""
    from bazi_core.readings.bounds import bounded_options
    from bazi_core.readings.port import Price

    stated = member(port, "price")
    try:
        if not isinstance(stated, Price) or None in stated:
            return None
        bounded_options(**stated._asdict())
    except BaziError:
        return None
    return stated
