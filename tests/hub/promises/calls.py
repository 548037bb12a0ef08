"""What every ledger promises about a call: looked at, held, captured or released, or charged in one step."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import Admitted, Captured, Conflict, Fresh, Price, Refused, Running
from bazi_hub.testing.contract import ACTOR, CHART, READING, YEAR, World, promise, raises
from bazi_hub.testing.storage import StorageContract


class LookContract(StorageContract):
    @promise
    async def test_a_look_tells_that_the_free_quota_pays(self, world: World) -> None:
        account_id = await world.account(0)
        fresh = await world.storage.ledger.peek(world.call(account_id, CHART))
        assert isinstance(fresh, Fresh)
        assert fresh.free
        assert await world.free(account_id) == {CHART: 1}

    @promise
    async def test_what_all_running_calls_hold_is_told_in_one_number(self, world: World) -> None:
        for _ in range(2):
            await world.admitted(await world.account(10))
        assert await world.storage.ledger.held() == 8

    @promise
    async def test_a_look_tells_what_running_calls_hold(self, world: World) -> None:
        account_id = await world.account(7)
        await world.admitted(account_id)
        fresh = await world.storage.ledger.peek(world.call(account_id))
        assert isinstance(fresh, Fresh)
        assert (fresh.free, fresh.posted, fresh.held) == (False, 7, 4)

    @promise
    async def test_a_tool_without_a_price_is_an_error(self, world: World) -> None:
        account_id = await world.account(10)
        for ask in (world.storage.ledger.peek, world.storage.ledger.hold):
            with raises(LookupError):
                await ask(world.call(account_id, "unpriced_tool"))


class HoldContract(StorageContract):
    @promise
    async def test_an_unknown_call_has_no_state_and_no_result(self, world: World) -> None:
        assert await world.storage.ledger.state(world.ids.uuid()) is None
        assert await world.storage.ledger.result(world.ids.uuid()) is None

    @promise
    async def test_captures_at_the_same_moment_pay_once(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        paid = await asyncio.gather(*(world.storage.ledger.capture(call.id, str(n)) for n in range(8)))
        assert sum(one is not None for one in paid) == 1
        assert await world.balance(account_id) == (6, 0)

    @promise
    async def test_a_capture_against_a_release_leaves_one_winner(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        ledger = world.storage.ledger
        paid, freed = await asyncio.gather(ledger.capture(call.id, "{}"), ledger.release(call.id, "X"))
        assert (paid is not None) != freed
        assert await world.balance(account_id) == ((6, 0) if paid else (10, 0))

    @promise
    async def test_a_released_call_cannot_be_captured_or_released_again(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        await world.storage.ledger.release(call.id, "UPSTREAM_ERROR")
        assert await world.storage.ledger.capture(call.id, "late", day=5) is None
        assert not await world.storage.ledger.release(call.id, "REST_ERROR")
        assert await world.storage.ledger.state(call.id) == ("released", "UPSTREAM_ERROR")
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.uncharged(account_id, 5) == 0

    @promise
    async def test_an_unknown_call_cannot_be_captured_or_released(self, world: World) -> None:
        assert await world.storage.ledger.capture(world.ids.uuid(), "{}") is None
        assert not await world.storage.ledger.release(world.ids.uuid(), "X")

    @promise
    async def test_what_is_held_cannot_be_held_again(self, world: World) -> None:
        account_id = await world.account(7)
        await world.admitted(account_id)
        refused = await world.storage.ledger.hold(world.call(account_id))
        assert isinstance(refused, Refused)
        assert (refused.price.credit_cost, refused.posted, refused.held) == (4, 7, 4)
        assert await world.balance(account_id) == (7, 4)

    @promise
    async def test_the_last_credit_can_be_spent(self, world: World) -> None:
        account_id = await world.account(4)
        await world.captured(account_id)
        assert await world.balance(account_id) == (0, 0)

    @promise
    async def test_the_least_balance_is_asked_for_where_it_is_more_than_the_price(self, world: World) -> None:
        await world.storage.pricing.set(Price(READING, 2, 6, 0, True), ACTOR)
        account_id = await world.account(7)
        call = await world.admitted(account_id)
        assert await world.balance(account_id) == (7, 2)
        refused = await world.storage.ledger.hold(world.call(account_id))
        assert isinstance(refused, Refused)
        assert (refused.price.least, refused.posted - refused.held) == (6, 5)
        await world.storage.ledger.capture(call.id, "{}")
        assert await world.balance(account_id) == (5, 0)

    @promise
    async def test_the_price_is_that_of_the_admission(self, world: World) -> None:
        """F14, I11."""
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        await world.storage.pricing.set(Price(READING, 9, 9, 0, True), ACTOR)
        assert await world.storage.ledger.capture(call.id, "{}") == Admitted(call.id, 4, False)
        assert await world.balance(account_id) == (6, 0)
        assert isinstance(await world.storage.ledger.hold(world.call(account_id)), Refused)

    @promise
    async def test_a_free_capture_costs_nothing(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        assert await world.storage.ledger.capture(call.id, "help", free=True) == Admitted(call.id, 0, False)
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.result(call.id) == Captured(call.id, "help", False)
        assert [entry.kind for entry in await world.storage.ledger.entries(account_id)] == ["starter"]

    @promise
    async def test_an_account_that_is_not_there_is_an_error(self, world: World) -> None:
        with raises(LookupError):
            await world.storage.ledger.hold(world.call(world.ids.uuid()))
        assert await world.storage.ledger.account(world.ids.uuid()) is None
        assert await world.storage.ledger.entries(world.ids.uuid()) == []
        assert await world.storage.ledger.standing(world.ids.uuid()) is None

    @promise
    async def test_the_id_of_a_call_is_used_once(self, world: World) -> None:
        account_id = await world.account(20)
        call = await world.captured(account_id)
        with raises(Conflict):
            await world.storage.ledger.hold(world.call(account_id, id=call.id))
        with raises(Conflict):
            await world.storage.ledger.charge(world.call(account_id, id=call.id), "{}")
        assert await world.balance(account_id) == (16, 0)


class QuotaContract(StorageContract):
    @promise
    async def test_the_free_quota_asks_for_no_balance(self, world: World) -> None:
        account_id = await world.account(0)
        call = world.call(account_id, CHART)
        assert await world.storage.ledger.charge(call, "{}") == Admitted(call.id, 0, True)
        assert isinstance(await world.storage.ledger.charge(world.call(account_id, CHART), "{}"), Refused)

    @promise
    async def test_what_the_quota_pays_posts_nothing(self, world: World) -> None:
        account_id = await world.account(10)
        await world.captured(account_id, CHART)
        assert [entry.kind for entry in await world.storage.ledger.entries(account_id)] == ["starter"]

    @promise
    async def test_a_reserved_unit_comes_back_when_the_call_is_released(self, world: World) -> None:
        account_id = await world.account(0)
        call = await world.admitted(account_id, CHART)
        assert isinstance(await world.storage.ledger.hold(world.call(account_id, CHART)), Refused)
        await world.storage.ledger.release(call.id, "INTERNAL_ERROR")
        assert await world.free(account_id) == {CHART: 1}
        assert isinstance(await world.storage.ledger.hold(world.call(account_id, CHART)), Admitted)

    @promise
    async def test_a_reserved_unit_comes_back_after_a_free_capture(self, world: World) -> None:
        account_id = await world.account(0)
        call = await world.admitted(account_id, CHART)
        assert await world.storage.ledger.capture(call.id, "help", free=True) == Admitted(call.id, 0, False)
        assert await world.free(account_id) == {CHART: 1}

    @promise
    async def test_a_quota_of_one_lets_one_pass_however_many_come_at_once(self, world: World) -> None:
        """F2."""
        account_id = await world.account(0)
        answers = await asyncio.gather(
            *(world.storage.ledger.charge(world.call(account_id, CHART), "{}") for _ in range(200))
        )
        assert sum(isinstance(answer, Admitted) for answer in answers) == 1
        assert sum(isinstance(answer, Refused) for answer in answers) == 199

    @promise
    async def test_a_quota_of_three_is_used_up_one_by_one(self, world: World) -> None:
        await world.storage.pricing.set(Price(READING, 4, 4, 3, True), ACTOR)
        account_id = await world.account(4)
        left = []
        for _ in range(4):
            await world.captured(account_id)
            left.append((await world.free(account_id))[READING])
        assert left == [2, 1, 0, 0]
        assert await world.balance(account_id) == (0, 0)


class ChargeContract(StorageContract):
    @promise
    async def test_a_charge_pays_and_keeps_the_result_in_one_step(self, world: World) -> None:
        account_id = await world.account(10)
        call = world.call(account_id, YEAR)
        assert await world.storage.ledger.charge(call, "{}") == Admitted(call.id, 1, False)
        assert await world.balance(account_id) == (9, 0)
        assert await world.storage.ledger.state(call.id) == ("captured", None)
        assert await world.storage.ledger.result(call.id) == Captured(call.id, "{}", False)

    @promise
    async def test_a_charge_does_not_touch_what_is_held(self, world: World) -> None:
        account_id = await world.account(4)
        call = await world.admitted(account_id)
        assert isinstance(await world.storage.ledger.charge(world.call(account_id, YEAR), "{}"), Refused)
        await world.storage.ledger.capture(call.id, "{}")
        assert await world.balance(account_id) == (0, 0)

    @promise
    async def test_a_free_charge_takes_neither_credits_nor_quota(self, world: World) -> None:
        account_id = await world.account(10)
        for tool in (CHART, READING):
            call = world.call(account_id, tool)
            assert await world.storage.ledger.charge(call, "help", free=True) == Admitted(call.id, 0, False)
            assert await world.storage.ledger.result(call.id) == Captured(call.id, "help", False)
        assert await world.balance(account_id) == (10, 0)
        assert await world.free(account_id) == {CHART: 1}
        assert [entry.kind for entry in await world.storage.ledger.entries(account_id)] == ["starter"]

    @promise
    async def test_a_free_charge_is_refused_to_nobody(self, world: World) -> None:
        account_id = await world.account(0)
        call = world.call(account_id)
        assert await world.storage.ledger.charge(call, "help", free=True) == Admitted(call.id, 0, False)

    @promise
    async def test_a_tool_that_costs_nothing_runs_the_same_path(self, world: World) -> None:
        await world.storage.pricing.set(Price(READING, 0, 0, 0, True), ACTOR)
        account_id = await world.account(0)
        charged = world.call(account_id)
        assert await world.storage.ledger.charge(charged, "{}") == Admitted(charged.id, 0, False)
        held = await world.captured(account_id)
        assert {record.id for record in await world.storage.ledger.history(account_id, 10)} == {
            charged.id,
            held.id,
        }
        assert await world.storage.ledger.entries(account_id) == []

    @promise
    async def test_charges_at_the_same_moment_spend_no_more_than_there_is(self, world: World) -> None:
        account_id = await world.account(5)
        answers = await asyncio.gather(
            *(world.storage.ledger.charge(world.call(account_id, YEAR), "{}") for _ in range(40))
        )
        assert sum(isinstance(answer, Admitted) for answer in answers) == 5
        assert await world.balance(account_id) == (0, 0)

    @promise
    async def test_a_charge_joins_the_same_call_that_runs(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.admitted(account_id)
        again = world.call(account_id, fingerprint=first.fingerprint)
        assert await world.storage.ledger.charge(again, "{}") == Running(first.id)
        assert await world.balance(account_id) == (10, 4)
