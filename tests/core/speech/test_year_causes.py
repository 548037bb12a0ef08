"""A year answers why by its cause, when by a date, and tells months, helpers and doubts with both halves."""

import re

import pytest

import bazi_core as bz
from bazi_core.pattern.useful import WANTED
from bazi_core.pattern.walk import walk
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.accounts import is_hard_luck
from bazi_core.speech.statements.asked import HIGH, LOW, SCORES, Asked
from bazi_core.speech.statements.year import year_plan
from bazi_core.year.dates import joints_of
from bazi_core.year.months import Joint


def told(birth, year, question, **where):
    chart = bz.chart(birth, **where)
    return bz.read(chart.year(year), question=question, language="zh-Hans").reading.sentences


def test_why_is_answered_by_what_the_year_breaks_before_a_score():
    first = told("1982-06-25 16:05", 2025, "我的财运为什么留不住", city="武汉", gender="female")[0]
    assert first.statement == "answer.why.year.受破"
    assert "伤官生财" in first.text
    assert "分" not in first.text


def test_when_is_answered_by_months_and_the_end_of_a_hard_decade_before_a_score():
    found = told("1963-02-26 19:23", 2025, "最近工作压力大，何时好转", city="London", gender="male")
    names = [each.statement for each in found]
    assert names[0] == "answer.when.both"
    assert names.index("answer.when.decade") < names.index("answer.also.mixed")
    assert "到2030年交脱" in found[names.index("answer.when.decade")].text


def test_whether_a_husband_is_to_be_relied_on_is_told_by_star_and_palace():
    first = told("2005-05-14 20:05", 2030, "老公靠得住吗", city="上海", gender="female")[0]
    assert first.statement == "answer.relied_on.mixed"
    assert "夫妻宫" in first.text


def test_strong_and_weak_sides_are_both_told():
    names = [
        each.statement
        for each in told("1990-04-06 19:31", 2026, "我有什么优点和短板", city="北京", gender="female")
    ]
    assert names.index("answer.gifts") < names.index("answer.faults.too")


def test_an_hour_that_would_turn_the_useful_god_stands_second_in_a_year():
    found = told("1963-02-26 19:23", 2025, "事业如何", city="London", gender="male")
    assert [each.statement for each in found].index("year.edge") == 1


def test_a_year_far_from_any_edge_has_no_such_doubt():
    names = [
        each.statement for each in told("1982-06-25 16:05", 2025, "事业如何", city="武汉", gender="female")
    ]
    assert "year.edge" not in names


def test_a_month_completes_a_punishment_with_luck_and_chart():
    year = bz.chart("1963-08-10 00:00", city="广州", gender="female").year(2027)
    snake = next(month for month in year.months if month.pillar.branch.value == "巳")
    assert Joint("三刑", None) in joints_of(year, snake)


def test_a_clash_halves_the_branch_of_the_luck_that_helps():
    year = bz.chart("1990-04-06 19:31", city="北京", gender="female").year(2026)
    branch = next(each for each in year.carriers if each.name == "luck-branch")
    points = {each.rule: each.points for each in year.scores.contributions if each.domain == "overall"}
    assert (branch.role, branch.is_clashed, points["luck-branch"]) == ("喜神", True, 3)


def test_a_bound_star_that_is_not_wanted_is_no_loss():
    year = bz.chart("2005-05-14 20:05", city="上海", gender="female").year(2030)
    assert "官印相生" not in [event.name for event in year.events]


def test_what_to_do_is_told_before_a_score():
    found = told("1963-04-23 22:35", 2027, "我和父母的关系怎么改善", city="吉隆坡", gender="female")
    names = [each.statement for each in found]
    assert names[0] == "answer.how.first"
    assert names.index("answer.how.first") < names.index("answer.also.mixed")


def test_one_verdict_is_told_of_a_husband_and_one_of_the_year():
    found = told("2005-05-14 20:05", 2030, "老公靠得住吗", city="上海", gender="female")
    answer = "".join(each.text for each in found if (each.statement or "").startswith("answer."))
    assert answer.count("大致持平") == 1
    assert "有顺有逆" not in answer


def test_what_is_left_to_an_adviser_has_no_bare_score_and_says_which_year_follows():
    found = told("1944-07-25 03:22", 2026, "明年适合投资吗", city="西安", gender="male")
    texts = {each.statement: each.text for each in found}
    assert "分" not in texts["answer.left_out.whole.good"]
    assert "2026年" in texts["answer.other_year"]


def test_a_total_above_every_side_of_life_names_what_lifts_it():
    year = bz.chart("1944-07-25 03:22", city="西安", gender="male").year(2027)
    sides = [year.scores.of(each) for each in ("career", "wealth", "relationship", "study", "health_balance")]
    assert year.scores.overall > max(sides)
    found = bz.read(year, language="zh-Hans").reading.sentences
    text = next(each.text for each in found if each.statement == "made.above")
    assert "用神得根、大运天干己在总评里计得多" in text


def test_what_ten_gods_do_to_each_other_is_added_up_with_what_becomes_of_it():
    year = bz.chart("1988-07-17 18:45", city="广州", gender="female").year(2027)
    found = bz.read(year, language="zh-Hans", length="long").reading.sentences
    text = next(each.text for each in found if each.statement == "made.total")
    assert re.search("杀印相生（[^）]*）受破，减1分", text)
    assert re.search("食神制杀（[^）]*）成立，加1分", text)


def test_a_stem_of_the_year_that_the_chart_ties_up_is_not_told_to_be_free():
    year = bz.chart("1982-04-21 10:10", city="Melbourne", gender="male").year(2027)
    assert "忌神受制" not in [event.name for event in year.events]
    found = bz.read(year, language="zh-Hans").reading.sentences
    text = next(each.text for each in found if each.statement == "made.year")
    assert "不过它被命局里的字合住" in text


def test_the_total_of_a_year_is_told_once_in_a_text():
    year = bz.chart("1962-03-09 05:40", city="成都", gender="female").year(2028)
    for question in (None, "2028年整体怎么样？"):
        told = bz.read(year, question=question, language="zh-Hans").reading.sentences
        total = f"{year.scores.overall}分"
        assert sum(each.text.count(total) for each in told if "overall" in "".join(each.evidence)) == 1


def test_a_year_of_an_even_score_is_never_one_to_take_care_in():
    chart = bz.chart("1993-01-28 16:10", city="台南", gender="female")
    for first in range(2026, 2050, 6):
        span = chart.years(first, first + 5)
        for question in ("哪一年结婚好？", "什么时候结婚好？", "哪一年感情最差？"):
            for each in bz.read(span, question=question, language="zh-Hans").reading.sentences:
                if "最要当心" in each.text:
                    assert min(year.scores.of("relationship") for year in span.years) < LOW


def test_a_decade_of_unwanted_signs_is_not_told_to_bring_what_helps():
    for number in range(1990, 2040):
        year = bz.chart("1967-04-18 01:46", city="吉隆坡", gender="male").year(number)
        if is_hard_luck(year):
            helps = {event.name for event in year.events if event.polarity == "吉"}
            plan = year_plan(year)
            again = next((each for each in plan.statements if each.key == "again.luck"), None)
            told_of = {each.values["event"].hanzi for each in again.values["events"]} if again else set()
            assert not helps & told_of


def test_a_doubt_stands_before_the_months():
    found = told("1982-06-25 16:05", 2025, "我的财运为什么留不住", city="武汉", gender="female")
    names = [each.statement for each in found]
    assert names.index("answer.sure.leaning") < names.index("answer.when")


def test_a_decade_that_is_half_wanted_is_not_told_as_a_hard_one():
    for number in range(1985, 2060, 4):
        year = bz.chart("1982-06-25 16:05", city="武汉", gender="female").year(number)
        if year.main.cycle is not None:
            tone = walk(year.pattern)[year.main.cycle.index].tone
            asked = Asked("career", "when")
            is_told = any(
                each.key == "answer.when.decade" for each in year_plan(year, asked=asked).statements
            )
            assert is_told is (tone == "hard")


def test_a_helpful_event_that_comes_again_is_nothing_to_watch_out_for():
    for number in range(1985, 2060, 4):
        year = bz.chart("1982-06-25 16:05", city="武汉", gender="female").year(number)
        helps = {event.id for event in year.events if event.polarity == "吉"}
        for each in year_plan(year).statements:
            if each.key.startswith("again.months"):
                assert each.key.endswith(".good") is (each.evidence[0] in helps)


def test_whether_a_year_is_good_is_answered_in_the_words_of_the_question():
    year = bz.chart("1990-04-06 19:31", city="北京", gender="female").year(2026)
    said = {
        language: bz.read(year, question=question, language=language).reading.summary[0].text
        for language, question in (("zh-Hans", "今年好不好"), ("en", "Is it a good year?"))
    }
    assert said["zh-Hans"].endswith("2026年不好不坏。")
    assert said["en"].endswith("2026 is neither a good year nor a bad one.")


def test_a_year_of_two_contrary_readings_is_called_neither_good_nor_even():
    chart = bz.chart("1986-03-02 13:11", city="台北", gender="female")
    first = bz.read(chart.year(2029), question="2029年是不是一道坎", language="zh-Hans").reading.summary[0]
    assert first.statement == "answer.whether.whole.either"


def test_whether_a_year_is_hard_is_not_answered_with_a_no_that_means_yes():
    for year in range(2020, 2040):
        of_year = bz.chart("1986-03-02 13:11", city="台北", gender="female").year(year)
        first = bz.read(of_year, question=f"Is {year} a hard year?", language="en").reading.summary[0]
        assert " yes" not in first.text
        assert " no," not in first.text


def test_whether_to_move_is_answered_of_moving_and_not_of_the_year():
    first = told("2000-06-08 20:50", 2026, "今年要不要换城市", city="成都", gender="female")[0]
    assert "搬" in first.text
    assert not first.statement.startswith("answer.whether.whole")


def test_why_of_several_years_is_answered_by_the_chart_before_they_are_compared():
    found = told("2000-07-08 13:04", 2027, "为什么2026和2027年存不下钱", city="成都", gender="male")
    names = [each.statement for each in found]
    assert names[0].startswith("answer.why.")
    assert any(each.startswith("answer.years.") for each in names)


def test_a_partner_in_a_year_that_is_named_is_told_of_that_year_first():
    found = told("1987-04-18 11:29", 2026, "2027年我跟老公的关系会不会好一点", city="上海", gender="female")
    assert found[0].statement.startswith("answer.whether.")


def test_what_to_do_these_months_is_told_before_the_months():
    found = told("2000-01-12 22:23", 2026, "这几个月心情低落，该怎么调整", city="成都", gender="male")
    assert found[0].statement == "answer.how.first"


def test_why_is_answered_for_every_side_of_life_that_a_year_scores():
    for birth in ("1966-08-31 11:25", "1990-04-06 19:31"):
        year = bz.chart(birth, city="北京", gender="male").year(2003)
        for domain in SCORES:
            plan = year_plan(year, asked=Asked(domain, "why"))
            assert Speaker("en", plan.digest).reading(plan).summary


@pytest.mark.parametrize(
    "question",
    [
        "今年会不会失业", "今年會不會離婚", "公司今年会裁掉我吗", "Will I lose my job this year?",
        "Will we break up this year?",
    ],
)  # fmt: skip
def test_what_one_fears_is_given_no_chance_and_no_yes(question):
    for number in range(2020, 2032):
        year = bz.chart("1969-08-15 11:36", city="北京", gender="female").year(number)
        language = "en" if question.isascii() else "zh-Hans"
        first = bz.read(year, question=question, language=language).reading.summary[0]
        assert first.statement.startswith("answer.whether.feared.")
        assert not any(word in first.text for word in ("机会", " yes", " no,", "chance"))


@pytest.mark.parametrize(
    "question", ["失业半年了今年能找到工作吗", "分手了今年能复合吗", "离婚后今年能再婚吗"]
)
def test_what_has_happened_is_not_feared(question):
    year = bz.chart("1969-08-15 11:36", city="北京", gender="female").year(2026)
    assert bz.read(year, question=question).reading.summary[0].statement.startswith("answer.whether.will.")


def test_a_branch_that_a_completed_group_draws_over_is_told_with_what_it_turns_into():
    year = bz.chart("1998-05-12T17:45", utc_offset=8, longitude=120.0, gender="female").year(2032)
    group = next(each for each in year.completed if each.element is not None)
    role = year.natal.role(group.element)
    assert role in WANTED
    cost = next(
        each
        for each in bz.read(year, question="今年事业好不好", language="zh-Hans").reading.summary
        if each.statement == "answer.cost"
    )
    assert f"不过它经{group.type}" in cost.text
    assert cost.text.endswith(f"{group.element}。")
    assert set(group.evidence) <= set(cost.evidence)


@pytest.mark.parametrize(
    "question", ["明年几月份适合怀孕", "2027年適合要孩子嗎", "Which month of 2027 is good for conceiving?"]
)
def test_when_to_have_a_child_is_for_a_doctor_in_a_year_and_in_several_too(question):
    chart = bz.chart("1989-11-12 19:25", city="北京", gender="female")
    for of in (chart.year(2026), chart.year(2027), chart.years(2026, 2029)):
        first = bz.read(of, question=question, language="zh-Hans", as_of="2026-11-23").reading.summary[0]
        assert first.statement in ("answer.left_out.begetting", "answer.left_out.medical")


def test_what_to_watch_out_for_in_the_coming_months_names_the_hard_ones_too():
    year = bz.chart("1982-08-08 03:39", city="北京", gender="female").year(2026)
    found = bz.read(
        year, question="What should I watch out for in the coming months?", language="en"
    ).reading.summary
    assert found[0].statement in ("answer.when.both", "answer.when.least.both")


def test_whether_a_year_is_bad_for_something_is_answered_with_a_yes_that_means_bad():
    for number in range(2020, 2040):
        year = bz.chart("1963-10-08 12:00", city="San Francisco", gender="female").year(number)
        assert not year.alternatives
        score = year.scores.of("wealth")
        first = (
            bz.read(year, question=f"Is {number} a bad year for money?", language="en")
            .reading.summary[0]
            .text
        )
        assert ("no, not a bad year" in first) is (score >= HIGH)
        assert (": yes" in first) is (score < LOW)
        first = (
            bz.read(year, question=f"{number}年财运会不会很差？", language="zh-Hans").reading.summary[0].text
        )
        assert ("不会差" in first or "不算差" in first) is (score >= HIGH)


def test_an_exam_is_nothing_that_one_may_do_or_leave_and_no_side_of_life_is_a_choice():
    chart = bz.chart("2000-03-14 14:00", city="台北", gender="male")
    for number in range(2024, 2040):
        for question in (f"{number}年考试能过吗，要不要改行？", f"{number}年学业该不该再拼？"):
            told = bz.read(chart.year(number), question=question, language="zh-Hans").reading.summary
            assert not any("正反两边的分量差不多" in each.text or "不宜" in each.text for each in told[:1])


def test_a_month_that_is_named_or_that_of_an_exam_that_is_named_is_told_before_the_score():
    chart = bz.chart("2009-05-25 11:35", city="香港", gender="male")
    for question, month in (
        ("四月考DSE，入唔入到大學？", "2027-04"),
        ("2027年四月換工作好嗎？", "2027-04"),
        ("Will he pass his A-levels in 2027?", "2027-05"),
    ):
        told = bz.read(chart.year(2027), question=question, language="zh-Hant").reading.summary
        keys = [each.statement for each in told]
        at = next(at for at, key in enumerate(keys) if key.startswith("answer.month"))
        assert not any(key.startswith(("answer.also", "answer.score")) for key in keys[:at])
        year, number = month.split("-")
        assert f"{year}年{int(number)}月" in told[at].text


def test_a_january_that_is_named_is_read_in_the_year_that_began_before_it():
    chart = bz.chart("2010-05-25 11:35", city="台北", gender="male")
    told = bz.read(chart.year(2028), question="2028學測考得上台大嗎？", language="en").reading.summary
    assert any("January 2028" in each.text for each in told)
    assert "answer.other_year" in [each.statement for each in told]
    assert "January 2027" not in " ".join(each.text for each in told)
