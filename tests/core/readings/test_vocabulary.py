"""From text to words: where they stand, glosses, breaks, and letters that hide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.readings.vocabulary import tokens


def test_a_gloss_in_brackets_belongs_to_its_term() -> None:
    (found,) = tokens("劫财 (Rob Wealth)")[0]
    assert (found.term, found.end) == ("劫财", len("劫财 (Rob Wealth)"))


def test_the_gloss_of_another_term_is_a_claim_of_its_own() -> None:
    assert [(each.category, each.term) for each in tokens("正财 (Seven Killings)")[0]] == [
        ("ten_god", "正财"),
        ("gloss", "seven killings"),
    ]


def test_an_aside_in_brackets_is_no_gloss() -> None:
    assert [each.category for each in tokens("日主庚（Geng）身强（偏强）")[0]] == [
        "position",
        "stem",
        "strength",
        "strength",
    ]


@pytest.mark.parametrize(
    "text", ["「正官」", "“正官”", "(正官)", "正官（Direct Officer）", "正官,", "正官。", "正官"]
)
def test_brackets_and_quotes_do_not_hide_a_term(text: str) -> None:
    assert "正官" in [each.term for each in tokens(text)[0]]


def test_clauses_break_at_punctuation_but_not_inside_a_decimal() -> None:
    assert [each.term for each in tokens("a, b. c; 1.5")[0] if each.category == "break"] == [",", ".", ";"]


def test_full_width_digits_are_digits() -> None:
    assert [(each.category, each.term) for each in tokens("２０２６年")[0]] == [("year", "2026")]


def test_english_words_are_whole_words() -> None:
    assert tokens("the firewood waterfall metallic earthly")[0] == []
    assert [each.term for each in tokens("Fire, Water")[0] if each.category == "element"] == ["火", "水"]


def test_capitals_do_not_matter_to_english_terms() -> None:
    assert [each.term for each in tokens("SEVEN KILLINGS and Seven killings")[0]] == ["七杀", "七杀"]


def test_a_sign_with_its_element_is_one_word() -> None:
    assert [(each.category, each.term) for each in tokens("庚金与壬水")[0]] == [
        ("stem", "庚"),
        ("stem", "壬"),
    ]
    assert [each.term for each in tokens("Geng Metal and Yang Metal")[0]] == ["庚", "庚"]


@given(st.text(max_size=60))
def test_any_text_at_all_is_read_and_its_words_stand_in_order(text: str) -> None:
    found, read = tokens(text)
    assert len(read) == len(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert [each.start for each in found] == sorted(each.start for each in found)
