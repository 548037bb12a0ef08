"""Over two hundred questions of all kinds: what they ask, who is in need, and that nobody else is taken for that."""

from pathlib import Path

from bazi_core.questions.intent import intent
from tests.core.readings.test_intent import SUPPORTED, right
from tests.questions import questions_in, too_seldom_right

ROWS = questions_in(Path(__file__).with_name("asked_wide.tsv"))
LEAST = {"domain": 0.97, "kind": 0.97, "years": 0.97, "class": 0.97, "supported": 1.0, "not supported": 1.0}


def test_there_are_over_two_hundred_each_once():
    assert len({row["question"] for row in ROWS}) == len(ROWS) > 200
    assert sum(bool({*row["class"].split()} & SUPPORTED) for row in ROWS) > 25


def test_nearly_all_are_understood():
    judged = ((row["question"], right(row, intent(row["question"]))) for row in ROWS)
    seldom, wrong = too_seldom_right(judged, LEAST)
    assert seldom == set(), wrong


def test_now_asks_about_the_present_unless_it_only_says_which_one():
    asked = {
        "现在的运势怎么样": "lately", "我现在很不顺怎么办": "lately", "目前的情况会好转吗": "lately",
        "我和现在的男朋友能走到最后吗": "life", "現在的工作適合我嗎": "life", "目前的公司值得待吗": "life",
    }  # fmt: skip
    assert {question: intent(question).horizon for question in asked} == asked


def test_a_good_year_for_a_business_is_no_choice_between_a_business_and_a_job():
    assert intent("Is 2028 a good year to start a business?").about == ""
    assert intent("Am I suited to my own business?").about == "path"
