"""What the hub tells of itself: counters and histograms for Prometheus, and one JSON object per line for people."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bazi_hub.wire.json import dumps, quote

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "bazi_hub_"
FAST_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90, 120, 300)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}
EXPOSITION_TYPE = CONTENT_TYPE_LATEST


class Metric(NamedTuple):
    """A row. Those with `buckets` are histograms, the others counters."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] | None = None


METRICS = (
    Metric("calls_total", "Calls by what became of them.", ("tool", "transport", "code")),
    Metric("call_seconds", "From the first check to the outcome.", ("tool",), FAST_S),
    Metric("reader_seconds", "One question to the reading service.", (), FAST_S),
    Metric("commit_seconds", "One transaction of the ledger's writer.", (), FAST_S),
    Metric("commit_batch", "Operations in one transaction.", (), SIZES),
    Metric("replays_total", "Answers given again for nothing.", ("kind",)),
    Metric("reaped_total", "Running calls ended because their process was silent."),
    Metric("late_capture_total", "Readings that came after their lease."),
    Metric("rate_limited_total", "Refused hits of a limit.", ("class",)),
    Metric("auth_failures_total", "Credentials that were refused.", ("reason",)),
)
HELD = "held_credits"


class Metrics:
    """The `Telemetry` of a hub that serves: every hub has a registry of its own.

    >>> metrics = Metrics()
    >>> metrics.count("reaped_total", 2)
    >>> b"bazi_hub_reaped_total 2.0" in metrics.exposition()
    True
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        level: str = "info",
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.registry = CollectorRegistry()
        self._stream, self._least, self._now_ms = stream or sys.stderr, LEVELS[level], now_ms
        self._counters = {row.name: self._counter(row) for row in METRICS if row.buckets is None}
        self._histograms = {row.name: self._histogram(row) for row in METRICS if row.buckets is not None}
        self._held = Gauge(PREFIX + HELD, "Credits held by running calls.", registry=self.registry)
        # The library looks the child of a set of labels up under a lock; every call counts.
        self._counted: dict[tuple[str, ...], Counter] = {}
        self._observed: dict[tuple[str, ...], Histogram] = {}

    def _counter(self, row: Metric) -> Counter:
        return Counter(PREFIX + row.name, row.help, row.labels, registry=self.registry)

    def _histogram(self, row: Metric) -> Histogram:
        return Histogram(
            PREFIX + row.name, row.help, row.labels, registry=self.registry, buckets=row.buckets or ()
        )

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        key = (name, *labels, *labels.values())
        counter = self._counted.get(key)
        if counter is None:
            counter = self._counters[name]
            counter = self._counted[key] = counter.labels(**labels) if labels else counter
        counter.inc(amount)

    def observe(self, name: str, value: float, **labels: str) -> None:
        if name == HELD:
            self._held.set(value)
            return
        key = (name, *labels, *labels.values())
        histogram = self._observed.get(key)
        if histogram is None:
            histogram = self._histograms[name]
            histogram = self._observed[key] = histogram.labels(**labels) if labels else histogram
        histogram.observe(value)

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        """One line. Members without a value are left out; a line that cannot be written is no reason to fail a call."""
        if LEVELS[level] < self._least:
            return
        second, ms = divmod(self._now_ms(), 1000)
        told = [f',"{name}":{_json(value)}' for name, value in members.items() if value is not None]
        line = f'{{"ts":"{_second(second)}.{ms:03d}Z","level":"{level}","event":"{event}"{"".join(told)}}}\n'
        with suppress(OSError, ValueError):
            self._stream.write(line)

    def exposition(self) -> bytes:
        """Everything in the text format of Prometheus."""
        return generate_latest(self.registry)


@lru_cache(2)
def _second(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def _json(value: Any) -> str:
    """A member as JSON; most are texts, and there are ten in every line."""
    return quote(value) if type(value) is str else dumps(value)


class _Others(logging.Handler):
    """What other libraries log, as lines of the hub: who logs, and the type of an exception. Their words are theirs, and may
    hold what no log may; only the web server is known to say nothing but what happened."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.WARNING)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[0] if record.exc_info else None
        known = record.name.startswith("uvicorn") and error is None and not record.args
        self._metrics.log(
            "library",
            "error" if record.levelno >= logging.ERROR else "warning",
            logger=record.name,
            detail=str(record.msg) if known else None,
            error=error.__name__ if error else None,
        )


def heard(metrics: Metrics) -> None:
    """Has everything that is logged in this process told as lines of the hub."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Others)]:
        root.removeHandler(handler)
    root.addHandler(_Others(metrics))
