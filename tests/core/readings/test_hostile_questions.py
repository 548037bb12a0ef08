"""Fifty questions that try to change the reading: no fact moves, and no field but those that their class names."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bazi_core.model.fakes import ScriptedPort
from bazi_core.model.port import ReadingRequest
from bazi_core.questions.question import Question, question
from bazi_core.questions.safety import disclaimer, referral, supporting
from bazi_core.readings.final import read, read_pattern
from bazi_core.readings.offer import DOMAINS, KINDS, SYSTEM
from bazi_core.speech.reading import Reading
from bazi_core.speech.statements.years import years_plan
from bazi_core.year.span import side_by_side
from tests.core.readings.written import is_year, pattern, plan_of, request_of, written, year
from tests.tables import holds_for_all

LINES = [
    line.split("\t") for line in Path(__file__).with_name("hostile_questions.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]  # fmt: skip
QUESTIONS = [(name, json.loads(text)) for name, text in LINES]
HOSTILE = holds_for_all("name, asked", QUESTIONS)
SET_ASIDE, DECLINED = ("out_of_scope", "gibberish"), ("self_harm", "death")
# Members of the object that a class may change beside `safety` and the digest: a reading without some sections or with a
# referral is another text, with another report and other facts.
TEXT = {"narrative", "reading", "grounding", "provenance", "facts"}
NOT_GIVEN = {"score", "level", "sign"}
MAY_CHANGE = {
    "normal": TEXT, "out_of_scope": TEXT, "gibberish": TEXT, "medical": TEXT, "legal": TEXT, "financial": TEXT,
    "minor": TEXT, "third_party_private": TEXT, "self_harm": TEXT | NOT_GIVEN, "death": TEXT | NOT_GIVEN,
}  # fmt: skip


def texts_of(request: ReadingRequest) -> list[str]:
    """The lines of a menu without their ids."""
    return [line.partition(" | ")[2] for line in request.menu.splitlines()]


@cache
def plain() -> dict[str, Any]:
    return read(year()).to_dict()


@cache
def facts() -> dict[str, Any]:
    """All facts that a reading may cite of the year, and of the next beside it, as they are without a question."""
    compared = years_plan(side_by_side(year().pattern, year().target_year, year().target_year + 1)).facts
    return {name: fact.to_dict() for name, fact in {**compared, **plan_of(year()).facts}.items()}


def told(result: Any, asked: str | Question) -> Reading:
    """The reading of a pattern or of a year with a question, at length."""
    return (read if is_year(result) else read_pattern)(result, question=asked, length="long").reading


@cache
def answered(of: Callable[[], Any], asked: str) -> Reading:
    """The same of a question as it was typed, read once for all tests."""
    return told(of(), asked)


def test_there_are_fifty_of_them_of_every_class_in_both_languages():
    assert len(QUESTIONS) >= 50
    assert {name for name, _ in QUESTIONS} == set(MAY_CHANGE)
    assert sum(asked.isascii() for _, asked in QUESTIONS) >= 15
    assert len({asked for _, asked in QUESTIONS}) == len(QUESTIONS)


@HOSTILE
def test_the_class_is_found(name, asked):
    assert question(asked).category == name


@HOSTILE
def test_no_fact_and_no_field_changes_but_what_the_class_says(name, asked):
    told = read(year(), question=asked).to_dict()
    changed = {key for key in told if told[key] != plain()[key]} - {"digest", "safety"}
    assert changed <= MAY_CHANGE[name]
    assert told["safety"]["category"] == name
    assert told["facts"].items() <= facts().items()
    assert told["grounding"]["verdict"] == "pass"
    assert told["narrative"].endswith(disclaimer())


@pytest.mark.parametrize("of", [year, pattern])
@HOSTILE
def test_what_is_said_beside_the_answer_is_what_is_said_without_the_question(name, asked, of):
    """A statement is another one only where the class leaves its topic out; there may be room for more or fewer of them."""
    one = question(asked)
    unasked = {each.id: each.evidence for each in plan_of(of(), one.left_out).statements}
    said = {each.statement: each.evidence for each in answered(of, asked).sentences if each.statement}
    others = {key: evidence for key, evidence in said.items() if not key.startswith("answer.")}
    assert others.items() <= unasked.items()
    assert bool(others) is (name not in DECLINED)


@pytest.mark.parametrize("of", [year, pattern])
@HOSTILE
def test_the_answer_comes_first_and_says_that_a_question_is_none(name, asked, of):
    first, *others = answered(of, asked).summary
    answers = [each.statement for each in others if (each.statement or "").startswith("answer.")]
    if name in SET_ASIDE:
        assert (first.statement, answers) == ("answer.set_aside", [])
    elif name == "normal":
        assert first.statement.startswith("answer.")
        assert first.statement != "answer.set_aside"
        assert all(each.evidence or each.statement == "answer.undated" for each in (first, *others))
    elif name in DECLINED:
        assert first.statement is None
        assert answers == []


@pytest.mark.parametrize("of", [year, pattern])
@HOSTILE
def test_no_word_of_the_question_reaches_the_text_of_the_rules(name, asked, of, monkeypatch):
    """What is said depends on the classes and on what is heard, all of it words of the tables and years."""
    heard = question(asked).intent
    assert set(heard.classes) <= set(MAY_CHANGE)
    assert heard.domain in DOMAINS
    assert heard.kind in KINDS
    assert all(type(each) is int and 0 <= each < 10_000 for each in (*heard.years, *heard.ahead))
    reading = answered(of, asked)
    assert not question(asked).left_out & {section.key for section in reading.sections}
    with monkeypatch.context() as patched:
        patched.setattr(Question, "intent", property(lambda _: heard))
        assert told(of(), Question("某事如何", question(asked).classes)) == reading


@pytest.mark.parametrize("of", [year, pattern])
@HOSTILE
def test_every_sentence_is_a_statement_or_one_of_the_fixed_ones(name, asked, of):
    fixed = {
        *supporting("crisis_message", "zh-Hans"),
        *supporting("life_message", "zh-Hans"),
        *(referral(each) for each in question(asked).referrals),
    }
    bare = [each.text for each in answered(of, asked).sentences if each.statement is None]
    assert set(bare) <= fixed | {disclaimer()}


@HOSTILE
def test_the_question_reaches_a_model_as_one_json_string_or_not_at_all(name, asked):
    one = question(asked)
    request = request_of(year(), question=one)
    assert request.system == SYSTEM
    # Its classes alone decide what is left out; its words decide nothing of what is offered.
    alike = request_of(year(), question=Question("某事如何", one.classes))
    assert set(texts_of(request)) >= set(texts_of(alike)) or name in ("normal", "minor")
    if request.user_question is None:
        assert one.text not in request.user_text
    else:
        assert name in ("normal", "minor")
        assert request.user_text.endswith(f"QUESTION (JSON)\n{request.user_question}")
        assert json.loads(request.user_question) == one.text
        assert "\n" not in request.user_question


@HOSTILE
def test_a_model_that_obeys_is_not_believed(name, asked):
    """Whatever the question got a model to say: what the facts do not hold is not printed."""
    line = {"free": "日主甲木身弱，格局为从财格，用神为金，今年上上签。"}
    obeying = written()
    obeying["parts"].append(line)
    port = ScriptedPort([obeying])
    told = read(year(), port=port, question=asked)
    texts = "".join(sentence.text for sentence in told.reading.sentences)
    assert "从财格" not in texts.replace("不作从财格", "").replace("从财格要的条件，这里差", "")
    assert "上上签" not in texts
    if question(asked).is_declined:
        assert port.requests == []
        assert told.provenance.attempts == 0
    else:
        assert told.grounding.dropped == (("term", 1),)
        assert told.score == year().scores.overall


@pytest.mark.parametrize("name", ["medical", "legal", "financial"])
def test_a_model_that_stays_with_the_facts_is_believed_and_gets_the_referral_after_it(name):
    asked = next(asked for each, asked in QUESTIONS if each == name)
    told = read(year(), port=ScriptedPort([written(12)]), question=asked)
    assert told.provenance.narrator == "llm"
    assert [each.text for each in told.reading.sentences[-2:]] == [referral(name), disclaimer()]
    assert len(told.grounding.statements) == len(told.reading.sentences) - 2
