"""Hundreds of sentences and questions in plain words: what is caught, and what is let through."""

import random

import pytest

from bazi_core.questions.question import question
from bazi_core.questions.safety import unsafe
from bazi_core.speech.speaker import Speaker
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.drawn import drawn_results
from tests.core.readings.sentences import by_verdict
from tests.core.readings.written import is_year, plan_of
from tests.sizes import sizes

SAID, ASKED = by_verdict("said.txt"), by_verdict("asked.txt")
LEAST = 0.95


def share_of(found, whole):
    return len(found) / len(whole)


def test_there_are_enough_sentences_and_questions():
    assert len(SAID["never"]) > 300
    assert len(SAID["fine"]) > 100
    assert len(ASKED["self_harm"]) > 150
    assert len(ASKED["normal"]) > 100


def test_nearly_every_harmful_or_certain_prediction_is_refused():
    missed = [text for text in SAID["never"] if not unsafe(text)]
    assert share_of(missed, SAID["never"]) <= 1 - LEAST, missed


def test_no_harmless_sentence_is_refused():
    assert [(text, unsafe(text)) for text in SAID["fine"] if unsafe(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@sizes(2, 25)
def test_nothing_that_is_said_of_random_charts_is_refused(language, count):
    for result in drawn_results(random.Random(11), 2 * count):
        plan = plan_of(result)
        told = Speaker(language, plan.digest, "warm" if is_year(result) else "neutral").reading(plan)
        assert [each.text for each in told.sentences if unsafe(each.text)] == []


@pytest.mark.parametrize("name", [name for name in ASKED if name != "normal"])
def test_nearly_every_question_of_a_class_is_heard(name):
    missed = [text for text in ASKED[name] if name not in question(text).classes]
    assert share_of(missed, ASKED[name]) <= 1 - LEAST, missed


def test_ordinary_questions_are_ordinary():
    found = {text: question(text).classes for text in ASKED["normal"]}
    assert {text: classes for text, classes in found.items() if classes != ("normal",)} == {}


@pytest.mark.parametrize(
    "text", ["英年早 逝", "克·夫", "You will d-i-e.", "k i l l e d", "血 - 光", "投 资 必 赚"]
)
def test_signs_between_the_letters_of_a_word_hide_nothing(text):
    assert unsafe(text)


def test_what_stands_behind_a_word_of_advice_is_not_foretold():
    assert unsafe("今年会破产。")
    assert unsafe("今年会忙，宜防生病。") == []
    assert unsafe("今年会有变动。病后宜静养。") == []


def test_an_event_is_foretold_within_its_clause_only():
    assert unsafe("官司会赢。")
    assert unsafe("今年会有进步，骨折之说不可信。") == []


@pytest.mark.parametrize("text", ["我今年30岁了", "I am 30", "I am 45 years old", "我三十五岁"])
def test_the_age_of_a_grown_person_is_not_read_as_that_of_a_child(text):
    assert "minor" not in question(text).classes
