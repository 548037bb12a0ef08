"""Whether hostile bodies keep others waiting: `python -m benchmarks.hub_hostile [BODIES] [CONNECTIONS]`

So many bodies are sent to each door of a served hub over a few connections, each as long as the hub reads and made to cost
what it can, while another client asks for `/healthz` every tenth of a second. What counts is the longest wait of that
client, and that nobody is left without an answer; beside it stands the longest turn of the served event loop in processor
time, which is the same however busy the machine is. Accounts take turns, so that no limit of refused calls lets the hub off.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import Any

EVERY_S, PORT, LIMIT = 0.1, 8791, 262_144
T2, POST = "/api/universal/fortune/bazi_basic_analysis", "/api/universal/forum/forum_create_post"
EVALUATION = "/api/universal/fortune/bigluck_year_fortune_eval"
RUN = "/api/v1/divination/derive"


def _full(before: str, unit: str, after: str = "") -> bytes:
    """A body as long as the hub reads."""
    room = LIMIT - len(before.encode()) - len(after.encode())
    return (before + unit * (room // len(unit.encode())) + after).encode()


def _names(count: int = 15_000) -> bytes:
    return json.dumps({f"n{number:09}": 0 for number in range(count)}).encode()


BODIES: dict[str, tuple[str, tuple[bytes, ...]]] = {
    "JSON, a string without end": ("/api/mcp", (_full("[" * 65, '"\\'), _full("[" * 65 + '"', "\\"))),
    "JSON, numbers and brackets": (T2, (_full("[", "0,", "0]"), _full("", "["), _full("[", "[],", "[]]"))),
    "JSON, values within values": (
        T2,
        (_full("[", "[[[]]],", "0]"), _full("[", '{"":0},', "0]"), _full("[", "{},", "1e9]")),
    ),
    "JSON, long numbers": (
        T2,
        (_full("[" + "1" * 308 + ",", "1.5,", "0]"), _full('["' + "1" * 309 + '",', "0,", "0]")),
    ),
    "JSON, members": (T2, (_full("{", '"a":0,', '"b":0}'), _names())),
    "MCP, a tool's arguments": (
        "/api/mcp",
        (
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "tools/call",
                    "params": {"name": "bazi_basic_analysis", "arguments": json.loads(_names(12_000))},
                }
            ).encode(),
        ),
    ),
    "arguments, items": (POST, (_full('{"tags":[', "0,", "0]}"), _full('{"tags":[', '"x",', '"y"]}'))),
    "arguments, a result": (
        EVALUATION,
        (
            _full('{"pattern_result":{"a":[', "[[[]]],", "0]}}"),
            _full('{"pattern_result":{"a":[', "1.0,", "0]}}"),
            _full('{"pattern_result":{"input":{"a":[', "[[[]]],", "0]}}}"),
            _full('{"pattern_result":{"school":{"options":{"a":[', "1.0,", "0]}}}}"),
        ),
    ),
    "arguments, a birth": (
        T2,
        (
            _full('{"location":{"city_name":"x","a":[', "[[[]]],", "0]}}"),
            _full('{"options":{"yong_weights":{"a":[', "1.0,", "0]}}}"),
        ),
    ),
    "arguments, metadata": (
        POST,
        (
            _full('{"agent_metadata":{"a":[', '"\u0301\u0323",', '""]}}'),
            _full('{"agent_metadata":{"a":[', "[[[]]],", "0]}}"),
        ),
    ),
    "arguments, marks piled up": (
        POST,
        (
            _full('{"title":"e', "\u0301\u0323", '"}'),
            _full('{"content":"', "\u0344", '"}'),
            _full('{"content":"', "\ufdfa", '"}'),
        ),
    ),
    "runs, lines and names": (RUN, (_full('{"yaoLines":[', "0,", "0]}"), _names())),
    "runs, texts": (
        RUN,
        (_full('{"question":"e', "\u0301\u0323", '"}'), _full('{"divinationTimeIso":"', "1", '"}')),
    ),
}


async def answered(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    sizes = [
        int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
    ]
    await reader.readexactly(sizes[0] if sizes else 0)
    return int(head.split(b" ", 2)[1])


async def attack(path: str, bodies: Any, keys: Any, statuses: dict[int, int]) -> None:
    """Sends bodies over one connection until there are none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    for body in bodies:
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: {next(keys)}\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        status = await answered(reader)
        statuses[status] = statuses.get(status, 0) + 1
    writer.close()


async def watch(waits: list[float], over: asyncio.Event) -> None:
    """Asks whether the hub is alive, as somebody else would."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    while not over.is_set():
        began = time.perf_counter()
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert await answered(reader) == 200
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(EVERY_S)
    writer.close()


async def longest_turn_ms(server: asyncio.subprocess.Process) -> int:
    """The longest turn of its event loop since this was asked last."""
    assert server.stdout is not None
    server.send_signal(signal.SIGUSR1)
    return int(await server.stdout.readline())


async def run(count: int, connections: int, keys: list[str], server: asyncio.subprocess.Process) -> None:
    head = "door", "bodies", "answers", "a second", "median wait", "longest wait", "longest turn"
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    await longest_turn_ms(server)
    turns = cycle(keys)
    for name, (path, bodies) in BODIES.items():
        statuses: dict[int, int] = {}
        waits: list[float] = []
        over = asyncio.Event()
        watching = asyncio.create_task(watch(waits, over))
        shared = (body for _, body in zip(range(count), cycle(bodies)))
        began = time.perf_counter()
        await asyncio.gather(*(attack(path, shared, turns, statuses) for _ in range(connections)))
        seconds = time.perf_counter() - began
        over.set()
        await watching
        lost = count - sum(statuses.values())
        told = ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items()))
        print(
            f"| {name} | {count} | {told}{f', {lost} lost' if lost else ''} | {count / seconds:.0f} "
            f"| {sorted(waits)[len(waits) // 2] * 1000:.1f} ms | {max(waits) * 1000:.0f} ms "
            f"| {await longest_turn_ms(server)} ms |",
            flush=True,
        )


async def main(count: int = 1000, connections: int = 8) -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(__file__).with_name("hub_servers.py")
        server = await asyncio.create_subprocess_exec(
            sys.executable,
            str(script),
            "hostile",
            str(PORT),
            f"sqlite:///{folder}/hub.sqlite3",
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert server.stdout is not None
            keys = json.loads(await server.stdout.readline())
            for _ in range(100):
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", PORT)
                    writer.close()
                    break
                except OSError:
                    await asyncio.sleep(0.1)
            await run(count, connections, keys, server)
        finally:
            server.terminate()
            await server.wait()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
