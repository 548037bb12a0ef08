"""The port to a language model that writes readings: one method, one request in, one reply out.

A request carries everything, and a reply only chooses among what the request offers (`readings.reply`). A port keeps to
`timeout_s` and raises only the `PortError`s of `bazi_core.errors`; it knows no chart and keeps no state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from bazi_core.errors import PortTimeout
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    InThread = Callable[
        [Callable[["ReadingRequest"], "ReadingReply"], "ReadingRequest"], Awaitable["ReadingReply"]
    ]
    RunLoop = Callable[[Coroutine[Any, Any, "ReadingReply"]], "ReadingReply"]

T = TypeVar("T")
# Characters of a reply; a longer one is refused before it is read.
LONGEST = 200_000


class ReadingRequest(NamedTuple):
    """The input of a model, and the limits of its reply.

    `menu` has one statement a line, `id | text | topic | side`; `user_question` is a JSON text, never bare words. The
    printed form leaves out every text, since it may hold births and questions.
    """

    task: str
    prompt_version: str
    system: str
    menu: str
    instruction: str
    user_question: str | None
    json_schema: dict[str, Any]
    language: str
    max_output_tokens: int
    timeout_s: float
    request_id: str
    idempotency_key: str
    temperature: float = 0
    seed: int | None = None

    def __repr__(self) -> str:
        return f"<ReadingRequest {self.task} {self.prompt_version} {self.language} {self.request_id}>"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that a reply may choose, in the order of the menu."""
        return tuple(line.partition(" | ")[0] for line in self.menu.splitlines())

    @property
    def user_text(self) -> str:
        """The user message: menu, instruction, schema, and the question as JSON."""
        from bazi_core.facts import canonical_json

        parts = [
            f"STATEMENTS\n{self.menu}",
            self.instruction,
            f"JSON Schema\n{canonical_json(self.json_schema)}",
        ]
        parts += [] if self.user_question is None else [f"QUESTION (JSON)\n{self.user_question}"]
        return "\n\n".join(parts)


class Usage(NamedTuple):
    """Tokens and cost of a call, where the port knows them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class ReadingReply(NamedTuple):
    """The unchecked reply of a port: a text, or a value that the port has already parsed."""

    text: str = ""
    parsed: Any = None
    model: str = ""
    finish_reason: str = "stop"
    usage: Usage = Usage()
    latency_ms: int = 0


class Price(NamedTuple):
    """Prices of a model per million input and output tokens, in the currency of the cost limit."""

    input_per_million: float
    output_per_million: float

    def of(self, usage: Usage) -> float:
        """The cost of a usage.

        >>> Price(2.0, 8.0).of(Usage(1000, 500))
        0.006
        """
        spent = usage.input_tokens * self.input_per_million + usage.output_tokens * self.output_per_million
        return spent / 1e6

    def estimate(self, request: ReadingRequest) -> float:
        """Upper estimate of the cost of a call: one token for a hanzi or three letters, and a reply of full length."""
        text = request.system + request.user_text
        letters = sum(map(str.isascii, text))
        tokens = len(text) - letters + letters // 3 + 1
        return self.of(Usage(tokens, request.max_output_tokens))


class ReadingPort(Protocol):
    """An object that answers a request."""

    def generate(self, request: ReadingRequest) -> ReadingReply: ...


class AsyncReadingPort(Protocol):
    """An object that answers a request asynchronously."""

    async def generate(self, request: ReadingRequest) -> ReadingReply: ...


class _Threaded:
    def __init__(self, port: ReadingPort, in_thread: InThread) -> None:
        self._port, self._in_thread, self.name = port, in_thread, name_of(port)

    async def generate(self, request: ReadingRequest) -> ReadingReply:
        return await self._in_thread(self._port.generate, request)


class _Looped:
    def __init__(self, port: AsyncReadingPort, run: RunLoop) -> None:
        self._port, self._run, self.name = port, run, name_of(port)

    def generate(self, request: ReadingRequest) -> ReadingReply:
        return self._run(self._call(request))

    async def _call(self, request: ReadingRequest) -> ReadingReply:
        return await self._port.generate(request)


def as_async(port: ReadingPort, in_thread: InThread) -> AsyncReadingPort:
    """A blocking port for a caller with an event loop: `as_async(port, asyncio.to_thread)`.

    The caller names who runs it, so that nothing here depends on one event loop. When the caller is cancelled
    the call goes on in its thread and its reply is dropped.
    """
    return _Threaded(port, in_thread)


def as_sync(port: AsyncReadingPort, run: RunLoop) -> ReadingPort:
    """An asynchronous port for a caller without an event loop: `as_sync(port, asyncio.run)`."""
    return _Looped(port, run)


def within(timeout_s: float, call: Callable[[], T], grace_s: float = 0.0) -> T:
    """The result of a call in a thread of its own, or `PortTimeout`; a late result is dropped."""
    from concurrent.futures import Future
    from contextvars import copy_context
    from threading import Thread

    future: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=work, name="reading-port", daemon=True).start()
    try:
        error = future.exception(timeout_s + grace_s)
    except TimeoutError:
        error = timed_out(timeout_s)
    if error is not None:
        raise error
    return future.result()


def timed_out(timeout_s: float) -> PortTimeout:
    """The error for a reply that did not arrive in time."""
    return PortTimeout(Said("port_timeout", timeout_s=timeout_s), timeout_s=timeout_s)


def name_of(port: object) -> str:
    """The name of a port in the provenance of a reading."""
    name = member(port, "name")
    return name if isinstance(name, str) and name else type(port).__name__


def member(port: object, name: str) -> Any:
    """An attribute of a port; None if reading it fails, which must not end a reading."""
    try:
        return getattr(port, name, None)
    except Exception:
        return None
