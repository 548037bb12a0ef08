"""Free sentences such as a model writes: how many true ones pass, how many false ones are caught."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core.tables.words import LANGUAGES
from tests.core.readings.free_text import facts_of, passes, report, scores, sentences


def test_there_are_at_least_sixty_sentences_in_each_language_half_of_them_false() -> None:
    counted = Counter((each.language, bool(each.flaw)) for each in sentences())
    assert all(counted[language, flawed] >= 40 for language in LANGUAGES for flawed in (True, False))


def test_every_sentence_cites_facts_that_exist() -> None:
    for each in sentences():
        assert each.evidence
        assert facts_of(each.chart).keys() >= set(each.evidence), each.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_the_sentences_that_were_shown_nearly_all_are_judged_rightly(language: str) -> None:
    one = scores()["shown", language]
    assert one.accepted >= one.true - 2
    assert one.caught == one.false


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_the_sentences_that_were_not_shown_most_are_judged_rightly(language: str) -> None:
    one = scores()["unseen", language]
    assert one.accepted / one.true >= 0.85
    assert one.caught / one.false >= 0.95


def test_the_report_lists_what_was_judged_wrongly() -> None:
    wrong = [each.text for each in sentences() if passes(each) == bool(each.flaw)]
    assert all(text in report() for text in wrong)
