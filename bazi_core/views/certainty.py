"""The certainty of a verdict: one of three words, and the share of printed charts of its class that agree with their book.

A class is read off the chart (how many methods agree, how the votes for the useful god fall); how often verdicts of
the class were those of the book is counted on the printed charts and shipped as `tables/calibration.csv`. Their
labels were read by one model and reviewed by no person: the share is what was observed there, no probability for
a life.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import NamedTuple

from bazi_core.tables import rows

SETTLED, LEANING, OPEN = "settled", "leaning", "open"
FEW = 20  # charts, below which a share is marked as resting on few
# By how many of the four methods of strength share the verdict.
BY_AGREEMENT = (OPEN, OPEN, OPEN, LEANING, SETTLED)


class Observed(NamedTuple):
    """The number of charts of a class that agree with their book (`hits`), and of all charts of the class (`of`)."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        return self.hits / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson).

        >>> [round(end, 2) for end in Observed(1, 4).interval]
        [0.05, 0.7]
        """
        z = 1.96
        middle = (self.share + z * z / (2 * self.of)) / (1 + z * z / self.of)
        reach = (
            z
            * sqrt(self.share * (1 - self.share) / self.of + (z / (2 * self.of)) ** 2)
            / (1 + z * z / self.of)
        )
        return max(0.0, middle - reach), min(1.0, middle + reach)

    @property
    def is_thin(self) -> bool:
        """Whether the number of charts is too small for a useful share."""
        return self.of < FEW


@cache
def observed(name: str) -> Observed:
    """The observations of a class of verdicts, summed over all books."""
    counts = [(int(row["hits"]), int(row["of"])) for row in rows("calibration") if row["class"] == name]
    return Observed(sum(hits for hits, _ in counts), sum(of for _, of in counts))
