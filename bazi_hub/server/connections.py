"""Connections of the bundled server: how long and how large the head of a request may be, and how long nobody may read.

uvicorn waits for a head for ever, and its faster parser keeps as much of one as comes. Both cost whoever asks nothing, so a
hub without a proxy in front could be filled by anybody who finds its port. It also writes the head of a response and its
body one after the other, which is two system calls, two packets, and a client that is woken twice.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    # What it stands in front of; uvicorn's two protocols have no common type.
    Protocol: Any = object
else:
    Protocol = object

HEAD_S, HEAD_BYTES = 15.0, 65_536
STALLED_S = 60.0
# So much is held back for the end of the turn; more is sent at once, so that a stream feels who does not read.
HELD_BYTES = 65_536
TOO_LARGE = "The head of the request is too large."


class Joined:
    """A transport that sends what is written in one turn of the event loop as one piece."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._loop = transport, asyncio.get_running_loop()
        self._held: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)
        self._size += len(data)
        if self._size > HELD_BYTES:
            self._send()

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held, self._size = self._held, [], 0
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))


class Patience(Protocol):  # type: ignore[misc]  # see above
    """In front of a protocol of uvicorn: a connection ends when nothing useful has happened on it for too long."""

    _head = 0
    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(Joined(transport))
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self._reads_again()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        # What comes after a whole body, or before any, is the head of the next request.
        of_head = before is None or not before.more_body
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is not before:
            self._head_came()
            return
        idle = before is None or before.response_complete
        if idle:
            self._await_head()
        if of_head:
            self._head += len(data)
        if self._head > HEAD_BYTES:
            if idle:
                self.send_400_response(TOO_LARGE)
            else:
                self.transport.abort()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        # The faster parser reports what stands behind a body as if it stood in the head, where it could pass for what a
        # proxy says of its client (RFC 9110, 6.5.1).
        self.headers: list[tuple[bytes, bytes]] = []

    def _await_head(self) -> None:
        if self._late is None:
            self._late = asyncio.get_running_loop().call_later(HEAD_S, self.transport.close)

    def _head_came(self) -> None:
        self._head = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = asyncio.get_running_loop().call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._reads_again()
        super().resume_writing()

    def _reads_again(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class Connection(Patience, AutoHTTPProtocol):  # type: ignore[misc,valid-type]  # see above
    """A connection of the bundled server."""
