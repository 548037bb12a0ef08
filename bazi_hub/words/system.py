"""The clock and the random numbers of this machine; a moderation that allows every text, a telemetry that does nothing."""

from __future__ import annotations

import os
import random
import secrets
import time
from typing import Any, Literal

_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()


_random = random.Random(secrets.token_bytes(32))
if hasattr(os, "register_at_fork"):
    # A process that splits off would go on with the same numbers.
    os.register_at_fork(after_in_child=lambda: _random.seed(secrets.token_bytes(32)))


class SystemIds:
    def uuid(self) -> str:
        # Version 7 of RFC 9562: begins with the time, so that new rows stand together in every index. Ids are unique and no
        # secrets, so they need no bits of the system each time.
        stamp, h = f"{time.time_ns() // 1_000_000:012x}", f"{_random.getrandbits(76):019x}"
        return f"{stamp[:8]}-{stamp[8:]}-7{h[:3]}-{_VARIANT[h[3]]}{h[4:7]}-{h[7:]}"

    def secret(self, size: int) -> bytes:
        return secrets.token_bytes(size)


class AllowAll:
    async def review(
        self, kind: str, text: str, author: str
    ) -> tuple[Literal["allow", "hold", "reject"], str]:
        return "allow", ""


class NoTelemetry:
    """Counts, observes and logs nothing."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        return

    def observe(self, name: str, value: float, **labels: str) -> None:
        return

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        return
