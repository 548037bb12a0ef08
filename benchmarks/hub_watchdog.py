"""How long a frozen worker goes unreplaced, and its holds with it: `python -m benchmarks.hub_watchdog [ROUNDS]`.

A worker is frozen by a planted busy loop amid a reading, with the watchdog as it is by default. Measured is from then until
nothing is held any more and the hub is ready: on SQLite with its one worker, and on PostgreSQL with two, of which the other
one serves meanwhile. Behind it the books are verified.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from tests.hub.databases import cluster
from tests.hub.faults import freezing
from tests.hub.faults.test_processes import CREDITS, T2, account, born
from tests.hub.serving import bazi, environment, serving
from tests.waiting import eventually_there

BOUND_S = 15.0


def log_of(server: Any, event: str) -> list[dict[str, Any]]:
    return [line for line in server.log() if line["event"] == event]


def answered(server: Any, key: str) -> dict[str, Any] | None:
    """What the account owns and holds; None where nobody answers."""
    with suppress(OSError):
        data: dict[str, Any] = server.ask(CREDITS, key).body["data"]
        return data
    return None


def frozen(folder: Path, db: str, workers: int) -> tuple[float, float, int]:
    """Seconds until the worker was replaced, and until its hold went back; how often the hub answered in between."""
    who, key = account(folder, db)
    freeze = folder / "freeze"
    settings = {"READER": "openai", "LLM_FALLBACK": "narrator"}
    more = {freezing.WAY: str(freeze)}
    arguments = ("--db", db, "--workers", str(workers))
    with (
        ThreadPoolExecutor(2) as pool,
        serving(folder, *arguments, program=(freezing.__file__, "loop"), more=more, **settings) as server,
    ):
        freeze.touch()
        waiting = pool.submit(server.ask, T2, key, born(0))
        eventually_there(lambda: not freeze.exists())
        begun = time.monotonic()
        between = 0
        if workers > 1:
            assert bazi(folder, "credits", "show", who, "--db", db)["held"] == 4
            between = sum(answered(server, key) is not None for _ in range(20))
        eventually_there(lambda: log_of(server, "worker_replaced"))
        replaced_s = time.monotonic() - begun
        eventually_there(lambda: (answered(server, key) or {"held": 1})["held"] == 0)
        back_s = time.monotonic() - begun
        with suppress(OSError):
            waiting.result()
    verify = [sys.executable, "-m", "bazi_cli", "hub", "verify", "--db", db]
    subprocess.run(verify, env=environment(folder), stdout=subprocess.DEVNULL, check=True)
    return replaced_s, back_s, between


def main(rounds: int = 3) -> None:
    print("| database | workers | replaced after | its hold went back after | bound |\n|---|---|---|---|---|")
    for name, workers in (("SQLite", 1), ("PostgreSQL", 2)):
        found = []
        for _ in range(rounds):
            with ExitStack() as stack:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hub-")))
                db = str(folder / "hub.sqlite3")
                if workers > 1:
                    server = cluster(folder / "data")
                    stack.callback(server.cleanup)
                    db = server.get_uri()
                found.append(frozen(folder, db, workers))
        replaced, back = ([each[place] for each in found] for place in (0, 1))
        kept = "kept" if max(back) <= BOUND_S else "missed"
        print(
            f"| {name} | {workers} | {min(replaced):.1f} to {max(replaced):.1f} s "
            f"| {min(back):.1f} to {max(back):.1f} s | {BOUND_S:g} s: {kept} in {rounds} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
