"""Years compared by one score: reasons shared and apart, ties, both readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.errors import InvalidInput, OutOfRange, UnknownOption
from bazi_core.year.span import SCORES
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.sizes import examples


@examples(30)
@given(BIRTHS, YEARS, st.integers(2, 6), st.sampled_from(SCORES))
def test_reasons_shared_and_apart_are_all_the_reasons_of_a_compared_year(birth, first, count, domain):
    made = chart(*birth).years(first, first + count - 1)
    found = made.compare(domain)
    shared = sum(each.of(domain) for each in found.shared)
    for each in found.ranked:
        total = 50 + shared + sum(reason.of(domain) for reason in each.reasons)
        assert each.score == max(0, min(100, total)) == made.year(each.year).scores.of(domain)
    assert found.is_tie == (len({each.score for each in found.ranked}) == 1)
    apart = [{(each.key, each.of(domain)) for each in year.reasons} for year in found.ranked]
    assert not set.intersection(*apart)


def test_years_of_equal_score_are_told_as_ties():
    found = chart().years(2026, 2035).compare("overall", (2034, 2035))
    assert found.is_tie
    assert found.best == (2034, 2035)
    assert [each.rank for each in found.ranked] == [1, 1]


def test_each_year_has_its_rank_under_both_readings_of_an_open_strength():
    made = chart().years(2026, 2035)
    found = made.compare("wealth", (2028, 2032))
    assert found.agrees is False
    assert [(each.year, each.other_rank) for each in found.ranked] == [(2032, 2), (2028, 1)]
    assert made.facts["alt.yr.2028.wealth"].value == found.ranked[1].other_score


def test_where_strength_is_settled_there_is_one_reading():
    settled = chart("1995-11-03 09:20", "female").years(2026, 2028).compare()
    assert settled.agrees is None
    assert {each.other_rank for each in settled.ranked} == {None}


def test_a_year_is_compared_once_however_often_it_is_named():
    found = chart().years(2026, 2030).compare("career", (2028, 2026, 2028))
    assert [each.year for each in found.ranked] == [2026, 2028]


@pytest.mark.parametrize(
    ("domain", "years", "error"),
    [
        ("love", None, UnknownOption),
        (None, None, UnknownOption),
        (["career"], None, UnknownOption),
        ("career", (2026,), InvalidInput),
        ("career", (2026, 2026), InvalidInput),
        ("career", (), InvalidInput),
        ("career", 2026, InvalidInput),
        ("career", "2026", InvalidInput),
        ("career", (2026, 2040), OutOfRange),
        ("career", (2026, None), InvalidInput),
        ("career", iter(range(10**12)), OutOfRange),
    ],
)
def test_a_comparison_that_cannot_be_is_refused(domain, years, error):
    made = chart().years(2026, 2030)
    with pytest.raises(error):
        made.compare(domain, years)
