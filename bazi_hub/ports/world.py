"""Clock, ids and telemetry."""

from __future__ import annotations

from typing import Any, Protocol


class Telemetry(Protocol):
    """Metrics and log. Names are those of the metrics; no secret and no birth is ever passed."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None: ...

    def observe(self, name: str, value: float, **labels: str) -> None: ...

    def log(self, event: str, level: str = "info", **members: Any) -> None: ...


class Clock(Protocol):
    def now_ms(self) -> int:
        """Wall clock."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""


# A UUID of any version, as a pattern of JSON Schema writes it.
UUID_FORM = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


class Ids(Protocol):
    def uuid(self) -> str: ...

    def secret(self, size: int) -> bytes: ...


def days(now_ms: int) -> int:
    """The UTC day of an instant, counted from 1970-01-01."""
    return now_ms // 86_400_000
