"""How often something may be done."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Taken(NamedTuple):
    """Whether a hit found room in its window, what is left, and the seconds until the window ends."""

    allowed: bool
    remaining: int
    reset_s: int
    window: int


class RateLimiter(Protocol):
    """Counters in fixed windows of UTC time, from minutes of a tool to the sign-ups of a day."""

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        """One hit, atomically; a refused hit is not counted."""

    async def look(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        """What a hit would find."""

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        """Undoes a hit of that window, if it is still the current one."""

    async def sweep(self) -> int:
        """Forgets windows that are over; how many."""
