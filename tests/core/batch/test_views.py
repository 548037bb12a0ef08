"""What is read off the pillars of many charts is what the chart of each reads off its own."""

from __future__ import annotations

import numpy as np
import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.batch.columns import columns_of
from bazi_core.batch.views import VIEWS
from bazi_core.pillars import FourPillars
from tests.core.batch.single import columns_of_chart
from tests.sizes import sizes


@pytest.mark.parametrize("month", range(12))
@sizes(12, 43_200)
def test_what_is_read_off_the_pillars_is_that_of_the_single_chart_for_every_chart(month, count):
    year, day, hour = (each.ravel() for each in np.indices((60, 60, 12)))
    hour = (12 * day + hour) % 60
    first = (2 * (year % 10) + 2) % 10
    month_index = np.array([_pillar((stem + (month - 2) % 12) % 10, month) for stem in first.tolist()])
    chosen = np.random.default_rng(month).permutation(len(year))[:count]
    four = [each[chosen].astype(np.int64) for each in (year, month_index, day, hour)]
    genders = np.arange(count) % 2
    groups = ("ten_gods", "hidden_stems", "nayin", "stages", "voids", "relations", "stars")
    school = bz.School()
    found = {name: values for group in groups for name, values in VIEWS[group](four, genders, school)}
    assert sorted(found) == sorted(each.name for group in groups for each in columns_of(group, school))
    columns = {name: np.broadcast_to(values, count).tolist() for name, values in found.items()}
    indices = zip(*(each.tolist() for each in four), strict=True)
    for number, pillars in enumerate(FourPillars(*(PILLARS[each] for each in own)) for own in indices):
        chart = bz.Chart(pillars, school, ("male", "female")[number % 2])
        wanted = columns_of_chart(chart, groups)
        assert {name: columns[name][number] for name in wanted} == wanted, pillars


def _pillar(stem: int, branch: int) -> int:
    return (6 * stem - 5 * branch) % 60
