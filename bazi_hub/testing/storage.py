"""What every storage promises: credits held, captured and released, one charge for a retry, and rows as they were stored."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from bazi_hub.ports import (
    Admitted,
    Captured,
    Fresh,
    Key,
    Post,
    Refused,
    Reused,
    Running,
    Saved,
    Session,
    Stored,
)
from bazi_hub.testing.contract import ACTOR, CHART, YEAR, Contract, World, promise

DAY_MS = 86_400_000


def key_of(
    world: World, account_id: str, flavor: Literal["personal", "agent"] = "personal", **members: Any
) -> Key:
    """A key of 8 characters of id and a digest of 32 bytes."""
    key = Key(
        world.ids.uuid()[-8:], account_id, flavor, world.ids.secret(32), "p1", None, world.clock.now_ms()
    )
    return key._replace(**members)


def session_of(world: World, account_id: str, **members: Any) -> Session:
    """A session that starts now and lasts for two weeks."""
    now = world.clock.now_ms()
    session = Session(world.ids.secret(16).hex(), account_id, "csrf", now, now, now + 14 * DAY_MS)
    return session._replace(**members)


class StorageContract(Contract):
    """The world is a whole storage, of which `verify` must approve after every promise."""

    async def settled(self, world: World) -> None:
        assert await world.storage.ledger.verify() == []

    @promise
    async def test_an_open_storage_can_be_opened_again_without_effect(self, world: World) -> None:
        account_id = await world.account(10)
        await world.storage.open()
        assert await world.balance(account_id) == (10, 0)
        assert len(await world.storage.pricing.all()) == 5

    @promise
    async def test_a_new_storage_is_empty(self, world: World) -> None:
        assert await world.storage.accounts.listed() == []
        assert await world.storage.journal() == []
        assert await world.storage.forum.posts(0, 50, None, None) == []
        assert await world.storage.ledger.reap() == 0
        assert await world.storage.ledger.purge(world.clock.now_ms()) == 0

    @promise
    async def test_a_new_account_is_found_with_what_it_was_made_of(self, world: World) -> None:
        members: dict[str, Any] = {
            "email": "li@example.org",
            "display_name": "李",
            "language": "zh",
            "password_hash": "$argon2id$x",
        }
        account_id = await world.account(25, **members)
        found = await world.storage.accounts.get(account_id)
        assert found is not None
        assert (found.id, found.status, found.created_ms) == (account_id, "active", world.clock.now_ms())
        assert (found.posted, found.held, found.available) == (25, 0, 25)
        assert {name: getattr(found, name) for name in members} == members

    @promise
    async def test_a_key_is_found_with_its_account(self, world: World) -> None:
        account_id = await world.account(7)
        key = key_of(world, account_id, "agent", agent_name="Robin", expires_ms=world.clock.now_ms() + DAY_MS)
        await world.storage.keys.add(key, 20, ACTOR)
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[0] == key
        assert (found[1].id, found[1].posted, found[1].status) == (account_id, 7, "active")

    @promise
    async def test_a_session_is_found_with_its_account(self, world: World) -> None:
        account_id = await world.account(3)
        session = session_of(world, account_id)
        await world.storage.sessions.add(session)
        found = await world.storage.sessions.find(session.id)
        assert found is not None
        assert found[0] == session
        assert (found[1].id, found[1].posted) == (account_id, 3)

    @promise
    async def test_a_look_tells_the_price_and_the_balance_and_changes_nothing(self, world: World) -> None:
        account_id = await world.account(10)
        call = world.call(account_id)
        for _ in range(2):
            fresh = await world.storage.ledger.peek(call)
            assert isinstance(fresh, Fresh)
            assert (fresh.price.credit_cost, fresh.free, fresh.posted, fresh.held) == (4, False, 10, 0)
        assert await world.storage.ledger.state(call.id) is None
        assert await world.balance(account_id) == (10, 0)

    @promise
    async def test_an_admitted_call_runs_with_its_price_held(self, world: World) -> None:
        account_id = await world.account(10)
        call = world.call(account_id)
        assert await world.storage.ledger.hold(call) == Admitted(call.id, 4, False)
        assert await world.balance(account_id) == (10, 4)
        assert await world.storage.ledger.state(call.id) == ("running", None)
        assert await world.storage.ledger.result(call.id) is None

    @promise
    async def test_a_capture_posts_the_price_and_keeps_the_result(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        paid = await world.storage.ledger.capture(call.id, '{"八字":"乙丑"}')
        assert paid == Admitted(call.id, 4, False)
        assert await world.balance(account_id) == (6, 0)
        assert await world.storage.ledger.state(call.id) == ("captured", None)
        assert await world.storage.ledger.result(call.id) == Captured(call.id, '{"八字":"乙丑"}', False)

    @promise
    async def test_a_call_is_captured_once(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.captured(account_id, result="first")
        assert await world.storage.ledger.capture(call.id, "second") is None
        assert await world.balance(account_id) == (6, 0)
        assert await world.storage.ledger.result(call.id) == Captured(call.id, "first", False)

    @promise
    async def test_a_released_call_costs_nothing_and_keeps_its_error(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id)
        assert await world.storage.ledger.release(call.id, "UPSTREAM_TIMEOUT")
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.state(call.id) == ("released", "UPSTREAM_TIMEOUT")
        assert await world.storage.ledger.result(call.id) is None
        assert len(await world.storage.ledger.entries(account_id)) == 1

    @promise
    async def test_a_captured_call_cannot_be_released(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.captured(account_id)
        assert not await world.storage.ledger.release(call.id, "UPSTREAM_ERROR", day=5)
        assert await world.balance(account_id) == (6, 0)
        assert await world.storage.ledger.state(call.id) == ("captured", None)
        assert await world.storage.ledger.uncharged(account_id, 5) == 0

    @promise
    async def test_a_refused_call_leaves_no_trace(self, world: World) -> None:
        account_id = await world.account(3)
        call = world.call(account_id, key="k1")
        assert isinstance(await world.storage.ledger.hold(call), Refused)
        assert isinstance(await world.storage.ledger.charge(call, "{}"), Refused)
        assert await world.storage.ledger.state(call.id) is None
        assert await world.storage.ledger.history(account_id, 10) == []
        await world.storage.ledger.post("grant", account_id, 1, "order-1", ACTOR)
        assert await world.storage.ledger.hold(call) == Admitted(call.id, 4, False)

    @promise
    async def test_25_credits_pay_for_six_readings_of_4_however_many_come_at_once(self, world: World) -> None:
        """F1."""
        account_id = await world.account(25)
        calls = [world.call(account_id) for _ in range(200)]
        answers = await asyncio.gather(*(world.storage.ledger.hold(call) for call in calls))
        admitted = [answer.call_id for answer in answers if isinstance(answer, Admitted)]
        assert len(admitted) == 6
        assert sum(isinstance(answer, Refused) for answer in answers) == 194
        assert await world.balance(account_id) == (25, 24)
        paid = await asyncio.gather(*(world.storage.ledger.capture(call_id, "{}") for call_id in admitted))
        assert all(paid)
        assert await world.balance(account_id) == (1, 0)

    @promise
    async def test_the_free_quota_pays_before_credits_do(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id, CHART)
        assert await world.balance(account_id) == (10, 0)
        assert await world.free(account_id) == {CHART: 0}
        assert await world.storage.ledger.capture(call.id, "{}") == Admitted(call.id, 0, True)
        assert await world.storage.ledger.result(call.id) == Captured(call.id, "{}", True)
        assert await world.free(account_id) == {CHART: 0}
        paid = await world.captured(account_id, CHART)
        assert await world.balance(account_id) == (9, 0)
        kept = await world.storage.ledger.result(paid.id)
        assert kept is not None
        assert not kept.from_free_quota

    @promise
    async def test_a_captured_call_gives_its_result_again_for_nothing(self, world: World) -> None:
        account_id = await world.account(10)
        first = await world.captured(account_id, key="k1", result="first")
        again = world.call(account_id, key="k1", fingerprint=first.fingerprint)
        await world.storage.ledger.delivered([first.id])
        expected = Captured(first.id, "first", False)
        assert await world.storage.ledger.peek(again) == expected
        assert await world.storage.ledger.hold(again) == expected
        assert await world.storage.ledger.charge(again, "second") == expected
        assert await world.balance(account_id) == (6, 0)
        assert len(await world.storage.ledger.history(account_id, 10)) == 1

    @promise
    async def test_a_key_of_another_call_is_refused_without_effect(self, world: World) -> None:
        """I9."""
        account_id = await world.account(20)
        first = await world.captured(account_id, key="k1")
        other, elsewhere = world.call(account_id, key="k1"), world.call(account_id, YEAR, key="k1")
        for call in (other, elsewhere):
            assert await world.storage.ledger.peek(call) == Reused(first.id)
            assert await world.storage.ledger.hold(call) == Reused(first.id)
            assert await world.storage.ledger.charge(call, "{}") == Reused(first.id)
            assert await world.storage.ledger.state(call.id) is None
        assert await world.balance(account_id) == (16, 0)

    @promise
    async def test_one_key_50_times_at_once_runs_once(self, world: World) -> None:
        """F3."""
        account_id = await world.account(25)
        first = world.call(account_id, key="k1")
        calls = [first] + [world.call(account_id, key="k1", fingerprint=first.fingerprint) for _ in range(49)]
        answers = await asyncio.gather(*(world.storage.ledger.hold(call) for call in calls))
        (admitted,) = [answer for answer in answers if isinstance(answer, Admitted)]
        assert sum(answer == Running(admitted.call_id) for answer in answers) == 49
        await world.storage.ledger.capture(admitted.call_id, "once")
        again = await asyncio.gather(*(world.storage.ledger.hold(call) for call in calls))
        assert again == [Captured(admitted.call_id, "once", False)] * 50
        assert await world.balance(account_id) == (21, 0)

    @promise
    async def test_an_answer_nobody_saw_is_given_again_for_nothing(self, world: World) -> None:
        """F6."""
        account_id = await world.account(10)
        first = await world.captured(account_id, result="unseen")
        again = world.call(account_id, fingerprint=first.fingerprint)
        for _ in range(2):
            assert await world.storage.ledger.peek(again) == Captured(first.id, "unseen", False)
            assert await world.storage.ledger.hold(again) == Captured(first.id, "unseen", False)
            assert await world.storage.ledger.charge(again, "x") == Captured(first.id, "unseen", False)
        assert await world.balance(account_id) == (6, 0)

    @promise
    async def test_a_call_expires_when_its_lease_has_passed(self, world: World) -> None:
        account_id = await world.account(10)
        call = await world.admitted(account_id, lease_s=60)
        await self.passes(world, 58)
        assert await world.storage.ledger.reap() == 0
        await self.passes(world, 4)
        assert await world.storage.ledger.reap() == 1
        state = await world.storage.ledger.state(call.id)
        assert state is not None
        assert state[0] == "expired"
        assert await world.balance(account_id) == (10, 0)
        assert await world.storage.ledger.reap() == 0

    @promise
    async def test_a_grant_adds_credits_once_for_a_reference(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        ledger = world.storage.ledger
        assert await ledger.post("grant", account_id, 10, "order-1", ACTOR)
        assert not await ledger.post("grant", account_id, 10, "order-1", ACTOR)
        assert not await ledger.post("grant", other, 5, "order-1", ACTOR)
        assert await ledger.post("grant", account_id, 10, "order-2", ACTOR)
        assert await world.balance(account_id) == (20, 0)
        assert await world.balance(other) == (0, 0)

    @promise
    async def test_a_post_is_read_as_it_was_written(self, world: World) -> None:
        agent = {"agent_name": "Robin", "agent_version": "1", "platform": "other"}
        post = Post(
            world.ids.uuid(), await world.account(), "乙丑 <b>", "行\n\t二", "神秘 Agent 🤖", "agent", ("八字", "a,b"), 1985,
            agent, world.clock.now_ms(),
        )  # fmt: skip
        assert await world.storage.forum.add_post(post, None, "{}") == Stored(post.id)
        assert await world.storage.forum.post(post.id) == post
        assert await world.storage.forum.written_by(post.account_id) == ([post], [])

    @promise
    async def test_a_saved_chart_is_read_by_its_owner_alone(self, world: World) -> None:
        owner, other = await world.account(), await world.account()
        chart = Saved(world.ids.uuid(), owner, "chart", "李的命盘", '{"日":"乙卯"}', world.clock.now_ms())
        await world.storage.charts.add(chart)
        assert await world.storage.charts.get(chart.id, owner) == chart
        assert await world.storage.charts.get(chart.id, other) is None
        assert await world.storage.charts.get(world.ids.uuid(), other) is None
        assert await world.storage.charts.of(other) == []
