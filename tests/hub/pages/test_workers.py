"""Pages of two workers on one database: a reading that one is at is waited for, kept and paid once by the other."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from bazi_core.errors import PortUnavailable
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.words.system import SystemClock, SystemIds
from tests.hub.pages.browsing import Seen, Town, town
from tests.hub.pages.test_progress import Buyer, held_up
from tests.hub.worlds import taught
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Story = Callable[[Town, Town, Buyer, Buyer], Awaitable[None]]


def visits_two(url: str, story: Story) -> None:
    """Plays a story in which somebody who buys here comes back there."""

    async def play() -> None:
        async with AsyncExitStack() as opened:

            async def worker() -> Town:
                storage = PostgresStorage(url, SystemClock(), SystemIds())
                made = town(reader=taught(is_slow=True), storage=storage, signup="open")
                return await opened.enter_async_context(made)

            here, there = await worker(), await worker()
            buyer = await Buyer.of(here)
            elsewhere = Buyer(there.browser(language="zh"), buyer.saved, buyer.form)
            elsewhere.browser.cookie = buyer.browser.cookie
            await there.hub.start()
            await story(here, there, buyer, elsewhere)

    asyncio.run(play())


async def balance(made: Town) -> tuple[int, int]:
    [account] = await made.storage.accounts.listed()
    found: Any = await made.storage.ledger.account(account.id)
    return found.posted, found.held


@pytest.mark.parametrize("way", [Buyer.press, Buyer.ask_for])
def test_what_one_worker_is_at_the_other_waits_for(new_url: Callable[[], str], way: Any) -> None:
    async def story(here: Town, there: Town, buyer: Buyer, elsewhere: Buyer) -> None:
        first = buyer.press()
        running = await held_up(first, here.reader)
        number = first.response.events[0]["number"]
        again = elsewhere.press() if way is Buyer.press else elsewhere.ask_for(number)
        waiting = asyncio.create_task(again.run())
        await eventually(lambda: again.response.events)
        assert await balance(there) == (25, 4)
        here.reader.gate.set()
        assert (await running).events[-1] == (await waiting).events[-1] == {"place": f"/c/{number}"}
        assert (here.reader.asked, there.reader.asked) == (1, 0)
        assert await balance(there) == (21, 0)
        assert (await elsewhere.browser.get(f"/c/{number}")).status == 200

    visits_two(new_url(), story)


def test_what_failed_at_one_worker_is_refused_by_the_other_and_not_paid(new_url: Callable[[], str]) -> None:
    async def story(here: Town, there: Town, buyer: Buyer, elsewhere: Buyer) -> None:
        here.reader.error = PortUnavailable("no", reason="http", status=503)
        first = buyer.press()
        running = await held_up(first, here.reader)
        again = elsewhere.ask_for(first.response.events[0]["number"])
        waiting = asyncio.create_task(again.run())
        await eventually(lambda: again.response.events)
        here.reader.gate.set()
        for seen, said in ((await running, "没有扣点"), (await waiting, "没有写成的解读不扣点")):
            assert said in Seen.of(seen.events[-1]["page"]).words
        assert await balance(there) == (25, 0)

    visits_two(new_url(), story)


def test_what_a_worker_that_died_had_paid_the_other_keeps(new_url: Callable[[], str]) -> None:
    async def story(here: Town, there: Town, buyer: Buyer, elsewhere: Buyer) -> None:
        async def died(saved: Any) -> None:
            raise asyncio.CancelledError

        here.storage.charts.add = died
        here.reader.gate.set()
        number = (await buyer.press().run()).events[0]["number"]
        assert await balance(there) == (21, 0)
        kept = await elsewhere.ask_for(number).run()
        assert (kept.status, kept.headers["location"]) == (303, f"/c/{number}")
        assert (await balance(there), there.reader.asked) == ((21, 0), 0)
        assert (await elsewhere.browser.get(f"/c/{number}")).status == 200

    visits_two(new_url(), story)
