"""调候: met by the stem that 《穷通宝鉴》 wants first, in every chart."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS, STEMS
from bazi_core.pattern.climate import climate, required_stems
from bazi_core.pillars import FourPillars, five_rats, five_tigers
from bazi_core.tables.words import LANGUAGES
from bazi_core.views.hidden import hidden_stems
from tests.census.stars import all_pillars

STATES = ("absent", "hidden", "satisfied")
# Of the years of sixty one of yang and one of yin at once, the others in the whole suite.
SAMPLE = [year if year in (7, 30) else pytest.param(year, marks=pytest.mark.exhaustive) for year in range(60)]


@cache
def by_arrays() -> Any:
    """Place in `STATES` for all charts: shape (60, 12, 60, 12), from the characters alone."""
    year, month, day, hour = all_pillars()
    firsts = np.array([[required_stems(stem, branch)[0].index for branch in BRANCHES] for stem in STEMS])
    first = firsts[day % 10, month % 12]
    inside = np.zeros((12, 10), bool)
    for branch in BRANCHES:
        inside[branch.index, [each.stem.index for each in hidden_stems(branch)]] = True
    mains = np.array([hidden_stems(branch)[0].stem.index for branch in BRANCHES])
    visible = (year % 10 == first) | (month % 10 == first) | (hour % 10 == first)
    branches = [each % 12 for each in (year, month, day, hour)]
    main = np.any([np.broadcast_to(mains[each] == first, (60, 12, 60, 12)) for each in branches], axis=0)
    hidden = np.any([np.broadcast_to(inside[each, first], (60, 12, 60, 12)) for each in branches], axis=0)
    return np.where(visible | main, 2, np.where(hidden, 1, 0))


def of_year(year: int) -> Any:
    """The same chart by chart, for a year pillar."""
    made = np.empty((12, 60, 12), int)
    for m, branch in enumerate(BRANCHES):
        month = five_tigers(PILLARS[year].stem, branch)
        for day in PILLARS:
            for h, hour in enumerate(BRANCHES):
                four = FourPillars(PILLARS[year], month, day, five_rats(day.stem, hour))
                made[m, day.index, h] = STATES.index(climate(four).satisfied)
    return made


@pytest.mark.parametrize("year", SAMPLE)
def test_the_climate_is_met_only_where_its_first_stem_is_visible_or_a_main_qi(year):
    assert by_arrays().size == 518_400
    assert np.array_equal(of_year(year), by_arrays()[year])


def test_the_state_is_told_of_the_first_stem_and_rests_on_where_it_is():
    facts = bz.chart(pillars="戊戌 丙辰 乙亥 丁丑").pattern().facts
    state = facts["clim.state"]
    assert state.derives_from == ("clim.table", "hs.month.癸", "hs.hour.癸")
    assert [state.text(lang) for lang in LANGUAGES] == [
        "调候首取癸，只藏于支中，得其半",
        "調候首取癸，只藏於支中，得其半",
        "Yin Water (癸 Gui), wanted first for the climate (调候), is only hidden in a branch, so that this is half met",
    ]
