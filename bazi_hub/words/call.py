"""A call and its outcome: what every transport makes of its bytes, and gets back.

Neither knows HTTP, JSON-RPC or a database. The result travels as the JSON text it was made as, so that all transports,
and the replay of a call, carry the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from bazi_hub.words.errors import HubError, Issue

Kind = Literal["personal", "agent", "session", "web"]

_KEY = re.compile(r"[!-~]{1,128}")


def key_issues(path: str, key: Any) -> list[Issue]:
    """The issues of an idempotency key, the caller's own name for a call.

    >>> key_issues("idempotency_key", "order-7"), len(key_issues("idempotency_key", "order 7"))
    ([], 1)
    """
    if isinstance(key, str) and _KEY.fullmatch(key):
        return []
    return [Issue(path, "Must be 1 to 128 visible ASCII characters")]


class Caller(NamedTuple):
    """An account and the credential that speaks for it.

    `personal` and `agent` are API keys, `session` is a browser's cookie at the API, `web` the site's own pages.
    """

    account_id: str
    kind: Kind
    key_id: str | None = None
    agent_name: str | None = None
    language: str | None = None

    @property
    def author_type(self) -> str:
        """`agent` or `human` in the forum: by the credential, never by what the caller says."""
        return "agent" if self.kind == "agent" else "human"


class RateWindow(NamedTuple):
    """The remaining rate limit of this minute."""

    limit_type: str
    limit: int
    remaining: int
    reset_s: int


class Call(NamedTuple):
    """One tool, its arguments as they came, and who asks. `progress` is told each phase of a long call, `counted` what is
    left of its rate limit, for an answer that begins before there is an outcome.

    `issues` is what the transport found wrong beside the arguments, to be told together with what is wrong in them.
    """

    tool: str
    arguments: Any
    caller: Caller
    request_id: str
    idempotency_key: str | None = None
    category: str | None = None
    transport: str = "direct"
    progress: Callable[[str], None] | None = None
    issues: tuple[Issue, ...] = ()
    counted: Callable[[RateWindow], None] | None = None


class Outcome(NamedTuple):
    """The end of a call: the result as JSON text, or the error.

    `undelivered` is the call whose answer this is and that counts as unseen until the transport has handed it over.
    """

    result: str | None = None
    error: HubError | None = None
    credits_deducted: int = 0
    from_free_quota: bool = False
    call_id: str | None = None
    replayed: bool = False
    window: RateWindow | None = None
    undelivered: str | None = None

    @property
    def meta(self) -> dict[str, Any]:
        """The four members that stand beside every MCP result."""
        return {
            "credits_deducted": self.credits_deducted,
            "from_free_quota": self.from_free_quota,
            "call_id": self.call_id,
            "replayed": self.replayed,
        }


def compact(value: Any) -> str:
    """JSON as it travels: no white space, members in the order in which they were made.

    >>> compact({"b": "八字", "a": None})
    '{"b":"八字","a":null}'
    """
    return _encoder.encode(value)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
