"""The analysis beside the strict object: its members, warnings, explanations, and values across threads."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from threading import Barrier

import pytest

import bazi_core
from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput, UnknownOption
from bazi_core.liuyao.analysis import SCHEMA_VERSION
from bazi_core.liuyao.policy import POLICIES
from bazi_core.school import School
from tests.core.liuyao.casts import AT, FOUR, analysis, board, strict, time_of, values
from tests.sizes import sizes
from tests.tables import holds_for_all

KEYS = [
    "schemaVersion", "engineVersion", "policies", "calendar", "palace", "palaceElement", "generation", "tags",
    "targetPalace",
    "targetGeneration", "targetTags", "transition", "fanYinFuYin", "guaFanYin", "guaBian", "guaShen", "guaShenLines",
    "shiShen",
    "movingPositions", "duFa", "duJing", "lines", "hidden", "sanHe", "xing", "stars", "yongShen", "horizon", "timing",
    "sign",
    "facts", "cast",
    "warnings",
]  # fmt: skip


def test_members_stand_in_their_order_and_facts_are_left_out_on_request():
    found = analysis("既济", 3)
    assert [*found.to_dict()] == KEYS
    assert [*found.to_dict(facts=False)] == [key for key in KEYS if key != "facts"]


def test_versions_are_those_of_the_schema_and_of_the_release():
    found = analysis("既济").to_dict()
    assert found["schemaVersion"] == SCHEMA_VERSION == "1.1.0"
    assert found["engineVersion"] == bazi_core.__version__


def test_marks_of_primary_and_target_are_told():
    found = board("坤", 2, 3, 5, 6).analyze().to_dict(facts=False)
    expected = ("坤", "土", "本宫", ["六冲"])
    assert (found["palace"], found["palaceElement"], found["generation"], found["tags"]) == expected
    assert (found["targetPalace"], found["targetGeneration"], found["targetTags"]) == ("巽", "本宫", ["六冲"])
    assert (found["transition"], found["guaBian"]) == ("六冲变六冲", "回头克")
    assert found["fanYinFuYin"] == {"inner": "反吟", "outer": "反吟"}
    assert found["guaFanYin"] is False
    assert (found["guaShen"], found["guaShenLines"], found["shiShen"]) == ("亥", [5], 4)


def test_without_motion_the_target_has_the_marks_of_the_primary():
    found = board("坤").analyze().to_dict(facts=False)
    assert (found["targetPalace"], found["targetGeneration"], found["targetTags"]) == ("坤", "本宫", ["六冲"])
    assert (found["transition"], found["guaBian"], found["movingPositions"]) == ("", "", [])


@pytest.mark.parametrize("count", range(7))
def test_alone_in_motion_is_one_line_and_alone_at_rest_is_five(count):
    moving = tuple(range(1, count + 1))
    found = analysis("既济", *moving).to_dict(facts=False)
    assert (found["movingPositions"], found["duFa"], found["duJing"]) == ([*moving], count == 1, count == 5)


def test_given_pillars_have_no_calendar():
    assert ly.derive("789876", pillars=FOUR).analyze().to_dict()["calendar"] is None
    assert ly.derive("789876", AT).analyze().to_dict()["calendar"] is not None


def test_policies_and_the_options_that_act_are_stored():
    school = School(day_boundary="00:00", late_zi_hour_stem="same_day", boundary_window_s=7)
    chart = ly.derive("789876", AT, school=school, policy=ly.LiuyaoPolicy(an_dong="hjc_any"))
    found = chart.analyze().to_dict()["policies"]
    assert [*found] == [
        *POLICIES, "day_boundary", "late_zi_hour_stem", "future_utc", "boundary_window_s", "time_basis",
        "year_boundary",
    ]  # fmt: skip
    expected = ("hjc_any", "00:00", "same_day")
    assert (found["an_dong"], found["day_boundary"], found["late_zi_hour_stem"]) == expected
    assert found["boundary_window_s"] == 7


def test_doubts_of_the_time_come_before_those_of_the_question():
    found = ly.derive("789876", "2026-04-05T02:40:30+08:00").analyze("占什么").to_dict()["warnings"]
    assert [each["code"] for each in found] == ["NEAR_BOUNDARY", "QUESTION_TYPE_UNKNOWN"]
    assert all([*each] == ["code", "message", "data"] for each in found)


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_warnings_speak_the_language_asked_for(lang):
    found = ly.derive("789876", AT).analyze("婚姻").to_dict(lang=lang)["warnings"]
    assert [each["code"] for each in found] == ["ASKER_UNKNOWN"]
    assert ("Wealth" in found[0]["message"]) is (lang == "en")


def test_an_explanation_names_all_that_a_fact_rests_on():
    found = analysis("既济", 3, ask="其他")
    told = found.explain("ly.line.3.change.化墓")
    assert told.splitlines()[0] == "三爻亥水化墓  [ly.line.3.change.化墓; ZS.015.change; ZS]"
    assert "ly.target.3" in told
    assert "ly.line.3;" in told


@holds_for_all("bad", ["", "ly", "ly.line.7", "p.day.stem", None, 5, [], "\ud800", "x" * 10**6])
def test_a_fact_that_is_not_there_cannot_be_explained(bad):
    with pytest.raises(InvalidInput) as caught:
        analysis("既济").explain(bad)
    assert len(caught.value.message.encode()) < 300


def test_an_analysis_is_a_value():
    one, other = analysis("既济", 3, ask="事业"), analysis("既济", 3, ask="事业")
    assert one == other
    assert hash(one) == hash(other)
    assert one != analysis("既济", 3, ask="财运")
    assert pickle.loads(pickle.dumps(one)).to_dict() == one.to_dict()
    with pytest.raises(FrozenInstanceError):
        one.asker = "male"  # type: ignore[misc]


def test_an_analysis_is_json():
    for number in range(0, 4096, 101):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze("学业").to_dict()
        assert json.loads(json.dumps(found, ensure_ascii=False, allow_nan=False)) == found


def result(number: int) -> tuple[object, ...]:
    """A strict object and an analysis under policies and a School of a number."""
    choice = [values_[number % len(values_)] for values_ in POLICIES.values()]
    policy = ly.LiuyaoPolicy(*choice)
    school = School(day_boundary=("23:00", "00:00")[number // 3 % 2])
    at = f"20{number % 90:02}-{number % 12 + 1:02}-{number % 28 + 1:02}T{number * 7 % 24:02}:30:00+08:00"
    chart = ly.derive(values(number), at, school=school, policy=policy)
    kind = ("事业", "财运", "婚姻", None)[number % 4]
    return strict(chart), chart.analyze(kind).to_dict(facts=number % 10 == 0), chart


@sizes(96, 1024)
def test_eight_threads_with_mixed_policies_make_the_boards_of_one(count):
    numbers = range(0, 4096, 4096 // count)
    alone = {number: result(number) for number in numbers}
    start = Barrier(8)

    def work(first: int) -> list[tuple[int, tuple[object, ...]]]:
        start.wait()
        return [(number, result(number)) for number in numbers[first::8]]

    with ThreadPoolExecutor(8) as pool:
        together = dict(pair for made in pool.map(work, range(8)) for pair in made)
    assert together == alone


@pytest.mark.parametrize("given", [None, "789876", [7] * 6, 5])
def test_what_is_no_chart_is_not_judged(given):
    for judge in (ly.yongshen, ly.timing, ly.sign):
        with pytest.raises(InvalidInput, match="a chart is needed"):
            judge(given)


@pytest.mark.parametrize("lang", [None, "", "fr", 5, [], "\ud800"])
def test_warnings_are_written_in_a_known_language_only(lang):
    with pytest.raises(UnknownOption):
        ly.derive("789876", AT).analyze("未知").to_dict(lang=lang)


def test_an_unknown_fact_is_answered_with_those_that_are_called_alike():
    with pytest.raises(InvalidInput) as raised:
        ly.derive("789876", AT).explain("ly.line.3.andong")
    assert "ly.line.3.day" in raised.value.hint
    for name in (None, 5, [], "\ud800", "x" * 10**6):
        with pytest.raises(InvalidInput):
            ly.derive("789876", AT).explain(name)
