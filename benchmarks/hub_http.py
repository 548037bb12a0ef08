"""The hub over HTTP beside its peers, interleaved in one run: `python -m benchmarks.hub_http [ROUNDS] [SECONDS]`.

Free calls against the official Python SDK of MCP, paid and durable calls against a bare echo of the same web framework, one
account that everybody uses against a thousand. Prints medians and ratios; latencies are those of 32 connections.
"""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CONNECTIONS = 32
KEYED = {"idempotency-key": "%NUMBER%"}
CREDITS = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get_user_credits", "arguments": {}},
}
BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30, "gender": "male",
    "location": {"city_name": "Beijing"},
}  # fmt: skip


class Server:
    """One server process, ready."""

    def __init__(self, name: str, database: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [
            sys.executable,
            str(HERE / "hub_servers.py"),
            name,
            str(self.port),
            database,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE.parent)
        assert self.process.stdout is not None
        self.keys = json.loads(self.process.stdout.readline())
        for _ in range(200):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit(f"{name} does not answer")

    def load(
        self,
        requests: list[dict[str, Any]],
        seconds: float,
        connections: int = CONNECTIONS,
        pause_s: float = 0.0,
    ) -> dict[str, Any]:
        command = [
            sys.executable,
            str(HERE / "hub_load.py"),
            "127.0.0.1",
            str(self.port),
            str(connections),
            str(seconds),
            str(pause_s),
        ]
        lines = "\n".join(json.dumps(request) for request in requests)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        # A refusal is soon made.
        assert set(found["statuses"]) == {"200"}, found["statuses"]
        return found

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def free(key: str | None) -> list[dict[str, Any]]:
    """Calls of a free tool, as an SDK client sends them."""
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
    return [{"path": "/api/mcp", "headers": headers | ({"x-api-key": key} if key else {}), "body": CREDITS}]


def paid(keys: list[str], detail: str = "full", **headers: str) -> list[dict[str, Any]]:
    """Calls of t1, each unlike the one before, so that none is a replay."""
    few = {} if detail == "full" else {"detail": detail}
    return [
        {
            "path": "/api/universal/fortune/bazi_basic_analysis",
            "headers": {"x-api-key": key, **headers},
            "body": {**BIRTH, "birth_day": 1 + number % 28, "birth_minute": number // 28 % 60, **few},
        }
        for number, key in ((number, keys[number % len(keys)]) for number in range(max(len(keys), 1680)))
    ]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    directory = Path(tempfile.mkdtemp())
    servers = {
        name: Server(name, str(directory / f"{name}.sqlite3"))
        for name in ("hub", "ledger", "poor", "echo", "sdk")
    }
    loads = {
        "free call": ("hub", free(servers["hub"].keys[0])),
        "free call, MCP SDK": ("sdk", free(None)),
        "echo": ("echo", [{"path": "/api/mcp", "headers": {}, "body": BIRTH}]),
        "paid call, 1000 accounts": ("ledger", paid(servers["ledger"].keys)),
        "paid call, one account": ("ledger", paid(servers["ledger"].keys[:1])),
        "paid call, keys of their own": ("ledger", paid(servers["ledger"].keys, **KEYED)),
        "paid call, poor accounts": ("poor", paid(servers["poor"].keys)),
        "t1 with its computation": ("hub", paid(servers["hub"].keys)),
        "t1 compact": ("hub", paid(servers["hub"].keys, "compact")),
    }
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in loads}
    try:
        for _ in range(rounds):
            for name, (server, requests) in loads.items():
                found[name].append(servers[server].load(requests, seconds))
    finally:
        for server_process in servers.values():
            server_process.stop()
        shutil.rmtree(directory, ignore_errors=True)
    rate = {name: statistics.median(each["rate"] for each in results) for name, results in found.items()}
    for name, results in found.items():
        p50, p99 = (
            statistics.median(each[quantile] for each in results) for quantile in ("p50_ms", "p99_ms")
        )
        print(f"{name:28} {rate[name]:9,.0f}/s  p50 {p50:6.1f} ms  p99 {p99:6.1f} ms")
    for text, one, other in (
        ("free call / MCP SDK", "free call", "free call, MCP SDK"),
        ("paid call / echo", "paid call, 1000 accounts", "echo"),
        ("one account / thousand", "paid call, one account", "paid call, 1000 accounts"),
        ("t1 compact / whole", "t1 compact", "t1 with its computation"),
    ):
        print(f"{text:28} {rate[one] / rate[other]:9.2f} x")


if __name__ == "__main__":
    main()
