"""The 流年 of a life: ages, 小运, the 大运 under which they stand, what they meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.astro import terms
from bazi_core.errors import BirthRequired
from bazi_core.luck.years import Age
from bazi_core.school import School
from bazi_core.views.stars import stars, stars_met

MALE = bz.chart("1990-05-15 13:30", city="北京", gender="male")
FEMALE = bz.chart("1990-05-15 13:30", city="北京", gender="female")


@given(st.integers(1900, 2100), st.integers(0, 120))
def test_the_nominal_age_is_the_completed_one_and_one(born, lived):
    ages = Age.in_year(born + lived, born)
    assert ages == (lived + 1, lived)


def test_the_year_before_lichun_of_the_birth_year_counts_as_the_first():
    assert Age.in_year(1989, 1990) == (1, 0)


@pytest.mark.parametrize("chart", [MALE, FEMALE], ids=["forward", "backward"])
def test_a_life_runs_from_the_birth_to_the_last_year_of_the_tenth_decade(chart):
    years = chart.luck_years()
    assert [each.year for each in years] == list(range(1990, chart.luck.cycles[-1].end_year + 1))
    assert [each.flow for each in years[:3]] == [chart.flow_year(year) for year in (1990, 1991, 1992)]
    for each in years:
        cycle = None if each.cycle is None else chart.luck.cycles[each.cycle]
        assert cycle is None or cycle.start_year <= each.year <= cycle.end_year
        assert (cycle is None) == (each.year < chart.luck.cycles[0].start_year)


@pytest.mark.parametrize("chart", [MALE, FEMALE], ids=["forward", "backward"])
def test_minor_luck_goes_on_for_life_by_one_pillar_a_year(chart):
    step = 1 if chart.luck.direction == "forward" else -1
    years = chart.luck_years()
    assert [each.minor for each in years] == [
        PILLARS[(chart.pillars.hour.index + step * each.ages.nominal) % 60] for each in years
    ]
    listed = {each.year: each.pillar for each in chart.luck.xiaoyun}
    assert all(listed.get(each.year, each.minor) is each.minor for each in years)


def test_minor_luck_is_left_out_where_the_school_or_the_hour_leaves_it_out():
    school = School(xiaoyun="none")
    without = bz.chart("1990-05-15 13:30", city="北京", gender="male", school=school)
    assert {each.minor for each in without.luck_years()} == {None}
    assert bz.chart("1990-05-15", city="北京", hour_unknown=True, gender="male").luck.minor_luck(3) is None
    assert MALE.luck.minor_luck(0) is None


def test_years_before_the_birth_have_no_age():
    (year,) = MALE.luck_years([1980])
    assert (year.ages, year.minor, year.cycle) == (None, None, None)


def test_a_life_that_outlasts_the_table_is_cut_at_its_end():
    chart = bz.chart(f"{terms.LAST_YEAR - 60}-05-15 13:30", tz="Asia/Shanghai", gender="male")
    assert chart.luck_years()[-1].year == terms.LAST_YEAR - 1


@pytest.mark.parametrize(
    ("chart", "missing"),
    [
        (bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male"), "moment"),
        (bz.chart("1990-05-15 13:30", city="北京"), "gender"),
        (bz.chart("1990-05-15", city="北京", hour_unknown=True, gender="male"), "moment"),
    ],
    ids=["given pillars", "no gender", "unknown hour"],
)
def test_without_dates_there_are_no_years_of_a_life_but_single_ones(chart, missing):
    with pytest.raises(BirthRequired) as caught:
        chart.luck_years()
    assert caught.value.data == {"missing": [missing]}
    assert chart.luck_years([2026])[0].flow.pillar.value == "丙午"


def test_what_a_year_says_in_json_rests_on_facts_of_the_chart_and_its_own():
    for year in MALE.luck_years(range(2020, 2032)):
        told = year.to_dict()
        assert (told["age_nominal"], told["age_full"]) == (year.year - 1989, year.year - 1990)
        for star in told["stars_met"]:
            own, *leaves = star["derives_from"]
            assert star["evidence_id"] == f"{own}.met.{star['name']}" == f"ln.{year.year}.met.{star['name']}"
            assert set(leaves) <= set(MALE.facts)
            assert star["rule"] == "R-STAR-MET"


@given(
    st.integers(0, 59),
    st.integers(0, 59),
    st.integers(0, 59),
    st.integers(0, 59),
    st.sampled_from(["male", "female", None]),
)
def test_a_flow_pillar_meets_what_it_would_bear_as_hour_of_the_same_chart(year, month, day, flow, gender):
    three = [PILLARS[index] for index in (year, month, day)]
    natal, school = bz.FourPillars(*three, None), School()
    found = {(star.name, star.anchor) for star in stars_met(natal, PILLARS[flow], gender, school)}
    as_hour = stars(bz.FourPillars(*three, PILLARS[flow]), gender, school)
    assert {name for name, _ in found} == {star.name for star in as_hour if "hour" in star.positions}
