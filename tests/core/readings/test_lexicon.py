"""The closed vocabulary: every term of the tables in three languages, and words of every day that claim nothing."""

from __future__ import annotations

import csv

import pytest

from bazi_core.alphabet import BRANCHES, PILLARS, STEMS
from bazi_core.readings.claims import mentions
from bazi_core.readings.lexicon import READ, lexicon, spelled_out
from bazi_core.readings.vocabulary import tokens
from bazi_core.tables import rows

# Terms that are read only in a context of their own, as the tables of contexts say.
IN_CONTEXT = {(row["category"], word) for row in rows("contexts") for word in row["words"].split("|")}
CHECKED = [row for row in rows("terms") if READ.get(row["kind"]) not in (None, "plain")]


def words_of(text: str) -> set[tuple[str, str]]:
    return {(each.category, each.term) for each in tokens(text)[0]}


def terms_of(text: str) -> set[str]:
    return {each.term for each in tokens(text)[0]}


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_every_term_of_two_signs_and_more_is_read_in_both_chinese_scripts(language: str) -> None:
    for row in CHECKED:
        word = row[language]
        if len(word) > 1 and not any(word == each for _, each in IN_CONTEXT):
            assert row["zh-Hans"] in terms_of(word), word


def test_every_term_is_read_by_its_english_gloss_or_together_with_it() -> None:
    for row in CHECKED:
        found = terms_of(f"this is {row['zh-Hans']} ({row['en']}) indeed")
        if len(row["zh-Hans"]) > 1 and not any(row["zh-Hans"] == each for _, each in IN_CONTEXT):
            assert row["zh-Hans"] in found
            assert not any(each.category == "gloss" for each in tokens(f"{row['zh-Hans']} ({row['en']})")[0])


@pytest.mark.parametrize("sign", [*STEMS, *(each for each in BRANCHES if each.value not in "子未")])
def test_every_stem_and_branch_is_read_by_itself(sign: object) -> None:
    assert str(sign) in terms_of(str(sign))


@pytest.mark.parametrize("pillar", PILLARS)
def test_every_pillar_is_one_word_in_hanzi_and_in_latin_letters(pillar: object) -> None:
    assert [each.term for each in tokens(str(pillar))[0]] == [str(pillar)]


def test_a_pillar_in_latin_letters_has_a_capital() -> None:
    assert words_of("the year Bing Wu") == {("pillar", "丙午")}
    assert words_of("the bing wu of it") == set()


@pytest.mark.parametrize(
    ("text", "category", "term"),
    [
        ("偏官", "ten_god", "七杀"), ("枭神", "ten_god", "偏印"), ("印綬", "ten_god", "正印"),
        ("羊刃格", "pattern", "阳刃格"),
        ("身旺", "strength", "身强"), ("身輕", "strength", "身弱"), ("犯太歲", "event", "犯太岁"), ("属龙", "born_in", "龙"),
        ("馬年", "zodiac_year", "马"), ("火年", "element_year", "火"), ("year of the Horse", "zodiac_year", "马"),
        ("相沖", "relation", "相冲"), ("咸池", "star", "桃花"),
    ],
)  # fmt: skip
def test_aliases_and_paraphrases_stand_for_their_canonical_term(text: str, category: str, term: str) -> None:
    assert (category, term) in words_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "妻子和孩子都好，日子过得踏实", "现金与基金", "强调合作与配合", "未来还有时间", "自己的身体要保养",
        "上午喝水，下午休息",
        "不必勉强，不断学习", "相对来说，绝对不是坏事", "火气不要太大", "水平很高", "除非必要", "時間與金錢", "孩子的養育",
        "Keep your feet down to earth, no doubt, and drink water", "good luck at work",
        "a birth chart, whether or not it helps",
    ],
)  # fmt: skip
def test_words_of_every_day_claim_nothing(text: str) -> None:
    assert [each for each in mentions(text) if each.claim.category not in ("element",)] == []


@pytest.mark.parametrize(
    ("inside", "category", "term", "outside"),
    [
        ("日支子与时支午", "branch", "子", "这个子公司"), ("自坐亥为死", "stage", "死", "死心塌地"),
        ("日主强", "strength", "强方", "能力强"),
        ("强弱为弱", "strength", "弱", "弱点"), ("等级为中平", "level", "中平", "中平之人"),
        ("火为相", "state", "相", "相信自己"),
        ("喜火", "soft_role", "喜", "喜欢"), ("时柱见太阳", "star", "太阳", "晒太阳能"),
        ("年支破月支", "relation", "相破", "打破常规"),
        ("the day master is weak", "strength", "弱方", "a weak signal"),
        ("at the stage Death", "stage", "死", "death and taxes"),
        ("the pattern is broken", "pattern_status", "败格", "a broken window"),
    ],
)  # fmt: skip
def test_a_word_of_every_day_is_a_term_only_in_its_context(
    inside: str, category: str, term: str, outside: str
) -> None:
    assert (category, term) in words_of(inside)
    assert (category, term) not in words_of(outside)


def test_the_longest_word_wins() -> None:
    assert [each.term for each in tokens("天乙贵人")[0]] == ["天乙贵人"]
    assert [each.term for each in tokens("冲夫妻宫")[0]] == ["冲夫妻宫"]
    assert [each.term for each in tokens("七杀格")[0]] == ["七杀格"]


def test_a_row_for_every_animal_stands_in_three_languages() -> None:
    assert {word for word, _, _ in spelled_out("属<zodiac>", "born_in", "<zodiac>")} >= {
        "属龙",
        "属龍",
        "属鸡",
        "属雞",
    }
    assert [word for word, _, _ in spelled_out("<zodiac> year", "zodiac_year", "<zodiac>")][:2] == [
        "rat year",
        "ox year",
    ]


def test_the_lexicon_is_compiled_once() -> None:
    assert lexicon() is lexicon()


@pytest.mark.parametrize(
    "table", ["paraphrases", "contexts", "positions", "negators", "numbers", "glue", "implications"]
)
def test_no_row_of_a_table_of_words_stands_twice(table: str) -> None:
    cells = [tuple(row.values()) for row in rows(table)]
    assert len(set(cells)) == len(cells)


def test_every_context_belongs_to_a_word_that_exists() -> None:
    known = {(entry.category, word) for group in (lexicon().hanzi, lexicon().latin) for each in group.values()
             for word, entries in each.entries.items() for entry in entries}  # fmt: skip
    same = {"weak_side": "strength", "strong_side": "strength"}
    for row in rows("contexts"):
        for word in row["words"].split("|"):
            assert (same.get(row["category"], row["category"]), word) in known, (row["category"], word)


def test_the_tables_of_words_are_well_formed_csv() -> None:
    for name in (
        "paraphrases",
        "contexts",
        "positions",
        "negators",
        "numbers",
        "glue",
        "implications",
        "plain_words",
    ):
        assert rows(name)
    assert csv.field_size_limit() > 0
