"""Connections of the bundled server that ask for nothing, for too much, or do not read what they are told."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import json
import logging
import re
import socket
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.importer import import_from_string

from bazi_hub.http import connections, telemetry
from bazi_hub.http.connections import HEAD_BYTES, HELD_BYTES, Crowd, Joined, Patience
from bazi_hub.http.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PARSERS = ["h11", *(["httptools"] if importlib.util.find_spec("httptools") else [])]
HEAD = b"POST / HTTP/1.1\r\nhost: localhost\r\n"
MUCH = b"x" * 20_000_000


@pytest.fixture(params=PARSERS)
def protocol(request: pytest.FixtureRequest) -> Any:
    """The connection on either parser."""
    base = import_from_string(HTTP_PROTOCOLS[request.param])
    return type("Connection", (Patience, base), {})


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Says how long the body was, and which headers came; to GET, without reading any, more than anybody wants to hear."""
    size, more = 0, scope["method"] != "GET"
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    body = str(size).encode() if scope["method"] != "GET" else MUCH
    heard = b" ".join(name for name, _ in scope["headers"])
    head = [(b"heard", heard), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


def served(protocol: Any, talk: Callable[[Any, Any], Awaitable[bytes]]) -> bytes:
    """What a client hears that talks so."""

    async def run() -> bytes:
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(
            echo, log_config=None, access_log=False, lifespan="off", http=protocol, ws="none"
        )
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup([listener])
        try:
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            heard = await asyncio.wait_for(talk(reader, writer), 30)
            writer.close()
            return heard
        finally:
            for each in server.servers:
                each.close()
            listener.close()

    return asyncio.run(run())


async def rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.mark.parametrize("sent", [b"", HEAD])
def test_a_head_that_does_not_come_ends_the_connection(
    sent: bytes, protocol: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.01)

    async def talk(reader: Any, writer: Any) -> bytes:
        writer.write(sent)
        return await rest(reader)

    assert served(protocol, talk) == b""


def test_a_second_head_that_does_not_come_ends_it_too(protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: Any, writer: Any) -> bytes:
        writer.write(HEAD + b"content-length: 2\r\n\r\n{}")
        await reader.readuntil(b"\r\n\r\n2")
        monkeypatch.setattr(connections, "HEAD_S", 0.01)
        writer.write(HEAD)
        return await rest(reader)

    assert served(protocol, talk) == b""


def test_a_head_without_end_is_refused_after_64_kilobytes(protocol: Any) -> None:
    async def talk(reader: Any, writer: Any) -> bytes:
        writer.write(HEAD + b"x: ")
        try:
            for _ in range(64):
                writer.write(b"x" * HEAD_BYTES)
                await writer.drain()
        except ConnectionError:
            return b""
        return await rest(reader)

    assert served(protocol, talk)[:12] in (b"", b"HTTP/1.1 400")


def test_a_body_of_any_size_and_the_next_request_are_no_head(protocol: Any) -> None:
    async def talk(reader: Any, writer: Any) -> bytes:
        for size in (3 * HEAD_BYTES, 1_000_000, 0):
            writer.write(HEAD + f"content-length: {size}\r\n\r\n".encode())
            for start in range(0, size, HEAD_BYTES):
                await asyncio.sleep(0)
                writer.write(b"x" * min(HEAD_BYTES, size - start))
            await reader.readuntil(b"\r\n\r\n" + str(size).encode())
        return b"heard"

    assert served(protocol, talk) == b"heard"


def test_the_head_has_sixty_four_kilobytes_even_if_it_comes_as_one_piece(protocol: Any) -> None:
    async def asked(size: int) -> bytes:
        head = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\nx: "

        async def talk(reader: Any, writer: Any) -> bytes:
            writer.write(head + b"x" * (size - len(head)) + b"\r\n\r\n")
            return bytes(await reader.read())

        return await asyncio.to_thread(served, protocol, talk)

    assert asyncio.run(asked(HEAD_BYTES + 1)).startswith(b"HTTP/1.1 400")
    assert asyncio.run(asked(HEAD_BYTES - 100)).startswith(b"HTTP/1.1 200")


def test_what_stands_behind_a_body_is_none_of_the_head(protocol: Any) -> None:
    """Of a request and of the one behind it on the same connection."""
    chunked = HEAD + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-forwarded-for: 192.0.2.1\r\n\r\n"

    async def talk(reader: Any, writer: Any) -> bytes:
        heard = []
        for request in (chunked, HEAD + b"accept: */*\r\ncontent-length: 0\r\n\r\n"):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            heard.append(re.search(rb"heard: (.*)\r\n", head)[1])
            await reader.readexactly(1)
        return b", ".join(heard)

    assert served(protocol, talk) == b"host transfer-encoding, host accept content-length"


def test_whoever_does_not_read_is_given_up(protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED_S", 0.01)
    ended = asyncio.Event()
    lost = protocol.connection_lost

    def went(self: Any, exc: Any) -> None:
        lost(self, exc)
        ended.set()

    monkeypatch.setattr(protocol, "connection_lost", went)

    async def talk(reader: Any, writer: Any) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        await ended.wait()
        return b"given up"

    assert served(protocol, talk) == b"given up"


def test_what_other_libraries_log_is_a_line_of_the_hub_without_their_words() -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    before = list(root.handlers)
    telemetry.capture_library_logs(Metrics(io.StringIO()))
    telemetry.capture_library_logs(Metrics(stream))
    try:
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        logging.getLogger("httpx").warning("born 1990-05-15 %s", "bzp_secret")
        try:
            raise ValueError("born 1990-05-15")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    finally:
        root.handlers = before
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["level"], line["logger"], line.get("detail"), line.get("error")) for line in lines] == [
        ("warning", "uvicorn.error", "Invalid HTTP request received.", None),
        ("warning", "httpx", None, None),
        ("error", "uvicorn.error", None, "ValueError"),
    ]


class Written:
    """A transport that remembers what it was told to do."""

    def __init__(self) -> None:
        self.told: list[bytes | str] = []
        self.closing = False

    def write(self, data: bytes) -> None:
        self.told.append(data)

    def close(self) -> None:
        self.told.append("close")

    def abort(self) -> None:
        self.closing = True

    def is_closing(self) -> bool:
        return self.closing


def joined(*steps: Callable[[Joined], None]) -> list[bytes | str]:
    """What reaches the transport when all steps happen in one turn of the loop."""
    written = Written()

    async def run() -> None:
        transport: Any = written
        front = Joined(transport)
        for step in steps:
            step(front)
        await asyncio.sleep(0)

    asyncio.run(run())
    return written.told


def test_a_head_and_its_body_are_sent_in_one_piece() -> None:
    assert joined(lambda front: front.write(b"head"), lambda front: front.write(b"body")) == [b"headbody"]


def test_what_is_large_is_not_held_back_until_the_end_of_the_turn() -> None:
    large = b"x" * (HELD_BYTES + 1)
    told = joined(*[lambda front: front.write(large)] * 2)
    assert told == [large, large]


def test_a_connection_is_closed_behind_what_was_written() -> None:
    assert joined(lambda front: front.write(b"bye"), lambda front: front.close()) == [b"bye", "close"]


def test_nothing_is_sent_on_a_connection_that_was_cut_off() -> None:
    assert joined(lambda front: front.write(b"late"), lambda front: front.abort()) == []


def test_an_answer_over_a_real_connection_is_one_packet(protocol: Any) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(HEAD + b"content-length: 2\r\nconnection: close\r\n\r\nab")
        return await reader.read(65_536)

    assert served(protocol, talk).endswith(b"\r\n\r\n2")


MOST = 3
ASKED = HEAD + b"content-length: 2\r\n\r\n{}"
ECHOED = b"\r\n\r\n2"


def crowd(protocol: Any, story: Callable[[Any], Awaitable[None]], trusted: str = "") -> None:
    """Plays a story with a server that lets an address have three connections; it is given a way to open more."""
    limited = type("Limited", (protocol,), {"crowd": Crowd(MOST, lambda address: address == trusted)})
    opened: list[Any] = []

    async def talk(reader: Any, writer: Any) -> bytes:
        opened.append((reader, writer))
        address = writer.get_extra_info("peername")

        async def more(source: str = "127.0.0.1") -> Any:
            opened.append(await asyncio.open_connection(*address, local_addr=(source, 0)))
            return opened[-1]

        async def first() -> Any:
            return opened[0]

        await story([first, *[more] * 9])
        for _, each in opened:
            each.close()
        return b""

    served(limited, talk)


async def answered(pair: Any, sent: bytes = ASKED) -> None:
    reader, writer = pair
    writer.write(sent)
    await reader.readuntil(ECHOED)


def test_of_too_many_connections_of_an_address_the_one_ends_that_was_silent_longest(protocol: Any) -> None:
    async def story(doors: Any) -> None:
        first, second, third = [await door() for door in doors[:MOST]]
        for each in (first, second, third, first):
            await answered(each)
        fourth = await doors[3]()
        await answered(fourth)
        assert await rest(second[0]) == b""
        for each in (third, first, fourth):
            await answered(each)
        # Another address has its own.
        other = await doors[4]("127.0.0.2")
        await answered(other)
        await answered(third)

    crowd(protocol, story)


def test_where_something_is_asked_on_all_of_them_the_new_connection_ends(protocol: Any) -> None:
    async def story(doors: Any) -> None:
        busy = [await door() for door in doors[:MOST]]
        for _, writer in busy:
            # Its body is still to come, and the server has begun to read it.
            writer.write(HEAD + b"content-length: 2\r\nexpect: 100-continue\r\n\r\n")
        for reader, _ in busy:
            assert b"100" in await reader.readline()
        beyond = await doors[3]()
        assert await rest(beyond[0]) == b""
        for each in busy:
            await answered(each, b"{}")
        later = await doors[4]()
        await answered(later)

    crowd(protocol, story)


def test_a_connection_that_ended_makes_room(protocol: Any) -> None:
    async def story(doors: Any) -> None:
        kept = await doors[0]()
        await answered(kept)
        for door in doors[1:]:
            reader, writer = await door()
            await answered((reader, writer), ASKED.replace(b"host", b"connection: close\r\nhost", 1))
            assert await rest(reader) == b""
            writer.close()
        await answered(kept)

    crowd(protocol, story)


def test_a_trusted_proxy_has_as_many_connections_as_it_needs(protocol: Any) -> None:
    async def story(doors: Any) -> None:
        opened = [await door() for door in doors]
        for each in opened:
            await answered(each)

    crowd(protocol, story, trusted="127.0.0.1")
