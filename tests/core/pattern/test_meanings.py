"""格局用神 beside 扶抑用神: what each is, which of them the decision follows, and where they are opposed."""

import pytest
from hypothesis import given

from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.render.printed import text_of
from tests.core.pattern.drawn import ANY_PILLARS, of


@pytest.mark.parametrize(
    ("pillars", "pattern", "stem", "balance", "followed", "opposed"),
    [
        # 七杀格, strong: 食神 restrains it and drains the day master.
        ("庚午 辛巳 庚辰 壬午", "水", "壬", "水", "both", False),
        # 食神格, weak: what 食神 feeds is what the day master cannot bear.
        ("甲子 戊辰 丙申 庚寅", "金", "庚", "木", "balance", True),
        # 金水伤官 takes the officer: neither the wealth of the pattern nor the resource of the balance.
        ("甲申 丙子 庚辰 戊寅", "木", "甲", "土", "neither", True),
    ],
)
def test_both_meanings_are_named_with_the_one_that_is_followed(
    pillars, pattern, stem, balance, followed, opposed
):
    found = of(pillars).meanings
    assert (found.pattern.value, found.stem.value, found.balance.value) == (pattern, stem, balance)
    assert (found.followed, found.opposed) == (followed, opposed)


def test_a_pattern_without_a_stem_that_completes_it_names_what_it_asks_for():
    result = of("戊申 戊午 戊戌 戊午")
    assert result.standing.xiang_shen is None
    assert result.meanings.stem is None
    assert "相神）未透，本格所求者木" in result.facts["yong.by_pattern"].text_zh


def test_a_structure_and_a_chart_that_is_not_judged_have_no_two_meanings():
    for result in (of("癸亥 癸亥 壬子 庚子"), of("庚午 辛巳 庚辰 壬午", judgement="facts")):
        assert result.meanings is None
        assert result.to_dict()["useful_god_meanings"] is None
        assert not any(name.startswith("yong.by_") for name in result.facts)


@given(ANY_PILLARS)
def test_what_is_followed_is_what_comes_first(pillars):
    result = of(pillars)
    found = result.meanings
    if found is None:
        assert result.special is not None
        return
    first = result.useful.order[0]
    assert (found.pattern is first) == (found.followed in ("both", "pattern"))
    assert (found.balance is first) == (found.followed in ("both", "balance"))
    assert found.grounds
    roles = {result.useful.role(found.pattern), result.useful.role(found.balance)}
    assert found.opposed == bool(roles & set(WANTED) and roles & set(ADVERSE))
    assert ("yong.opposed" in result.facts) == found.opposed


@given(ANY_PILLARS)
def test_the_object_tells_the_same_and_cites_facts_that_exist(pillars):
    result = of(pillars)
    made = result.to_dict()["useful_god_meanings"]
    if made is not None:
        assert made["followed"] == result.meanings.followed
        assert made["pattern"]["role"] == result.useful.role(result.meanings.pattern)
        assert set(made["evidence"]) <= set(result.facts)
        assert made["reasons"]


@pytest.mark.parametrize("weights", [{"ge_ju": 0.0}, {"fu_yi": 0.0}])
def test_a_meaning_whose_method_has_no_weight_is_left_out(weights):
    found = of("戊申 戊午 戊戌 戊午", yong_weights=weights)
    made = found.to_dict()["useful_god_meanings"]
    assert (made["pattern"] is None) == ("ge_ju" in weights)
    assert (made["balance"] is None) == ("fu_yi" in weights)
    assert set(made["evidence"]) <= set(found.facts)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh-Hans", ("两义", "扶抑用神为土", "两种用神相反")),
        ("zh-Hant", ("兩義", "扶抑用神為土", "兩種用神相反")),
        ("en", ("Two senses", "balanced (扶抑) by Earth", "the two are opposed")),
    ],
)
def test_a_printed_pattern_shows_both_and_says_where_they_are_opposed(lang, words):
    text = " ".join(text_of(of("甲申 丙子 庚辰 戊寅"), lang).split())
    for word in words:
        assert word in text if lang == "en" else word in text.replace(" ", "")
