"""旺衰: three tests, four methods, one verdict that names its method."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, ELEMENTS, Stem
from bazi_core.school import OPTIONS, School
from bazi_core.views.certainty import observed
from bazi_core.views.stages import stage
from bazi_core.views.strength import _units, class_of
from tests.core.pattern.drawn import ANY_PILLARS

YANG_STEMS = dict(zip("木火土金水", "甲丙戊庚壬", strict=True))


def of(pillars: str, **options: str):
    school = School(validate="warn", **options)
    found = bz.chart(pillars=pillars, school=school).strength
    assert found is not None
    return found


def test_season_roots_and_company_each_have_a_reason_and_evidence():
    found = bz.chart("1990-05-15 13:30", city="北京", gender="male").strength
    # Metal in 巳 is dead (0), 庚 itself is in command (+10); one root in 巳 (rank 2, month); 庚 and 辛 beside it.
    assert (found.deling.score, found.deling.reason) == (10, "金在巳月为死，庚司令相助")
    assert found.deling.evidence == ("wx.state.金", "sl.month")
    assert found.dedi.score == round(100 * 1.5 * 0.5 / 4.5)
    assert found.dedi.evidence == ("root.day_master.month.2",)
    assert found.deshi.score == round(100 * 2 / 3)
    assert set(found.deshi.evidence) == {"tg.year.stem", "tg.month.stem"}


def test_given_pillars_have_no_commanding_stem():
    found = of("庚午 辛巳 庚辰 壬午").deling
    assert (found.score, found.reason, found.evidence) == (0, "金在巳月为死", ("wx.state.金",))


def test_a_helper_without_root_counts_half():
    # 甲 day in 申 month: 壬 of the hour is rooted in 申, 乙 of the year nowhere when no branch hides wood.
    rooted, rootless = of("壬申 庚戌 甲戌 壬申"), of("乙酉 庚辰 甲申 庚午")
    assert rooted.deshi.score == round(100 * 2 / 3)
    assert rootless.deshi.score == round(100 * 1 / 3)


def test_a_day_master_without_root_has_no_ground():
    found = of("丁巳 丙午 甲午 丙戌")
    assert (found.dedi.score, found.dedi.reason) == (0, "无根")
    assert found.dedi.evidence == ("root.day_master.none",)


@pytest.mark.parametrize(
    ("share", "level"),
    [(0.14, "极弱"), (0.31, "弱"), (0.41, "偏弱"), (0.51, "偏强"), (0.74, "强"), (0.76, "极强")],
)
def test_levels_follow_the_share(share, level):
    from bazi_core.views.strength import THRESHOLD, _level

    assert _level(share, share >= THRESHOLD) == level


def test_a_level_never_contradicts_the_verdict_of_another_method():
    from bazi_core.views.strength import _level

    assert (_level(0.30, True), _level(0.60, False)) == ("偏强", "偏弱")


def test_plain_count_needs_half_of_eight_with_the_month_twice():
    # 甲 day: 寅 twice (month), 乙, 癸 support: four of eight.
    assert of("乙酉 戊寅 甲戌 丙戌", strength_method="plain_count_month2").verdict == "身弱"
    assert of("乙酉 戊寅 甲戌 癸酉", strength_method="plain_count_month2").verdict == "身强"


def test_month_command_asks_only_the_month():
    assert of("庚申 戊寅 甲申 庚午", strength_method="month_command").verdict == "身强"
    assert of("甲寅 丙午 甲寅 甲子", strength_method="month_command").verdict == "身弱"


def test_root_units_are_the_stages_of_the_yang_stem():
    for element in ELEMENTS:
        for branch in BRANCHES:
            units = _units()[element.index][branch.index]
            name = stage(Stem(YANG_STEMS[element.value]), branch).value
            if element.value == "土":
                # Earth stands with fire and on its own branches.
                expected = 3 if branch.value in "寅巳午" else 2 if branch.value in "辰戌丑未" else 0
            else:
                expected = {"长生": 3, "临官": 3, "帝旺": 3, "衰": 2, "墓": 1}.get(name, 0)
            assert units == expected, (element, branch)


def test_six_units_make_a_day_master_strong():
    # 甲: 寅 3 + 卯 3 = 6; 寅 3 + 辰 2 = 5.
    assert of("庚午 戊寅 甲午 丁卯", strength_method="root_units").verdict == "身强"
    assert of("庚午 戊寅 甲午 戊辰", strength_method="root_units").verdict == "身弱"


def test_majority_of_three_follows_two_of_them():
    for pillars in (
        "庚午 辛巳 庚辰 壬午", "甲子 丙子 甲子 甲子", "乙酉 戊寅 甲戌 癸酉", "丙戌 戊戌 乙卯 己卯",
    ):  # fmt: skip
        votes = of(pillars).method_votes
        three = [votes[name] for name in ("weighted_v1", "plain_count_month2", "root_units")]
        assert of(pillars, strength_method="majority_3").verdict == max(set(three), key=three.count)


@pytest.mark.parametrize("method", OPTIONS["strength_method"])
def test_every_result_names_its_method_and_all_votes(method):
    found = of("庚午 辛巳 庚辰 壬午", strength_method=method)
    assert found.method == method
    assert set(found.method_votes) == set(OPTIONS["strength_method"]) - {"majority_3"}
    assert found.agreement == list(found.method_votes.values()).count(found.verdict)


@given(ANY_PILLARS)
def test_balance_and_level_agree_with_the_share(pillars):
    found = of(pillars)
    assert found.is_strong == (found.support_share >= found.threshold)
    assert found.balanced == (abs(found.support_share - found.threshold) <= 0.03)
    assert found.level == "两可" or (found.level in ("偏强", "强", "极强")) == found.is_strong
    assert all(0 <= each.score <= 100 for each in (found.deling, found.dedi, found.deshi))


@given(ANY_PILLARS)
def test_every_ground_of_the_verdict_is_a_fact(pillars):
    chart = bz.chart(pillars=pillars, school=School(validate="warn"))
    for test in (chart.strength.deling, chart.strength.dedi, chart.strength.deshi):
        assert set(test.evidence) <= set(chart.facts)


@given(ANY_PILLARS, st.sampled_from(OPTIONS["strength_method"]))
def test_how_sure_a_verdict_is_follows_from_how_many_methods_share_it(pillars, method):
    found = of(pillars, strength_method=method)
    assert found.certainty == ("open", "open", "open", "leaning", "settled")[found.agreement]
    assert found.is_open == (found.agreement <= 2) == (found.level == "两可")
    assert found.confidence == observed(f"strength.{found.agreement}").share


@given(ANY_PILLARS)
def test_the_other_verdict_has_the_other_votes_and_what_is_left_of_the_share(pillars):
    found = of(pillars)
    other = found.other
    assert {found.verdict, other.verdict} == {"身强", "身弱"}
    assert other.agreement == list(found.method_votes.values()).count(other.verdict)
    assert other.confidence == pytest.approx(1 - found.confidence)
    assert other.other == found
    if found.is_open:
        assert (other.certainty, other.level) == ("open", "两可")


def test_classes_run_in_the_order_of_generation_from_the_day_master():
    assert [class_of(Stem("庚"), element) for element in ELEMENTS] == [2, 3, 4, 0, 1]


def test_an_unknown_hour_is_judged_on_three_pillars():
    found = bz.chart("1990-05-15", hour_unknown=True, city="北京", gender="female").strength
    assert found.verdict in ("身强", "身弱")
    assert found.deshi.score == 100


def test_a_school_without_judgement_gives_no_strength():
    assert bz.chart(pillars="庚午 辛巳 庚辰 壬午", school=School(judgement="facts")).strength is None


def test_doubt_about_strength_is_a_warning():
    def doubts(pillars: str) -> list[str]:
        return [doubt.code for doubt in bz.chart(pillars=pillars, gender="male").warnings]

    assert doubts("庚午 辛巳 庚辰 壬午") == ["METHODS_DISAGREE"]
    assert doubts("庚申 乙酉 庚戌 庚辰") == []
    weights = bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male", school=School(hidden_weights="8pt"))
    assert "THRESHOLDS_NOT_CALIBRATED" in {doubt.code for doubt in weights.warnings}
