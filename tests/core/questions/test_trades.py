"""Fields of work are heard where they are weighed, and told by the elements that tradition gives them."""

import pytest

import bazi_core as bz
from bazi_core.alphabet import Element
from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.questions.intent import intent
from bazi_core.questions.trades import trades
from bazi_core.speech.catalogue import catalogue
from tests.core.speech.asking import keys
from tests.core.speech.drawn import births

SETTLED = bz.chart("1956-05-13 21:06", city="Toronto", gender="female")
OPEN = bz.chart("1990-05-15 13:30", city="北京", gender="male")


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("做护士好还是做程序员好", ("care", "computing")),
        ("開餐廳還是開書店比較適合我", ("letters", "food")),
        ("Should I study nursing or go into tech?", ("care", "computing")),
        ("会计和审计哪个更适合我", ("finance", "finance")),
        ("护理和法律，读哪个好？", ("care", "law")),
        ("Which of the two is better for me: nursing or law school?", ("care", "law")),
        ("我适合当老师吗", ("teaching",)),
        ("Am I cut out for law?", ("law",)),
        ("想转行做导游行不行", ("travel",)),
        # What is only told of, and whose trade it is.
        ("我是老师，今年能升职吗", ()),
        ("My husband is a driver. Will he find a better job?", ()),
        ("The law firm owes me money, will they pay?", ()),
        ("银行贷款能批下来吗", ()),
        # Whom one is to see, hire, marry or meet, and what one is to buy.
        ("Should I see a doctor about my cough?", ()),
        ("Should I get a lawyer?", ()),
        ("Should I meet him at the bar?", ()),
        ("Should I date a doctor or a lawyer?", ()),
        ("Should I hire an accountant or do it myself?", ()),
        ("Should I invest in property or shares?", ()),
        ("Should I get a tutor for my son?", ()),
        ("要不要去酒吧找他", ()),
        ("要不要请律师", ()),
        ("和程序员还是老师相亲好", ()),
        ("应该嫁给医生还是公务员", ()),
        ("Should I become a teacher?", ("teaching",)),
        ("要不要转行做设计", ("design",)),
        ("学医好还是学法好", ("care", "law")),
    ],
)
def test_fields_of_work_are_heard_where_they_are_weighed(question, fields):
    assert intent(question).trades == fields


def test_every_field_has_a_name_and_every_element_fields():
    assert all(f"field.{name}" in catalogue() for name in trades())
    assert {element for element, _ in trades().values()} == {*Element}


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("teaching", "我适合当老师吗"),
        ("food", "我适合做餐饮吗"),
        ("farming", "我适合做农业吗"),
        ("law", "我适合学法律吗"),
        ("travel", "我適合做導遊嗎"),
    ],
)
def test_one_field_is_told_by_the_role_of_its_element(name, question):
    role = SETTLED.pattern().useful.role(trades()[name][0])
    told = "wanted" if role in WANTED else "adverse" if role in ADVERSE else "idle"
    assert keys(SETTLED, question)[0] == f"answer.field.{told}"


def test_of_two_fields_that_one_suits_better_whose_element_is_wanted_more():
    for chart in births(20):
        result = chart.pattern()
        food, books = (result.useful.order.index(Element(each)) for each in "火木")
        reading = bz.read(chart, question="开餐厅还是开书店比较适合我", length="short").reading
        first = reading.summary[0]
        if first.statement == "answer.fields.best":
            assert ("餐饮更合" if food < books else "写作出版更合") in first.text
        else:
            assert first.statement == "answer.fields.open"


def test_fields_of_one_element_are_not_told_apart():
    assert keys(SETTLED, "会计和审计哪个更适合我")[0] == "answer.fields.alike"
    assert keys(SETTLED, "做律师还是做会计好")[0] == "answer.fields.alike"


def test_where_two_readings_of_the_strength_differ_both_are_told_with_what_decides():
    assert keys(OPEN, "我适合当老师吗")[:2] == ["answer.field.open", "answer.decides"]


def test_a_field_is_told_beside_the_year_that_is_asked_about():
    told = keys(SETTLED, "Should I open a restaurant next year?", as_of="2026-11-28")
    assert told[0].startswith("answer.whether.")
    assert any(each.startswith("answer.field.") for each in told)
