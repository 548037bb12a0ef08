"""五行: three distributions, the state of the month, the shares of the classes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, ELEMENTS
from bazi_core.pillars import FourPillars
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.views.elements import elements, percents, states
from bazi_core.views.groups import complete_groups, groups_through, half_groups
from tests.core.pattern.drawn import ANY_PILLARS

SANHE = {"申子辰": "水", "亥卯未": "木", "寅午戌": "火", "巳酉丑": "金"}
SANHUI = {"亥子丑": "水", "寅卯辰": "木", "巳午未": "火", "申酉戌": "金"}


def indices(chars: str) -> list[int]:
    return [BRANCHES.index(bz.Branch(char)) for char in chars]


def of(pillars: str, **options: str):
    return elements(FourPillars.parse(pillars, strict=False), School(**options))


def test_plain_counts_eight_characters_by_stem_and_main_qi():
    # 庚午 辛巳 庚辰 壬午: 庚辛庚 metal, 壬 water; 午巳午 fire, 辰 earth.
    assert of("庚午 辛巳 庚辰 壬午").plain == (0, 3, 1, 3, 1)


def test_plain_counts_six_characters_without_the_hour():
    assert sum(of("庚午 辛巳 庚辰").plain) == 6


def test_hidden_splits_the_branches():
    # 午 丁.7 己.3 twice, 巳 丙.6 庚.3 戊.1, 辰 戊.6 乙.3 癸.1.
    assert of("庚午 辛巳 庚辰 壬午").hidden == pytest.approx((0.3, 2.0, 1.3, 3.3, 1.1))


def test_seasonal_weighs_positions_then_the_season():
    # Before the season: wood .45, fire .8·.7 + 3·.6 + 1.2·.7 = 3.2, earth .24 + .3 + .9 + .36 = 1.8,
    # metal .7 + 1 + 1 + .9 = 3.6, water 1 + .15 = 1.15; in 巳 × .95, 1.2, 1.1, .85, .9.
    assert of("庚午 辛巳 庚辰 壬午").seasonal == (4, 37, 19, 30, 10)


def test_shares_leave_out_the_day_stem_and_the_season():
    assert of("庚午 辛巳 庚辰 壬午").shares == pytest.approx(
        (2.6 / 9.2, 1.15 / 9.2, 0.45 / 9.2, 3.2 / 9.2, 1.8 / 9.2)
    )


def test_a_branch_beside_its_opposite_loses_a_quarter_but_the_month_does_not():
    # 子 of the year beside 午 of the month: .8 × .75 of water, fire whole.
    beside, apart = of("甲子 庚午 甲寅 甲子"), of("甲寅 庚午 甲寅 甲子")
    assert beside.shares[4] == pytest.approx((0.6 + 1.2) / _total("甲子 庚午 甲寅 甲子"))
    assert apart.shares[4] == pytest.approx(1.2 / _total("甲寅 庚午 甲寅 甲子"))


def _total(pillars: str) -> float:
    """All weight of a chart, reckoned from the positions: what is left of the year when clashed, and groups."""
    branches = [pillar[1] for pillar in pillars.split()]
    clashed = 0.75 if (branches[0], branches[1]) == ("子", "午") else 1.0
    # 寅午 is two branches of a 三合 with 午 in it.
    return 0.7 + 1 + 1 + 0.8 * clashed + 3 + 1.5 + 1.2 + 0.4


def test_a_complete_group_adds_to_its_element():
    whole, broken = of("甲申 丙子 甲辰 甲戌"), of("甲申 丙子 甲戌 甲戌")
    assert whole.shares[4] > broken.shares[4]


@pytest.mark.parametrize(("chars", "element"), SANHE.items())
def test_sanhe_is_found_in_any_order_and_with_another_branch(chars, element):
    assert ("三合", "木火土金水".index(element)) in complete_groups(indices(chars[::-1] + "丑"))
    assert complete_groups(indices(chars[:2])) == []


@pytest.mark.parametrize(("chars", "element"), SANHUI.items())
def test_sanhui_is_found_in_any_order(chars, element):
    assert ("三会", "木火土金水".index(element)) in complete_groups(indices(chars[::-1]))


def test_half_groups_need_their_middle_branch_and_not_the_third():
    assert half_groups(indices("申子")) == [("半合", 4)]
    assert half_groups(indices("申辰")) == []
    assert half_groups(indices("申子辰")) == []
    assert half_groups(indices("子子")) == []


def test_a_branch_belongs_to_at_most_two_groups():
    assert groups_through(indices("子")[0], indices("申子辰亥丑")) == [("三合", 4), ("三会", 4)]
    assert groups_through(indices("丑")[0], indices("申子辰")) == []


def test_the_season_is_that_of_the_month():
    assert states(indices("辰")[0]) == ("囚", "休", "旺", "相", "死")
    assert [row["木"] for row in rows("wang_xiang")] == list("相囚旺旺囚休休囚死死囚相")


def test_each_row_of_the_season_follows_from_the_element_in_command():
    order = ("旺", "相", "死", "囚", "休")
    for branch in BRANCHES:
        command = branch.element.index
        assert all(states(branch.index)[(command + step) % 5] == word for step, word in enumerate(order))


def test_earth_months_may_become_earth_only_in_their_last_eighteen_days():
    early = bz.chart("2024-04-10 12:00", city="北京", school=School(earth_season="last_18_days"))
    late = bz.chart("2024-04-28 12:00", city="北京", school=School(earth_season="last_18_days"))
    whole = bz.chart("2024-04-10 12:00", city="北京")
    assert early.pillars.month == late.pillars.month == bz.Pillar("戊辰")
    assert early.elements.state[0] == "旺"
    assert late.elements.state == whole.elements.state == ("囚", "休", "旺", "相", "死")
    assert early.elements.shares == whole.elements.shares


def test_a_missing_element_has_no_stem_and_no_main_qi():
    found = of("庚午 辛巳 庚辰 壬午")
    assert [element.value for element in found.missing] == ["木"]
    assert found.dominant is ELEMENTS[1]


@given(ANY_PILLARS, st.sampled_from(["60_30_10", "8pt", "siling_days"]))
def test_percents_sum_to_a_hundred_and_shares_to_one(pillars, weights):
    found = of(pillars, hidden_weights=weights)
    assert sum(found.seasonal) == 100
    assert sum(found.shares) == pytest.approx(1)
    assert sum(found.plain) == 8


@given(ANY_PILLARS)
def test_hidden_sums_to_the_eight_characters(pillars):
    assert sum(of(pillars).hidden) == pytest.approx(8)


@given(st.lists(st.floats(0.0, 100.0), min_size=5, max_size=5).filter(lambda amounts: sum(amounts) > 1e-6))
def test_the_largest_remainder_leaves_no_share_more_than_one_off(amounts):
    found = percents(amounts)
    assert sum(found) == 100
    assert all(
        abs(100 * amount / sum(amounts) - share) < 1 for amount, share in zip(amounts, found, strict=True)
    )
