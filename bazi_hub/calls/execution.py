"""A call on its way: resolve → limit → validate → replay → admit → execute → settle → respond.

The first check that fails decides. A call whose answer depends on a model is held before and captured after (two steps);
every other one is paid in the transaction that stores its result (one step). Work that has begun is finished whether or not
somebody still waits for it, and whoever asks for the same again meanwhile gets the same answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from bazi_core.facts import digest
from bazi_hub.calls.faults import hub_error
from bazi_hub.calls.gate import LEASE_GRACE_S, Gate
from bazi_hub.calls.in_progress import CallInProgress
from bazi_hub.calls.state import HubState
from bazi_hub.money import rules
from bazi_hub.ports import (
    Admitted,
    Captured,
    Decision,
    Found,
    Fresh,
    NewCall,
    PriorCall,
    Refused,
    Reused,
    days,
)
from bazi_hub.tools import rehydrate
from bazi_hub.tools.context import Context, JsonResult, MeteredResult
from bazi_hub.tools.fortune import PARENTS, MeteredJob
from bazi_hub.tools.forum import key_reused
from bazi_hub.tools.tool import Tool, checked
from bazi_hub.words.call import Call, Outcome, RateWindow, compact, key_issues
from bazi_hub.words.errors import HubError, Issue, short, shutting_down, unauthorized
from bazi_hub.words.fault_log import log_fault
from bazi_hub.words.waiting import finish_then_cancel, shielded

POLL_S = 0.2
API_KEY_REQUIRED = "API key required"
# What a settled call may have ended with; anything else is told as a fault.
SETTLED_CODES = ("UPSTREAM_TIMEOUT", "UPSTREAM_ERROR", "REST_ERROR", "CONFIG_ERROR")


class CallExecution:
    """One call on its way through the checks."""

    def __init__(self, hub: HubState, call: Call) -> None:
        self.hub, self.call = hub, call
        self.gate = Gate(hub, call.tool, call.caller, call.counted)
        self.tool: Tool | None = None
        self.in_progress: CallInProgress | None = None

    @property
    def window(self) -> RateWindow | None:
        """The remaining rate limit; None before a hit was taken."""
        return self.gate.window

    async def outcome(self) -> Outcome:
        tool = self.tool = self._resolved()
        if self.call.caller.kind not in tool.credentials:
            raise unauthorized(detail=API_KEY_REQUIRED)
        await self.gate.enter(tool.limit, metered=tool.metered)
        try:
            return await (self._metered(tool) if tool.metered else self._free(tool))
        except Exception:
            # Whoever could not post has not used up the minute.
            if tool.stores:
                await self.gate.give_back()
            raise

    def error_of(self, error: Exception) -> HubError:
        """The error that the caller is answered with; an unexpected one is logged, and its details are not told."""
        tool, call = self.tool, self.call
        if tool is None:
            known = error if isinstance(error, HubError) else None
        else:
            known = hub_error(tool, error)
        if known is not None:
            return known
        fault = tool.fault if tool else "INTERNAL_ERROR"
        log_fault(self.hub.telemetry, error, request_id=call.request_id, tool=call.tool, code=fault)
        return HubError(fault, "Unexpected fault")

    # resolve

    def _resolved(self) -> Tool:
        name, category = self.call.tool, self.call.category
        tool = self.hub.catalog.get(name)
        if tool is not None and category in (None, tool.category):
            return tool
        name = short(name)
        members = {"tool_name": name} | ({} if category is None else {"category": short(category)})
        near = tool.name if tool else _nearest(name, self.hub.catalog)
        where = f"; it is in the category {tool.category}: {tool.path}" if tool else ""
        raise HubError(
            "UNKNOWN_TOOL",
            f"Unknown tool: {name}{where}",
            **members,
            **({"suggestion": near} if near else {}),
        )

    # validate

    def _checked(self, tool: Tool, arguments: Any) -> Any:
        """The job of the arguments; `BadArguments` with every issue."""
        return checked(tool, arguments, self._key_issues(tool))

    async def _opened(self, tool: Tool) -> Any:
        """The arguments with the result of a call of this account in place of its handle. Who passes handles reads few
        words."""
        arguments = self._given
        found: dict[str, str] = {}
        for name, handle in rehydrate.handles(arguments).items():
            ledger = self.hub.storage.ledger
            paid = await ledger.charged(handle)
            kept = await ledger.result(handle) if paid and paid[0] == self.call.caller.account_id else None
            if kept is not None:
                found[name] = kept.result
        few = {"detail": "compact"} if found and "detail" in tool.schema["properties"] else {}
        return {**few, **arguments, **found} if found else arguments

    @property
    def _given(self) -> Any:
        return {} if self.call.arguments is None else self.call.arguments

    def _key_issues(self, tool: Tool) -> list[Issue]:
        """The issues of the idempotency key; none for tools that keep nothing under it."""
        if not (tool.metered or tool.stores):
            return []
        key = self.call.idempotency_key
        return [*self.call.issues, *([] if key is None else key_issues("idempotency_key", key))]

    def _context(self, receipt: NewCall | None = None, call_id: str | None = None) -> Context:
        call = self.call
        return Context(self.hub, call.caller, call.request_id, receipt, call.progress, call_id)

    async def _free(self, tool: Tool) -> Outcome:
        """A tool that costs nothing; one that stores keeps its result under the caller's key."""
        job = self._checked(tool, self._given)
        receipt = self._new_call(tool, job, 0) if tool.stores and self.call.idempotency_key else None
        made = await tool.run(job, self._context(receipt))
        told = made if isinstance(made, JsonResult) else JsonResult(compact(made))
        return Outcome(told.text, replayed=told.replayed, window=self.window)

    # replay

    def _new_call(self, tool: Tool, arguments: Any, deadline_s: float) -> NewCall:
        return self.gate.new_call(
            digest({"tool": tool.name, "arguments": arguments}),
            deadline_s,
            replay=self.hub.settings.replay == "undelivered",
            key=self.call.idempotency_key,
        )

    async def _metered(self, tool: Tool) -> Outcome:
        hub = self.hub
        arguments = await self._opened(tool)
        job: MeteredJob = await hub.compute(lambda: self._checked(tool, arguments))
        if job.birth is not None:
            return await self._with_parents(tool, job, job.birth)
        deadline_s = hub.settings.deadlines_s.get(tool.name, hub.settings.call_cap_s)
        new = self._new_call(tool, job.fingerprint, deadline_s)
        # Two steps ask a model; one costs less than to look each time, and its charge asks the ledger anyway.
        asks = tool.reads and hub.remote and job.asks
        found = (
            None if not asks and new.key is None and hub.recently_funded.has(new) else await self._peeked(new)
        )
        key = _key_of(new)
        running = hub.in_progress.get(key)
        if running is not None:
            if running.fingerprint != new.fingerprint:
                raise key_reused(tool.name)
            return self._joined(await asyncio.shield(running.task))
        if found is not None and not isinstance(found, Fresh):
            return await self._again(tool, found)
        if hub.draining:
            # Since it was let in. Nothing begins behind those that are waited for.
            raise shutting_down()
        task = asyncio.create_task(self._executed(tool, job, new, found))
        self.in_progress = CallInProgress(new.fingerprint, task)
        hub.in_progress.begin(key, self.in_progress)
        return await asyncio.shield(task)

    async def _with_parents(self, tool: Tool, job: MeteredJob, birth: dict[str, Any]) -> Outcome:
        """The outcome of a call that states a birth in place of its parents. These are called for first, each at its own
        price and under a key of its own, and beside the result stand their handles; nothing begins that the balance does
        not cover to the end."""
        made: dict[str, str] = {}
        cost = 0
        for member, name in PARENTS.items():
            arguments = {"detail": "compact", **(made or birth)}
            part = CallExecution(self.hub, self.call._replace(
                tool=name, arguments=arguments, category=None, idempotency_key=self._key_within(name), counted=None,
            ))  # fmt: skip
            if not made and isinstance(await part.prior(), Fresh):
                await self._require_all(tool)
            outcome = await part.outcome()
            if outcome.error is not None:
                raise outcome.error
            assert outcome.call_id is not None
            made[member] = outcome.call_id
            cost += outcome.credits_deducted
        own = {name: value for name, value in job.fingerprint.items() if name != "birth"}
        self.call = self.call._replace(arguments={**own, **made})
        outcome = await self._metered(tool)
        if outcome.result is None:
            return outcome
        beside = f'{outcome.result[:-1]},"handles":{compact(made)}}}'
        return outcome._replace(result=beside, credits_deducted=outcome.credits_deducted + cost)

    def _key_within(self, name: str) -> str | None:
        """The key of a call for a parent, made from that of the call."""
        key = self.call.idempotency_key
        return None if key is None else digest({"key": key, "tool": name})

    async def prior(self) -> Found:
        """What the ledger knows of the call before it is made."""
        tool = self._resolved()
        job: MeteredJob = self._checked(tool, await self._opened(tool))
        return await self._peeked(self._new_call(tool, job.fingerprint, 0))

    async def _require_all(self, tool: Tool) -> None:
        """Nothing, if the balance covers a call with those for its parents; else `INSUFFICIENT_CREDITS` with their sum."""
        hub = self.hub
        standing = await hub.storage.ledger.standing(self.call.caller.account_id)
        prices = await hub.storage.pricing.all()
        if standing is None:
            return
        posted, held, free = standing
        names = (*PARENTS.values(), tool.name)
        total = sum(prices[name].credit_cost for name in names if name in prices and not free.get(name))
        if posted - held < total:
            price = prices[tool.name]._replace(credit_cost=total, min_balance=total)
            raise self.gate.insufficient(Refused(price, posted, held))

    async def _peeked(self, new: NewCall) -> Found:
        """The ledger's answer to the call: `Fresh`, or a call before it. Seen answers are written down first."""
        hub = self.hub
        found = await hub.storage.ledger.peek(new)
        if isinstance(found, Captured) and found.call_id in hub.seen:
            await hub.tell_seen()
            found = await hub.storage.ledger.peek(new)
        hub.recently_funded.note(new, found)
        return found

    async def _again(self, tool: Tool, found: PriorCall) -> Outcome:
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
        """The outcome of a call in progress as a second caller gets it: replayed, for nothing."""
        if outcome.error is not None:
            return Outcome(error=outcome.error, window=self.window)
        return outcome._replace(
            credits_deducted=0, replayed=True, window=self.window, undelivered=outcome.call_id
        )

    # admit, execute, settle

    async def _executed(self, tool: Tool, job: MeteredJob, new: NewCall, fresh: Fresh | None) -> Outcome:
        """The outcome of a new call; errors are outcomes here, since other requests may wait for it."""
        try:
            if tool.reads and self.hub.remote and job.asks:
                return await self._two_steps(tool, job, new)
            return await self._one_step(tool, job, new, fresh)
        except asyncio.CancelledError:
            return Outcome(error=shutting_down().traced(self.call.request_id), window=self.window)
        except Exception as error:
            return Outcome(error=self.error_of(error).traced(self.call.request_id), window=self.window)

    async def _one_step(self, tool: Tool, job: MeteredJob, new: NewCall, fresh: Fresh | None) -> Outcome:
        """`fresh`: what the call met, if anybody looked."""
        if fresh is not None:
            self._require_enough(tool, job, fresh)
        if job.limited:
            await self.gate.require_reader()
        try:
            reading: MeteredResult = await tool.run(job, self._context(call_id=new.id))
        except Exception:
            if fresh is None:
                # What would have been found first is told first.
                found = await self._peeked(new)
                if not isinstance(found, Fresh):
                    return await self._again(tool, found)
                self._require_enough(tool, job, found)
            raise
        if reading.free and not await self.gate.has_free_room():
            # Whoever is in distress is answered, however often; it need not fill the disk.
            return Outcome(reading.text, window=self.window)
        self._own().settle()
        paid = await self._charged(new, reading)
        if isinstance(paid, Admitted):
            if reading.uncharged:
                await self.hub.storage.ledger.count_uncharged(new.account_id, days(self.hub.clock.now_ms()))
            return self._paid_outcome(paid, reading.text)
        if isinstance(paid, Refused):
            raise self.gate.insufficient(paid)
        self._own().wait()
        return await self._again(tool, paid)

    def _require_enough(self, tool: Tool, job: MeteredJob, fresh: Fresh) -> None:
        # What needs no model may turn out to be free of charge.
        declined = job.wish.is_declined
        agreed = rules.admission(fresh, gratis=declined or (tool.reads and not job.asks))
        if isinstance(agreed, Refused):
            raise self.gate.insufficient(agreed)

    async def _charged(self, new: NewCall, reading: MeteredResult) -> Decision:
        """The ledger's answer to the charge. Answers that were seen are written first."""
        hub = self.hub
        paid = await hub.storage.ledger.charge(new, reading.text, reading.free)
        if isinstance(paid, Captured) and paid.call_id in hub.seen:
            await hub.tell_seen()
            paid = await hub.storage.ledger.charge(new, reading.text, reading.free)
        if not isinstance(paid, Admitted):
            hub.recently_funded.forget(new)
        return paid

    async def _two_steps(self, tool: Tool, job: MeteredJob, new: NewCall) -> Outcome:
        await self.gate.require_reader()
        with self.hub.slots.seat(new.account_id, new.id):
            return await self._read(tool, job, new)

    async def _read(self, tool: Tool, job: MeteredJob, new: NewCall) -> Outcome:
        hub, ledger = self.hub, self.hub.storage.ledger
        try:
            admitted = await finish_then_cancel(ledger.hold(new))
            reading: MeteredResult | None = (
                await tool.run(job, self._context(call_id=new.id)) if isinstance(admitted, Admitted) else None
            )
        except BaseException as error:
            # Cancelled while draining, or failed: the hold goes back before anything else.
            code = "UPSTREAM_ERROR" if isinstance(error, asyncio.CancelledError) else self._code(tool, error)
            await shielded(ledger.release(new.id, code, days(hub.clock.now_ms())))
            raise
        if isinstance(admitted, Refused):
            raise self.gate.insufficient(admitted)
        if reading is None:
            assert not isinstance(admitted, Admitted)
            return await self._again(tool, admitted)
        today = days(hub.clock.now_ms()) if reading.uncharged else None
        self._own().settle()
        paid = await ledger.capture(new.id, reading.text, reading.free, today)
        if paid is None:
            hub.telemetry.count("late_capture_total")
            raise HubError(
                "UPSTREAM_TIMEOUT",
                "The reading service did not answer in time",
                timeout_s=new.lease_s - LEASE_GRACE_S,
            )
        return self._paid_outcome(paid, reading.text)

    def _own(self) -> CallInProgress:
        assert self.in_progress is not None
        return self.in_progress

    def _code(self, tool: Tool, error: BaseException) -> str:
        known = hub_error(tool, error) if isinstance(error, Exception) else None
        return known.name if known else tool.fault

    def _paid_outcome(self, paid: Admitted, text: str) -> Outcome:
        return Outcome(
            text, None, paid.cost, paid.from_free_quota, paid.call_id, False, self.window, paid.call_id
        )


def _key_of(new: NewCall) -> tuple[str, ...]:
    """The key under which equal calls are executed once: account and idempotency key, else tool and fingerprint."""
    if new.key is not None:
        return (new.account_id, new.key)
    return (new.account_id, new.tool, new.fingerprint) if new.replay else (new.id,)


def _nearest(name: Any, catalog: Mapping[str, Tool]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(name)[:100], list(catalog), 1)), None)
