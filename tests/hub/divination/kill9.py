"""A process dies while it runs something: `python -m tests.hub.divination.kill9 --rounds 20 [--postgres]`

A child submits a run and stops at a point: before the admission, inside its transaction, behind it, while the reader
writes, before the final transaction, inside it, behind it. There the parent kills it with SIGKILL. Then, on the same file or
as another worker on the same PostgreSQL database: nothing runs, nothing is held, every log is legal, the text is in the log
if and only if it was paid, and the same submission succeeds and costs one price in all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock
from bazi_hub.words.system import SystemClock, SystemIds
from tests.hub.divination.runworld import Model, Web, body

POINTS = (
    "before_admit", "in_admit", "after_admit", "interpreting", "before_final", "in_final", "after_final",
)  # fmt: skip
# Where the text is paid when the process dies there.
PAID = ("after_final",)


def storage_at(place: str, clock: Any) -> Any:
    if place.startswith("postgres"):
        return PostgresStorage(place, clock, SystemIds(), database_time=False)
    return SqliteStorage(place, clock, SystemIds())


def stop(reached: str, wanted: str) -> None:
    """Tells that the point is reached, and waits for the end."""
    if reached == wanted:
        os.write(1, b"here\n")
        threading.Event().wait()


def rigged(log: Any, wanted: str) -> None:
    """Stops at the transactions of a log."""
    admit, succeed, engine = log.admit, log.succeed, log._engine
    inside = {"in_admit": "in_admit", "in_final": "in_final"}.get(wanted)
    doing = {"now": ""}

    async def stopping_admit(*given: Any) -> Any:
        stop("before_admit", wanted)
        doing["now"] = "in_admit"
        found = await admit(*given)
        stop("after_admit", wanted)
        return found

    async def stopping_succeed(*given: Any) -> Any:
        stop("before_final", wanted)
        doing["now"] = "in_final"
        found = await succeed(*given)
        stop("after_final", wanted)
        return found

    work = engine.work

    async def stopping_work(act: Any) -> Any:
        def within(tx: Any) -> Any:
            made = act(tx)
            # Everything is written and nothing committed.
            if inside == doing["now"]:
                stop(doing["now"], wanted)
            return made

        return await work(within)

    log.admit, log.succeed, engine.work = stopping_admit, stopping_succeed, stopping_work


class StoppingModel(Model):
    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = wanted

    async def generate(self, request: Any) -> Any:
        stop("interpreting", self.wanted)
        return await super().generate(request)


async def child(place: str, account: str, run: str, point: str) -> None:
    clock = SystemClock()
    made = Web(storage_at(place, clock), StoppingModel(point), clock, SystemIds())
    await made.hub.start()
    made.accounts["me"] = account
    made.keys["me"], _ = await made.identity.issue(account, "personal", "test")
    rigged(made.storage.runs, point)
    await made.submit(body(run=run))
    await asyncio.sleep(60)


def kill_at(place: str, account: str, run: str, point: str) -> None:
    command = [sys.executable, "-m", "tests.hub.divination.kill9", "--child", place, account, run, point]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n", "the child ended by itself"
        process.kill()


async def prepare(place: str) -> str:
    made = Web(storage_at(place, SystemClock()), None, SystemClock(), SystemIds(), credits=1_000_000)
    await made.open()
    account = made.accounts["me"]
    await made.hub.close(0)
    return account


async def survive(place: str, account: str, run: str, point: str) -> None:
    """Opens what is left and looks at it."""
    # On PostgreSQL the other worker comes when the dead one has been silent for long enough.
    clock = FakeClock(SystemClock().now_ms(), time.monotonic() + 3600)
    made = Web(storage_at(place, clock), Model(), clock, SystemIds())
    await made.hub.start()
    try:
        await made.storage.ledger.reap()
        made.accounts["me"] = account
        made.keys["me"], key = await made.identity.issue(account, "personal", "test")
        posted, held = await made.money()
        assert held == 0
        left = (await made.storage.runs.meet(account, body()["threadId"], run)).run
        assert (left is None) == (point in ("before_admit", "in_admit")), f"{point}: {left}"
        if left is not None:
            assert left.status == ("succeeded" if point in PAID else "failed")
            kinds = [event.kind for event in await made.storage.runs.events(left.id, 0)]
            assert ("text_ended" in kinds) == (left.deducted == 4) == (point in PAID)
        await made._history_and_logs("me")
        accepted = await made.submit(body(run=run))
        assert accepted.status == (200 if point in PAID else 202), accepted.body
        assert (await made.settled(run=run))["status"] == "succeeded"
        after, held = await made.money()
        assert (posted - after, held) == (0 if point in PAID else 4, 0)
        await made._history_and_logs("me")
        assert await made.storage.ledger.verify() == []
        await made.identity.revoke(key.id, "test")
    finally:
        await made.hub.close(0)


def rounds(place: str, count: int, points: tuple[str, ...] = POINTS) -> int:
    """Kills a child so often at each point; how often in all."""
    account = asyncio.run(prepare(place))
    for number in range(count):
        for point in points:
            run = f"{point}-{number}"
            kill_at(place, account, run, point)
            asyncio.run(survive(place, account, run, point))
            _revoke_all(place, account)
    return count * len(points)


def _revoke_all(place: str, account: str) -> None:
    """An account has twenty keys at most, and a child that dies leaves its own behind."""

    async def revoke() -> None:
        storage = storage_at(place, SystemClock())
        await storage.open()
        for key in await storage.keys.of(account):
            if key.revoked_ms is None:
                await storage.keys.revoke(key.id, SystemClock().now_ms(), "test")
        await storage.close()

    asyncio.run(revoke())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--postgres", action="store_true")
    arguments.add_argument("--child", nargs=4)
    given = arguments.parse_args()
    if given.child:
        asyncio.run(child(*given.child))
        return
    if given.postgres:
        from tests.hub.databases import start

        kills = rounds(start().take(), given.rounds)
    else:
        with tempfile.TemporaryDirectory() as folder:
            kills = rounds(str(Path(folder) / "hub.db"), given.rounds)
    print(f"{kills} kills: no run left running, no credit held, no text unpaid, no payment without its text")


if __name__ == "__main__":
    main()
