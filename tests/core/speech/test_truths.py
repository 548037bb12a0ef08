"""Laws of what is told, over charts, years and questions at random."""

from __future__ import annotations

import pytest

from bazi_core.tables.words import LANGUAGES
from tests.core.speech.drawn import ALL, SHARE, drawn_plans, plans
from tests.core.speech.laws import beyond_the_hour, misplaced

COUNTS = [SHARE, pytest.param(ALL, marks=pytest.mark.exhaustive)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_star_is_told_only_where_that_very_ten_god_stands(count):
    for plan in plans(count):
        assert misplaced(plan) == [], plan.digest


@pytest.mark.parametrize("count", [40, pytest.param(ALL, marks=pytest.mark.exhaustive)])
def test_without_an_hour_nothing_is_told_of_all_four_pillars(count):
    met = 0
    for plan in drawn_plans(count, 61):
        if "p.hour.stem" not in plan.facts:
            met += 1
            for language in LANGUAGES:
                assert beyond_the_hour(plan, language) == []
    assert met
