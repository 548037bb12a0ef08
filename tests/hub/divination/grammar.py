"""The grammar of a log and of both streams made of it, as state machines."""

from __future__ import annotations

from typing import Any

SEED_ONLY, AGUI_ONLY = {"DIVINATION_DERIVED"}, {"CUSTOM", "STATE_SNAPSHOT"}
STANDARD = {
    "RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "STEP_STARTED", "STEP_FINISHED", "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
}  # fmt: skip
NATIVE_FIELDS = {"sign_level", "conclusion", "focus_points", "advice", "keywords", "answer"}


class Grammar:
    """Follows a log event by event: RUN_STARTED first, all that is opened is closed, nothing follows an end but a new
    attempt."""

    def __init__(self) -> None:
        self.running = self.derived = False
        self.step: str | None = None
        self.message: str | None = None
        self.text = ""
        self.attempts = 0

    def start(self) -> None:
        assert not self.running
        self.__init__()  # type: ignore[misc]
        self.running = True

    def open_step(self, name: str) -> None:
        assert self.running
        assert self.step is None
        assert name == "interpret" or not self.derived
        self.step = name

    def close_step(self, name: str) -> None:
        assert self.step == name
        assert self.message is None
        self.step = None

    def derive(self) -> None:
        assert self.step == "derive"
        assert not self.derived
        self.derived = True

    def open_text(self, message: str) -> None:
        assert self.step == "interpret"
        assert self.message is None
        assert not self.text
        self.message = message

    def say(self, message: str, delta: str) -> None:
        assert self.message == message
        assert 0 < len(delta) <= 200
        self.text += delta

    def close_text(self, message: str, answer: str) -> None:
        assert self.message == message
        assert self.text == answer
        self.message = None

    def end(self) -> None:
        assert self.running
        assert self.step is None
        assert self.message is None
        self.running = False


def check_log(events: list[Any], run: Any) -> None:
    """An internal log, against the state of its run."""
    first = events[0].seq
    assert [event.seq for event in events] == list(range(first, first + len(events)))
    assert events[-1].seq == run.last_seq
    grammar, attempts, texts = Grammar(), 0, 0
    for event in events:
        if event.kind == "started":
            attempts += 1
            grammar.start()
        elif event.kind == "step_started":
            grammar.open_step(event.data["step"])
        elif event.kind == "step_finished":
            grammar.close_step(event.data["step"])
        elif event.kind == "derived":
            grammar.derive()
        elif event.kind == "text_started":
            texts += 1
            grammar.open_text(event.data["id"])
        elif event.kind == "text":
            grammar.say(event.data["id"], event.data["delta"])
        elif event.kind == "text_ended":
            grammar.close_text(event.data["id"], event.data["output"]["answer"])
        else:
            assert event.kind in ("finished", "failed")
            grammar.end()
    assert grammar.running == (run.status == "running")
    assert texts == (run.status == "succeeded")
    if first == 1:
        assert attempts == run.attempt


def check_stream(events: list[dict[str, Any]], profile: str) -> None:
    """A complete stream of one profile."""
    foreign = AGUI_ONLY if profile == "seed" else SEED_ONLY
    allowed = STANDARD | (SEED_ONLY if profile == "seed" else AGUI_ONLY)
    grammar = Grammar()
    for event in events:
        kind = event["type"]
        assert kind in allowed
        assert kind not in foreign
        assert type(event["timestamp"]) is int
        _follow(grammar, event, profile)


def _follow(grammar: Grammar, event: dict[str, Any], profile: str) -> None:
    kind = event["type"]
    if kind == "RUN_STARTED":
        assert set(event) == {"type", "timestamp", "threadId", "runId", "protocolVersion"}
        grammar.start()
    elif kind == "STEP_STARTED":
        grammar.open_step(event["stepName"])
    elif kind == "STEP_FINISHED":
        grammar.close_step(event["stepName"])
    elif kind in ("DIVINATION_DERIVED", "CUSTOM"):
        grammar.derive()
    elif kind == "TEXT_MESSAGE_START":
        assert event["role"] == "assistant"
        grammar.open_text(event["messageId"])
    elif kind == "TEXT_MESSAGE_CONTENT":
        grammar.say(event["messageId"], event["delta"])
    elif kind == "TEXT_MESSAGE_END":
        assert (NATIVE_FIELDS & set(event) == set()) == (profile == "agui")
        assert ("metadata" in event) == (profile == "agui")
        said = event["answer"] if profile == "seed" else event["metadata"]["agent_output"]["answer"]
        grammar.close_text(event["messageId"], said)
    elif kind == "RUN_FINISHED":
        assert ("result" in event) == (profile == "agui" and event["outcome"]["type"] == "success")
        grammar.end()
    elif kind == "RUN_ERROR":
        assert set(event) == {"type", "timestamp", "message", "code"}
        grammar.end()
    else:
        assert kind == "STATE_SNAPSHOT"
        assert grammar.derived
