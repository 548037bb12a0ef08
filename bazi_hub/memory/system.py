"""The clock and the random numbers of this machine; a moderation that lets everything pass, a telemetry nobody hears."""

from __future__ import annotations

import secrets
import time
import uuid
from typing import Any, Literal


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()


class SystemIds:
    def uuid(self) -> str:
        return str(uuid.uuid4())

    def secret(self, size: int) -> bytes:
        return secrets.token_bytes(size)


class AllowAll:
    async def review(
        self, kind: str, text: str, author: str
    ) -> tuple[Literal["allow", "hold", "reject"], str]:
        return "allow", ""


class NoTelemetry:
    """Nobody listens."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        return

    def observe(self, name: str, value: float, **labels: str) -> None:
        return

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        return
