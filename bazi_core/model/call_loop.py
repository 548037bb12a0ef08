"""One call to a port: within its deadline and its price, or the error that ends it.

`steps` is the whole of it as a generator that does no I/O: it yields a request and takes a reply. `drive` and `adrive` carry
it to a port, blocking or not. Time is a monotonic clock that the caller may inject; a reply after the deadline is
dropped, no request is sent twice, and one that may exceed the cost limit is not sent.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from bazi_core.errors import (
    BaziError,
    CostLimit,
    InvalidInput,
    PortError,
    PortRefused,
    PortTimeout,
    PortUnavailable,
    shown,
)
from bazi_core.model.port import ReadingReply, Usage, member, name_of, timed_out, within
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, MutableMapping

    from bazi_core.model.port import AsyncReadingPort, Price, ReadingPort, ReadingRequest

    Wait = Callable[[Awaitable[Any], float], Awaitable[Any]]

T = TypeVar("T")
# A port that keeps to its own timeout is left this much longer to say so.
GRACE_S = 0.25
LONGEST_NAME, MOST_TOKENS = 100, 10**9
REFUSALS = ("refusal", "content_filter")


class Limits(NamedTuple):
    """Limits of a call: seconds in all, and cost in the unit of the price (None: no limit)."""

    timeout_s: float
    max_cost: float | None = None
    price: Price | None = None
    clock: Callable[[], float] = time.monotonic
    cache: MutableMapping[str, str] | None = None


class Checked(NamedTuple, Generic[T]):
    """The checked value of a reply, and a text for the cache that gives the same value again."""

    value: T
    text: str


class CallOutcome(NamedTuple, Generic[T]):
    """The outcome of a call: its value or the error; attempts, usage and time in either case."""

    request: ReadingRequest
    value: T | None
    error: PortError | None
    attempts: int
    model: str
    usage: Usage
    latency_ms: int


if TYPE_CHECKING:
    Steps = Generator[ReadingRequest, ReadingReply, CallOutcome[T]]
    # Raises `PortInvalidOutput` for a reply of which nothing can be made.
    Check = Callable[[ReadingReply], Checked[T]]


class _Call:
    """The account of a call: its request, attempts, usage and time."""

    def __init__(self, request: ReadingRequest, limits: Limits) -> None:
        self.request, self.limits = request, limits
        self.start = _instant(limits.clock())
        self.attempts, self.model, self.usage = 0, "", Usage()

    @property
    def left_s(self) -> float:
        return self.start + self.limits.timeout_s - self.limits.clock()

    def took(self, reply: ReadingReply) -> None:
        self.model, self.usage = reply.model, reply.usage
        if self.usage.cost is None and self.limits.price is not None:
            self.usage = self.usage._replace(cost=self.limits.price.of(self.usage))

    def check_cost(self) -> None:
        """Raise `COST_LIMIT` if a call may cost more than its limit."""
        limit, price = self.limits.max_cost, self.limits.price
        if limit is None or price is None:
            return
        estimate = price.estimate(self.request)
        if estimate > limit:
            raise CostLimit(Said("cost_over"), limit=limit, estimate=round(estimate, 6))

    def ended(self, value: T | None, error: PortError | None) -> CallOutcome[T]:
        latency_ms = max(0, round((self.limits.clock() - self.start) * 1000))
        return CallOutcome(self.request, value, error, self.attempts, self.model, self.usage, latency_ms)


def steps(request: ReadingRequest, limits: Limits, check: Check[T]) -> Steps[T]:
    """The whole call as a generator: yields the request, is sent the reply or thrown the error, returns the outcome.

    `check` turns a reply into the value; a cached reply passes it too.
    """
    if limits.max_cost is not None and limits.price is None:
        raise InvalidInput(Said("cost_price"), hint=Said("cost_price_hint"), path="price")
    call = _Call(request, limits)
    cached = _cached(limits.cache, request.idempotency_key)
    if isinstance(cached, str):
        with suppress(PortError):
            return call.ended(check(ReadingReply(cached)).value, None)
    try:
        call.check_cost()
        checked = check((yield from _exchange(call)))
    except PortError as error:
        return call.ended(None, error)
    _keep(limits.cache, request.idempotency_key, checked.text)
    return call.ended(checked.value, None)


def _exchange(call: _Call) -> Generator[ReadingRequest, ReadingReply, ReadingReply]:
    left_s = call.left_s
    if left_s <= 0:
        raise timed_out(call.limits.timeout_s)
    call.attempts += 1
    try:
        reply = yield call.request._replace(timeout_s=left_s)
    except PortTimeout:
        # A port raises the time that was left to it; the caller gets the time allowed in all.
        raise timed_out(call.limits.timeout_s) from None
    call.took(reply)
    if call.left_s < 0:
        raise timed_out(call.limits.timeout_s)
    if reply.finish_reason in REFUSALS:
        raise PortRefused(Said("port_declined"), reason=reply.finish_reason)
    return reply


def _instant(given: Any) -> float:
    """A clock's value in seconds; `INVALID_INPUT` if it is not a finite number."""
    if type(given) not in (int, float) or given != given or abs(given) == float("inf"):
        raise InvalidInput(Said("clock_seconds", given=shown(given)), path="clock", given=shown(given))
    return float(given)


def drive(exchange: Steps[T], port: ReadingPort) -> CallOutcome[T]:
    """Run the steps with a blocking port; a call that does not return in time is abandoned."""
    try:
        request = next(exchange)
        while True:
            try:
                reply = within(request.timeout_s, partial(port.generate, request), GRACE_S)
            except Exception as error:
                request = exchange.throw(_port_error(error))
            else:
                request = exchange.send(_reply(reply))
    except StopIteration as done:
        outcome: CallOutcome[T] = done.value
        return outcome


async def adrive(exchange: Steps[T], port: AsyncReadingPort, wait: Wait | None = None) -> CallOutcome[T]:
    """Run the steps with an asynchronous port.

    `wait(awaitable, seconds)` ends a call that takes longer and raises `TimeoutError`, as an `await` under `asyncio.timeout`
    does (`asyncio.wait_for` loses a cancellation which meets the reply, before Python 3.12); without it the port has to keep
    to its timeout by itself.
    """
    try:
        request = next(exchange)
        while True:
            try:
                asked = port.generate(request)
                reply = await (asked if wait is None else wait(asked, request.timeout_s + GRACE_S))
            except TimeoutError:
                request = exchange.throw(timed_out(request.timeout_s))
            except Exception as error:
                request = exchange.throw(_port_error(error))
            else:
                request = exchange.send(_reply(reply))
    except StopIteration as done:
        outcome: CallOutcome[T] = done.value
        return outcome


def _reply(reply: Any) -> ReadingReply:
    """The reply of a port with every member of the right type; an empty reply for any other value."""
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


def _cached(cache: MutableMapping[str, str] | None, key: str) -> Any:
    """The cached text of a key; None also if the cache raises an error, which must not end a reading."""
    try:
        return None if cache is None else cache.get(key)
    except Exception:
        return None


def _keep(cache: MutableMapping[str, str] | None, key: str, text: str) -> None:
    with suppress(Exception):
        if cache is not None:
            cache[key] = text


def _name(given: Any) -> str:
    """A value as a short printable text; empty for anything else."""
    return given[:LONGEST_NAME].encode("utf-8", "replace").decode("utf-8") if isinstance(given, str) else ""


def _count(given: Any) -> int:
    return given if type(given) is int and 0 <= given < MOST_TOKENS else 0


def _port_error(error: Exception) -> PortError:
    """A `PortError` as it is; for any other exception one that names its class only, since its text may hold secrets."""
    if isinstance(error, PortError):
        return error
    return PortUnavailable(Said("port_failed", name=type(error).__name__), reason=type(error).__name__)


def describe(port: object) -> tuple[str, str]:
    """Name and model of a port, as far as it has them."""
    return _name(name_of(port)), _name(member(port, "model"))


def price_of(port: object) -> Price | None:
    """The price that a port states of itself, if it is one."""
    from bazi_core.model.bounds import bounded_options
    from bazi_core.model.port import Price

    stated = member(port, "price")
    try:
        if not isinstance(stated, Price) or None in stated:
            return None
        bounded_options(**stated._asdict())
    except BaziError:
        return None
    return stated
