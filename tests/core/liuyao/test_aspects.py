"""What is asked besides of the same matter is answered from the same board, and of two courses a cast is for the first."""

from __future__ import annotations

import pytest

from bazi_core import liuyao as ly
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables import rows

AT = "2026-11-15T13:15:00+00:00"
# On the first the cast leans for what is asked, on the second against it.
GOOD, BAD = "887969", "678897"


def said(question: str, lines: str = GOOD, lang: str = "zh-Hans") -> dict[str, str]:
    """The sentences of the answer by their keys."""
    plan = cast_plan(ly.derive(lines, AT).analyze(question=question))
    keys = {each.id: each.key for each in plan.statements}
    sections = Speaker(lang, plan.digest).reading(plan).sections
    told = (
        each for part in sections if part.key.startswith(("answer", "summary")) for each in part.sentences
    )
    return {keys[str(each.statement)]: each.text for each in told}


@pytest.mark.parametrize(
    ("question", "key", "words"),
    [
        ("能不能面上，工资能有多少", "cast.aspect", "至于待遇，看妻财"),
        (
            "Should I sign the lease, and will the landlord be fair?",
            "cast.aspect.party.fair.weak",
            "the landlord",
        ),
        ("官司能赢吗，能赔多少钱", "cast.aspect", "至于赔多赔少，看妻财"),
        ("老板答应年底加薪，会兑现吗，能加多少", "cast.aspect", "至于待遇，看妻财"),
        (
            "Is the partner honest, and will we make money together?",
            "cast.aspect.party.fair.weak",
            "the other person",
        ),
        ("Will the trip go well and will the client sign?", "cast.aspect.party.fair.weak", "the client"),
        ("这份工作能拿到吗？同事好相处吗", "cast.aspect", "看兄弟"),
    ],
)
def test_the_same_matter_is_answered_by_its_own_line(question, key, words):
    answer = said(question, lang="en" if question.isascii() else "zh-Hans")
    assert words in answer[key]
    assert "cast.asked.beside" not in answer


def test_another_matter_wants_its_own_cast():
    answer = said("Will I get the job, and how is my love life?", lang="en")
    assert answer["cast.asked.beside"].endswith("this one is read for a job; please cast again for love.")


@pytest.mark.parametrize(
    "question", ["接A公司还是B公司", "买现房还是期房", "Should I take the Leeds job or the York one?"]
)
def test_of_two_courses_the_first_is_the_one_that_the_cast_is_for(question):
    assert next(iter(said(question))) == "cast.asked.first"


def test_what_is_named_first_is_what_the_verdict_names():
    told = [key for key in said("租房还是买房") if key.startswith(("cast.verdict.", "cast.should."))]
    assert told == ["cast.verdict.rather"]  # renting is had or not, buying is advised or not


@pytest.mark.parametrize(
    "question", ["Should I stay or move to Porto?", "去深圳还是留在老家", "该买车还是再等等"]
)
def test_a_board_against_going_is_one_for_staying(question):
    assert any(key.startswith("cast.asked.stay.go") for key in said(question, GOOD))
    assert any(key.startswith("cast.asked.stay.stay") for key in said(question, BAD))


@pytest.mark.parametrize(
    "question",
    [
        "去还是不去",
        "用神真空还是假空，求职",
        "进神还是退神，求财",
        "他会回来还是不回来",
        "Is it this year or next that I get promoted?",
    ],
)
def test_what_is_no_course_is_none(question):
    assert not any(key.startswith(("cast.asked.first", "cast.asked.stay")) for key in said(question))


def test_every_row_reads_a_line_or_the_verdict():
    for row in rows("liuyao/aspects"):
        assert bool(row["reads"]) is (row["line"] not in ("", "应")), row["aspect"]
