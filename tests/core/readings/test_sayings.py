"""What is said of relatives, of the years of a luck pillar, and of what outweighs what; and how figures settle it."""

from __future__ import annotations

import pytest

from bazi_core.readings.claims import Claim, mentions
from bazi_core.readings.denial import denied
from bazi_core.readings.grounding import Cited, supported
from bazi_core.readings.numbers import number_at
from bazi_core.readings.vocabulary import tokens


def claims_of(text: str) -> set[tuple[str, str]]:
    return {each.claim[:2] for each in mentions(text)}


@pytest.mark.parametrize(
    ("text", "category", "term"),
    [
        ("父星透于年干", "kin_at", "father:year"), ("配偶星为正财，藏于日支", "kin", "spouse:hidden"),
        ("2027年交入乙酉大运", "luck_begins", "乙酉:2027"), ("甲申大运到2026年为止", "luck_ends", "甲申:2026"),
        ("2020年行甲申大运", "luck_in", "甲申:2020"), ("目前走乙酉大运", "luck_now", "乙酉"),
        ("From 2027 on, the Yi You luck pillar takes over", "luck_begins", "乙酉:2027"),
        ("2026年虚岁37", "age_in", "2026:37"), ("日主得令", "holds_test", "得令"), ("庚金司令", "commands", "庚"),
        ("生于立夏之后", "born_side", "立夏:后"), ("格取正财", "pattern", "正财格"),
        ("The pattern is Direct Officer", "pattern", "正官格"), ("财运比事业低", "above", "事业>财运"),
        ("学业最高", "highest", "学业"), ("火占三成", "share_of", "火:25-35"), ("木多水少", "scarce", "水"),
    ],
)  # fmt: skip
def test_sayings_make_claims(text: str, category: str, term: str) -> None:
    assert (category, term) in claims_of(text)


@pytest.mark.parametrize(
    "text", ["得令10分", "2031年家庭46分，第7步大运为庚申", "2026年之后，转入第四步大运乙酉"]
)
def test_what_only_looks_like_a_saying_makes_none(text: str) -> None:
    assert not {each for each, _ in claims_of(text)} & {"holds_test", "luck_in", "luck_begins", "luck_ends"}


@pytest.mark.parametrize(
    ("category", "term", "holds", "fails"),
    [
        ("share_of", "火:25-35", ("percent_of", "火:30"), ("percent_of", "火:36")),
        ("ample", "火", ("percent_of", "火:20"), ("percent_of", "火:19")),
        ("scarce", "火", ("percent_of", "火:15"), ("percent_of", "火:16")),
        ("luck_begins", "甲申:2017", ("span_of", "甲申:2017-2026"), ("span_of", "甲申:2016-2025")),
        ("luck_ends", "甲申:2026", ("span_of", "甲申:2017-2026"), ("span_of", "甲申:2016-2025")),
        ("luck_in", "甲申:2026", ("span_of", "甲申:2017-2026"), ("span_of", "甲申:2016-2025")),
        ("luck_now", "甲申", ("span_of", "甲申:2017-2026"), ("span_of", "甲申:2007-2016")),
        ("pronoun", "女命", ("gender", "女命"), ("gender", "男命")),
    ],
)  # fmt: skip
def test_figures_settle_what_is_said_in_words(
    category: str, term: str, holds: tuple[str, str], fails: tuple[str, str]
) -> None:
    for fact, expected in ((holds, True), (fails, False)):
        known = Cited((frozenset((Claim(*fact),)),), years=(2026,))
        assert supported(Claim(category, term), known) is expected
        assert supported(Claim(category, term, None, True), known) is not expected


def test_the_best_domain_needs_a_second_score() -> None:
    one, other = Claim("score_of", "事业:58"), Claim("score_of", "财运:51")
    assert supported(Claim("highest", "事业"), Cited((frozenset((one, other)),)))
    assert not supported(Claim("highest", "财运"), Cited((frozenset((one, other)),)))
    assert not supported(Claim("highest", "事业"), Cited((frozenset((one,)),)))


@pytest.mark.parametrize(
    "text",
    ["身强之说不能成立", "身强？恰恰相反。", "误以为身强", "it is untrue that this is a strong chart", "身强；这是错的"],
)  # fmt: skip
def test_a_sentence_that_takes_back_what_it_says_denies_it(text: str) -> None:
    found, read = tokens(text)
    strength = next(number for number, each in enumerate(found) if each.category == "strength")
    assert denied(found, read)[strength] == "denial"


def test_the_next_sentence_is_not_taken_back() -> None:
    assert denied(*tokens("身强。世人常常以为这样的人样样都好，这就错了。")) == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三成", "25-35"),
        ("三成七", "36-38"),
        ("一半以上", "50-100"),
        ("四分之一", "21-29"),
        ("half", "45-55"),
    ],
)
def test_shares_in_words_are_spans_of_percent(text: str, value: str) -> None:
    number = number_at(text, 0)
    assert number is not None
    assert number.stated == (("share", value),)


def test_numbers_in_english_words_count_where_a_unit_stands_beside_them() -> None:
    assert ("percent_of", "火:38") in claims_of("Fire is thirty-eight percent")
    assert ("score_of", "overall:63") in claims_of("The overall score is sixty-three")
    assert claims_of("two or three projects") == set()
