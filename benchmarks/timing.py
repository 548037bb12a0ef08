"""How a time is taken: whole passes over the inputs, all operations in turn, the least of each.

Other work on the machine only ever adds time, so the minimum over many passes is the figure that repeats.
Operations take turns within every round, so that a slow minute is slow for all of them, and for the yardstick
in whose multiples they are told.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.operations import Operation

SHORTEST_PASS_NS = 5_000_000


@dataclass(frozen=True, slots=True)
class Taken:
    """Microseconds a call, one figure a round."""

    us: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.us)

    @property
    def median(self) -> float:
        return statistics.median(self.us)

    def over(self, other: Taken) -> float:
        """Ratio of the least times."""
        return self.least / other.least


def interleaved(
    operations: Sequence[Operation], rounds: int, clock: Callable[[], int] = perf_counter_ns
) -> list[Taken]:
    """The times of all operations over `rounds` rounds; a first round warms them up and is thrown away.

    Where a call takes milliseconds and the machine is never quiet, `process_time_ns` is the clock that repeats.
    """
    for operation in operations:
        _pass(operation, clock)
    times: list[list[float]] = [[] for _ in operations]
    for _ in range(rounds):
        for taken, operation in zip(times, operations, strict=True):
            taken.append(_least_pass(operation, clock))
    return [Taken(tuple(taken)) for taken in times]


def _least_pass(operation: Operation, clock: Callable[[], int]) -> float:
    """The quickest of the passes that fit into a few milliseconds, in µs a call."""
    passes = [_pass(operation, clock)]
    while sum(passes) < SHORTEST_PASS_NS:
        passes.append(_pass(operation, clock))
    return min(passes) / len(operation.inputs) / 1000


def _pass(operation: Operation, clock: Callable[[], int]) -> int:
    call, inputs = operation.call, operation.inputs
    start = clock()
    for each in inputs:
        call(*each)
    return clock() - start
