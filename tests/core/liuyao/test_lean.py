"""To which side a cast leans: what the whole line undoes counts nothing, and a condition is one that holds."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core.liuyao.hexagrams import clash
from bazi_core.liuyao.marks import tomb
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.statements.cast import leaning
from bazi_core.speech.statements.cast_words import STANCES
from tests.core.liuyao.casts import analysis
from tests.core.speech.drawn import planned_casts
from tests.sizes import sizes

CONDITIONS = (
    "void", "broken", "stored", "bound", "turned", "emptied", "shattered", "ended", "retreats", "shut", "backed",
    "harmer", "fed", "pressed", "helper", "weak", "own",
)  # fmt: skip
TAILS = {"rather": "firm", "open": "open", "hardly": "turn", "no": "turn"}


@sizes(60, 2000)
def test_what_the_whole_line_undoes_is_no_reason_of_a_verdict(count):
    undone: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        own, line = found.subject.state, found.subject.line
        reasons = {
            part.key for each in plan.statements if each.key.startswith("cast.why.")
            for part in each.values.values() if getattr(part, "key", "").startswith("cast.by.")
        }  # fmt: skip
        if line is not None and own.void and own.day_clashed:
            assert "cast.by.void" not in reasons, found
            undone["filled"] += 1
        if found.subject.moving and "合" in own.day:
            assert "cast.by.day.合" not in reasons, found
            undone["held"] += 1
    assert {*undone} == {"filled", "held"}


@sizes(80, 2000)
def test_the_one_condition_of_a_verdict_names_what_holds_the_line_back(count):
    seen: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        told = [each for each in plan.statements if each.key.startswith("cast.condition.")]
        lean = leaning(found)
        assert lean.name in STANCES
        assert not told or (lean.name != "yes" and told[0].key == f"cast.condition.{TAILS[lean.name]}")
        for each in told:
            own, line = found.subject.state, found.subject.line
            what = each.values["what"]
            kind = what.key.removeprefix("cast.if.").removesuffix(".by")
            assert what.key.endswith(".by") is ("wait" in what.values)
            assert kind != "void" or (own.void and not own.day_clashed)
            assert kind != "broken" or (own.month_broken and "临" not in own.day)
            assert kind != "weak" or not own.is_prosperous
            if kind in ("bound", "turned", "emptied", "shattered", "ended", "retreats", "shut", "backed"):
                assert line.moving
            if kind in ("harmer", "fed", "helper"):
                stands = found.standings[what.values["place"].position - 1]
                assert stands.kind in (("spent",) if kind == "helper" else ("acts", "faint"))
            seen[kind] += 1
    assert {*seen} >= {"void", "broken", "bound", "harmer", "weak"}
    assert {*seen} & {"turned", "emptied", "shattered", "ended", "retreats", "shut"}


def test_every_condition_has_its_words():
    assert {f"cast.if.{each}" for each in CONDITIONS} == {
        key.removesuffix(".by") for key in catalogue() if key.startswith("cast.if.")
    }


def test_a_condition_names_the_branch_that_brings_it_by_the_rule_by_which_the_time_is_told():
    seen = set()
    for found, plan in planned_casts(200):
        told = plan.statements
        times = [each for each in told if each.key.startswith("cast.times.") and "how" in each.values]
        for each in told:
            what = each.values.get("what")
            if each.key.startswith("cast.condition.") and "wait" in what.values:
                seen.add(what.key)
                branch = what.values["wait"].values["branch"].hanzi
                named = [
                    rule
                    for number, rule in enumerate(found.waits, 1)
                    if f"ly.timing.{number}" in each.evidence
                ]
                assert [branch in (sign.value for sign in rule.branches) for rule in named] == [True]
                assert times[0].values["triggers"][0].hanzi == named[0].trigger
                assert branch == times[0].values["how"].values["first"].values["branch"][0].hanzi
                if what.key == "cast.if.stored.by":
                    assert branch == clash(tomb(found.subject.state.element)).value
    assert len(seen) >= 4


@pytest.mark.parametrize(
    ("month", "day", "stance"), [("寅", "丁卯", "yes"), ("申", "庚申", "no")]
)  # fmt: skip
def test_a_line_that_month_and_day_stand_on_leans_for_and_one_that_both_control_against(month, day, stance):
    # 兄弟 is wood in 巽为风, at line 6.
    assert leaning(analysis("巽", month=month, day=day, ask="其他")).name == stance
