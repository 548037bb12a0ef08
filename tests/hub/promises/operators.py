"""What every storage promises its operators: a journal of their acts, an account erased, prices in versions."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import Conflict, Post, Price, Saved
from bazi_hub.testing.contract import ACTOR, CHART, READING, World, promise, raises
from bazi_hub.testing.storage import DAY_MS, StorageContract, key_of, session_of


class JournalContract(StorageContract):
    """What the storage tells about the acts of its operators."""

    @promise
    async def test_every_administrative_act_stands_in_the_journal(self, world: World) -> None:
        storage, now = world.storage, world.clock.now_ms()
        account_id = await world.account(25)
        key = key_of(world, account_id)
        await storage.keys.add(key, 20, ACTOR)
        await storage.keys.revoke(key.id, now, ACTOR)
        await storage.accounts.change(account_id, ACTOR, status="suspended")
        await storage.accounts.invite("hash-1", now + DAY_MS, ACTOR)
        await storage.pricing.set(Price(CHART, 2, 2, 1, True), ACTOR)
        await storage.ledger.post("grant", account_id, 10, "order-1", ACTOR)
        await storage.ledger.post("adjust", account_id, -3, "case-1", ACTOR, memo="a gift twice")
        post = Post(world.ids.uuid(), account_id, "t", "c", "n", "human", (), None, None, now)
        await storage.forum.add_post(post, None, "{}")
        await storage.forum.hide("post", post.id, True, "spam", ACTOR)
        await storage.forum.hide("post", post.id, False, "a mistake", ACTOR)
        await storage.accounts.erase(account_id, ACTOR)
        acts = await storage.journal()
        assert [act.action for act in acts] == [
            "account.create", "key.issue", "key.revoke", "account.change", "account.invite", "price.set",
            "credits.grant", "credits.adjust", "forum.hide", "forum.unhide", "account.erase",
        ]  # fmt: skip
        assert {act.actor for act in acts} == {ACTOR}
        assert acts[0].target == acts[3].target == acts[-1].target == account_id
        assert acts[1].target == acts[2].target == key.id
        assert acts[5].target == CHART
        assert acts[8].target == acts[9].target == post.id

    @promise
    async def test_the_journal_shows_what_was_before_and_after(self, world: World) -> None:
        account_id = await world.account(25)
        await world.storage.accounts.change(account_id, ACTOR, status="suspended")
        await world.storage.pricing.set(Price(CHART, 2, 3, 1, True), ACTOR)
        change, price = (await world.storage.journal())[1:]
        assert "active" in (change.before or "")
        assert "suspended" in (change.after or "")
        assert '"credit_cost":1' in (price.before or "").replace(" ", "")
        assert '"credit_cost":2' in (price.after or "").replace(" ", "")

    @promise
    async def test_the_journal_names_nobody_but_by_id(self, world: World) -> None:
        account_id = await world.account(email="li@example.org", display_name="李明", password_hash="$secret")
        await world.storage.accounts.change(account_id, ACTOR, display_name="王芳", password_hash="$other")
        await world.storage.keys.add(key_of(world, account_id, "agent", agent_name="Robin"), 20, ACTOR)
        told = "".join(f"{act.target}{act.before}{act.after}" for act in await world.storage.journal())
        personal = ("li@example", "李明", "王芳", "$secret", "$other", "Robin")
        assert not [text for text in personal if text in told or ascii(text)[1:-1] in told]

    @promise
    async def test_what_failed_is_in_no_journal(self, world: World) -> None:
        account_id = await world.account(5)
        with raises(Conflict):
            await world.storage.ledger.post("adjust", account_id, -6, "case-1", ACTOR)
        with raises(LookupError):
            await world.storage.accounts.change(world.ids.uuid(), ACTOR, status="active")
        assert not await world.storage.keys.revoke("unknown0", 1, ACTOR)
        assert not await world.storage.forum.hide("post", world.ids.uuid(), True, "spam", ACTOR)
        assert [act.action for act in await world.storage.journal()] == ["account.create"]


class EraseContract(StorageContract):
    """An account is erased: everything personal goes, the bare id and the ledger stay."""

    @promise
    async def test_the_bare_id_stays_with_the_ledger(self, world: World) -> None:
        account_id = await world.account(25, email="li@example.org", display_name="李", language="zh")
        call = await world.captured(account_id)
        await world.storage.accounts.erase(account_id, ACTOR)
        found = await world.storage.accounts.get(account_id)
        assert found is not None
        assert found[:5] == (account_id, None, None, "erased", None)
        assert (found.posted, found.held, found.password_hash) == (21, 0, None)
        assert [entry.amount for entry in await world.storage.ledger.entries(account_id)] == [25, -4]
        assert [record.id for record in await world.storage.ledger.history(account_id, 10)] == [call.id]
        assert await world.storage.ledger.result(call.id) is None

    @promise
    async def test_the_email_is_free_again(self, world: World) -> None:
        account_id = await world.account(email="li@example.org")
        await world.storage.accounts.erase(account_id, ACTOR)
        assert await world.storage.accounts.by_email("li@example.org") is None
        assert await world.account(email="li@example.org") != account_id

    @promise
    async def test_keys_sessions_charts_and_links_are_gone(self, world: World) -> None:
        storage, account_id = world.storage, await world.account()
        key = key_of(world, account_id, "agent", agent_name="Robin")
        await storage.keys.add(key, 20, ACTOR)
        session = session_of(world, account_id)
        await storage.sessions.add(session)
        saved = Saved(world.ids.uuid(), account_id, "chart", "mine", "{}", world.clock.now_ms())
        await storage.charts.add(saved)
        await storage.charts.share(saved.id, account_id, "link", world.clock.now_ms())
        await storage.accounts.erase(account_id, ACTOR)
        assert await storage.keys.find(key.id) is None
        assert {(kept.agent_name, kept.digest) for kept in await storage.keys.of(account_id)} <= {(None, b"")}
        assert await storage.sessions.find(session.id) is None
        assert await storage.charts.get(saved.id, account_id) is None
        assert await storage.charts.of(account_id) == []
        assert await storage.charts.shared("link") is None

    @promise
    async def test_an_idempotency_key_is_forgotten(self, world: World) -> None:
        account_id = await world.account(25)
        await world.captured(account_id, key="k1")
        other = await world.account(25)
        kept = await world.captured(other, key="k1", result="other")
        await world.storage.accounts.erase(account_id, ACTOR)
        assert await world.storage.ledger.result(kept.id) is not None

    @promise
    async def test_a_running_call_has_to_settle_first(self, world: World) -> None:
        account_id = await world.account(25, email="li@example.org")
        call = await world.admitted(account_id)
        with raises(Conflict):
            await world.storage.accounts.erase(account_id, ACTOR)
        assert await world.storage.accounts.by_email("li@example.org") is not None
        await world.storage.ledger.release(call.id, "UPSTREAM_ERROR")
        await world.storage.accounts.erase(account_id, ACTOR)

    @promise
    async def test_an_erased_account_does_not_come_back(self, world: World) -> None:
        account_id = await world.account()
        await world.storage.accounts.erase(account_id, ACTOR)
        with raises(LookupError):
            await world.storage.accounts.change(account_id, ACTOR, status="active")
        with raises(LookupError):
            await world.storage.accounts.erase(account_id, ACTOR)

    @promise
    async def test_an_unknown_account_cannot_be_erased(self, world: World) -> None:
        with raises(LookupError):
            await world.storage.accounts.erase(world.ids.uuid(), ACTOR)


class PricingContract(StorageContract):
    @promise
    async def test_a_fresh_database_has_the_published_prices(self, world: World) -> None:
        prices = await world.storage.pricing.all()
        assert {tool: price[1:5] for tool, price in prices.items()} == {
            "bazi_basic_analysis": (1, 1, 1, True),
            "bazi_pattern_analysis": (4, 4, 0, True),
            "bigluck_year_analysis": (1, 1, 0, True),
            "bigluck_year_fortune_eval": (6, 6, 0, True),
            "divination_run": (4, 4, 0, True),
        }
        assert {price.version for price in prices.values()} == {1}

    @promise
    async def test_a_new_price_is_a_new_version(self, world: World) -> None:
        pricing = world.storage.pricing
        stored = await pricing.set(Price(READING, 5, 8, 0, True, version=77), ACTOR)
        assert stored == Price(READING, 5, 8, 0, True, version=2)
        again = await pricing.set(stored._replace(enabled=False), ACTOR)
        assert again == Price(READING, 5, 8, 0, False, version=3)
        prices = await pricing.all()
        assert prices[READING] == again
        assert prices[CHART].version == 1

    @promise
    async def test_a_tool_gets_its_first_price(self, world: World) -> None:
        stored = await world.storage.pricing.set(Price("new_tool", 2, 2, 0, True), ACTOR)
        assert stored.version == 1
        assert (await world.storage.pricing.all())["new_tool"] == stored

    @promise
    async def test_a_price_is_never_negative(self, world: World) -> None:
        for price in (Price(READING, -1, 0, 0, True), Price(READING, 0, -1, 0, True)):
            with raises(ValueError):
                await world.storage.pricing.set(price, ACTOR)
        with raises(ValueError):
            await world.storage.pricing.set(Price(READING, 0, 0, -1, True), ACTOR)
        assert (await world.storage.pricing.all())[READING].version == 1

    @promise
    async def test_a_higher_free_quota_is_for_new_accounts(self, world: World) -> None:
        early = await world.account()
        await world.storage.pricing.set(Price(CHART, 1, 1, 3, True), ACTOR)
        late = await world.account()
        assert (await world.free(early))[CHART] == 1
        assert (await world.free(late))[CHART] == 3

    @promise
    async def test_prices_set_together_are_versions_one_after_the_other(self, world: World) -> None:
        stored = await asyncio.gather(
            *(world.storage.pricing.set(Price(READING, cost, cost, 0, True), ACTOR) for cost in range(6))
        )
        assert sorted(price.version for price in stored) == [2, 3, 4, 5, 6, 7]
        newest = max(stored, key=lambda price: price.version)
        assert (await world.storage.pricing.all())[READING] == newest
