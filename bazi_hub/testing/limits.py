"""What every rate limiter promises: fixed windows of UTC time, places for a while, and never one too many of either."""

from __future__ import annotations

import asyncio

from bazi_hub.testing.contract import Contract, LimiterWorld, promise


class RateLimiterContract(Contract):
    """The world is a `LimiterWorld`: an empty limiter and the clock that it counts by."""

    def now_ms(self, world: LimiterWorld) -> int:
        """The time by which the limiter counts."""
        return world.clock.now_ms()

    async def entered(
        self, world: LimiterWorld, count: int, most: int = 5, lease_s: float = 900
    ) -> list[int]:
        """The answers of `acquire` to so many new names, one after the other."""
        answers = []
        for _ in range(count):
            world.asked.append(f"place-{len(world.asked)}")
            answers.append(await world.limits.acquire("sign-in:a", world.asked[-1], most, lease_s))
        return answers

    @promise
    async def test_a_window_has_room_for_its_limit_and_no_more(self, world: LimiterWorld) -> None:
        taken = [await world.limits.take("post:a", 3) for _ in range(5)]
        assert [hit.allowed for hit in taken] == [True, True, True, False, False]
        assert [hit.remaining for hit in taken] == [2, 1, 0, 0, 0]

    @promise
    async def test_a_refused_hit_is_not_counted(self, world: LimiterWorld) -> None:
        for _ in range(5):
            hit = await world.limits.take("post:a", 1)
        await world.limits.give_back("post:a", hit.window)
        assert (await world.limits.take("post:a", 1)).allowed

    @promise
    async def test_windows_are_those_of_the_utc_minute(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        assert hit.window == self.now_ms(world) // 60_000
        assert hit.reset_s == 60 - self.now_ms(world) // 1000 % 60
        assert 1 <= hit.reset_s <= 60

    @promise
    async def test_a_new_window_begins_when_reset_s_has_passed(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await self.passes(world, hit.reset_s)
        later = await world.limits.take("post:a", 1)
        assert later.allowed
        assert later.window == hit.window + 1
        assert later.reset_s > 50

    @promise
    async def test_buckets_know_nothing_of_each_other(self, world: LimiterWorld) -> None:
        assert (await world.limits.take("post:a", 1)).allowed
        assert (await world.limits.take("post:b", 1)).allowed
        assert not (await world.limits.take("post:a", 1)).allowed

    @promise
    async def test_what_is_given_back_can_be_taken_again(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await world.limits.give_back("post:a", hit.window)
        assert (await world.limits.take("post:a", 1)).allowed
        assert not (await world.limits.take("post:a", 1)).allowed

    @promise
    async def test_hits_at_the_same_moment_get_no_more_than_there_is(self, world: LimiterWorld) -> None:
        hits = await asyncio.gather(*(world.limits.take("fortune_call:k", 10) for _ in range(50)))
        assert sum(hit.allowed for hit in hits) == 10
        assert sorted(hit.remaining for hit in hits if hit.allowed) == list(range(10))

    @promise
    async def test_there_are_so_many_places_and_no_more(self, world: LimiterWorld) -> None:
        assert await self.entered(world, 7) == [0, 0, 0, 0, 0, 900, 900]
        assert await world.limits.acquire("sign-in:b", "place-x", 5, 900) == 0

    @promise
    async def test_whoever_leaves_makes_room_for_one(self, world: LimiterWorld) -> None:
        await self.entered(world, 5)
        for _ in range(2):
            await world.limits.release("sign-in:a", world.asked[2])
        await world.limits.release("sign-in:b", world.asked[3])
        assert await self.entered(world, 2) == [0, 900]

    @promise
    async def test_of_those_who_come_together_no_more_get_in(self, world: LimiterWorld) -> None:
        coming = (world.limits.acquire("sign-in:a", f"place-{number}", 5, 900) for number in range(20))
        assert sorted(await asyncio.gather(*coming)) == [0] * 5 + [900] * 15
