"""Who reads along: streams that wait for news of a run, from this process at once, from others within a quarter of a second.

Nobody is sent anything here: a reader is told that there is more, and fetches it from the log. What a reader has not fetched
costs no memory, however slow it is.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bazi_hub.runs.problems import RunProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_hub.hub import Hub

MOST_STREAMS = 16
STREAM_RETRY_S = 5
POLL_S = 0.2
# Where nobody else writes only the reaper does so behind the back of this process.
POLL_ALONE_S = 1.0


class Feed:
    """The open streams of a process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._streams: Counter[str] = Counter()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._seen: defaultdict[str, int] = defaultdict(int)
        self._poller: asyncio.Task[None] | None = None
        hub.on_drain.append(self.wake)

    @contextmanager
    def stream(self, account_id: str) -> Iterator[None]:
        """Room for one more stream of an account; 429 where there is none."""
        if self._streams[account_id] >= MOST_STREAMS:
            self._hub.telemetry.count("rate_limited_total", 1, **{"class": "event_stream"})
            raise RunProblem(
                "RATE_LIMITED",
                f"{MOST_STREAMS} event streams are open",
                limit_type="event_stream",
                limit=MOST_STREAMS,
                retry_after=STREAM_RETRY_S,
            )
        self._streams[account_id] += 1
        try:
            yield
        finally:
            self._streams[account_id] -= 1
            if not self._streams[account_id]:
                del self._streams[account_id]

    def watch(self, run_id: str, seq: int) -> asyncio.Future[None]:
        """A future that is done when a run has events beyond `seq`, or when everybody is to look up."""
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(run_id, set()).add(news)
        self._seen[run_id] = max(self._seen[run_id], seq)
        news.add_done_callback(lambda done: self._forget(run_id, done))
        if self._poller is None:
            self._poller = self._hub.spawn(self._poll())
        return news

    def _forget(self, run_id: str, news: asyncio.Future[None]) -> None:
        left = self._waiting.get(run_id, set())
        left.discard(news)
        if not left:
            self._waiting.pop(run_id, None)
            self._seen.pop(run_id, None)

    def tell(self, run_id: str) -> None:
        """A run has new events."""
        for news in list(self._waiting.get(run_id, ())):
            if not news.done():
                news.set_result(None)

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
            self._hub.telemetry.log("poll_failed", "warning", error=type(error).__name__)
            return
        for run_id, seq in found.items():
            if seq > self._seen.get(run_id, seq):
                self.tell(run_id)
