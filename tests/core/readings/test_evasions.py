"""Sentences that try to get past the checker, and true ones said in the same ways."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core.tables.words import LANGUAGES
from tests.core.readings.free_text import facts_of, report, scores, sentences

TABLE = "evasions"


def test_there_are_at_least_forty_unseen_false_sentences_in_each_language() -> None:
    counted = Counter(each.language for each in sentences(TABLE) if each.flaw and each.part == "unseen")
    assert all(counted[language] >= 40 for language in LANGUAGES)


def test_every_evasion_cites_facts_that_exist() -> None:
    for each in sentences(TABLE):
        assert each.evidence
        assert facts_of(each.chart).keys() >= set(each.evidence), each.text


def test_no_sentence_is_listed_twice() -> None:
    listed = Counter((each.part, each.chart, each.text, each.evidence) for each in sentences(TABLE))
    assert [text for text, times in listed.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_the_evasions_that_were_shown_nearly_all_are_caught(language: str) -> None:
    one = scores(TABLE)["shown", language]
    assert one.caught >= one.false - 2, report(table=TABLE)
    assert one.accepted >= one.true - 1, report(table=TABLE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_the_evasions_that_were_not_shown_most_are_caught(language: str) -> None:
    one = scores(TABLE)["unseen", language]
    assert one.caught / one.false >= 0.9
    assert one.accepted / one.true >= 0.85
