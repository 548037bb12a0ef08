"""Whoever asks for a child or for somebody else hears nothing of partners and nothing of the body, from nobody."""

import random
from itertools import islice

import pytest

import bazi_core as bz
from bazi_core.facts import Fact
from bazi_core.readings.final import read, read_pattern
from bazi_core.speech.topic_filter import events_told, spared
from bazi_core.wording import FactPhrase
from tests.core.readings.drawn import drawn_results
from tests.core.readings.written import is_year, request_of

CHILD, OTHER = "我女儿的学业如何", "我老公是不是出轨了"
PARTNER_WORDS = ("夫妻宫", "夫妻宮", "spouse palace", "配偶", "感情", "relationship")
BODY_WORDS = ("身心", "健康", "health", "balance of body")
TOUCHED = bz.chart("1985-02-14 13:30", city="北京", gender="female")


def years_that_touch_the_palace(count):
    """Years of random charts of which a strong event is one of the 夫妻宫."""
    drawn = filter(is_year, drawn_results(random.Random(5), 10_000))
    touched = (each for each in drawn if any("夫妻宫" in event.name for event in each.strongest(5)))
    return [*islice(touched, count)]


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
        request = request_of(year, question=asked)
        for word in ("夫妻", "配偶", "感情", "身心平衡", "relationship", "health_balance"):
            assert word not in request.menu
            assert word not in request.instruction.partition("The question")[0]
    assert any("夫妻宫" in request_of(year).menu for year in YEARS if year.age.nominal >= 18)


def test_the_next_strongest_events_take_the_place_of_those_that_are_spared():
    for year in YEARS:
        told = events_told(year, 5, True)
        rest = [each for each in year.events if "夫妻宫" not in each.name and not each.is_dynamic]
        assert len(told) == min(5, len(rest))
        every = [each for each in year.strongest(len(year.events)) if not each.is_dynamic]
        assert events_told(year, 5, False) == tuple(every[:5])


@pytest.mark.parametrize("asked", [CHILD, OTHER])
def test_the_reading_of_a_pattern_leaves_them_out_too(asked):
    reading = read_pattern(TOUCHED.pattern(), question=asked, length="long").reading
    assert not {"relationship", "health_balance"} & {each.key for each in reading.sections}
    assert "配偶" not in request_of(TOUCHED.pattern(), question=asked).menu


def test_what_is_added_to_a_score_that_is_left_out_is_cut_and_the_rest_stays():
    stem, branch = (
        FactPhrase("member.stem", ("liunian", "丙")),
        FactPhrase("member.branch", ("liunian", "午")),
    )
    binds = FactPhrase("event.meets", (stem, (FactPhrase("member.stem", ("day", "辛")),), ("干合",)))
    clashes = FactPhrase("event.meets", (branch, (FactPhrase("member.branch", ("day", "子")),), ("六冲",)))

    def event(name, tie, *added):
        return Fact(f"yr.2026.{name}", "event", "2026", name, "", "event.year", (2026, tie, (name,), added))

    def adds(name, *added):
        values = (2026, "liunian", "丙", "用神", added)
        return Fact(f"yr.2026.{name}", "contribution", "2026", "overall", 1, "year.carrier_stem", values)

    def score(domain):
        return Fact(f"yr.2026.score.{domain}", "score", "2026", domain, 61, "year.score", (2026, domain, 61))

    made = (
        event("合日主", binds, ("relationship", 3), ("overall", 2)),
        event("冲夫妻宫", clashes, ("career", -4)),
        adds("x", ("relationship", 1), ("career", 2)),
        adds("y", ("relationship", 1)),
        score("relationship"),
        score("career"),
    )
    facts = {each.id: each for each in made}
    left = spared(facts, frozenset(("relationship",)))
    assert [each.text_zh for each in left.values()] == [
        "2026年流年干丙与日干辛干合，合日主，总评加2分",
        "2026年流年天干丙为用神：事业加2分",
        "2026年事业61分",
    ]
    assert spared(facts, frozenset()) == facts
