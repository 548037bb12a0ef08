"""What every rate limiter promises: fixed windows of UTC time, places for a while, and never one too many of either."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bazi_hub.testing.contract import Contract, promise
from bazi_hub.testing.fakes import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bazi_hub.ports import RateLimiter


@dataclass(frozen=True, slots=True)
class LimiterWorld:
    """The world of a limiter. Its clock has to stand still while a test does not let time pass."""

    limits: RateLimiter
    clock: FakeClock = field(default_factory=FakeClock)
    # Who came for a place so far.
    came: list[str] = field(default_factory=list)


class RateLimiterContract(Contract):
    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LimiterWorld]:
        raise NotImplementedError
        yield

    def now_ms(self, world: LimiterWorld) -> int:
        """The time by which the limiter counts."""
        return world.clock.now_ms()

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
    async def test_a_limit_of_nothing_lets_nothing_pass(self, world: LimiterWorld) -> None:
        assert not (await world.limits.take("post:a", 0)).allowed

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
    async def test_buckets_know_nothing_of_each_other(self, world: LimiterWorld) -> None:
        assert (await world.limits.take("post:a", 1)).allowed
        assert (await world.limits.take("post:b", 1)).allowed
        assert not (await world.limits.take("post:a", 1)).allowed

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
    async def test_what_is_given_back_can_be_taken_again(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await world.limits.give_back("post:a", hit.window)
        assert (await world.limits.take("post:a", 1)).allowed
        assert not (await world.limits.take("post:a", 1)).allowed

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
    async def test_hits_at_the_same_moment_get_no_more_than_there_is(self, world: LimiterWorld) -> None:
        hits = await asyncio.gather(*(world.limits.take("fortune_call:k", 10) for _ in range(50)))
        assert sum(hit.allowed for hit in hits) == 10
        assert sorted(hit.remaining for hit in hits if hit.allowed) == list(range(10))

    @promise
    async def test_a_sweep_forgets_windows_that_are_over_and_no_other(self, world: LimiterWorld) -> None:
        hit = await world.limits.take("post:a", 1)
        await world.limits.take("sign-up:b", 1, 86_400)
        await self.passes(world, hit.reset_s)
        await world.limits.take("post:c", 1)
        assert await world.limits.sweep() <= 1
        assert not (await world.limits.take("post:c", 1)).allowed
        assert not (await world.limits.take("sign-up:b", 1, 86_400)).allowed

    # --- places

    async def entered(
        self, world: LimiterWorld, count: int, most: int = 5, lease_s: float = 900
    ) -> list[int]:
        """What so many hear who come one after the other."""
        found = []
        for _ in range(count):
            world.came.append(f"place-{len(world.came)}")
            found.append(await world.limits.acquire("sign-in:a", world.came[-1], most, lease_s))
        return found

    @promise
    async def test_there_are_so_many_places_and_no_more(self, world: LimiterWorld) -> None:
        assert await self.entered(world, 7) == [0, 0, 0, 0, 0, 900, 900]
        assert await world.limits.acquire("sign-in:b", "place-x", 5, 900) == 0

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
    async def test_whoever_leaves_makes_room_for_one(self, world: LimiterWorld) -> None:
        await self.entered(world, 5)
        for _ in range(2):
            await world.limits.release("sign-in:a", world.came[2])
        await world.limits.release("sign-in:b", world.came[3])
        assert await self.entered(world, 2) == [0, 900]

    @promise
    async def test_whoever_was_refused_has_no_place(self, world: LimiterWorld) -> None:
        await self.entered(world, 3, most=2)
        await world.limits.release("sign-in:a", world.came[2])
        assert await self.entered(world, 1, most=2) == [900]

    @promise
    async def test_whoever_stays_keeps_a_place_and_nobody_else_does(self, world: LimiterWorld) -> None:
        await self.entered(world, 2, most=2, lease_s=30)
        for _ in range(3):
            await self.passes(world, 20)
            await world.limits.renew({world.came[0]: "sign-in:a"}, 30)
        assert await self.entered(world, 2, most=2, lease_s=30) == [0, 30]

    @promise
    async def test_whoever_stays_too_late_has_the_place_again(self, world: LimiterWorld) -> None:
        await self.entered(world, 1, most=1, lease_s=30)
        await self.passes(world, 60)
        await world.limits.sweep()
        await world.limits.renew({world.came[0]: "sign-in:a"}, 30)
        assert await self.entered(world, 1, most=1, lease_s=30) == [30]
        await world.limits.renew({}, 30)

    @promise
    async def test_of_those_who_come_together_no_more_get_in(self, world: LimiterWorld) -> None:
        coming = (world.limits.acquire("sign-in:a", f"place-{number}", 5, 900) for number in range(20))
        assert sorted(await asyncio.gather(*coming)) == [0] * 5 + [900] * 15

    @promise
    async def test_a_sweep_forgets_places_that_lapsed_and_no_other(self, world: LimiterWorld) -> None:
        await self.entered(world, 1, lease_s=30)
        await self.entered(world, 1)
        await self.passes(world, 31)
        assert await world.limits.sweep() == 1
        assert await self.entered(world, 5) == [0, 0, 0, 0, 869]
