"""Broken requests by the thousand: `python -m tests.hub.divination.fuzz --count 10000`

Valid requests are taken apart at random: members removed, retyped, doubled, strings cut and filled with odd signs, bytes
flipped. Whatever comes back is documented: no 500, every code in the registry, every problem of its shape, nothing held.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import random
from collections import Counter
from typing import Any

from bazi_hub.divination.problems import PROBLEMS
from tests.hub.divination.runworld import AGUI, DERIVE, PAYLOAD, RUNS, Web, body, web
from tests.waiting import eventually

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1e308,
    10**30,
    "",
    " ",
    "\x00",
    "\u202e",
    "é",
    "𝔘" * 40,
    "少阳",
    "手动起卦",
    [],
    {},
    [[]],
    {"": {}},
    "x" * 5000,
    [None] * 120,
    "2026-04-03T20:30:00-00:00",
    "followup",
    {"$ref": "#"},
    "../..",
    "'; DROP TABLE runs; --",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a value."""
    found = [path] if path else []
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        found += places(member, (*path, key))
    return found


def broken(rng: random.Random, value: Any) -> bytes:
    value = copy.deepcopy(value)
    for _ in range(rng.randrange(1, 4)):
        found = places(value)
        if not found:
            break
        *path, last = rng.choice(found)
        at = value
        for part in path:
            at = at[part]
        act = rng.randrange(4)
        if act == 0:
            del at[last]
        elif act == 1:
            at[last] = copy.deepcopy(rng.choice(ODD))
        elif act == 2 and isinstance(at, dict):
            at[str(rng.choice(ODD))[:200]] = copy.deepcopy(rng.choice(ODD))
        elif isinstance(at, list):
            at.insert(last, copy.deepcopy(rng.choice(ODD)))
    raw = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.05:
        spot = rng.randrange(len(raw))
        raw = raw[:spot] + bytes([rng.randrange(256)]) + raw[spot + 1 :]
    return raw


async def play(made: Web, count: int, seed: int) -> Counter[int]:
    """So many broken requests; how many of each status."""
    rng, statuses = random.Random(seed), Counter[int]()
    for number in range(count):
        path = rng.choice((RUNS, RUNS, AGUI, DERIVE))
        value = PAYLOAD if path == DERIVE else body(run=f"r{number}")
        found = await made.ask("POST", path, broken(rng, value))
        statuses[found.status] += 1
        assert found.status < 500, found.body
        if found.status >= 400:
            told = found.json
            row = PROBLEMS[told["code"]]
            assert (told["status"], told["title"], told["type"]) == (found.status, row.title, row.type)
            assert found.headers["content-type"] == "application/problem+json"
        await eventually(lambda: not made.hub.in_progress)
    _, held = await made.money()
    assert held == 0
    return statuses


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--count", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()

    async def run() -> None:
        async with web(credits=10_000_000) as made:
            statuses = await play(made, given.count, given.seed)
        print(f"{given.count} requests: {dict(sorted(statuses.items()))}")

    asyncio.run(run())


if __name__ == "__main__":
    main()
