"""What every log of runs promises about time: interruption, the history, logs that go, accounts that are erased."""

from __future__ import annotations

from bazi_hub.ports import Account, Conflict
from bazi_hub.ports.runs import INTERRUPTED
from bazi_hub.testing.contract import ACTOR, World, promise, raises
from bazi_hub.testing.storage import StorageContract
from tests.hub.promises.runs import (
    ANSWERED,
    CAST,
    FAILED,
    OPENING,
    OTHER_THREAD,
    THREAD,
    AdmitContract,
    SettleContract,
    answer,
    begun,
    found,
    kinds,
    silence,
    succeeded,
)


class InterruptContract(StorageContract):
    @promise
    async def test_a_run_whose_lease_passed_is_interrupted(self, world: World) -> None:
        account_id = await world.account(10)
        run = await begun(world, account_id, lease_s=60)
        await self.passes(world, 62)
        assert await world.storage.ledger.reap() == 1
        run = await found(world, run)
        assert (run.status, run.error) == ("failed", INTERRUPTED)
        assert run.finished_ms is not None
        assert await kinds(world, run) == OPENING + FAILED
        assert await world.balance(account_id) == (10, 0)
        newest = (await world.storage.runs.messages(account_id, None, None, None, None, 1)).messages[0]
        assert newest.output is not None
        assert "RUN_INTERRUPTED" in newest.output
        said, events = answer(world)
        assert await world.storage.runs.succeed(run.call_id, said, events) is None
        assert (await begun(world, account_id)).attempt == 2

    @promise
    async def test_a_run_of_a_silent_worker_is_interrupted(self, world: World) -> None:
        account_id = await world.account(10)
        ledger = world.storage.ledger
        await ledger.heartbeat("dead")
        run = await begun(world, account_id, worker="dead")
        await self.passes(world, 32)
        assert await ledger.reap() == 1
        assert (await found(world, run)).status == "failed"

    @promise
    async def test_a_restart_interrupts_what_was_running(self, world: World) -> None:
        account_id = await world.account(20)
        runs = [await begun(world, account_id, thread_id=thread) for thread in (THREAD, OTHER_THREAD)]
        ended = await succeeded(world, account_id, thread_id=THREAD[:-2] + "99")
        assert await world.storage.ledger.reap(everything=True) == 2
        assert [(await found(world, run)).status for run in runs] == ["failed", "failed"]
        assert await found(world, ended) == ended
        assert await world.balance(account_id) == (16, 0)


class RunHistoryContract(StorageContract):
    @promise
    async def test_messages_are_numbered_by_account_across_threads(self, world: World) -> None:
        mine, yours = await world.account(100), await world.account(100)
        for number in range(3):
            await succeeded(world, mine, f"r{number}", thread_id=(THREAD, OTHER_THREAD)[number % 2])
            await succeeded(world, yours, f"r{number}")
        page = await world.storage.runs.messages(mine, None, None, None, None, 10)
        assert [one.seq for one in page.messages] == [6, 5, 4, 3, 2, 1]
        assert [one.role for one in page.messages] == ["assistant", "user"] * 3
        assert not page.more
        of_thread = await world.storage.runs.messages(mine, OTHER_THREAD, None, None, None, 10)
        assert [one.seq for one in of_thread.messages] == [4, 3]

    @promise
    async def test_pages_neither_skip_nor_repeat_while_messages_arrive(self, world: World) -> None:
        account_id = await world.account(1000)
        for number in range(5):
            await succeeded(world, account_id, f"r{number}")
        seen: list[int] = []
        before = None
        for number in range(5, 20):
            page = await world.storage.runs.messages(account_id, THREAD, None, None, before, 3)
            seen += [one.seq for one in page.messages]
            if not page.more:
                break
            before = seen[-1]
            await succeeded(world, account_id, f"r{number}")
        assert seen == list(range(10, 0, -1))

    @promise
    async def test_a_span_begins_with_its_first_millisecond_and_ends_before_its_last(
        self, world: World
    ) -> None:
        account_id = await world.account(100)
        start = world.clock.now_ms()
        for number in range(3):
            await succeeded(world, account_id, f"r{number}")
            await self.passes(world, 1)
        page = await world.storage.runs.messages(account_id, None, start + 1000, start + 2000, None, 10)
        assert [one.run_id for one in page.messages] == ["r1", "r1"]
        early = await world.storage.runs.messages(account_id, None, start - 1000, start, None, 10)
        assert early.messages == []


class LogLifeContract(StorageContract):
    @promise
    async def test_old_logs_go_and_the_history_stays(self, world: World) -> None:
        account_id = await world.account(100)
        old = await succeeded(world, account_id, "old")
        await self.passes(world, 100)
        young = await succeeded(world, account_id, "young")
        running = await begun(world, account_id, "running")
        assert await world.storage.runs.purge(world.clock.now_ms() - 50_000) == 1
        assert await world.storage.runs.purge(world.clock.now_ms() - 50_000) == 0
        assert (await found(world, old)).purged
        assert await world.storage.runs.events(old.id, 0) == []
        assert not (await found(world, young)).purged
        assert await kinds(world, young) == OPENING + ANSWERED
        assert await kinds(world, running) == OPENING
        page = await world.storage.runs.messages(account_id, None, None, None, None, 10)
        assert len(page.messages) == 5
        assert page.messages[-2].derivation == CAST

    @promise
    async def test_a_failed_run_whose_log_is_gone_runs_again(self, world: World) -> None:
        account_id = await world.account(100)
        run = await begun(world, account_id)
        assert await world.storage.runs.fail(run.call_id, silence(world), "REST_ERROR", "no")
        await self.passes(world, 100)
        assert await world.storage.runs.purge(world.clock.now_ms()) == 1
        again = await begun(world, account_id)
        assert (again.purged, again.attempt, again.attempt_seq) == (False, 2, 8)
        assert [event.seq for event in await world.storage.runs.events(run.id, 0)] == [8, 9, 10, 11, 12]

    @promise
    async def test_numbers_of_many_logs_are_told_at_once(self, world: World) -> None:
        account_id = await world.account(100)
        run = await succeeded(world, account_id)
        other = await begun(world, account_id, thread_id=OTHER_THREAD)
        assert await world.storage.runs.sequences([run.id, other.id, "unknown"]) == {run.id: 10, other.id: 5}
        assert await world.storage.runs.sequences([]) == {}

    @promise
    async def test_an_erased_account_leaves_nothing_of_its_runs(self, world: World) -> None:
        mine, yours = await world.account(20), await world.account(20)
        run = await succeeded(world, mine)
        await succeeded(world, yours)
        await world.storage.accounts.erase(mine, ACTOR)
        assert await world.storage.runs.meet(mine, THREAD, "r1") == (None, None, None)
        assert await world.storage.runs.thread(mine, THREAD) is None
        assert await world.storage.runs.events(run.id, 0) == []
        assert (await world.storage.runs.messages(mine, None, None, None, None, 10)).messages == []
        assert len((await world.storage.runs.messages(yours, None, None, None, None, 10)).messages) == 2
        account = await world.storage.accounts.get(mine)
        assert isinstance(account, Account)
        assert account.status == "erased"

    @promise
    async def test_an_account_is_not_erased_while_it_runs(self, world: World) -> None:
        account_id = await world.account(20)
        await begun(world, account_id)
        with raises(Conflict):
            await world.storage.accounts.erase(account_id, ACTOR)


class RunLogContract(AdmitContract, SettleContract, InterruptContract, RunHistoryContract, LogLifeContract):
    """Every promise of `bazi_hub.ports.runs.RunLog`; after each, `verify` finds nothing."""
