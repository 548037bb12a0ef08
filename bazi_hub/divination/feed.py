"""Who reads along: streams that wait for news of a run, from this process at once, from others within a quarter of a second.

Nobody is sent anything here: a reader is told that there is more, and fetches it from the log. What a reader has not fetched
costs no memory, however slow it is.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from bazi_hub.calls.hub import Hub
from bazi_hub.divination.problems import RunProblem
from bazi_hub.ports import StoreError
from bazi_hub.words.fault_log import log_fault

MOST_STREAMS = 16
STREAM_RETRY_S = 5
# So long a stream counts that nobody speaks of any more: its process is gone. The hub looks around three times as often.
STREAM_LEASE_S = 30.0
POLL_S = 0.2
# Where nobody else writes only the reaper does so behind the back of this process.
POLL_ALONE_S = 1.0


class Feed:
    """The open streams of a process. How many an account has is counted over all processes."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        # The place of each stream, and the bucket of its account.
        self._streams: dict[str, str] = {}
        self._waiting: dict[str, set[Callable[[], None]]] = {}
        self._seen: defaultdict[str, int] = defaultdict(int)
        self._poller: asyncio.Task[None] | None = None
        hub.on_drain.append(self.wake)
        hub.on_watch.append(self._stay)

    @asynccontextmanager
    async def stream(self, account_id: str, place: str) -> AsyncIterator[None]:
        """Room for one more stream of an account, under a name of its own; 429 where there is none."""
        bucket = f"event_stream:{account_id}"
        if await self._hub.limits.acquire(bucket, place, MOST_STREAMS, STREAM_LEASE_S):
            self._hub.telemetry.count("rate_limited_total", 1, **{"class": "event_stream"})
            raise RunProblem(
                "RATE_LIMITED",
                f"{MOST_STREAMS} event streams are open",
                limit_type="event_stream",
                limit=MOST_STREAMS,
                retry_after=STREAM_RETRY_S,
            )
        self._streams[place] = bucket
        try:
            yield
        finally:
            del self._streams[place]
            # Done even where nobody waits for it any more.
            await asyncio.shield(self._hub.spawn(self._leave(bucket, place)))

    async def _leave(self, bucket: str, place: str) -> None:
        try:
            await self._hub.limits.release(bucket, place)
        except StoreError as error:
            # It lapses by itself.
            log_fault(self._hub.telemetry, error, "leave_failed", "warning")

    async def _stay(self) -> None:
        await self._hub.limits.renew(dict(self._streams), STREAM_LEASE_S)

    @contextmanager
    def watched(self, run_id: str, seq: int, wake: Callable[[], None]) -> Iterator[None]:
        """Has `wake` called when a run has events beyond `seq`, and when the hub closes its streams."""
        self._waiting.setdefault(run_id, set()).add(wake)
        self._seen[run_id] = max(self._seen[run_id], seq)
        if self._poller is None:
            self._poller = self._hub.spawn(self._poll())
        try:
            yield
        finally:
            self._waiting[run_id].discard(wake)
            if not self._waiting[run_id]:
                del self._waiting[run_id], self._seen[run_id]

    def tell(self, run_id: str) -> None:
        """A run has new events."""
        for wake in list(self._waiting.get(run_id, ())):
            wake()

    def wake(self) -> None:
        """Lets every stream look up."""
        for run_id in list(self._waiting):
            self.tell(run_id)

    async def _poll(self) -> None:
        """Asks the log about all watched runs at once, while any is watched."""
        try:
            while self._waiting:
                await asyncio.sleep(POLL_S if self._hub.storage.shared else POLL_ALONE_S)
                await self._look()
        finally:
            self._poller = None

    async def _look(self) -> None:
        try:
            found = await self._hub.storage.runs.sequences(list(self._waiting))
        except Exception as error:
            log_fault(self._hub.telemetry, error, "poll_failed", "warning")
            return
        for run_id, seq in found.items():
            if seq > self._seen.get(run_id, seq):
                self._seen[run_id] = seq
                self.tell(run_id)
