"""Instants as the hub prints them: RFC 3339 UTC with milliseconds and `Z`."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(ms: int) -> str:
    """An instant in milliseconds since 1970 as text.

    >>> iso(1775219400000)
    '2026-04-03T12:30:00.000Z'
    """
    at = datetime.fromtimestamp(ms // 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"
