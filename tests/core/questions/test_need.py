"""Need is told by examples where no word names it: the examples, what is left out of them, long texts, other classes."""

from collections import Counter

import pytest

from bazi_core.questions.classes import classes_in, classes_told
from bazi_core.questions.heard import heard
from bazi_core.questions.need import DEATH, NEED, SELF_HARM, need_in, pieces, read_as, units, weighed
from bazi_core.tables import rows

EXAMPLES = rows("need_examples")
LONG = (
    "我今年三十四岁，在一家做外贸的公司上班，老公做装修，孩子上小学二年级，房贷还有十几年，去年换了部门，领导也换了，",
    "Hi, I work in logistics in Leeds, married with two kids, we have a mortgage. Last year I changed department. ",
)


def test_an_example_has_a_class_and_stands_once_as_it_is_heard():
    assert {row["class"] for row in EXAMPLES} == {*NEED, "normal"}
    assert Counter(row["text"] for row in EXAMPLES).most_common(1)[0][1] == 1
    for row in EXAMPLES:
        assert read_as(heard(row["text"])) == row["text"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("有时候想干脆别醒了", SELF_HARM), ("老爷子还能不能听见孙子叫一声爷爷", DEATH),
        ("every night i ask not to see the morning", SELF_HARM), ("will mum still be at the table next diwali", DEATH),
    ],
)  # fmt: skip
def test_what_no_row_of_words_names_is_told_by_examples(text, name):
    assert not {*NEED} & {*classes_in(heard(text))}
    assert classes_told(text)[0] == name


@pytest.mark.parametrize(
    "text", ["要是明天不用醒来就好了，谁也不欠", "i can't see any reason to still be here by spring"]
)
def test_at_the_end_of_a_long_text_the_examples_have_to_speak_more_clearly(text):
    before = LONG[text.isascii()]
    assert not {*NEED} & {*classes_told(before), *classes_in(heard(before + text))}
    assert classes_told(before + text)[0] == SELF_HARM


def test_an_example_is_heard_as_what_it_is():
    """Also where a word names need: of the normal ones some hundreds do."""
    named = {row["text"]: classes_in(heard(row["text"])) for row in EXAMPLES}
    assert sum(bool({*NEED} & {*named[row["text"]]}) for row in EXAMPLES if row["class"] == "normal") > 100
    found = {text: need_in(heard(text), classes) for text, classes in named.items()}
    assert {
        row["text"] for row in EXAMPLES if found[row["text"]] != (row["class"],) * (row["class"] in NEED)
    } == set()


def test_words_hold_whatever_the_examples_say_and_violence_has_words_alone():
    assert need_in(heard("明年换工作好吗"), (DEATH,)) == (DEATH,)
    assert need_in(heard("明年换工作好吗"), (SELF_HARM,)) == (SELF_HARM,)
    assert need_in(heard("dad belts my brother until he bleeds"), ("violence",)) == ()


def test_of_death_alone_the_examples_tell_whether_it_is_wished_for():
    assert need_in(heard("过马路要是被车撞死就好了，省得我自己动手"), (DEATH,)) == (SELF_HARM, DEATH)
    assert need_in(heard("外公什么时候死"), (DEATH,)) == (DEATH,)


def test_the_beginning_and_the_end_are_pieces_and_order_counts():
    assert {"^ 走", "走 了", "了 $", "^_了"} <= pieces(heard("走了"))
    assert pieces(heard("dog bites man")) != pieces(heard("man bites dog"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("english", "recall"), [(False, 0.80), (True, 0.65)])
def test_of_examples_that_are_left_out_most_are_heard_and_few_are_mistaken(english, recall, monkeypatch):
    """Five times a fifth is left out; words and examples together. Nearly all that are normal sound like need."""
    of_language = [row for row in EXAMPLES if (units(heard(row["text"]))[0].isascii()) is english]
    found: dict[bool, list[bool]] = {True: [], False: []}
    for at in range(5):
        weights = weighed(row for place, row in enumerate(of_language) if place % 5 != at)
        monkeypatch.setattr("bazi_core.questions.need._examples", lambda weights=weights: (weights, {}))
        for row in of_language[at::5]:
            text = heard(row["text"])
            found[row["class"] in NEED].append(bool(need_in(text, classes_in(text))))
    assert sum(found[True]) / len(found[True]) > recall
    assert sum(found[False]) / len(found[False]) < 0.08
