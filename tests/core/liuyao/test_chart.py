"""`derive`: one way to say the time, given pillars that fit, charts as values."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from datetime import datetime
from importlib import import_module
from typing import Any

import pytest

import bazi_core.liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.errors import InvalidInput, InvalidPillars, UnknownOption
from bazi_core.pillars import five_rats, five_tigers
from bazi_core.school import School
from tests.core.liuyao.casts import AT, FOUR, board, strict
from tests.tables import holds_for_all

LINES = "789876"


@pytest.mark.parametrize(
    "given",
    [
        {}, {"at": AT, "pillars": FOUR}, {"at": AT, "month_branch": "卯", "day": "丁未"}, {"at": AT, "day": "丁未"},
        {"pillars": FOUR, "month_branch": "卯"}, {"at": AT, "pillars": FOUR, "day": "丁未"}, {"at": None, "pillars": None},
    ],
)  # fmt: skip
def test_the_time_is_said_in_exactly_one_way(given):
    with pytest.raises(InvalidInput, match="in one way"):
        ly.derive(LINES, **given)


def test_the_same_cast_by_time_by_pillars_and_by_month_and_day_is_one_board():
    by_time, by_pillars = ly.derive(LINES, AT), ly.derive(LINES, pillars=FOUR)
    by_day = ly.derive(LINES, month_branch="卯", day="丁未")
    assert strict(by_time) == strict(by_pillars)
    boards = [each.analyze("事业").to_dict() for each in (by_time, by_pillars, by_day)]
    for found in boards:
        found.pop("facts")
        found.pop("calendar")
        # Only a time has dates.
        for each in found["timing"]:
            each.pop("dates")
    assert boards[0] == boards[1] == boards[2]


@pytest.mark.parametrize("pillars", [FOUR, FOUR.replace(" ", ""), FOUR.split(), tuple(FOUR.split())])
def test_pillars_are_text_or_four_texts(pillars):
    assert str(ly.derive(LINES, pillars=pillars).hour) == "庚戌"


@holds_for_all(
    "pillars",
    [
        "", "丙午", "丙午 辛卯 丁未", "丙午 辛卯 丁未 庚戌 甲子", "丙午 辛卯 丁未 庚亥", "丙午 壬卯 丁未 庚戌",
        "丙午 庚寅 丁未 辛戌",
        "丙午 壬辰 丁未 辛亥 ", "甲子 甲子 甲子 甲子", "x" * 10**6, "\ud800", 5, {}, [FOUR], object(),
    ],
)  # fmt: skip
def test_pillars_that_no_moment_has_are_refused(pillars):
    if pillars == "丙午 壬辰 丁未 辛亥 ":
        assert ly.derive(LINES, pillars=pillars)
        return
    with pytest.raises(InvalidPillars) as caught:
        ly.derive(LINES, pillars=pillars)
    assert {"given", "reason"} <= set(caught.value.data) <= {"given", "reason", "rule"}
    assert (caught.value.code, caught.value.exit_status) == ("INVALID_PILLARS", 4)


def test_month_and_hour_must_follow_five_tigers_and_five_rats():
    accepted = set()
    for month in PILLARS:
        for hour in PILLARS:
            try:
                ly.derive(LINES, pillars=["丙午", month.value, "丁未", hour.value])
            except InvalidPillars:
                continue
            accepted.add((month, hour))
    months = {five_tigers(PILLARS[42].stem, branch) for branch in BRANCHES}
    hours = {five_rats(PILLARS[43].stem, branch) for branch in BRANCHES}
    # A 子 hour may follow this day's stem or the next one's.
    hours |= {five_rats(PILLARS[44].stem, BRANCHES[0])}
    assert accepted == {(month, hour) for month in months for hour in hours}


@pytest.mark.parametrize("month", ["", "卯月", "甲子", "x", 5, [], "\ud800"])
def test_a_month_that_is_no_branch_is_refused(month):
    with pytest.raises(InvalidInput) as caught:
        ly.derive(LINES, month_branch=month, day="丁未")
    assert caught.value.exit_status == 4


@pytest.mark.parametrize("day", ["甲丑", "未", "丁未日", 5, [], "\ud800", "x" * 10**6])
def test_a_day_that_is_no_pillar_is_refused(day):
    with pytest.raises(InvalidPillars):
        ly.derive(LINES, month_branch="卯", day=day)


@pytest.mark.parametrize(("given", "reason"), [({"month_branch": "卯"}, "day"), ({"day": "丁未"}, "month")])
def test_month_and_day_are_needed_both(given, reason):
    with pytest.raises(InvalidPillars) as caught:
        ly.derive(LINES, **given)
    assert caught.value.data["reason"] == reason


@pytest.mark.parametrize("given", ["default", {}, 5, ly.LiuyaoPolicy])
def test_a_school_and_a_policy_are_values_of_their_own_kind(given):
    with pytest.raises(InvalidInput):
        ly.derive(LINES, AT, policy=given)
    with pytest.raises(UnknownOption):
        ly.derive(LINES, AT, school=given)


def test_a_chart_is_a_value():
    one, other = ly.derive(LINES, AT), ly.derive(list("789876"), AT)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, ly.derive("789878", AT)}) == 2
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.analyze("事业").to_dict() == one.analyze("事业").to_dict()
    with pytest.raises(FrozenInstanceError):
        one.lines = (7,) * 6  # type: ignore[misc]
    assert one != ly.derive(LINES, AT, policy=ly.LiuyaoPolicy(an_dong="hjc_any"))
    assert one != ly.derive(LINES, AT, school=School(day_boundary="00:00"))
    assert one != ly.derive(ly.cast.lines(LINES), AT)


def test_a_chart_with_other_lines_has_other_hexagrams():
    made = replace(ly.derive(LINES, AT), lines=(7,) * 6)
    assert (made.primary.name, made.target.name, made.moving) == ("乾", "乾", ())


def test_what_a_chart_answers_is_not_changed_by_who_changes_the_answer():
    chart = ly.derive(LINES, AT)
    found = chart.analyze("事业")
    for make in (lambda: strict(chart), found.to_dict):
        first = make()
        kept = repr(first)
        spoil(first)
        assert repr(make()) == kept


def spoil(value: Any) -> None:
    if isinstance(value, dict):
        for each in list(value.values()):
            spoil(each)
        value["spoilt"] = True
    elif isinstance(value, list):
        for each in value:
            spoil(each)
        value.append("spoilt")


def test_code_void_broken_and_clashed_are_those_of_the_time():
    chart = ly.derive(LINES, AT)
    assert (chart.code, chart.changed_code) == (0b010101, 0b110001)
    assert "".join(map(str, (*chart.void, chart.month_broken, chart.day_clashed))) == "寅卯酉丑"
    assert (chart.month_branch.value, str(chart.day)) == ("卯", "丁未")


def test_the_record_of_a_cast_stays_with_its_chart():
    record = ly.cast.from_faces(["100", "110", "111", "110", "100", "000"])
    chart = ly.derive(record, AT)
    assert chart.cast == record
    assert chart.lines == record.values
    assert chart.analyze().to_dict()["cast"] == record.to_dict()
    assert ly.derive(record.lines, AT).cast is None
    assert ly.derive(record.lines, AT).analyze().to_dict()["cast"] is None


def test_an_aware_datetime_does_as_well_as_text():
    at = datetime.fromisoformat(AT)
    assert strict(ly.derive(LINES, at)) == strict(ly.derive(LINES, AT))


def test_a_chart_draws_itself_in_a_notebook():
    found = ly.derive(LINES, AT)._repr_mimebundle_()
    assert set(found) == {"text/plain", "image/svg+xml"}
    assert found["image/svg+xml"].startswith("<svg")


def test_facts_explanations_and_context_are_those_of_a_board_without_a_question():
    chart = board("既济", 3, 6)
    assert chart.facts == chart.analyze().facts
    assert chart.explain("ly.line.3") == chart.analyze().explain("ly.line.3")
    context = chart.to_context().splitlines()
    assert len(context) == len(chart.facts)
    assert context == sorted(context)
    assert "ly.line.3 | 三爻兄弟己亥水，临玄武，持世，发动" not in context
    assert any(line.startswith("ly.line.3 | 三爻兄弟己亥水") for line in context)


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_a_board_does_not_depend_on_the_hash_seed(seed):
    code = (
        "import json; from bazi_core import liuyao as ly;"
        f"found = ly.derive('{LINES}', '{AT}').analyze('婚姻').to_dict(); print(json.dumps(found, ensure_ascii=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": seed},
        cwd=ROOT,
    )
    assert json.loads(done.stdout) == ly.derive(LINES, AT).analyze("婚姻").to_dict()


ROOT = __file__.rpartition("/tests/")[0]


def test_public_names_are_found_and_functions_are_not_replaced_by_modules():
    for name in ("sign", "timing", "yongshen"):
        assert import_module(f"bazi_core.liuyao.{name}").__name__ == f"bazi_core.liuyao.{name}"
    chart = ly.derive(LINES, AT)
    found = chart.analyze("财运")
    assert ly.yongshen(chart, "财运") == found.yongshen
    assert ly.timing(chart, "财运") == found.timing
    assert ly.sign(chart, "财运") == found.sign
    assert ly.sign(chart) == chart.analyze().sign
    for name in ly.__all__:
        assert getattr(ly, name) is not None
    assert dir(ly) == sorted(ly.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ly.nothing  # noqa: B018


def test_question_types_are_the_published_labels():
    assert ly.QUESTION_TYPES[0] == "事业"
    assert len(ly.QUESTION_TYPES) == len({*ly.QUESTION_TYPES}) == 35


def test_a_board_and_a_chart_have_the_same_verbs():
    import bazi_core as bz

    board = bz.liuyao.derive("788876", "2026-04-03T20:30:00+08:00")
    assert board.to_text("en") == board.text("en")
    assert board.to_svg() == board.svg()
    assert board.to_dict("换工作？", "事业") == board.to_divination("换工作？", "事业")
    assert json.loads(board.to_json()) == json.loads(board.to_json(indent=2)) == board.to_dict()
    for verb in ("to_text", "to_dict", "to_json", "explain"):
        assert callable(getattr(bz.Chart, verb))
        assert callable(getattr(bz.liuyao.LiuyaoChart, verb))
