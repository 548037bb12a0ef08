"""Readings by the rules: deterministic, within their length, the same for everybody, and never rejected."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.readings import narrator
from bazi_core.readings.grounding import check
from bazi_core.readings.narrator.catalogue import catalogue
from bazi_core.readings.reading import KEYS, SENTENCES, Reading, problems_of, schema
from bazi_core.readings.requirements import pattern_requirements, year_requirements
from bazi_core.readings.safety import disclaimer
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES
from tests.core.readings import rejections
from tests.core.readings.rejections import LENGTHS, TONES, of_pattern, of_year

BIRTH: dict[str, Any] = {"when": "1990-05-15 13:30", "city": "北京"}


@cache
def pattern(gender: str | None = "male", **options: str) -> Any:
    return bz.chart(**BIRTH, gender=gender, school=School(**options)).pattern()  # type: ignore[arg-type]


@cache
def year(number: int = 2026, gender: str = "male", **options: str) -> Any:
    return bz.chart(**BIRTH, gender=gender, school=School(**options)).year(number)  # type: ignore[arg-type]


def texts(reading: Reading) -> list[str]:
    return [sentence.text for sentence in reading.sentences]


def test_random_charts_are_read_without_a_rejection():
    sample = list(rejections.told(150, seed=20, every_language=False))
    assert len(sample) > 270
    assert {(one.language, one.length) for one in sample} == {
        (lang, length) for lang in LANGUAGES for length in LENGTHS
    }
    assert [found for one in sample for found in rejections.rejected(one)] == []


@pytest.mark.parametrize("tone", TONES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reading_keeps_to_its_length_and_schema(language, length, tone):
    for reading in (
        narrator.pattern_reading(pattern(), language, tone, length),
        narrator.year_reading(year(), language, tone, length),
    ):
        assert list(problems_of(reading.to_dict(), schema(), SENTENCES[length])) == []


def test_a_longer_reading_says_more():
    for told in (lambda length: narrator.pattern_reading(pattern(), length=length),
                 lambda length: narrator.year_reading(year(), length=length)):  # fmt: skip
        short, standard, long = (len(told(length).sentences) for length in LENGTHS)
        assert short < standard < long


def test_a_reading_leaves_room_for_a_referral():
    for one in rejections.told(20, seed=5, every_language=False):
        assert len(one.reading.sentences) < SENTENCES[one.length]


def test_a_reading_does_not_repeat_a_sentence():
    for one in rejections.told(60, seed=3, every_language=False):
        said = texts(one.reading)
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_disclaimer_is_the_last_sentence(language):
    for reading in (narrator.pattern_reading(pattern(), language), narrator.year_reading(year(), language)):
        last = reading.sentences[-1]
        assert (last.text, last.kind) == (disclaimer(language), "disclaimer")
        assert [each.kind for each in reading.sentences].count("disclaimer") == 1


def test_facts_and_inferences_cite_and_nothing_else_does():
    for reading in (
        narrator.pattern_reading(pattern(), length="long"),
        narrator.year_reading(year(), length="long"),
    ):
        for sentence in reading.sentences:
            assert bool(sentence.evidence) is (sentence.kind in ("fact", "inference"))


def test_the_conclusion_comes_first():
    found, first = pattern(), narrator.pattern_reading(pattern()).summary[0].text
    named = ("庚", found.name, found.strength.verdict, "用神", *map(str, found.useful_gods))
    assert all(word in first for word in named)
    assert "丙午" in narrator.year_reading(year()).summary[0].text


def test_the_sections_of_a_pattern():
    keys = [section.key for section in narrator.pattern_reading(pattern()).sections]
    assert keys == ["overview", "pattern", "career", "wealth", "relationship", "health_balance", "advice"]


def test_the_sections_of_a_year():
    keys = [section.key for section in narrator.year_reading(year()).sections]
    assert keys == [key for key in KEYS if key != "pattern"]


def test_sections_may_be_left_out():
    left = frozenset(("relationship", "health_balance"))
    reading = narrator.year_reading(year(2030), leave_out=left, length="long")
    assert left.isdisjoint(section.key for section in reading.sections)
    report = check(reading, year(2030).all_facts, language="zh-Hans", required=year_requirements(year(2030), left),
                   disclaimers=(disclaimer(),))  # fmt: skip
    assert report.passed


def test_a_child_is_told_nothing_of_a_partner_or_of_money():
    young = bz.chart("2019-05-15 13:30", city="北京", gender="female").year(2026)
    reading = narrator.year_reading(young, length="long")
    assert "wealth" not in [section.key for section in reading.sections]
    assert not any("感情" in text or "伴侣" in text for text in texts(reading))
    assert any("学业" in text for text in texts(reading))


def test_a_year_names_the_months_by_their_term():
    months = next(
        section for section in narrator.year_reading(year(), "en").sections if section.key == "months"
    )
    assert any(f"from {month.jie} (" in each.text for month in year().months for each in months.sentences)


def test_a_score_is_explained_by_what_moved_it():
    said = " ".join(texts(narrator.year_reading(year())))
    assert f"总评{year().scores.overall}分的由来" in said
    overall = [each.points for each in year().scores.contributions if each.domain == "overall"]
    largest = max(overall, key=abs)
    assert f"{'加' if largest > 0 else '减'}{abs(largest)}分" in said


def test_before_the_first_luck_the_minor_luck_is_told():
    assert any("小运" in text for text in texts(narrator.year_reading(year(1992))))


def test_a_change_of_luck_is_told():
    assert any("由癸未换到甲申" in text for text in texts(narrator.year_reading(year(2017))))


def test_without_an_hour_the_reading_says_so():
    found = bz.chart("1990-05-15", hour_unknown=True, city="北京", gender="male").pattern()
    reading = narrator.pattern_reading(found, length="short")
    assert reading.summary[1].kind == "transition"
    assert "时辰没有给出" in reading.summary[1].text
    assert not any("时柱" in text or "时干" in text for text in texts(reading))


def test_without_a_gender_luck_and_partner_star_are_left_out():
    said = " ".join(texts(narrator.pattern_reading(pattern(None), length="long")))
    assert "大运" not in said
    assert "配偶之星" not in said


def test_without_a_judgement_only_facts_are_told():
    told = of_pattern(pattern(judgement="facts"), "zh-Hans")
    said = " ".join(texts(told.reading))
    assert rejections.rejected(told) == []
    assert not any(word in said for word in ("身强", "身弱", "用神", "忌神", pattern().name))
    assert "career" not in [section.key for section in told.reading.sections]


def test_a_year_without_a_judgement_names_no_role():
    told = of_year(year(judgement="facts"), "zh-Hans")
    assert rejections.rejected(told) == []
    assert not any("为用神" in text or "忌神" in text for text in texts(told.reading))


def test_a_close_verdict_is_hedged():
    drawn = (rejections.random_chart(rng).pattern() for rng in map(random.Random, range(200)))
    close = next(found for found in drawn if found.strength and found.strength.balanced)
    by_text = {sentence.text: sentence.hedge for sentence in narrator.pattern_reading(close).sentences}
    assert narrator.pattern_reading(close).summary[0].hedge
    assert any("中和" in text and hedge for text, hedge in by_text.items())


def test_tones_differ_and_agree_on_the_facts():
    for language in LANGUAGES:
        readings = [narrator.pattern_reading(pattern(), language, tone) for tone in TONES]
        assert len({reading.summary[0].text for reading in readings}) == 3
        assert len({reading.title for reading in readings}) == 1
        assert len({frozenset(reading.summary[0].evidence) for reading in readings}) == 1


def test_both_genders_are_told_the_same_templates():
    """Given the same pillars, only the star of the partner, its state and the direction of luck differ."""
    of_gender = ("spouse.", "stars.", "cycle.", "luck.", "star.", "count.", "at.")
    for pillars in ("庚午 辛巳 庚辰 壬午", "癸卯 乙卯 丙子 己亥", "壬申 壬子 戊午 乙卯"):
        man, woman = (
            {
                key for key in of_pattern(bz.chart(pillars=pillars, gender=gender).pattern(), "en").keys
                if not key.startswith(of_gender)
            }
            for gender in ("male", "female")
        )  # fmt: skip
        assert man == woman


def test_no_sentence_of_the_catalogue_knows_a_gender():
    words = (
        "妻子",
        "丈夫",
        "太太",
        "先生",
        "男",
        "女",
        " wife",
        "husband",
        " his ",
        " her ",
        " he ",
        " she ",
    )
    lines = [row[language] for variants in catalogue().values() for row in variants for language in LANGUAGES]
    assert [line for line in lines if any(word in f" {line.lower()} " for word in words)] == []


def test_the_same_object_always_reads_the_same():
    assert narrator.pattern_reading(pattern(), "en") == narrator.pattern_reading(pattern(), "en")
    other = bz.chart(**BIRTH, gender="male").pattern()
    assert narrator.pattern_reading(other, "en") == narrator.pattern_reading(pattern(), "en")


_SCRIPT = """
import hashlib, bazi_core as bz
from bazi_core.readings import narrator
chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
told = [narrator.chart_summary(chart, "en")]
for language in ("zh-Hans", "zh-Hant", "en"):
    told.append(str(narrator.pattern_reading(chart.pattern(), language, "neutral", "long").to_dict()))
    told.append(str(narrator.year_reading(chart.year(2026), language, "neutral", "long").to_dict()))
print(hashlib.sha256("".join(told).encode()).hexdigest())
"""


def test_readings_do_not_depend_on_the_hash_seed():
    made = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True, encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "20", "4242")
    }  # fmt: skip
    assert len(made) == 1
    assert len(made.pop().strip()) == 64


def test_different_charts_are_told_in_different_words():
    first = {
        narrator.pattern_reading(bz.chart(pillars=each).pattern()).summary[0].text[:4] for each in _OTHERS
    }
    assert len(first) > 1


_OTHERS = (
    "庚午 辛巳 庚辰 壬午",
    "癸卯 乙卯 丙子 己亥",
    "壬申 壬子 戊午 乙卯",
    "甲子 丙寅 戊辰 庚申",
    "乙丑 丁亥 己巳 辛未",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_of_a_chart_says_only_what_the_chart_holds(language):
    chart = pattern().chart
    said = narrator.chart_summary(chart, language)
    assert all(word in said for word in ("庚午", "辛巳", "庚辰", "壬午", "1990-05-15"))
    assert not any(word in said for word in ("用神", "useful god", pattern().name))


def test_the_summary_of_given_pillars_has_no_dates():
    said = narrator.chart_summary(bz.chart(pillars="庚午 辛巳 庚辰 壬午"), "en")
    assert "no dates" in said


def test_what_a_pattern_has_to_name():
    named = {each.name: each.claims for each in pattern_requirements(pattern())}
    assert [claim.term for claim in named["pattern"]] == [pattern().name]
    use = pattern().useful_gods[0]
    assert [claim.term for claim in named["useful_god"]] == [f"用神:{use}", f"喜:{use}"]


def test_what_a_year_has_to_name():
    named = {each.name: each for each in year_requirements(year())}
    assert [claim.term for claim in named["year_pillar"].claims] == ["丙午"]
    assert [claim.term for claim in named["luck_pillar"].claims] == ["甲申"]
    assert named["events"].at_least == 3


def test_before_luck_begins_no_luck_pillar_has_to_be_named():
    assert "luck_pillar" not in [each.name for each in year_requirements(year(1992))]


def test_a_reading_of_another_year_names_too_little():
    report = check(
        narrator.year_reading(year(2027)), {**year().all_facts, **year(2027).all_facts}, language="zh-Hans",
        required=year_requirements(year()), disclaimers=(disclaimer(),),
    )  # fmt: skip
    assert "year_pillar" in report.coverage.missing
