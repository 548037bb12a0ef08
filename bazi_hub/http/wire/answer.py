"""An HTTP response of any protocol: a status, bytes, and the headers that an outcome asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bazi_hub.words.call import RateWindow

Headers = tuple[tuple[str, str], ...]

WINDOW_S = 60
CHALLENGE = 'Bearer realm="bazi-hub"'


class Answer(NamedTuple):
    """A response before it is sent. No body goes without `body_type`."""

    status: int
    body: bytes = b""
    headers: Headers = ()
    body_type: str | None = "application/json"


def limit_headers(window: RateWindow | None) -> Headers:
    """The policy of the window that a call was counted in, and what is left of it.

    >>> from bazi_hub.words.call import RateWindow
    >>> dict(limit_headers(RateWindow("fortune_call", 10, 7, 42)))
    {'RateLimit-Policy': '"fortune_call";q=10;w=60', 'RateLimit': '"fortune_call";r=7;t=42'}
    """
    if window is None:
        return ()
    return (
        ("RateLimit-Policy", f'"{window.limit_type}";q={window.limit};w={WINDOW_S}'),
        ("RateLimit", f'"{window.limit_type}";r={window.remaining};t={window.reset_s}'),
    )


# What the code of an error adds to the headers, made of its members.
_OF_ERROR: dict[str, Callable[[Mapping[str, Any]], tuple[str, str]]] = {
    "UNAUTHORIZED": lambda members: ("WWW-Authenticate", CHALLENGE),
    "METHOD_NOT_ALLOWED": lambda members: ("Allow", str(members["allow"])),
    "GONE_DEPRECATED": lambda members: ("Link", f'<{members["successor"]}>; rel="successor-version"'),
}


def error_headers(code: str, members: Mapping[str, Any]) -> Headers:
    """The headers that go with an error of either table, such as the challenge of a 401."""
    headers = (_OF_ERROR[code](members),) if code in _OF_ERROR else ()
    wait_s = members.get("retry_after")
    return headers if wait_s is None else (*headers, ("Retry-After", str(wait_s)))
