"""The script of a text: simplified, traditional or Latin, and letters that hide."""

from __future__ import annotations

import pytest

from bazi_core.readings.grounding import SCRIPT_SHARE, script_problems
from bazi_core.readings.scripts import Letters, hidden_letter, letters, share
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.corpus import Sentence
from tests.core.readings.narrated import narrated

SAMPLES = list(narrated(18, seed=5))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reading_of_the_narrator_is_in_its_own_language_and_in_no_other(language: str) -> None:
    for sample in SAMPLES:
        said = [each for section in sample.reading.sections for each in section.sentences]
        assert bool(script_problems(said, language)) == (sample.language != language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("身边的人，谈谈心事", "zh-Hans"), ("身邊的人，談談心事", "zh-Hant"), ("People around you", "en")],
)
def test_text_in_one_script_has_the_whole_share(text: str, language: str) -> None:
    assert share(letters(text), language) == 1.0
    assert all(share(letters(text), other) < SCRIPT_SHARE for other in LANGUAGES if other != language)


def test_terms_do_not_count() -> None:
    said = (Sentence("劫財 (Rob Wealth)、傷官、七殺，身边总是热热闹闹。", (), "transition"),)
    assert script_problems(said, "zh-Hans") == []


def test_letters_are_counted_by_their_script() -> None:
    assert letters("为為 ab，人") == Letters(3, 2, 1, 1)


def test_one_foreign_sign_among_many_is_no_other_script() -> None:
    said = (Sentence("身边的人说话时总会留点余地，凡事从容，後来也就顺了。", (), "transition"),)
    assert script_problems(said, "zh-Hans") == []
    assert script_problems(said, "zh-Hant")


def test_a_text_without_letters_is_in_any_language() -> None:
    assert all(share(letters("2026：57！"), language) == 1.0 for language in LANGUAGES)


@pytest.mark.parametrize(
    "sign",
    ["\u200b", "\u200d", "\u2060", "\u00ad", "\ufe0f", "\u202e", "\u2f66", "\uff37", "\u0435", "\u0301"],
)
def test_a_letter_that_hides_is_found(sign: str) -> None:
    assert hidden_letter(f"正{sign}官") == f"U+{ord(sign):04X}"


@pytest.mark.parametrize(
    "text",
    ["正官，「用神」——2026–2030年（丙午）…", "It’s “Seven Killings” – 37% · naïve café", "１２３　，。；"],
)
def test_punctuation_and_accents_hide_nothing(text: str) -> None:
    assert hidden_letter(text) is None
