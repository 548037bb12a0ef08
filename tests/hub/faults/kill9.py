"""F4: the process dies while money moves. `python -m tests.hub.faults.kill9 --rounds 100`

A child opens the file and works; it prints a line for everything that was acknowledged to it, and reads nothing. The parent
kills it with SIGKILL behind any of these lines, so that the next operations die wherever they are: before the hold, after
it, while a reading runs, before and after the capture. Then the parent opens the same file: whatever was acknowledged has to
be there, nothing may be held, the books have to be right, and the same call sent again has to be answered for nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bazi_hub.ports import Account, Admitted, Captured, NewCall, State
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.words.system import SystemClock, SystemIds

ACTOR = "os:operator"
TOOL = "bazi_pattern_analysis"
ACCOUNTS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(4)]
CREDITS = 100_000


def _call(account_id: str, key: str) -> NewCall:
    return NewCall(SystemIds().uuid(), account_id, TOOL, key.encode().hex().ljust(64, "0"), key=key)


def _result(key: str) -> str:
    return json.dumps({"of": key, "text": key * 40})


# --- the child ----------------------------------------------------------------------------------------------------------


async def work(path: Path, seed: int) -> None:
    """Works until it is killed; tells what was acknowledged."""
    rng, storage = random.Random(seed), SqliteStorage(path, SystemClock(), SystemIds())
    await storage.open()

    def tell(what: str, call: NewCall) -> None:
        line = {"what": what, "id": call.id, "account": call.account_id, "key": call.key}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    async def one(number: int) -> None:
        call = _call(rng.choice(ACCOUNTS), f"{seed}-{number}")
        if rng.random() < 0.3:
            assert isinstance(await storage.ledger.charge(call, _result(call.key or "")), Admitted)
            return tell("captured", call)
        assert isinstance(await storage.ledger.hold(call), Admitted)
        tell("admitted", call)
        # The reading: anything may happen meanwhile.
        for _ in range(rng.randrange(4)):
            await asyncio.sleep(0)
        if rng.random() < 0.2:
            await storage.ledger.release(call.id, "UPSTREAM_ERROR")
            return tell("released", call)
        assert await storage.ledger.capture(call.id, _result(call.key or "")) is not None
        return tell("captured", call)

    async def endless(lane: int) -> None:
        number = lane
        while True:
            await one(number)
            number += 8

    await asyncio.gather(*(endless(lane) for lane in range(8)))


# --- the parent ---------------------------------------------------------------------------------------------------------


async def prepare(path: Path) -> None:
    storage = SqliteStorage(path, SystemClock(), SystemIds())
    await storage.open()
    for account_id in ACCOUNTS:
        await storage.accounts.create(
            Account(account_id, None, None, "active", None, SystemClock().now_ms()), CREDITS, ACTOR
        )
    await storage.close()


def kill_in_the_middle(path: Path, seed: int) -> dict[str, dict[str, Any]]:
    """Runs a child and kills it; the last thing that it told of each call."""
    told: dict[str, dict[str, Any]] = {}
    command = [sys.executable, "-m", "tests.hub.faults.kill9", "--child", str(path), "--seed", str(seed)]
    lines = random.Random(seed).randrange(1, 120)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            _note(told, line)
            lines -= 1
            if not lines:
                child.kill()
        # What it told before it died and we had not read yet; the last line may be torn.
    if lines > 0:
        raise AssertionError(f"the child ended by itself: {child.returncode}")
    return told


def _note(told: dict[str, dict[str, Any]], line: str) -> None:
    try:
        act = json.loads(line)
    except ValueError:
        return
    told[act["id"]] = act


ENDS: dict[str, tuple[State, ...]] = {
    # It may have been captured or released, and the child killed before it could tell.
    "admitted": ("expired", "captured", "released"),
    "captured": ("captured",),
    "released": ("released",),
}


async def check(path: Path, told: dict[str, dict[str, Any]]) -> None:
    """Opens what is left and asks for everything that was acknowledged."""
    storage = SqliteStorage(path, SystemClock(), SystemIds())
    await storage.open()
    ledger = storage.ledger
    try:
        assert await ledger.verify() == []
        for account_id in ACCOUNTS:
            account = await ledger.account(account_id)
            assert account is not None
            assert account.held == 0
        for act in told.values():
            state = await ledger.state(act["id"])
            assert state is not None, f"{act} is gone"
            assert state[0] in ENDS[act["what"]], f"{act} is {state}"
            await _send_again(storage, act, state[0])
        assert await ledger.verify() == []
    finally:
        await storage.close()


async def _send_again(storage: SqliteStorage, act: dict[str, Any], state: State) -> None:
    """The client has no answer, and sends the same call under its key: once more for nothing, or for the first time."""
    again = _call(act["account"], act["key"])
    before = await storage.ledger.account(act["account"])
    answer = await storage.ledger.charge(again, _result(act["key"]))
    after = await storage.ledger.account(act["account"])
    assert before is not None
    assert after is not None
    if state == "captured":
        assert answer == Captured(act["id"], _result(act["key"]), False)
        assert after.posted == before.posted
    else:
        assert answer == Admitted(again.id, 4, False)
        assert after.posted == before.posted - 4


def rounds(path: Path, count: int, first_seed: int = 0) -> int:
    """Kills so many children on one file; how many acknowledged calls were looked for."""
    asyncio.run(prepare(path))
    looked_for = 0
    for seed in range(first_seed, first_seed + count):
        told = kill_in_the_middle(path, seed)
        asyncio.run(check(path, told))
        looked_for += len(told)
    return looked_for


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--child", type=Path)
    given = arguments.parse_args()
    if given.child:
        asyncio.run(work(given.child, given.seed))
        return
    with tempfile.TemporaryDirectory() as folder:
        looked_for = rounds(Path(folder) / "hub.db", given.rounds, given.seed)
    print(f"{given.rounds} kills, {looked_for} acknowledged calls looked for, none lost, none paid twice")


if __name__ == "__main__":
    main()
