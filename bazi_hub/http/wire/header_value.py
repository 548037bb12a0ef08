"""Values of HTTP headers that repeat what stands in a body (Model Context Protocol 2026-07-28)."""

from __future__ import annotations

import base64
import binascii


def header_value(value: str) -> str | None:
    """A header's value; what does not fit into one comes as canonical base64 of UTF-8, and None is what cannot.

    >>> header_value("tools/call"), header_value("=?base64?5YyX5Lqs?="), header_value("=?base64?5YyX5Lqt?=x")
    ('tools/call', '北京', '=?base64?5YyX5Lqt?=x')
    """
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    payload = value[9:-2]
    try:
        decoded = base64.b64decode(payload, validate=True)
        canonical = base64.b64encode(decoded).decode() == payload
        return decoded.decode() if canonical else None
    except (binascii.Error, ValueError):
        return None
