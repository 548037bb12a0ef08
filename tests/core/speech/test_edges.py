"""A birth near an edge says so among the first lines, with the pillars beyond it and what they would change."""

import pytest

import bazi_core as bz

WHERE = {"city": "北京", "gender": "male"}


def told(when, language="zh-Hans", school=None, **options):
    chart = bz.chart(when, school=school, **WHERE) if school else bz.chart(when, **WHERE)
    return chart, bz.read(chart, language=language, **options).reading.sentences


@pytest.mark.parametrize(
    ("when", "beyond"),
    [
        ("1990-05-15 14:13", "时柱壬午"),
        ("1990-05-15 14:07", "时柱癸未"),
        ("2001-05-15 23:20", "日柱戊寅"),
        ("1990-02-04 10:10", "月柱戊寅"),
    ],
)
def test_the_first_sentence_names_the_pillars_beyond_the_edge(when, beyond):
    _, sentences = told(when)
    assert sentences[0].statement.startswith("edge.near")
    assert beyond in sentences[0].text
    assert "分钟" in sentences[0].text


def test_what_is_said_to_change_is_what_the_other_pillars_give():
    chart, sentences = told("1990-05-15 14:07")
    other = bz.chart("1990-05-15 14:15", **WHERE)
    assert str(other.pillars).split()[3] == "癸未" != str(chart.pillars).split()[3]
    assert other.pattern().strength.verdict in sentences[0].text
    assert f"用神（命盘最需要的五行）为{other.pattern().useful_gods[0].value}" in sentences[0].text


def test_an_hour_that_schools_give_to_different_days_is_told_by_either_school():
    _, late = told("2001-05-15 23:40")
    assert late[0].statement.startswith("edge.zi.late")
    assert "日柱戊寅" in late[0].text
    _, early = told("2001-05-15 23:40", school=bz.School(day_boundary="00:00"))
    assert early[0].statement.startswith("edge.zi.early")
    assert "日柱己卯" in early[0].text


def test_a_birth_after_midnight_that_falls_before_it_by_the_sun_is_told_as_that():
    chart = bz.chart("1963-08-10 00:00", city="广州", gender="female")
    edge = next(
        each
        for each in bz.read(chart, language="en").reading.sentences
        if each.statement.startswith("edge.zi")
    )
    assert ".sun" in edge.statement
    assert "by solar time" in edge.text
    assert "you were born between" not in edge.text


def test_with_a_question_it_follows_the_answer():
    _, sentences = told("1990-05-15 14:07", question="怎么改善财运")
    keys = [each.statement for each in sentences]
    assert keys[0] == "answer.how.first"
    assert keys.index("edge.near") < keys.index("opening.open" if "opening.open" in keys else "opening")


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_it_is_said_in_every_language(language):
    _, sentences = told("1990-05-15 14:07", language)
    assert {"zh-Hant": "出生時刻", "en": "time of birth"}[language] in sentences[0].text


def test_a_birth_far_from_every_edge_says_nothing_of_edges():
    for when in ("1988-08-18 13:30", "1990-05-15 12:30", "1990-05-15"):
        chart = bz.chart(when, hour_unknown=len(when) == 10, **WHERE)
        assert not any(
            (each.statement or "").startswith("edge.") for each in bz.read(chart).reading.sentences
        )
