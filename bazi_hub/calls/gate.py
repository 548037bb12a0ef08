"""The checks that calls, divination runs and purchases share, in the order in which the first that fails decides.

`enter` stands before the arguments are looked at: a hub that closes, a tool that is switched off, the rate limit, a missing
price. `require_reader` stands before a model is asked, `insufficient` is the refusal of the ledger, `has_free_room` bounds
answers that cost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_hub.money import rules
from bazi_hub.ports import NewCall, days
from bazi_hub.words.call import RateWindow
from bazi_hub.words.errors import HubError, shutting_down

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.calls.state import HubState
    from bazi_hub.ports import LimitHit, Refused
    from bazi_hub.tools.tool import Limit
    from bazi_hub.words.call import Caller

DAY_S = 86_400
# A lease outlives the deadline by this much, so that a call that ends in time is never reaped.
LEASE_GRACE_S = 30.0
OVERLOADED_RETRY_S = 5
# What a stored free answer may have been asked with: with the number of them, the most that an account fills in a day.
FREE_BYTES = 16_384


class Gate:
    """The checks of one request for a tool. `counted` is told what is left of the rate limit as soon as that is known."""

    def __init__(
        self, hub: HubState, tool: str, caller: Caller, counted: Callable[[RateWindow], None] | None = None
    ) -> None:
        self.hub, self.tool, self.caller, self._counted = hub, tool, caller, counted
        self.window: RateWindow | None = None
        # The limit, its bucket and the number of the window that was hit.
        self._hit: tuple[Limit, str, int] | None = None

    async def enter(self, limit: Limit | None, *, metered: bool) -> None:
        """Returns if the request may go on; `UPSTREAM_ERROR` (closing), `TOOL_DISABLED`, `RATE_LIMITED`, `CONFIG_ERROR`."""
        hub = self.hub
        if hub.draining:
            raise shutting_down()
        await hub.start()
        price = (await hub.storage.pricing.all()).get(self.tool)
        if price is not None and not price.enabled:
            raise HubError("TOOL_DISABLED", "Tool is disabled", tool_name=self.tool)
        if limit is not None and not (limit.agents_only and self.caller.kind != "agent"):
            await self._take(limit)
        if metered and price is None:
            raise HubError("CONFIG_ERROR", "The hub has no price for this tool")

    async def _take(self, limit: Limit) -> None:
        """Takes a hit of the window that a limit gives this caller."""
        caller = self.caller
        owner = caller.key_id if limit.keyed_by == "key" and caller.key_id else caller.account_id
        bucket = f"{limit.type}:{owner}"
        taken = await self.hub.limits.take(bucket, limit.per_minute)
        self._hit = limit, bucket, taken.window
        window = self.window = _window(limit, taken)
        if self._counted is not None:
            self._counted(window)
        if not taken.allowed:
            raise self._limited(window.limit_type, window.limit, "minute", max(1, window.reset_s))

    async def give_back(self) -> None:
        """Undoes the hit, and notes what is left of the window then."""
        if self._hit is not None:
            limit, bucket, number = self._hit
            await self.hub.limits.give_back(bucket, number)
            self.window = _window(limit, await self.hub.limits.peek(bucket, limit.per_minute))

    async def require_reader(self) -> None:
        """Nothing, if the account may ask a model now; `RATE_LIMITED` after too many readings that nobody paid, and
        `UPSTREAM_ERROR` while too many wait. Whoever goes on takes a seat of `Hub.slots` before anybody else acts."""
        hub, account_id = self.hub, self.caller.account_id
        now_ms, most = hub.clock.now_ms(), hub.settings.uncharged_readings
        if await hub.storage.ledger.uncharged(account_id, days(now_ms)) >= most:
            raise self._limited("uncharged_readings", most, "day", max(1, DAY_S - now_ms // 1000 % DAY_S))
        if not hub.slots.room(account_id):
            hub.telemetry.count("rate_limited_total", 1, **{"class": "readings_at_once"})
            raise HubError(
                "UPSTREAM_ERROR",
                "Too many readings are waiting",
                reason="OVERLOADED",
                retry_after=OVERLOADED_RETRY_S,
            )

    async def has_free_room(self, asked_bytes: int = 0) -> bool:
        """Whether one more answer that costs nothing may be stored today; it is counted then."""
        if asked_bytes > FREE_BYTES:
            return False
        bucket, most = f"free_answers:{self.caller.account_id}", self.hub.settings.free_answers
        return (await self.hub.limits.take(bucket, most, DAY_S)).allowed

    def new_call(
        self, fingerprint: str, deadline_s: float, *, replay: bool, key: str | None = None
    ) -> NewCall:
        """The request as the ledger is asked for it, with a lease that outlives its deadline."""
        hub = self.hub
        return NewCall(
            id=hub.ids.uuid(),
            account_id=self.caller.account_id,
            tool=self.tool,
            fingerprint=fingerprint,
            key=key,
            account_key=self.caller.key_id,
            replay=replay,
            lease_s=deadline_s + LEASE_GRACE_S,
            started_ms=hub.clock.now_ms(),
            worker=hub.worker,
        )

    def insufficient(self, refused: Refused) -> HubError:
        """`INSUFFICIENT_CREDITS`: how the price stands against the account."""
        price, reason = refused.price, rules.refusal_reason(refused)
        link = self.hub.settings.topup_url
        return HubError(
            "INSUFFICIENT_CREDITS",
            f"Balance is below the cost of {self.tool}"
            if reason == "BALANCE"
            else "Credits are reserved by running calls",
            reason=reason,
            tool_name=self.tool,
            balance=refused.posted,
            held=refused.held,
            available=refused.posted - refused.held,
            credit_cost=price.credit_cost,
            min_balance=price.min_balance,
            **({"topup_url": link} if link else {}),
        )

    def _limited(self, limit_type: str, most: int, span: str, retry_after: int) -> HubError:
        self.hub.telemetry.count("rate_limited_total", 1, **{"class": limit_type})
        return HubError(
            "RATE_LIMITED",
            f"{limit_type} limit of {most} per {span} reached",
            limit_type=limit_type,
            limit=most,
            retry_after=retry_after,
        )


def _window(limit: Limit, found: LimitHit) -> RateWindow:
    return RateWindow(limit.type, limit.per_minute, found.remaining, found.reset_s)
