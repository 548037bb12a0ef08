"""Pillars → times: a look-up of all windows of 1900–2100, and what the first one of a process costs.

`python -m benchmarks.find [--rounds N] [--write]`. The pillars are those of drawn births on the same clock, so that each set
has a window. The index is what is kept after the first look-up: the terms, the months of sixty years, the segments of
the clock; its memory is what tracemalloc sees of it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import bazi_core as bz
from benchmarks import operations, report
from benchmarks.births import readings
from benchmarks.timing import interleaved

if TYPE_CHECKING:
    from collections.abc import Iterator

CLOCKS: dict[str, dict[str, Any]] = {
    "+08:00": {},
    "a zone without summer time now (Asia/Shanghai)": {"tz": "Asia/Shanghai"},
    "a zone with summer time (America/New_York)": {"tz": "America/New_York"},
    "true solar time (北京)": {"city": "北京"},
}
BUDGET_US = 50
FIRST = """
import sys, time, tracemalloc
import bazi_core as bz
bz.find
start = time.perf_counter()
if {trace}: tracemalloc.start()
bz.find("庚午 辛巳 庚辰 壬午", 1900, 2100, **{clock!r})
print(tracemalloc.get_traced_memory()[0] / 1024 if {trace} else (time.perf_counter() - start) * 1000)
"""


def operation(name: str, clock: dict[str, Any]) -> operations.Operation:
    """The look-up of a thousand sets of pillars, each as a text."""
    charts = (
        bz.chart(reading, **({"utc_offset": "+08:00"} if not clock else {**clock, "fold": 0}))
        for reading in _shown(clock)
    )
    found = [(str(chart.pillars),) for chart in charts]
    return operations.Operation(name, lambda four: bz.find(four, 1900, 2100, **clock), found, BUDGET_US)


def _shown(clock: dict[str, Any]) -> Iterator[Any]:
    for reading in readings(operations.COUNT):
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
    """One row a clock: least and median µs of a look-up, windows of one, first look-up and memory."""
    ops = [operation(name, clock) for name, clock in CLOCKS.items()]
    for made, taken, clock in zip(ops, interleaved(ops, rounds), CLOCKS.values(), strict=True):
        windows = sum(len(made.call(*each)) for each in made.inputs) / len(made.inputs)  # type: ignore[arg-type]
        times = [f"{taken.least:.1f}", f"{taken.median:.1f}", f"{windows:.2f}"]
        index = [f"{first(clock, 5, False):.1f}", f"{first(clock, 1, True):.0f}"]
        yield [made.name, *times, *index, "kept" if taken.least <= BUDGET_US else "missed"]


HEAD = [
    "clock",
    "least, µs",
    "median, µs",
    "windows",
    "first look-up, ms",
    "memory kept, KiB",
    f"≤ {BUDGET_US} µs",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    report.publish(
        "find",
        f"{report.stamp()}, {asked.rounds} rounds.\n\n{report.table(HEAD, rows(asked.rounds))}",
        asked.write,
    )


if __name__ == "__main__":
    main()
