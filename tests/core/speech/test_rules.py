"""Readings by the rules: deterministic, within their length, the same for everybody."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.questions.safety import disclaimer
from bazi_core.readings.final import read, read_pattern
from bazi_core.school import School
from bazi_core.speech.catalogue import At, Phrase, Sign, Term
from bazi_core.speech.reading import SENTENCES, TOPICS, Reading
from bazi_core.speech.speaker import TONES
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.summary import chart_summary
from bazi_core.speech.statements.year import year_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.drawn import drawn_results
from tests.core.readings.written import is_year, plan_of
from tests.sizes import sizes

LENGTHS = (*SENTENCES,)

BIRTH: dict[str, Any] = {"when": "1990-05-15 13:30", "city": "北京"}


@cache
def pattern(gender: str | None = "male", **options: str) -> Any:
    return bz.chart(**BIRTH, gender=gender, school=School(**options)).pattern()  # type: ignore[arg-type]


@cache
def year(number: int = 2026, gender: str = "male", **options: str) -> Any:
    return bz.chart(**BIRTH, gender=gender, school=School(**options)).year(number)  # type: ignore[arg-type]


def of_pattern(
    result: Any, language: str = "zh-Hans", tone: str = "neutral", length: str = "standard"
) -> Reading:
    return read_pattern(result, language=language, tone=tone, length=length).reading


def of_year(
    result: Any, language: str = "zh-Hans", tone: str = "neutral", length: str = "standard"
) -> Reading:
    return read(result, language=language, tone=tone, length=length).reading


def drawn_readings(count: int, seed: int) -> Iterator[tuple[str, Reading]]:
    """Readings of random charts and years in every language and length, each with its length."""
    for number, result in enumerate(drawn_results(random.Random(seed), count)):
        language, length = LANGUAGES[number // 2 % 3], LENGTHS[number // 6 % 3]
        tell = of_year if is_year(result) else of_pattern
        yield length, tell(result, language, length=length)


def texts(reading: Reading) -> list[str]:
    return [sentence.text for sentence in reading.sentences]


def test_a_longer_reading_says_more():
    for told in (lambda length: of_pattern(pattern(), length=length),
                 lambda length: of_year(year(), length=length)):  # fmt: skip
        short, standard, long = (len(told(length).sentences) for length in LENGTHS)
        assert short < standard < long


@sizes(15, 40)
def test_a_reading_leaves_room_for_a_referral(count):
    for length, reading in drawn_readings(count, 5):
        assert len(reading.sentences) < SENTENCES[length]


@sizes(15, 60)
def test_a_reading_does_not_repeat_a_sentence(count):
    for _, reading in drawn_readings(count, 3):
        said = texts(reading)
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_disclaimer_is_the_last_sentence(language):
    for reading in (of_pattern(pattern(), language), of_year(year(), language)):
        last = reading.sentences[-1]
        assert (last.text, last.kind) == (disclaimer(language), "disclaimer")
        assert [each.kind for each in reading.sentences].count("disclaimer") == 1


def test_facts_and_inferences_cite_and_transitions_do_not():
    for reading in (
        of_pattern(pattern(), length="long"),
        of_year(year(), length="long"),
    ):
        for sentence in reading.sentences:
            assert sentence.evidence or sentence.kind not in ("fact", "inference")
            assert not sentence.evidence or sentence.kind != "transition"


def test_the_conclusion_comes_first():
    found, first = pattern(), of_pattern(pattern()).summary[0].text
    named = ("庚", found.name, found.strength.verdict, "用神", *map(str, found.useful_gods))
    assert all(word in first for word in named)
    assert "丙午" in of_year(year()).summary[0].text


@sizes(15, 40)
def test_the_sections_stand_in_the_order_of_the_topics(count):
    for _, reading in drawn_readings(count, 9):
        places = [TOPICS.index(section.key) for section in reading.sections]
        assert places == sorted(set(places))


def test_sections_may_be_left_out():
    left = frozenset(("relationship", "health_balance"))
    for plan in (plan_of(year(2030), left), plan_of(pattern(), left)):
        assert left.isdisjoint(plan.topics)


def test_a_child_is_told_nothing_of_a_partner_or_of_money():
    young = bz.chart("2019-05-15 13:30", city="北京", gender="female").year(2026)
    reading = of_year(young, length="long")
    assert "wealth" not in [section.key for section in reading.sections]
    assert not any("感情" in text or "伴侣" in text for text in texts(reading))
    assert any("学业" in text for text in texts(reading))


@sizes(20, 200)
def test_the_total_of_a_year_can_be_added_up_in_words(count):
    for result in drawn_results(random.Random(31), 2 * count):
        if is_year(result):
            made = [
                each.text
                for each in of_year(result, length="long").sentences
                if (each.statement or "") == "made.total"
            ]
            told = re.findall(r"([加减])(\d+)分", "".join(made))
            total = 50 + sum(int(points) * (1 if way == "加" else -1) for way, points in told)
            assert min(100, max(0, total)) == result.scores.overall, made
            assert not made or f"合计{result.scores.overall}分" in made[0]
            assert "made.total" not in [each.statement for each in of_year(result).sentences]


@sizes(20, 200)
def test_the_role_of_a_stem_or_a_branch_is_told_once(count):
    for result in drawn_results(random.Random(32), 2 * count):
        if is_year(result):
            plan = year_plan(result, asked=Asked("career", "when")).shortened("standard")
            told = [name for each in plan.statements for name in _roles(each.values)]
            assert len(set(told)) == len(told), told
            assert len(told) == len({each.role_id for each in result.carriers})


def _roles(value: Any) -> Iterator[Any]:
    """The places whose role is told in a value of a statement."""
    if isinstance(value, Phrase):
        if {"where", "role"} <= value.values.keys():
            yield value.values["where"]
        value = value.values
    members = value.values() if isinstance(value, dict) else getattr(value, "members", value)
    if isinstance(members, (list, tuple, type({}.values()))) and not isinstance(value, (At, Sign, Term)):
        for each in members:
            yield from _roles(each)


def test_before_the_first_luck_the_minor_luck_is_told():
    assert any("小运" in text for text in texts(of_year(year(1992))))


def test_a_change_of_luck_is_told():
    assert any("由癸未换到甲申" in text for text in texts(of_year(year(2017))))


def test_without_an_hour_the_reading_says_so():
    found = bz.chart("1990-05-15", hour_unknown=True, city="北京", gender="male").pattern()
    reading = of_pattern(found, length="short")
    (said,) = [each for each in reading.summary if each.statement.startswith("hour_unknown")]
    assert "时辰没有给出" in said.text
    assert "十二个时辰逐一排过" in said.text
    assert not any("时柱" in text or "时干" in text for text in texts(reading))


def test_without_a_gender_luck_and_partner_star_are_left_out():
    said = " ".join(texts(of_pattern(pattern(None), length="long")))
    assert "大运" not in said
    assert "配偶之星" not in said


def test_without_a_judgement_only_facts_are_told():
    told = of_pattern(pattern(judgement="facts"), "zh-Hans")
    said = " ".join(texts(told))
    assert not any(word in said for word in ("身强", "身弱", "用神", "忌神", pattern().name))
    assert "career" not in [section.key for section in told.sections]


def test_a_year_without_a_judgement_names_no_role():
    told = of_year(year(judgement="facts"), "zh-Hans")
    assert not any("为用神" in text or "忌神" in text for text in texts(told))


def test_a_close_verdict_is_hedged():
    drawn = (each for each in drawn_results(random.Random(2), 400) if not is_year(each))
    close = next(found for found in drawn if found.strength and found.strength.balanced)
    by_text = {sentence.text: sentence.hedge for sentence in of_pattern(close).sentences}
    assert of_pattern(close).summary[0].hedge
    assert any("中和" in text and hedge for text, hedge in by_text.items())


def test_tones_differ_and_agree_on_the_facts():
    for language in LANGUAGES:
        readings = [of_pattern(pattern(), language, tone) for tone in TONES]
        assert len({reading.summary[0].text for reading in readings}) == 3
        assert len({reading.title for reading in readings}) == 1
        assert len({frozenset(reading.summary[0].evidence) for reading in readings}) == 1


def test_both_genders_are_told_the_same_templates():
    """Given the same pillars, only the star of the partner, its state and the direction of luck differ."""
    of_gender = ("spouse.", "stars.", "cycle.", "luck.", "star.", "count.", "at.")
    for pillars in ("庚午 辛巳 庚辰 壬午", "癸卯 乙卯 丙子 己亥", "壬申 壬子 戊午 乙卯"):
        man, woman = (
            {
                each.key for each in plan_of(bz.chart(pillars=pillars, gender=gender).pattern()).statements
                if not each.key.startswith(of_gender)
            }
            for gender in ("male", "female")
        )  # fmt: skip
        assert man == woman


_SCRIPT = """
import hashlib, bazi_core as bz
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.summary import chart_summary
from bazi_core.speech.statements.year import year_plan
chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
told = [chart_summary(chart, "en")]
for language in ("zh-Hans", "zh-Hant", "en"):
    told.append(str(bz.read(chart, language=language, length="long").reading.to_dict()))
    told.append(str(bz.read(chart.year(2026), language=language, length="long").reading.to_dict()))
print(hashlib.sha256("".join(told).encode()).hexdigest())
"""


@pytest.mark.process
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
    first = {of_pattern(bz.chart(pillars=each).pattern()).summary[0].text[:4] for each in _OTHERS}
    assert len(first) > 1


_OTHERS = (
    "庚午 辛巳 庚辰 壬午", "癸卯 乙卯 丙子 己亥", "壬申 壬子 戊午 乙卯", "甲子 丙寅 戊辰 庚申",
    "乙丑 丁亥 己巳 辛未",
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_of_a_chart_says_only_what_the_chart_holds(language):
    chart = pattern().chart
    said = chart_summary(chart, language)
    assert all(word in said for word in ("庚午", "辛巳", "庚辰", "壬午", "1990-05-15"))
    assert not any(word in said for word in ("用神", "useful god", pattern().name))


def test_the_summary_of_given_pillars_has_no_dates():
    said = chart_summary(bz.chart(pillars="庚午 辛巳 庚辰 壬午"), "en")
    assert "no dates" in said
