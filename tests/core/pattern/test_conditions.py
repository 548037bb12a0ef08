"""The words of the table, each by charts made for it."""

from __future__ import annotations

import random
from itertools import product

import pytest

import bazi_core as bz
from bazi_core.alphabet import STEMS
from bazi_core.pattern.conditions import HEAVY, LIGHT, Scene, gods_named, terms
from bazi_core.pattern.order import Regular, regular
from bazi_core.pillars import FourPillars
from bazi_core.school import School
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.ten_gods import ten_god
from tests.core.pattern.drawn import possible
from tests.tables import holds_for_all

WARN = School(validate="warn")
EVEN = (0.2, 0.2, 0.2, 0.2, 0.2)


def scene(
    pillars: str, shares: tuple[float, ...] = EVEN, strong: bool = True, order: Regular | None = None
) -> Scene:
    chart = bz.chart(pillars=pillars, school=WARN)
    order = order or regular(chart.pillars, chart.school)
    return Scene(chart.pillars, order, chart.relations, chart.roots, shares, strong)


def holds(pillars: str, predicate: str, **given) -> bool:
    seen = scene(pillars, **given)
    return all(seen.holds(term) for term in terms(predicate))


# Stems: 露 透 合 根 有 邻.


@holds_for_all(
    "pillars, bound",
    [
        # Neighbours: 乙 and 庚, year and month.
        ("乙酉 庚辰 甲午 戊辰", {"year", "month"}),
        # Month and hour, the day stem between them.
        ("辛丑 庚寅 甲辰 乙亥", {"month", "hour"}),
        # Year and hour are too far apart.
        ("甲子 丙寅 丙子 己丑", set()),
        # What the day stem itself combines stays its own, though an equal stem of the hour would have it.
        ("壬午 庚戌 乙卯 乙酉", set()),
        # The equal stem of the year is there before the day stem.
        ("乙酉 庚辰 乙卯 丙子", {"year", "month"}),
        # Two that want one: both are bound with it.
        ("庚午 乙酉 甲子 庚午", {"year", "month", "hour"}),
        ("甲子 丙寅 丙子 戊子", set()),
        ("乙酉 庚辰 甲午", {"year", "month"}),
    ],
)
def test_a_stem_is_combined_away_by_its_neighbour(pillars, bound):
    assert set(scene(pillars).bound) == bound


def test_a_stem_that_is_combined_away_stands_but_does_not_act():
    pillars = "乙酉 庚辰 甲午 戊辰"
    assert holds(pillars, "露 七杀 & 合 七杀 & !透 七杀")
    assert holds(pillars, "露 财 & 透 财 & !合 财")
    assert not holds(pillars, "露 印")


def test_the_evidence_of_a_combination_is_the_stem_and_what_binds_it():
    seen = scene("乙酉 庚辰 甲午 戊辰")
    (term,) = terms("合 七杀")
    assert seen.ids(term) == ("tg.month.stem", "rel.干合.乙庚.year-month")


def test_what_rests_on_the_absence_of_a_stem_rests_on_all_that_stand():
    (term,) = terms("!露 印")
    assert scene("乙酉 庚辰 甲午 戊辰").ids(term) == ("tg.year.stem", "tg.month.stem", "tg.hour.stem")


def test_a_root_is_a_hidden_stem_of_the_same_element():
    # 戊 in 辰 and 未; no metal for 庚.
    assert holds("庚辰 戊子 戊寅 癸丑", "根 比劫")
    assert not holds("庚辰 戊子 戊寅 甲寅", "根 食神")
    (term,) = terms("根 食神")
    assert scene("庚辰 戊子 戊寅 甲寅").ids(term) == ("root.year.none",)


def test_a_root_that_a_clash_breaks_is_none():
    # 丁 of the year has its only root in 午 of the day, which loses against 子 of the month.
    assert not holds("丁酉 壬子 丙午 壬辰", "根 劫财")
    assert holds("丁酉 壬寅 丙午 己丑", "根 劫财")


def test_a_god_is_there_when_it_stands_or_is_the_main_qi_of_a_branch():
    # 甲 day: 酉 is officer without a stem of it; 辛 in 戌 is not the main qi.
    assert holds("丁酉 壬寅 甲子 丙寅", "有 正官 & !露 正官")
    assert not holds("丁卯 壬寅 甲戌 丙寅", "有 正官")
    assert holds("辛卯 庚寅 甲戌 丙寅", "有 正官")


@pytest.mark.parametrize(
    ("pillars", "beside"),
    [("甲子 戊辰 甲子 甲子", False), ("壬子 戊申 甲子 甲子", True), ("戊子 壬戌 甲子 甲子", True)],
)
def test_only_year_and_month_are_neighbours(pillars, beside):
    assert holds(pillars, "邻 财 印") is beside
    assert holds(pillars, "邻 印 财") is beside


# Shares, strength, day stem.


def test_heavy_and_light_are_shares_of_a_class_with_room_between():
    shares = (HEAVY, LIGHT, LIGHT - 0.01, 0.3, 0.0)
    assert holds("甲子 丙寅 丙子 戊子", "重 比劫 & !轻 比劫", shares=shares)
    assert holds("甲子 丙寅 丙子 戊子", "!重 食伤 & !轻 食伤", shares=shares)
    assert holds("甲子 丙寅 丙子 戊子", "轻 财 & !重 官杀 & !轻 官杀 & 轻 印", shares=shares)
    assert holds("甲子 丙寅 丙子 戊子", "比劫 > 财 & !食伤 > 官杀", shares=shares)


def test_equal_shares_outweigh_neither():
    assert holds("甲子 丙寅 丙子 戊子", "!比劫 > 财 & !财 > 比劫")


def test_shares_rest_on_the_element_of_their_class():
    (term,) = terms("比劫 > 财")
    assert scene("甲子 丙寅 丙子 戊子").ids(term) == ("wx.seasonal.火", "wx.seasonal.金")


def test_strength_is_the_verdict_that_is_given():
    assert holds("甲子 丙寅 丙子 戊子", "身强", strong=True)
    assert holds("甲子 丙寅 丙子 戊子", "!身强", strong=False)
    assert scene("甲子 丙寅 丙子 戊子").ids(terms("身强")[0]) == ("str.verdict",)


def test_the_day_stem_has_an_element():
    assert holds("甲子 丙寅 丙子 戊子", "日 火 & !日 金")


# The branch of the month: 月 and 解.


def test_a_clash_of_the_month_may_be_resolved_by_a_joining():
    # 卯 of the hour clashes 酉 of the month; 辰 beside 酉 joins it.
    assert holds("辛丑 丁酉 甲辰 丁卯", "月 冲 & 解 冲")
    assert holds("辛巳 乙未 戊申 癸丑", "月 冲 & !解 冲")
    assert not holds("辛丑 丁酉 甲辰 甲子", "月 冲")
    assert not holds("辛丑 丁酉 甲辰 甲子", "解 冲")


def test_a_clash_between_other_branches_leaves_the_month_alone():
    assert not holds("甲子 丙寅 甲午 丁卯", "月 冲")


def test_a_clash_of_earth_with_earth_does_not_harm_earth_that_is_wanted():
    # 丑 and 未 of year and month. Officer 乙 of a 戊 day suffers; officer 己 of a 壬 day is what is clashed.
    assert holds("乙丑 癸未 戊申 壬子", "月 冲")
    assert regular(FourPillars.parse("己丑 辛未 壬申 庚子"), School()).stem.value == "己"
    assert not holds("己丑 辛未 壬申 庚子", "月 冲")


@pytest.mark.parametrize(
    ("pillars", "punished"),
    [
        # 子 and 卯 punish each other.
        ("戊辰 甲子 丙辰 辛卯", True),
        # 寅 and 巳 are a part of 寅巳申 only; with 申 they are whole.
        ("丁丑 壬寅 己巳 丙寅", False),
        ("丁丑 壬寅 己巳 壬申", True),
        # 午 with itself.
        ("丙午 甲午 辛丑 戊子", False),
    ],
)
def test_the_month_is_punished_by_the_pair_or_by_the_whole_three(pillars, punished):
    assert holds(pillars, "月 刑") is punished


def test_slight_harm_counts_from_a_neighbour_that_nothing_holds_back():
    assert holds("戊午 乙卯 戊辰 丙辰", "月 害")
    # 辰 in the hour only: one apart.
    assert not holds("戊午 乙卯 戊午 丙辰", "月 害")
    assert holds("丁卯 癸丑 丙辰 丙申", "月 破")


# Reading.


def test_a_class_has_two_gods_and_a_god_is_one():
    assert [bin(gods_named(name)).count("1") for name in ("比劫", "食伤", "财", "官杀", "印")] == [2] * 5
    assert gods_named("正官") | gods_named("七杀") == gods_named("官杀")
    assert gods_named("财") & gods_named("印") == 0


def test_a_denial_is_the_opposite():
    dice = random.Random(3)
    for _ in range(100):
        seen = scene(str(possible(dice)))
        for verb, name in product(("露", "透", "合", "根", "有", "重", "轻"), ("财", "偏印", "比劫")):
            (plain,), (denied,) = terms(f"{verb} {name}"), terms(f"!{verb} {name}")
            assert seen.holds(plain) is not seen.holds(denied)
            assert seen.ids(plain) == seen.ids(denied)


PAIRS = {"甲己", "乙庚", "丙辛", "丁壬", "戊癸"}


def test_stems_are_seen_as_a_reader_of_the_pillars_sees_them():
    """The same questions asked of the characters, without bits and relations."""
    dice = random.Random(9)
    gods = ("比肩", "劫财", "食神", "伤官", "偏财", "正财", "七杀", "正官", "偏印", "正印")
    for _ in range(300):
        four = possible(dice)
        year, month, day, hour = (pillar.stem for pillar in four)
        away = set()
        if "".join(sorted((year.value, month.value), key=order)) in PAIRS:
            away |= {0, 1}
        if "".join(sorted((month.value, hour.value), key=order)) in PAIRS and day not in (month, hour):
            away |= {1, 2}
        names = [ten_god(day, stem).value for stem in (year, month, hour)]
        mains = [ten_god(day, hidden_stems(pillar.branch)[0].stem).value for pillar in four]
        seen = scene(str(four))
        for god in gods:
            places = [place for place, name in enumerate(names) if name == god]
            assert seen.holds(terms(f"露 {god}")[0]) is bool(places)
            assert seen.holds(terms(f"透 {god}")[0]) is any(place not in away for place in places)
            assert seen.holds(terms(f"合 {god}")[0]) is any(place in away for place in places)
            assert seen.holds(terms(f"有 {god}")[0]) is (god in names + mains)


def order(char: str) -> int:
    return [stem.value for stem in STEMS].index(char)
