"""Ports without a network, for tests of this package and of programs that embed it.

`ChoosingPort` chooses from the menu of a request; `FixedPort` always gives the same reply; `RecordedPort` replays replies of
another port; `FailingPort` fails; `ScriptedPort` follows a script of replies, failures and delays on a clock of its own.
`asynchronous` makes each of them awaitable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import PortUnavailable
from bazi_core.facts import digest
from bazi_core.model.port import ReadingReply, Usage, name_of, timed_out
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.model.port import AsyncReadingPort, ReadingPort, ReadingRequest


def reply_of(said: Any, **more: Any) -> ReadingReply:
    """A reply that holds a JSON value or a text."""
    if isinstance(said, ReadingReply):
        return said
    if isinstance(said, str):
        return ReadingReply(said, **more)
    return ReadingReply(parsed=said, **more)


class FixedPort:
    """A port that gives the same reply to every request."""

    def __init__(self, said: Any, model: str = "fixed", usage: Usage | None = None) -> None:
        self.name, self.model = "fixed", model
        self._reply = reply_of(said, model=model, usage=usage or Usage())

    def generate(self, request: ReadingRequest) -> ReadingReply:
        return self._reply


class ChoosingPort:
    """A port that chooses the first statements of the menu, all by default, and adds free lines after the first ones.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> bz.read(chart, port=ChoosingPort(6, free=("我们慢慢来看。",))).grounding.free_lines
    1
    """

    def __init__(self, count: int | None = None, free: Iterable[str] = (), model: str = "choosing") -> None:
        self.name, self.model = "choosing", model
        self._count, self._free = count, tuple(free)

    def generate(self, request: ReadingRequest) -> ReadingReply:
        chosen = request.ids[: self._count]
        parts: list[dict[str, Any]] = []
        for number, name in enumerate(chosen):
            parts.append({"say": name, "variant": 0})
            parts += [{"free": line} for line in self._free[number : number + 1]]
        said = {
            "understood": {"domain": "general", "kind": "describe"},
            "parts": parts,
            "keywords": list(chosen[:2]),
        }
        return reply_of(said, model=self.model)


class FailingPort:
    """A port that always raises the given error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.name = "failing"
        self._error = error or PortUnavailable(Said("port_no_connection"), reason="connect")

    def generate(self, request: ReadingRequest) -> ReadingReply:
        raise self._error


class RecordedPort:
    """A port that replays recorded replies; other requests go to `port`, if given, and their replies are recorded.

    >>> recorded = RecordedPort(port=ChoosingPort())
    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> first = bz.read(chart, port=recorded)
    >>> bz.read(chart, port=RecordedPort.from_json(recorded.to_json())).reading == first.reading
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
                raise PortUnavailable(Said("port_not_recorded"), reason="not_recorded")
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

        record = json.loads(text)
        if not isinstance(record, dict):
            raise ValueError("a record is an object")
        found = {
            key: ReadingReply(**{**each, "usage": Usage(**each["usage"])}) for key, each in record.items()
        }
        return cls(found)


class FakeClock:
    """A monotonic clock that only moves when told to."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s

    def __call__(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        self._now_s += seconds


class Step(NamedTuple):
    """One answer of a script: the reply or error, its delay in seconds, and whether the port keeps to its timeout."""

    said: Any
    latency_s: float = 0.0
    punctual: bool = True


class ScriptedPort:
    """A port that follows a script; `requests` holds the requests received.

    A step is a reply (a JSON value, a text, a `ReadingReply`), an error to raise, or a `Step` with a delay. A delay
    moves the clock; a punctual port gives up at its timeout. A request after the last step raises `AssertionError`.
    """

    def __init__(
        self, script: Iterable[Any], clock: FakeClock | None = None, model: str = "scripted"
    ) -> None:
        self.name, self.model = "scripted", model
        self.requests: list[ReadingRequest] = []
        self._script = iter([each if isinstance(each, Step) else Step(each) for each in script])
        self._clock = clock or FakeClock()

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
