"""What a question means beside its domain and its kind, shown by phrasings of every class of it."""

from pathlib import Path

import pytest

from bazi_core.questions.intent import intent, of_owner
from bazi_core.questions.marks import MARKS, MORE
from bazi_core.questions.question import classes_of
from bazi_core.questions.slots import slot_rows
from tests.questions import questions_in

ROWS = questions_in(Path(__file__).with_name("meant.tsv"))


@pytest.mark.parametrize("row", ROWS, ids=[row["question"] for row in ROWS])
def test_a_question_means_what_it_says(row):
    found = (of_owner if row["as"] == "child" else intent)(row["question"])
    value = row["value"].removeprefix("!")
    if row["what"] == "mark":
        assert (value in found.marks) is not row["value"].startswith("!")
        return
    told = found.cls if row["what"] == "class" else getattr(found, row["what"])
    told = " ".join(map(str, told)) if isinstance(told, tuple) else str(told)
    assert (told == value) is not row["value"].startswith("!")


def test_each_way_of_asking_stands_once():
    assert len({(row["question"], row["what"]) for row in ROWS}) == len(ROWS)


def test_whoever_is_in_need_is_heard_as_such_beside_all_else():
    assert classes_of("老婆怀孕了，我不想活了，明年钱够用吗")[0] == "self_harm"
    assert classes_of("我女儿适合学什么，我爸还能活多久")[0] == "death"
    assert intent("我爸肝癌晚期还有多少日子，我明年换工作好吗").cls == "death"
    assert intent("My son is fine, but I want to die before 2030").cls == "self_harm"


def test_the_rows_of_marks_are_those_that_have_a_name():
    assert {value for value, _, _ in slot_rows("mark")} == {*MARKS} - {MORE}
