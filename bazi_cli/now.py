"""The present moment, read from the device in one place."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The present, at the offset of the device, to the second."""
    return datetime.now(UTC).replace(microsecond=0).astimezone()
