"""A thread that writes in batches: it takes what waits, settles it in one transaction, and wakes each event loop once."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bazi_hub.ports import Telemetry
from bazi_hub.store.sql.database import store_error

W = TypeVar("W")


class Failed(NamedTuple):
    """The outcome of work that raised."""

    fault: Exception


class Item(NamedTuple):
    """Work that waits for its turn, and who waits for it."""

    work: Any
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Batches(threading.Thread, ABC, Generic[W]):
    """A thread that collects what is submitted, settles it in batches, and resolves the futures behind each."""

    def __init__(self, most: int, driver: type[Exception], telemetry: Telemetry | None) -> None:
        super().__init__(name="bazi-hub-writer", daemon=True)
        self._most, self._driver, self._telemetry = most, driver, telemetry
        self._waiting: dict[asyncio.AbstractEventLoop, list[Item]] = {}
        self._queue: queue.SimpleQueue[list[Item] | None] = queue.SimpleQueue()

    @abstractmethod
    def settle(self, batch: list[W]) -> list[Any]:
        """An outcome, or `Failed`, for each item of the batch, all of them durable."""

    def submit(self, work: W) -> asyncio.Future[Any]:
        """Queues work; the future is resolved when its transaction is durable."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        waiting = self._waiting.get(loop)
        if waiting is None:
            waiting = self._waiting[loop] = []
            # Behind everybody whose turn it is now: one hand-over for all of them, and then the loop is idle while the
            # writer works. Handed over one by one, the two threads take the interpreter from each other all the time.
            loop.call_soon(self._hand_over, loop)
        waiting.append(Item(work, future, loop))
        return future

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        if items := self._waiting.pop(loop, None):
            self._queue.put(items)

    def stop(self) -> None:
        """Lets the thread end behind everything that was queued."""
        for loop in list(self._waiting):
            self._hand_over(loop)
        self._queue.put(None)

    def run(self) -> None:
        last = False
        while not last:
            waiting, last = self._collect()
            for start in range(0, len(waiting), self._most):
                batch = waiting[start : start + self._most]
                self._deliver(batch, self._settled(batch))

    def _collect(self) -> tuple[list[Item], bool]:
        """Waits for an item and takes those behind it; returns whether the end was among them."""
        waiting: list[Item] = []
        while (items := self._queue.get()) is not None:
            waiting += items
            if len(waiting) >= self._most or self._queue.empty():
                return waiting, False
        return waiting, True

    def _settled(self, batch: list[Item]) -> list[Any]:
        began = time.perf_counter()
        try:
            outcomes = self.settle([item.work for item in batch])
        except Exception as fault:
            # A bug must not end the thread: everybody would wait for ever.
            outcomes = [Failed(fault)] * len(batch)
        if self._telemetry:
            self._telemetry.observe("commit_seconds", time.perf_counter() - began)
            self._telemetry.observe("commit_batch", len(batch))
        return outcomes

    def _deliver(self, batch: list[Item], outcomes: list[Any]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for item, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Failed):
                outcome = Failed(self._port_fault(outcome.fault))
            by_loop.setdefault(item.loop, []).append((item.future, outcome))
        for loop, resolved in by_loop.items():
            try:
                loop.call_soon_threadsafe(_resolve, resolved)
            except RuntimeError:
                # The loop was closed: nobody waits any more.
                continue

    def _port_fault(self, fault: Exception) -> Exception:
        """A `StoreError` for a fault of the driver, a new one for each item; any other fault as it is."""
        if not isinstance(fault, (SQLAlchemyError, OSError, self._driver)):
            return fault
        error = store_error(fault)
        error.__cause__ = fault
        return error


def _resolve(resolved: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, outcome in resolved:
        if future.done():
            continue
        if isinstance(outcome, Failed):
            future.set_exception(outcome.fault)
        else:
            future.set_result(outcome)
