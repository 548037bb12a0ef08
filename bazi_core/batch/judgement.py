"""Strength and pattern of many charts: each of the 518,400 is judged once, by the code of a single chart, and cached.

The result depends on the pillars and, where the School lets earth reign in the last days of a season, on that phase.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.alphabet import PILLARS
from bazi_core.batch.columns import CERTAINTIES, pattern_names
from bazi_core.batch.steps import term_instants
from bazi_core.chart import ChartValue
from bazi_core.pattern.result import pattern
from bazi_core.pillars import FourPillars
from bazi_core.views.elements import EARTH_DAYS_MS, elements
from bazi_core.views.strength import EITHER, LEVELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bazi_core.school import School

    Ints = NDArray[np.int64]

NAMES = ("strength", "strength_level", "strength_certainty", "support_share", "pattern")
_CHARTS = 60 * 12 * 60 * 13
_UNKNOWN = -2


class _Instant(NamedTuple):
    """The members of a moment that the season reads."""

    tt_ms: int
    next_jie: int


class Judgements:
    """The judgements of a School by the number of a chart."""

    def __init__(self, school: School) -> None:
        self.school = school
        self.by_days = school.earth_season != "four_months"
        self.cells = np.full((len(NAMES), _CHARTS * (1 + self.by_days)), _UNKNOWN, np.int16)

    def __call__(self, four: list[Ints], tt_ms: Ints, term: Ints) -> dict[str, Any]:
        """The columns of charts of these pillars."""
        year, month, day, hour = four
        at = ((year * 12 + month % 12) * 60 + day) * 13 + (hour - 12 * day) % 60
        next_jie = (term & ~1) + 2
        if self.by_days:
            at = at + _CHARTS * (term_instants().take(next_jie) - tt_ms <= EARTH_DAYS_MS)
        new = np.flatnonzero(self.cells[0].take(at) == _UNKNOWN)
        if len(new):
            numbers, first = np.unique(at[new], return_index=True)
            for number, row in zip(numbers.tolist(), new[first].tolist(), strict=True):
                known = FourPillars(*(PILLARS[int(each[row])] for each in four))
                instant = _Instant(int(tt_ms[row]), int(next_jie[row])) if self.by_days else None
                self.cells[:, number] = self._judged(known, instant)
        return {name: cells.take(at) for name, cells in zip(NAMES, self.cells, strict=True)}

    def _judged(self, four: FourPillars, instant: _Instant | None) -> tuple[int, ...]:
        chart = ChartValue(four, self.school)
        if instant is not None:
            moment: Any = instant
            vars(chart)["elements"] = elements(four, self.school, moment)
        strength = chart.strength
        if strength is None:
            return (-1,) * len(NAMES)
        levels = [*(name for _, name in LEVELS), EITHER]
        return (
            int(strength.is_strong),
            levels.index(strength.level),
            CERTAINTIES.index(strength.certainty),
            round(strength.support_share * 10_000),
            pattern_names().index(pattern(chart).name),
        )


@lru_cache(maxsize=8)
def judgements(school: School) -> Judgements:
    """The judgements of a School (cached)."""
    return Judgements(school)
