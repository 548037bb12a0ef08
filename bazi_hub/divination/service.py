"""Runs: submitted, asked about, cancelled. The checks stand in the order in which the first that fails decides."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from bazi_hub.calls.gate import Gate
from bazi_hub.calls.hub import Hub
from bazi_hub.divination.cast import Cast, cast_of
from bazi_hub.divination.execution import RunExecution, RunOrigin, Wanted, in_progress_key
from bazi_hub.divination.feed import Feed
from bazi_hub.divination.fields import held
from bazi_hub.divination.language import language_of
from bazi_hub.divination.problems import RunProblem, located, problem_of, refusal, unexpected, wrong
from bazi_hub.divination.request import DivinationPayload, RunAgentInput
from bazi_hub.ports import NewCall, Price, Refused, days
from bazi_hub.ports.runs import (
    TOOL,
    Begun,
    Derivation,
    Event,
    NewRun,
    OtherCast,
    Run,
    RunAnswer,
    Thread,
    ThreadBusy,
    ThreadState,
)
from bazi_hub.tools.tool import LIMITS
from bazi_hub.words.call import Caller, RateWindow, compact

PAYLOAD_AT = ("forwardedProps", "divinationPayload")


class Submitted(NamedTuple):
    """A run after its submission; `fresh`: it was begun by this one; `unstored`: the store knows nothing of it."""

    run: Run
    fresh: bool
    unstored: Unstored | None = None


class Unstored(NamedTuple):
    """The log of an unpaid run that is not stored: there was no room, or no credits to hold."""

    events: list[Event]
    derivation: Derivation

    @property
    def answer(self) -> str:
        """The text of it."""
        return "".join(event.data["delta"] for event in self.events if event.kind == "text")


class RunService:
    """The runs of a hub."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.feed = Feed(hub)

    async def run(self, caller: Caller, thread_id: str, run_id: str) -> Run:
        """A run of the caller; `THREAD_NOT_FOUND` and `RUN_NOT_FOUND` also for those of other accounts."""
        met = await self.hub.storage.runs.meet(caller.account_id, thread_id, run_id)
        if met.thread is None:
            raise no_thread()
        if met.run is None:
            raise RunProblem("RUN_NOT_FOUND", "The thread has no such run")
        return met.run

    async def price(self) -> Price:
        price = (await self.hub.storage.pricing.all()).get(TOOL)
        if price is None:
            raise RunProblem("CONFIG_ERROR", "The hub has no price for runs")
        return price

    async def cancel(self, caller: Caller, thread_id: str, run_id: str) -> Run:
        """Stops a run. Whoever ends it first decides."""
        hub = self.hub
        answer = RunAnswer.none(hub.ids.uuid(), "cancelled")
        today = days(hub.clock.now_ms())
        run = await hub.storage.runs.cancel(caller.account_id, thread_id, run_id, answer, today)
        if run is None:
            run = await self.run(caller, thread_id, run_id)
        if run.status != "cancelled":
            raise RunProblem("RUN_FINISHED_ALREADY", f"The run has {run.status}", status=run.status)
        reading = hub.in_progress.get(in_progress_key(run.call_id))
        if reading is not None:
            reading.task.cancel()
        self.feed.tell(run.id)
        return run


class RunSubmission:
    """One submission on its way through the checks."""

    def __init__(self, service: RunService, asked: RunOrigin, accept_language: str | None) -> None:
        self.service, self.hub, self.caller = service, service.hub, asked.caller
        self.asked, self.accept_language = asked, accept_language
        self.gate = Gate(self.hub, TOOL, self.caller)

    @property
    def window(self) -> RateWindow | None:
        """What is left of the rate limit, once a hit of it was taken."""
        return self.gate.window

    async def submitted(self, body: Any) -> Submitted:
        """The run; the first check that fails raises. One that begins is recorded when it has ended."""
        try:
            made = await self._submitted(body)
        except Exception as error:
            self.asked.record(self.hub, (problem_of(error) or unexpected()).code)
            raise
        if not made.fresh:
            self.asked.record(self.hub, "OK", made.run.call_id)
        return made

    async def _submitted(self, body: Any) -> Submitted:
        await self.gate.enter(LIMITS["fortune_call"], metered=True)
        submission = held(RunAgentInput, body)
        log, account_id = self.hub.storage.runs, self.caller.account_id
        met = await log.meet(account_id, submission.thread_id, submission.run_id)
        again = _again(met.run, submission)
        if again is not None:
            return again
        if met.running is not None:
            raise _busy(met.running)
        payload = _payload(submission, met.thread)
        cast: Cast = await self.hub.compute(lambda: cast_of(payload, PAYLOAD_AT))
        wanted = await self._wanted(cast, submission, met)
        return await self._admitted(submission, wanted, met)

    async def _wanted(self, cast: Cast, submission: RunAgentInput, met: ThreadState) -> Wanted:
        """What is to be read, if a reader can be asked now."""
        follow_up = None
        if not _first(submission, met) and submission.last.strip() != cast.payload.question.strip():
            follow_up = submission.last
        asked = [text for text in (follow_up, cast.payload.question) if text is not None]
        language = language_of(
            asked, submission.forwarded_props.ai_language, self.caller.language, self.accept_language
        )
        in_distress = cast.in_distress(follow_up)
        asks = self.hub.remote and not in_distress
        port = self.hub.reader_for(self.caller.account_id) if asks else None
        if asks:
            await self.gate.require_reader()
        return Wanted(cast, follow_up, language, port, asks, in_distress)

    async def _admitted(self, submission: RunAgentInput, wanted: Wanted, met: ThreadState) -> Submitted:
        new, call = self._new(submission, wanted, met)
        attempt = RunExecution(self.hub, self.service.feed, new, call, wanted, self.asked)
        if wanted.in_distress and not await self.gate.has_free_room(_asked_bytes(new)):
            return await self._unstored(attempt, met)
        found = await asyncio.shield(attempt.begin())
        if isinstance(found, Begun):
            return Submitted(found.run, True)
        if isinstance(found, ThreadBusy):
            raise _busy(found.run_id)
        if isinstance(found, OtherCast):
            raise _other_cast()
        if isinstance(found, Refused) and wanted.in_distress:
            return await self._unstored(attempt, met)
        if isinstance(found, Refused):
            raise self.gate.insufficient(found)
        again = _again(found, submission)
        assert again is not None
        return again

    async def _unstored(self, attempt: RunExecution, met: ThreadState) -> Submitted:
        """The answer to a question in distress; nothing is stored and nothing paid."""
        new = attempt.new
        run, opening = met.attempt(new, attempt.call, 0, self.hub.clock.now_ms())
        events = await attempt.unstored(run, opening)
        ended = run._replace(status="succeeded", last_seq=events[-1].seq)
        self.asked.record(self.hub, "OK")
        return Submitted(ended, True, Unstored(events, new.derivation))

    def _new(self, submission: RunAgentInput, wanted: Wanted, met: ThreadState) -> tuple[NewRun, NewCall]:
        hub = self.hub
        run = NewRun(
            id=hub.ids.uuid(),
            thread_id=submission.thread_id,
            run_id=submission.run_id,
            fingerprint=submission.fingerprint,
            derivation=wanted.cast.derivation,
            derived=submission.payload is not None,
            asks=wanted.asks,
            state=compact(submission.state),
            said=submission.first if _first(submission, met) else submission.last,
            message_id=hub.ids.uuid(),
            timezone=submission.timezone,
        )
        call = self.gate.new_call(submission.fingerprint, hub.settings.deadlines_s[TOOL], replay=False)
        return run, call


def _asked_bytes(new: NewRun) -> int:
    """The bytes that a client sent and the store keeps."""
    return sum(len(text.encode()) for text in (new.state, new.said, new.derivation.payload))


def _again(run: Run | None, submission: RunAgentInput) -> Submitted | None:
    """The run that was submitted before; None for one that is to be executed."""
    if run is None:
        return None
    if run.fingerprint != submission.fingerprint:
        raise RunProblem("RUN_CONFLICT", "This runId was submitted with another body")
    return None if run.status == "failed" else Submitted(run, False)


def _payload(submission: RunAgentInput, thread: Thread | None) -> DivinationPayload:
    """The cast that a run reads: its own, which has to be that of the thread, or the thread's."""
    if thread is None:
        if submission.payload is None:
            missing = "the first run of a thread needs a cast"
            raise refusal(located((PAYLOAD_AT, wrong(missing, "DERIVATION_REQUIRED"))))
        return submission.payload
    if submission.payload is not None and submission.payload.text != thread.derivation.payload:
        raise _other_cast()
    return submission.payload or stored_payload(thread)


def stored_payload(thread: Thread) -> DivinationPayload:
    """The cast of a thread as it came."""
    return DivinationPayload.model_validate_json(thread.derivation.payload)


def _first(submission: RunAgentInput, met: ThreadState) -> bool:
    """Whether this is the run that begins its thread."""
    return met.thread is None or met.thread.first_run == submission.run_id


def _busy(run_id: str) -> RunProblem:
    return RunProblem("THREAD_BUSY", f"The run {run_id} of this thread is running", runId=run_id)


def _other_cast() -> RunProblem:
    return RunProblem("THREAD_HAS_DERIVATION", "The thread was derived from another divinationPayload")


def no_thread() -> RunProblem:
    return RunProblem("THREAD_NOT_FOUND", "There is no such thread")
