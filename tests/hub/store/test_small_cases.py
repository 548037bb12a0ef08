"""Every small case of a call, on every store: what it moves is what the rules say."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bazi_hub.money import rules
from bazi_hub.money.rules import LedgerMove
from bazi_hub.ports import Admitted, Fresh, Price, Refused
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds, World
from tests.hub.databases import on_postgres, on_sqlite
from tests.hub.stories import in_loop
from tests.sizes import both

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hub.databases import Server

COSTS, LEASTS, QUOTAS = range(3), range(4), range(2)
BALANCES = [(posted, held) for posted in range(4) for held in range(posted + 1)]
HELD = [Price(f"hold-{held}", held, 0, 0, True) for held in range(1, 4)]
PRICES = [
    Price(f"tool-{cost}-{least}-{quota}", cost, least, quota, True)
    for cost, least, quota in product(COSTS, LEASTS, QUOTAS)
]


class Case(NamedTuple):
    """What an account owns and holds, the price of the call, and the steps that it takes."""

    posted: int
    held: int
    price: Price
    steps: str
    gratis: bool = False

    @property
    def expected(self) -> tuple[Any, ...]:
        """The answer to the first step and to the last, and what is owned, held, and left of the quota."""
        fresh = Fresh(self.price, self.price.free_quota > 0, self.posted, self.held)
        agreed = rules.admission(fresh, self.gratis and self.steps == "charge")
        if isinstance(agreed, Refused):
            return agreed, None, self.posted, self.held, self.price.free_quota
        answer: Any = (agreed.cost, agreed.from_quota)
        moves, last = {
            "charge": ([rules.CHARGE], answer),
            "hold": ([rules.HOLD], None),
            "hold, release": ([rules.HOLD, rules.release(agreed.from_quota).move], True),
            "hold, capture": self._captured(agreed),
        }[self.steps]
        total = LedgerMove(*(sum(signs) for signs in zip(*moves, strict=True)))
        units = (total.used + total.reserved) * agreed.from_quota
        posted = self.posted + total.posted * agreed.cost
        return answer, last, posted, self.held + total.held * agreed.cost, self.price.free_quota - units

    def _captured(self, agreed: rules.Terms) -> tuple[list[LedgerMove], Any]:
        ending = rules.capture(agreed.cost, agreed.from_quota, self.gratis)
        return [rules.HOLD, ending.move], (ending.charged, ending.from_quota)


CASES = [
    Case(posted, held, price, steps, gratis)
    for (posted, held), price in product(BALANCES, PRICES)
    for steps, gratis in (
        ("charge", False), ("charge", True), ("hold", False), ("hold, release", False),
        ("hold, capture", False), ("hold, capture", True),
    )
]  # fmt: skip


async def played(world: World, case: Case) -> tuple[Any, ...]:
    """What the store says and keeps."""
    ledger = world.storage.ledger
    account = await world.account(case.posted)
    if case.held:
        await world.admitted(account, f"hold-{case.held}")
    call = world.call(account, case.price.tool)
    first = await (ledger.charge(call, "{}", case.gratis) if case.steps == "charge" else ledger.hold(call))
    last: Any = None
    if isinstance(first, Admitted):
        first_told: Any = first[1:]
        if case.steps == "charge":
            last = first_told
        elif case.steps == "hold, release":
            last = await ledger.release(call.id, "UPSTREAM_ERROR")
        elif case.steps == "hold, capture":
            paid = await ledger.capture(call.id, "{}", case.gratis)
            last = paid and paid[1:]
    else:
        first_told = first
    return (
        first_told,
        last,
        *await world.balance(account),
        (await world.free(account)).get(case.price.tool, 0),
    )


async def compare(world: World, cases: list[Case]) -> None:
    found = await asyncio.gather(*(played(world, case) for case in cases))
    wrong = [(case, told) for case, told in zip(cases, found, strict=True) if told != case.expected]
    assert wrong == []
    assert await world.storage.ledger.verify() == []


def test_memory_does_what_the_rules_say() -> None:
    clock, ids = FakeClock(), FakeIds()
    asyncio.run(compare(World(MemoryStorage(clock, ids, [*PRICES, *HELD]), clock, ids), CASES))


# Every case is another account with a quota of every tool: some of them for who waits for the verdict.
@pytest.mark.parametrize("step", both(17, 1))
@in_loop
async def test_sqlite_does_what_the_rules_say(new_file: Callable[[], Path], step: int) -> None:
    async with on_sqlite(new_file(), prices=[*PRICES, *HELD]) as world:
        await compare(world, CASES[::step])


@pytest.mark.postgres
def test_postgresql_does_what_the_rules_say(postgres: Server) -> None:
    async def story(url: str) -> None:
        async with on_postgres(url, prices=[*PRICES, *HELD]) as world:
            await compare(world, CASES)

    url = postgres.take()
    asyncio.run(story(url))
    postgres.give_back(url)
