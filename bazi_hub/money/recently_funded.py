"""Accounts that could pay a call many times over a moment ago."""

from __future__ import annotations

from bazi_hub.money import rules
from bazi_hub.ports import Clock, Found, Fresh, NewCall

# How long an account is known to be able to pay so many times over, and of how many pairs of account and tool.
KEPT_S, TIMES_OVER, MOST_KEPT = 5.0, 100, 10_000


class RecentlyFunded:
    """Pairs of account and tool, each for a few seconds.

    To look costs a call without a model as much as all else that the ledger does for it. The charge finds the same in its
    own transaction, so what is remembered here decides nothing: were it wrong, a computation was in vain.

    >>> from bazi_hub.ports import NewCall, Price
    >>> from bazi_hub.words.system import SystemClock
    >>> funded, call = RecentlyFunded(SystemClock()), NewCall("c", "a", "t", "f")
    >>> funded.note(call, Fresh(Price("t", 4, 4, 0, True), False, 400, 0))
    >>> funded.has(call), funded.has(call._replace(account_id="b"))
    (True, False)
    >>> funded.forget(call)
    >>> funded.has(call)
    False
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}

    def note(self, call: NewCall, found: Found) -> None:
        """Remembers an account that can pay many times over."""
        if not isinstance(found, Fresh):
            return
        if rules.covers((found.posted - found.held) // TIMES_OVER, 0, found.price):
            if len(self._until) >= MOST_KEPT:
                self._until.clear()
            self._until[call.account_id, call.tool] = self._clock.monotonic() + KEPT_S

    def has(self, call: NewCall) -> bool:
        """Whether the account of a call could pay it many times over a moment ago."""
        return self._clock.monotonic() < self._until.get((call.account_id, call.tool), 0.0)

    def forget(self, call: NewCall) -> None:
        """Drops an account: its charge has found something else."""
        self._until.pop((call.account_id, call.tool), None)
