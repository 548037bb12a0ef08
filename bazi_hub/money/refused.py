"""Calls that were refused for what they asked: to find that out costs nobody credits, so there is an end to it.

Each process counts for itself, in whole minutes: what is protected is its time.
"""

from __future__ import annotations

from bazi_hub.ports import Clock
from bazi_hub.words.errors import HubError

LIMIT_TYPE = "refused_call"
# What is wrong with what was asked; a body that cannot be used is counted where it is read.
REFUSED = frozenset({"INVALID_INPUT", "UNKNOWN_TOOL"})
MOST_A_MINUTE = 300
# Of more owners in a minute than this the count begins anew.
MOST_OWNERS = 10_000
MINUTE_MS = 60_000


class RefusedCalls:
    """The refusals of each owner, an account or an address, in this minute.

    >>> from bazi_hub.words.system import SystemClock
    >>> refused = RefusedCalls(SystemClock(), most=2)
    >>> refused.count("a"), refused.require_room("a"), refused.count("a")
    (None, None, None)
    >>> refused.require_room("a")
    Traceback (most recent call last):
    bazi_hub.words.errors.HubError: RATE_LIMITED: refused_call limit of 2 per minute reached
    """

    def __init__(self, clock: Clock, most: int = MOST_A_MINUTE) -> None:
        self._clock, self.most = clock, most
        self._minute = 0
        self._counts: dict[str, int] = {}

    def count(self, owner: str) -> None:
        """A call of this owner was refused."""
        counts = self._of_now()
        if len(counts) >= MOST_OWNERS:
            counts.clear()
        counts[owner] = counts.get(owner, 0) + 1

    def require_room(self, owner: str) -> None:
        """Nothing, if the owner may be refused once more; else `RATE_LIMITED`."""
        if self._of_now().get(owner, 0) >= self.most:
            raise HubError(
                "RATE_LIMITED",
                f"{LIMIT_TYPE} limit of {self.most} per minute reached",
                limit_type=LIMIT_TYPE,
                limit=self.most,
                retry_after=60 - self._clock.now_ms() % MINUTE_MS // 1000,
            )

    def _of_now(self) -> dict[str, int]:
        minute = self._clock.now_ms() // MINUTE_MS
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        return self._counts
