"""Mutations of readings of casts: text made false in one place is caught, true text is never rejected."""

from __future__ import annotations

import random

import pytest

from bazi_core.readings.divination import check, statements
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao import reading_rejections
from tests.core.liuyao.reading_mutants import GATES, GENERATORS, of, rejected, samples, tallies

COUNT = 45


@pytest.fixture(scope="module")
def found():
    return tallies(COUNT)


def test_there_are_mutants_of_every_class_and_language(found):
    made, _ = found
    assert {name for name, _ in made} == set(GATES) == set(GENERATORS)
    assert all(made[name, language].made >= 12 for name in GATES for language in LANGUAGES)
    assert sum(each.made for each in made.values()) >= 2000


@pytest.mark.parametrize("name", GATES)
def test_mutants_are_caught(found, name):
    one = of(found[0], name)
    assert one.share >= GATES[name], [(each.before, each.after) for each in one.slipped[:5]]


def test_no_true_reading_is_rejected(found):
    assert found[1] == []


def test_readings_of_random_casts_pass_check_schema_and_safety_in_every_language():
    problems = [
        each for sample in reading_rejections.samples(100) for each in reading_rejections.problems(sample)
    ]
    assert problems == []


def test_readings_as_they_are_handed_out_end_with_the_disclaimer_and_pass():
    problems = [each for sample in samples(12, seed=4) for each in reading_rejections.ended(sample)]
    assert problems == []


def test_looking_at_the_whole_board_instead_of_the_cited_facts_lets_mutants_through(monkeypatch):
    whole = {}

    def widened(facts):
        own = check.Known(check.places(facts))
        if len(own.places) > 12:
            whole["known"] = own
        return whole.get("known", own)

    monkeypatch.setattr(check.Known, "of", staticmethod(widened))
    made, _ = tallies(9)
    assert {name for name in GATES if of(made, name).share < GATES[name]} >= {"line", "relative", "evidence"}


def test_forgetting_negation_lets_mutants_through(monkeypatch):
    statements.understood.cache_clear()
    monkeypatch.setattr(statements, "denied", lambda found, read: {})
    made, _ = tallies(9)
    statements.understood.cache_clear()
    assert of(made, "negation").share < GATES["negation"]


def test_the_same_seed_makes_the_same_mutants():
    (sample,) = samples(1)
    first, second = (
        [each.after for name in GENERATORS for each in GENERATORS[name](sample, random.Random(5))]
        for _ in range(2)
    )
    assert first == second
    assert len(first) > 50
    assert rejected(sample) == []
