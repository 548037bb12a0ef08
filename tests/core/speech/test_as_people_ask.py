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
