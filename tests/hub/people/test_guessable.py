"""Which passwords are refused, and that good ones are not."""

from __future__ import annotations

import string

from hypothesis import example, given
from hypothesis import strategies as st

from bazi_hub.people.guessable import SAID, Weak, common, weakness
from tests.tables import holds_for_all

WORDS = ("li.bai@example.org", "李太白", "hub.example")


def why(password: str, words: tuple[str, ...] = WORDS) -> str | None:
    return weakness(password, words)


@holds_for_all(
    "password",
    [
        "1234567890", "0987654321", "qwertyuiop", "1qaz2wsx3edc", "woaini1314520", "5201314520", "abcdefghij",
        "Password123", "P@ssw0rd!!", "PASSWORD2024", "Monkey-2031", "dragondragon", "hunter2hunter2", "aaaaaaaaaaaa",
        "abababababab", "1212121212", "iloveyou!!!", "pass word 123", "!!!dragon!!!",
    ],
)  # fmt: skip
def test_what_is_guessed_first_is_refused_however_it_is_dressed(password):
    assert why(password) == "common"


@holds_for_all(
    "password",
    [
        "li.bai@example.org", "Li.Bai-2024", "libai123456", "bazi123456", "BaziBazi1990", "bazipassword", "hub.example1",
        "李太白李太白李太白李太白", "password-bazi", "my-libai-1", "八字八字八字八字八字八",
    ],
)  # fmt: skip
def test_little_more_than_a_name_of_the_account_or_the_subject_is_refused(password):
    assert why(password) == "own"


@holds_for_all(
    "blank", [" ", "\u3000", "\u200b", "\u3164", "\u2800", "\u00ad", "\u115f", "\u2003", "\U000e0041"]
)
def test_blanks_and_unseen_characters_are_no_password_and_count_for_nothing(blank):
    assert why(blank * 12) == "blank"
    assert why("k7Qp" + blank * 12 + "x") == "blank"


@holds_for_all(
    "password",
    [
        "correct horse battery", "correct horse", "another horse", "k7#9Q!2x$4me", "my bazi chart reading",
        "love7#9!2$4(8)0",
        "床前明月光疑是地上霜", "19470203-rain-on-tin", "xX7 wind over lake", "Пусть всегда будет солнце",
    ],
)  # fmt: skip
def test_a_phrase_of_its_own_is_good(password):
    assert why(password) is None


@given(st.sampled_from(sorted(common())), st.sampled_from(["", "!", "2024", "007"]), st.booleans())
@example("password", "", False)
def test_no_common_password_gets_in_by_capitals_or_a_year(word, end, capital):
    assert why((word.title() if capital else word) + end) is not None


@given(st.text(alphabet=string.ascii_letters + string.digits, min_size=20, max_size=20))
def test_twenty_letters_drawn_by_chance_are_good(drawn):
    assert why(drawn, ()) is None or len(set(drawn.lower())) < 12


@given(st.text(max_size=1100), st.lists(st.text(max_size=64), max_size=4))
def test_any_text_is_judged(password, words):
    assert weakness(password, words) in {None, *SAID}


def test_the_list_has_its_source_and_no_row_that_could_never_match():
    assert len(common()) > 10_000
    assert all(row and row == row.casefold().strip() for row in common())


def test_what_is_told_of_a_refusal_never_holds_the_password():
    assert {Weak(each).said.key for each in SAID} == set(SAID.values())
    assert {frozenset(Weak(each).said.values) for each in SAID} == {frozenset({"least", "most"})}
