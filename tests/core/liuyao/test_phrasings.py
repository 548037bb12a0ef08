"""Sentences as people write them on casts: what follows from the cited facts is accepted, what does not is refused."""

from __future__ import annotations

import csv
import os
import random
from functools import cache

import pytest

from bazi_core import liuyao as ly
from bazi_core.readings.divination.check import Known, item_problems
from bazi_core.readings.divination.exchange import masked
from bazi_core.readings.safety import unsafe
from tests.core.liuyao.casts import AT
from tests.core.liuyao.reading_mutants import random_analysis
from tests.golden.liuyao import SCHOOLS, golden

BOARDS = {
    "蛊": lambda: ly.derive("697887", "2026-11-21T09:15:00+08:00").analyze("财运"),
    "既济": lambda: ly.derive("789876", AT).analyze("事业"),
    "兑": lambda: ly.derive("998798", pillars="辛丑 丙申 乙巳 丁丑").analyze("婚姻", "female"),
    "临": lambda: ly.derive("776886", pillars="乙巳 戊子 乙巳 辛巳").analyze("婚姻", "female"),
}


@cache
def facts_of(board):
    return BOARDS[board]().facts


def _written():
    path = os.path.join(os.path.dirname(__file__), "phrasings.csv")
    with open(path, encoding="utf-8", newline="") as file:
        return [*csv.DictReader(line for line in file if not line.startswith("#"))]


def refused(text, facts):
    """Whether anything in a text is refused by these facts, or by what must not be said."""
    return bool([*item_problems(text, Known.of(facts)), *unsafe(masked(text))])


@pytest.mark.parametrize("row", _written(), ids=lambda row: row["text"][:20])
def test_a_sentence_is_accepted_where_it_follows_and_refused_where_it_does_not(row):
    facts = facts_of(row["board"])
    cited = [facts[name] for name in row["evidence"].split()] or facts.values()
    assert refused(row["text"], cited) is (row["holds"] == "0")


def test_there_are_as_many_false_sentences_as_true_ones():
    held = [row["holds"] for row in _written()]
    assert min(held.count("1"), held.count("0")) > 100


def test_every_fact_of_every_golden_cast_may_be_cited_word_for_word():
    for case in golden("liuyao_cases")["cases"]:
        given, school = case["input"], SCHOOLS[case["options"].get("dayBoundary", "zi_start")]
        chart = ly.derive(given["yaoLines"], given["divinationTimeIso"], school=school)
        for fact in chart.analyze(given["questionType"]).facts.values():
            assert not refused(fact.text_zh, [fact]), (case["id"], fact.text_zh)


def test_every_fact_of_random_casts_may_be_cited_word_for_word():
    rng = random.Random(31)
    for _ in range(300):
        for fact in random_analysis(rng).facts.values():
            assert not refused(fact.text_zh, [fact]), fact.text_zh


@pytest.mark.parametrize("join", ["；", "，", "。"])
def test_two_facts_of_a_cast_may_be_cited_word_for_word_in_one_sentence(join):
    rng = random.Random(32)
    for _ in range(60):
        facts = [*random_analysis(rng).facts.values()]
        for _ in range(30):
            one, other = rng.sample(facts, 2)
            text = f"{one.text_zh}{join}{other.text_zh}。"
            assert not refused(text, [one, other]), text


def test_what_a_line_turns_into_is_not_taken_for_a_funeral():
    for text in ("三爻午火化泄。", "三爻巳火化為官鬼。", "三爻午火化絕。"):
        assert [*unsafe(masked(text))] == []
    assert [*unsafe(masked("此人不久将火化。"))]


def test_spaces_between_signs_hide_nothing():
    facts = facts_of("既济")
    assert refused("三 爻 官 鬼 发 动。", [facts["ly.line.3"]])
    assert not refused("三 爻 兄 弟 发 动。", [facts["ly.line.3"]])
    pillars = [facts[f"ly.ganzhi.{name}"] for name in ("year", "month", "day", "hour")]
    assert not refused("四柱为丙午 辛卯 丁未 庚戌。", pillars)


def test_of_a_role_on_several_lines_it_is_known_which_of_them_move():
    facts = facts_of("蛊")
    assert facts["ly.role.仇神"].text_zh == "仇神属水，在二爻、五爻，其中二爻发动"
    known = [facts["ly.role.仇神"]]
    assert not refused("仇神二爻发动，五爻安静。", known)
    assert refused("仇神二爻、五爻皆动。", known)
    assert refused("五爻发动。", known)
