"""A local HTTP server that answers `/chat/completions` well or badly, as a test wishes."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, behaviours: list[Behaviour]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviours = behaviours
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()
        # Set when a behaviour came to its end before the test let it go.
        self.finished = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is what some of the tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.headers.append(dict(self.headers))
        turn = min(len(self.server.bodies), len(self.server.behaviours)) - 1
        self.server.behaviours[turn](self)
        if not self.server.released.is_set():
            self.server.finished.set()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests look at what the client logs."""

    def answer(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


def completion(content: Any, finish: str = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "id": "c1", "object": "chat.completion", "model": "test/model-1:free",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}],
    }  # fmt: skip
    return whole if usage is None else {**whole, "usage": usage}


def says(value: Any, status: int = 200, kind: str = "application/json", **headers: str) -> Behaviour:
    """Answers with a JSON value, a text or bytes."""
    body = (
        value
        if isinstance(value, bytes)
        else (value if isinstance(value, str) else json.dumps(value)).encode()
    )
    return lambda handler: handler.answer(status, body, kind, **headers)


def hangs(handler: Handler) -> None:
    handler.server.released.wait(5)


def hangs_after_headers(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.flush()
    handler.server.released.wait(5)


def drips(part: bytes, count: int = 400) -> Behaviour:
    """Sends a part again and again, each in time by itself."""

    def drip(handler: Handler) -> None:
        with contextlib.suppress(OSError):
            for _ in range(count):
                handler.wfile.write(part)
                handler.wfile.flush()
                if handler.server.released.wait(0.02):
                    return

    return drip


def drips_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    drips(b" ")(handler)


def drips_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    drips(b"X-Drip: 1\r\n")(handler)


def resets(handler: Handler) -> None:
    """Ends the connection with RST before a byte was sent."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def closes_early(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


def floods(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    with contextlib.suppress(OSError):
        for _ in range(200):
            handler.wfile.write(b'"' + b"x" * 65_536)


def speaks_no_http(handler: Handler) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


@contextlib.contextmanager
def serving(*behaviours: Behaviour) -> Iterator[Server]:
    """A server that behaves so, one behaviour for each request, the last for all further ones."""
    server = Server([*behaviours])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
