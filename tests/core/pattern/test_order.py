"""正格: every rule of the month order by a chart of the books or one made for it."""

from __future__ import annotations

from hypothesis import given

from bazi_core.pattern.order import regular
from bazi_core.pillars import FourPillars
from bazi_core.school import School
from tests.core.pattern.drawn import ANY_PILLARS
from tests.tables import holds_for_all

NAMES = {"正官格", "七杀格", "财格", "印格", "食神格", "伤官格", "阳刃格", "建禄格", "月劫格"}


def of(pillars: str, **options: str):
    return regular(FourPillars.parse(pillars, strict=False), School(**options))


@holds_for_all(
    "pillars, name, basis",
    [
        ("甲申 丁卯 甲子 甲戌", "阳刃格", "R-GE-01a"),
        ("甲申 丙午 丙子 甲午", "阳刃格", "R-GE-01a"),
        ("甲申 庚午 戊子 甲寅", "阳刃格", "R-GE-01a"),
        ("甲申 癸酉 庚子 丙子", "阳刃格", "R-GE-01a"),
        ("甲申 丙子 壬申 甲辰", "阳刃格", "R-GE-01a"),
        ("庚戌 戊寅 甲子 丙寅", "建禄格", "R-GE-01b"),
        ("庚戌 己卯 乙丑 丙子", "建禄格", "R-GE-01b"),
        # 辰 hides 戊乙癸: 癸 shows, so the seal is taken though the main qi is wealth.
        ("癸酉 丙辰 甲午 丙寅", "印格", "R-GE-03"),
        # 乙 in 寅: the main qi robs; 丙 shows.
        ("丙子 庚寅 乙巳 庚辰", "伤官格", "R-GE-03"),
        # 未 in a complete 亥卯未 with 甲 visible, for a 辛 day: wealth, changed from the seal.
        ("甲子 辛未 辛卯 己亥", "印格", "R-GE-03"),
        # 未 hides 己丁乙; 丁 and 乙 show, and the branches gather wood: 透而又会 comes first.
        ("乙卯 癸未 庚午 丁亥", "财格", "R-GE-03"),
        ("壬戌 丁未 戊申 乙卯", "正官格", "R-GE-03"),
        ("乙卯 癸未 辛亥 壬辰", "财格", "R-GE-03"),
        # 戌 hides 戊辛丁; none shows; the main qi 戊 is wealth of 甲.
        ("壬申 甲戌 甲子 甲子", "财格", "R-GE-03b"),
        # 庚 shows in the stead of the hidden 辛; so ZPZQ takes 甲 for the 乙 of 未 (论财).
        ("壬申 庚戌 甲子 甲子", "七杀格", "R-GE-03c"),
        ("甲子 辛未 辛酉 壬辰", "财格", "R-GE-03c"),
        # 巳 for 庚: killings by the main qi.
        ("庚午 辛巳 庚辰 壬午", "七杀格", "R-GE-02"),
    ],
)
def test_the_rule_names_the_pattern(pillars, name, basis):
    found = of(pillars)
    assert (found.name, found.basis) == (name, basis)


def test_of_two_stems_that_show_the_stronger_gives_the_pattern_and_the_other_is_kept():
    # 辰 hides 戊乙癸; for 丙, 乙 (seal) and 癸 (officer) both show.
    found = of("癸卯 丙辰 丙午 乙未")
    assert (found.name, found.co_patterns) == ("印格", ("正官格",))


def test_a_mixed_month_turns_with_its_group():
    # 申子辰 with 壬 visible, 戊 day: by its main qi the month 辰 would be one of peers.
    turned = of("壬申 丙辰 戊子 戊午")
    assert (turned.name, turned.basis, turned.changed_from) == ("财格", "R-GE-04a", "月劫格")


def test_a_plain_month_turns_with_its_group_when_its_main_qi_does_not_show():
    # 丙 day in 申 (wealth); 申子辰 complete and 壬 shows: killings, changed from wealth.
    turned = of("壬子 戊申 丙辰 戊子")
    assert (turned.name, turned.basis, turned.changed_from) == ("七杀格", "R-GE-04b", "财格")
    kept = of("壬子 庚申 丙辰 庚子")
    assert (kept.name, kept.changed_from) == ("财格", None)


def test_a_group_of_the_day_masters_own_element_turns_nothing():
    assert of("壬子 戊申 壬辰 戊申").changed_from is None


def test_a_visible_stem_of_the_other_polarity_serves_a_robbed_month():
    # 丁 day in 午 is 禄; 己 day in 巳: 丙 main is the seal. 乙 in 寅 without 丙 or 戊, but 丁 shows: the fire of 丙.
    found = of("丁丑 壬寅 乙酉 丁丑")
    assert (found.name, found.basis) == ("食神格", "R-GE-03c")


def test_a_store_month_of_peers_falls_back_to_what_it_hides():
    # 戊 day in 戌 (戊辛丁): 庚 shows in the stead of 辛; where nothing of metal or fire shows, 辛 itself is taken.
    found, hidden = of("壬子 庚戌 戊子 壬子"), of("壬子 甲戌 戊子 壬子")
    assert (found.name, found.basis) == ("食神格", "R-GE-03c")
    assert (hidden.name, hidden.basis) == ("伤官格", "R-GE-03d")


def test_a_robbed_month_without_anything_to_take_is_named_so():
    found = of("癸亥 甲寅 乙亥 乙酉")
    assert (found.name, found.basis) == ("月劫格", "R-GE-01c")


def test_yin_stems_have_a_blade_only_in_a_school_that_says_so():
    # 帝旺 of 乙 is 寅, of 辛 申.
    assert of("癸亥 甲寅 乙亥 乙酉", yin_ren="yes").name == "阳刃格"
    assert of("癸亥 甲寅 乙亥 乙酉").name != "阳刃格"


def test_a_hidden_main_qi_may_give_way_to_what_shows():
    # 巳 hides 丙庚戊; 丙 does not show, 戊 does.
    pillars = "戊午 丁巳 庚辰 庚辰"
    assert of(pillars).name == "七杀格"
    assert of(pillars, ge_hidden_main="take_transparent").name == "印格"


def test_the_stage_table_of_a_school_does_not_move_lu_and_ren():
    for stages in ("yang_shun_yin_ni", "yin_yang_tong_sheng", "water_earth_same"):
        assert of("庚戌 己卯 乙丑 丙子", twelve_stages=stages).name == "建禄格"


@given(ANY_PILLARS)
def test_every_chart_has_a_pattern(pillars):
    for options in ({}, {"ge_hidden_main": "take_transparent"}, {"yin_ren": "yes"}):
        found = of(pillars, **options)
        assert found.name in NAMES
        assert (found.stem is None) == (found.name in ("阳刃格", "建禄格", "月劫格"))


@given(ANY_PILLARS)
def test_every_chart_of_three_pillars_has_a_pattern(pillars):
    assert of(" ".join(pillars.split()[:3])).name in NAMES
