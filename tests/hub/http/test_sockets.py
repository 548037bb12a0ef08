"""Behind a real server: clients that leave, send too much, or too slowly."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from bazi_hub.http.app import create_app
from bazi_hub.http.exchange import Pace
from bazi_hub.words.call import Outcome
from tests.hub.client import KEY, SDK, tool_call
from tests.hub.fake_hub import CALL_ID, FakeHub, FakeIdentity
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PARSERS = ["h11", *(["httptools"] if importlib.util.find_spec("httptools") else [])]
T2 = "bazi_pattern_analysis"


@pytest.fixture(params=PARSERS)
def parser(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def served(parser: str, hub: FakeHub, talk: Callable[[int], Awaitable[Any]], pace: Pace | None = None) -> Any:
    """What comes of talking to a port that this hub listens on."""

    async def run() -> Any:
        listener = socket.create_server(("127.0.0.1", 0))
        app = create_app(hub, FakeIdentity(), pace=pace)  # type: ignore[arg-type]
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", http=parser)  # type: ignore[arg-type]
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup([listener])
        try:
            return await talk(listener.getsockname()[1])
        finally:
            for each in server.servers:
                each.close()
            listener.close()

    return asyncio.run(run())


def request(body: bytes, length: int | None = None, **headers: str) -> bytes:
    """An HTTP request as bytes."""
    told = {"host": "localhost", "content-length": str(len(body) if length is None else length), **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"POST /api/mcp HTTP/1.1\r\n{lines}\r\n".encode() + body


CALL = request(json.dumps(tool_call(T2)).encode(), **SDK)
PLAIN_CALL = request(json.dumps(tool_call(T2)).encode(), **KEY)


async def answered(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    size = next(
        int(line.split(b":")[1]) for line in head.lower().splitlines() if line.startswith(b"content-length")
    )
    return int(head.split()[1]), await reader.readexactly(size)


@pytest.fixture
def paid(hub: FakeHub) -> FakeHub:
    hub.outcome = Outcome("{}", call_id=CALL_ID, undelivered=CALL_ID)
    return hub


def test_a_client_that_stays_has_its_answer_delivered(parser: str, paid: FakeHub) -> None:
    async def talk(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(CALL)
            status, _ = await answered(reader)
            assert status == 200
        await eventually(lambda: len(paid.seen) == 2)
        writer.close()

    served(parser, paid, talk)


@pytest.mark.parametrize("sent", [CALL, PLAIN_CALL])
def test_a_client_that_leaves_during_its_call_is_noticed(parser: str, paid: FakeHub, sent: bytes) -> None:
    async def talk(port: int) -> None:
        idle = len(asyncio.all_tasks())
        paid.gate, ended = asyncio.Event(), asyncio.Event()
        call = paid.call

        async def watched(each: Any) -> Outcome:
            try:
                return await call(each)
            finally:
                ended.set()

        paid.call = watched  # type: ignore[method-assign]
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        # Beside the task of the request there is, after a moment, one that waits for the client to leave: that ends.
        await eventually(lambda: paid.calls and len(asyncio.all_tasks()) >= idle + 2)
        before = len(asyncio.all_tasks())
        writer.close()
        await writer.wait_closed()
        await eventually(lambda: len(asyncio.all_tasks()) < before)
        paid.gate.set()
        await ended.wait()
        await eventually(lambda: len(asyncio.all_tasks()) <= 1)

    served(parser, paid, talk)
    assert paid.seen == []


def test_a_megabyte_is_refused_in_words(parser: str, hub: FakeHub) -> None:
    async def talk(port: int) -> tuple[int, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request(b"x" * 1_000_000))
        found = await answered(reader)
        writer.close()
        return found

    status, body = served(parser, hub, talk)
    assert (status, json.loads(body)["error"]["data"]["reason"]) == (400, "BODY_TOO_LARGE")


def test_a_body_that_does_not_come_ends_the_connection(parser: str, hub: FakeHub) -> None:
    async def talk(port: int) -> tuple[int, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request(b"{", length=100))
        status, _ = await answered(reader)
        rest = await reader.read()
        writer.close()
        return status, rest

    assert served(parser, hub, talk, Pace(body_s=0.01)) == (408, b"")
    assert hub.calls == []
