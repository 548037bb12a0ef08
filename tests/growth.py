"""How the time of a work grows with its input: measured in the time of the thread, and measured again where it looks bad."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

# Twice the input may take so many times as long; what takes less than the floor is not judged.
MOST, FLOOR_S = 2.6, 0.002
# Other work on the machine only ever adds time: the least of many is what a work costs. A whole series may fall into
# one slow stretch or lack memory of its own, so it is a fault only if each of some series, with new memory, shows it.
ROUNDS, SERIES = 12, 3
# No input of these sizes may take longer, however slowly its time grows.
LONGEST_S = 4.0
SIZES = tuple(256 << step for step in range(10))


class Steep(NamedTuple):
    """A doubling that took too much longer."""

    size: int
    seconds: float
    before_s: float

    def __str__(self) -> str:
        return f"{self.size} characters: {self.seconds * 1000:.1f} ms after {self.before_s * 1000:.1f} ms for half of them"


def steep(
    work: Callable[[str], object], grown: Callable[[int], str], sizes: tuple[int, ...] = SIZES
) -> Steep | None:
    """The first doubling at which the time grows by more than its input; None where there is none."""
    before: tuple[str, float] | None = None
    kept = [own_memory()]
    work(grown(sizes[0]))
    for size in sizes:
        text = grown(size)
        seconds = _seconds(work, text)
        if seconds > LONGEST_S:
            return Steep(size, seconds, before[1] if before else 0.0)
        if before is not None and _judged(seconds, before[1]):
            for _ in range(SERIES):
                seconds, shorter = _least(work, text, before[0], seconds, before[1])
                if not _judged(seconds, shorter):
                    break
                kept.append(own_memory.__wrapped__())
            else:
                return Steep(size, seconds, shorter)
        before = text, seconds
    return None


# What is kept, in bytes, of small objects and of large ones; the numbers of `mallopt` in glibc.
OWN_SMALL, OWN_LARGE = 1 << 26, 1 << 30
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, LARGEST_KEPT = -1, -3, 1 << 25


@cache
def own_memory() -> list[bytes]:
    """Makes the process keep memory, by a few small objects that stay scattered over it.

    Memory that was given back has to be asked for again, page by page, and which sizes pay for that is chance: a work of
    which twice the input takes twice the time takes three times as long where its memory begins to be given back between
    two rounds.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(M_TRIM_THRESHOLD, OWN_LARGE)
        mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT)
    made = [bytes(400) for _ in range(OWN_SMALL // 400)]
    return made[::1000]


def _judged(seconds: float, before_s: float) -> bool:
    return seconds > MOST * max(before_s, FLOOR_S)


def _least(
    work: Callable[[str], object], text: str, shorter: str, seconds: float, before_s: float
) -> tuple[float, float]:
    """The least that both take, until they are alike enough or there were rounds enough.

    What has to be shown is that the longer can be done in little more than twice the time of the shorter; so the shorter
    is measured no more often than the longer.
    """
    shorts = [before_s]
    for _ in range(ROUNDS):
        seconds = min(seconds, _seconds(work, text))
        shorts.append(_seconds(work, shorter))
        if not _judged(seconds, min(shorts)):
            break
    # The middle one: a lucky moment of the shorter says nothing of the longer.
    return seconds, sorted(shorts)[len(shorts) // 2]


def _seconds(work: Callable[[str], object], text: str) -> float:
    gc.collect(0)
    gc.disable()
    try:
        start = time.thread_time()
        work(text)
        return time.thread_time() - start
    finally:
        gc.enable()


def repeated(before: str, unit: str, after: str) -> Callable[[int], str]:
    """A text of about a size: the unit again and again, between a beginning and an end."""

    def grown(size: int) -> str:
        room = max(0, size - len(before) - len(after))
        return before + unit * (room // len(unit)) + after

    return grown
