"""Whether the time of a refusal tells anything about a key: `python -m benchmarks.hub_keys [ROUNDS]`

Keys that are refused for different reasons take turns, thousands of them, on SQLite without a network: an id that is not
there, and ids that are there under secrets that are wrong from the first character, wrong at the last, or nearly right. What
tells is a difference between the wrong secrets; an id is no secret.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.people.keys import CHECKSUM_LENGTH, ID_LENGTH, checksum
from bazi_hub.ports import Account
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.words.errors import HubError
from bazi_hub.words.system import NoTelemetry, SystemClock, SystemIds

HEAD = 4 + ID_LENGTH


def told(body: str) -> str:
    """A key with its checksum."""
    return body + checksum(body)


def kinds(key: str) -> dict[str, str]:
    """Keys that are wrong in different places."""
    body = key[:-CHECKSUM_LENGTH]
    other = {character: "1" if character == "0" else "0" for character in body}
    return {
        "unknown id": told(body[:4] + "0" * ID_LENGTH + body[HEAD:]),
        "first character of the secret": told(body[:HEAD] + other[body[HEAD]] + body[HEAD + 1 :]),
        "last character of the secret": told(body[:-1] + other[body[-1]]),
        "every character of the secret": told(body[:HEAD] + "".join(other[each] for each in body[HEAD:])),
    }


async def refused(identity: Identity, key: str) -> float:
    began = time.perf_counter_ns()
    try:
        await identity.by_key(key)
    except HubError:
        return (time.perf_counter_ns() - began) / 1000
    raise AssertionError("a wrong key was let in")


async def run(folder: Path, rounds: int) -> None:
    clock, ids = SystemClock(), SystemIds()
    storage = SqliteStorage(folder / "hub.sqlite3", clock, ids)
    await storage.open()
    account = Account(ids.uuid(), None, None, "active", None, clock.now_ms())
    await storage.accounts.create(account, 0, "bench")
    identity = Identity(storage, Secrets(bytes(32), bytes(32)), clock=clock, ids=ids, telemetry=NoTelemetry())
    key, _ = await identity.issue(account.id, "personal", "bench")
    wrong = kinds(key)
    times: dict[str, list[float]] = {name: [] for name in wrong}
    for turn in range(rounds):
        # Each turn begins with another one, so that none always comes behind the same.
        names = [*wrong]
        for name in names[turn % 4 :] + names[: turn % 4]:
            times[name].append(await refused(identity, wrong[name]))
    await storage.close()
    usual = statistics.median(times["first character of the secret"])
    for name, each in times.items():
        middle = statistics.median(each)
        print(f"{name:32} {middle:7.2f} µs  {middle / usual:6.3f} ×")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))


if __name__ == "__main__":
    main()
