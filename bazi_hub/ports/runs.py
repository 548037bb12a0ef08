"""The log of divination runs: a port, the values that pass through it, and the events that a log consists of.

A run is known by (account, thread, run); nobody else's is ever seen. Its log is a list of internal events, numbered from 1
over all attempts and only ever appended to. What is the same for every run of a thread, the derivation, stands once beside
the log. A transition is one transaction: state, events, message of the history, and the money of the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from bazi_hub.ports.calls import Admitted, NewCall, Refused
from bazi_hub.words.call import compact

TOOL = "divination_run"
Status = Literal["running", "succeeded", "failed", "cancelled"]
Kind = Literal[
    "started", "step_started", "derived", "step_finished", "text_started", "text", "text_ended", "finished", "failed"
]  # fmt: skip

DERIVE, INTERPRET = "derive", "interpret"
PROTOCOL_VERSION = "1.0"
# What an answer has in lists; the rest of it is one text.
LISTS = ("conclusion", "focus_points", "advice", "keywords")
INTERRUPTED = ("RUN_INTERRUPTED", "The run was interrupted; submit it again")
CANCELLED = "CANCELLED"


class Event(NamedTuple):
    """One internal event; `seq` is 0 until the log has numbered it."""

    kind: Kind
    ts_ms: int
    data: dict[str, Any]
    seq: int = 0

    @property
    def ends(self) -> bool:
        """Whether nothing follows but another attempt."""
        return self.kind in ("finished", "failed")


def opening(now_ms: int, derived: bool) -> list[Event]:
    """The events of an attempt that was admitted.

    >>> [event.kind for event in opening(0, derived=False)]
    ['started', 'step_started']
    """
    kinds: list[tuple[Kind, dict[str, Any]]] = [("started", {})]
    if derived:
        kinds += [("step_started", {"step": DERIVE}), ("derived", {}), ("step_finished", {"step": DERIVE})]
    return [Event(kind, now_ms, data) for kind, data in [*kinds, ("step_started", {"step": INTERPRET})]]


def failing(now_ms: int, code: str, message: str) -> list[Event]:
    """The events of an attempt that ends without a text."""
    end: dict[str, Any] = {"code": code, "message": message}
    return [Event("step_finished", now_ms, {"step": INTERPRET}), Event("failed", now_ms, end)]


def cancelling(now_ms: int) -> list[Event]:
    """The events of an attempt that its owner stopped."""
    return [
        Event("step_finished", now_ms, {"step": INTERPRET}),
        Event("finished", now_ms, {"outcome": "cancelled"}),
    ]


def written(events: Iterable[Event]) -> str:
    """Events as they are kept; their numbers stand beside them.

    >>> read(written(opening(7, True)), 3)[0]
    Event(kind='started', ts_ms=7, data={}, seq=3)
    """
    return compact([[event.kind, event.ts_ms, event.data] for event in events])


def read(text: str, first_seq: int) -> list[Event]:
    """The events that were kept, numbered from `first_seq`."""
    return [
        Event(kind, ts_ms, data, seq) for seq, (kind, ts_ms, data) in enumerate(json.loads(text), first_seq)
    ]


class Derivation(NamedTuple):
    """Both objects of a cast as JSON text, and the payload that they were made from."""

    payload: str
    divination: str
    analysis: str

    @property
    def output_members(self) -> str:
        """Both objects as members of an `agent_output`, as JSON text."""
        return f'"divination_derived":{self.divination},"divination_analysis":{self.analysis}'


class Message(NamedTuple):
    """A line of the history. `output` is the `agent_output` of an assistant as JSON text, without the objects of the cast,
    which stand in `derivation`."""

    id: str
    seq: int
    thread_id: str
    run_id: str
    role: Literal["user", "assistant"]
    content: str
    ts_ms: int
    output: str | None = None
    derivation: Derivation | None = None


class Run(NamedTuple):
    """A run as it stands. `id` is the store's own; `attempt_seq` is the first event of the newest attempt, `held` what that
    attempt was admitted at, `purged` says that its log is gone. `state` is the client's, as JSON text."""

    id: str
    account_id: str
    thread_id: str
    run_id: str
    fingerprint: str
    status: Status
    attempt: int
    call_id: str
    created_ms: int
    finished_ms: int | None
    last_seq: int
    attempt_seq: int
    held: int
    deducted: int
    asks: bool
    derived: bool
    state: str
    error: tuple[str, str] | None = None
    purged: bool = False

    @property
    def receipt(self) -> str:
        """The result of an attempt in the ledger: a reference to its text."""
        return compact({"threadId": self.thread_id, "runId": self.run_id})


class Thread(NamedTuple):
    """A thread: the derivation that its runs share, the first of them, and the time zone that its client told last."""

    account_id: str
    thread_id: str
    derivation: Derivation
    first_run: str
    timezone: str | None
    created_ms: int


class NewRun(NamedTuple):
    """An attempt that asks to be admitted. `asks`: a model is asked; `derived`: the log begins with the derivation;
    `said` is the user's message, kept once for a run, as `message_id`."""

    id: str
    thread_id: str
    run_id: str
    fingerprint: str
    derivation: Derivation
    derived: bool
    asks: bool
    state: str
    said: str
    message_id: str
    timezone: str | None


class RunAnswer(NamedTuple):
    """The assistant's message of an attempt."""

    message_id: str
    content: str
    output: str

    @classmethod
    def none(cls, message_id: str, status: str, **members: Any) -> RunAnswer:
        """That of an attempt that gave no answer."""
        lists: dict[str, Any] = {name: [] for name in LISTS}
        return cls(message_id, "", compact({"status": status, **lists, "answer": "", **members}))

    @classmethod
    def failed(cls, message_id: str, code: str, message: str) -> RunAnswer:
        """That of an attempt that failed."""
        return cls.none(message_id, "error", error={"code": code, "message": message})


class Begun(NamedTuple):
    """A run that was admitted now."""

    run: Run


class ThreadBusy(NamedTuple):
    """Another run of the thread is running."""

    run_id: str


class OtherCast(NamedTuple):
    """The thread has been derived from something else."""


class MessagePage(NamedTuple):
    """Messages, newest first, and whether there are older ones."""

    messages: list[Message]
    more: bool


class ThreadState(NamedTuple):
    """The state that a submission finds: its thread, the run itself, and the run that is running in the thread."""

    thread: Thread | None
    run: Run | None
    running: str | None

    def obstacle(self, new: NewRun) -> Run | ThreadBusy | OtherCast | None:
        """The obstacle to an admission, None without one: only a failed run with the same fingerprint runs again."""
        again = self.run is not None and (self.run.status, self.run.fingerprint) == (
            "failed",
            new.fingerprint,
        )
        if self.run is not None and not again:
            return self.run
        if self.running is not None:
            return ThreadBusy(self.running)
        if self.thread is not None and self.thread.derivation.payload != new.derivation.payload:
            return OtherCast()
        return None

    def attempt(self, new: NewRun, call: NewCall, held: int, now_ms: int) -> tuple[Run, list[Event]]:
        """The run as it runs now, for the first time or once more, and the events with which that begins."""
        before = self.run or Run(
            new.id, call.account_id, new.thread_id, new.run_id, new.fingerprint, "running", 0, call.id, now_ms, None,
            0, 1, held, 0, new.asks, new.derived, new.state,
        )  # fmt: skip
        events = opening(now_ms, before.derived)
        run = before._replace(
            status="running", attempt=before.attempt + 1, call_id=call.id, finished_ms=None,
            last_seq=before.last_seq + len(events), attempt_seq=before.last_seq + 1, held=held, deducted=0,
            asks=new.asks, error=None, purged=False,
        )  # fmt: skip
        return run, events


class RunLog(Protocol):
    """Threads, runs, their logs and the history of an account."""

    async def meet(self, account_id: str, thread_id: str, run_id: str) -> ThreadState:
        """The thread and runs that stand under the names; changes nothing."""

    async def thread(self, account_id: str, thread_id: str) -> Thread | None: ...

    async def admit(self, run: NewRun, call: NewCall) -> Begun | Run | ThreadBusy | OtherCast | Refused:
        """Begins a run, or a failed one of the same fingerprint once more: thread, run, user message, hold and opening
        events in one transaction. The call is that of the attempt; it costs what the ledger says of `divination_run`.

        A `Run` stood there already, whatever it was asked with."""

    async def succeed(
        self,
        call_id: str,
        answer: RunAnswer,
        events: Sequence[Event],
        free: bool = False,
        day: int | None = None,
    ) -> Admitted | None:
        """The text in the log, the message and the capture, together. None: the attempt runs no longer, nothing changed."""

    async def fail(
        self, call_id: str, answer: RunAnswer, code: str, message: str, day: int | None = None
    ) -> bool:
        """Ends an attempt with an error and releases its hold. False: too late."""

    async def cancel(
        self, account_id: str, thread_id: str, run_id: str, answer: RunAnswer, day: int | None = None
    ) -> Run | None:
        """Stops a run that is running; the run as it stands then, in whatever state. A `day` counts an uncharged reading if
        the run asks a model. None: no such run."""

    async def events(self, run_id: str, after: int) -> list[Event]:
        """The log of `Run.id` behind a number."""

    async def sequences(self, run_ids: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each."""

    async def derivation(self, run_id: str) -> Derivation:
        """Of `Run.id`."""

    async def messages(
        self, account_id: str, thread_id: str | None, since_ms: int | None, until_ms: int | None,
        before: int | None, limit: int,
    ) -> MessagePage:  # fmt: skip
        """The history of an account, newest first, from `since_ms` to before `until_ms`."""

    async def purge(self, older_than_ms: int) -> int:
        """Drops the logs of runs that ended before; runs, threads and history stay. How many."""
