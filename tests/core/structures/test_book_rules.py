"""Rules that the books state outright: each by printed charts, and by neighbours that miss one condition."""

from __future__ import annotations

import pytest
from hypothesis import given

from bazi_core.readings.final import read_pattern
from bazi_core.school import YONG_WEIGHTS
from bazi_core.structures.book_rules import (
    CLAIMS,
    EVIDENCE,
    FOLLOWS,
    FORBIDS,
    TAKES,
    VERBS,
    YIELDS,
    book_rules,
)
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.pattern.drawn import ANY_PILLARS, of
from tests.tables import holds_for_all

TABLE = rows("book_rules")


def said(found) -> list[str]:
    """The rules that decided the useful god."""
    return [rule.id for vote in found.useful.votes for rule, _ in vote.said]


def against(found) -> dict[str, list[str]]:
    """By structure, what of the books forbids it."""
    return {
        special.name: [each.ground.key.removeprefix("rule.") for each in special.conditions if not each.holds]
        for special in found.close
    }


# What a book takes, on charts of the books themselves.
@holds_for_all(
    "rule, pillars, element",
    [
        # 滴天髓阐微
        ("金水见官", "甲申 丙子 庚辰 戊寅", "火"),
        ("金水见官", "丁未 壬子 庚戌 丙戌", "火"),
        ("夏木佩印", "庚辰 壬午 乙亥 癸未", "水"),
        ("春木逢火", "甲午 丙寅 乙卯 己卯", "火"),
        ("秋金遇水", "壬申 戊申 庚辰 甲申", "水"),
        ("冬木逢火", "癸未 癸亥 甲午 丁卯", "火"),
        ("旺则宜泄", "戊申 戊午 戊戌 戊午", "金"),
        ("旺则宜泄", "戊辰 戊午 戊申 己未", "金"),
        ("禄劫泄秀", "壬子 辛亥 壬子 癸卯", "木"),
        ("母慈灭子", "戊戌 丙辰 辛丑 戊戌", "金"),
        ("母慈灭子", "丙戌 戊戌 辛丑 戊戌", "金"),
        ("一将当关", "戊辰 戊午 壬辰 甲辰", "木"),
        ("一将当关", "壬子 壬子 丙戌 戊戌", "土"),
        ("印化煞", "甲戌 丙寅 戊寅 丙辰", "火"),
        ("印化煞", "癸未 庚申 甲申 乙亥", "水"),
        ("印多用财", "癸卯 甲寅 丁巳 己酉", "金"),
        ("用神有力", "戊午 乙卯 癸卯 癸亥", "水"),
        ("用神有力", "癸亥 甲寅 癸亥 甲寅", "水"),
        ("旺极宜泄", "壬寅 辛亥 壬子 辛丑", "木"),
        # 子平真诠
        ("煞用食制", "乙亥 乙酉 乙卯 丁丑", "火"),
        # 子平真诠评注, 千里命稿, 神峰通考
        ("印化煞", "己酉 辛未 癸未 庚申", "金"),
        ("一将当关", "庚申 甲申 乙卯 丙戌", "火"),
        ("秋金遇水", "壬午 己酉 庚申 丙子", "水"),
        ("旺极宜泄", "癸丑 乙卯 甲子 丙寅", "火"),
        ("旺极宜泄", "丁丑 辛亥 壬子 癸卯", "木"),
        ("印多用财", "丙子 丁酉 壬申 辛亥", "火"),
    ],
)
def test_the_useful_god_is_what_the_book_takes(rule, pillars, element):
    found = of(pillars)
    assert said(found)[0] == rule
    assert found.useful.order[0].value == element


# The same charts with one sign changed, so that one condition of the rule fails.
@holds_for_all(
    "rule, pillars",
    [
        ("金水见官", "甲申 丙子 庚辰 甲申"),  # 丙 without a root
        ("夏木佩印", "庚寅 壬午 乙未 丁未"),  # 壬 without a root
        ("秋金遇水", "戊申 庚申 庚辰 甲申"),  # no water stem
        ("旺则宜泄", "戊申 戊午 戊戌 甲寅"),  # 官杀 in the chart
        ("母慈灭子", "戊戌 丙辰 辛丑 甲午"),  # 财 in the chart
        ("一将当关", "戊辰 戊午 壬辰 庚子"),  # no 食伤 stem
        ("一将当关", "戊辰 戊午 壬申 甲辰"),  # 印 in the chart
        ("煞用食制", "己亥 乙酉 乙卯 丁丑"),  # 财 shows
        ("煞用食制", "壬子 乙酉 乙卯 丁丑"),  # 印 shows
        ("煞用食制", "戊辰 庚申 乙巳 丁丑"),  # the month is of 正官
        ("禄劫泄秀", "戊申 戊午 戊戌 戊午"),  # the month is the blade, of which the chapter does not speak
        ("冬木逢火", "丁卯 癸丑 甲寅 丁卯"),  # 丑: the month is no Resource
        ("印化煞", "甲戌 丙寅 戊戌 戊午"),  # 比劫 outweigh 官杀
        ("旺极宜泄", "癸亥 癸亥 壬子 庚子"),  # no 食伤 shows
    ],
)
def test_the_book_is_not_cited_where_a_condition_fails(rule, pillars):
    assert rule not in said(of(pillars))


@pytest.mark.parametrize(
    ("rule", "pillars", "structure"),
    [
        ("阳干有劫", "己未 癸酉 戊戌 庚申", "从儿格"),
        ("阳干有劫", "丁未 乙巳 甲午 丁卯", "从儿格"),
        ("阳干有劫", "壬申 丙午 壬寅 丙午", "从财格"),
        ("从儿见财", "癸亥 甲寅 癸亥 甲寅", "从儿格"),
        ("阳干有印", "戊午 丙辰 壬寅 庚戌", "从势格"),
        ("从旺无官", "乙亥 己卯 甲申 乙亥", "从旺格"),
        ("从强无财", "丙子 丁酉 壬申 辛亥", "从强格"),
        ("化得其一", "壬戌 壬寅 丁卯 戊申", "化木格"),
        # Two 乙 vie for one 庚.
        ("化得其一", "戊辰 庚申 乙巳 乙酉", "化金格"),
    ],
)
def test_a_structure_that_a_book_forbids_is_only_listed(rule, pillars, structure):
    found = of(pillars)
    assert found.special is None
    assert rule in against(found)[structure]
    assert found.facts[f"sp.{structure}"].value is False


@pytest.mark.parametrize(
    ("pillars", "name"),
    [
        ("甲寅 丁卯 甲辰 丙寅", "曲直格"),
        ("戊申 壬戌 庚申 乙酉", "从革格"),
        ("戊辰 己未 己未 戊辰", "稼穑格"),
        # The earth of 亥子丑 is part of the group and controls nothing.
        ("辛亥 庚子 癸丑 癸丑", "润下格"),
        ("癸未 甲寅 乙亥 己卯", "曲直格"),
        ("戊戌 己未 戊戌 丙辰", "稼穑格"),
    ],
)
def test_branches_of_one_quarter_are_a_structure_whatever_the_shares(pillars, name):
    found = of(pillars)
    assert (found.name, found.special.special_class) == (name, "专旺")
    assert found.special.conditions[0].source == "ZPZQ.论杂格"


@pytest.mark.parametrize(
    "pillars",
    [
        "庚寅 己卯 甲辰 丙寅",  # 庚 shows
        "甲寅 丁卯 甲辰 壬申",  # 申 beside the group
        "癸未 癸亥 甲午 丁卯",  # 亥卯未, but of winter
    ],
)
def test_one_quarter_wants_its_season_and_no_officer(pillars):
    found = of(pillars)
    assert "一方秀气" not in {
        each.ground.key.removeprefix("rule.") for each in (found.special.conditions if found.special else ())
    }


def test_a_rival_two_pillars_away_from_the_partner_does_not_vie_for_it():
    # 甲 of the year, 己 of the hour (隔位太远).
    assert of("甲戌 丁丑 甲申 己巳").name == "化土格"


def test_helpers_without_any_root_are_no_help():
    assert of("癸酉 乙丑 丙申 丙申").name == "从势格"
    assert of("丙午 庚寅 壬午 壬寅").special.special_class == "从格"


def test_output_that_the_month_hides_and_a_stem_shows_is_of_the_month():
    assert of("辛丑 辛丑 戊申 壬子").name == "从儿格"


@given(ANY_PILLARS)
def test_what_a_rule_takes_comes_first(pillars):
    found = of(pillars)
    for vote in found.useful.votes:
        if vote.method == "rule":
            assert vote.element is found.useful.order[0]
            assert len(vote.said) == len(vote.grounds) <= 2


@given(ANY_PILLARS)
def test_a_rule_is_cited_with_its_source_and_facts_that_exist(pillars):
    found = of(pillars)
    made = found.to_dict()
    for method in made["useful_god_detail"]["methods"]:
        assert bool(method["rules"]) == (method["method"] == "rule")
        for rule in method["rules"]:
            fact = found.facts[rule["evidence"][0]]
            assert rule["source"] == fact.source
            assert fact.derives_from
            assert set(fact.derives_from) <= set(found.all_facts)


@given(ANY_PILLARS)
def test_a_method_without_weight_brings_no_rule(pillars):
    weights = {**YONG_WEIGHTS, "ge_ju": 0.0, "bing_yao": 0.0, "presence": 0.0}
    found = of(pillars, yong_weights=weights)
    assert set(said(found)) <= {rule.id for rule in book_rules(FOLLOWS)}


def test_every_row_names_its_source_and_quotes_it():
    for row in TABLE:
        assert row["source"].partition("·")[0] in {"子平真诠", "滴天髓", "滴天髓原注", "滴天髓阐微"}
        assert 2 <= len(row["quote"]) <= 20
    assert len({row["id"] for row in TABLE}) == len(TABLE)
    assert {row["kind"] for row in TABLE} == {FORBIDS, CLAIMS, FOLLOWS, TAKES, YIELDS}


def test_the_rows_use_every_verb_and_no_other():
    used = {term.verb for kind in "止立顺取让" for rule in book_rules(kind) for term in rule.terms}
    assert used == set(VERBS)
    assert set(EVIDENCE) <= used


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_is_said_with_the_name_of_its_book(lang):
    names = {"zh-Hans": "滴天髓 子平真诠", "zh-Hant": "滴天髓 子平真詮", "en": "(滴天髓) (子平真诠)"}
    for kind in "止立顺取让":
        for rule in book_rules(kind):
            assert any(name in rule.ground.text(lang) for name in names[lang].split()), rule.id


@pytest.mark.parametrize(
    ("lang", "words"), [("zh-Hans", "的一方"), ("zh-Hant", "的一方"), ("en", "gather in the quarter")]
)
def test_a_reading_says_why_a_quarter_is_a_structure_and_that_a_book_decides(lang, words):
    def text(pillars: str) -> str:
        return read_pattern(of(pillars), language=lang, length="long").narrative

    assert words in text("辛亥 庚子 癸丑 癸丑")
    said = {
        "zh-Hans": "书上有这样的取法",
        "zh-Hant": "書上有這樣的取法",
        "en": "The books have a rule for such a chart",
    }
    assert said[lang] in text("甲申 丙子 庚辰 戊寅")
    assert said[lang] not in text("癸亥 甲子 丁酉 丁未")
