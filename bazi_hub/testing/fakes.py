"""A clock that stands still until it is told, and ids that are the same in every run."""

from __future__ import annotations

import hashlib
import uuid

# Sunday 2026-03-01, 12:34:10 UTC: in the middle of a minute and of a day.
START_MS = 1_772_368_450_000


class FakeClock:
    """Wall clock and monotonic clock that move together, unless one of them is set.

    >>> clock = FakeClock()
    >>> clock.advance(2.5)
    >>> clock.now_ms() - START_MS, clock.monotonic()
    (2500, 1002.5)
    """

    def __init__(self, now_ms: int = START_MS, monotonic: float = 1000.0) -> None:
        self._now_ms = now_ms
        self._monotonic = monotonic

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Lets time pass on both."""
        self._now_ms += round(seconds * 1000)
        self._monotonic += seconds

    def set_wall(self, seconds: float) -> None:
        """Moves the wall clock alone, as an operator or a time server does."""
        self._now_ms += round(seconds * 1000)


class FakeIds:
    """Counted ids: valid UUIDs and secrets of the right size, new ones at every call.

    >>> FakeIds().uuid()
    '00000000-0000-4000-8000-000000000001'
    """

    def __init__(self, start: int = 0) -> None:
        self._count = start

    def uuid(self) -> str:
        self._count += 1
        return str(uuid.UUID(int=(0x4 << 76) | (0x8 << 60) | self._count))

    def secret(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(str(self._count).encode()).digest(size)
