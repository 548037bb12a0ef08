"""Mutations: text made false in one place is caught, clean text is never rejected, and the check is per sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain

import pytest

from bazi_core.readings import claims, entailment, grounding
from bazi_core.readings.narrator import pattern_reading, year_reading
from bazi_core.readings.requirements import pattern_requirements, year_requirements
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.corpus import samples
from tests.core.readings.mutants import GATES, GENERATORS, Mutant
from tests.core.readings.narrated import TONES, narrated, patterns
from tests.core.readings.tallies import DISCLAIMERS, Found, accepted, tally


@pytest.fixture(scope="module")
def found() -> Found:
    """Mutants of readings from templates and of readings by the narrator."""
    return tally(chain(samples(30), narrated(36)))


def test_there_are_enough_mutants_of_every_class_and_language(found: Found) -> None:
    assert found.made >= 2000
    assert {name for name, _ in found.tallies} == set(GENERATORS) == set(GATES)
    assert all(found.tallies[name, language].made >= 20 for name in GATES for language in LANGUAGES)


@pytest.mark.parametrize("name", GATES)
def test_mutants_are_caught(found: Found, name: str) -> None:
    one = found.of(name)
    assert one.share >= GATES[name], [(each.before, each.after) for each in one.slipped[:5]]


def test_no_clean_reading_is_rejected(found: Found) -> None:
    assert found.rejected == ()


def test_readings_of_the_narrator_pass_with_all_they_have_to_name() -> None:
    rng = random.Random(3)
    for number, (born, result) in enumerate(patterns(24, rng)):
        language, tone = LANGUAGES[number % 3], TONES[number // 3 % 3]
        year = result.chart.year(min(born + rng.randrange(1, 80), 2099))
        for reading, facts, required in (
            (pattern_reading(result, language, tone), result.all_facts, pattern_requirements(result)),
            (year_reading(year, language, tone), year.all_facts, year_requirements(year)),
        ):
            report = grounding.check(
                reading, facts, language=language, required=required, disclaimers=DISCLAIMERS[language]
            )
            assert report.verdict == "pass", report.to_dict()


def test_looking_at_the_whole_text_instead_of_the_sentence_lets_mutants_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grounding._Whole, "of", lambda self, evidence: self)
    weakened = tally(chain(samples(12), narrated(12)))
    missed = {name for name in GATES if weakened.of(name).share < GATES[name]}
    assert {"term swap", "evidence", "attribution"} <= missed
    assert weakened.rejected == ()


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """Nothing that was read before or meanwhile is kept."""
    kept = (claims._understood, entailment._entailed)
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


@pytest.mark.usefixtures("nothing_kept")
def test_forgetting_negation_lets_mutants_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "denied", lambda found, read: {})
    weakened = tally(samples(12))
    assert weakened.of("negation").share < GATES["negation"]


@pytest.mark.usefixtures("nothing_kept")
def test_forgetting_places_lets_mutants_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "places", lambda found, read: {})
    weakened = tally(samples(12))
    missed = {name for name in GATES if weakened.of(name).share < GATES[name]}
    assert missed


def test_the_same_seed_makes_the_same_mutants() -> None:
    first, second = ([each.after for each in _mutants()] for _ in range(2))
    assert first == second
    assert len(first) > 50


def _mutants() -> list[Mutant]:
    (sample,) = samples(1)
    rng = random.Random(7)
    made = [
        generator(sample.reading, sample.facts, sample.language, rng) for generator in GENERATORS.values()
    ]
    return [each for generated in made for each in generated]


def test_every_mutant_differs_from_its_reading_in_one_sentence() -> None:
    (sample,) = samples(1)
    assert accepted(sample.reading, sample)
    for mutant in _mutants():
        before = [sample.reading.summary, *(section.sentences for section in sample.reading.sections)]
        after = [mutant.reading.summary, *(section.sentences for section in mutant.reading.sections)]
        changed = [one for one, other in zip(chain(*before), chain(*after), strict=True) if one != other]
        assert len(changed) == 1
