"""What every ledger promises about its entries: double, append-only, each account numbered and balanced on its own."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import CallRecord, Conflict
from bazi_hub.testing.contract import ACTOR, CHART, YEAR, World, promise, raises
from bazi_hub.testing.storage import StorageContract


class EntriesContract(StorageContract):
    @promise
    async def test_entries_are_numbered_without_a_gap_and_carry_the_balance(self, world: World) -> None:
        """I1, I10."""
        account_id, other = await world.account(25), await world.account(9)
        await world.captured(account_id)
        await world.captured(other)
        await world.storage.ledger.post("grant", account_id, 10, "order-1", ACTOR)
        await world.captured(account_id, YEAR)
        entries = await world.storage.ledger.entries(account_id)
        assert [entry.kind for entry in entries] == ["starter", "capture", "grant", "capture"]
        assert [entry.amount for entry in entries] == [25, -4, 10, -1]
        assert [entry.seq for entry in entries] == [1, 2, 3, 4]
        assert [entry.posted_after for entry in entries] == [25, 21, 31, 30]
        assert {entry.account for entry in entries} == {f"user:{account_id}"}
        assert len({entry.journal_id for entry in entries}) == 4

    @promise
    async def test_an_entry_of_a_capture_names_its_call(self, world: World) -> None:
        account_id = await world.account(25)
        call = await world.captured(account_id)
        entry = (await world.storage.ledger.entries(account_id))[-1]
        assert (entry.kind, entry.call_id, entry.amount) == ("capture", call.id, -4)

    @promise
    async def test_an_entry_of_an_operator_tells_why_and_when(self, world: World) -> None:
        account_id = await world.account()
        await world.storage.ledger.post("adjust", account_id, 7, "case-1", ACTOR, memo="an outage")
        (entry,) = await world.storage.ledger.entries(account_id)
        assert (entry.kind, entry.ref, entry.actor, entry.memo) == ("adjust", "case-1", ACTOR, "an outage")
        assert entry.ts_ms == world.clock.now_ms()

    @promise
    async def test_many_captures_at_once_still_number_their_entries(self, world: World) -> None:
        account_id = await world.account(40)
        calls = [await world.admitted(account_id) for _ in range(10)]
        await asyncio.gather(*(world.storage.ledger.capture(call.id, "{}") for call in calls))
        entries = await world.storage.ledger.entries(account_id)
        assert [entry.seq for entry in entries] == list(range(1, 12))
        assert [entry.posted_after for entry in entries] == list(range(40, -1, -4))


class PostContract(StorageContract):
    @promise
    async def test_one_reference_posted_many_times_at_once_counts_once(self, world: World) -> None:
        account_id = await world.account()
        posted = await asyncio.gather(
            *(world.storage.ledger.post("grant", account_id, 10, "order-1", ACTOR) for _ in range(10))
        )
        assert sum(posted) == 1
        assert await world.balance(account_id) == (10, 0)

    @promise
    async def test_an_adjustment_goes_both_ways(self, world: World) -> None:
        account_id = await world.account(10)
        assert await world.storage.ledger.post("adjust", account_id, -10, "case-1", ACTOR)
        assert await world.balance(account_id) == (0, 0)
        assert await world.storage.ledger.post("adjust", account_id, 3, "case-2", ACTOR)
        assert not await world.storage.ledger.post("adjust", account_id, 3, "case-2", ACTOR)
        assert await world.balance(account_id) == (3, 0)

    @promise
    async def test_no_adjustment_takes_more_than_there_is_or_what_is_held(self, world: World) -> None:
        account_id = await world.account(10)
        await world.admitted(account_id)
        for amount in (-11, -7):
            with raises(Conflict):
                await world.storage.ledger.post("adjust", account_id, amount, "case-1", ACTOR)
        assert await world.balance(account_id) == (10, 4)
        assert await world.storage.ledger.post("adjust", account_id, -6, "case-1", ACTOR)

    @promise
    async def test_an_adjustment_told_again_is_no_conflict_though_the_balance_would_not_do_now(
        self, world: World
    ) -> None:
        account_id = await world.account(10)
        assert await world.storage.ledger.post("adjust", account_id, -8, "case-1", ACTOR)
        assert not await world.storage.ledger.post("adjust", account_id, -8, "case-1", ACTOR)
        assert await world.balance(account_id) == (2, 0)

    @promise
    async def test_a_refund_gives_a_call_back_once(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.captured(account_id)
        ledger = world.storage.ledger
        assert await ledger.post("refund", account_id, 4, "case-1", ACTOR, call_id=call.id)
        assert not await ledger.post("refund", account_id, 4, "case-2", ACTOR, call_id=call.id)
        assert await world.balance(account_id) == (10, 0)
        entry = (await ledger.entries(account_id))[-1]
        assert (entry.kind, entry.amount, entry.call_id) == ("refund", 4, call.id)

    @promise
    async def test_a_refund_may_be_a_part_of_the_price_and_never_more(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.captured(account_id)
        with raises(Conflict):
            await world.storage.ledger.post("refund", account_id, 5, "case-1", ACTOR, call_id=call.id)
        assert await world.storage.ledger.post("refund", account_id, 1, "case-1", ACTOR, call_id=call.id)
        assert await world.balance(account_id) == (7, 0)

    @promise
    async def test_who_paid_for_a_call_and_how_much_can_be_asked(self, world: World) -> None:
        account_id = await world.account(20)
        paid, free = await world.captured(account_id), await world.captured(account_id, CHART)
        running, released = await world.admitted(account_id), await world.admitted(account_id)
        await world.storage.ledger.release(released.id, "UPSTREAM_ERROR")
        assert await world.storage.ledger.charged(paid.id) == (account_id, 4)
        assert await world.storage.ledger.charged(free.id) == (account_id, 0)
        for call_id in (running.id, released.id, world.ids.uuid()):
            assert await world.storage.ledger.charged(call_id) is None

    @promise
    async def test_only_a_call_that_was_paid_is_refunded(self, world: World) -> None:
        account_id, other = await world.account(20), await world.account(20)
        running, released = await world.admitted(account_id), await world.admitted(account_id)
        await world.storage.ledger.release(released.id, "UPSTREAM_ERROR")
        free, foreign = await world.captured(account_id, CHART), await world.captured(other)
        for call_id in (running.id, released.id, free.id, foreign.id, world.ids.uuid()):
            with raises(Conflict):
                await world.storage.ledger.post("refund", account_id, 1, "case-1", ACTOR, call_id=call_id)
        assert await world.balance(account_id) == (20, 4)

    @promise
    async def test_nothing_is_posted_to_an_account_that_is_not_there(self, world: World) -> None:
        with raises(LookupError):
            await world.storage.ledger.post("grant", world.ids.uuid(), 10, "order-1", ACTOR)
        account_id = await world.account()
        assert await world.storage.ledger.post("grant", account_id, 10, "order-1", ACTOR)

    @promise
    async def test_a_grant_or_refund_of_nothing_or_less_is_an_error(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.captured(account_id)
        for kind, amount in (("grant", 0), ("grant", -3), ("refund", 0), ("refund", -1), ("adjust", 0)):
            with raises(ValueError):
                await world.storage.ledger.post(kind, account_id, amount, "r", ACTOR, call_id=call.id)
        with raises(ValueError):
            await world.storage.ledger.post("capture", account_id, -1, "r", ACTOR)
        assert await world.balance(account_id) == (6, 0)


class CallHistoryContract(StorageContract):
    @promise
    async def test_the_history_shows_every_end_of_a_call_newest_first(self, world: World) -> None:
        account_id = await world.account(25)
        start = world.clock.now_ms()
        paid = await world.admitted(account_id)
        await self.passes(world, 2)
        await world.storage.ledger.capture(paid.id, "{}")
        failed = await world.admitted(account_id)
        await world.storage.ledger.release(failed.id, "UPSTREAM_TIMEOUT")
        await self.passes(world, 2)
        running = await world.admitted(account_id)
        records = await world.storage.ledger.history(account_id, 10)
        assert [record.id for record in records] == [running.id, failed.id, paid.id]
        assert records[2] == CallRecord(paid.id, paid.tool, 4, "captured", None, start, start + 2000)
        assert records[1][2:5] == (0, "released", "UPSTREAM_TIMEOUT")
        assert records[0][2:] == (0, "running", None, start + 4000, None)

    @promise
    async def test_a_call_that_expired_is_in_the_history(self, world: World) -> None:
        account_id = await world.account(25)
        call = await world.admitted(account_id)
        await world.storage.ledger.reap(everything=True)
        (record,) = await world.storage.ledger.history(account_id, 10)
        assert (record.id, record.credits_deducted, record.state) == (call.id, 0, "expired")
        assert record.completed_ms is not None

    @promise
    async def test_what_the_history_says_was_deducted_is_what_was_posted(self, world: World) -> None:
        """I7."""
        account_id = await world.account(25)
        for tool in (CHART, CHART, YEAR):
            await world.captured(account_id, tool)
        free = await world.admitted(account_id)
        await world.storage.ledger.capture(free.id, "{}", free=True)
        posted = {entry.call_id: -entry.amount for entry in await world.storage.ledger.entries(account_id)}
        records = await world.storage.ledger.history(account_id, 10)
        assert [record.credits_deducted for record in records] == [
            posted.get(record.id, 0) for record in records
        ]
        assert sum(record.credits_deducted for record in records) == 2

    @promise
    async def test_a_history_is_as_long_as_asked_and_belongs_to_one_account(self, world: World) -> None:
        account_id, other = await world.account(25), await world.account(25)
        calls = []
        for _ in range(5):
            calls.append(await world.captured(account_id, YEAR))
            await self.passes(world, 1)
        await world.captured(other)
        records = await world.storage.ledger.history(account_id, 3)
        assert [record.id for record in records] == [call.id for call in reversed(calls)][:3]
