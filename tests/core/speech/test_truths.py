"""Laws of what is told, over charts, years and questions at random."""

import pytest

from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.year import year_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.drawn import ALL, SHARE, births, cast_plans, plans
from tests.core.speech.laws import beyond_the_hour, both_ways, clashes, groundless, misplaced

COUNTS = [SHARE, pytest.param(ALL, marks=pytest.mark.exhaustive)]


@pytest.mark.parametrize("count", COUNTS)
def test_no_plan_says_two_things_that_exclude_each_other(count):
    for plan in plans(count):
        assert clashes(plan) == [], (plan.digest, clashes(plan))


@pytest.mark.parametrize("count", COUNTS)
def test_what_a_statement_says_is_stated_by_the_facts_that_it_cites(count):
    said = 0
    for plan in (*plans(count // 2), *cast_plans(count)):
        said += len(plan.statements)
        assert groundless(plan) == [], plan.digest
    assert said > 30 * count


@pytest.mark.parametrize("count", COUNTS)
def test_a_star_is_told_only_where_that_very_ten_god_stands(count):
    for plan in plans(count):
        assert misplaced(plan) == [], plan.digest


@pytest.mark.parametrize("count", [60, pytest.param(ALL, marks=pytest.mark.exhaustive)])
def test_without_an_hour_nothing_is_told_of_all_four_pillars(count):
    met = 0
    for plan in plans(count):
        if "p.hour.stem" not in plan.facts:
            met += 1
            for language in LANGUAGES:
                assert beyond_the_hour(plan, language) == []
    assert met


@pytest.mark.parametrize("count", COUNTS)
def test_what_is_told_as_a_cost_is_not_told_as_a_help_when_it_comes_again(count):
    for plan in plans(count):
        assert both_ways(plan) == [], plan.digest


RECOMMENDED = ("month.", "again.months", "answer.when")


@pytest.mark.parametrize("count", [10, pytest.param(400, marks=pytest.mark.exhaustive)])
def test_no_month_that_is_over_is_recommended(count):
    for chart in births(count, 63):
        year, running = chart.year(2026), chart.running("2026-10-20")
        over = {month.fact_id for month in year.months if month.end <= running.at}
        assert over
        for asked in (
            None,
            Asked("career", "whether", after=running.at),
            Asked("wealth", "when", after=running.at),
        ):
            plan = year_plan(year, asked=asked, after=running.at)
            for each in plan.statements:
                if each.key.startswith(RECOMMENDED) and not each.key.startswith(
                    ("month.events", "month.scale")
                ):
                    assert not over.intersection(each.evidence), each.key
