"""A call on its way: resolve → limit → validate → replay → admit → execute → settle → respond.

The first check that fails decides. A call whose answer depends on a model is held before and captured after (two steps);
every other one is paid in the transaction that stores its result (one step). Work that has begun is finished whether or not
somebody still waits for it, and whoever asks for the same again meanwhile gets the same answer.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import digest
from bazi_hub.calls.faults import hub_error
from bazi_hub.ports import Admitted, Captured, Fresh, NewCall, Refused, Reused, Running, days
from bazi_hub.tools.argument_reader import checked
from bazi_hub.tools.context import Context, JsonResult, Reading
from bazi_hub.tools.forum import key_reused
from bazi_hub.words.call import Outcome, Window, compact, key_issues
from bazi_hub.words.errors import HubError, Issue, short, shutting_down, unauthorized
from bazi_hub.words.waiting import finish_then_cancel, shielded

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from bazi_hub.calls.hub import Hub
    from bazi_hub.ports import Clock, Taken
    from bazi_hub.tools.fortune import Job
    from bazi_hub.tools.tool import Limit, Tool
    from bazi_hub.words.call import Call, Caller

    # Undoes a hit; what is left of its window afterwards, where there is one.
    GiveBack = Callable[[], Coroutine[Any, Any, Window | None]]

# A lease outlives the deadline by this much, so that a call that ends in time is never reaped.
LEASE_GRACE_S = 30.0
POLL_S = 0.2
DAY_S = 86_400
OVERLOADED_RETRY_S = 5
# How long an account is known to be able to pay so many times over, and of how many pairs of account and tool.
KEPT_S, TIMES_OVER, MOST_KEPT = 5.0, 100, 10_000
API_KEY_REQUIRED = "API key required"


class CallInProgress:
    """A metered call that is being executed, and what it was asked with."""

    def __init__(self, fingerprint: str, task: asyncio.Task[Outcome]) -> None:
        self.fingerprint, self.task = fingerprint, task
        self._settling = self._stopped = False

    def stop(self) -> None:
        """Ends it before its time, but not while it is being paid: that takes a moment, and decides."""
        self._stopped = True
        if not self._settling:
            self.task.cancel()

    def settle(self) -> None:
        """It is being paid from now on."""
        self._settling = True

    def wait(self) -> None:
        """It was not paid, and waits for somebody else."""
        self._settling = False
        if self._stopped:
            raise asyncio.CancelledError


class RecentlyFunded:
    """Who could pay many times over a moment ago: pairs of account and tool, each for a few seconds.

    To look costs a call without a model as much as all else that the ledger does for it. The charge finds the same in its
    own transaction, so what is remembered here decides nothing: were it wrong, a computation was in vain.

    >>> from bazi_hub.words.system import SystemClock
    >>> from bazi_hub.ports import NewCall, Price
    >>> solvent, call = RecentlyFunded(SystemClock()), NewCall("c", "a", "t", "f")
    >>> solvent.note(call, Fresh(Price("t", 4, 4, 0, True), False, 400, 0))
    >>> solvent.has(call), solvent.has(call._replace(account_id="b"))
    (True, False)
    >>> solvent.forget(call)
    >>> solvent.has(call)
    False
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}

    def note(self, call: NewCall, found: Fresh | Captured | Running | Reused) -> None:
        """What a look has found."""
        if isinstance(found, Fresh) and found.posted - found.held >= TIMES_OVER * found.price.least:
            if len(self._until) >= MOST_KEPT:
                self._until.clear()
            self._until[call.account_id, call.tool] = self._clock.monotonic() + KEPT_S

    def has(self, call: NewCall) -> bool:
        return self._clock.monotonic() < self._until.get((call.account_id, call.tool), 0.0)

    def forget(self, call: NewCall) -> None:
        """The charge has found something else."""
        self._until.pop((call.account_id, call.tool), None)


class CallExecution:
    """One call on its way through the checks."""

    def __init__(self, hub: Hub, call: Call) -> None:
        self.hub, self.call = hub, call
        self.tool: Tool | None = None
        self.window: Window | None = None
        self.flight: CallInProgress | None = None

    async def outcome(self) -> Outcome:
        hub, call = self.hub, self.call
        tool = self.tool = self._resolved()
        if call.caller.kind not in tool.credentials:
            raise unauthorized(detail=API_KEY_REQUIRED)
        if hub.draining:
            raise shutting_down()
        await hub.start()
        prices = await hub.storage.pricing.all()
        price = prices.get(tool.name)
        if price is not None and not price.enabled:
            raise HubError("TOOL_DISABLED", "Tool is disabled", tool_name=tool.name)
        give_back = await self._limited(tool)
        if tool.metered and price is None:
            raise HubError("CONFIG_ERROR", "The hub has no price for this tool")
        try:
            return await (self._metered(tool) if tool.metered else self._free(tool))
        except Exception:
            # Whoever could not post has not used up the minute.
            if tool.stores:
                self.window = await give_back()
            raise

    # resolve

    def _resolved(self) -> Tool:
        name, category = self.call.tool, self.call.category
        tool = self.hub.catalog.get(name)
        if tool is not None and category in (None, tool.category):
            return tool
        name = short(name)
        members = {"tool_name": name} | ({} if category is None else {"category": short(category)})
        near = tool.name if tool else _nearest(name, self.hub.catalog)
        raise HubError(
            "UNKNOWN_TOOL", f"Unknown tool: {name}", **members, **({"suggestion": near} if near else {})
        )

    # limit

    async def _limited(self, tool: Tool) -> GiveBack:
        """Takes a hit of the tool's window, if it has one; gives what undoes it."""
        hit = await hit_of(self.hub, tool.limit, self.call.caller)
        if hit is None:
            return _nothing
        self.window = hit.window
        if self.call.counted is not None:
            self.call.counted(hit.window)
        if hit.refusal is not None:
            raise hit.refusal
        return hit.give_back

    # validate

    def _checked(self, tool: Tool) -> Any:
        """What is to be done; `BadArguments` with everything that is wrong."""
        arguments = {} if self.call.arguments is None else self.call.arguments
        return checked(tool, arguments, self._key_issues(tool))

    def _key_issues(self, tool: Tool) -> list[Issue]:
        """What is wrong with the caller's own key; tools that keep nothing under it do not look."""
        if not (tool.metered or tool.stores):
            return []
        key = self.call.idempotency_key
        return [*self.call.issues, *([] if key is None else key_issues("idempotency_key", key))]

    def _context(self, receipt: NewCall | None = None) -> Context:
        return Context(self.hub, self.call.caller, self.call.request_id, receipt, self.call.progress)

    async def _free(self, tool: Tool) -> Outcome:
        """A tool that costs nothing; one that stores keeps its result under the caller's key."""
        wanted = self._checked(tool)
        receipt = self._new_call(tool, wanted, 0) if tool.stores and self.call.idempotency_key else None
        made = await tool.run(wanted, self._context(receipt))
        told = made if isinstance(made, JsonResult) else JsonResult(compact(made))
        return Outcome(told.text, replayed=told.replayed, window=self.window)

    # replay

    def _new_call(self, tool: Tool, wanted: Any, deadline_s: float) -> NewCall:
        hub, call = self.hub, self.call
        return NewCall(
            id=hub.ids.uuid(),
            account_id=call.caller.account_id,
            tool=tool.name,
            fingerprint=digest({"tool": tool.name, "arguments": wanted}),
            key=call.idempotency_key,
            account_key=call.caller.key_id,
            replay=hub.settings.replay == "undelivered",
            lease_s=deadline_s + LEASE_GRACE_S,
            started_ms=hub.clock.now_ms(),
            worker=hub.worker,
        )

    async def _metered(self, tool: Tool) -> Outcome:
        hub = self.hub
        job: Job = await hub.compute(lambda: self._checked(tool))
        deadline_s = hub.settings.deadlines_s.get(tool.name, hub.settings.call_cap_s)
        new = self._new_call(tool, job.fingerprint, deadline_s)
        # Two steps ask a model; one costs less than to look each time, and its charge asks the ledger anyway.
        asks = tool.reads and hub.remote and job.asks
        found = None if not asks and new.key is None and hub.solvent.has(new) else await self._looked(new)
        key = _flight_key(new)
        flight = hub.in_flight.get(key)
        if flight is not None:
            if flight.fingerprint != new.fingerprint:
                raise key_reused(tool.name)
            return self._joined(await asyncio.shield(flight.task))
        if found is not None and not isinstance(found, Fresh):
            return await self._again(tool, found)
        if hub.draining:
            # Since it was let in. Nothing begins behind those that are waited for.
            raise shutting_down()
        task = asyncio.create_task(self._executed(tool, job, new, found))
        self.flight = hub.in_flight[key] = CallInProgress(new.fingerprint, task)
        task.add_done_callback(lambda _: hub.in_flight.pop(key, None))
        return await asyncio.shield(task)

    async def _looked(self, new: NewCall) -> Fresh | Captured | Running | Reused:
        """What the call meets, once every answer that was seen is known to the ledger."""
        hub = self.hub
        found = await hub.storage.ledger.peek(new)
        if isinstance(found, Captured) and found.call_id in hub.seen:
            await hub.tell_seen()
            found = await hub.storage.ledger.peek(new)
        hub.solvent.note(new, found)
        return found

    async def _again(self, tool: Tool, found: Captured | Running | Reused) -> Outcome:
        """The answer to what was asked before, by this process or another."""
        if isinstance(found, Reused):
            raise key_reused(tool.name)
        if isinstance(found, Captured):
            return self._replayed(found)
        ledger, cap_s = self.hub.storage.ledger, self.hub.settings.call_cap_s
        for _ in range(round(cap_s / POLL_S)):
            await asyncio.sleep(POLL_S)
            state, code = await ledger.state(found.call_id) or ("expired", None)
            if state == "running":
                continue
            captured = await ledger.result(found.call_id) if state == "captured" else None
            if captured is not None:
                return self._replayed(captured)
            raise HubError(code if code in SETTLED_CODES else "INTERNAL_ERROR", "The same call failed")
        raise HubError("UPSTREAM_TIMEOUT", "The same call did not end in time", timeout_s=cap_s)

    def _replayed(self, found: Captured) -> Outcome:
        return Outcome(
            found.result, None, 0, found.from_free_quota, found.call_id, True, self.window, found.call_id
        )

    def _joined(self, outcome: Outcome) -> Outcome:
        """The outcome of a call in flight, as somebody sees it who did not start it."""
        if outcome.error is not None:
            return Outcome(error=outcome.error, window=self.window)
        return Outcome(
            outcome.result,
            None,
            0,
            outcome.from_free_quota,
            outcome.call_id,
            True,
            self.window,
            outcome.call_id,
        )

    # admit, execute, settle

    async def _executed(self, tool: Tool, job: Job, new: NewCall, fresh: Fresh | None) -> Outcome:
        """The outcome of a call that nobody asked for before; errors are outcomes here, since others may wait for it."""
        try:
            if tool.reads and self.hub.remote and job.asks:
                return await self._two_steps(tool, job, new)
            return await self._one_step(tool, job, new, fresh)
        except asyncio.CancelledError:
            return Outcome(error=shutting_down().traced(self.call.request_id), window=self.window)
        except Exception as error:
            return Outcome(error=self.hub.told(self, error).traced(self.call.request_id), window=self.window)

    async def _one_step(self, tool: Tool, job: Job, new: NewCall, fresh: Fresh | None) -> Outcome:
        """`fresh`: what the call met, if anybody looked."""
        if fresh is not None:
            self._require_enough(tool, job, fresh)
        if job.limited:
            await reader_open(self.hub, new.account_id)
        try:
            reading: Reading = await tool.run(job, self._context())
        except Exception:
            if fresh is None:
                # What would have been found first is told first.
                found = await self._looked(new)
                if not isinstance(found, Fresh):
                    return await self._again(tool, found)
                self._require_enough(tool, job, found)
            raise
        if reading.free and not await free_room(self.hub, new.account_id):
            # Whoever is in distress is answered, however often; it need not fill the disk.
            return Outcome(reading.text, window=self.window)
        self._own_flight().settle()
        paid = await self._charged(new, reading)
        if isinstance(paid, Admitted):
            if reading.uncharged:
                await self.hub.storage.ledger.count_uncharged(new.account_id, days(self.hub.clock.now_ms()))
            return self._paid(paid, reading.text)
        if isinstance(paid, Refused):
            raise insufficient(self.hub, tool.name, paid)
        self._own_flight().wait()
        return await self._again(tool, paid)

    def _require_enough(self, tool: Tool, job: Job, fresh: Fresh) -> None:
        if not fresh.affordable and not (tool.reads and not job.asks):
            raise insufficient(self.hub, tool.name, Refused(fresh.price, fresh.posted, fresh.held))

    async def _charged(
        self, new: NewCall, reading: Reading
    ) -> Admitted | Captured | Running | Reused | Refused:
        """What became of the charge, once every answer that was seen is known to the ledger."""
        hub = self.hub
        paid = await hub.storage.ledger.charge(new, reading.text, reading.free)
        if isinstance(paid, Captured) and paid.call_id in hub.seen:
            await hub.tell_seen()
            paid = await hub.storage.ledger.charge(new, reading.text, reading.free)
        if not isinstance(paid, Admitted):
            hub.solvent.forget(new)
        return paid

    async def _two_steps(self, tool: Tool, job: Job, new: NewCall) -> Outcome:
        await reader_open(self.hub, new.account_id)
        with self.hub.seat(new.account_id, new.id):
            return await self._read(tool, job, new)

    async def _read(self, tool: Tool, job: Job, new: NewCall) -> Outcome:
        hub, ledger = self.hub, self.hub.storage.ledger
        try:
            admitted = await finish_then_cancel(ledger.hold(new))
            reading: Reading | None = (
                await tool.run(job, self._context()) if isinstance(admitted, Admitted) else None
            )
        except BaseException as error:
            # Cancelled while draining, or failed: the hold goes back before anything else.
            code = "UPSTREAM_ERROR" if isinstance(error, asyncio.CancelledError) else self._code(tool, error)
            await shielded(ledger.release(new.id, code, days(hub.clock.now_ms())))
            raise
        if isinstance(admitted, Refused):
            raise insufficient(self.hub, tool.name, admitted)
        if reading is None:
            assert not isinstance(admitted, Admitted)
            return await self._again(tool, admitted)
        today = days(hub.clock.now_ms()) if reading.uncharged else None
        self._own_flight().settle()
        paid = await ledger.capture(new.id, reading.text, reading.free, today)
        if paid is None:
            hub.telemetry.count("late_capture_total")
            raise HubError(
                "UPSTREAM_TIMEOUT",
                "The reading service did not answer in time",
                timeout_s=new.lease_s - LEASE_GRACE_S,
            )
        return self._paid(paid, reading.text)

    def _own_flight(self) -> CallInProgress:
        assert self.flight is not None
        return self.flight

    def _code(self, tool: Tool, error: BaseException) -> str:
        known = hub_error(tool, error) if isinstance(error, Exception) else None
        return known.name if known else tool.fault

    def _paid(self, paid: Admitted, text: str) -> Outcome:
        return Outcome(
            text, None, paid.cost, paid.from_free_quota, paid.call_id, False, self.window, paid.call_id
        )


# --- checks that every metered route shares -----------------------------------------------------------------------------


class Hit(NamedTuple):
    """A hit of a window: what is left of it, why the call goes no further (None: it does), and what undoes the hit."""

    window: Window
    refusal: HubError | None
    give_back: GiveBack


async def hit_of(hub: Hub, limit: Limit | None, caller: Caller) -> Hit | None:
    """Takes a hit of the window that a limit gives this caller; None where it gives none."""
    if limit is None or (limit.agents_only and caller.kind != "agent"):
        return None
    owner = caller.key_id if limit.keyed_by == "key" and caller.key_id else caller.account_id
    bucket = f"{limit.type}:{owner}"
    taken = await hub.limits.take(bucket, limit.per_minute)
    window = _window(limit, taken)
    refusal = None if taken.allowed else _full(hub, window)
    return Hit(window, refusal, partial(_given_back, hub, limit, bucket, taken.window))


async def _given_back(hub: Hub, limit: Limit, bucket: str, number: int) -> Window:
    """Undoes a hit of that window; what is left then."""
    await hub.limits.give_back(bucket, number)
    return _window(limit, await hub.limits.peek(bucket, limit.per_minute))


def _window(limit: Limit, found: Taken) -> Window:
    return Window(limit.type, limit.per_minute, found.remaining, found.reset_s)


def _full(hub: Hub, window: Window) -> HubError:
    hub.telemetry.count("rate_limited_total", 1, **{"class": window.limit_type})
    return HubError(
        "RATE_LIMITED",
        f"{window.limit_type} limit of {window.limit} per minute reached",
        limit_type=window.limit_type,
        limit=window.limit,
        retry_after=max(1, window.reset_s),
    )


async def reader_open(hub: Hub, account_id: str) -> None:
    """Nothing, if this account may ask the reader now. Whoever goes on takes a `Hub.seat` before anybody else acts."""
    now_ms, most = hub.clock.now_ms(), hub.settings.uncharged_readings
    if await hub.storage.ledger.uncharged(account_id, days(now_ms)) >= most:
        hub.telemetry.count("rate_limited_total", 1, **{"class": "uncharged_readings"})
        raise HubError(
            "RATE_LIMITED",
            f"uncharged_readings limit of {most} per day reached",
            limit_type="uncharged_readings",
            limit=most,
            retry_after=max(1, DAY_S - now_ms // 1000 % DAY_S),
        )
    if not hub.has_room(account_id):
        hub.telemetry.count("rate_limited_total", 1, **{"class": "readings_at_once"})
        raise HubError(
            "UPSTREAM_ERROR",
            "Too many readings are waiting",
            reason="OVERLOADED",
            retry_after=OVERLOADED_RETRY_S,
        )


# What a stored free answer may have been asked with: with the number of them, the most that an account fills in a day.
FREE_BYTES = 16_384


async def free_room(hub: Hub, account_id: str, asked_bytes: int = 0) -> bool:
    """Whether one more answer that costs nothing may be stored today; it is counted then."""
    if asked_bytes > FREE_BYTES:
        return False
    bucket = f"free_answers:{account_id}"
    return (await hub.limits.take(bucket, hub.settings.free_answers, DAY_S)).allowed


def insufficient(hub: Hub, tool: str, refused: Refused) -> HubError:
    """What the price of a tool meets in the account."""
    price, available = refused.price, refused.posted - refused.held
    reserved = refused.posted >= price.least
    link = hub.settings.topup_url
    return HubError(
        "INSUFFICIENT_CREDITS",
        "Credits are reserved by running calls" if reserved else f"Balance is below the cost of {tool}",
        reason="RESERVED" if reserved else "BALANCE",
        tool_name=tool,
        balance=refused.posted,
        held=refused.held,
        available=available,
        credit_cost=price.credit_cost,
        min_balance=price.min_balance,
        **({"topup_url": link} if link else {}),
    )


# What a settled call may have ended with; anything else is told as a fault.
SETTLED_CODES = ("UPSTREAM_TIMEOUT", "UPSTREAM_ERROR", "REST_ERROR", "CONFIG_ERROR")


def _flight_key(new: NewCall) -> tuple[str, ...]:
    """What two calls share that are to be executed once."""
    if new.key is not None:
        return (new.account_id, new.key)
    return (new.account_id, new.tool, new.fingerprint) if new.replay else (new.id,)


def _nearest(name: Any, catalog: Mapping[str, Tool]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(name)[:100], list(catalog), 1)), None)


async def _nothing() -> None:
    return None
