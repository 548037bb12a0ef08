"""What is given to a model that writes freely: short, true, with the doubt and the pillars in it."""

import random

import pytest

import bazi_core as bz
from bazi_core.readings.context import MOST
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.drawn import drawn_results
from tests.core.readings.written import BIRTH, is_year, pattern, year


def context(result, language):
    return result.to_context(language) if is_year(result) else result.chart.to_context(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_context_fits_and_uses_its_room(language):
    for result in drawn_results(random.Random(4), 8):
        text = context(result, language)
        assert MOST * 0.5 < len(text) <= MOST
        assert "\n\n" not in text


def test_the_context_of_a_chart_begins_with_its_pillars_and_holds_what_is_decided():
    text = pattern().chart.to_context()
    assert all(word in text.splitlines()[0] for word in ("庚午", "辛巳", "庚辰", "壬午"))
    assert all(word in text for word in (pattern().name, "用神", "喜神"))


def test_the_other_reading_and_an_unknown_hour_are_in_it():
    assert "另一种读法" in pattern().chart.to_context()
    hourless = bz.chart("1990-05-15", hour_unknown=True, city="北京", gender="male")
    assert "时辰没有给出" in hourless.to_context()


def test_it_says_where_in_its_luck_the_chart_stands():
    chart = bz.chart(**BIRTH, gender="male")
    assert "甲申" in chart.to_context(as_of="2026-11-22")
    assert chart.to_context(as_of="2026-11-22") != chart.to_context()


def test_the_context_of_a_year_holds_its_score_and_its_luck():
    text = year().to_context()
    assert all(word in text for word in ("丙午", str(year().scores.overall), "甲申"))


@pytest.mark.parametrize(
    "given", [{"pillars": "庚午 辛巳 庚辰 壬午"}, {**BIRTH, "school": bz.School.named("facts_only")}]
)
def test_a_chart_that_lacks_something_has_one_too(given):
    assert bz.chart(**given).to_context("en")
