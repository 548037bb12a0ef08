"""An animal that is called by its name is judged by the line of animals; a person's name stays a person's."""

from __future__ import annotations

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.pets import in_plain_words

BOARD = ly.derive("678897", "2026-11-15T13:15:00+00:00")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Our Mimi has not come home since Friday, will she be back?", "失物"),
        ("Biscuit slipped his leash in the park, will we find him?", "失物"),
        ("Luna stopped eating her kibble, will she get better?", "宠物"),
        ("Will Max be okay after being neutered?", "宠物"),
        ("Our Charlie is limping, should we take him to the vet?", "宠物"),
        ("My dog stopped eating, will she get better?", "宠物"),
        ("我家旺财两天没吃东西了，会好吗", "宠物"),
        ("咪咪走丟了，能找回來嗎", "失物"),
        ("毛毛去兽医院了，能治好吗", "宠物"),
        ("大黄昨天跑出去没回来，能回来吗", "失物"),
    ],
)
def test_an_animal_is_told_by_its_name_or_by_what_is_said_of_it(question, kind):
    found = BOARD.analyze(question=question)
    assert (found.question_type, found.subject.target) == (kind, "子孙")


@pytest.mark.parametrize(
    "question",
    [
        "Will Max call me?", "Should I become a vet?", "My brother Tom has not come home since Friday", "我家奶茶店能赚钱吗",
        "我女儿两天没吃东西了，会好吗", "Will the paper be accepted?",
    ],
)  # fmt: skip
def test_whoever_may_be_a_person_is_left_as_named(question):
    assert in_plain_words(question) == question


def test_who_was_bitten_is_no_animal():
    found = BOARD.analyze(question="I was bitten by a dog, will the wound heal?")
    assert (found.question_type, found.subject.target) == ("疾病", "世")
