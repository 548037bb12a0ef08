"""E-mail addresses, as accounts are named by them."""

from __future__ import annotations

from bazi_core.facts import composed

LONGEST_EMAIL = 254


def same_email(text: str) -> str:
    """An e-mail as it is kept, however its letters were composed.

    >>> same_email("Jose\\u0301@example.org ") == "José@example.org"
    True
    """
    return composed(text.strip())


def is_email(text: str) -> bool:
    """Whether mail could be sent there, as far as its form can tell: nothing is sent."""
    name, sign, host = text.rpartition("@")
    plain = text.isprintable() and " " not in text and len(text) <= LONGEST_EMAIL
    return bool(sign and name and "." in host.strip(".") and plain)
