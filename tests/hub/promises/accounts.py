"""What every store of accounts, keys and sessions promises."""

from __future__ import annotations

import asyncio

from bazi_hub.ports import Conflict
from bazi_hub.ports.people import MOST_ENDED_KEYS
from bazi_hub.testing.contract import ACTOR, CHART, World, promise, raises
from bazi_hub.testing.storage import DAY_MS, StorageContract, key_of, session_of


class AccountsContract(StorageContract):
    @promise
    async def test_nobody_is_found_under_an_unknown_id_or_email(self, world: World) -> None:
        assert await world.storage.accounts.get(world.ids.uuid()) is None
        assert await world.storage.accounts.by_email("li@example.org") is None

    @promise
    async def test_an_email_is_the_same_in_capitals(self, world: World) -> None:
        account_id = await world.account(email="Li@Example.org")
        found = await world.storage.accounts.by_email("lI@EXAMPLE.ORG")
        assert found is not None
        assert found.id == account_id

    @promise
    async def test_an_email_belongs_to_one_account(self, world: World) -> None:
        await world.account(email="li@example.org")
        with raises(Conflict):
            await world.account(25, email="LI@example.org")
        assert len(await world.storage.accounts.listed()) == 1
        assert len(await world.storage.journal()) == 1

    @promise
    async def test_many_accounts_have_no_email(self, world: World) -> None:
        ids = {await world.account() for _ in range(3)}
        assert {account.id for account in await world.storage.accounts.listed()} == ids

    @promise
    async def test_the_starter_allowance_is_an_entry_of_the_ledger(self, world: World) -> None:
        account_id = await world.account(25)
        (entry,) = await world.storage.ledger.entries(account_id)
        assert (entry.kind, entry.account, entry.amount) == ("starter", f"user:{account_id}", 25)
        assert (entry.seq, entry.posted_after, entry.actor) == (1, 25, ACTOR)

    @promise
    async def test_an_account_may_start_with_nothing(self, world: World) -> None:
        account_id = await world.account(0)
        assert await world.storage.ledger.entries(account_id) == []
        assert await world.balance(account_id) == (0, 0)

    @promise
    async def test_a_new_account_has_the_free_quota_of_every_price(self, world: World) -> None:
        account_id = await world.account()
        assert await world.free(account_id) == {CHART: 1}

    @promise
    async def test_an_account_can_be_changed_in_name_language_password_and_status(self, world: World) -> None:
        account_id = await world.account(25, email="li@example.org")
        members = {"display_name": "王", "language": "en", "password_hash": "$new", "status": "suspended"}
        await world.storage.accounts.change(account_id, ACTOR, **members)
        found = await world.storage.accounts.get(account_id)
        assert found is not None
        assert {name: getattr(found, name) for name in members} == members
        assert (found.email, found.posted) == ("li@example.org", 25)

    @promise
    async def test_an_e_mail_is_unverified_until_somebody_vouches_for_it(self, world: World) -> None:
        account_id = await world.account(email="li@example.org")
        found = await world.storage.accounts.get(account_id)
        assert found is not None
        assert found.email_verified is False
        await world.storage.accounts.change(account_id, ACTOR, email_verified=True)
        changed = await world.storage.accounts.by_email("li@example.org")
        assert changed is not None
        assert changed.email_verified is True

    @promise
    async def test_an_unknown_account_cannot_be_changed(self, world: World) -> None:
        with raises(LookupError):
            await world.storage.accounts.change(world.ids.uuid(), ACTOR, status="suspended")

    @promise
    async def test_an_invitation_is_good_for_one_account(self, world: World) -> None:
        await world.storage.accounts.invite("hash-1", world.clock.now_ms() + DAY_MS, ACTOR)
        with raises(LookupError):
            await world.account(invite="hash-2")
        invited = await world.account(invite="hash-1")
        with raises(LookupError):
            await world.account(invite="hash-1")
        assert [account.id for account in await world.storage.accounts.listed()] == [invited]

    @promise
    async def test_a_late_invitation_is_refused(self, world: World) -> None:
        await world.storage.accounts.invite("hash-1", world.clock.now_ms() + 1000, ACTOR)
        world.clock.advance(1)
        with raises(LookupError):
            await world.account(invite="hash-1")

    @promise
    async def test_invitations_that_lapsed_are_dropped_used_or_not(self, world: World) -> None:
        now = world.clock.now_ms()
        for number, lasts_ms in enumerate((1000, 1000, 1001)):
            await world.storage.accounts.invite(f"hash-{number}", now + lasts_ms, ACTOR)
        assert await world.storage.accounts.purge_invites(now + 999) == 0
        assert await world.storage.accounts.purge_invites(now + 1000) == 2
        assert await world.storage.accounts.purge_invites(now + 1000) == 0
        for number in range(2):
            with raises(LookupError):
                await world.account(invite=f"hash-{number}")
        assert await world.account(invite="hash-2")

    @promise
    async def test_two_who_come_with_one_invitation_do_not_both_get_in(self, world: World) -> None:
        await world.storage.accounts.invite("hash-1", world.clock.now_ms() + DAY_MS, ACTOR)
        made = await asyncio.gather(
            *(world.account(invite="hash-1") for _ in range(8)), return_exceptions=True
        )
        assert sum(isinstance(account, str) for account in made) == 1
        assert sum(isinstance(account, LookupError) for account in made) == 7

    @promise
    async def test_an_invitation_outlives_an_account_that_could_not_be_made(self, world: World) -> None:
        await world.storage.accounts.invite("hash-1", world.clock.now_ms() + DAY_MS, ACTOR)
        await world.account(email="li@example.org")
        with raises(Conflict):
            await world.account(email="Li@example.org", invite="hash-1")
        assert await world.account(email="du@example.org", invite="hash-1")

    @promise
    async def test_two_who_sign_up_with_one_email_do_not_both_get_an_account(self, world: World) -> None:
        made = await asyncio.gather(
            *(world.account(25, email="li@example.org") for _ in range(8)), return_exceptions=True
        )
        assert sum(isinstance(account, str) for account in made) == 1
        assert sum(isinstance(account, Conflict) for account in made) == 7


class KeyStoreContract(StorageContract):
    @promise
    async def test_an_unknown_key_is_not_found(self, world: World) -> None:
        assert await world.storage.keys.find("unknown0") is None

    @promise
    async def test_a_revoked_key_is_found_as_revoked(self, world: World) -> None:
        account_id = await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        now = world.clock.now_ms() + 5
        assert await world.storage.keys.revoke(key.id, now, ACTOR)
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[0].revoked_ms == now

    @promise
    async def test_a_key_of_a_suspended_account_shows_its_status(self, world: World) -> None:
        account_id = await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        await world.storage.accounts.change(account_id, ACTOR, status="suspended")
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[1].status == "suspended"

    @promise
    async def test_an_unknown_key_cannot_be_revoked(self, world: World) -> None:
        assert not await world.storage.keys.revoke("unknown0", world.clock.now_ms(), ACTOR)

    @promise
    async def test_nobody_revokes_the_key_of_somebody_else(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        now = world.clock.now_ms()
        assert not await world.storage.keys.revoke(key.id, now, other, account_id=other)
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[0].revoked_ms is None
        assert await world.storage.keys.revoke(key.id, now, account_id, account_id=account_id)

    @promise
    async def test_a_key_stays_revoked_since_the_first_time(self, world: World) -> None:
        account_id = await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        now = world.clock.now_ms()
        await world.storage.keys.revoke(key.id, now, ACTOR)
        await world.storage.keys.revoke(key.id, now + 1000, ACTOR)
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[0].revoked_ms == now

    @promise
    async def test_an_account_has_a_limited_number_of_active_keys(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        keys = [key_of(world, account_id) for _ in range(3)]
        await world.storage.keys.add(keys[0], 2, ACTOR)
        await world.storage.keys.add(keys[1], 2, ACTOR)
        with raises(Conflict):
            await world.storage.keys.add(keys[2], 2, ACTOR)
        await world.storage.keys.add(key_of(world, other), 2, ACTOR)
        await world.storage.keys.revoke(keys[0].id, world.clock.now_ms(), ACTOR)
        await world.storage.keys.add(keys[2], 2, ACTOR)

    @promise
    async def test_an_expired_key_leaves_room_for_another(self, world: World) -> None:
        account_id, now = await world.account(), world.clock.now_ms()
        await world.storage.keys.add(key_of(world, account_id, expires_ms=now + 1000), 1, ACTOR)
        await self.passes(world, 2)
        another = key_of(world, account_id)
        await world.storage.keys.add(another, 1, ACTOR)
        assert await world.storage.keys.find(another.id) is not None

    @promise
    async def test_of_the_keys_that_ended_the_newest_hundred_stay(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        lasting = key_of(world, account_id)
        await world.storage.keys.add(lasting, 20, ACTOR)
        await world.storage.keys.add(key_of(world, other), 20, ACTOR)
        keys = []
        for _ in range(MOST_ENDED_KEYS + 3):
            await self.passes(world, 1)
            keys.append(key_of(world, account_id))
            await world.storage.keys.add(keys[-1], 20, ACTOR)
            await world.storage.keys.revoke(keys[-1].id, world.clock.now_ms(), ACTOR)
        await world.storage.keys.add(key_of(world, account_id), 20, ACTOR)
        kept = {key.id for key in await world.storage.keys.of(account_id)}
        assert lasting.id in kept
        assert len(kept) == MOST_ENDED_KEYS + 2
        assert {key.id for key in keys} & kept == {key.id for key in keys[3:]}
        assert len(await world.storage.keys.of(other)) == 1

    @promise
    async def test_keys_added_together_do_not_pass_the_limit(self, world: World) -> None:
        account_id = await world.account()
        added = await asyncio.gather(
            *(world.storage.keys.add(key_of(world, account_id), 3, ACTOR) for _ in range(8)),
            return_exceptions=True,
        )
        assert sum(fault is None for fault in added) == 3

    @promise
    async def test_the_same_key_id_cannot_be_added_twice(self, world: World) -> None:
        account_id = await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        with raises(Conflict):
            await world.storage.keys.add(key._replace(digest=world.ids.secret(32)), 20, ACTOR)

    @promise
    async def test_keys_are_listed_newest_first_with_the_revoked_ones(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        keys = []
        for _ in range(3):
            keys.append(key_of(world, account_id))
            await world.storage.keys.add(keys[-1], 20, ACTOR)
            await self.passes(world, 1)
        await world.storage.keys.add(key_of(world, other), 20, ACTOR)
        await world.storage.keys.revoke(keys[1].id, world.clock.now_ms(), ACTOR)
        listed = await world.storage.keys.of(account_id)
        assert [key.id for key in listed] == [key.id for key in reversed(keys)]
        assert [key.revoked_ms is None for key in listed] == [True, False, True]

    @promise
    async def test_the_last_use_is_remembered(self, world: World) -> None:
        account_id = await world.account()
        key = key_of(world, account_id)
        await world.storage.keys.add(key, 20, ACTOR)
        now = world.clock.now_ms() + 90_000
        await world.storage.keys.used({key.id, "unknown0"}, now)
        found = await world.storage.keys.find(key.id)
        assert found is not None
        assert found[0].last_used_ms == now


class SessionStoreContract(StorageContract):
    @promise
    async def test_an_unknown_session_is_not_found(self, world: World) -> None:
        assert await world.storage.sessions.find("unknown") is None

    @promise
    async def test_a_session_remembers_when_it_was_last_seen(self, world: World) -> None:
        session = session_of(world, await world.account())
        await world.storage.sessions.add(session)
        await world.storage.sessions.seen(session.id, session.created_ms + 60_000)
        found = await world.storage.sessions.find(session.id)
        assert found is not None
        assert found[0] == session._replace(seen_ms=session.created_ms + 60_000)

    @promise
    async def test_a_session_that_ended_is_gone(self, world: World) -> None:
        account_id = await world.account()
        ended, kept = session_of(world, account_id), session_of(world, account_id)
        await world.storage.sessions.add(ended)
        await world.storage.sessions.add(kept)
        await world.storage.sessions.end(ended.id)
        await world.storage.sessions.end("unknown")
        assert await world.storage.sessions.find(ended.id) is None
        assert await world.storage.sessions.find(kept.id) is not None

    @promise
    async def test_all_sessions_of_one_account_end_together(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        mine = [session_of(world, account_id) for _ in range(3)]
        foreign = session_of(world, other)
        for session in (*mine, foreign):
            await world.storage.sessions.add(session)
        await world.storage.sessions.end_all(account_id)
        assert [await world.storage.sessions.find(session.id) for session in mine] == [None] * 3
        assert await world.storage.sessions.find(foreign.id) is not None

    @promise
    async def test_a_session_that_lapsed_is_dropped_at_the_next_sign_in(self, world: World) -> None:
        account_id, now = await world.account(), world.clock.now_ms()
        lapsed = session_of(world, account_id, expires_ms=now + 1000)
        await world.storage.sessions.add(lapsed)
        await self.passes(world, 2)
        await world.storage.sessions.add(session_of(world, account_id))
        assert await world.storage.sessions.find(lapsed.id) is None

    @promise
    async def test_sessions_that_lapsed_are_dropped_for_everybody(self, world: World) -> None:
        mine, yours, now = await world.account(), await world.account(), world.clock.now_ms()
        lapsed = [session_of(world, account_id, expires_ms=now + 1000) for account_id in (mine, yours)]
        kept = session_of(world, mine, expires_ms=now + 1001)
        for session in (*lapsed, kept):
            await world.storage.sessions.add(session)
        assert await world.storage.sessions.purge(now + 999) == 0
        assert await world.storage.sessions.purge(now + 1000) == 2
        assert await world.storage.sessions.purge(now + 1000) == 0
        found = [await world.storage.sessions.find(session.id) for session in (*lapsed, kept)]
        assert [each is not None for each in found] == [False, False, True]

    @promise
    async def test_a_session_that_nobody_used_for_a_week_is_dropped_and_one_in_use_is_not(
        self, world: World
    ) -> None:
        account_id, now = await world.account(), world.clock.now_ms()
        unused, used = session_of(world, account_id), session_of(world, account_id)
        for session in (unused, used):
            await world.storage.sessions.add(session)
        await world.storage.sessions.seen(used.id, now + 1000)
        assert await world.storage.sessions.purge(now + 7 * DAY_MS - 1) == 0
        assert await world.storage.sessions.purge(now + 7 * DAY_MS) == 1
        assert await world.storage.sessions.find(unused.id) is None
        assert await world.storage.sessions.find(used.id) is not None
