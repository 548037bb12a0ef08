"""The caller's own name for a call, by which a retry is known: a header, or a member of MCP's `_meta`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bazi_hub.words.call import key_issues
from bazi_hub.words.errors import Issue

META_KEY = "bazi.hub/idempotency_key"
HEADER = "Idempotency-Key"


def idempotency(header: str | None, meta: Mapping[str, Any]) -> tuple[str | None, tuple[Issue, ...]]:
    """The idempotency key, and its issues.

    >>> idempotency("order-7", {})
    ('order-7', ())
    >>> idempotency("order-7", {"bazi.hub/idempotency_key": "order-8"})[1][0].message
    'Idempotency-Key and _meta name different keys'
    """
    member = meta.get(META_KEY)
    if header is None and member is None:
        return None, ()
    given = [(HEADER, header), (f"_meta.{META_KEY}", member)]
    issues = [issue for path, key in given if key is not None for issue in key_issues(path, key)]
    if not issues and header is not None and member is not None and header != member:
        issues.append(Issue(HEADER, f"{HEADER} and _meta name different keys"))
    key = header if header is not None else member
    return (None if issues else key), tuple(issues)
