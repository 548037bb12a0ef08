"""What an answer reads like: dates instead of points, nothing said twice, what is not judged said to be so."""

from __future__ import annotations

import re

import pytest

import bazi_core as bz
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.year import year_plan
from bazi_core.tables.words import LANGUAGES

CHART = bz.chart("1988-08-18 13:30", city="北京", gender="male")
HANZI = re.compile(r"[\u4e00-\u9fff]")


def sentences(question: str, language: str = "en") -> list[str]:
    reading = bz.read(CHART.year(2026), question=question, language=language).reading
    return [each.text for each in reading.sentences]


def test_a_chart_asked_about_one_side_leaves_the_others_to_a_long_reading():
    sides = {"career", "wealth", "relationship", "family", "study", "health_balance"}

    def told(question: str | None, length: str) -> set[str]:
        reading = bz.read(CHART, question=question, length=length, as_of="2026-11-23").reading
        return {section.key for section in reading.sections} & sides

    assert told("今年跳槽合适吗", "standard") == {"career"}
    assert told("我的事业和感情怎么样", "standard") == {"career", "relationship"}
    assert told("今年跳槽合适吗", "long") >= {"career", "wealth", "relationship"}
    assert told("我有什么优点和短板", "standard") == told(None, "standard")


def test_a_question_about_two_years_is_answered_by_comparing_them():
    told = sentences("Which is better for a job change, 2026 or 2028?")
    assert told[0].startswith(
        "To your question first: 2026 is the better one, yet no more than even; for career (事业), "
        "2026 has 54 points (of 100, where 50 is even) and 2028 45 points."
    )
    # The luck of the decade is that of both years and puts neither ahead.
    assert told[1].startswith("What holds 2028 back: the year brings")
    assert told[2].startswith("Within the year that is ahead")


def test_a_question_about_years_too_far_apart_is_told_which_of_them_the_reading_covers():
    told = sentences("Which is better for a job change, 2026 or 2056?")
    assert (
        told[0]
        == "This reading covers 2026 only; to compare, hold it beside the readings of the other years."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_names_months_with_their_day_and_without_points(language):
    plan = year_plan(CHART.year(2026), asked=Asked("career", "when"))
    when = next(each for each in plan.statements if each.key == "answer.when.both")
    text = Speaker(language).sentence(when).text
    assert not re.search(r"\(\d|（\d|points|\d分", text)
    assert {"zh-Hans": "5月5日", "zh-Hant": "5月5日", "en": "5 May"}[language] in text


def test_months_that_an_answer_names_are_not_named_again_as_the_best():
    asked = year_plan(CHART.year(2026), asked=Asked("career", "when"))
    plain = year_plan(CHART.year(2026))
    best = {"month.best", "month.least", "month.care", "month.calm"}
    assert not best & {each.key for each in asked.statements}
    assert len(best & {each.key for each in plain.statements}) == 2


def test_the_year_as_a_whole_is_named_in_english():
    plan = year_plan(CHART.year(2026), asked=Asked("general", "describe"))
    first = Speaker("en").sentence(plan.statements[0]).text
    assert "on the whole 2026" in first
    assert not HANZI.search(re.sub(r"\([^)]*\)", "", first))


def test_english_glosses_a_sign_once_also_within_the_words_of_a_fact():
    chart = bz.chart("1975-12-03 04:10", city="上海", gender="female")
    reading = bz.read(chart.year(2026), language="en", plain=False).reading
    text = " ".join(each.text for each in reading.sentences)
    assert "because the" in text
    assert text.count("丙 Bing)") == 1


def test_luck_that_has_not_begun_is_told_of_once():
    chart = bz.chart("2025-11-02 10:15", city="成都", gender="male")
    text = bz.read(chart, language="en", as_of="2026-11-22").reading.narrative("en")
    assert "That first pillar, Wood Rooster, begins at age 8 (10 by Chinese count)" in text
    assert text.count("10 March 2034") == 1
    assert "Next comes" not in text


def test_what_one_stem_is_by_role_and_ten_god_is_one_reason():
    chart = bz.chart("1978-03-02 10:43", city="新加坡", gender="female")
    reading = bz.read(chart.year(2027), question="2027年适合换工作吗？", plain=False).reading
    ground = next(each.text for each in reading.sentences if each.statement == "answer.help")
    assert "这一年带来偏财，也就是对你有帮助的火" in ground
    assert ground.count("这一年带来") == 1


def of_year(question, born="1990-05-15 13:30", number=2030, gender="male"):
    chart = bz.chart(born, city="北京", gender=gender)
    return {
        each.statement: each.text
        for each in bz.read(chart.year(number), question=question, plain=False).reading.sentences
    }


def test_an_event_of_the_spouse_palace_is_the_first_ground_of_love_and_of_no_other_question():
    assert of_year("2030年感情怎么样")["answer.cost"].startswith("不利的一面是这一年有冲夫妻宫")
    assert "夫妻宫" not in of_year("2030年事业怎么样")["answer.cost"]


def test_what_one_is_like_is_answered_by_the_chart_and_only_then_by_the_year():
    for question, first in (("我的性格有什么短板", "answer.faults"), ("我的用神是什么", "answer.self")):
        said = of_year(question)
        assert next(iter(said)) == first
        assert any(each.startswith("answer.also.") for each in said if each)
        assert "answer.when" not in said


def test_a_month_that_is_recommended_says_why():
    assert "因为" in of_year("2030年适合换工作吗")["answer.when"]


def test_the_old_are_told_of_posts_and_exams_only_where_they_ask():
    unasked = of_year("2030年怎么样", born="1950-05-15 13:30")
    asked = of_year("2030年事业怎么样", born="1950-05-15 13:30")
    assert not any(each.startswith(("area.career", "area.study")) for each in unasked if each)
    assert any(each.startswith("area.career") for each in asked if each)
