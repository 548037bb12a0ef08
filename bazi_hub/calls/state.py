"""The hub without its calls: what it stands on, what is in progress, how it starts, keeps house and closes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from functools import partial
from typing import Any

from bazi_core.model.port import AsyncReadingPort, member
from bazi_hub.calls.background import Background
from bazi_hub.calls.in_progress import CallsInProgress
from bazi_hub.calls.slots import Slots, SlottedPort
from bazi_hub.money.recently_funded import RecentlyFunded
from bazi_hub.money.refused import REFUSED, RefusedCalls
from bazi_hub.ports import (
    PURGED_AT_ONCE,
    Clock,
    Ids,
    Moderation,
    Price,
    RateLimiter,
    Storage,
    StoreClosed,
    StoreError,
    Telemetry,
)
from bazi_hub.tools.tool import ListedTool, Tool
from bazi_hub.tools.toolsets import catalog_of
from bazi_hub.words.call import Caller
from bazi_hub.words.errors import HubError
from bazi_hub.words.fault_log import log_fault
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import AllowAll, NoTelemetry, SystemClock, SystemIds

REAP_EVERY_S = 10.0
SEEN_AFTER_S = 0.05
LAPSED_EVERY_S = 3600.0


class HubState:
    """Stores, limits, clock and reader of a hub, the calls in progress, and the housekeeping around them."""

    def __init__(
        self,
        settings: Settings,
        *,
        storage: Storage,
        limits: RateLimiter,
        reader: AsyncReadingPort | None = None,
        moderation: Moderation | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        self.settings, self.storage, self.limits = settings, storage, limits
        self.clock: Clock = clock or SystemClock()
        self.ids: Ids = ids or SystemIds()
        self.moderation: Moderation = moderation or AllowAll()
        self.telemetry: Telemetry = telemetry or NoTelemetry()
        self.catalog: Mapping[str, Tool] = catalog_of(settings.toolset)
        self.worker = self.ids.uuid()
        self.draining = False
        self._reader = reader
        self.slots = Slots(settings.llm_max_concurrency, settings.llm_account_concurrency)
        self.in_progress = CallsInProgress()
        self.recently_funded = RecentlyFunded(self.clock)
        self.refused = RefusedCalls(self.clock)
        self._tasks: set[asyncio.Task[Any]] = set()
        # Calls whose answers were handed over, to be written down.
        self.seen: list[str] = []
        self._starting: asyncio.Future[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._lapsed_at = 0.0
        self._sync = Background()
        # Told when the hub is on its way out, such as those who hold streams open.
        self.on_drain: list[Callable[[], None]] = []
        # Asked every ten seconds, such as those whose leases have to be prolonged.
        self.on_watch: list[Callable[[], Awaitable[None]]] = []

    # --- what tools may reach (`tools.context.Services`) ---

    @property
    def remote(self) -> bool:
        """Whether a model writes the readings."""
        return self._reader is not None

    def reader_for(self, account_id: str) -> AsyncReadingPort | None:
        if self._reader is None:
            return None
        if member(self._reader, "configured") is False:
            raise HubError("CONFIG_ERROR", "The hub is not configured for this tool")
        return SlottedPort(self._reader, self.slots, account_id, self.clock, self.telemetry)

    async def compute(self, work: Callable[[], Any]) -> Any:
        # At once: it takes milliseconds, and in a thread it would hold the interpreter for as long and cost the way there.
        return work()

    async def listed(self) -> list[ListedTool]:
        """Every tool in order, with its price and whether it is enabled."""
        prices = await self.storage.pricing.all()
        return [_listed(tool, prices.get(tool.name)) for tool in self.catalog.values()]

    # --- life ---

    async def start(self) -> None:
        """Opens the stores and starts the housekeeping; the first call does it if the hub was not started.

        Done again where it failed, and where the event loop in which it was done has ended. `StoreClosed` for a hub that is
        on its way out.
        """
        if self._watching is None or self._watching.done():
            await asyncio.shield(self._start_under_way())

    def _start_under_way(self) -> asyncio.Future[None]:
        """The start that is under way, or a new one."""
        if self.draining:
            raise StoreClosed("the hub is closed")
        if self._starting is None or self._starting.done():
            self._starting = asyncio.ensure_future(self._start())
        return self._starting

    async def _start(self) -> None:
        await self.storage.open()
        await self.storage.ledger.heartbeat(self.worker)
        if not self.storage.shared:
            # What nobody executes here nobody executes at all.
            await self._reap(everything=not self.in_progress)
        self._watching = self.spawn(self._watch())

    async def _watch(self) -> None:
        """Says every ten seconds that this process lives, and ends the calls of those that do not."""
        while True:
            await asyncio.sleep(REAP_EVERY_S)
            for step in self._round():
                try:
                    await step()
                except Exception as error:
                    # What comes behind it may work, and somebody waits for it.
                    log_fault(self.telemetry, error, "watch_failed")

    def _round(self) -> list[Callable[[], Awaitable[Any]]]:
        """The steps of the housekeeping, done every ten seconds, each by itself."""
        ledger, runs, now_ms = self.storage.ledger, self.storage.runs, self.clock.now_ms()
        return [
            partial(ledger.heartbeat, self.worker),
            *self.on_watch,
            self._reap,
            partial(ledger.purge, now_ms - self.settings.result_ttl_s * 1000),
            self.limits.sweep,
            self._forget_lapsed,
            self._tell_held,
            partial(runs.purge, now_ms - self.settings.run_log_ttl_s * 1000),
        ]

    async def _tell_held(self) -> None:
        self.telemetry.observe("held_credits", await self.storage.ledger.held())

    async def _forget_lapsed(self) -> None:
        """Drops sessions and invitations whose time is over, once in an hour: to look for them is to read them all."""
        now = self.clock.monotonic()
        if now < self._lapsed_at:
            return
        self._lapsed_at = now + LAPSED_EVERY_S
        for purge in (self.storage.sessions.purge, self.storage.accounts.purge_invites):
            while await purge(self.clock.now_ms()) >= PURGED_AT_ONCE:
                pass

    async def inherit(self, dead: Collection[str]) -> None:
        """Ends the calls of processes that are known to be dead, without waiting for their leases."""
        await self._reap(dead=dead)

    async def _reap(self, everything: bool = False, dead: Collection[str] = ()) -> None:
        reaped = await self.storage.ledger.reap(everything, dead)
        if reaped:
            self.telemetry.count("reaped_total", reaped)

    async def drain(self, within_s: float | None = None) -> None:
        """Refuses new calls, lets running ones finish for a while, and releases the rest."""
        self.draining = True
        for told in self.on_drain:
            told()
        running_calls = list(self.in_progress.values())
        running = [call.task for call in running_calls]
        if not running:
            return
        await asyncio.wait(running, timeout=self.settings.drain_s if within_s is None else within_s)
        for call in running_calls:
            call.stop()
        await asyncio.gather(*running, return_exceptions=True)

    async def close(self, drain_s: float | None = None) -> None:
        """Drains, ends what was watched over, and closes the stores."""
        await self.drain(drain_s)
        await self.tell_seen()
        if self._starting is None:
            return
        if not self._starting.done():
            await asyncio.wait([self._starting])
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # Also of a start that failed half-way.
        await self.storage.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- answers that were seen, and the log ---

    async def delivered(self, call_id: str) -> None:
        """Says that the answer of a call was handed over whole, so that asking again is a new call.

        It is written down with others a moment later; should the process die before, the answer is given again for nothing.
        """
        self.seen.append(call_id)
        if len(self.seen) == 1:
            self.spawn(self._told_later())

    async def _told_later(self) -> None:
        await asyncio.sleep(SEEN_AFTER_S)
        await self.tell_seen()

    async def tell_seen(self) -> None:
        """Writes down which answers were seen."""
        seen, self.seen = self.seen, []
        try:
            if seen:
                await self.storage.ledger.delivered(seen)
        except StoreError as error:
            log_fault(self.telemetry, error, "delivered_failed", "warning")

    def record(
        self, tool: str, transport: str, caller: Caller, request_id: str, call_id: str | None, code: str,
        seconds: float,
    ) -> None:  # fmt: skip
        """Counts, times and logs the end of a call or of a run, in one line."""
        if code in REFUSED:
            self.refused.count(caller.account_id)
        self.telemetry.count("calls_total", tool=tool, transport=transport, code=code)
        self.telemetry.observe("call_seconds", seconds, tool=tool)
        self.telemetry.log(
            "call",
            request_id=request_id,
            call_id=call_id,
            account_id=caller.account_id,
            key_id=caller.key_id,
            tool=tool,
            transport=transport,
            code=code,
            duration_ms=round(seconds * 1000, 1),
        )


def _listed(tool: Tool, price: Price | None) -> ListedTool:
    cost = price.credit_cost if price and tool.metered else 0
    return ListedTool(tool, cost, price.enabled if price else not tool.metered)
