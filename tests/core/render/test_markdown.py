"""The chart as Markdown: the same rows, valid tables, nothing of a caller read as markup."""

import re

import pytest

import bazi_core as bz
from bazi_core.render import grids
from bazi_core.render.markdown import chart_markdown, escaped, pipe_table
from bazi_core.tables.words import LANGUAGES

BORN = bz.chart("1990-05-15 13:30", city="北京", gender="male")
KINDS = [
    BORN,
    bz.chart("1990-05-15", hour_unknown=True, city="喀什", gender="female"),
    bz.chart(pillars="庚午 辛巳 庚辰 壬午"),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", KINDS)
def test_every_row_of_a_table_has_the_cells_of_its_head(chart, lang):
    for table in re.findall(r"(?:^\|.*\n)+", chart_markdown(chart.pattern(), lang), re.MULTILINE):
        rows = [re.sub(r"\\\|", "", row).count("|") for row in table.splitlines()]
        assert len(set(rows)) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_cells_are_those_of_the_printed_chart(lang):
    told = chart_markdown(BORN.pattern(), lang)
    for row in [*grids.pillar_rows(BORN, lang), *grids.luck_rows(BORN, lang)]:
        assert f"| {' | '.join(cell.replace(chr(10), '<br>') for cell in row)} |" in told


def test_headings_and_notes():
    told = chart_markdown(BORN.pattern())
    assert told.startswith("# 八字命盘  男（乾造）\n\n- **农历** 1990年四月廿一\n")
    assert "\n## 大运\n" in told
    assert "\n## 注意\n\n1. 当时实行夏令时" in told


def test_without_gender_there_is_no_luck():
    assert "## 大运" not in chart_markdown(KINDS[2].pattern())


def test_a_label_of_a_caller_is_no_markup():
    chart = bz.chart("1990-05-15 13:30", city="<img src=x> | [a](b) `c`", longitude=116.4, tz="Asia/Shanghai")
    told = chart_markdown(chart.pattern())
    assert "<img" not in told.replace("\\<img", "")
    assert "\\[a\\](b)" in told


def test_markup_is_escaped_and_hanzi_are_not():
    assert escaped("a*b_c|d 庚午（x）") == "a\\*b\\_c\\|d 庚午（x）"


def test_an_empty_head_is_a_head():
    assert pipe_table([["", ""], ["a", "b"]]) == ["|  |  |", "|---|---|", "| a | b |"]
