"""An event loop in a thread of its own, for callers that have none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


class Background:
    """Runs coroutines in one loop, from any thread. The loop begins with the first of them.

    >>> async def answer(): return 42
    >>> loop = Background()
    >>> loop.run(answer()), loop.close()
    (42, None)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of the coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._running_loop()).result()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        # Web servers call from many threads, and begin with all of them at once.
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="bazi-hub", daemon=True)
                self._thread.start()
            elif self._thread is None or not self._thread.is_alive():
                raise RuntimeError("the event loop of this hub stayed behind in the process that was forked")
            return self._loop

    def end(self, last: Coroutine[Any, Any, Any]) -> None:
        """Runs a last coroutine and stops the loop, if it was begun."""
        if self._loop is None:
            last.close()
            return
        try:
            self.run(last)
        finally:
            self.close()

    def close(self) -> None:
        """Stops the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
