"""用神: each method by itself, their sum, the order of the roles, dissent."""

from __future__ import annotations

import pytest
from hypothesis import given

import bazi_core as bz
from bazi_core.alphabet import Stem
from bazi_core.pattern import useful
from bazi_core.pattern.climate import required_stems
from bazi_core.pillars import FourPillars
from bazi_core.school import YONG_WEIGHTS, School
from bazi_core.structures.class_shares import ClassShares
from bazi_core.structures.class_shares import sight as sight_of
from bazi_core.tables import rows
from tests.core.pattern.drawn import ANY_PILLARS, of

NONE = dict.fromkeys(YONG_WEIGHTS, 0.0)


def sight(pillars: str, g=(0.2, 0.2, 0.2, 0.2, 0.2), root=(1.0, 1.0, 1.0, 1.0, 1.0)) -> ClassShares:
    return sight_of(FourPillars.parse(pillars, strict=False), g, root)


def test_a_strong_day_master_is_drained_taxed_and_controlled():
    vote = useful._support(sight("庚午 辛巳 庚辰 壬午", (0.4, 0.2, 0.1, 0.1, 0.2)), True, YONG_WEIGHTS)
    assert vote.points == pytest.approx((-2.0, 1.2, 0.7, 0.9, -2.0))


def test_too_much_resource_asks_for_wealth():
    vote = useful._support(sight("庚午 辛巳 庚辰 壬午", (0.1, 0.1, 0.1, 0.1, 0.6)), True, YONG_WEIGHTS)
    assert vote.points == pytest.approx((-2.0, 1.0, 1.7, 0.7, -2.0))


def test_a_weak_day_master_is_fed_and_helped():
    vote = useful._support(sight("庚午 辛巳 庚辰 壬午", (0.1, 0.2, 0.3, 0.3, 0.1)), False, YONG_WEIGHTS)
    assert vote.points == pytest.approx((1.2, -0.35, -2.0, -2.0, 2.0))


def test_the_pattern_asks_in_the_order_of_its_row():
    strong, weak = (useful._by_pattern("印格", each, YONG_WEIGHTS).points for each in (True, False))
    assert strong == pytest.approx((0, 0.3, 0.5, 0, 0))
    assert weak == pytest.approx((0, 0, 0, 0.5, 0.3))
    assert useful._by_pattern("七杀格", False, YONG_WEIGHTS).points == pytest.approx((0, 0, 0, 0, 0.5))


def test_cold_months_want_fire_and_hot_ones_water():
    winter = useful._climate(sight("甲子 丙子 甲子 甲子"), {**NONE, "tiao_hou_cold": 0.7})
    summer = useful._climate(sight("甲子 庚午 甲子 甲子"), {**NONE, "tiao_hou_hot": 0.5})
    spring = useful._climate(sight("甲子 丁卯 甲子 甲子"), {**NONE, "tiao_hou_cold": 1, "tiao_hou_hot": 1})
    assert winter.points == (0, 0.7, 0, 0, 0)
    assert summer.points == (0, 0, 0, 0, 0.5)
    assert spring.points == (0, 0, 0, 0, 0)


def test_the_climate_table_speaks_for_its_first_two_stems():
    # 庚 in 巳: 壬 戊 丙 丁.
    vote = useful._climate(sight("庚午 辛巳 庚辰 壬午"), {**NONE, "tiao_hou_table": 0.3})
    assert vote.points == pytest.approx((0, 0.3, 0, 0, 0.18))


@pytest.mark.parametrize(
    ("g", "between"),
    [
        ((0.35, 0.1, 0.35, 0.1, 0.1), 1),  # 比劫 controls 财: 食伤
        ((0.1, 0.1, 0.32, 0.08, 0.4), 3),  # 财 controls 印: 官杀
        ((0.1, 0.4, 0.1, 0.3, 0.1), 2),  # 食伤 controls 官杀: 财
        ((0.4, 0.3, 0.1, 0.1, 0.1), None),  # neighbours generate, they do not fight
        ((0.5, 0.1, 0.3, 0.05, 0.05), None),  # too unequal
        ((0.27, 0.19, 0.27, 0.15, 0.12), None),  # neither is great
    ],
)
def test_two_equal_powers_want_the_one_between(g, between):
    points = useful._mediation(sight("庚午 辛巳 庚辰 壬午", g), YONG_WEIGHTS).points
    assert points == tuple(0.5 * (k == between) for k in range(5))


def test_what_is_present_and_rooted_is_preferred():
    # 庚 day, 巳 month: 庚辛壬 show (比劫, 食伤); fire is in the month; wood has neither stem nor root here.
    vote = useful._presence(sight("庚午 辛巳 庚辰 壬午", root=(0.0, 2.0, 1.0, 0.5, 0.0)), YONG_WEIGHTS)
    assert vote.points == pytest.approx((0.5 + 0.2, 0.5, -1.0, 0.6 + 0.2, 0.4))


def test_the_attacker_of_the_best_candidate_is_an_illness_with_a_medicine():
    ill = sight("庚午 辛巳 庚辰 壬午", (0.1, 0.1, 0.4, 0.2, 0.2))
    # Best 印; 财 attacks it with a share of .4: 比劫 controls 财.
    assert useful._remedy(ill, [0, 0, 0, 0, 1.0], YONG_WEIGHTS).points == (0.5, 0, 0, 0, 0)
    well = sight("庚午 辛巳 庚辰 壬午", (0.3, 0.2, 0.2, 0.1, 0.2))
    assert useful._remedy(well, [0, 0, 0, 0, 1.0], YONG_WEIGHTS).points == (0, 0, 0, 0, 0)


def test_the_methods_are_summed_and_dissent_is_kept():
    found = of("庚午 辛巳 庚辰 壬午").useful
    for element in found.order:
        k = (element.index - 3) % 5
        assert found.scores[element.index] == pytest.approx(
            sum(vote.points[k] for vote in found.votes if vote.points)
        )
    first = found.order[0]
    assert set(found.dissent) == {
        vote.method for vote in found.votes if vote.element not in (None, first) and vote.method != "presence"
    }


@given(ANY_PILLARS)
def test_the_five_elements_have_the_five_roles(pillars):
    found = of(pillars)
    assert sorted(found.roles) == sorted(useful.ROLES)
    assert 0 <= found.useful.confidence <= 1
    assert [element.value for element in found.useful_gods] == found.to_dict(facts=False)["useful_gods"]


@given(ANY_PILLARS)
def test_a_method_without_weight_changes_nothing(pillars):
    found = of(pillars, yong_weights={**NONE, "fu_yi": 1.0})
    if found.special is None:
        others = [vote for vote in found.useful.votes if vote.method != "fu_yi"]
        assert all(not any(vote.points) for vote in others)
        assert found.useful.order[0] is found.useful.votes[0].element


def test_profiles_weigh_the_methods_differently():
    def weights(profile: str) -> dict[str, float]:
        return dict(School.named(profile).yong_weights)

    assert weights("ziping") == YONG_WEIGHTS
    assert (weights("ditiansui")["ge_ju"], weights("ditiansui")["tiao_hou_table"]) == (0, 0)
    assert (weights("qiongtong")["fu_yi"], weights("qiongtong")["tiao_hou_table"]) == (0.5, 1.0)


def test_a_close_decision_is_a_warning():
    charts = [bz.chart(pillars=f"甲子 丙子 {day.value} {hour}").pattern() for day, hour in _winter_hours()]
    for found in charts:
        close = found.special is None and found.useful.margin < 0.1
        assert ("USEFUL_GOD_CLOSE" in {doubt.code for doubt in found.warnings}) == close
    assert any(found.warnings for found in charts)
    assert any(not found.warnings for found in charts)


def _winter_hours():
    from bazi_core.pillars import five_rats

    for day in list(bz.Pillar)[::4]:
        yield day, five_rats(day.stem, bz.Branch("巳")).value


def test_without_judgement_every_element_is_neutral():
    found = of("庚午 辛巳 庚辰 壬午", judgement="facts")
    made = found.to_dict()
    assert set(found.roles) == {"闲神"}
    assert (made["pattern_type"], made["useful_gods"], made["strength"]) == ("未论", [], None)
    assert not [name for name in made["facts"] if name.startswith(("yong.", "pat.", "sp."))]


@pytest.mark.parametrize(
    ("day", "month", "stems"), [("甲", "寅", "丙癸"), ("庚", "巳", "壬戊丙丁"), ("癸", "丑", "丙丁")]
)
def test_the_climate_table_is_that_of_the_book(day, month, stems):
    assert "".join(stem.value for stem in required_stems(Stem(day), bz.Branch(month))) == stems


def test_the_climate_table_has_a_hundred_and_twenty_cells():
    own = [row for row in rows("tiaohou") if row["school"] == "qiongtong"]
    cells = {(row["day"], month): row[month] for row in own for month in "寅卯辰巳午未申酉戌亥子丑"}
    assert len(cells) == 120
    assert all(cells.values())
    others = {
        school: {
            (row["day"], month): row[month] or cells[row["day"], month]
            for row in rows("tiaohou")
            if row["school"] == school
            for month in "寅卯辰巳午未申酉戌亥子丑"
        }
        for school in ("china_testing", "korean_johu")
    }
    first = {school: sum(cells[key][0] == table[key][0] for key in cells) for school, table in others.items()}
    assert first == {"china_testing": 118, "korean_johu": 97}
    assert all(
        cells[key][0] in (others["china_testing"][key][0], others["korean_johu"][key][0]) for key in cells
    )


def test_cold_and_hot_months_are_urgent():
    assert of("庚午 辛巳 庚辰 壬午").climate.urgency == "urgent"
    assert of("庚午 庚辰 庚辰 壬午").climate.urgency == "normal"
