"""The bundled server as a process, and what a test asks of it."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.waiting import eventually_there

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

PROGRAM = ("-m", "bazi_cli")
READY_S = 60
SECRET = base64.b64encode(bytes(32)).decode()
BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30, "gender": "male",
    "location": {"city_name": "Beijing"},
}  # fmt: skip


class Answer(NamedTuple):
    status: int
    body: dict[str, Any]
    replayed: bool


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Of a process that knows nothing but these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BAZI_")}
    own = {"KEY_PEPPER": SECRET, "SESSION_SECRET": SECRET, **settings}
    return {
        **kept,
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        **{f"BAZI_HUB_{name}": value for name, value in own.items()},
    }


def bazi(folder: Path, *arguments: str, **settings: str) -> Any:
    """What a command of the operator prints, as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "bazi_cli", *arguments, "-f", "json"],
        env=environment(folder, **settings), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Serving:
    """A server that answers, and its process."""

    def __init__(
        self, folder: Path, *arguments: str, at: int | None = None, program: Sequence[str] = PROGRAM,
        more: Mapping[str, str] | None = None, **settings: str,
    ) -> None:  # fmt: skip
        self.port = at or _free_port()
        self.notes = folder / f"notes-{self.port}"
        command = [sys.executable, *program, "serve", "--port", str(self.port), *arguments]
        with self.notes.open("wb") as stream:
            # A group of its own, which a test may kill whole: the server is several processes.
            told = {**environment(folder, **settings), **(more or {})}
            self.process = subprocess.Popen(command, stderr=stream, env=told, start_new_session=True)
        eventually_there(self._ready, READY_S)

    def log(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        return [
            json.loads(line) for line in self.notes.read_text("utf-8").splitlines() if line.startswith("{")
        ]

    def _ready(self) -> bool:
        assert self.process.poll() is None, self.notes.read_text("utf-8")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def ask(self, tool: str, key: str, arguments: Any = None, once: str | None = None) -> Answer:
        """An answer over a connection of its own; `OSError` where the server went away."""
        headers = {"x-api-key": key} | ({"idempotency-key": once} if once else {})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/universal/{tool}",
            json.dumps(arguments or {}).encode(),
            headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                replayed = answer.headers.get("Idempotent-Replayed") == "true"
                return Answer(answer.status, json.loads(answer.read()), replayed)
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, json.loads(error.read()), False)

    def kill(self) -> None:
        """Ends it with all its workers where they are, as a power cut does."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(folder: Path, *arguments: str, **options: Any) -> Iterator[Serving]:
    """A server for as long as it is needed, at a port that is free unless one is told."""
    server = Serving(folder, *arguments, **options)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def slow_model(seconds: float) -> Iterator[tuple[str, list[int]]]:
    """A service that answers every question after a while, with nothing that would pass: its address, its questions."""
    asked: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(1)
            time.sleep(seconds)
            message = {"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "model": "slow"}
            body = json.dumps(message).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # Whoever asked may have gone meanwhile.
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
