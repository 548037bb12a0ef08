"""What facts say: every key in three languages, every fact of charts, years and casts drawn at random."""

from __future__ import annotations

import csv
import hashlib
import re
import string
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.almanac.asked import asked_of
from bazi_core.almanac.search_statements import search_plan
from bazi_core.almanac.statements import day_plan
from bazi_core.facts import Fact
from bazi_core.questions.question import question
from bazi_core.speech.plan import Plan
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from bazi_core.wording import FactPhrase, phrased, slots
from tests.core.fact_corpus import objects, plans
from tests.core.speech.drawn import casts
from tests.sizes import both

ROWS = rows("fact_texts")
HANZI = re.compile(r"[\u3400-\u9fff]+")
# Hanzi of an English text stand in parentheses behind their gloss, with pinyin where they are a name: Yang Metal (庚 Geng).
GLOSSED = re.compile(r"(?<=[A-Za-z0-9'’] )\([\u3400-\u9fff]+(?: [A-Z][a-zùü]+){0,3}\)")
# Characters that only simplified Chinese has, of those that the field uses.
SIMPLIFIED = frozenset(
    "财伤杀强轻冲会无带护弃阳阴见禄两碍双气与邻损动为时间钟运顺实际区国经纬节惊蛰满处纳炉剑锋涧头蜡杨雳长灯驿钗钏"
    "马龙鸡猪贵极词馆将华盖灾驿红鸾医丧绞词罗网进废转悬针关乱师学业养绝临闲忧岁虚数对应当开独发静变际"
    "风泽离归济渐丰随蛊贲复颐过损渊观剥讼师谦晋节属还来么个们这过种样让讲说语认识读谁请谢贝败货质贫购"
    "达迁选递遗钱铁银错阵阶随隐难雾韦页顶项须预领颜饭饮饰马驾验骑鱼鲁鸟鸣鹤龄龟总脚点热爱环现盐监确礼种积稳穷窃"
    "签简类级纪纯纳纵线练组细终结给绝统继绪续维绵绿缓编缘罢职联声肃肤肾胜脉脏脑荣药获营萧虽补装规视览觉触订计"
    "论议许设访证评译试诗话该详误调谈谋谓贯责贺资赏赐赖赞趋跃车转轮软载较辅辆输辞边迟远违连适"
)


@cache
def twenty() -> list[Plan]:
    return list(plans(20, 2026))


class Told(NamedTuple):
    """A fact with its text in every language."""

    fact: Fact
    texts: dict[str, str]


@cache
def facts_of(births: int, *, readings: bool) -> list[Fact]:
    """One fact of every key with every set of values that so many births, years and casts bring, and 20 readings."""
    found = (*objects(births, 2026), *((plan.facts for plan in twenty()) if readings else ()))
    return [*{(fact.key, fact.values): fact for facts in found for fact in facts.values()}.values()]


@pytest.fixture(scope="module", params=both(20, 250))
def said(request) -> list[Told]:
    """What facts of births, years, casts and, in the whole, of readings say."""
    facts = facts_of(request.param, readings=request.param > 50)
    return [Told(fact, {lang: fact.text(lang) for lang in LANGUAGES}) for fact in facts]


def fields(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def flat(value):
    """The values in a value, those of phrases and lists among them."""
    if isinstance(value, FactPhrase):
        return flat(value.values)
    return [leaf for each in value for leaf in flat(each)] if isinstance(value, tuple) else [value]


def test_every_key_stands_once_and_has_three_texts_with_the_slots_of_its_values():
    assert len({row["key"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        for lang in LANGUAGES:
            assert set(fields(row[lang])) == slots(row["key"]).keys(), row["key"]
            assert row[lang].strip() == row[lang]


@pytest.mark.exhaustive
def test_no_key_is_there_that_nothing_says():
    """Keys that facts, statements and their phrases use, with those that a code or a type brings."""
    said = facts_of(250, readings=True)
    used = set[str]()

    def phrases(value):
        if isinstance(value, FactPhrase):
            used.add(value.key)
        if isinstance(value, tuple | list | dict):
            for each in value.values() if isinstance(value, dict) else value:
                phrases(each)

    two = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(question="工作和感情怎么样？")
    when = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(question="我什么时候能结婚？")
    exam = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(question="4月10日的考试能过吗？")
    body = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(question="卦身在哪一爻？")
    asked = (*casts(150), two, when, exam, body)
    how = bz.read(bz.chart("1990-05-15 13:30", city="北京", gender="male"), question="怎么改善和父母的关系")
    days_alone = [
        bz.read(bz.chart(day, city="北京", gender="male", hour_unknown=True))
        for day in ("1947-10-28", "1964-12-26")
    ]
    before_spring = bz.read(bz.chart("1990-01-15 10:00", city="北京", gender="male").year(2027))
    facts_of_readings = (
        fact for reading in (how, *days_alone, before_spring) for fact in reading.facts.values()
    )
    for fact in (*said, *facts_of_readings, *(fact for cast in asked for fact in cast.facts.values())):
        used.add(fact.key)
        phrases(fact.values)
    person = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    wedding = bz.days("嫁娶", "2026-10-01", "2026-12-31", tz="Asia/Shanghai", charts=(person,))
    dates = ("2026-02-03", "2026-09-03", "2026-10-03", "2026-10-20")
    days = [bz.almanac(date, city="纽约", charts=(person,)) for date in dates]
    of_almanac = (search_plan(wedding), *(day_plan(day, asked_of(question("能结婚吗"))) for day in days))
    told = (*of_almanac, *map(cast_plan, asked))
    used.update(fact.key for plan in told for fact in plan.facts.values())
    for plan in (*twenty(), *told):
        phrases([each.values for each in plan.statements])
    kinds = {each.partition("/")[0] for row in ROWS for each in slots(row["key"]).values()}
    groups = {each.removeprefix("code.") for each in kinds if each.startswith("code.")} | {"tie", "points"}
    rare = {"structure.outranked", "structure.light_output", "asked.may_be", "pattern.changed"}
    rare |= {"rule.阳干有印", "rule.从儿见财", "rule.化得其一", "rule.旺则宜泄"}
    left = {row["key"] for row in ROWS if row["key"].partition(".")[0] not in groups} - used - rare
    assert left == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fact_is_said_without_a_gap(said, lang):
    for text in (each.texts[lang] for each in said):
        assert text
        assert not set("{}") & set(text), text
        assert "  " not in text, text
        assert text == text.strip(), text


def test_an_english_fact_begins_with_a_capital_and_glosses_every_hanzi(said):
    for text in (each.texts["en"] for each in said):
        assert not text[0].islower(), text
        assert not HANZI.search(GLOSSED.sub("", text)), text
        assert not set("，。、；：（）") & set(text), text


def test_a_fact_in_traditional_chinese_has_no_simplified_character(said):
    for text in (each.texts["zh-Hant"] for each in said):
        assert not SIMPLIFIED & set(text), text


def test_every_text_of_the_table_in_traditional_chinese_has_no_simplified_character():
    for row in (*ROWS, *({"zh-Hant": row["text_hant"]} for row in rows("ge_ju_status"))):
        assert not SIMPLIFIED & set(row["zh-Hant"]), row


def test_simplified_chinese_is_the_text_of_json(said):
    for fact, texts in said:
        assert fact.to_dict()["text_zh"] == fact.text_zh == texts["zh-Hans"] == phrased(fact.key, fact.values)


def test_every_text_names_every_number_and_every_sign_among_its_values(said):
    for fact, (*texts,) in ((fact, told.values()) for fact, told in said):
        for leaf in flat(fact.values):
            if (
                isinstance(leaf, str)
                and HANZI.fullmatch(leaf)
                and len(leaf) <= 2
                and leaf in "甲乙丙丁戊己庚辛壬癸"
            ):
                assert all(leaf in text for text in texts), texts
            elif isinstance(leaf, int) and leaf > 9:
                assert all(str(leaf) in text for text in texts), texts


def test_the_value_of_a_fact_is_among_those_that_it_says(said):
    kinds = {
        "pillar", "time", "hidden_stem", "ten_god", "stage", "nayin", "palace", "role", "score", "level",
        "star",
    }  # fmt: skip
    for fact, _ in said:
        if fact.kind in kinds:
            assert fact.value in flat(fact.values), fact


def test_values_have_the_names_of_their_slots():
    fact = Fact("tg.hour.stem", "ten_god", "hour", "ten_god", "食神", "ten_god.stem", ("hour", "壬", "食神"))
    assert fact.slots == {"where": "hour", "stem": "壬", "god": "食神"}
    with pytest.raises(ValueError, match="shorter"):
        fact._replace(values=("hour", "壬")).text()


@pytest.mark.parametrize(
    ("stems", "zh", "en"),
    [
        (("丁",), "调候用丁", "Yin Fire (丁 Ding)"),
        (("丁", "庚"), "调候用丁、庚", "Yin Fire (丁 Ding) and Yang Metal (庚 Geng)"),
        (
            ("丁", "庚", "甲"),
            "调候用丁、庚、甲",
            "Yin Fire (丁 Ding), Yang Metal (庚 Geng) and Yang Wood (甲 Jia)",
        ),
    ],
)
def test_a_list_is_tied_together_as_its_language_does(stems, zh, en):
    assert phrased("climate.table", (stems,)) == zh
    assert phrased("climate.table", (stems,), "en").endswith(f"wants {en}")


def test_an_empty_list_leaves_nothing_behind():
    said = phrased("year.theme", (2026, (FactPhrase("year.stem"),), "七杀", ()), "en")
    assert said == "in 2026 Seven Killings (七杀) comes with the annual stem"


@pytest.mark.exhaustive
def test_the_simplified_texts_are_those_of_the_releases_before():
    """By kind, of 100 births with their years and 100 casts by the default School; instants are tested elsewhere."""
    texts = defaultdict(hashlib.sha256)
    for facts in objects(100, 12, schools=False):
        for fact in facts.values():
            if fact.kind != "time":
                texts[fact.kind].update(f"{fact.id} | {fact.text_zh}\n".encode())
    with (Path(__file__).parent / "fact_digests.csv").open(encoding="utf-8", newline="") as file:
        assert {kind: each.hexdigest() for kind, each in sorted(texts.items())} == dict(csv.reader(file))
