"""The census of the relations is what the file says, and single charts get what the arrays say, all 518,400 of them."""

import json

import numpy as np
import pytest

from tests.census.relations import FILE, counts, fingerprints, of_year, one_by_one


@pytest.fixture(scope="module")
def census():
    return json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def chart_by_chart():
    return one_by_one()


def test_the_arrays_count_what_the_file_says(census):
    assert counts() == census["places"]


@pytest.mark.parametrize("year", [0, pytest.param(31, marks=pytest.mark.exhaustive)])
def test_single_charts_of_a_year_get_what_the_arrays_say(year):
    assert np.array_equal(of_year(year)[0], fingerprints()[year])


@pytest.mark.exhaustive
def test_single_charts_get_what_the_arrays_say_on_all_of_them(chart_by_chart):
    assert chart_by_chart[0].size == 518_400
    assert np.array_equal(chart_by_chart[0], fingerprints())


@pytest.mark.exhaustive
def test_what_becomes_of_them_is_what_the_file_says(chart_by_chart, census):
    assert chart_by_chart[1] == census["outcomes"]


def test_every_status_and_every_kind_of_transformation_occurs(census):
    words = {key.partition(".")[2] for key in census["outcomes"]}
    assert words == {"成立", "减力", "化解", "遥隔", "合化", "合绊", "争合", "妒合", "遥合"}
