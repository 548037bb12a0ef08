"""What every ledger promises about a call that comes again: one execution, one charge, the same bytes."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import Admitted, Captured, Fresh, Reused, Running
from bazi_hub.testing.contract import CHART, READING, YEAR, World, promise
from bazi_hub.testing.storage import StorageContract

DAY_S = 86_400


class KeyedContract(StorageContract):
    """Calls with an idempotency key."""

    @promise
    async def test_a_running_call_is_joined(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id, key="k1")
        again = world.call(account_id, key="k1", fingerprint=first.fingerprint)
        assert await world.storage.ledger.peek(again) == Running(first.id)
        assert await world.storage.ledger.hold(again) == Running(first.id)
        assert await world.balance(account_id) == (10, 4)

    @promise
    async def test_a_replay_repeats_that_the_quota_paid(self, world: World) -> None:
        account_id = await world.account(0)
        first = await world.captured(account_id, CHART, key="k1")
        again = world.call(account_id, CHART, key="k1", fingerprint=first.fingerprint)
        assert await world.storage.ledger.hold(again) == Captured(first.id, "{}", True)

    @promise
    async def test_a_key_of_another_call_that_runs_is_refused(self, world: World) -> None:
        account_id = await world.account(20)
        first = await world.admitted(account_id, key="k1")
        assert await world.storage.ledger.hold(world.call(account_id, key="k1")) == Reused(first.id)
        assert await world.balance(account_id) == (20, 4)

    @promise
    async def test_a_call_that_was_released_runs_again(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id, key="k1")
        await world.storage.ledger.release(first.id, "UPSTREAM_ERROR")
        again = world.call(account_id, key="k1", fingerprint=first.fingerprint)
        assert isinstance(await world.storage.ledger.peek(again), Fresh)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)

    @promise
    async def test_a_call_that_expired_runs_again_even_with_other_arguments(self, world: World) -> None:
        account_id = await world.account(10)
        await world.admitted(account_id, key="k1")
        await world.storage.ledger.reap(everything=True)
        other = world.call(account_id, key="k1")
        assert await world.storage.ledger.hold(other) == Admitted(other.id, 4, False)

    @promise
    async def test_keys_of_two_accounts_are_different_keys(self, world: World) -> None:
        one, two = await world.account(10), await world.account(10)
        first = await world.captured(one, key="k1")
        again = world.call(two, key="k1", fingerprint=first.fingerprint)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)

    @promise
    async def test_two_keys_are_two_calls_whatever_their_arguments(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id, key="k1")
        again = world.call(account_id, key="k2", fingerprint=first.fingerprint)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)
        assert await world.balance(account_id) == (10, 8)

    @promise
    async def test_a_key_works_where_replay_is_off(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.captured(account_id, key="k1", replay=False)
        again = world.call(account_id, key="k1", fingerprint=first.fingerprint, replay=False)
        assert await world.storage.ledger.hold(again) == Captured(first.id, "{}", False)

    @promise
    async def test_a_key_is_free_again_after_a_day(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.captured(account_id, key="k1")
        await self.passes(world, DAY_S - 60)
        again = world.call(account_id, key="k1", fingerprint=first.fingerprint)
        assert await world.storage.ledger.peek(again) == Captured(first.id, "{}", False)
        await self.passes(world, 120)
        other = world.call(account_id, key="k1")
        assert await world.storage.ledger.hold(other) == Admitted(other.id, 4, False)

    @promise
    async def test_one_key_charged_50_times_at_once_is_paid_once(self, world: World) -> None:
        account_id = await world.account(25)
        first = world.call(account_id, key="k1")
        calls = [first] + [world.call(account_id, key="k1", fingerprint=first.fingerprint) for _ in range(49)]
        answers = await asyncio.gather(
            *(world.storage.ledger.charge(call, f"by {call.id}") for call in calls)
        )
        (paid,) = [answer for answer in answers if isinstance(answer, Admitted)]
        assert sum(answer == Captured(paid.call_id, f"by {paid.call_id}", False) for answer in answers) == 49
        assert await world.balance(account_id) == (21, 0)


class KeylessContract(StorageContract):
    """Calls that are known by tool and arguments alone."""

    @promise
    async def test_the_same_call_is_joined_while_it_runs(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id)
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.peek(again) == Running(first.id)
        assert await world.storage.ledger.hold(again) == Running(first.id)
        assert await world.balance(account_id) == (10, 4)

    @promise
    async def test_after_delivery_the_same_call_is_a_new_one(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.captured(account_id)
        other = await world.captured(account_id)
        await world.storage.ledger.delivered([first.id, world.ids.uuid()])
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert isinstance(await world.storage.ledger.peek(again), Fresh)
        unseen = world.call(account_id, fingerprint=other.fingerprint)
        assert await world.storage.ledger.peek(unseen) == Captured(other.id, "{}", False)
        await world.storage.ledger.post("grant", account_id, 4, "order-1", "os:operator")
        assert await world.storage.ledger.charge(again, "{}") == Admitted(again.id, 4, False)

    @promise
    async def test_a_result_stays_readable_after_delivery(self, world: World) -> None:
        call = await world.captured(await world.account(10))
        await world.storage.ledger.delivered([call.id])
        assert await world.storage.ledger.result(call.id) == Captured(call.id, "{}", False)

    @promise
    async def test_the_newest_unseen_answer_of_several_is_no_reason_to_pay_again(self, world: World) -> None:
        account_id = await world.account(20)
        first = await world.captured(account_id, result="one")
        await world.storage.ledger.delivered([first.id])
        second = await world.captured(account_id, fingerprint=first.fingerprint, result="two")
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.hold(again) == Captured(second.id, "two", False)

    @promise
    async def test_other_arguments_another_tool_or_another_account_are_another_call(
        self, world: World
    ) -> None:
        one, two = await world.account(20), await world.account(20)
        first = await world.captured(one)
        for call in (
            world.call(one),
            world.call(one, YEAR, fingerprint=first.fingerprint),
            world.call(two, fingerprint=first.fingerprint),
        ):
            assert isinstance(await world.storage.ledger.peek(call), Fresh)
            assert isinstance(await world.storage.ledger.hold(call), Admitted)

    @promise
    async def test_a_failed_call_runs_again(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id)
        await world.storage.ledger.release(first.id, "UPSTREAM_TIMEOUT")
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)

    @promise
    async def test_an_unseen_answer_is_kept_for_a_day(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.captured(account_id)
        await self.passes(world, DAY_S - 60)
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.peek(again) == Captured(first.id, "{}", False)
        await self.passes(world, 120)
        assert isinstance(await world.storage.ledger.peek(again), Fresh)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)

    @promise
    async def test_where_replay_is_off_the_same_call_runs_as_often_as_it_comes(self, world: World) -> None:
        account_id = await world.account(20)
        first = await world.admitted(account_id, replay=False)
        again = world.call(account_id, fingerprint=first.fingerprint, replay=False)
        assert isinstance(await world.storage.ledger.peek(again), Fresh)
        assert await world.storage.ledger.hold(again) == Admitted(again.id, 4, False)
        await world.storage.ledger.capture(first.id, "{}")
        third = world.call(account_id, fingerprint=first.fingerprint, replay=False)
        assert await world.storage.ledger.charge(third, "{}") == Admitted(third.id, 4, False)

    @promise
    async def test_a_call_without_a_key_finds_the_same_call_that_had_one(self, world: World) -> None:
        account_id = await world.account(20)
        first = await world.admitted(account_id, key="k1")
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.peek(again) == Running(first.id)
        assert await world.storage.ledger.hold(again) == Running(first.id)
        await world.storage.ledger.capture(first.id, "unseen")
        assert await world.storage.ledger.hold(again) == Captured(first.id, "unseen", False)
        await world.storage.ledger.delivered([first.id])
        assert isinstance(await world.storage.ledger.hold(again), Admitted)

    @promise
    async def test_the_same_call_50_times_at_once_runs_once(self, world: World) -> None:
        account_id = await world.account(25)
        first = world.call(account_id, READING)
        calls = [first] + [world.call(account_id, fingerprint=first.fingerprint) for _ in range(49)]
        answers = await asyncio.gather(*(world.storage.ledger.hold(call) for call in calls))
        (admitted,) = [answer for answer in answers if isinstance(answer, Admitted)]
        assert sum(answer == Running(admitted.call_id) for answer in answers) == 49
        assert await world.balance(account_id) == (25, 4)
