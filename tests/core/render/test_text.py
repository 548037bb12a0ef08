"""The printed chart: what it shows for each kind of birth, in each language, at each width."""

import re

import pytest

import bazi_core as bz
from bazi_core.render.text import chart_text
from bazi_core.render.width import width
from bazi_core.tables.words import LANGUAGES, term

CHARTS = {
    "born": {"when": "1990-05-15 13:30", "city": "北京", "gender": "male"},
    "no_gender": {"when": "2024-02-04 16:27:00", "city": "上海"},
    "no_hour": {"when": "1990-05-15", "hour_unknown": True, "city": "喀什", "gender": "female"},
    "double_hour": {"when": "1930-05-05 午时", "city": "昆明", "gender": "female"},
    "lunar": {"when": "农历1914年十月初一 子时", "city": "纽约", "gender": "male"},
    "future": {"when": "2150-01-01 00:01", "city": "西安", "gender": "female"},
    "old": {"when": "1600-06-01 12:00", "longitude": 116.4, "tz": "Asia/Shanghai", "gender": "male"},
    "no_place": {"when": "1990-05-15 13:30+08:00", "gender": "male"},
    "pillars": {"pillars": "庚午 辛巳 庚辰 壬午", "gender": "female"},
    "three_pillars": {"pillars": "庚午 辛巳 庚辰"},
}
CJK_LABELS = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(params=CHARTS)
def chart(request):
    return bz.chart(**CHARTS[request.param])


def born(**more):
    return bz.chart(**{**CHARTS["born"], **more})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_chart_fits_eighty_columns_and_its_tables_align(chart, lang):
    lines = chart_text(chart, lang).splitlines()
    assert max(map(width, lines)) <= 80
    for block in re.split(r"\n(?!│|├|└)", "\n".join(lines)):
        if block.startswith("┌"):
            assert len({width(line) for line in block.splitlines()}) == 1


@pytest.mark.parametrize("columns", [40, 47, 60, 79])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_narrower_displays_are_kept_to(chart, lang, columns):
    assert max(map(width, chart_text(chart, lang, columns=columns).splitlines())) <= columns


def test_below_forty_columns_nothing_gets_narrower(chart):
    assert chart_text(chart, columns=1) == chart_text(chart, columns=40)


def test_a_wider_display_changes_nothing(chart):
    assert chart_text(chart, columns=200) == chart_text(chart)


def test_no_line_ends_with_a_space(chart):
    assert not re.search(r" $", chart_text(chart), re.MULTILINE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_colour_changes_nothing_but_colour(chart, lang):
    plain = chart_text(chart, lang)
    assert re.sub(r"\x1b\[[0-9;]*m", "", chart_text(chart, lang, color=True)) == plain
    assert "\x1b" not in plain


def test_each_element_has_its_colour():
    told = chart_text(bz.chart(pillars="甲子 丙寅 戊辰 庚申"), color=True)
    for shown in ("\x1b[32m甲木", "\x1b[31m丙火", "\x1b[33m戊土", "\x1b[1m庚金", "\x1b[94m子水"):
        assert shown in told


def test_every_stem_and_branch_stands_beside_its_element(chart):
    told = chart_text(chart)
    for _, pillar in chart.pillars.items():
        assert f"{pillar.stem}{pillar.stem.element}" in told
        assert f"{pillar.branch}{pillar.branch.element}" in told


def test_columns_run_from_year_to_hour():
    row = next(line for line in chart_text(born()).splitlines() if "年柱" in line)
    assert re.findall(r"[年月日时]柱", row) == ["年柱", "月柱", "日柱", "时柱"]


def test_the_time_trace_names_the_clock_that_decides():
    told = chart_text(born())
    assert "真太阳时  1990-05-15 12:19:20  均时差+3:42  <= 定日柱时柱" in told
    assert "<= 定日柱时柱" in next(line for line in chart_text(born(school=bz.School(time_basis="civil"))).splitlines()
                              if line.startswith("钟表"))  # fmt: skip


def test_both_jie_are_told_with_their_distance():
    told = chart_text(born())
    assert "1990-05-06 03:35:25  立夏，已过9天9小时54分" in told
    assert "1990-06-06 07:46:18  芒种，还有21天18小时16分" in told


def test_an_unknown_hour_is_called_unknown_and_has_no_clocks():
    told = chart_text(bz.chart(**CHARTS["no_hour"]))
    assert told.count("│ 未知") == 2
    assert "1990-05-15  时辰未知" in told
    assert "真太阳时" not in told
    assert "命宫" not in told
    assert "日柱：己卯 00:00-02:52，庚辰 02:52-24:00" in told


def test_given_pillars_have_no_time_part_and_no_dates():
    told = chart_text(bz.chart(**CHARTS["pillars"]))
    assert "四柱直接给出" in told
    for absent in ("钟表", "农历", "起年", "exact_seconds"):
        assert absent not in told


def test_the_void_of_a_pillar_is_marked():
    assert "本支落空" in chart_text(bz.chart(pillars="己未 丙子 戊子 壬子"))
    assert "本支落空" not in chart_text(born())


def test_the_school_names_what_differs_from_its_profile():
    told = chart_text(born(school=bz.School.named("ditiansui", day_boundary="00:00")))
    assert "流派  滴天髓  day_boundary=00:00" in told
    assert "流派  子平\n" in chart_text(born())


def test_ages_are_counted_as_the_school_counts_them():
    assert "│ 周岁 │ 7 " in chart_text(born())
    assert "│ 虚岁 │ 8 " in chart_text(born(school=bz.School(age_style="nominal")))


def test_both_animals_are_named_between_lichun_and_lunar_new_year():
    assert "龙（立春） / 兔（正月初一）" in chart_text(bz.chart("2024-02-05 12:00", city="北京"))
    assert "生肖  马\n" in chart_text(born())


def test_a_computed_lunar_date_says_so():
    assert "(推算)" in chart_text(bz.chart("2040-01-01 12:00", city="北京"))


def test_compact_leaves_out_the_clocks_but_not_the_warnings():
    told = chart_text(born(), compact=True)
    assert "均时差" not in told
    assert "1997 壬午   2007 癸未" in told
    assert "夏令时" in told


@pytest.mark.parametrize("name", ["born", "no_hour", "pillars"])
def test_english_has_hanzi_only_as_terms_with_a_gloss(name):
    told = chart_text(bz.chart(**CHARTS[name]), "en")
    for label in ("十神", "天干", "地支", "藏干", "星运", "注意"):
        assert label not in told
    for god in ("正官", "偏印"):
        assert f"{god} {term(god, 'en')}" in " ".join(told.split())


def test_traditional_text_has_no_simplified_label_and_no_converted_branch():
    told = chart_text(born(), "zh-Hant")
    for simplified in ("运", "财", "杀", "岁", "纳", "农", "岁", "时柱"):
        assert simplified not in told
    assert "己醜" not in told
    assert "己丑" in told


def test_control_characters_in_a_label_are_not_printed():
    chart = bz.chart("1990-05-15 13:30", city="\x1b[2J\x07home", longitude=116.4, tz="Asia/Shanghai")
    for told in (chart_text(chart), chart.to_markdown()):
        assert "\x1b" not in told
        assert "\x07" not in told


def test_notes_carry_their_alternatives():
    told = chart_text(bz.chart("1990-05-15 12:41:00", city="北京", gender="male"))
    assert "另一种：庚午 辛巳 庚辰 " in chart_text(
        bz.chart("1990-05-15 12:10:30", city="北京", gender="male")
    )
    assert "1. 当时实行夏令时" in told
    old = chart_text(bz.chart(**CHARTS["lunar"]))
    assert "1914年10月：颁行 1914-11-17，推算 1914-11-18" in old
    china = chart_text(bz.chart(**CHARTS["double_hour"]))
    assert "+05:30 癸未，+06:00 癸未" in china


def test_codes_in_warnings_are_put_into_words():
    told = chart_text(bz.chart(**CHARTS["future"]))
    assert "utc_frozen" not in told
    assert "闰秒不再增加" in told
