"""Where strength could be either: the decision under the other verdict beside the one that was taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pattern.result import PatternResult
from bazi_core.pillars import five_rats, five_tigers
from bazi_core.readings.final import read_pattern
from bazi_core.render.year_text import year_text
from bazi_core.school import School
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.summary import chart_summary
from tests.schemas import problems, validator

BEIJING = {"city": "北京", "gender": "male"}
OPEN = "庚午 辛巳 庚辰 壬午"
EITHER = {"zh-Hans": "两可", "zh-Hant": "兩可", "en": "could be either"}


@st.composite
def charts(draw: Any) -> bz.Chart:
    year, day = draw(st.sampled_from(PILLARS)), draw(st.sampled_from(PILLARS))
    month = five_tigers(year.stem, draw(st.sampled_from(BRANCHES)))
    hour = five_rats(day.stem, draw(st.sampled_from(BRANCHES)))
    return bz.chart(pillars=f"{year} {month} {day} {hour}")


def decision(result: PatternResult) -> tuple[Any, ...]:
    stands = result.standing
    return result.name, stands and (stands.status, stands.rank, stands.xiang_shen), result.useful.order


@given(charts())
def test_there_is_an_alternative_exactly_where_strength_is_open_and_decides(chart):
    result = chart.pattern()
    open_and_asked = chart.strength.is_open and result.special is None
    assert bool(result.alternatives) == open_and_asked == bool(result.to_dict(facts=False)["alternatives"])


@given(charts())
def test_the_alternative_is_what_a_method_of_the_other_verdict_decides(chart):
    for other in chart.pattern().alternatives:
        verdict = other.strength.verdict
        method = next(name for name, vote in chart.strength.method_votes.items() if vote == verdict)
        taken = bz.chart(pillars=str(chart.pillars), school=School(strength_method=method)).pattern()
        assert decision(taken) == decision(other)


@given(charts())
@example(bz.chart(pillars="庚午 丁亥 癸卯 壬戌"))
def test_what_both_share_is_what_both_have(chart):
    result = chart.pattern()
    for other, told in zip(result.alternatives, result.to_dict(facts=False)["alternatives"], strict=True):
        shared = told["shared"]
        assert shared["pattern"] == (result.name if result.name == other.name else None)
        for element, role in shared["roles"].items():
            assert result.useful.role(bz.Element(element)) == other.useful.role(bz.Element(element)) == role
        assert set(shared["useful_gods"]) == {
            each.value for each in set(result.useful_gods) & set(other.useful_gods)
        }
        assert told["strength"]["verdict"] != chart.strength.verdict
        assert [*told["useful_gods"]] == [each.value for each in other.useful_gods]


@given(charts())
def test_the_object_with_its_alternatives_is_as_the_schema_says(chart):
    told = chart.pattern().to_dict()
    assert problems(validator("pattern_result"), told) == []
    for other in told["alternatives"]:
        assert set(other["evidence"]) <= set(told["facts"])
        assert other["strength"]["certainty"] == "open"


@given(charts())
def test_a_useful_god_is_no_surer_than_the_strength_it_rests_on(chart):
    result = chart.pattern()
    order = ("open", "leaning", "settled")
    if result.special is None:
        assert order.index(result.useful.certainty) <= order.index(chart.strength.certainty)
    assert 0 < result.useful.confidence < 1


def test_nothing_is_said_of_how_sure_where_nothing_is_judged():
    told = bz.chart(pillars=OPEN, school=School(judgement="facts")).pattern().to_dict(facts=False)
    assert told["strength"] is None
    assert told["alternatives"] == []
    assert (told["useful_god_detail"]["certainty"], told["useful_god_detail"]["confidence"]) == (None, 0)


def test_a_structure_that_decides_asks_for_no_strength():
    result = bz.chart(pillars="癸酉 甲子 癸亥 辛酉").pattern()
    assert (result.category, result.useful.certainty, result.alternatives) == ("变格", "leaning", ())


@pytest.mark.parametrize("lang", EITHER)
def test_a_reading_says_the_doubt_in_its_first_sentence_and_the_other_reading_in_its_second(lang):
    result = bz.chart(pillars=OPEN).pattern()
    first, second, *_ = read_pattern(result, language=lang, length="short").reading.summary
    assert EITHER[lang] in first.text
    assert "alt.yong.primary" in second.evidence
    assert EITHER[lang] in chart_summary(result.chart, lang)


@given(charts())
def test_what_rests_on_the_other_reading_is_said_as_such(chart):
    for statement in pattern_plan(chart.pattern()).statements:
        if any(name.startswith("alt.") for name in statement.evidence):
            assert statement.key.startswith(("opening.other", "doubt.", "answer.")), statement.key


@pytest.mark.parametrize("lang", EITHER)
def test_a_year_says_the_doubt_and_its_score_under_the_other_reading(lang):
    year = bz.chart("1990-05-15 13:30", **BEIJING).year(2026)
    (other,) = year.alternatives
    assert EITHER[lang] in year_text(year, lang).split("\n\n")[0]
    told = bz.read(year, language=lang).reading.summary
    assert "alt.yr.2026.overall" in told[1].evidence
    assert str(other.scores.overall) in told[1].text
    made = year.to_dict()
    assert made["certainty"] == {"strength": "open", "useful_gods": "open"}
    assert [each["overall"] for each in made["alternatives"]] == [other.scores.overall]
    assert problems(validator("year_analysis_result"), made) == []


def test_a_year_of_a_settled_chart_has_no_other_score():
    year = bz.chart("1985-07-30 22:58", city="上海", gender="male").year(2026)
    assert year.chart.strength.certainty != "open"
    assert (year.alternatives, year.to_dict(facts=False)["alternatives"]) == ((), [])
