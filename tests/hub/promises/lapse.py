"""What every ledger promises about time: leases, silent workers, results that are kept for a while, budgets of a day."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import Admitted, Captured, Fresh, days
from bazi_hub.testing.contract import CHART, World, promise
from bazi_hub.testing.storage import StorageContract


class LeaseContract(StorageContract):
    @promise
    async def test_an_expired_call_gives_its_quota_back(self, world: World) -> None:
        account_id = await world.account(0)
        await world.admitted(account_id, CHART, lease_s=60)
        await self.passes(world, 62)
        assert await world.storage.ledger.reap() == 1
        assert await world.free(account_id) == {CHART: 1}

    @promise
    async def test_a_late_answer_is_not_paid(self, world: World) -> None:
        """F8."""
        account_id = await world.account(10)
        call = await world.admitted(account_id, lease_s=60)
        await self.passes(world, 62)
        await world.storage.ledger.reap()
        assert await world.storage.ledger.capture(call.id, "late", day=5) is None
        assert not await world.storage.ledger.release(call.id, "UPSTREAM_TIMEOUT", day=5)
        assert await world.storage.ledger.result(call.id) is None
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.uncharged(account_id, 5) == 0

    @promise
    async def test_a_call_whose_worker_is_silent_for_30_seconds_expires(self, world: World) -> None:
        account_id = await world.account(20)
        ledger = world.storage.ledger
        for worker in ("alive", "dead"):
            await ledger.heartbeat(worker)
        calls = {
            worker: await world.admitted(account_id, worker=worker) for worker in ("alive", "dead", "mute")
        }
        for _ in range(2):
            await self.passes(world, 14)
            await ledger.heartbeat("alive")
        assert await ledger.reap() == 0
        await self.passes(world, 4)
        assert await ledger.reap() == 2
        states = {worker: await ledger.state(call.id) for worker, call in calls.items()}
        assert {worker: state and state[0] for worker, state in states.items()} == {
            "alive": "running",
            "dead": "expired",
            "mute": "expired",
        }
        assert await world.balance(account_id) == (20, 4)

    @promise
    async def test_the_calls_of_a_worker_that_is_known_to_be_dead_expire_at_once(self, world: World) -> None:
        account_id = await world.account(20)
        ledger = world.storage.ledger
        for worker in ("alive", "dead"):
            await ledger.heartbeat(worker)
        calls = {worker: await world.admitted(account_id, worker=worker) for worker in ("alive", "dead", "")}
        assert await ledger.reap() == 0
        assert await ledger.reap(dead=["dead", "never seen"]) == 1
        states = {worker: await ledger.state(call.id) for worker, call in calls.items()}
        assert {worker for worker, state in states.items() if state == ("running", None)} == {"alive", ""}
        assert await world.balance(account_id) == (20, 8)
        assert await ledger.reap(dead=["dead"]) == 0

    @promise
    async def test_a_call_that_just_began_outlives_the_silence_before_it(self, world: World) -> None:
        account_id = await world.account(20)
        await world.storage.ledger.heartbeat("w")
        await self.passes(world, 40)
        await world.admitted(account_id, worker="w")
        assert await world.storage.ledger.reap() == 0
        await self.passes(world, 32)
        assert await world.storage.ledger.reap() == 1

    @promise
    async def test_a_call_without_a_worker_has_its_lease_alone(self, world: World) -> None:
        account_id = await world.account(20)
        await world.admitted(account_id, lease_s=330)
        await self.passes(world, 120)
        assert await world.storage.ledger.reap() == 0

    @promise
    async def test_everything_that_runs_can_be_ended(self, world: World) -> None:
        account_id = await world.account(20)
        await world.captured(account_id)
        for _ in range(3):
            await world.admitted(account_id)
        assert await world.storage.ledger.reap(everything=True) == 3
        assert await world.balance(account_id) == (16, 0)

    @promise
    async def test_two_reapers_at_once_give_back_once(self, world: World) -> None:
        account_id = await world.account(20)
        for _ in range(4):
            await world.admitted(account_id)
        ended = await asyncio.gather(*(world.storage.ledger.reap(everything=True) for _ in range(4)))
        assert sum(ended) == 4
        assert await world.balance(account_id) == (20, 0)

    @promise
    async def test_a_reaper_against_a_capture_leaves_one_winner(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        ledger = world.storage.ledger
        paid, ended = await asyncio.gather(ledger.capture(call.id, "{}"), ledger.reap(everything=True))
        assert (paid is None) == (ended == 1)
        assert await world.balance(account_id) == ((6, 0) if paid else (10, 0))

    @promise
    async def test_a_wall_clock_that_is_set_ends_no_call(self, world: World) -> None:
        """F13."""
        account_id = await world.account(10)
        await world.admitted(account_id, lease_s=60, worker="w")
        world.clock.set_wall(+3600)
        assert await world.storage.ledger.reap() == 0
        world.clock.set_wall(-7200)
        await self.passes(world, 62)
        assert await world.storage.ledger.reap() == 1


class PurgeContract(StorageContract):
    @promise
    async def test_old_results_keys_and_fingerprints_go_and_the_records_stay(self, world: World) -> None:
        account_id = await world.account(25)
        old = await world.captured(account_id, key="k1")
        unseen = await world.captured(account_id)
        await self.passes(world, 100)
        recent = await world.captured(account_id, key="k2")
        assert await world.storage.ledger.purge(world.clock.now_ms() - 50_000) == 2
        assert await world.storage.ledger.result(old.id) is None
        assert await world.storage.ledger.state(old.id) == ("captured", None)
        assert len(await world.storage.ledger.history(account_id, 10)) == 3
        assert await world.balance(account_id) == (13, 0)
        for again in (
            world.call(account_id, key="k1", fingerprint=old.fingerprint),
            world.call(account_id, fingerprint=unseen.fingerprint),
        ):
            assert isinstance(await world.storage.ledger.peek(again), Fresh)
        kept = world.call(account_id, key="k2", fingerprint=recent.fingerprint)
        assert await world.storage.ledger.peek(kept) == Captured(recent.id, "{}", False)

    @promise
    async def test_a_purge_twice_finds_nothing_more(self, world: World) -> None:
        account_id = await world.account(25)
        await world.captured(account_id)
        failed = await world.admitted(account_id, key="k1")
        await world.storage.ledger.release(failed.id, "UPSTREAM_ERROR")
        await self.passes(world, 100)
        assert await world.storage.ledger.purge(world.clock.now_ms()) > 0
        assert await world.storage.ledger.purge(world.clock.now_ms()) == 0

    @promise
    async def test_a_running_call_is_not_purged(self, world: World) -> None:
        account_id = await world.account(25)
        call = await world.admitted(account_id, key="k1")
        await self.passes(world, 100)
        await world.storage.ledger.purge(world.clock.now_ms())
        again = world.call(account_id, key="k1")
        assert not isinstance(await world.storage.ledger.peek(again), Fresh)
        assert await world.storage.ledger.capture(call.id, "{}") == Admitted(call.id, 4, False)


class UnchargedContract(StorageContract):
    """The budget of readings that a model was asked for and nobody paid."""

    @promise
    async def test_failures_and_free_answers_count_for_their_day(self, world: World) -> None:
        account_id, other = await world.account(25), await world.account(25)
        ledger, day = world.storage.ledger, days(world.clock.now_ms())
        failed, fallback, crisis, paid = [await world.admitted(account_id) for _ in range(4)]
        await ledger.release(failed.id, "UPSTREAM_ERROR", day=day)
        await ledger.capture(fallback.id, "{}", free=True, day=day)
        await ledger.capture(crisis.id, "{}", free=True)
        await ledger.capture(paid.id, "{}")
        await ledger.count_uncharged(account_id, day)
        await ledger.count_uncharged(account_id, day + 1)
        assert await ledger.uncharged(account_id, day) == 3
        assert await ledger.uncharged(account_id, day + 1) == 1
        assert await ledger.uncharged(other, day) == 0

    @promise
    async def test_counts_at_the_same_moment_are_all_counted(self, world: World) -> None:
        account_id = await world.account()
        await asyncio.gather(*(world.storage.ledger.count_uncharged(account_id, 9) for _ in range(20)))
        assert await world.storage.ledger.uncharged(account_id, 9) == 20

    @promise
    async def test_counts_of_days_before_what_is_kept_go(self, world: World) -> None:
        account_id, ledger = await world.account(), world.storage.ledger
        today = days(world.clock.now_ms())
        for day in (today - 2, today - 1, today):
            await ledger.count_uncharged(account_id, day)
        assert await ledger.purge(world.clock.now_ms() - 86_400_000) == 0
        assert [await ledger.uncharged(account_id, today - ago) for ago in (2, 1, 0)] == [0, 1, 1]
