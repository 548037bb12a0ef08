"""Telemetry of the hub: counters and histograms for Prometheus, and a log of one JSON object per line.

Where `PROMETHEUS_MULTIPROC_DIR` names a directory, processes that serve together count in files there: each tells what all
of them counted. Each takes the first number that no living process has; whoever is started in place of one that died goes on
in its files, so that no counter ever goes back and no file is left behind.
"""

from __future__ import annotations

import fcntl
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from glob import glob
from typing import Any, NamedTuple, TextIO

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    values,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from bazi_core import __version__
from bazi_hub.http.wire.json import dumps, quote
from bazi_hub.words.fault_log import traced

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
# What one process tells for all, each time anew: of several the one that told last is believed.
TOLD = (
    Metric("held_credits", "Credits held by running calls."),
    Metric("workers_replaced_total", "Workers that died or froze and were replaced, since the start."),
)
# What is read off when it is asked for; nobody tells it.
BUILD = Metric("build_info", "Always 1; the labels tell what runs.", ("version", "python"))
PROCESS = (
    Metric("process_start_time_seconds", "When each process began, since 1970.", ("worker",)),
    Metric("process_resident_memory_bytes", "Memory of each process.", ("worker",)),
    Metric("process_cpu_seconds", "Processor time of each process.", ("worker",)),
    Metric("process_open_fds", "Open files and connections of each process.", ("worker",)),
    Metric("process_max_fds", "How many it may have open.", ("worker",)),
)
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def counted_together() -> Iterator[None]:
    """Lets the processes that are started meanwhile count as one; they are told by the environment."""
    if os.environ.get(TOGETHER):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="bazi-hub-") as folder:
        os.environ[TOGETHER] = folder
        try:
            yield
        finally:
            del os.environ[TOGETHER]


class _Place:
    """The number of this process among those that count together: the first whose lock is free."""

    def __init__(self) -> None:
        self._pid, self._number, self._lock = -1, "0", -1

    def number(self) -> str:
        if self._pid != os.getpid():
            self._pid, (self._number, self._lock) = os.getpid(), _first_free(os.environ[TOGETHER])
        return self._number


def _first_free(folder: str) -> tuple[str, int]:
    """A number, and its lock; the system gives the lock back when the process ends, however it does."""
    number = 0
    while True:
        lock = os.open(f"{folder}/{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            number += 1
        else:
            return str(number), lock


@lru_cache(1)
def _counting_together() -> _Place:
    """Writes the counts of this process where the others see them, from now on."""
    place = _Place()
    values.ValueClass = values.MultiProcessValue(place.number)  # type: ignore[no-untyped-call]
    return place


def now_ms() -> int:
    """The wall clock."""
    return time.time_ns() // 1_000_000


class Lines:
    """The log: one JSON object a line."""

    def __init__(
        self,
        stream: TextIO | None = None,
        level: str = "info",
        now_ms: Callable[[], int] = now_ms,
    ) -> None:
        self._stream, self._least, self._now_ms = stream or sys.stderr, LEVELS[level], now_ms

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        """One line. Members without a value are left out; a line that cannot be written is no reason to fail a call."""
        if LEVELS[level] < self._least:
            return
        second, ms = divmod(self._now_ms(), 1000)
        told = [f',"{name}":{_json(value)}' for name, value in members.items() if value is not None]
        line = f'{{"ts":"{_second(second)}.{ms:03d}Z","level":"{level}","event":"{event}"{"".join(told)}}}\n'
        with suppress(OSError, ValueError):
            self._stream.write(line)


class Figure(NamedTuple):
    """A counted value: its name, its labels, the value."""

    name: str
    labels: tuple[tuple[str, str], ...]
    value: float


class Metrics(Lines):
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
        now_ms: Callable[[], int] = now_ms,
    ) -> None:
        super().__init__(stream, level, now_ms)
        self._place = _counting_together() if os.environ.get(TOGETHER) else None
        self.registry = CollectorRegistry()
        self._counters = {row.name: self._counter(row) for row in METRICS if row.buckets is None}
        self._histograms = {row.name: self._histogram(row) for row in METRICS if row.buckets is not None}
        self._told = {row.name: self._gauge(row) for row in TOLD}
        self._gauge(BUILD).labels(__version__, platform.python_version()).set(1)
        self._process = {row.name: self._gauge(row) for row in PROCESS}
        self._own = ProcessCollector(registry=None)
        self.look()
        # The library looks the child of a set of labels up under a lock; every call counts.
        self._counted: dict[tuple[str, ...], Counter] = {}
        self._observed: dict[tuple[str, ...], Histogram] = {}

    def _gauge(self, row: Metric) -> Gauge:
        return Gauge(
            PREFIX + row.name, row.help, row.labels, registry=self.registry, multiprocess_mode="mostrecent"
        )

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
        if name in self._told:
            self._told[name].set(value)
            return
        key = (name, *labels, *labels.values())
        histogram = self._observed.get(key)
        if histogram is None:
            histogram = self._histograms[name]
            histogram = self._observed[key] = histogram.labels(**labels) if labels else histogram
        histogram.observe(value)

    def look(self) -> None:
        """Reads off what this process uses; on a system without `/proc` nothing."""
        worker = self._place.number() if self._place else "0"
        for family in self._own.collect():
            for sample in family.samples:
                gauge = self._process.get(sample.name.removesuffix("_total"))
                if gauge is not None:
                    gauge.labels(worker).set(sample.value)

    async def looked(self) -> None:
        """`look` as a coroutine, for the housekeeping of the hub."""
        self.look()

    def exposition(self) -> bytes:
        """Everything in the text format of Prometheus, of all processes that count together."""
        return generate_latest(self._everybody())

    def figures(self) -> list[Figure]:
        """The same without the buckets of histograms, as values."""
        return [
            Figure(sample.name.removeprefix(PREFIX), tuple(sample.labels.items()), sample.value)
            for family in self._everybody().collect()
            for sample in family.samples
            if not sample.name.endswith(("_bucket", "_created"))
        ]

    def _everybody(self) -> CollectorRegistry:
        """What all processes that count together have counted, this one's use of the machine read off anew."""
        self.look()
        if self._place is None:
            return self.registry
        everybody = CollectorRegistry()
        _Together(everybody)  # type: ignore[no-untyped-call]
        return everybody


class _Together(MultiProcessCollector):
    """What the files of all processes hold; one that a process has made a moment ago is empty."""

    def collect(self) -> Any:
        files = [each for each in glob(os.path.join(self._path, "*.db")) if os.path.getsize(each)]
        return self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]


@lru_cache(2)
def _second(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def _json(value: Any) -> str:
    """A member as JSON; most are texts, and there are ten in every line."""
    return quote(value) if type(value) is str else dumps(value)


class _Others(logging.Handler):
    """What other libraries log, as lines of the hub: who logs, and where an exception came from. Their words are theirs, and
    may hold what no log may; only the web server is known to say nothing but what happened."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.WARNING)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        known = record.name.startswith("uvicorn") and error is None and not record.args
        self._metrics.log(
            "library",
            "error" if record.levelno >= logging.ERROR else "warning",
            logger=record.name,
            detail=str(record.msg) if known else None,
            **(traced(error) if error else {}),
        )


def capture_library_logs(metrics: Metrics) -> None:
    """Has everything that is logged in this process told as lines of the hub."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Others)]:
        root.removeHandler(handler)
    root.addHandler(_Others(metrics))
