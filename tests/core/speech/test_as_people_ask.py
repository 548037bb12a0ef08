"""Questions as people type them, with what is told beside them: what the first sentence of each part answers."""

from __future__ import annotations

import pytest

import bazi_core as bz

TODAY = "2026-11-28"
WOMAN = bz.chart("1985-06-11 17:30", city="哈尔滨", gender="female")
MAN = bz.chart("1990-05-15 13:30", city="北京", gender="male")
PARENT = bz.chart("1974-03-08 10:10", city="合肥", gender="female")


def told(chart: bz.Chart, question: str) -> list[str]:
    """The statements of the answer, those that carry a number by their name."""
    language = "en" if question.isascii() else "zh-Hans"
    reading = bz.read(chart, question=question, as_of=TODAY, language=language, length="short").reading
    return [each.statement or "" for each in reading.summary]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        # What stands for somebody or has a name in the chart.
        ("我跟婆婆合得来吗", "answer.in_law."),
        ("Will things with my mother-in-law get better?", "answer.in_law."),
        ("领导天天针对我，我是不是犯小人", "answer.foes."),
        ("我命里有没有驿马？", "answer.term.star"),
        ("Am I a direct wealth or indirect wealth person?", "answer.term.god."),
        # Two ways of working.
        ("考研还是考公", "answer.path."),
        ("Should I quit my job and go back to school?", "answer.path."),
        # What is told beside a question does not take it over.
        ("姐妹们帮我看看，还有没有可能复合", "answer.whether.will."),
        ("爸媽都七十幾了，薪水多一萬，我該去台北還是留在高雄？", "answer.stay."),
        ("34了有房贷，朋友拉我去创业公司做销售，跳还是不跳？", "answer.stay."),
        ("I lost my business in 2022. Will the next one work?", "answer.chart."),
        ("Single since 2023. Around what age will I marry?", "answer.years.when."),
        ("We broke up in spring. Will we get back together?", "answer.whether.will."),
        # Of what is over nothing is advised, and whoever asks is blamed for nothing.
        ("2014年我爸走了，是我克的吗", "answer.blame"),
        ("2017年到2020年哪一年最背", "answer.years.worst.past"),
        # What only sounds like death, law or illness.
        ("拆迁的房全给了弟弟，我心里过不去这个坎，我跟父母是不是没缘分", "answer.chart."),
        ("輪班輪到快往生，明年出國走得成嗎", "answer.whether.will."),
        ("Will my visa be approved in 2027?", "answer.whether.will."),
        ("27了还是母胎solo，正缘啥时候来", "answer.years.when."),
        ("MIL moving in with us after CNY. How to survive?", "answer.kin.none.how"),
        ("FIL pass away last month. Will it hurt my marriage?", "answer.in_law."),
        ("Will it make my husband and me fight until divorce?", "answer.choice.partner"),
        ("婆婆要搬来跟我们一起住，我跟她八字合不合啊，能不能处得来", "answer.in_law."),
        ("我是不是克夫命", "answer.blame"),
        # Whose birth is told is not asked about in that year.
        ("儿子2013年的，成绩一直往下掉，跟我对着干，什么时候能懂事", "answer.kin."),
        ("Will my daughter (33, single) ever get married?", "answer.kin."),
        # What is somebody else's own, a name, a stake.
        ("I suspect my husband got another woman outside. Got or not?", "answer.private"),
        ("我未来老婆姓什么", "answer.named"),
        ("币圈亏了30多w，还借了网贷，想再搏一把回本，明年财运咋样", "answer.caution.stake"),
        # One word decides nothing over the deed.
        ("Master, which month next yr my pian cai luck strongest", "answer.when."),
        ("Am I actually suited to law?", "answer.field."),
        (
            "I have two offers: one in Japan as a nurse, one near my parents. Which one should I choose?",
            "answer.choice.none",
        ),
        ("今年能不能升", "answer.whether."),
    ],
)
def test_what_is_asked_is_what_is_answered(question, first):
    assert told(WOMAN, question)[0].startswith(first)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("明年结得成婚吗？跟婆婆处得来吗", ("answer.whether.", "answer.in_law.")),
        ("老公到底有没有出轨，这婚还要不要离", ("answer.private", "answer.choice.partner")),
        ("公司要裁员，明年会不会轮到我？干脆自己干行不行", ("answer.whether.feared.", "answer.path.")),
        ("明年犯太岁吗？腰一直不好，要注意什么", ("answer.tai_sui.", "answer.body")),
        (
            "我这辈子能发财吗，大概能有几百万，几岁开始",
            ("answer.chart.", "answer.uncounted", "answer.years.when."),
        ),
        (
            "2015年炒股亏了，那年是不是该破财？后面什么时候翻身",
            ("answer.whether.feared.", "answer.years.when."),
        ),
    ],
)
def test_every_part_of_a_question_is_answered(question, parts):
    said = told(MAN, question)
    at = [next((n for n, each in enumerate(said) if each.startswith(part)), -1) for part in parts]
    assert -1 not in at, said
    assert at == sorted(at)


@pytest.mark.parametrize(
    "question",
    [
        "做了两次试管都失败，明年再做第三次有机会吗，哪个月份移植好",
        "哪个月份移植好",
        "We have one embryo left from IVF. Is 2027 or 2028 better for us to try?",
    ],
)
def test_no_month_and_no_year_is_chosen_for_a_treatment(question):
    assert told(WOMAN, question)[0] == "answer.left_out.medical.birth"
    reading = bz.read(WOMAN, question=question, as_of=TODAY, length="short").reading
    assert not any("月起" in each.text or "2027年" in each.text for each in reading.summary)


@pytest.mark.parametrize(
    "question",
    [
        "Our old dog Biscuit is 14, will he see Christmas?",
        "They found a lump and I wait for the biopsy. Will I be able to see my grandson born in May?",
        "查出肺结节，我还能看到孙子出生吗",
    ],
)
def test_of_survival_the_answer_fits_oneself_others_and_animals(question):
    reading = bz.read(WOMAN, question=question, as_of=TODAY, length="short").reading
    assert reading.title == "生死不占"
    assert all(word in reading.summary[1].text for word in ("不论是谁的", "看诊的医生", "眼下能做的"))
    assert not any(word in reading.summary[1].text for word in ("兽医", "动物", "自己"))


def test_the_year_before_the_first_that_leans_is_another_one():
    near = "In short: nearer by, look to 2031 first"
    chart = bz.chart("1999-11-23 13:05", city="Sydney", gender="male")
    reading = bz.read(chart, question="when do i meet someone", as_of=TODAY, language="en").reading
    assert "is 2031 (turning 32" in reading.summary[0].text
    assert near not in reading.summary[0].text


def test_of_a_past_year_that_was_not_hard_no_cause_is_made_up():
    chart = bz.chart("1993-08-08", hour_unknown=True, city="Houston", gender="female")
    question = "Why was 2021 so awful for me? I lost my job."
    said = [
        each.statement or ""
        for each in bz.read(chart, question=question, as_of=TODAY, language="en").reading.summary
    ]
    assert said[:2] == ["answer.year.good", "answer.past.unseen"]
    assert not any(each.startswith(("answer.why.", "answer.how.")) for each in said)


@pytest.mark.parametrize(
    "question",
    ["为什么2023年我那么倒霉，丢了工作还分手了", "Why did I lose my job and my boyfriend in 2023?"],
)
def test_of_a_past_year_the_year_is_told_first_and_every_side_that_went_wrong(question):
    said = told(PARENT, question)
    assert said[0] in ("answer.year.mixed.past", "answer.year.bad.past")
    assert "answer.cost" in said
    assert any(each.startswith("answer.second.") for each in said)
    assert not any(each.startswith("answer.how.") for each in said)


def test_a_grown_daughter_who_is_to_marry_has_a_chart_of_her_own():
    assert told(PARENT, "女儿31了不找对象，什么时候能结婚")[0].startswith("answer.kin.")


def test_jobs_are_looked_for_in_the_months_ahead():
    assert told(MAN, "裸辞三个月了，什么时候能找到工作")[0].startswith("answer.when")


def test_a_doctors_matter_keeps_the_star_of_children_and_names_no_year():
    said = told(WOMAN, "试管做了两次都失败了，我到底有没有孩子缘，明年还要不要再做一次")
    assert said[0] == "answer.left_out.begetting"
    assert any(each.startswith("answer.bearing.") for each in said)
    assert not any(each.startswith(("answer.year.", "answer.also.", "answer.whether.")) for each in said)


def test_what_holds_for_few_of_the_hours_is_said_next_to_the_answer():
    chart = bz.chart("1997-10-30", city="London", gender="male", hour_unknown=True)
    assert told(chart, "Which industry suits me?")[1] == "hour_unknown.few"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("2015年我做生意亏光了，当年是不是命里该有这一劫？", "answer.year."),
        ("Did my marriage collapse in 2020 show in the chart?", "answer.year."),
        ("Am I finally out of the woods in 2027 or will I be laid off again?", "answer.whether."),
        ("They've offered me voluntary redundancy. Do I take it or sit tight?", "answer.stay."),
        ("36岁了还没孩子，是不是命里没有", "answer.chart."),
        ("这两年一直不顺，是不是犯太岁，要怎么化", "answer.tai_sui."),
        ("是为了孩子再忍忍还是干脆离了？", "answer.choice.partner"),
    ],
)
def test_what_is_over_is_no_plan_and_an_outcome_no_choice(question, first):
    assert told(MAN, question)[0].startswith(first)


def test_what_is_to_come_is_not_in_a_year_that_is_over():
    question = "I started a restaurant in 2019 that went bust. When could I try again?"
    reading = bz.read(MAN.year(2019), question=question, as_of=TODAY, language="en").reading
    assert reading.summary[0].statement == "answer.to_come"
