"""A run's log on the wire: internal events → events of the Agent User Interaction Protocol 1.0 → server-sent events.

Two profiles, both pure functions of the log. `seed` has the native DIVINATION_DERIVED and the six fields on
TEXT_MESSAGE_END; `agui` says the same in standard events only, since older stock clients give a run up at the first type
that they do not know. Nothing of one profile ever occurs in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

from bazi_hub.http.wire.json import dumps, quote
from bazi_hub.ports.runs import PROTOCOL_VERSION, Derivation, Event

Profile = Literal["seed", "agui"]
PROFILES: tuple[Profile, ...] = ("seed", "agui")
RUNS, AGUI, HISTORY = "/api/v1/agent/runs", "/api/v1/agent/agui", "/api/v1/agent/history"
RUN, EVENTS_OF_RUN = f"{RUNS}/{{threadId}}", f"{RUNS}/{{threadId}}/events"
DERIVE, PRICE = "/api/v1/divination/derive", "/api/v1/divination/price"
EVENT_STREAM = "text/event-stream; charset=utf-8"
RETRY = b"retry: 2000\n\n"
# The fields of an answer that stand on the seed profile's TEXT_MESSAGE_END.
FIELDS = ("sign_level", "conclusion", "focus_points", "advice", "keywords", "answer")


class RunContext(NamedTuple):
    """What is the same for all events of a run: its names, the client's state, and both objects of the cast."""

    thread_id: str
    run_id: str
    state: str
    derivation: Derivation

    @property
    def objects(self) -> str:
        """Both objects as members of a JSON object."""
        return f'"divination":{self.derivation.divination},"analysis":{self.derivation.analysis}'

    def agent_output(self, output: dict[str, Any]) -> str:
        """The whole `agent_output` as JSON text."""
        return f"{dumps(output)[:-1]},{self.derivation.output_members}}}"


def frames(log: RunContext, events: Iterable[Event], profile: Profile) -> Iterator[tuple[int, bytes]]:
    """Every event as a piece of a stream, with its number. Begin with the first event of an attempt: how a run finished
    repeats what its text was."""
    write = _SEED if profile == "seed" else _AGUI
    output: dict[str, Any] = {}
    for event in events:
        output = event.data.get("output", output)
        lines = write[event.kind](log, event, output)
        # Where one becomes two only the last can be resumed from, so that nobody loses half of it.
        data = "".join(f"data: {line}\n\n" for line in lines[:-1])
        yield event.seq, f"{data}id: {log.run_id}:{event.seq}\ndata: {lines[-1]}\n\n".encode()


Lines = list[str]


def _event(kind: str, event: Event, members: str = "") -> str:
    return f'{{"type":"{kind}","timestamp":{event.ts_ms}{members}}}'


def _of_run(log: RunContext) -> str:
    return f',"threadId":"{log.thread_id}","runId":"{log.run_id}"'


def _started(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    return [_event("RUN_STARTED", event, f'{_of_run(log)},"protocolVersion":"{PROTOCOL_VERSION}"')]


def _step(kind: str) -> Callable[[RunContext, Event, dict[str, Any]], Lines]:
    def write(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
        return [_event(kind, event, f',"stepName":"{event.data["step"]}"')]

    return write


def _derived_seed(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    return [_event("DIVINATION_DERIVED", event, f",{log.objects}")]


def _derived_agui(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    behind = "" if log.state == "{}" else ","
    return [
        _event("CUSTOM", event, f',"name":"DIVINATION_DERIVED","value":{{{log.objects}}}'),
        _event("STATE_SNAPSHOT", event, f',"snapshot":{log.state[:-1]}{behind}{log.objects}}}'),
    ]


def _message(event: Event) -> str:
    return f',"messageId":"{event.data["id"]}"'


def _text_started(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    return [_event("TEXT_MESSAGE_START", event, f'{_message(event)},"role":"assistant"')]


def _text(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    return [_event("TEXT_MESSAGE_CONTENT", event, f'{_message(event)},"delta":{quote(event.data["delta"])}')]


def _ended_seed(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    fields = dumps({name: output[name] for name in FIELDS if name in output})
    return [_event("TEXT_MESSAGE_END", event, f"{_message(event)},{fields[1:-1]}")]


def _ended_agui(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    members = f'{_message(event)},"metadata":{{"agent_output":{log.agent_output(output)}}}'
    return [_event("TEXT_MESSAGE_END", event, members)]


def _finished(result: bool) -> Callable[[RunContext, Event, dict[str, Any]], Lines]:
    def write(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
        outcome = event.data["outcome"]
        members = f'{_of_run(log)},"outcome":{{"type":"{outcome}"}}'
        if "usage" in event.data:
            members += f',"usage":{dumps(event.data["usage"])}'
        if result and outcome == "success":
            members += f',"result":{{"agent_output":{log.agent_output(output)}}}'
        return [_event("RUN_FINISHED", event, members)]

    return write


def _failed(log: RunContext, event: Event, output: dict[str, Any]) -> Lines:
    members = f',"message":{quote(event.data["message"])},"code":"{event.data["code"]}"'
    return [_event("RUN_ERROR", event, members)]


_BOTH: dict[str, Callable[[RunContext, Event, dict[str, Any]], Lines]] = {
    "started": _started,
    "step_started": _step("STEP_STARTED"),
    "step_finished": _step("STEP_FINISHED"),
    "text_started": _text_started,
    "text": _text,
    "failed": _failed,
}
_SEED = {**_BOTH, "derived": _derived_seed, "text_ended": _ended_seed, "finished": _finished(False)}
_AGUI = {**_BOTH, "derived": _derived_agui, "text_ended": _ended_agui, "finished": _finished(True)}


class BadEventId(ValueError):
    """An id that no event of this run can have."""


def event_number(text: str) -> int:
    """The number of an event as a client writes it.

    >>> event_number("7"), resumed("run_1:7", "run_1")
    (7, 7)
    """
    if not text.isascii() or not text.isdigit() or len(text) > 15 or (text[0] == "0" and text != "0"):
        raise BadEventId(text)
    return int(text)


def resumed(event_id: str, run_id: str) -> int:
    """The number in a `Last-Event-ID` of this run."""
    owner, sign, number = event_id.rpartition(":")
    if not sign or owner != run_id:
        raise BadEventId(event_id)
    return event_number(number)
