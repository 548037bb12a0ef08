"""Chains of persons lead to the last one: a girlfriend's mother is no girlfriend."""

from __future__ import annotations

from pathlib import Path

import pytest

import bazi_core as bz
from bazi_core.questions.chains import PERSONS, resolved
from bazi_core.questions.intent import intent
from bazi_core.tables import rows
from tests.questions import questions_in
from tests.tables import holds_for_all

CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")


def named() -> list[tuple[str, str]]:
    return [(row["question"], row["subject"]) for row in questions_in(Path(__file__).with_name("chains.tsv"))]


def test_over_forty_chains_are_tried():
    assert sum(subject != "-" for _, subject in named()) > 40


@holds_for_all("question, subject", named())
def test_a_question_is_about_the_last_person_of_a_chain(question, subject):
    if subject == "-":
        assert resolved(question) == question
    else:
        assert intent(question).subject == subject


@holds_for_all(
    "text",
    ["爸爸妈妈好吗", "老公孩子都好吗", "老板娘对我好不好", "my mum and dad", "my husband and my brother"],
)
def test_persons_side_by_side_are_no_chain(text):
    assert resolved(text) == text


def test_every_chain_leads_to_a_person_and_the_last_row_takes_all_others():
    table = rows("kin_chains")
    assert {row["is"] for row in table} <= {*PERSONS}
    assert (table[-1]["of"], table[-1]["then"]) == ("*", "*")


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("女朋友的妈妈工作顺吗", "zh-Hans", "伴侣的父母"),
        ("主管的太太工作順利嗎", "zh-Hant", "這個人"),
        ("How will my best friend's son do in school?", "en", "that person"),
    ],
)
def test_a_chart_says_that_it_has_no_place_for_them(question, language, said):
    reading = bz.read(CHART, question=question, language=language).reading
    first = reading.summary[0]
    assert first.statement == "answer.kin.none"
    assert said in first.text
    assert not any(each.text.startswith(("就你所问", "To your question")) for each in reading.summary)


def test_the_tie_to_a_partners_parents_is_read_from_what_bears_the_star_of_the_partner():
    for question, language in (
        ("我跟婆婆合得来吗", "zh-Hans"),
        ("Will things with my mother-in-law get better?", "en"),
    ):
        first = bz.read(CHART, question=question, language=language).reading.summary[0]
        assert first.statement.startswith("answer.in_law.")
        assert "kin.spouse" in first.evidence


@pytest.mark.parametrize("question", ["怎么和女朋友的舅舅相处", "How do I get on with my wife's brother?"])
def test_how_to_get_on_with_them_is_told_from_the_askers_side(question):
    told = [each.statement for each in bz.read(CHART, question=question).reading.summary]
    assert told[:2] == ["answer.kin.none.how", "answer.how.kin"]
