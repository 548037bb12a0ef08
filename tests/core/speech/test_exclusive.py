"""No plan holds two statements that exclude each other: pairs of `exclusive.csv`."""

import pytest

import bazi_core as bz
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.plan import Draft
from bazi_core.speech.statements.chart import pattern_plan
from tests.core.speech.drawn import births
from tests.core.speech.laws import clashes, pairs


def test_every_row_of_the_table_names_statements_of_the_catalogue():
    for row in pairs():
        for key in (row["one"], row["other"], row["unless"]):
            assert (
                any(name.startswith(key) if key.endswith(".") else name == key for name in catalogue())
                or not key
            )


def test_a_plan_that_holds_both_of_a_pair_is_found_out():
    plan = Draft({}, "0")
    for key in ("diagnosis.sound", "remedy.here"):
        plan.add(key)
    assert clashes(plan.plan()) == ["diagnosis.sound | remedy."]


@pytest.mark.exhaustive
def test_the_pattern_backs_no_choice_where_what_completes_it_is_said_to_be_another_element():
    met = 0
    for chart in births(80):
        statements = {each.key: each for each in pattern_plan(chart.pattern()).statements}
        opposed = statements.get("useful.opposed")
        for key in ("methods.united", "methods.split", "methods.single"):
            if opposed and key in statements:
                backed = {each.key for each in statements[key].values["methods"]}
                same = opposed.values["pattern_wants"] == statements[key].values["use"]
                assert same or "method.ge_ju" not in backed
                met += 1
    assert met > 4


def test_balance_and_pattern_are_told_apart_in_a_chart_that_wants_opposite_things():
    chart = bz.chart("1988-08-18 13:30", city="北京", gender="male")
    text = bz.read(chart, language="en", plain=False).reading.narrative("en")
    assert "completes the pattern, Water balances the day master" in text
    assert "balance of strength and the pattern" not in text
    assert "which makes the pattern, is of Metal, at a large share, and that is the adverse god" in text
    assert text.count("at about 37%") == 1
