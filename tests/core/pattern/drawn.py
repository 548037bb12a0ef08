"""Four pillars at random, any at all and such as some moment has; and what is judged of pillars."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pattern.result import PatternResult
from bazi_core.pillars import FourPillars, five_rats, five_tigers
from bazi_core.school import School

ANY_PILLARS = st.tuples(*[st.sampled_from(PILLARS)] * 4).map(
    lambda four: " ".join(pillar.value for pillar in four)
)


def possible(draw: Random, hour: bool = True) -> FourPillars:
    """Four pillars, or three, that some moment has."""
    year, day = draw.choice(PILLARS), draw.choice(PILLARS)
    month = five_tigers(year.stem, draw.choice(BRANCHES))
    return FourPillars(year, month, day, five_rats(day.stem, draw.choice(BRANCHES)) if hour else None)


def of(pillars: str, **options: Any) -> PatternResult:
    """The judgement of pillars, possible or not."""
    return bz.chart(pillars=pillars, school=School(validate="warn", **options)).pattern()
