"""Why is answered by a cause in the chart, how by conduct; of an open strength both readings, with what decides."""

import re

import pytest

import bazi_core as bz
from bazi_core.alphabet import ELEMENTS, STEMS
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.why_and_how import SIDES_OF_LIFE, WHOLE_LIFE, causes
from bazi_core.structures.classes import CLASSES
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.asking import keys
from tests.core.speech.drawn import births
from tests.core.speech.slots import Known, unfounded

SETTLED = bz.chart("1956-05-13 21:06", city="Toronto", gender="female")
OPEN = bz.chart("1990-05-15 13:30", city="北京", gender="male")


@pytest.mark.parametrize(
    "question",
    ["我的财运为什么留不住", "為什麼我存不住錢", "Why can't I hold on to money?", "点解我成日都储唔到钱"],
)
def test_why_begins_with_the_cause_and_goes_on_to_what_helps(question):
    told = keys(SETTLED, question)
    assert told[:2] == ["answer.why.star", "answer.how.then"]
    assert not any(each.startswith(("answer.chart", "answer.natal")) for each in told)


@pytest.mark.parametrize(
    "question", ["怎么改善财运", "怎麼改善我的財運", "How can I improve my finances?", "怎么才能存下钱"]
)
def test_how_begins_with_conduct_people_and_season_and_gives_its_verdict_after_that(question):
    told = keys(SETTLED, question)
    assert told[:4] == [
        "answer.how.first", "answer.how.second", "answer.how.goes_with.trade", "answer.how.mind",
    ]  # fmt: skip
    assert any(each.startswith("answer.natal.") for each in told)


def test_every_chart_that_is_judged_has_an_answer_to_why_and_to_how():
    for chart in births(12):
        for matter in ("我的钱", "我的事业", "我的感情", "我和父母的关系", "我的学习"):
            why, how = keys(chart, f"为什么{matter}总是不顺"), keys(chart, f"怎么改善{matter}")
            assert why[0].startswith("answer.why."), (chart, matter, why)
            assert "answer.how.first" in how, (chart, matter, how)


@pytest.mark.parametrize("question", ["我适合什么行业", "我適合哪個行業", "Which line of work suits me?"])
def test_a_field_of_work_is_told_by_both_readings_of_an_open_strength_with_what_decides(question):
    told = keys(OPEN, question)
    assert told[:2] == ["answer.trade.open", "answer.decides"]
    assert "answer.trade" in keys(SETTLED, question)


def test_conduct_by_two_readings_says_what_decides_and_no_more_of_either():
    assert keys(OPEN, "怎么才能存下钱")[:3] == ["answer.how.first", "answer.how.other", "answer.decides"]


def test_the_years_of_an_element_end_in_the_digits_of_its_stems():
    for element in ELEMENTS:
        said = catalogue()[f"times_of.{element}"][0]
        ends = {(each.index + 4) % 10 for each in STEMS if each.element is element}
        for language in LANGUAGES:
            assert {int(digit) for digit in re.findall(r"\d", said[language])} == ends


def test_every_side_of_life_has_a_conduct_for_every_class_and_a_sense_for_every_cause():
    keys_ = catalogue()
    sides = {*SIDES_OF_LIFE.values()}
    assert all(f"conduct.{side}.{name}" in keys_ for side in (*sides, WHOLE_LIFE) for name in CLASSES)
    assert all(f"cause.{side}.{each.sense}" in keys_ for side in sides for each in causes())
    assert all("·" in each.source for each in causes())


def test_no_conduct_treats_sues_or_invests():
    never = re.compile(
        "药|医院|手术|股票|基金|贷款|官司|律师|medicine|doctor|stocks?|loans?|lawyer|invest", re.I
    )
    told = [
        row[language]
        for key, rows in catalogue().items()
        if key.startswith("conduct.")
        for row in rows
        for language in LANGUAGES
    ]
    assert [each for each in told if never.search(each)] == []
    assert len(told) == 7 * 5 * 3


def test_whoever_asks_how_gets_no_verdict_before_the_answer():
    for chart in births(8):
        assert keys(chart, "怎么跟父母相处")[0].startswith("answer.how")


@pytest.mark.parametrize(
    ("born", "question", "said"),
    [
        ("2013-05-06", "什么时候能有儿子", "answer.of_age"),
        ("2013-05-06", "我以后会有儿子吗", "answer.of_age"),
        ("1950-05-06", "要不要跳槽", "answer.age.career.late"),
        ("1964-05-06", "要不要跳槽", "answer.age.career.turning"),
        ("1958-05-06", "我和父母的关系怎么样", "answer.kin.if_living"),
        ("1958-05-06", "怎么跟父母相处", "answer.kin.if_living"),
        ("1988-05-06", "我爷爷怎么样", "answer.kin.if_living"),
        ("1950-05-06", "Should I change jobs?", "answer.age.career.late"),
    ],
)
def test_an_answer_is_of_the_age_on_the_day_of_the_reading(born, question, said):
    chart = bz.chart(f"{born} 10:10", city="北京", gender="male")
    assert said in keys(chart, question, as_of="2026-11-23")


def test_nobody_young_is_told_that_a_parent_may_be_gone():
    chart = bz.chart("1990-05-06 10:10", city="北京", gender="male")
    assert "answer.kin.if_living" not in keys(chart, "我和父母的关系怎么样", as_of="2026-11-23")


def test_of_somebody_private_how_is_answered_from_ones_own_side():
    told = keys(SETTLED, "女朋友的妈妈不太喜欢我，怎么办")
    assert told[:2] == ["answer.private", "answer.how.first"]


def test_every_value_of_a_cause_and_of_conduct_stands_in_a_fact_that_is_cited():
    for chart in births(6):
        for domain in ("wealth", "career", "relationship", "general"):
            for kind in ("why", "how"):
                plan = pattern_plan(chart.pattern(), asked=Asked(domain, kind))
                known = Known(plan)
                found = {
                    each.key: unfounded(known, each)
                    for each in plan.statements
                    if each.key.startswith("answer.")
                }
                assert {key: words for key, words in found.items() if words} == {}
