"""The hub: one pipeline for every call, whatever brought it.

Parsing and identification happen before, in the transport; the checks and steps of a call are in `execution`. An error costs
nothing and is an outcome like any other.
"""

from __future__ import annotations

from typing import Any

from bazi_hub.calls.background import Background
from bazi_hub.calls.execution import CallExecution
from bazi_hub.calls.state import HubState
from bazi_hub.words.call import Call, Caller, Outcome


class Hub(HubState):
    """The tools over the stores, limits and reader it was given. No globals; several may live in one process.

    >>> import asyncio
    >>> from bazi_hub.money.limits import MemoryLimits
    >>> from bazi_hub.store.memory.storage import MemoryStorage
    >>> from bazi_hub.words.system import SystemClock, SystemIds
    >>> from bazi_hub.words.settings import Settings
    >>> async def version():
    ...     clock = SystemClock()
    ...     hub = Hub(Settings(), storage=MemoryStorage(clock, SystemIds()), limits=MemoryLimits(clock))
    ...     outcome = await hub.dispatch("get_skill_info", {}, Caller("a", "personal"))
    ...     await hub.close()
    ...     return outcome.result[:18]
    >>> asyncio.run(version())
    '{"skill":"BaZi Hub'
    """

    async def dispatch(
        self, tool: str, arguments: Any, caller: Caller, idempotency_key: str | None = None
    ) -> Outcome:
        """A call without a transport."""
        return await self.call(Call(tool, arguments, caller, self.ids.uuid(), idempotency_key))

    def dispatch_sync(
        self, tool: str, arguments: Any, caller: Caller, idempotency_key: str | None = None
    ) -> Outcome:
        """The same for callers without an event loop; the hub then runs in one of its own. Use either this or the rest."""
        outcome: Outcome = self._sync.run(self.dispatch(tool, arguments, caller, idempotency_key))
        return outcome

    def adopt(self, background: Background) -> None:
        """Lets `dispatch_sync` use the event loop in which this hub was started."""
        self._sync = background

    def close_sync(self) -> None:
        """Ends a hub that was asked through `dispatch_sync`."""
        self._sync.end(self.close())

    async def call(self, call: Call) -> Outcome:
        """The outcome of a call; errors are outcomes too, none is raised."""
        start = self.clock.monotonic()
        attempt = CallExecution(self, call)
        try:
            outcome = await attempt.outcome()
        except Exception as error:
            outcome = Outcome(error=attempt.error_of(error).traced(call.request_id), window=attempt.window)
        self._record(call, outcome, self.clock.monotonic() - start)
        return outcome

    def _record(self, call: Call, outcome: Outcome, seconds: float) -> None:
        code = outcome.error.name if outcome.error else "OK"
        tool = call.tool if call.tool in self.catalog else "unknown"
        if outcome.replayed:
            self.telemetry.count("replays_total", kind="key" if call.idempotency_key else "undelivered")
        self.record(tool, call.transport, call.caller, call.request_id, outcome.call_id, code, seconds)
