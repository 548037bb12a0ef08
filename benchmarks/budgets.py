"""Every operation of `operations` against its budget: `python -m benchmarks.budgets [--rounds N] [--write]`."""

from __future__ import annotations

import argparse
from time import perf_counter_ns
from typing import TYPE_CHECKING

from benchmarks import operations, report
from benchmarks.timing import Taken, interleaved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.operations import Operation


def rows(
    rounds: int,
    makers: Sequence[Callable[[], Operation]] = operations.ALL,
    clock: Callable[[], int] = perf_counter_ns,
) -> Iterator[list[str]]:
    """One row an operation: least and median µs, multiples of the yardstick, which comes first, budget, verdict."""
    ops = [make() for make in makers]
    taken = interleaved(ops, rounds, clock)
    for operation, times in zip(ops, taken, strict=True):
        yield _row(operation, times, taken[0])


def _row(operation: Operation, times: Taken, yardstick: Taken) -> list[str]:
    bisects = times.over(yardstick)
    limits = []
    if operation.budget_us is not None:
        limits.append((f"≤ {operation.budget_us:.0f} µs", times.least <= operation.budget_us))
    if operation.budget_bisects is not None:
        limits.append((f"≤ {operation.budget_bisects:g} bisects", bisects <= operation.budget_bisects))
    budget = ", ".join(text for text, _ in limits)
    verdict = "" if not limits else "kept" if all(kept for _, kept in limits) else "missed"
    return [operation.name, f"{times.least:.2f}", f"{times.median:.2f}", f"{bisects:.1f}", budget, verdict]


HEAD = ["operation", "least, µs", "median, µs", "in bisects", "budget", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    table = report.table(HEAD, rows(asked.rounds))
    births = f"{operations.COUNT:,} births (20 to {operations.FEWER} where a call takes milliseconds)"
    text = f"{report.stamp()}, {births}, {asked.rounds} rounds.\n\n{table}"
    report.publish("budgets", text, asked.write)


if __name__ == "__main__":
    main()
