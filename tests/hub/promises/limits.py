"""What else every rate limiter promises: the ends of windows, looking, giving back, places that lapse, sweeps."""

from __future__ import annotations

from bazi_hub.testing import LimiterWorld, RateLimiterContract
from bazi_hub.testing.contract import promise


class LimiterContract(RateLimiterContract):
    @promise
    async def test_a_limit_of_nothing_lets_nothing_pass(self, world: LimiterWorld) -> None:
        assert not (await world.limits.take("post:a", 0)).allowed

    @promise
    async def test_nothing_is_free_again_before_the_window_ends(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await self.passes(world, hit.reset_s - 2)
        assert not (await world.limits.take("post:a", 1)).allowed

    @promise
    async def test_part_of_a_second_still_counts_as_one_to_wait_for(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await self.passes(world, hit.reset_s - 0.5)
        late = await world.limits.take("post:a", 1)
        assert (late.allowed, late.reset_s) == (False, 1)

    @promise
    async def test_a_window_may_be_a_quarter_of_an_hour_or_a_day(self, world: LimiterWorld) -> None:
        for window_s in (900, 86_400):
            bucket = f"sign-in:{window_s}"
            hit = await world.limits.take(bucket, 1, window_s)
            assert hit.window == self.now_ms(world) // 1000 // window_s
            await self.passes(world, min(hit.reset_s - 2, 120))
            assert not (await world.limits.take(bucket, 1, window_s)).allowed
            left = (await world.limits.peek(bucket, 1, window_s)).reset_s
            await self.passes(world, left)
            assert (await world.limits.take(bucket, 1, window_s)).allowed

    @promise
    async def test_looking_takes_nothing(self, world: LimiterWorld) -> None:
        seen = [await world.limits.peek("post:a", 1) for _ in range(3)]
        assert [(hit.allowed, hit.remaining) for hit in seen] == [(True, 1)] * 3
        await world.limits.take("post:a", 1)
        full = await world.limits.peek("post:a", 1)
        assert (full.allowed, full.remaining) == (False, 0)

    @promise
    async def test_nothing_is_given_back_to_a_later_window(self, world: LimiterWorld) -> None:
        early = await world.limits.take("post:a", 1)
        await self.passes(world, early.reset_s)
        await world.limits.take("post:a", 1)
        await world.limits.give_back("post:a", early.window)
        assert not (await world.limits.take("post:a", 1)).allowed

    @promise
    async def test_giving_back_more_than_was_taken_gives_no_extra_room(self, world: LimiterWorld) -> None:
        window = (await world.limits.peek("post:a", 2)).window
        await world.limits.give_back("post:a", window)
        assert [(await world.limits.take("post:a", 1)).allowed for _ in range(2)] == [True, False]

    @promise
    async def test_a_sweep_forgets_windows_that_are_over_and_no_other(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await world.limits.take("sign-up:b", 1, 86_400)
        await self.passes(world, hit.reset_s)
        await world.limits.take("post:c", 1)
        assert await world.limits.sweep() <= 1
        assert not (await world.limits.take("post:c", 1)).allowed
        assert not (await world.limits.take("sign-up:b", 1, 86_400)).allowed

    @promise
    async def test_no_span_of_a_lease_has_more_than_there_are_places(self, world: LimiterWorld) -> None:
        """Four at its beginning, one just before its end: one is free for every one that lapses."""
        assert await self.entered(world, 4) == [0] * 4
        await self.passes(world, 899)
        assert await self.entered(world, 2) == [0, 1]
        await self.passes(world, 1)
        assert await self.entered(world, 5) == [0, 0, 0, 0, 899]

    @promise
    async def test_part_of_a_second_is_one_to_wait_for_a_place(self, world: LimiterWorld) -> None:
        await self.entered(world, 1, most=1)
        await self.passes(world, 899.5)
        assert await self.entered(world, 1, most=1) == [1]

    @promise
    async def test_whoever_was_refused_has_no_place(self, world: LimiterWorld) -> None:
        await self.entered(world, 3, most=2)
        await world.limits.release("sign-in:a", world.asked[2])
        assert await self.entered(world, 1, most=2) == [900]

    @promise
    async def test_whoever_stays_keeps_a_place_and_nobody_else_does(self, world: LimiterWorld) -> None:
        await self.entered(world, 2, most=2, lease_s=30)
        for _ in range(3):
            await self.passes(world, 20)
            await world.limits.renew({world.asked[0]: "sign-in:a"}, 30)
        assert await self.entered(world, 2, most=2, lease_s=30) == [0, 30]

    @promise
    async def test_whoever_stays_too_late_has_the_place_again(self, world: LimiterWorld) -> None:
        await self.entered(world, 1, most=1, lease_s=30)
        await self.passes(world, 60)
        await world.limits.sweep()
        await world.limits.renew({world.asked[0]: "sign-in:a"}, 30)
        assert await self.entered(world, 1, most=1, lease_s=30) == [30]
        await world.limits.renew({}, 30)

    @promise
    async def test_a_sweep_forgets_places_that_lapsed_and_no_other(self, world: LimiterWorld) -> None:
        await self.entered(world, 1, lease_s=30)
        await self.entered(world, 1)
        await self.passes(world, 31)
        assert await world.limits.sweep() == 1
        assert await self.entered(world, 5) == [0, 0, 0, 0, 869]
