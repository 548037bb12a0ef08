"""Connections of the bundled server: how many an address may have open, how long and how large the head of a request may be,
and how long nobody may read.

uvicorn waits for a head for ever, and its faster parser keeps as much of one as comes. Both cost whoever asks nothing, so a
hub without a proxy in front could be filled by anybody who finds its port. It also writes the head of a response and its
body one after the other, which is two system calls, two packets, and a client that is woken twice.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bazi_hub.http.addresses import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # What it stands in front of; uvicorn's two protocols have no common type.
    Protocol: Any = object
else:
    Protocol = object

HEAD_S, HEAD_BYTES = 15.0, 65_536
STALLED_S = 60.0
# So much is held back for the end of the turn; more is sent at once, so that a stream feels who does not read.
HELD_BYTES = 65_536
END_OF_HEAD = b"\r\n\r\n"
TOO_LARGE = "The head of the request is too large."


class Joined:
    """A transport that joins the writes of one turn of the event loop."""

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


class Crowd:
    """The open connections of each address, those first that were silent longest. A trusted proxy brings those of others,
    and is not counted."""

    def __init__(self, most: int, trusts: Callable[[str], bool]) -> None:
        self._most, self._trusts = most, trusts
        self._open: dict[str, dict[Patience, None]] = {}

    def enter(self, newcomer: Patience, peer: Sequence[Any] | None) -> str:
        """The address under which a connection is counted. Where that has too many, the one ends on which nothing was asked
        for longest, or the new one if something is asked on all."""
        address = address_of({"client": peer})
        if peer is None or not address or self._trusts(peer[0]):
            return ""
        others = self._open.setdefault(address, {})
        others[newcomer] = None
        if len(others) > self._most:
            leaving = next((each for each in others if each.idle), newcomer)
            del others[leaving]
            leaving.transport.close()
        return address

    def touched(self, connection: Patience, address: str) -> None:
        """Something came on it."""
        others = self._open.get(address, {})
        if connection in others:
            others[connection] = others.pop(connection)

    def leave(self, connection: Patience, address: str) -> None:
        others = self._open.get(address, {})
        others.pop(connection, None)
        if not others:
            self._open.pop(address, None)


class Patience(Protocol):  # type: ignore[misc]  # see above
    """In front of a protocol of uvicorn: a connection ends when nothing useful has happened on it for too long."""

    crowd: Crowd | None = None
    _address = ""
    _head = 0
    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(Joined(transport))
        self._await_head()
        if self.crowd is not None:
            self._address = self.crowd.enter(self, transport.get_extra_info("peername"))

    @property
    def idle(self) -> bool:
        """Whether nothing is asked on it, and nothing left to be told."""
        asked = self.cycle is not None and not self.cycle.response_complete
        return not asked and not self.transport.get_write_buffer_size()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.crowd is not None:
            self.crowd.leave(self, self._address)
        self._head_came()
        self._reads_again()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.crowd is not None:
            self.crowd.touched(self, self._address)
        before = self.cycle
        # What comes after a whole body, or before any, is the head of the next request.
        of_head = before is None or not before.more_body
        idle = before is None or before.response_complete
        end = data.find(END_OF_HEAD)
        if of_head and self._head + (len(data) if end < 0 else end) > HEAD_BYTES:
            # Before it is parsed: a head that comes as one piece would be served otherwise.
            self._refuse(idle)
            return
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is not before:
            self._head_came()
            return
        if idle:
            self._await_head()
        if of_head:
            self._head += len(data)

    def _refuse(self, idle: bool) -> None:
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


def crowded(most: int, trusts: Callable[[str], bool]) -> type[Connection]:
    """The connections of a server, of which an address may have so many unless it is trusted."""
    return type("Crowded", (Connection,), {"crowd": Crowd(most, trusts)})
