"""Fixed windows of UTC time and places that lapse, in dictionaries that forget what is over."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from bazi_hub.ports import Clock, LimitHit
from bazi_hub.words.system import SystemClock

# A bucket and how long its windows are.
Counter = tuple[str, int]


class MemoryLimits:
    """Counters of the running windows, by the wall clock: at most once a minute, those of windows that ended are dropped.
    Places by bucket, each with the millisecond of the monotonic clock in which it lapses."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock: Clock = clock or SystemClock()
        self._hits: dict[Counter, tuple[int, int]] = {}
        self._places: dict[str, dict[str, int]] = {}
        self._swept_minute = 0

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        found = await self.peek(bucket, limit, window_s)
        if not found.allowed:
            return found
        if self._clock.now_ms() // 60_000 != self._swept_minute:
            self._forget()
        counter = bucket, window_s
        self._hits[counter] = found.window, self._count(counter, found.window) + 1
        return found._replace(remaining=found.remaining - 1)

    async def peek(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        now_s = self._clock.now_ms() // 1000
        window = now_s // window_s
        room = max(limit - self._count((bucket, window_s), window), 0)
        return LimitHit(room > 0, room, window_s - now_s % window_s, window)

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        counter = bucket, window_s
        count = self._count(counter, window)
        if count:
            self._hits[counter] = window, count - 1

    def __len__(self) -> int:
        """The number of counters."""
        return len(self._hits)

    def _count(self, counter: Counter, window: int) -> int:
        kept, count = self._hits.get(counter, (window, 0))
        return count if kept == window else 0

    async def acquire(self, bucket: str, place: str, most: int, lease_s: float) -> int:
        tick, taken = self._tick(), self._live_places(bucket)
        if len(taken) >= most:
            return ceil((min(taken.values()) - tick) / 1000)
        self._places.setdefault(bucket, taken)[place] = tick + round(lease_s * 1000)
        return 0

    async def renew(self, places: Mapping[str, str], lease_s: float) -> None:
        until = self._tick() + round(lease_s * 1000)
        for place, bucket in places.items():
            self._places.setdefault(bucket, {})[place] = until

    async def release(self, bucket: str, place: str) -> None:
        taken = self._places.get(bucket, {})
        taken.pop(place, None)
        if not taken:
            self._places.pop(bucket, None)

    def _tick(self) -> int:
        return round(self._clock.monotonic() * 1000)

    def _live_places(self, bucket: str) -> dict[str, int]:
        """The places of a bucket that have not lapsed; the others are gone."""
        tick, taken = self._tick(), self._places.get(bucket, {})
        for place in [place for place, until in taken.items() if until <= tick]:
            del taken[place]
        if not taken:
            self._places.pop(bucket, None)
        return taken

    async def sweep(self) -> int:
        before = sum(map(len, self._places.values()))
        left = sum(len(self._live_places(bucket)) for bucket in list(self._places))
        return self._forget() + before - left

    def _forget(self) -> int:
        now_s, before = self._clock.now_ms() // 1000, len(self._hits)
        self._swept_minute = now_s // 60
        self._hits = {counter: hits for counter, hits in self._hits.items() if hits[0] >= now_s // counter[1]}
        return before - len(self._hits)
