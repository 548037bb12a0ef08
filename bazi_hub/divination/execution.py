"""One attempt of a run: executed once, whoever reads along, and settled.

What it costs was held when it was admitted, and is taken in the transaction that puts its text into the log: the text is
there if and only if it was paid for. Whoever ends an attempt first decides; this process may find that somebody else did.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from bazi_core import liuyao
from bazi_core.errors import PortError, PortInvalidOutput
from bazi_core.model.port import AsyncReadingPort
from bazi_core.readings.cast import DivinationResult
from bazi_hub.calls.faults import port_error
from bazi_hub.calls.hub import Hub
from bazi_hub.calls.in_progress import CallInProgress
from bazi_hub.divination.cast import Cast
from bazi_hub.divination.feed import Feed
from bazi_hub.divination.output import told
from bazi_hub.divination.problems import problem_of, unexpected
from bazi_hub.ports import NewCall, Refused, days
from bazi_hub.ports.runs import (
    CANCELLED,
    INTERRUPTED,
    TOOL,
    Begun,
    Event,
    NewRun,
    OtherCast,
    Run,
    RunAnswer,
    ThreadBusy,
)
from bazi_hub.words.call import Caller, Outcome
from bazi_hub.words.errors import HubError, shutting_down
from bazi_hub.words.fault_log import log_fault
from bazi_hub.words.waiting import finish_then_cancel, shielded, within

if TYPE_CHECKING:
    from bazi_core.readings.wish import CastOptions

Admission = Begun | Run | ThreadBusy | OtherCast | Refused

GONE = ("UPSTREAM_ERROR", "The hub shut down before the interpretation was ready; submit the run again")


class Wanted(NamedTuple):
    """What an attempt is to read: the cast, what was asked later, the language, and the model (None: the rules)."""

    cast: Cast
    follow_up: str | None
    language: str
    port: AsyncReadingPort | None
    asks: bool
    in_distress: bool = False


class RunOrigin(NamedTuple):
    """A submission in the operator's log: caller, transport, request id, and its start on the monotonic clock."""

    caller: Caller
    transport: str
    request_id: str
    since_s: float

    def record(self, hub: Hub, code: str, call_id: str | None = None) -> None:
        """Counts and logs the outcome of the submission, once."""
        seconds = hub.clock.monotonic() - self.since_s
        hub.record(TOOL, self.transport, self.caller, self.request_id, call_id, code, seconds)


class RunExecution:
    """An attempt of a run, from its admission on. `code`: how one ended that was admitted."""

    def __init__(
        self, hub: Hub, feed: Feed, new: NewRun, call: NewCall, wanted: Wanted, asked: RunOrigin
    ) -> None:
        self.hub, self.feed = hub, feed
        self.new, self.call, self.wanted, self.asked = new, call, wanted, asked
        self.run: Run | None = None
        # That of one which is stopped before it was read.
        self.code = CANCELLED
        self._seat = ExitStack()
        self._admission: asyncio.Future[Admission] = asyncio.get_running_loop().create_future()

    def begin(self) -> asyncio.Future[Admission]:
        """Starts the task; the future is the log's answer to the submission."""
        if self.hub.draining:
            # Since it was let in. Nothing begins behind those that are waited for.
            raise shutting_down()
        # Before anybody else acts: until then the room that was found is nobody's. One run of a thread runs at a time.
        if self.wanted.asks:
            self._seat.enter_context(self.hub.slots.seat(self.call.account_id, self.new.thread_id))
        task = self.hub.spawn(self._executed())
        self.hub.in_progress.begin(in_progress_key(self.call.id), CallInProgress(self.call.fingerprint, task))
        task.add_done_callback(self._ended)
        return self._admission

    def _ended(self, task: asyncio.Task[Outcome]) -> None:
        self._seat.close()
        if not self._admission.done():
            self._admission.set_exception(shutting_down())
        if self.run is not None:
            self.asked.record(self.hub, self.code, self.call.id)

    async def _executed(self) -> Outcome:
        try:
            if await finish_then_cancel(self._admitted()):
                await self._succeed(await self._read())
        except asyncio.CancelledError:
            await shielded(self._fail(*GONE))
        except Exception as error:
            await self._fail(*self._fault(error))
        finally:
            self._tell()
        return Outcome(call_id=self.call.id)

    async def _admitted(self) -> bool:
        """Whether the log takes it; its submitter hears why not."""
        try:
            found = await self.hub.storage.runs.admit(self.new, self.call)
        except Exception as error:
            self._admission.set_exception(error)
            return False
        self.run = found.run if isinstance(found, Begun) else None
        self._admission.set_result(found)
        self._tell()
        return self.run is not None

    def _tell(self) -> None:
        if self.run is not None:
            self.feed.tell(self.run.id)

    async def _read(self) -> DivinationResult:
        hub, wanted, found = self.hub, self.wanted, self.wanted.cast.found
        asked: CastOptions = {
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

    async def unstored(self, run: Run, events: list[Event]) -> list[Event]:
        """The whole log of a run that is answered by the rules and kept nowhere, behind its first events."""
        made = told(await self._read(), self.hub.ids.uuid(), self.hub.clock.now_ms())
        numbered = enumerate([*events, *made.events], run.attempt_seq)
        return [event._replace(seq=seq) for seq, event in numbered]

    async def _succeed(self, result: DivinationResult) -> None:
        hub = self.hub
        now_ms = hub.clock.now_ms()
        made = told(result, hub.ids.uuid(), now_ms)
        today = days(now_ms) if made.uncharged else None
        # What has reached the store is decided there, not by whoever cancels this task.
        paid = await shielded(
            hub.storage.runs.succeed(self.call.id, made.answer, made.events, made.free, today)
        )
        self.code = "OK"
        if paid is None:
            hub.telemetry.count("late_capture_total")
            self.code = await self._ended_before()

    async def _fail(self, code: str, message: str) -> None:
        hub, self.code = self.hub, code
        answer = RunAnswer.failed(hub.ids.uuid(), code, message)
        today = days(hub.clock.now_ms()) if self.wanted.asks else None
        try:
            if not await hub.storage.runs.fail(self.call.id, answer, code, message, today):
                self.code = await self._ended_before()
        except Exception as fault:
            # The store is gone: the reaper will find the run.
            log_fault(hub.telemetry, fault, "run_not_settled", call_id=self.call.id)

    async def _ended_before(self) -> str:
        """The code with which the owner or the reaper ended the attempt."""
        state, code = await self.hub.storage.ledger.state(self.call.id) or ("expired", None)
        return "OK" if state == "captured" else code or INTERRUPTED[0]

    def _fault(self, error: Exception) -> tuple[str, str]:
        """Code and message of an error, for the log of the run."""
        if isinstance(error, PortError):
            error = port_error(error)
        if isinstance(error, HubError):
            return error.name, error.detail
        problem = problem_of(error)
        if problem is None:
            problem = unexpected()
            log_fault(
                self.hub.telemetry, error, request_id=self.asked.request_id, call_id=self.call.id, tool=TOOL,
                code=problem.code,
            )  # fmt: skip
        return problem.code, problem.detail


def in_progress_key(call_id: str) -> tuple[str, ...]:
    """The key of an attempt among the calls in progress."""
    return ("run", call_id)
