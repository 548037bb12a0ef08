"""What a question is taken for decides its answer: the owner of a child's chart, a time, a choice, a debt, a complaint."""

import pytest

import bazi_core as bz
from tests.core.speech.asking import summary

TODAY = "2026-11-27"
CHILD = bz.chart("2012-06-21 12:00", city="西安", gender="female")
SMALL = bz.chart("2020-09-14 09:40", city="台北", gender="female")
YOUTH = bz.chart("2010-06-21 15:10", city="北京", gender="male")
WOMAN = bz.chart("1987-10-18 18:30", city="北京", gender="female")
MAN = bz.chart("1983-08-27 22:45", city="高雄", gender="male")
FOLLOWS = bz.chart("1987-02-11 06:20", city="北京", gender="female")
OLD = bz.chart("1949-12-20 16:00", city="台南", gender="male")


def told(of, question, **options):
    return summary(of, question, **({"as_of": TODAY} | options))


def keys(of, question, **options):
    return [each.statement for each in told(of, question, **options)]


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("孩子以后适合往哪方面培养，学文还是学理？", "answer.trade"),
        ("我女兒讀什麼科系好？", "answer.trade"),
        ("What subjects suit my daughter?", "answer.trade"),
        ("这孩子个性怎么样？", "answer.gifts"),
        ("他以后适合走哪一条路？", "answer.trade"),
        ("孩子考得上好高中吗？", "answer.chart."),
        ("Can my son get better at school?", "answer.chart."),
    ],
)
def test_a_parent_asks_a_childs_chart_about_the_child(question, key):
    found = keys(CHILD, question)
    assert found[0].startswith(key)
    assert not any(each.startswith(("answer.kin", "answer.of_age")) for each in found)
    assert "answer.other_mind" not in found


def test_a_year_of_a_child_answers_a_parent_too():
    found = keys(SMALL.year(2027), "女兒明年升小學會不會被欺負?")
    assert found[0].startswith("answer.whether.")


def test_children_of_a_childs_own_and_partners_of_the_young_are_not_spoken_of():
    assert keys(CHILD, "我以后会有孩子吗") == ["answer.of_age"]
    assert keys(YOUTH.year(2027), "Will I get a girlfriend in 2027?")[0] == "answer.of_age"
    text = bz.read(YOUTH.year(2027), question="考试能考好吗", as_of=TODAY, length="long").narrative
    assert "伴侣" not in text
    # Whoever has come of age is answered in the year after.
    assert keys(YOUTH.year(2029), "Will I get a girlfriend in 2029?")[0] != "answer.of_age"


def test_a_grown_person_still_asks_about_a_child_of_his_own():
    assert keys(WOMAN, "我女儿今年工作顺利吗")[0].startswith("answer.kin.")


def test_what_is_to_come_before_an_age_or_a_year_looks_no_further():
    found = told(WOMAN, "45岁前还能升职吗")
    assert found[0].statement.startswith("answer.years.")
    assert "answer.until" in [each.statement for each in found]
    assert "2027–2032年" in found[0].text
    assert not any(each.statement.startswith("answer.decade.") for each in found)
    assert "2027 has" in told(WOMAN, "Will I meet someone before 2029?", language="en")[0].text
    # What to do till then is no question of when.
    assert keys(WOMAN, "What should I do before I retire?")[0] == "answer.how.first"
    # An age that is behind one asks about the whole life.
    assert keys(WOMAN, "三十岁前能遇到合适的人吗")[0].startswith("answer.chart.")


def test_when_is_answered_beside_whether():
    assert keys(WOMAN, "Will I marry, and if so, when?")[0].startswith("answer.years.when.")
    found = keys(WOMAN.year(2028), "今年能换工作吗？几月合适？", as_of=None)
    assert found[0].startswith("answer.whether.")
    assert found[1].startswith("answer.when")


def test_this_year_of_a_year_that_is_read_is_that_year():
    assert not any(
        each.startswith("answer.other_year") for each in keys(WOMAN.year(2028), "这一年能升职吗？几月合适？")
    )
    assert "answer.other_year" in keys(WOMAN.year(2028), "今年能升职吗？")


def test_no_year_that_is_nearly_over_is_the_nearest_good_one():
    late, early = (told(WOMAN, "哪年适合结婚", as_of=day)[0].text for day in (TODAY, "2026-04-01"))
    assert "2026" not in late
    assert "2026–" in early


def test_two_years_are_named_each_with_its_own_score():
    chart = bz.chart("1978-03-23 13:32", city="北京", gender="female")
    text = told(chart.year(2027), "今年换工作还是明年换工作？")[0].text
    assert "2027年54分" in text
    assert "2026年53分" in text


def test_going_into_business_for_oneself_is_weighed_against_a_post():
    for asked in (
        "Should I quit my corporate job and set up on my own as a florist?",
        "Would I do better working for myself?",
        "我该不该辞职自己开店",
        "應不應該創業",
    ):
        assert keys(FOLLOWS, asked)[0].startswith("answer.path.")
    assert keys(FOLLOWS, "我什么时候离开公司单干好")[0].startswith("answer.years.when.")


def test_to_stay_or_to_go_is_answered_as_that():
    chart = bz.chart("1992-07-27 17:30", city="深圳", gender="female")
    assert keys(chart.year(2027), "公司要裁员，我是主动拿赔偿走人还是再熬一年？")[0] == "answer.stay.bad"
    assert keys(WOMAN, "去英國還是留在台北")[0].startswith("answer.stay.")
    # Without a day there is no year to go by, and the chart answers.
    assert any(
        each.startswith("answer.stay.chart.") for each in keys(WOMAN, "去英國還是留在台北", as_of=None)
    )


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("我该不该换工作？", "answer.whether.may."),
        ("Should I buy a flat or keep renting?", "answer.whether.may."),
        ("我能升职吗", "answer.whether.will."),
        ("Should I stay in my job or leave?", "answer.stay."),
        ("要不要跟前男友复合", "answer.whether.may."),
    ],
)
def test_what_is_planned_is_answered_by_the_year_at_hand_and_then_by_the_chart(question, key):
    for chart in (WOMAN, MAN, FOLLOWS):
        said = told(chart, question)
        assert said[0].statement.startswith(key)
        # Of a year of which less than a third is left nobody asks whether to begin something.
        assert "2027" in said[0].text
        assert any(each.statement.startswith("answer.natal.") for each in said)


def test_what_is_planned_now_is_answered_by_the_year_that_runs():
    said = told(MAN, "现在结婚合适吗")
    assert said[0].statement.startswith("answer.whether.fit.")
    assert "2026" in said[0].text


def test_whether_one_will_ever_marry_is_asked_of_the_life_and_not_of_a_year():
    assert keys(MAN, "我会结婚吗")[0].startswith("answer.chart.")


def test_a_year_that_is_no_time_for_a_plan_is_followed_by_the_next_that_is_easier():
    found = keys(bz.chart("1992-07-27 17:30", city="深圳", gender="female"), "我该不该换工作")
    assert found[0] in ("answer.whether.may.no", "answer.whether.may.rather_no")
    assert {"answer.lately.eases", "answer.when", "answer.when.least"} & {*found}


def test_nobody_is_told_to_leave_a_partner():
    for asked in ("Should I stay or leave my husband?", "离开他还是留下"):
        assert not any(
            each.startswith("answer.stay") for each in keys(WOMAN.year(2027), asked + "我们的感情")
        )


def test_the_body_of_a_child_is_not_judged_whoever_asks_so_for_it():
    assert keys(CHILD, "女儿今年身体怎么样") == ["answer.left_out.minor"]


def test_two_places_cannot_be_told_apart_and_colours_go_by_the_useful_element():
    assert "answer.places" in keys(WOMAN.year(2028), "移民加拿大還是澳洲好？")
    assert keys(WOMAN, "什么颜色适合我？")[0] == "answer.colour"
    assert "answer.places" not in keys(WOMAN.year(2028), "2028年适合去加拿大吗")


def test_two_sides_of_life_that_are_a_choice_are_compared():
    assert keys(WOMAN, "事业和感情哪个更重要？")[-2:] == ["answer.choice.one", "answer.decade.now"]
    assert not any(each.startswith("answer.choice") for each in keys(WOMAN, "事业和感情怎么样？"))


def test_why_one_is_in_debt_is_no_question_of_what_to_buy():
    assert keys(MAN, "Why am I always in debt?")[0].startswith("answer.why.")
    same = [keys(MAN, each)[0] for each in ("债什么时候还得完？", "跟朋友合伙欠了三百多万，什么时候还得完？")]
    assert same[0] == same[1]
    assert same[0].startswith("answer.years.when.")
    assert keys(MAN, "该不该借钱买股票")[0] == "answer.left_out.financial"


def test_a_loan_weighed_in_two_years_is_answered_with_a_word_on_whose_decision_it_is():
    found = keys(MAN, "Is it worth taking out a loan in 2029, or is 2030 better?")
    assert found[0].startswith("answer.years.")
    assert found[-1] == "answer.caution.debt"


def test_what_is_told_beside_a_question_does_not_set_it_aside():
    for asked in (
        "老婆怀第二胎，家里两个孩子，明年钱够用吗？",
        "My wife is pregnant. Will money be tight in 2027?",
    ):
        assert keys(MAN, asked)[0].startswith("answer.whether.")
    assert keys(WOMAN, "身体怎么样，要注意什么？")[0] == "answer.body"
    assert keys(WOMAN, "我得了癌症，今年能好吗？")[0] == "answer.left_out.medical"


def test_of_having_a_child_nobody_says_that_it_depends_on_how_things_are_arranged():
    for year in range(2026, 2034):
        found = told(WOMAN.year(year), f"{year}年生孩子好吗？")
        assert found[0].statement == "answer.left_out.begetting"
        assert not any("成与不成" in each.text for each in found)
    both = keys(WOMAN.year(2028), "2028年生孩子还是先考公务员好？")
    assert "answer.left_out.begetting" in both
    assert any(each.startswith("answer.second.") for each in both)
    assert keys(WOMAN, "孩子什么时候能有？")[1].startswith("answer.years.when.child.")


def test_the_month_of_an_exam_is_named():
    chart = bz.chart("2009-03-14 09:05", city="郑州", gender="male")
    assert keys(chart.year(2027), "2027年高考能考上理想的大学吗？")[1].startswith("answer.month.exam.")


def test_an_animal_has_no_place_in_a_chart():
    for asked in ("我的貓走丟了，會回來嗎？", "Will my cat come back?", "今年适合养狗吗？"):
        assert keys(OLD.year(2026), asked)[0] == "answer.pet"


def test_whoever_complains_of_a_good_time_is_not_told_so_coldly():
    chart = bz.chart("1978-02-11", city="台中", gender="female", hour_unknown=True)
    assert keys(chart, "最近做什麼都不順,到底是哪裡出了問題?")[0] == "answer.lately.good.contrary"
    assert keys(chart, "为什么我什么都不顺？")[0] == "answer.whole.good.contrary"
    assert keys(chart, "最近运势怎么样")[0] == "answer.lately.good"


def test_of_what_one_fears_the_hard_months_come_first():
    chart = bz.chart("1979-10-03 22:45", city="北京", gender="male")
    found = told(chart.year(2027), "Am I likely to be made redundant next year?", language="en")
    assert found[-1].text.startswith("Most care is asked for in")


def test_no_decade_far_away_is_told_as_when_and_none_to_whoever_asks_how():
    for of in (CHILD, YOUTH, WOMAN, MAN, FOLLOWS, OLD):
        for asked in ("我的婚姻会顺利吗", "学业能成吗", "事业有前途吗"):
            for each in told(of, asked):
                years = [int(part[-4:]) for part in each.text.split("年")[:1] if part[-4:].isdigit()]
                if each.statement in ("answer.decade", "answer.decade.mixed"):
                    assert all(year <= 2036 for year in years)
        assert not any(each.startswith("answer.decade") for each in keys(of, "怎么才能有钱"))


def test_the_father_is_explained_by_his_own_star():
    chart = bz.chart("1979-11-30 23:20", city="广州", gender="male")
    one, two = (told(chart, f"为什么我跟我{who}总是处不好？")[0].text for who in ("爸", "妈"))
    assert "代表父亲的是火" in one
    assert "又被水压住" in one
    assert "代表母亲的是金" in two


def test_months_are_ones_own_and_none_of_a_relatives_matter():
    chart = bz.chart("1972-01-25 23:30", city="台北", gender="female")
    assert not any(each.startswith("answer.when") for each in keys(chart.year(2030), "女儿什么时候结婚？"))


def test_unasked_neither_posts_of_the_old_nor_work_of_a_child_are_told():
    for birth, words in (("1956-08-19 05:10", "行当"), ("2012-06-21 12:00", "行当")):
        chart = bz.chart(birth, city="成都", gender="male")
        assert words not in bz.read(chart, as_of=TODAY).narrative
