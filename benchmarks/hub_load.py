"""Load for an HTTP server on this machine: so many connections, each sending its next request when the last is answered.

Run as `python hub_load.py HOST PORT CONNECTIONS SECONDS [PAUSE]` with the requests, as JSON lines, on standard input; each
connection goes through them in turn, and where one says `%NUMBER%`, every sending has another. With a pause each connection
waits so many seconds after an answer, as a reader does. A request of the method GET has no body. Prints rate, latencies and
statuses as JSON. Knows only what it needs of HTTP/1.1: answers have a content length.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from itertools import count
from typing import Any

NUMBER = b"%NUMBER%"
REPLAYED = b"idempotent-replayed: true"


class Connection(asyncio.Protocol):
    """One connection: sends, waits, sends."""

    def __init__(
        self, requests: list[bytes], start: int, until: float, seen: Seen, pause_s: float = 0.0
    ) -> None:
        self.requests, self.at, self.until, self.seen, self.pause_s = requests, start, until, seen, pause_s
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        # Readers do not come all in one moment.
        asyncio.get_running_loop().call_later(self.pause_s * random.random(), self._send)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.seen.statuses["lost"] += 1
            self.done.set_result(None)

    def _send(self) -> None:
        self.sent = time.perf_counter()
        if self.sent >= self.until:
            self.done.set_result(None)
            self.transport.close()
            return
        request = self.requests[self.at % len(self.requests)]
        if NUMBER in request:
            request = request.replace(NUMBER, b"%08d" % next(self.seen.numbers))
        self.transport.write(request)  # type: ignore[attr-defined]
        self.at += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = next(
            int(line[15:]) for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:"
        )
        if len(body) < length:
            return
        self.seen.latencies.append(time.perf_counter() - self.sent)
        self.seen.statuses[head[9:12].decode()] += 1
        self.seen.replayed += REPLAYED in head.lower()
        self.buffer = body[length:]
        if self.pause_s:
            asyncio.get_running_loop().call_later(self.pause_s, self._send)
        else:
            self._send()


class Seen:
    """What all connections saw together."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.statuses: Counter[str] = Counter()
        self.replayed = 0
        self.numbers = count(time.time_ns() // 1_000_000 % 10_000_000)

    def told(self, seconds: float) -> dict[str, Any]:
        ordered = sorted(self.latencies) or [0.0]
        return {
            "rate": len(self.latencies) / seconds,
            "p50_ms": ordered[len(ordered) // 2] * 1000,
            "p95_ms": ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)] * 1000,
            "p99_ms": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1000,
            "statuses": dict(self.statuses),
            "replayed": self.replayed,
        }


async def load(
    host: str, port: int, connections: int, seconds: float, requests: list[bytes], pause_s: float = 0.0
) -> dict[str, Any]:
    seen, loop = Seen(), asyncio.get_running_loop()
    until = time.perf_counter() + seconds
    share = max(1, len(requests) // connections)
    made = [
        (
            await loop.create_connection(
                lambda at=at: Connection(requests, at * share, until, seen, pause_s), host, port
            )
        )[1]  # type: ignore[misc]
        for at in range(connections)
    ]
    await asyncio.gather(*(each.done for each in made))
    return seen.told(seconds)


def encoded(host: str, port: int, request: dict[str, Any]) -> bytes:
    """A request of path, headers and JSON body as bytes."""
    if request.get("method") == "GET":
        headers = {"host": f"{host}:{port}", **request["headers"]}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"GET {request['path']} HTTP/1.1\r\n{head}\r\n".encode()
    body = json.dumps(request["body"], ensure_ascii=False).encode()
    headers = {"host": f"{host}:{port}", "content-type": "application/json", **request["headers"]}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {request['path']} HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body


def main() -> None:
    host, port, connections, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    pause_s = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
    requests = [encoded(host, port, json.loads(line)) for line in sys.stdin if line.strip()]
    try:
        import uvloop

        run = uvloop.run
    except ImportError:
        run = asyncio.run
    print(json.dumps(run(load(host, port, connections, seconds, requests, pause_s))))


if __name__ == "__main__":
    main()
