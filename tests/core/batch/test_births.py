"""Pillars and refusals of very many rows are those of single births, whatever zone they are read in."""

import random

import pytest

import bazi_core as bz
from tests.core.batch.drawn import ZONES, as_table, differences, listed, some_time
from tests.core.batch.single import moment_of, row_of
from tests.sizes import sizes


@pytest.mark.parametrize("part", range(10))
@sizes(30, 100_000)
def test_pillars_and_refusals_of_a_million_births_over_sixty_zones_are_those_of_single_births(part, count):
    chooser = random.Random(part)
    rows = []
    for _ in range(count):
        when = some_time(chooser)
        rows.append(
            {"datetime": when, "tz": chooser.choice(ZONES), "fold": chooser.choice([None, None, 0, 1])}
        )
    found, school = listed(bz.charts(as_table(rows), ("pillars", "time"))), bz.School()
    for number, row in enumerate(rows):
        wanted = moment_of(school, **row)
        assert not differences(*found, number, wanted), row
        if number % 50 == 0:
            assert row_of(("pillars", "time"), school, **row) == wanted, row
