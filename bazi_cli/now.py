"""The present moment, read from the device in one place."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The present, at the offset of the device, to the second; in UTC when that offset is a day or more (TZ=UTC+24)."""
    present = datetime.now(UTC).replace(microsecond=0)
    try:
        return present.astimezone()
    except ValueError:
        return present
