"""The doctrine tables, held against the verses and formulas they stand for."""

from __future__ import annotations

import os
from collections import Counter

import pytest

import bazi_core.tables
from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STAGES, STEMS, TEN_GODS, Branch, Element, Stem
from bazi_core.tables import row_of, rows
from bazi_core.views.cycles import nayin, nayin_element
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god
from tests.tables import holds_for_all

# 《渊海子平·论天干地支暗藏总诀》, the strongest stem first.
HIDDEN = dict(
    line.split()
    for line in """子 癸|丑 己癸辛|寅 甲丙戊|卯 乙|辰 戊乙癸|巳 丙庚戊
午 丁己|未 己丁乙|申 庚壬戊|酉 辛|戌 戊辛丁|亥 壬甲""".replace("\n", "|").split("|")
)
# Days of each stem of the month in the list of thirty days.
COMMON_30 = """
子 壬10 癸20|丑 癸9 辛3 己18|寅 戊7 丙7 甲16|卯 甲10 乙20|辰 乙9 癸3 戊18|巳 戊5 庚9 丙16
午 丙10 己9 丁11|未 丁9 乙3 己18|申 戊7 壬7 庚16|酉 庚10 辛20|戌 辛9 丁3 戊18|亥 戊7 甲5 壬18
"""
# Where each stem is born; the yin stems of the first school run backwards from there.
BIRTHPLACES = {
    "yang_shun_yin_ni": "甲亥 乙午 丙寅 丁酉 戊寅 己酉 庚巳 辛子 壬申 癸卯",
    "yin_yang_tong_sheng": "甲亥 乙亥 丙寅 丁寅 戊寅 己寅 庚巳 辛巳 壬申 癸申",
    "water_earth_same": "甲亥 乙亥 丙寅 丁寅 戊申 己申 庚巳 辛巳 壬申 癸申",
}
NAMES = """
海中金 炉中火 大林木 路旁土 剑锋金 山头火 涧下水 城头土 白蜡金 杨柳木 泉中水 屋上土 霹雳火 松柏木 长流水
沙中金 山下火 平地木 壁上土 金箔金 覆灯火 天河水 大驿土 钗钏金 桑柘木 大溪水 沙中土 天上火 石榴木 大海水
"""


@holds_for_all("branch", BRANCHES)
def test_the_hidden_stems_are_those_of_the_verse_in_order_of_strength(branch):
    hidden = hidden_stems(branch)
    assert "".join(each.stem.value for each in hidden) == HIDDEN[branch.value]
    assert [each.rank for each in hidden] == list(range(1, len(hidden) + 1))
    assert hidden[0].stem.element is branch.element


@holds_for_all("branch", BRANCHES)
def test_the_words_for_the_qi_are_labels_of_the_rank(branch):
    labels = [each.qi for each in hidden_stems(branch)]
    second, third = ("余气", "中气") if branch.value in "丑辰未戌" else ("中气", "余气")
    assert labels == ["本气", second, third][: len(labels)]


@holds_for_all("branch", BRANCHES)
def test_the_weights_by_rank_are_100_or_70_30_or_60_30_10(branch):
    weights = [each.weight for each in hidden_stems(branch, "60_30_10")]
    assert weights == {1: [1.0], 2: [0.7, 0.3], 3: [0.6, 0.3, 0.1]}[len(weights)]


@holds_for_all("branch", BRANCHES)
def test_the_points_of_eight_add_up(branch):
    weights = [each.weight * 8 for each in hidden_stems(branch, "8pt")]
    assert sum(weights) == 8
    assert all(weight == int(weight) for weight in weights)
    assert sorted(weights, reverse=True) == {1: [8], 2: [5, 3], 3: [5, 2, 1]}[len(weights)]
    assert weights[0] == max(weights)


def siling_days(table: str) -> dict[str, list[tuple[str, int]]]:
    return {
        branch: [(part[0], int(part[1:])) for part in row_of("siling", table)[branch].split()]
        for branch in HIDDEN
    }


def test_the_commanders_of_a_month_are_those_of_the_list():
    listed = {line[0]: line[2:] for line in COMMON_30.replace("\n", "|").strip("|").split("|")}
    assert {branch: row_of("siling", "common_30")[branch] for branch in HIDDEN} == listed


@pytest.mark.parametrize("table", ["common_30", "china_testing"])
def test_the_commanders_of_a_month_fill_thirty_days_and_end_with_its_own_element(table):
    for branch, days in siling_days(table).items():
        assert sum(length for _, length in days) == 30
        assert days[-1][0] == HIDDEN[branch][0]


def test_the_two_lists_of_commanders_differ_in_the_month_of_shen_only():
    one, other = (siling_days(table) for table in ("common_30", "china_testing"))
    assert [branch for branch in HIDDEN if one[branch] != other[branch]] == ["申"]
    assert other["申"] == [("戊", 10), ("壬", 3), ("庚", 17)]


@holds_for_all("branch", BRANCHES)
def test_weights_by_days_are_the_days_of_the_common_list(branch):
    days = dict(siling_days("common_30")[branch.value])
    assert all(
        each.weight == round(days[each.stem.value] / 30, 4) for each in hidden_stems(branch, "siling_days")
    )


@pytest.mark.parametrize("school", BIRTHPLACES)
@pytest.mark.parametrize("stem", STEMS, ids=str)
def test_the_stages_run_from_the_birthplace_of_a_stem(school, stem):
    place = Branch(BIRTHPLACES[school].split()[stem.index][1])
    step = -1 if school == "yang_shun_yin_ni" and stem.index % 2 else 1
    found = [stage(stem, BRANCHES[(place.index + step * turn) % 12], school) for turn in range(12)]
    assert tuple(found) == STAGES


@holds_for_all("day", STEMS)
def test_a_ten_god_is_the_distance_of_the_elements_and_the_difference_of_polarity(day):
    for stem in STEMS:
        distance = (stem.element.index - day.element.index) % 5
        differs = stem.polarity is not day.polarity
        assert ten_god(day, stem) is TEN_GODS[2 * distance + differs]


def test_every_day_stem_has_every_ten_god_once():
    for day in STEMS:
        assert {ten_god(day, stem) for stem in STEMS} == set(TEN_GODS)


def test_the_names_of_the_nayin_are_those_of_the_song():
    assert [nayin(pillar) for pillar in PILLARS[::2]] == NAMES.split()
    assert all(nayin(pillar) == nayin(PILLARS[pillar.index ^ 1]) for pillar in PILLARS)


def test_the_element_of_a_nayin_is_the_sum_of_stem_and_branch():
    # 甲乙 1 … 壬癸 5; 子丑午未 1, 寅卯申酉 2, 辰巳戌亥 3; of the sum modulo 5: 1 木 2 金 3 水 4 火 5 土.
    of_sum = {1: "木", 2: "金", 3: "水", 4: "火", 5: "土"}
    for pillar in PILLARS:
        total = pillar.stem.index // 2 + 1 + pillar.branch.index % 6 // 2 + 1
        assert nayin_element(pillar).value == of_sum[(total - 1) % 5 + 1]


def test_every_element_has_twelve_nayin_pillars():
    assert Counter(nayin_element(pillar) for pillar in PILLARS) == dict.fromkeys(ELEMENTS, 12)
    assert Element("金") in Counter(nayin_element(pillar) for pillar in PILLARS)


def test_every_row_of_doctrine_names_its_source():
    for name in ("hidden_stems", "nayin", "siling", "stages", "ten_gods"):
        assert rows(name)
        assert all(row["source"].strip() for row in rows(name))


def test_every_table_opens_with_a_line_that_says_what_it_is():
    folder = os.path.dirname(bazi_core.tables.__file__)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".csv"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                assert file.readline().startswith("# "), name


def test_no_cell_is_empty_or_padded():
    for name in ("hidden_stems", "nayin", "siling", "stages", "ten_gods"):
        for row in rows(name):
            assert all(cell == cell.strip() and cell for cell in row.values()), (name, row)


def test_a_row_of_a_school_that_is_not_there_is_an_error():
    with pytest.raises((StopIteration, LookupError)):
        row_of("siling", "nonsense")


def test_stems_read_from_cells_are_stems():
    assert hidden_stems(Branch("丑"))[0].stem is Stem("己")
