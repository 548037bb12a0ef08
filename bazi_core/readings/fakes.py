"""Ports without a network, for tests of this package and of programs that embed it.

`FixedPort` always says the same; `RecordedPort` plays back what another port once said; `FailingPort` fails; `ScriptedPort`
follows a script of replies, failures and delays on a clock of its own. `asynchronous` makes each of them awaitable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import PortUnavailable
from bazi_core.facts import digest
from bazi_core.readings.port import ReadingReply, Usage, name_of, timed_out
from bazi_core.readings.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.readings.port import AsyncReadingPort, ReadingPort, ReadingRequest


def reply_of(said: Any, **more: Any) -> ReadingReply:
    """A reply that holds a reading, a JSON value or a text."""
    if isinstance(said, ReadingReply):
        return said
    if isinstance(said, str):
        return ReadingReply(said, **more)
    return ReadingReply(parsed=said.to_dict() if isinstance(said, Reading) else said, **more)


class FixedPort:
    """Says the same to everybody.

    >>> FixedPort("{}").generate(None).text
    '{}'
    """

    def __init__(self, said: Any, model: str = "fixed", usage: Usage | None = None) -> None:
        self.name, self.model = "fixed", model
        self._reply = reply_of(said, model=model, usage=usage or Usage())

    def generate(self, request: ReadingRequest) -> ReadingReply:
        return self._reply


class FailingPort:
    """Fails always, with the error that it was given."""

    def __init__(self, error: Exception | None = None) -> None:
        self.name = "failing"
        self._error = error or PortUnavailable("no connection", reason="connect")

    def generate(self, request: ReadingRequest) -> ReadingReply:
        raise self._error


class RecordedPort:
    """Plays back what it has on record; asks `port`, if it has one, for what it has not, and keeps the answer.

    >>> recorded = RecordedPort(port=FixedPort("{}"))
    >>> from bazi_core.readings.requests import build_request
    >>> import bazi_core as bz
    >>> request = build_request(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern())
    >>> recorded.generate(request) == RecordedPort.from_json(recorded.to_json()).generate(request)
    True
    """

    def __init__(
        self, record: dict[str, ReadingReply] | None = None, port: ReadingPort | None = None
    ) -> None:
        self.record = dict(record or {})
        self.name = name_of(port) if port else "recorded"
        self._port = port

    def generate(self, request: ReadingRequest) -> ReadingReply:
        key = digest([request.system, request.user_text, request.language])
        if key not in self.record:
            if self._port is None:
                raise PortUnavailable("no reply to this request is on record", reason="not_recorded")
            self.record[key] = self._port.generate(request)
        return self.record[key]

    def to_json(self) -> str:
        """The record as JSON text."""
        import json

        record = {key: {**each._asdict(), "usage": each.usage.to_dict()} for key, each in self.record.items()}
        return json.dumps(record, ensure_ascii=False, sort_keys=True, indent=1)

    @classmethod
    def from_json(cls, text: str) -> RecordedPort:
        """A port that plays back such a record."""
        import json

        found = {
            key: ReadingReply(**{**each, "usage": Usage(**each["usage"])})
            for key, each in json.loads(text).items()
        }
        return cls(found)


class Clock:
    """A monotonic clock that stands still until it is moved.

    >>> clock = Clock()
    >>> clock.advance(2.5)
    >>> clock()
    2.5
    """

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s

    def __call__(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        self._now_s += seconds


class Step(NamedTuple):
    """One answer of a script: what is said or raised, after how many seconds, and whether the port keeps to its timeout."""

    said: Any
    latency_s: float = 0.0
    punctual: bool = True


class ScriptedPort:
    """Follows a script; `requests` holds what it was asked.

    A step is what is said (a reading, a JSON value, a text, a reply), an error to raise, or a `Step` with a delay. A delay
    moves the clock; a port that is punctual gives up at its timeout. The script's end is the end of the patience
    of a test: another request raises `AssertionError`.
    """

    def __init__(self, script: Iterable[Any], clock: Clock | None = None, model: str = "scripted") -> None:
        self.name, self.model = "scripted", model
        self.requests: list[ReadingRequest] = []
        self._script = iter([each if isinstance(each, Step) else Step(each) for each in script])
        self._clock = clock or Clock()

    def generate(self, request: ReadingRequest) -> ReadingReply:
        self.requests.append(request)
        step = next(self._script, None)
        if step is None:
            raise AssertionError("the script has no more replies")
        if step.punctual and step.latency_s > request.timeout_s:
            self._clock.advance(request.timeout_s)
            raise timed_out(request.timeout_s)
        self._clock.advance(step.latency_s)
        if isinstance(step.said, Exception):
            raise step.said
        return reply_of(step.said, model=self.model)


class _Asynchronous:
    def __init__(self, port: ReadingPort) -> None:
        self._port, self.name, self.model = port, name_of(port), getattr(port, "model", "")

    async def generate(self, request: ReadingRequest) -> ReadingReply:
        return self._port.generate(request)


def asynchronous(port: ReadingPort) -> AsyncReadingPort:
    """A fake as an asynchronous port; for a port that takes time use `as_async`, which does not block the loop."""
    return _Asynchronous(port)
