"""Pillars → times: a look-up of all windows of 1900–2100, and what the first one of a process costs.

`python -m benchmarks.find [--rounds N] [--write]`. The pillars are those of drawn births on the same clock, so that each
set has a window. A figure is the mean over the sets of the least of some runs of each, in processor time, so that other work
on the machine counts little; beside it stands the yardstick, moment and four pillars of a birth, taken in the same way. The
index is what is kept after the first look-up: the terms, the months of sixty years, the segments of the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from functools import partial
from time import thread_time_ns
from typing import TYPE_CHECKING, Any

import bazi_core as bz
from benchmarks import operations, report
from benchmarks.births import readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CLOCKS: dict[str, dict[str, Any]] = {
    "+08:00": {},
    "a zone without summer time now (Asia/Shanghai)": {"tz": "Asia/Shanghai"},
    "a zone with summer time (America/New_York)": {"tz": "America/New_York"},
    "true solar time (北京)": {"city": "北京"},
}
BUDGET_US = 50
COUNT = 300
FIRST = """
import sys, time, tracemalloc
import bazi_core as bz
bz.find
start = time.process_time()
if {trace}: tracemalloc.start()
bz.find("庚午 辛巳 庚辰 壬午", 1900, 2100, **{clock!r})
print(tracemalloc.get_traced_memory()[0] / 1024 if {trace} else (time.process_time() - start) * 1000)
"""


def pillars_on(clock: dict[str, Any]) -> list[str]:
    """The pillars of drawn births on a clock, each as a text."""
    where = {**clock, "fold": 0} if clock else {"utc_offset": "+08:00"}
    return [str(bz.chart(reading, **where).pillars) for reading in _shown(clock)]


def least_us(call: Callable[[Any], object], inputs: Sequence[Any], rounds: int) -> float:
    """Microseconds of processor time of a call: the least of the rounds of each input, on average."""
    best = [1e12] * len(inputs)
    for _ in range(rounds):
        for at, given in enumerate(inputs):
            start = thread_time_ns()
            call(given)
            best[at] = min(best[at], thread_time_ns() - start)
    return sum(best) / len(best) / 1000


def _shown(clock: dict[str, Any]) -> Iterator[Any]:
    for reading in readings(COUNT):
        try:
            bz.moment(reading, **({"utc_offset": "+08:00"} if not clock else {**clock, "fold": 0}))
        except bz.NonexistentLocalTime:
            continue
        yield reading


def first(clock: dict[str, Any], rounds: int, trace: bool) -> float:
    """Milliseconds of the first look-up of a process, the module imported; with `trace`, KiB that it leaves behind."""
    line = [sys.executable, "-c", FIRST.format(trace=trace, clock=clock)]
    runs = (subprocess.run(line, capture_output=True, text=True, check=True) for _ in range(rounds))
    return min(float(run.stdout) for run in runs)


def rows(rounds: int) -> Iterator[list[str]]:
    """One row a clock: µs of a look-up, multiple of the yardstick, windows of one, first look-up and memory."""
    yardstick = operations.moment_and_pillars()
    bare = least_us(lambda one: yardstick.call(*one), yardstick.inputs[:COUNT], rounds)
    yield [yardstick.name, f"{bare:.1f}", "1.0", "", "", "", ""]
    for name, clock in CLOCKS.items():
        asked = pillars_on(clock)
        taken = least_us(partial(_find, clock), asked, rounds)
        windows = sum(len(_find(clock, four)) for four in asked) / len(asked)
        times = [f"{taken:.1f}", f"{taken / bare:.1f}", f"{windows:.2f}"]
        index = [f"{first(clock, 5, False):.1f}", f"{first(clock, 1, True):.0f}"]
        yield [name, *times, *index, "kept" if taken <= BUDGET_US else "missed"]


def _find(clock: dict[str, Any], four: str) -> bz.FoundWindows:
    return bz.find(four, 1900, 2100, **clock)


HEAD = ["clock", "µs", "× yardstick", "windows", "first look-up, ms", "memory kept, KiB", f"≤ {BUDGET_US} µs"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    stamp = f"{report.stamp()}, load {os.getloadavg()[0]:.1f}, {asked.rounds} rounds of {COUNT} sets."
    report.publish("find", f"{stamp}\n\n{report.table(HEAD, rows(asked.rounds))}", asked.write)


if __name__ == "__main__":
    main()
