"""Charges of one batch on SQLite: paid together, each as if it came alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bazi_hub.ports import Admitted, Captured, Conflict, Price, Refused, Reused
from tests.hub.databases import on_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from bazi_hub.testing import World

TOOL = "bazi_pattern_analysis"


def played(path: Path, story: Callable[[World], Coroutine[Any, Any, None]]) -> None:
    """Runs a story on a new file; nothing may be wrong with the books afterwards."""

    async def run() -> None:
        async with on_sqlite(path, prices=[Price(TOOL, 4, 4, 0, True)]) as world:
            await story(world)
            assert await world.storage.ledger.verify() == []

    asyncio.run(run())


async def charged(world: World, *calls: Any) -> list[Any]:
    """What becomes of calls that wait together; faults stand among the outcomes."""
    ledger = world.storage.ledger
    waiting = [ledger.charge(call, f'"{call.id}"') for call in calls]
    return await asyncio.gather(*waiting, return_exceptions=True)


def test_one_account_pays_until_nothing_is_left(new_file: Callable[[], Path]) -> None:
    async def story(world: World) -> None:
        poor, rich = await world.account(10), await world.account(100)
        calls = [world.call(account, TOOL) for account in (poor, rich, poor, poor, rich)]
        outcomes = await charged(world, *calls)
        assert [type(each) for each in outcomes] == [Admitted, Admitted, Admitted, Refused, Admitted]
        assert (outcomes[3].posted, outcomes[3].held) == (2, 0)
        assert [await world.balance(each) for each in (poor, rich)] == [(2, 0), (92, 0)]
        entries = await world.storage.ledger.entries(poor)
        assert [(entry.amount, entry.seq, entry.posted_after) for entry in entries] == [
            (10, 1, 10),
            (-4, 2, 6),
            (-4, 3, 2),
        ]

    played(new_file(), story)


def test_free_units_go_first_and_the_rest_is_paid(new_file: Callable[[], Path]) -> None:
    async def story(world: World) -> None:
        await world.storage.pricing.set(Price(TOOL, 4, 4, 2, True), "test")
        account = await world.account(5)
        outcomes = await charged(world, *(world.call(account, TOOL) for _ in range(4)))
        assert [(each.cost, each.from_free_quota) for each in outcomes[:3]] == [
            (0, True),
            (0, True),
            (4, False),
        ]
        assert isinstance(outcomes[3], Refused)
        assert (await world.free(account))[TOOL] == 0

    played(new_file(), story)


def test_the_same_call_twice_in_a_batch_is_paid_once(new_file: Callable[[], Path]) -> None:
    async def story(world: World) -> None:
        account = await world.account(100)
        first = world.call(account, TOOL)
        same = world.call(account, TOOL, fingerprint=first.fingerprint)
        keyed = world.call(account, TOOL, key="k")
        reused = world.call(account, TOOL, key="k")
        outcomes = await charged(world, first, same, keyed, reused)
        assert outcomes[1] == Captured(first.id, f'"{first.id}"', False)
        assert outcomes[3] == Reused(keyed.id)
        assert await world.balance(account) == (92, 0)

    played(new_file(), story)


def test_who_cannot_be_charged_takes_nobody_with_it(new_file: Callable[[], Path]) -> None:
    async def story(world: World) -> None:
        account = await world.account(100)
        known = await world.captured(account, TOOL)
        calls = [world.call(account, TOOL) for _ in range(5)]
        calls[1] = calls[1]._replace(account_id="nobody")
        calls[2] = calls[2]._replace(tool="no_such_tool")
        calls[3] = calls[3]._replace(id=known.id)
        outcomes = await charged(world, *calls)
        assert [type(each) for each in outcomes] == [Admitted, LookupError, LookupError, Conflict, Admitted]
        assert await world.balance(account) == (88, 0)

    played(new_file(), story)
