"""One request and its response, straight on ASGI: no more is done for a call than the call needs."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Mapping,
    MutableMapping,
)
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from bazi_hub.http.wire.answer import Answer, Headers

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Endpoint = Callable[["Exchange"], Awaitable[None]]

API = "/api/"
# The name in the scope of a request under which its routes find the exchange that the guards have seen.
EXCHANGE = "bazi.exchange"
# So much of a body that is too large is read and dropped, so that its sender gets to see the answer.
READ_BEYOND = 16
NOT_STORED = (b"cache-control", b"no-store")


class Pace(NamedTuple):
    """Seconds: for a body to arrive, and between signs of life of a long call, the first of which begins its stream."""

    body_s: float = 15.0
    sign_s: float = 15.0


class ClientGone(Exception):
    """The client left before its request was complete."""


class TooSlow(Exception):
    """The body did not arrive in time."""


class _Begun:
    """A coroutine that was begun by hand and waits for something: what a task makes of it from there on."""

    def __init__(self, coroutine: Coroutine[Any, None, bytes], waiting: Any) -> None:
        self._coroutine, self._waiting = coroutine, waiting

    def __await__(self) -> Generator[Any, None, bytes]:
        try:
            yield self._waiting
        except BaseException:
            self._coroutine.close()
            raise
        return (yield from self._coroutine.__await__())


class Exchange:
    """A request as it came, and the one response to it. `path` is that below where the application is mounted."""

    __slots__ = (
        "_receive",
        "_send",
        "closing",
        "extra",
        "headers",
        "id",
        "method",
        "path",
        "root",
        "scope",
        "started",
    )

    def __init__(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        self.scope, self._receive, self._send, self.id = scope, receive, send, request_id
        self.method: str = scope["method"]
        self.headers = headers_of(scope)
        self.root: str = scope.get("root_path", "")
        self.path = path_of(scope)
        self.extra: Headers = ()
        self.started = False
        self.closing = False

    # --- in ---

    @property
    def query(self) -> dict[str, str]:
        """The query; of a name that stands several times its first value."""
        found = parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        return {name: values[0] for name, values in found.items()}

    async def body(self, limit: int, deadline_s: float) -> bytes:
        """The body; of one that is longer than the limit so much that this shows."""
        reading = self._body(limit)
        try:
            waiting = reading.send(None)
        except StopIteration as done:
            # Mostly it came together with the head, and needs no clock.
            return done.value  # type: ignore[no-any-return]
        try:
            async with asyncio.timeout(deadline_s):
                return await _Begun(reading, waiting)
        except TimeoutError:
            raise TooSlow from None

    def leave_body(self, limit: int) -> None:
        """Answers without the body. The connection ends where the server would have to read much for the next request."""
        size = self.headers.get("content-length", "0" if "transfer-encoding" not in self.headers else "")
        self.closing = not (size.isascii() and size.isdecimal() and len(size) < 10 and int(size) <= limit)

    async def _body(self, limit: int) -> bytes:
        body, size, more = bytearray(), 0, True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            chunk, more = message.get("body", b""), message.get("more_body", False)
            if size <= limit:
                body += chunk
            size += len(chunk)
            if size > limit * READ_BEYOND:
                self.closing = True
                break
        return bytes(body)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[asyncio.Task[None]]:
        """A task that ends when the client leaves. It has to wait before the end of the response: afterwards every server
        reports a disconnect, seen or not."""
        watcher = self.watch()
        try:
            yield watcher
        finally:
            watcher.cancel()

    def watch(self) -> asyncio.Task[None]:
        """A task that ends when the client is gone; the caller cancels it."""
        return asyncio.ensure_future(self._gone())

    def left(self) -> bool:
        """Whether the server knows already that the client left: asked for a message, it has one at once."""
        asked = self._gone()
        try:
            asked.send(None)
        except StopIteration:
            return True
        asked.close()
        return False

    async def _gone(self) -> None:
        """Ends when the client leaves."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    # --- out ---

    async def answer(self, answer: Answer) -> None:
        """The whole response."""
        await self.start(answer.status, answer.headers, answer.body_type, len(answer.body))
        await self._send({"type": "http.response.body", "body": answer.body})

    async def start(
        self, status: int, headers: Headers, body_type: str | None, size: int | None = None
    ) -> None:
        """The head of the response; without a size the body is a stream."""
        lines = _lines(headers)
        if self.extra:
            lines += _lines(self.extra)
        if self.path.startswith(API):
            lines.append((b"x-request-id", self.id.encode("ascii")))
            if size is not None:
                lines.append(NOT_STORED)
        if body_type is not None:
            lines.append(_type(body_type))
        if size is not None and status >= 200 and status != 204:
            lines.append((b"content-length", b"%d" % size))
        if self.closing:
            lines.append((b"connection", b"close"))
        self.started = True
        await self._send({"type": "http.response.start", "status": status, "headers": lines})

    async def leave_to(self, app: App) -> None:
        """Has another ASGI application answer; the headers that the guards add go with its response."""
        await app(self.scope, self._receive, self._send_with_extra)

    async def _send_with_extra(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            if self.extra:
                message = {**message, "headers": [*message.get("headers", ()), *_lines(self.extra)]}
        await self._send(message)

    async def part(self, body: bytes, more: bool = True) -> None:
        """A piece of a stream."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


async def served(endpoint: Endpoint, exchange: Exchange) -> None:
    """Runs an endpoint; who left is not answered, and who is too slow is told so."""
    try:
        await endpoint(exchange)
    except ClientGone:
        return
    except TooSlow:
        exchange.closing = True
        await exchange.answer(plain(408, "The request did not arrive in time.\n"))


class Routed:
    """An endpoint as Starlette routes to it, behind the guards of `create_app`."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await served(self._endpoint, scope[EXCHANGE])


def _lines(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(_name(name), value.encode("latin-1")) for name, value in headers]


@cache
def _name(name: str) -> bytes:
    return name.lower().encode("latin-1")


@cache
def _type(body_type: str) -> tuple[bytes, bytes]:
    return (b"content-type", body_type.encode("latin-1"))


def headers_of(scope: Scope) -> Mapping[str, str]:
    """Lower-case names; lines of one name are joined, so that a header sent twice equals nothing sent once."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        # Blanks around a value are none of it (RFC 9110, 5.5); some servers leave them there.
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1").strip(" \t")
        headers[name] = f"{headers[name]}{_JOINTS.get(name, ', ')}{value}" if name in headers else value
    return headers


_JOINTS = {"cookie": "; "}


def path_of(scope: Scope) -> str:
    """The path below `root_path`, which servers and routers of ASGI leave in front."""
    path, root = scope["path"], scope.get("root_path", "").rstrip("/")
    below: str = path[len(root) :] if root and path.startswith(root + "/") else path
    return below


def plain(status: int, text: str, *headers: tuple[str, str]) -> Answer:
    """An answer for people, outside both protocols."""
    return Answer(status, text.encode(), headers, "text/plain; charset=utf-8")
