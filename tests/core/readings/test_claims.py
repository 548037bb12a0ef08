"""What a text claims as a whole: terms with their places, and in order."""

from __future__ import annotations

from bazi_core.readings.claims import Claim, mentions


def test_a_mention_knows_the_words_it_was_made_in() -> None:
    (found,) = (each for each in mentions("眼下月干辛为劫财") if each.claim.category == "ten_god")
    assert (found.surface, found.start, found.end) == ("劫财", 6, 8)


def test_claims_come_in_the_order_of_the_text() -> None:
    starts = [each.start for each in mentions("用神为火，月干辛为劫财，2026年丙午，桃花在时柱")]
    assert starts == sorted(starts)


def test_a_text_without_terms_claims_nothing() -> None:
    assert mentions("作息规律，饮食有度，自然身心安稳。") == ()


def test_the_same_text_is_read_once() -> None:
    assert mentions("月干辛") is mentions("月干辛")


def test_a_claim_compares_by_its_four_fields() -> None:
    assert Claim("stem", "辛", "month.stem") == ("stem", "辛", "month.stem", False)


def test_the_three_languages_make_the_same_claims() -> None:
    hans = {each.claim for each in mentions("月干辛为劫财，用神为水")}
    hant = {each.claim for each in mentions("月干辛為劫財，用神為水")}
    english = {
        each.claim
        for each in mentions("the month stem 辛 (Xin) is 劫财 (Rob Wealth); the useful god is Water")
    }
    assert hans == hant == english
