"""Runs: admitted, executed once whoever reads along, settled.

The checks stand in the order in which the first that fails decides. What a run costs is held when it is admitted, and taken
in the transaction that puts its text into the log: the text is there if and only if it was paid for.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core import liuyao
from bazi_core.errors import PortError, PortInvalidOutput
from bazi_hub.call import Outcome
from bazi_hub.errors import HubError
from bazi_hub.faults import port_error
from bazi_hub.pipeline import LEASE_GRACE_S, Flight, hit_of, insufficient, reader_open, shutting_down
from bazi_hub.ports import NewCall, Refused, StoreError, days
from bazi_hub.ports.runs import TOOL, Answer, Begun, Busy, NewRun, OtherCast, Run
from bazi_hub.runs.cast import cast_of
from bazi_hub.runs.feed import Feed
from bazi_hub.runs.language import language_of
from bazi_hub.runs.output import told
from bazi_hub.runs.problems import Defect, RunProblem, problem_of, refusal
from bazi_hub.runs.request import payload_of, submission_of
from bazi_hub.tools.tool import LIMITS
from bazi_hub.waiting import within

if TYPE_CHECKING:
    from bazi_core.liuyao.reading import DivinationResult, Options
    from bazi_core.readings.port import AsyncReadingPort
    from bazi_hub.call import Caller, Window
    from bazi_hub.hub import Hub
    from bazi_hub.ports import Price
    from bazi_hub.ports.runs import Meeting, Thread
    from bazi_hub.runs.cast import Cast
    from bazi_hub.runs.request import Payload, Submission

PAYLOAD_AT = "/forwardedProps/divinationPayload"
UNEXPECTED = "Unexpected fault"
GONE = ("UPSTREAM_ERROR", "The hub shut down before the interpretation was ready; submit the run again")


class Submitted(NamedTuple):
    """A run after its submission; `fresh`: it was begun by this one."""

    run: Run
    fresh: bool


class Wanted(NamedTuple):
    """What an attempt is to read: the cast, what was asked later, the language, and the model (None: the rules)."""

    cast: Cast
    follow_up: str | None
    language: str
    port: AsyncReadingPort | None
    asks: bool


class Desk:
    """The runs of a hub."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.feed = Feed(hub)

    # --- what is asked about runs ---

    async def run(self, caller: Caller, thread_id: str, run_id: str) -> Run:
        """A run of the caller; what belongs to somebody else is not there."""
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
        answer = Answer.none(hub.ids.uuid(), "cancelled")
        today = days(hub.clock.now_ms())
        run = await hub.storage.runs.cancel(caller.account_id, thread_id, run_id, answer, today)
        if run is None:
            run = await self.run(caller, thread_id, run_id)
        if run.status != "cancelled":
            raise RunProblem("RUN_FINISHED_ALREADY", f"The run has {run.status}", status=run.status)
        flight = hub.in_flight.get(_flight(run.call_id))
        if flight is not None:
            flight.task.cancel()
        self.feed.tell(run.id)
        return run

    # --- execution ---

    def execute(self, run: Run, wanted: Wanted) -> None:
        """Begins the attempt as a task of this process."""
        task = self.hub.spawn(self._executed(run, wanted))
        self.hub.in_flight[_flight(run.call_id)] = Flight(run.fingerprint, task)
        task.add_done_callback(lambda _: self.hub.in_flight.pop(_flight(run.call_id), None))

    async def _executed(self, run: Run, wanted: Wanted) -> Outcome:
        try:
            result = await self._read(wanted)
            await self._succeed(run, wanted, result)
        except asyncio.CancelledError:
            await asyncio.shield(self._fail(run, wanted, *GONE))
        except Exception as error:
            await self._failed(run, wanted, error)
        finally:
            self.feed.tell(run.id)
        return Outcome(call_id=run.call_id)

    async def _read(self, wanted: Wanted) -> DivinationResult:
        hub, found = self.hub, wanted.cast.found
        asked: Options = {
            "question": wanted.cast.payload.question,
            "follow_up": wanted.follow_up,
            "language": wanted.language,
        }
        if wanted.port is None:
            made: DivinationResult = await hub.compute(lambda: liuyao.read(found, **asked))
            return made
        asked |= {
            "on_failure": "narrator",
            "timeout_s": hub.settings.deadlines_s[TOOL],
            "max_cost_per_call": hub.settings.llm_max_cost,
            "clock": hub.clock.monotonic,
        }
        result = await liuyao.aread(found, port=wanted.port, wait=within, **asked)
        # What a model wrote and the check refused is always told by the rules; any other failure as the operator says.
        silent = result.error is not None and not isinstance(result.error, PortInvalidOutput)
        if silent and hub.settings.llm_fallback == "error":
            assert result.error is not None
            raise result.error
        return result

    async def _succeed(self, run: Run, wanted: Wanted, result: DivinationResult) -> None:
        hub = self.hub
        now_ms = hub.clock.now_ms()
        made = told(result, hub.ids.uuid(), now_ms)
        today = days(now_ms) if made.uncharged else None
        # Shielded: what has reached the store is decided there, not by whoever cancels this task.
        paid = await asyncio.shield(
            hub.storage.runs.succeed(run.call_id, made.answer, made.events, made.free, today)
        )
        if paid is None:
            hub.telemetry.count("late_capture_total")

    async def _failed(self, run: Run, wanted: Wanted, error: Exception) -> None:
        code, message = self._fault(run, error)
        try:
            await self._fail(run, wanted, code, message)
        except Exception as fault:
            # The store is gone: the reaper will find the run.
            self.hub.telemetry.log(
                "run_not_settled", "error", call_id=run.call_id, error=type(fault).__name__
            )

    async def _fail(self, run: Run, wanted: Wanted, code: str, message: str) -> None:
        hub = self.hub
        answer = Answer.failed(hub.ids.uuid(), code, message)
        today = days(hub.clock.now_ms()) if wanted.asks else None
        await hub.storage.runs.fail(run.call_id, answer, code, message, today)

    def _fault(self, run: Run, error: Exception) -> tuple[str, str]:
        """What the log says of an error."""
        if isinstance(error, PortError):
            error = port_error(error)
        if isinstance(error, HubError):
            return error.name, error.detail
        if isinstance(error, StoreError) and error.read_only:
            return "CONFIG_ERROR", "The hub's database cannot be written"
        self.hub.telemetry.log(
            "fault",
            "error",
            call_id=run.call_id,
            tool=TOOL,
            error=type(error).__name__,
            code="INTERNAL_ERROR",
        )
        return "INTERNAL_ERROR", UNEXPECTED


class Entry:
    """One submission on its way through the checks. `window` is what is left of its rate limit."""

    def __init__(self, desk: Desk, caller: Caller, accept_language: str | None, transport: str) -> None:
        self.desk, self.hub, self.caller = desk, desk.hub, caller
        self.accept_language, self.transport = accept_language, transport
        self.window: Window | None = None

    async def submitted(self, body: Any) -> Submitted:
        """The run; `RunProblem` for the first check that fails."""
        try:
            made = await self._submitted(body)
        except HubError as error:
            problem = problem_of(error)
            self._record(problem.code)
            raise problem from None
        except RunProblem as problem:
            self._record(problem.code)
            raise
        self._record("OK")
        return made

    def _record(self, code: str) -> None:
        self.hub.telemetry.count("calls_total", tool=TOOL, transport=self.transport, code=code)

    async def _submitted(self, body: Any) -> Submitted:
        await self._let_in()
        submission = submission_of(body)
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

    async def _let_in(self) -> None:
        """The checks that come before the body is looked at."""
        if self.hub.draining:
            raise shutting_down()
        if not (await self.desk.price()).enabled:
            raise RunProblem("TOOL_DISABLED", "Divination runs are switched off", tool_name=TOOL)
        hit = await hit_of(self.hub, LIMITS["fortune_call"], self.caller)
        if hit is not None:
            self.window = hit.window
            if hit.refusal is not None:
                raise hit.refusal

    async def _wanted(self, cast: Cast, submission: Submission, met: Meeting) -> Wanted:
        """What is to be read, if a reader can be asked now."""
        follow_up = None
        if not _first(submission, met) and submission.last.strip() != cast.payload.question.strip():
            follow_up = submission.last
        asked = [text for text in (follow_up, cast.payload.question) if text is not None]
        language = language_of(asked, submission.language, self.caller.language, self.accept_language)
        asks = self.hub.remote and not cast.in_distress(follow_up)
        port = self.hub.reader_for(self.caller.account_id) if asks else None
        if asks:
            await reader_open(self.hub, self.caller.account_id)
        return Wanted(cast, follow_up, language, port, asks)

    async def _admitted(self, submission: Submission, wanted: Wanted, met: Meeting) -> Submitted:
        new, call = self._new(submission, wanted, met)
        found = await self.hub.storage.runs.admit(new, call)
        if isinstance(found, Begun):
            self.desk.execute(found.run, wanted)
            self.desk.feed.tell(found.run.id)
            return Submitted(found.run, True)
        if isinstance(found, Busy):
            raise _busy(found.run_id)
        if isinstance(found, OtherCast):
            raise _other_cast()
        if isinstance(found, Refused):
            raise insufficient(self.hub, TOOL, found)
        again = _again(found, submission)
        assert again is not None
        return again

    def _new(self, submission: Submission, wanted: Wanted, met: Meeting) -> tuple[NewRun, NewCall]:
        hub = self.hub
        run = NewRun(
            id=hub.ids.uuid(),
            thread_id=submission.thread_id,
            run_id=submission.run_id,
            fingerprint=submission.fingerprint,
            derivation=wanted.cast.derivation,
            derived=submission.payload is not None,
            asks=wanted.asks,
            state=submission.state,
            said=submission.first if _first(submission, met) else submission.last,
            message_id=hub.ids.uuid(),
            timezone=submission.timezone,
        )
        call = NewCall(
            id=hub.ids.uuid(),
            account_id=self.caller.account_id,
            tool=TOOL,
            fingerprint=submission.fingerprint,
            account_key=self.caller.key_id,
            replay=False,
            lease_s=hub.settings.deadlines_s[TOOL] + LEASE_GRACE_S,
            started_ms=hub.clock.now_ms(),
            worker=hub.worker,
        )
        return run, call


def _flight(call_id: str) -> tuple[str, ...]:
    return ("run", call_id)


def _again(run: Run | None, submission: Submission) -> Submitted | None:
    """The run that was submitted before; None for one that is to be executed."""
    if run is None:
        return None
    if run.fingerprint != submission.fingerprint:
        raise RunProblem("RUN_CONFLICT", "This runId was submitted with another body")
    return None if run.status == "failed" else Submitted(run, False)


def _payload(submission: Submission, thread: Thread | None) -> Payload:
    """The cast that a run reads: its own, which has to be that of the thread, or the thread's."""
    if thread is None:
        if submission.payload is None:
            raise refusal(
                [Defect(PAYLOAD_AT, "DERIVATION_REQUIRED", "the first run of a thread needs a cast")]
            )
        return submission.payload
    if submission.payload is not None and submission.payload.text != thread.derivation.payload:
        raise _other_cast()
    return submission.payload or stored_payload(thread)


def stored_payload(thread: Thread) -> Payload:
    """The cast of a thread as it came."""
    return payload_of(json.loads(thread.derivation.payload))


def _first(submission: Submission, met: Meeting) -> bool:
    """Whether this is the run that begins its thread."""
    return met.thread is None or met.thread.first_run == submission.run_id


def _busy(run_id: str) -> RunProblem:
    return RunProblem("THREAD_BUSY", f"The run {run_id} of this thread is running", runId=run_id)


def _other_cast() -> RunProblem:
    return RunProblem("THREAD_HAS_DERIVATION", "The thread was derived from another divinationPayload")


def no_thread() -> RunProblem:
    return RunProblem("THREAD_NOT_FOUND", "There is no such thread")
