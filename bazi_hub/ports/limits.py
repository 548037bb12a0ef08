"""Rate limits: hits of a window of time, and places at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class LimitHit(NamedTuple):
    """Whether a hit found room in its window, what is left, and the seconds until the window ends."""

    allowed: bool
    remaining: int
    reset_s: int
    window: int


class RateLimiter(Protocol):
    """Counters in fixed windows of UTC time, from minutes of a tool to the sign-ups of a day; and places, of which there are
    so many at any moment: those of open streams, which are kept, and of wrong passwords, which lapse."""

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        """One hit, atomically; a refused hit is not counted."""

    async def peek(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        """The answer that `take` would give now; nothing is counted."""

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        """Undoes a hit of that window, if it is still the current one."""

    async def acquire(self, bucket: str, place: str, most: int, lease_s: float) -> int:
        """Takes one of `most` places for so many seconds, atomically, under a name that nobody else has. 0: it is taken;
        otherwise the whole seconds until the next of them lapses."""

    async def renew(self, places: Mapping[str, str], lease_s: float) -> None:
        """Keeps places, each with its bucket, for so many seconds from now, even those that lapsed."""

    async def release(self, bucket: str, place: str) -> None:
        """Gives a place up, if it is taken."""

    async def sweep(self) -> int:
        """Forgets windows that are over and places that lapsed; how many."""
