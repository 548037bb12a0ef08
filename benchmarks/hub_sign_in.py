"""How long the right password takes while forty addresses with ten connections each guess at the same account.

The addresses are those of 127.0.0.0/8, so no proxy is needed. The flood is a process of its own; measured is somebody
without a cookie at an address that nobody has seen. Prints the seconds of every round, how many of the flood's answers had
which status, and how many there were a second.

    python benchmarks/hub_sign_in.py
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ADDRESSES, CONNECTIONS, ROUNDS, MOST_S = 40, 10, 15, 5.0
EMAIL, PASSWORD = "owner@example.org", "correct horse battery"


def posted(port: int, path: str, fields: dict[str, str]) -> bytes:
    body = urlencode(fields).encode()
    return (
        f"POST {path} HTTP/1.1\r\nhost: localhost:{port}\r\norigin: http://localhost:{port}\r\nconnection: close\r\n"
        f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n\r\n"
    ).encode() + body


async def status(port: int, address: str, request: bytes) -> int:
    """The status that a client at an address of loopback is answered with."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        writer.write(request)
        return int((await reader.readline()).split()[1])
    finally:
        writer.close()


async def guesses(port: int, address: str, number: int, told: Any) -> None:
    """One connection after the other, without a pause but when none can be had."""
    while True:
        email = EMAIL if number % 2 else f"r{number}@example.org"
        request = posted(port, "/login", {"email": email, "password": f"wrong horse {number}"})
        try:
            told[await status(port, address, request)] += 1
        except (OSError, IndexError):
            await asyncio.sleep(0.05)


def flood(port: int, told: Any) -> None:
    """What the process of the flood does; `told` counts its answers by status."""

    async def all_of_them() -> None:
        await asyncio.gather(
            *(
                guesses(port, f"127.0.1.{address + 1}", number, told)
                for address in range(ADDRESSES)
                for number in range(CONNECTIONS)
            )
        )

    asyncio.run(all_of_them())


def spent_s(pid: int) -> float:
    """The processor's time that a process and its children took, as Linux tells."""
    own = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == pid or int(fields[1]) == pid:
                own += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own


def signed_in(port: int, turn: int) -> tuple[int, float]:
    """The status that the right password meets, each time from an address that nobody has seen, and the seconds it took."""
    begun = time.perf_counter()
    request = posted(port, "/login", {"email": EMAIL, "password": PASSWORD})
    found = asyncio.run(status(port, f"127.0.2.{turn + 1}", request))
    return found, time.perf_counter() - begun


def measured(port: int, pid: int) -> None:
    signed_up = asyncio.run(
        status(port, "127.0.0.1", posted(port, "/signup", {"email": EMAIL, "password": PASSWORD}))
    )
    assert signed_up == 303, signed_up
    told = multiprocessing.get_context("spawn").Array("q", 600)
    attackers = multiprocessing.get_context("spawn").Process(target=flood, args=(port, told), daemon=True)
    attackers.start()
    while not any(told):
        time.sleep(0.1)
    inside, begun, before_s = 0, time.perf_counter(), spent_s(pid)
    for turn in range(ROUNDS):
        time.sleep(1)
        found, took_s = signed_in(port, turn)
        inside += found == 303 and took_s <= MOST_S
        answers = {code: count for code, count in enumerate(told) if count}
        print(f"round {turn + 1:2}: {found} after {took_s:.2f} s; the flood so far: {answers}", flush=True)
    seconds, cost_s = time.perf_counter() - begun, spent_s(pid) - before_s
    attackers.kill()
    print(f"{sum(told) / seconds:.0f} answers a second; the server took {cost_s / seconds:.2f} processors")
    print(f"in within {MOST_S:g} s: {inside} of {ROUNDS}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        listener.close()
        secret = base64.b64encode(bytes(range(32))).decode()
        environment = {**os.environ, "BAZI_HUB_KEY_PEPPER": secret, "BAZI_HUB_SESSION_SECRET": secret}
        command = [
            sys.executable,
            "-m",
            "bazi_cli",
            "serve",
            "--port",
            str(port),
            "--db",
            f"{folder}/hub.sqlite3",
        ]
        with subprocess.Popen(
            command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        ) as server:
            try:
                for _ in range(200):
                    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                        break
                    time.sleep(0.1)
                measured(port, server.pid)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
