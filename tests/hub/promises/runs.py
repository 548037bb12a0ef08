"""What every log of runs promises: transitions that are one transaction with the money, numbers without gaps, a history."""

from __future__ import annotations

import asyncio
from typing import Any

from bazi_hub.ports import Refused, days
from bazi_hub.ports.runs import (
    TOOL,
    Begun,
    Derivation,
    Event,
    NewRun,
    OtherCast,
    Run,
    RunAnswer,
    ThreadBusy,
)
from bazi_hub.testing.contract import ACTOR, World, promise
from bazi_hub.testing.storage import StorageContract

CAST = Derivation('{"question":"去吗？"}', '{"guaName":"水火既济"}', '{"sign":{"level":"中上签"}}')
OTHER_CAST = Derivation('{"question":"留吗？"}', '{"guaName":"山火贲"}', '{"sign":{"level":"下下签"}}')
THREAD, OTHER_THREAD = "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11", "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f12"
COST = 4


def new_run(world: World, run_id: str = "r1", thread_id: str = THREAD, **members: Any) -> NewRun:
    """A run that asks to be admitted."""
    run = NewRun(
        world.ids.uuid(), thread_id, run_id, "f" * 64, CAST, True, False, '{"a":1}', "去吗？", world.ids.uuid(), None
    )  # fmt: skip
    return run._replace(**members)


async def begun(world: World, account_id: str, run_id: str = "r1", **members: Any) -> Run:
    """A run that is running."""
    lease = {name: members.pop(name) for name in ("worker", "lease_s") if name in members}
    call = world.call(account_id, TOOL, replay=False, **lease)
    found = await world.storage.runs.admit(new_run(world, run_id, **members), call)
    assert isinstance(found, Begun), found
    return found.run


def answer(world: World, text: str = "宜守。") -> tuple[RunAnswer, list[Event]]:
    """An interpretation, and its events."""
    message_id, now_ms = world.ids.uuid(), world.clock.now_ms()
    output = {"status": "success", "answer": text}
    events = [
        Event("text_started", now_ms, {"id": message_id}),
        Event("text", now_ms, {"id": message_id, "delta": text}),
        Event("text_ended", now_ms, {"id": message_id, "output": output}),
        Event("step_finished", now_ms, {"step": "interpret"}),
        Event("finished", now_ms, {"outcome": "success"}),
    ]
    return RunAnswer(message_id, text, f'{{"status":"success","answer":"{text}"}}'), events


def silence(world: World) -> RunAnswer:
    return RunAnswer(world.ids.uuid(), "", '{"status":"error","answer":""}')


async def succeeded(world: World, account_id: str, run_id: str = "r1", **members: Any) -> Run:
    """A run that was interpreted and paid."""
    run = await begun(world, account_id, run_id, **members)
    said, events = answer(world)
    assert await world.storage.runs.succeed(run.call_id, said, events) is not None
    return await found(world, run)


async def found(world: World, run: Run) -> Run:
    """The run as it stands now."""
    met = await world.storage.runs.meet(run.account_id, run.thread_id, run.run_id)
    assert met.run is not None
    return met.run


async def kinds(world: World, run: Run, after: int = 0) -> list[str]:
    events = await world.storage.runs.events(run.id, after)
    assert [event.seq for event in events] == list(range(after + 1, after + 1 + len(events)))
    return [event.kind for event in events]


OPENING = ["started", "step_started", "derived", "step_finished", "step_started"]
ANSWERED = ["text_started", "text", "text_ended", "step_finished", "finished"]
FAILED = ["step_finished", "failed"]


class AdmitContract(StorageContract):
    @promise
    async def test_an_admitted_run_holds_its_price_and_opens_its_log(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id)
        assert (run.status, run.attempt, run.last_seq, run.attempt_seq, run.held) == (
            "running", 1, 5, 1, COST,
        )  # fmt: skip
        assert await world.balance(account_id) == (10, COST)
        assert await kinds(world, run) == OPENING
        assert await found(world, run) == run
        page = await world.storage.runs.messages(account_id, None, None, None, None, 10)
        assert [(one.seq, one.role, one.content) for one in page.messages] == [(1, "user", "去吗？")]

    @promise
    async def test_a_run_without_a_cast_of_its_own_is_not_derived_again(self, world: World) -> None:
        account_id = await world.account(10)
        await succeeded(world, account_id)
        assert await kinds(world, await begun(world, account_id, "r2", derived=False)) == [
            "started",
            "step_started",
        ]

    @promise
    async def test_who_cannot_pay_leaves_no_trace(self, world: World) -> None:
        account_id = await world.account(3)
        call = world.call(account_id, TOOL, replay=False)
        refused = await world.storage.runs.admit(new_run(world), call)
        assert isinstance(refused, Refused)
        assert (refused.posted, refused.held) == (3, 0)
        met = await world.storage.runs.meet(account_id, THREAD, "r1")
        assert met == (None, None, None)
        assert (await world.storage.runs.messages(account_id, None, None, None, None, 10)).messages == []
        assert await world.storage.ledger.history(account_id, 10) == []

    @promise
    async def test_a_run_that_stands_there_is_given_back(self, world: World) -> None:
        account_id = await world.account(20)
        run = await begun(world, account_id)
        for fingerprint in ("f" * 64, "0" * 64):
            again = new_run(world, fingerprint=fingerprint)
            assert await world.storage.runs.admit(again, world.call(account_id, TOOL, replay=False)) == run
        assert await world.balance(account_id) == (20, COST)

    @promise
    async def test_a_thread_runs_one_run_at_a_time(self, world: World) -> None:
        account_id = await world.account(20)
        await begun(world, account_id)
        second = await world.storage.runs.admit(
            new_run(world, "r2"), world.call(account_id, TOOL, replay=False)
        )
        assert second == ThreadBusy("r1")
        await begun(world, account_id, "r2", thread_id=OTHER_THREAD)
        assert await world.balance(account_id) == (20, 2 * COST)

    @promise
    async def test_a_thread_has_one_cast(self, world: World) -> None:
        account_id = await world.account(20)
        run = await succeeded(world, account_id)
        other = new_run(world, "r2", derivation=OTHER_CAST)
        assert (
            await world.storage.runs.admit(other, world.call(account_id, TOOL, replay=False)) == OtherCast()
        )
        assert await world.storage.runs.derivation(run.id) == CAST
        thread = await world.storage.runs.thread(account_id, THREAD)
        assert thread is not None
        assert (thread.derivation, thread.first_run) == (CAST, "r1")

    @promise
    async def test_what_another_release_derives_does_not_change_what_was_told(self, world: World) -> None:
        account_id = await world.account(20)
        old = await succeeded(world, account_id)
        newer = CAST._replace(analysis='{"sign":{"level":"中下签"}}')
        new = await succeeded(world, account_id, "r2", derivation=newer)
        assert await world.storage.runs.derivation(old.id) == CAST
        assert await world.storage.runs.derivation(new.id) == newer

    @promise
    async def test_of_fifty_equal_submissions_one_begins(self, world: World) -> None:
        account_id = await world.account(1000)
        found = await asyncio.gather(
            *(
                world.storage.runs.admit(new_run(world), world.call(account_id, TOOL, replay=False))
                for _ in range(50)
            )
        )
        assert sum(isinstance(one, Begun) for one in found) == 1
        assert sum(isinstance(one, Run) for one in found) == 49
        assert await world.balance(account_id) == (1000, COST)

    @promise
    async def test_of_twenty_runs_in_one_thread_one_begins(self, world: World) -> None:
        account_id = await world.account(1000)
        found = await asyncio.gather(
            *(
                world.storage.runs.admit(new_run(world, f"r{n}"), world.call(account_id, TOOL, replay=False))
                for n in range(20)
            )
        )
        assert sum(isinstance(one, Begun) for one in found) == 1
        assert sum(isinstance(one, ThreadBusy) for one in found) == 19

    @promise
    async def test_twenty_threads_of_one_account_hold_what_it_has(self, world: World) -> None:
        account_id = await world.account(25)
        threads = [f"7b0c9a52-2f0b-4d52-9a65-0c4f0a6f80{n:02}" for n in range(20)]
        found = await asyncio.gather(
            *(
                world.storage.runs.admit(
                    new_run(world, thread_id=thread), world.call(account_id, TOOL, replay=False)
                )
                for thread in threads
            )
        )
        assert sum(isinstance(one, Begun) for one in found) == 6
        assert sum(isinstance(one, Refused) for one in found) == 14
        assert await world.balance(account_id) == (25, 24)
        page = await world.storage.runs.messages(account_id, None, None, None, None, 100)
        assert sorted(one.seq for one in page.messages) == list(range(1, 7))

    @promise
    async def test_the_time_zone_of_a_thread_is_the_last_that_was_told(self, world: World) -> None:
        account_id = await world.account(20)
        for run_id, timezone in (("r1", None), ("r2", "Asia/Shanghai"), ("r3", None), ("r4", "Asia/Tokyo")):
            await succeeded(world, account_id, run_id, timezone=timezone)
        thread = await world.storage.runs.thread(account_id, THREAD)
        assert thread is not None
        assert thread.timezone == "Asia/Tokyo"

    @promise
    async def test_two_accounts_may_use_one_thread_id(self, world: World) -> None:
        mine, yours = await world.account(20), await world.account(20)
        await begun(world, mine)
        await begun(world, yours, derivation=OTHER_CAST)
        stranger = await world.account(20)
        assert await world.storage.runs.meet(stranger, THREAD, "r1") == (None, None, None)
        assert await world.storage.runs.thread(stranger, THREAD) is None
        assert await world.storage.runs.cancel(stranger, THREAD, "r1", silence(world)) is None


class SettleContract(StorageContract):
    @promise
    async def test_text_message_and_payment_come_together(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id)
        said, events = answer(world)
        paid = await world.storage.runs.succeed(run.call_id, said, events)
        assert paid is not None
        assert (paid.cost, paid.from_free_quota) == (COST, False)
        run = await found(world, run)
        assert (run.status, run.deducted, run.last_seq) == ("succeeded", COST, 10)
        assert run.finished_ms is not None
        assert await world.balance(account_id) == (6, 0)
        assert await kinds(world, run) == OPENING + ANSWERED
        assert await kinds(world, run, 8) == ANSWERED[3:]
        newest = (await world.storage.runs.messages(account_id, None, None, None, None, 1)).messages[0]
        assert (newest.id, newest.role, newest.content) == (said.message_id, "assistant", "宜守。")
        assert newest.output == said.output
        assert newest.derivation == CAST

    @promise
    async def test_a_free_answer_costs_nothing_and_may_count_as_uncharged(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id, asks=True)
        said, events = answer(world)
        today = days(world.clock.now_ms())
        paid = await world.storage.runs.succeed(run.call_id, said, events, free=True, day=today)
        assert paid is not None
        assert paid.cost == 0
        assert (await found(world, run)).deducted == 0
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.uncharged(account_id, today) == 1

    @promise
    async def test_a_failed_run_gives_its_hold_back_and_says_why(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id, asks=True)
        today = days(world.clock.now_ms())
        assert await world.storage.runs.fail(
            run.call_id, silence(world), "UPSTREAM_TIMEOUT", "too slow", today
        )
        run = await found(world, run)
        assert (run.status, run.error, run.deducted) == ("failed", ("UPSTREAM_TIMEOUT", "too slow"), 0)
        assert await kinds(world, run) == OPENING + FAILED
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.uncharged(account_id, today) == 1
        record = (await world.storage.ledger.history(account_id, 1))[0]
        assert (record.tool, record.state, record.error) == (TOOL, "released", "UPSTREAM_TIMEOUT")

    @promise
    async def test_a_failed_run_runs_again_under_its_name_only_if_it_is_the_same(self, world: World) -> None:
        account_id = await world.account(10)
        first = await begun(world, account_id)
        assert await world.storage.runs.fail(first.call_id, silence(world), "REST_ERROR", "no")
        other = new_run(world, fingerprint="0" * 64)
        call = world.call(account_id, TOOL, replay=False)
        assert await world.storage.runs.admit(other, call) == await found(world, first)
        second = await begun(world, account_id)
        assert (second.id, second.attempt, second.attempt_seq, second.status) == (first.id, 2, 8, "running")
        assert second.error is None
        said, events = answer(world)
        assert await world.storage.runs.succeed(second.call_id, said, events) is not None
        assert await kinds(world, second) == [*OPENING, *FAILED, *OPENING, *ANSWERED]
        page = await world.storage.runs.messages(account_id, None, None, None, None, 10)
        assert [one.role for one in page.messages] == ["assistant", "assistant", "user"]
        assert await world.balance(account_id) == (6, 0)

    @promise
    async def test_the_result_of_a_dead_attempt_changes_nothing(self, world: World) -> None:
        account_id = await world.account(10)
        first = await begun(world, account_id)
        assert await world.storage.runs.fail(first.call_id, silence(world), "REST_ERROR", "no")
        second = await begun(world, account_id)
        said, events = answer(world)
        assert await world.storage.runs.succeed(first.call_id, said, events, day=1) is None
        assert not await world.storage.runs.fail(first.call_id, silence(world), "REST_ERROR", "no", 1)
        assert await found(world, second) == second
        assert await world.balance(account_id) == (10, COST)
        assert await world.storage.ledger.uncharged(account_id, 1) == 0

    @promise
    async def test_a_cancelled_run_stays_cancelled(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id)
        for _ in range(2):
            stopped = await world.storage.runs.cancel(account_id, THREAD, "r1", silence(world), 7)
            assert stopped is not None
            assert stopped.status == "cancelled"
        assert await kinds(world, run) == [*OPENING, "step_finished", "finished"]
        assert await world.balance(account_id) == (10, 0)
        said, events = answer(world)
        assert await world.storage.runs.succeed(run.call_id, said, events) is None
        again = await world.storage.runs.admit(new_run(world), world.call(account_id, TOOL, replay=False))
        assert again == await found(world, run)
        # No model was asked, so nothing was asked in vain.
        assert await world.storage.ledger.uncharged(account_id, 7) == 0

    @promise
    async def test_a_model_that_is_cancelled_was_asked_in_vain(self, world: World) -> None:
        account_id = await world.account(10)
        await begun(world, account_id, asks=True)
        await world.storage.runs.cancel(account_id, THREAD, "r1", silence(world), 7)
        assert await world.storage.ledger.uncharged(account_id, 7) == 1

    @promise
    async def test_what_has_ended_is_not_cancelled(self, world: World) -> None:
        account_id = await world.account(10)
        run = await succeeded(world, account_id)
        assert await world.storage.runs.cancel(account_id, THREAD, "r1", silence(world)) == run
        assert await world.storage.runs.cancel(account_id, THREAD, "r2", silence(world)) is None

    @promise
    async def test_of_all_who_end_a_run_one_does(self, world: World) -> None:
        account_id = await world.account(1000)
        runs = world.storage.runs
        for number in range(20):
            run = await begun(world, account_id, f"r{number}")
            said, events = answer(world)
            paid, failed, stopped = await asyncio.gather(
                runs.succeed(run.call_id, said, events),
                runs.fail(run.call_id, silence(world), "REST_ERROR", "no"),
                runs.cancel(account_id, THREAD, run.run_id, silence(world)),
            )
            run = await found(world, run)
            ends = {"succeeded": paid is not None, "failed": failed}
            assert sum(ends.values()) == (run.status != "cancelled")
            assert ends.get(run.status, True)
            assert stopped is not None
            assert stopped.status == run.status
        spent = sum(one.credits_deducted for one in await world.storage.ledger.history(account_id, 100))
        assert await world.balance(account_id) == (1000 - spent, 0)

    @promise
    async def test_a_price_that_changes_meanwhile_is_not_that_of_a_running_run(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id)
        price = (await world.storage.pricing.all())[TOOL]
        await world.storage.pricing.set(price._replace(credit_cost=9, min_balance=9), ACTOR)
        said, events = answer(world)
        paid = await world.storage.runs.succeed(run.call_id, said, events)
        assert paid is not None
        assert paid.cost == COST

    @promise
    async def test_the_free_quota_pays_first(self, world: World) -> None:
        price = (await world.storage.pricing.all())[TOOL]
        await world.storage.pricing.set(price._replace(free_quota=1), ACTOR)
        account_id = await world.account(COST)
        run = await begun(world, account_id)
        assert run.held == 0
        assert await world.balance(account_id) == (COST, 0)
        assert await world.storage.runs.cancel(account_id, THREAD, "r1", silence(world)) is not None
        assert (await succeeded(world, account_id, "r2")).deducted == 0
        assert (await succeeded(world, account_id, "r3")).deducted == COST
