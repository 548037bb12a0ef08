"""The census of the stars is what the file says, and single charts get what the arrays say, all 518,400 of them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np

from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pillars import POSITIONS, FourPillars, five_rats, five_tigers
from bazi_core.views.stars import stars
from tests.census.stars import CHARTS, FULL, all_pillars, counts, masks
from tests.sizes import sizes

FILE = Path(__file__).parents[2] / "data" / "census" / "stars.json"
GENDERS = ("male", "female")


def test_the_census_is_that_of_the_file():
    assert counts() == json.loads(FILE.read_text(encoding="utf-8"))


def test_the_census_runs_over_every_set_of_pillars_that_a_moment_can_have_once():
    charts = np.stack([np.broadcast_to(each, (60, 12, 60, 12)).ravel() for each in all_pillars()])
    assert charts.shape == (4, CHARTS)
    assert len(np.unique(charts[0] + 60 * (charts[1] + 60 * (charts[2] + 60 * charts[3])))) == CHARTS
    for indices in charts[:, :: CHARTS // 1009].T.tolist():
        assert FourPillars(*(PILLARS[index] for index in indices)).impossible() is None


@sizes(2, 60)
def test_single_charts_of_so_many_years_get_what_the_arrays_say(count):
    # The genders take turns from chart to chart; every year pillar, every branch meets both.
    year, month, day, hour = np.ogrid[:60, :12, :60, :12]
    together = masks((year + month + day + hour) % 2)
    names = list(together)
    expected = np.stack([np.broadcast_to(mask, (60, 12, 60, 12)) for mask in together.values()], axis=-1)
    months = [[five_tigers(year.stem, branch) for branch in BRANCHES] for year in PILLARS]
    hours = [[five_rats(day.stem, branch) for branch in BRANCHES] for day in PILLARS]
    # Hits are shared between charts, so each is turned into (column, mask) once; it is kept, so its id is its own.
    cells: dict[int, tuple[int, int]] = {}
    kept = []
    for y, m in product(range(0, 60, 60 // count), range(12)):
        rows = bytearray()
        for d, h in product(range(60), range(12)):
            row = bytearray(len(names))
            pillars = FourPillars(PILLARS[y], months[y][m], PILLARS[d], hours[d][h])
            for hit in stars(pillars, GENDERS[(y + m + d + h) % 2], FULL):
                if id(hit) not in cells:
                    kept.append(hit)
                    mask = sum(1 << POSITIONS.index(each) for each in hit.positions)
                    cells[id(hit)] = names.index(hit.name), mask
                column, mask = cells[id(hit)]
                row[column] = mask
            rows += row
        found = np.frombuffer(rows, dtype=np.uint8).reshape(60, 12, len(names))
        assert np.array_equal(found, expected[y, m]), (y, m)
