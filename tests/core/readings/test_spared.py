"""Whoever asks for a child or for somebody else hears nothing of partners and nothing of the body, from nobody."""

from __future__ import annotations

import random

import pytest

import bazi_core as bz
from bazi_core.facts import Fact
from bazi_core.readings.final import read, read_pattern
from bazi_core.readings.question import question
from bazi_core.readings.requests import build_request, facts_of, required_of
from bazi_core.readings.requirements import year_requirements
from bazi_core.readings.spared import events_told, spared
from tests.core.readings import rejections

CHILD, OTHER = "我女儿的学业如何", "我老公是不是出轨了"
PARTNER_WORDS = ("夫妻宫", "夫妻宮", "spouse palace", "配偶", "感情", "relationship")
BODY_WORDS = ("身心", "健康", "health", "balance of body")
TOUCHED = bz.chart("1985-02-14 13:30", city="北京", gender="female")


def years_that_touch_the_palace(count):
    """Years of random charts of which a strong event is one of the 夫妻宫."""
    rng, found = random.Random(5), []
    while len(found) < count:
        year = rejections.random_year(rejections.random_chart(rng), rng)
        if year is not None and any("夫妻宫" in each.name for each in year.strongest(5)):
            found.append(year)
    return found


YEARS = years_that_touch_the_palace(12)


@pytest.mark.parametrize("asked", [CHILD, OTHER])
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_the_rules_tell_nothing_of_partners_and_health(asked, language):
    for year in YEARS:
        result = read(year, question=asked, language=language, length="long")
        told = [
            result.reading.title,
            *result.reading.keywords,
            *(each.text for each in result.reading.sentences),
        ]
        last = result.reading.sentences[-1].text
        for text in told:
            assert text == last or not any(word in text for word in (*PARTNER_WORDS, *BODY_WORDS)), text
        assert result.grounding.coverage.missing == ()
        assert not {"relationship", "health_balance"} & {each.key for each in result.reading.sections}


@pytest.mark.parametrize("asked", [CHILD, OTHER])
def test_a_model_is_shown_nothing_of_partners_and_health(asked):
    for year in YEARS:
        request = build_request(year, question=question(asked))
        for word in ("夫妻", "配偶", "感情", "身心平衡", ".relationship", ".health_balance"):
            assert word not in request.facts_block
            assert word not in request.instruction
    assert any("夫妻宫" in build_request(year).facts_block for year in YEARS if year.age.nominal >= 18)


def test_what_is_not_told_need_not_be_named():
    for year in YEARS:
        left_out = question(CHILD).left_out
        terms = [claim.term for each in year_requirements(year, left_out) for claim in each.claims]
        assert not any("夫妻宫" in term for term in terms)
        shown = facts_of(year, left_out)
        assert {each.id for each in events_told(year, 5, True)} <= shown.keys()
        assert required_of(year, left_out) == year_requirements(year, left_out)


def test_the_next_strongest_events_take_the_place_of_those_that_are_spared():
    for year in YEARS:
        told = events_told(year, 5, True)
        rest = [each for each in year.events if "夫妻宫" not in each.name]
        assert len(told) == min(5, len(rest))
        assert events_told(year, 5, False) == year.strongest(5)


@pytest.mark.parametrize("asked", [CHILD, OTHER])
def test_the_reading_of_a_pattern_leaves_them_out_too(asked):
    reading = read_pattern(TOUCHED.pattern(), question=asked, length="long").reading
    assert not {"relationship", "health_balance"} & {each.key for each in reading.sections}
    assert "配偶" not in build_request(TOUCHED.pattern(), question=question(asked)).facts_block


def test_a_clause_on_a_score_that_is_left_out_is_cut_and_the_rest_stays():
    def fact(name, text):
        return Fact(name, "", "", "", 0, text)

    facts = {
        "yr.2026.E-13": fact("yr.2026.E-13", "2026年合日主，感情加3分，总评加2分"),
        "yr.2026.E-09": fact("yr.2026.E-09", "2026年冲夫妻宫，感情减4分"),
        "yr.2026.role.x": fact("yr.2026.role.x", "2026年流年天干：感情加1分，事业加2分"),
        "yr.2026.score.relationship": fact("yr.2026.score.relationship", "2026年感情61分"),
        "yr.2026.score.career": fact("yr.2026.score.career", "2026年事业61分"),
    }
    left = spared(facts, frozenset(("relationship",)))
    assert {name: each.text_zh for name, each in left.items()} == {
        "yr.2026.E-13": "2026年合日主，总评加2分",
        "yr.2026.role.x": "2026年流年天干：事业加2分",
        "yr.2026.score.career": "2026年事业61分",
    }
    assert spared(facts, frozenset()) == facts
