"""Divination runs beside what they stand on: `python -m benchmarks.hub_runs [--rounds 3]`

Runs with a reader that answers at once against paid pattern calls with the same reader (both write two durable transactions,
and both texts are checked); a free derivation against an echo of the same body; how late events reach their readers, on the
same worker and on another; and what a thousand idle streams cost a server. What is compared takes turns in one process;
ratios say more than rates.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from bazi_core.model.port import ReadingReply
from bazi_hub.ports import Account
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.words.system import SystemClock, SystemIds
from tests.hub.client import Connection
from tests.hub.databases import start
from tests.hub.divination.runworld import DERIVE, PAYLOAD, RUN, RUNS, Model, Web, body
from tests.hub.worlds import T2, Reader, on_day

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

CALLERS = 32
DAYS = range(1, 29)
IDLE, PER_ACCOUNT = 1000, 16


class Both(Model):
    """Answers runs as `Model` does and patterns as `Reader` does, at once."""

    def __init__(self) -> None:
        super().__init__()
        self.patterns = Reader(*DAYS)

    async def generate(self, request: Any) -> ReadingReply:
        if request.task == "divination":
            return ReadingReply(self._said(request), model=self.model)
        return await self.patterns.generate(request)


async def opened(path: Path, reader: Any = None, **settings: Any) -> Web:
    clock, ids = SystemClock(), SystemIds()
    made = Web(SqliteStorage(path, clock, ids), reader, clock, ids, credits=10**9, **settings)
    await made.open()
    return made


async def rate(count: int, act: Callable[[int], Awaitable[None]]) -> float:
    """So many acts by 32 callers; how many a second."""
    numbers = iter(range(count))

    async def caller() -> None:
        for number in numbers:
            await act(number)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    return count / (time.perf_counter() - began)


def told(name: str, rates: dict[str, list[float]]) -> None:
    """Medians, and how they stand to the first."""
    medians = {what: statistics.median(of) for what, of in rates.items()}
    base = next(iter(medians.values()))
    print(f"\n{name}")
    for what, median in medians.items():
        spread = f"{min(rates[what]):,.0f}–{max(rates[what]):,.0f}"
        print(f"  {what:<52}{median:>9,.0f}/s  ({spread})  {median / base:.2f} ×")


async def runs_and_patterns(folder: Path, rounds: int, count: int) -> None:
    made = await opened(folder / "runs.db", Both())
    ids = SystemIds()

    async def run(number: int) -> None:
        accepted = await made.submit(body(thread=ids.uuid(), run=f"r{number}"))
        assert accepted.status == 202
        flights = made.hub.in_progress
        found = (
            await made.storage.runs.meet(made.accounts["me"], accepted.json["threadId"], f"r{number}")
        ).run
        assert found is not None
        flight = flights.get(("run", found.call_id))
        if flight is not None:
            await flight.task

    async def pattern(number: int) -> None:
        day = DAYS[number % len(DAYS)]
        answered = await made.ask(
            "POST", f"/api/universal/fortune/{T2}", on_day(day), idempotency_key=ids.uuid()
        )
        assert answered.json["credits_deducted"] == 4, answered.body

    rates: dict[str, list[float]] = {
        "paid pattern calls, two steps": [],
        "runs, from submission to settlement": [],
    }
    await rate(CALLERS, run)
    await rate(CALLERS, pattern)
    for _ in range(rounds):
        rates["paid pattern calls, two steps"].append(await rate(count, pattern))
        rates["runs, from submission to settlement"].append(await rate(count, run))
    assert await made.storage.ledger.verify() == []
    await made.hub.close(0)
    told("SQLite, synchronous=FULL, 32 callers, a reader that answers at once", rates)


async def derivations(folder: Path, rounds: int, count: int) -> None:
    made = await opened(folder / "derive.db")

    async def answer(request: Any) -> Any:
        return JSONResponse(await request.json())

    echo = Starlette(routes=[Route(DERIVE, answer, methods=["POST"])])
    raw = json.dumps(PAYLOAD).encode()

    async def echoed(number: int) -> None:
        found = await Connection(echo, DERIVE, raw).run()
        assert found.status == 200

    async def derived(number: int) -> None:
        found = await made.ask("POST", DERIVE, raw)
        assert found.status == 200

    rates: dict[str, list[float]] = {"a bare echo of the body": [], "derive": []}
    for _ in range(rounds):
        rates["a bare echo of the body"].append(await rate(count, echoed))
        rates["derive"].append(await rate(count, derived))
    await made.hub.close(0)
    told("A free derivation, 32 callers", rates)


# --- idle streams ---------------------------------------------------------------------------------------------------------


async def serve(path: Path) -> None:
    """A server with a reader that never answers, and accounts enough for the streams; prints its port and keys."""
    reader = Model()
    reader.gate.clear()
    made = await opened(
        path,
        reader,
        llm_max_concurrency=5000,
        llm_account_concurrency=5000,
        requests_per_address=10_000,
        llm_deadline_run_s=300,
    )
    keys = []
    for _ in range(IDLE // PER_ACCOUNT + 1):
        account = Account(made.ids.uuid(), None, None, "active", None, made.clock.now_ms())
        await made.storage.accounts.create(account, 10**6, "test")
        keys.append((await made.identity.issue(account.id, "personal", "test"))[0])
    # Named as TCP, or asyncio does not turn its delays off.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    config = uvicorn.Config(made.app, log_config=None, access_log=False, lifespan="off")
    print(json.dumps({"port": listener.getsockname()[1], "keys": keys}), flush=True)
    await uvicorn.Server(config).serve([listener])


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


class Client:
    """A connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self.reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    def send(self, method: str, path: str, key: str, raw: bytes = b"") -> None:
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {key}\r\ncontent-length: {len(raw)}\r\n\r\n"
        self._writer.write(head.encode() + raw)

    async def answer(self) -> tuple[int, bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        size = next(
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.lower().startswith("content-length")
        )
        return int(head.split()[1]), await self.reader.readexactly(size)


async def submits(port: int, keys: list[str], count: int) -> float:
    """Milliseconds of a submission, median, one after the other."""
    client, ids, took = Client(port), SystemIds(), []
    await client.open()
    for number in range(count):
        raw = json.dumps(body(thread=ids.uuid(), run=f"s{number}")).encode()
        began = time.perf_counter()
        client.send("POST", RUNS, keys[number % len(keys)], raw)
        status, answered = await client.answer()
        took.append(time.perf_counter() - began)
        assert status == 202, answered
    return statistics.median(took) * 1000


async def idle(folder: Path, count: int) -> None:
    """A thousand streams that wait for runs which do not end."""
    command = [sys.executable, "-m", "benchmarks.hub_runs", "--serve", str(folder / "idle.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            await _idle(server.pid, told["port"], told["keys"], count)
        finally:
            server.kill()


async def _idle(pid: int, port: int, keys: list[str], count: int) -> None:
    threads = [(key, SystemIds().uuid()) for key in keys]
    client = Client(port)
    await client.open()
    for key, thread in threads:
        client.send("POST", RUNS, key, json.dumps(body(thread=thread, run="idle")).encode())
        assert (await client.answer())[0] == 202
    before_ms = await submits(port, keys, count)
    before_kb = resident_kb(pid)
    streams = []
    for number in range(IDLE):
        key, thread = threads[number // PER_ACCOUNT]
        stream = Client(port)
        await stream.open()
        stream.send("GET", f"{RUNS}/{thread}/events?runId=idle", key)
        await stream.reader.readuntil(b'"stepName":"interpret"')
        streams.append(stream)
    await asyncio.sleep(1)
    each_kb = (resident_kb(pid) - before_kb) / IDLE
    with_ms = await submits(port, keys, count)
    print(f"\n{IDLE:,} idle streams (a server of its own process, {len(keys)} accounts)")
    print(f"  memory of each                    {each_kb:6.1f} KB")
    print(f"  a submission without them         {before_ms:6.2f} ms")
    print(f"  a submission beside them          {with_ms:6.2f} ms   {with_ms / before_ms:.2f} ×")


# --- two hundred runs with a slow model, and a reader each ---------------------------------------------------------------


class Slow(Model):
    """Takes two to seven seconds, as models do."""

    def __init__(self) -> None:
        super().__init__()
        self._rng = random.Random(7)

    async def generate(self, request: Any) -> ReadingReply:
        await asyncio.sleep(self._rng.uniform(2, 7))
        return await super().generate(request)


async def slow(folder: Path) -> None:
    """How late the end of a run is on its reader's side, and what the hub holds meanwhile."""
    reader = Slow()
    made = await opened(
        folder / "slow.db",
        reader,
        llm_max_concurrency=200,
        llm_account_concurrency=200,
        requests_per_address=10_000,
    )
    await made.ask("POST", DERIVE, PAYLOAD)
    before_kb, threads = resident_kb(os.getpid()), [SystemIds().uuid() for _ in range(200)]
    await asyncio.gather(*(made.submit(body(thread=thread)) for thread in threads))
    late_ms, streams = (
        [],
        [made.connection("GET", f"{RUNS}/{thread}/events?runId={RUN}") for thread in threads],
    )
    made.service.feed.stream = lambda account_id, place: nullcontext()
    for stream in streams:
        stream._send = _watched(stream._send, late_ms)  # type: ignore[method-assign]
    waiting = asyncio.gather(*(stream.run() for stream in streams))
    await asyncio.sleep(1)
    held_kb = resident_kb(os.getpid()) - before_kb
    await waiting
    await made.hub.close(0)
    print("\n200 runs at once, a model that takes 2 to 7 s, a reader on each")
    print(f"  memory while they run             {held_kb / 1024:6.1f} MB")
    print(
        f"  an event's way to its reader      {statistics.median(late_ms):6.0f} ms median, {max(late_ms):.0f} ms longest"
    )


def _watched(send: Any, late_ms: list[float]) -> Any:
    """Notes how long ago the last event of a stream was made."""

    async def watched(message: Any) -> None:
        if b'"RUN_FINISHED"' in message.get("body", b""):
            stamp = int(message["body"].rpartition(b'"timestamp":')[2].partition(b",")[0])
            late_ms.append(time.time() * 1000 - stamp)
        await send(message)

    return watched


async def other_worker(url: str, count: int) -> None:
    """How late a reader on another worker of the same PostgreSQL database is."""
    clock, ids = SystemClock(), SystemIds()
    here, there = (Web(PostgresStorage(url, clock, ids), Model(), clock, ids) for _ in range(2))
    await here.open()
    await there.hub.start()
    there.keys, there.accounts = here.keys, here.accounts
    reader: Any = here.hub._reader
    late_ms: list[float] = []
    for number in range(count):
        reader.gate.clear()
        await here.submit(body(run=f"r{number}"))
        thread = body()["threadId"]
        stream = there.connection("GET", f"{RUNS}/{thread}/events?runId=r{number}")
        stream._send = _watched(stream._send, late_ms)  # type: ignore[method-assign]
        waiting = asyncio.ensure_future(stream.run())
        await asyncio.sleep(0.05)
        reader.gate.set()
        await waiting
    await here.hub.close(0)
    await there.hub.close(0)
    print("\nPostgreSQL, submitted on one worker and read on another")
    print(
        f"  an event's way to its reader      {statistics.median(late_ms):6.0f} ms median, {max(late_ms):.0f} ms longest"
    )


async def run_all(url: str, rounds: int, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        await runs_and_patterns(Path(folder), rounds, count)
        await derivations(Path(folder), rounds, count * 2)
        await slow(Path(folder))
        await other_worker(url, 30)
        await idle(Path(folder), 300)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--count", type=int, default=600)
    arguments.add_argument("--serve", type=Path)
    given = arguments.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve))
    else:
        asyncio.run(run_all(start().take(), given.rounds, given.count))


if __name__ == "__main__":
    main()
