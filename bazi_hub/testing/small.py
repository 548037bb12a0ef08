"""What the small ports promise: moderation, clock, ids, and the life of a storage."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from bazi_hub.testing.contract import StorageContract, World, promise

if TYPE_CHECKING:
    from bazi_hub.ports import Clock, Ids, Moderation

TEXTS = ("今年如何？", "a" * 20_000, "<script>alert(1)</script>", "🤖\n\t", "x")


class StorageLifeContract(StorageContract):
    @promise
    async def test_an_open_storage_can_be_opened_again_without_effect(self, world: World) -> None:
        account_id = await world.account(10)
        await world.storage.open()
        assert await world.balance(account_id) == (10, 0)
        assert len(await world.storage.pricing.all()) == 5

    @promise
    async def test_a_probe_passes_and_leaves_nothing_behind(self, world: World) -> None:
        for _ in range(2):
            await world.storage.probe()
        assert await world.storage.accounts.listed() == []
        assert await world.storage.journal() == []

    @promise
    async def test_an_open_storage_has_the_tables_of_this_version(self, world: World) -> None:
        await world.storage.migrated()

    @promise
    async def test_a_new_storage_is_empty(self, world: World) -> None:
        assert await world.storage.accounts.listed() == []
        assert await world.storage.journal() == []
        assert await world.storage.forum.posts(0, 50, None, None) == []
        assert await world.storage.ledger.reap() == 0
        assert await world.storage.ledger.purge(world.clock.now_ms()) == 0


class ModerationContract:
    """`make` gives the moderation; it may ask whom it likes, but answers every text with a verdict."""

    def make(self) -> Moderation:
        raise NotImplementedError

    def test_every_text_gets_a_verdict_and_a_reason(self) -> None:
        moderation = self.make()
        for kind in ("post", "comment"):
            for text in TEXTS:
                verdict, reason = asyncio.run(moderation.review(kind, text, "author"))
                assert verdict in ("allow", "hold", "reject")
                assert isinstance(reason, str)
                assert verdict == "allow" or reason


class ClockContract:
    """`make` gives the clock."""

    def make(self) -> Clock:
        raise NotImplementedError

    def test_the_wall_clock_counts_milliseconds_since_1970(self) -> None:
        now = self.make().now_ms()
        assert isinstance(now, int)
        assert 1_600_000_000_000 < now < 10_000_000_000_000

    def test_the_monotonic_clock_never_goes_back(self) -> None:
        clock = self.make()
        seen = [clock.monotonic() for _ in range(100)]
        assert seen == sorted(seen)


class IdsContract:
    """`make` gives the ids."""

    def make(self) -> Ids:
        raise NotImplementedError

    def test_an_id_is_a_uuid_in_its_usual_form(self) -> None:
        made = self.make().uuid()
        assert str(uuid.UUID(made)) == made

    def test_no_id_comes_twice(self) -> None:
        ids = self.make()
        assert len({ids.uuid() for _ in range(1000)}) == 1000

    def test_a_secret_has_the_size_that_was_asked_for(self) -> None:
        ids = self.make()
        assert [len(ids.secret(size)) for size in (1, 16, 32)] == [1, 16, 32]

    def test_no_secret_comes_twice(self) -> None:
        ids = self.make()
        assert len({ids.secret(16) for _ in range(1000)}) == 1000
