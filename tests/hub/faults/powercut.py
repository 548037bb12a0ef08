"""F5: the power fails while money moves. `python -m tests.hub.faults.powercut --seeds 60`

A file system that stands before the real one notes every write, truncation and sync, and when which call was acknowledged.
Then the power is cut at any moment of that story: of each file there is what was synced before, and of the writes after
its last sync any part, a write torn in two included. The hub is opened on what is left: every acknowledged call has to be
there with its result, and the books have to be right. A kill of the process cannot show a missing sync; this does.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from bazi_hub.ports import Account, Admitted, NewCall
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from tests.hub.faults.apsw_driver import Connection

ACTOR = "os:operator"
FILES = ("", "-wal")


class Step(NamedTuple):
    """What happened to a file: write (with data), truncate, or sync."""

    act: str
    file: str
    offset: int = 0
    data: bytes = b""


class Story:
    """Steps in their order, and the calls that were acknowledged, each after so many steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.acknowledged: list[tuple[int, str, str]] = []

    def acknowledge(self, call_id: str, result: str) -> None:
        self.acknowledged.append((len(self.steps), call_id, result))


class NotedFile(apsw.VFSFile):
    def __init__(self, story: Story, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._story, self._name = story, path
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._story.steps.append(Step("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._story.steps.append(Step("truncate", self._name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._story.steps.append(Step("sync", self._name))


class NotedFiles(apsw.VFS):
    def __init__(self, name: str, story: Story) -> None:
        self.name, self._story = name, story
        super().__init__(name, "unix")

    def xOpen(self, name: Any, flags: list[int]) -> NotedFile:  # noqa: N802
        return NotedFile(self._story, name, flags)


async def tell(path: Path, seed: int, calls: int, pragma: str = "synchronous = FULL") -> Story:
    """Some accounts and many calls at a time, with checkpoints between them."""
    story, rng = Story(), random.Random(seed)
    files = NotedFiles(f"noted-{path.name}-{seed}", story)

    def creator(name: str) -> Connection:
        return Connection(name, files.name)

    clock, ids = FakeClock(), FakeIds()
    storage = SqliteStorage(path, clock, ids, creator=creator)
    await storage.open()
    for setting in (pragma, "wal_autocheckpoint = 12"):
        storage.database.execute(f"PRAGMA {setting}")
    accounts = [ids.uuid() for _ in range(4)]
    for account_id in accounts:
        account = Account(account_id, None, None, "active", None, clock.now_ms())
        await storage.accounts.create(account, calls * 4, ACTOR)

    async def one(number: int) -> None:
        call = NewCall(ids.uuid(), rng.choice(accounts), "bazi_pattern_analysis", f"{number:064}")
        result = f'{{"结果":"{number}","text":"{"x" * rng.randrange(900)}"}}'
        if rng.random() < 0.5:
            assert isinstance(await storage.ledger.charge(call, result), Admitted)
        else:
            assert isinstance(await storage.ledger.hold(call), Admitted)
            assert await storage.ledger.capture(call.id, result) is not None
        story.acknowledge(call.id, result)

    done = 0
    while done < calls:
        together = min(rng.randrange(1, 9), calls - done)
        await asyncio.gather(*(one(done + place) for place in range(together)))
        done += together
    await storage.close()
    return story


def left_behind(story: Story, cut: int, before: dict[str, bytes], rng: random.Random) -> dict[str, bytes]:
    """The files after a power cut behind so many steps."""
    durable = {name: bytearray(data) for name, data in before.items()}
    waiting: dict[str, list[Step]] = {}
    for step in story.steps[:cut]:
        if step.act == "sync":
            for late in waiting.pop(step.file, []):
                _apply(durable.setdefault(step.file, bytearray()), late, len(late.data))
        else:
            waiting.setdefault(step.file, []).append(step)
    for name, steps in waiting.items():
        for step in steps:
            if rng.random() < 0.5:
                whole = rng.random() < 0.7
                kept = len(step.data) if whole else rng.randrange(len(step.data) + 1)
                _apply(durable.setdefault(name, bytearray()), step, kept)
    return {name: bytes(data) for name, data in durable.items()}


def _apply(data: bytearray, step: Step, kept: int) -> None:
    if step.act == "truncate":
        del data[step.offset :]
        return
    if len(data) < step.offset:
        data.extend(bytes(step.offset - len(data)))
    data[step.offset : step.offset + kept] = step.data[:kept]


class Loss(AssertionError):
    """An acknowledged call is not there, or the books are wrong."""


async def check(path: Path, story: Story, cut: int) -> int:
    """Opens what is left; how many acknowledged calls were looked for."""
    plain = sqlite3.connect(path)
    if plain.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        raise Loss(f"the file is damaged after step {cut}")
    plain.close()
    storage = SqliteStorage(path, FakeClock(), FakeIds(10_000))
    await storage.open()
    try:
        if findings := await storage.ledger.verify():
            raise Loss(f"the books are wrong after step {cut}: {findings[0]}")
        expected = [(call_id, result) for at, call_id, result in story.acknowledged if at <= cut]
        for call_id, result in expected:
            kept = await storage.ledger.result(call_id)
            if kept is None or kept.result != result:
                raise Loss(f"the acknowledged call {call_id} is gone after step {cut}")
        return len(expected)
    finally:
        await storage.close()


async def _empty(path: Path) -> dict[str, bytes]:
    storage = SqliteStorage(path, FakeClock(), FakeIds())
    await storage.open()
    await storage.close()
    return {str(path): path.read_bytes()}


def rehearse(
    folder: Path, seed: int, calls: int = 60, cuts: int = 4, pragma: str = "synchronous = FULL"
) -> int:
    """One story, and some power cuts in it, each at a sync; how many acknowledged calls were looked for."""
    path = folder / f"hub-{seed}.db"
    before = asyncio.run(_empty(path))
    story = asyncio.run(tell(path, seed, calls, pragma))
    rng = random.Random(seed)
    boundaries = [place for place, step in enumerate(story.steps) if step.act == "sync"]
    # Just before a sync, just behind it, and behind the last one.
    chosen = [place + rng.randrange(2) for place in rng.sample(boundaries, min(cuts - 1, len(boundaries)))]
    looked_for = 0
    for number, cut in enumerate([*chosen, len(story.steps)]):
        files = left_behind(story, cut, before, rng)
        copy = folder / f"cut-{seed}-{number}.db"
        for end in FILES:
            if data := files.get(f"{path}{end}"):
                Path(f"{copy}{end}").write_bytes(data)
        looked_for += asyncio.run(check(copy, story, cut))
    return looked_for


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seeds", type=int, default=60)
    arguments.add_argument("--calls", type=int, default=60)
    arguments.add_argument(
        "--synchronous", default="FULL", help="NORMAL shows what would be lost without the sync"
    )
    told = arguments.parse_args()
    looked_for, lost = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(told.seeds):
            try:
                looked_for += rehearse(Path(folder), seed, told.calls, 4, f"synchronous = {told.synchronous}")
            except Loss as loss:
                lost += 1
                print(f"seed {seed}: {loss}")
    print(f"{told.seeds} seeds, {looked_for} acknowledged calls looked for, {lost} seeds with a loss")
    raise SystemExit(lost > 0)


if __name__ == "__main__":
    main()
