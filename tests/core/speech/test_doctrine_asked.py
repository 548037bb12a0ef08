"""What practitioners ask of the judgement by its name is looked up; what they take for given and is not so is set right."""

from __future__ import annotations

import pytest

import bazi_core as bz
from bazi_core.questions.intent import intent
from tests.core.speech.asking import keys, text

TODAY = "2026-11-28"
CHANGED = bz.chart("1983-11-02 09:15", city="杭州", gender="male")
OUTPUT = bz.chart("1994-09-20 21:10", city="成都", gender="female")
OPEN = bz.chart("1991-02-14 21:10", city="广州", gender="female")
OFFICER = bz.chart("1979-07-30 06:40", city="成都", gender="male")


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("师父说我是从财格，对不对？", ("pattern:从财格",)),
        ("这盘到底是从还是身弱？", ("pattern:从格",)),
        ("書上說甲己合化土，我這個化得成嗎", ("pattern:化格",)),
        ("有人说我用神是水，你看呢", ("use:水",)),
        ("官杀混杂了没？去官留杀还是去杀留官", ("dynamic:官杀混杂",)),
        ("日主通根吗？根在哪", ("root:",)),
        ("丙火透出来算不算调候到位", ("climate:",)),
        ("我这盘有没有病药？药到了没有", ("illness:",)),
        ("有没有寅申冲、卯酉冲", ("tie:冲寅申", "tie:冲卯酉")),
        ("My teacher says my useful god is water. Is she right?", ("use:水",)),
        ("Is this a follow wealth chart?", ("pattern:从财格",)),
        ("Does my chart have hurting officer meeting officer?", ("dynamic:伤官见官",)),
        # What is asked is a side of life, a year, or what to do: the name is told beside it.
        ("我是从财格，今年财运怎么样", ()),
        ("伤官见官怎么化解", ()),
        ("从财务转行做销售行吗", ()),
        ("我儿子从儿科转院好不好", ()),
        ("Should I follow the money or my heart?", ()),
    ],
)
def test_what_is_named_is_heard(question, terms):
    assert intent(question).terms == terms
    assert (intent(question).domain in ("self", "general")) or not terms


@pytest.mark.parametrize(
    ("chart", "question", "first"),
    [
        (CHANGED, "我是化格吗", "answer.doctrine.pattern.is"),
        (CHANGED, "我是从财格吗", "answer.doctrine.pattern.not"),
        (OUTPUT, "我是从格吗", "answer.doctrine.pattern.is"),
        (OFFICER, "我是正财格吗", "answer.doctrine.pattern.not"),
        (OFFICER, "Do I have hurting officer meeting officer?", "answer.doctrine.dynamic.stands"),
        (OPEN, "官杀混杂了吗", "answer.doctrine.dynamic.stands"),
        (OFFICER, "官杀混杂了吗", "answer.doctrine.dynamic.absent"),
        (OPEN, "有没有子午冲", "answer.doctrine.tie.absent"),
        (CHANGED, "甲己合吗", "answer.doctrine.tie.holds"),
        (OFFICER, "我的用神是木，对吗", "answer.doctrine.use.is"),
        (OFFICER, "我的用神是金，对吗", "answer.doctrine.use.joy"),
        (OPEN, "我的用神是金，对吗", "answer.doctrine.use.not"),
    ],
)
def test_it_is_told_first_whether_it_stands(chart, question, first):
    assert keys(chart, question, as_of=TODAY)[0] == first
    assert keys(chart.year(2027), question)[0] == first


def test_a_structure_that_is_missed_says_how_far():
    """Of a special structure the condition that fails is named, or that several do."""
    assert "answer.doctrine.pattern.far" in keys(OFFICER, "我从弱了吗", as_of=TODAY)
    near = bz.chart("1968-05-13 10:06", utc_offset=8, longitude=120, gender="male")
    assert text(near, "我是从财格吗", as_of=TODAY).count("有一条没有做到：比劫") == 1


def test_where_strength_is_open_the_useful_god_of_the_other_reading_is_told():
    assert "opening.other" in "".join(keys(OPEN, "我的用神是金，对吗", as_of=TODAY))


@pytest.mark.parametrize(
    ("chart", "question", "told"),
    [
        (OFFICER, "我是从财格，今年财运怎么样", "不作从财格"),
        (CHANGED, "这命伤官见官，婚姻怎么样", "不成伤官见官"),
        (OPEN, "用神是金的人，明年换工作好不好", "不取金"),
    ],
)
def test_what_is_taken_for_given_and_is_not_so_is_set_right_beside_the_answer(chart, question, told):
    said = text(chart, question, as_of=TODAY)
    assert told in said
    assert not keys(chart, question, as_of=TODAY)[0].startswith("answer.doctrine.")


def test_a_premise_that_holds_is_left_alone():
    assert not any(
        each.startswith("answer.doctrine.")
        for each in keys(OFFICER, "我用神是木，今年财运怎么样", as_of=TODAY)
    )


def test_what_the_answer_has_said_is_not_said_again_under_its_own_head():
    reading = bz.read(OFFICER, question="我的用神是金，对吗", as_of=TODAY, length="long").reading
    said = [each.text for each in reading.sentences]
    assert len(said) == len({*said})


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What's my zodiac animal?", "answer.doctrine.animal"),
        ("我到底属狗还是属猪", "answer.doctrine.animal"),
        ("癸亥大运和己巳大运哪个好？", "answer.doctrine.luck"),
        ("庚子大运会不会破格？", "answer.doctrine.luck"),
        ("我日主有没有根", "answer.doctrine.root.stem"),
        ("按病药说，病在哪，药在哪", "answer.diagnosis."),
    ],
)
def test_luck_pillars_roots_and_the_animal_of_birth_are_looked_up(question, first):
    assert keys(OFFICER, question, as_of=TODAY)[0].startswith(first)


@pytest.mark.parametrize(
    "text", ["格局的病和药", "七杀攻身有没有救应", "我這是曲直仁壽格嗎？", "月上甲木有没有救到"]
)
def test_terms_of_the_craft_are_no_illness_and_no_death(text):
    assert intent(text).cls == "normal"
