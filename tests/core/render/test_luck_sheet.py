"""What is told of luck: the line of what runs, what each 大运 meets, the 流年 under it, in three languages."""

from __future__ import annotations

import re

import pytest

import bazi_core as bz
from bazi_core.render import luck_sheet
from bazi_core.render.markdown import chart_markdown
from bazi_core.render.text import chart_text
from bazi_core.render.width import width
from bazi_core.school import School

MALE = bz.chart("1990-05-15 13:30", city="北京", gender="male")
LANGUAGES = ("zh-Hans", "zh-Hant", "en")
HANZI = re.compile("[\u4e00-\u9fff]")


def told(day: str, lang: str = "zh-Hans", chart: bz.Chart = MALE) -> str:
    return luck_sheet.running_line(chart, chart.running(day), lang)


def test_the_line_says_before_luck_within_it_and_after_the_tenth_decade():
    assert told("1992-06-01") == "1992-06-01：未起运，流年壬申，小运乙酉，虚岁3，周岁2"
    assert told("2026-06-01") == "2026-06-01：大运甲申（至2027-08-16），流年丙午，小运己未，虚岁37，周岁36"
    assert told("2100-06-01") == "2100-06-01：十步大运已尽，流年庚申，小运癸酉，虚岁111，周岁110"
    assert told("1980-06-01") == "1980-06-01：尚未出生，流年庚申"


def test_the_line_in_the_other_languages():
    assert (
        told("2026-06-01", "zh-Hant")
        == "2026-06-01：大運甲申（至2027-08-16），流年丙午，小運己未，虛歲37，週歲36"
    )
    assert told("2026-06-01", "en") == (
        "2026-06-01: luck pillar 甲申 Wood Monkey (until 2027-08-16), year 丙午 Fire Horse, "
        "minor luck 己未 Earth Goat, nominal 37, completed 36"
    )


def test_the_line_of_an_unknown_hour_and_of_given_pillars():
    unknown = bz.chart("1990-05-15", city="北京", hour_unknown=True, gender="male")
    assert told("1997-08-01", chart=unknown).startswith("1997-08-01：时辰未知，大运未定，")
    assert told("2026-06-01", chart=unknown) == "2026-06-01：大运甲申，流年丙午，虚岁37，周岁36"
    assert (
        told("2026-06-01", chart=bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male"))
        == "2026-06-01：流年丙午"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_and_markdown_mark_the_running_decade_and_year_once_each(lang):
    mark = {"zh-Hans": "现行", "zh-Hant": "現行", "en": "runs"}[lang]
    for draw in (chart_text, chart_markdown):
        assert draw(MALE.pattern(), lang).count(mark) == 0
        assert draw(MALE.pattern(), lang, as_of="2026-06-01").count(mark) == 1
        assert draw(MALE.pattern(), lang, as_of="2026-06-01", years=True).count(mark) == 2
        assert draw(MALE.pattern(), lang, as_of="1992-06-01").count(mark) == 0


def test_the_mark_stands_below_the_pillar_that_runs():
    rows = [
        line.split("│")
        for line in chart_text(MALE.pattern(), as_of="2030-06-01").splitlines()
        if line.startswith("│ ")
    ]
    at = next(number for number, row in enumerate(rows) if "现行" in "".join(row))
    place = [cell.strip() for cell in rows[at]].index("现行")
    assert rows[at - 1][place].strip() == "乙酉"


def test_compact_text_marks_it_in_the_list():
    assert "2017 甲申（现行）" in chart_text(MALE.pattern(), compact=True, as_of="2026-06-01")
    assert "2017 甲申 (runs)" in chart_text(MALE.pattern(), "en", compact=True, as_of="2026-06-01")


def test_relations_are_told_as_practitioners_say_them():
    told = dict(luck_sheet.met_rows(MALE, "zh-Hans"))
    assert told["癸未"].startswith("合年、时支，巳午未三会火局；")
    assert told["戊子"].startswith("冲年支，半合日支，反吟时柱；")
    assert "与年、时支自刑" in told["壬午"]
    # 反吟 says that stem and branch clash, so neither is said again.
    assert "冲时支" not in told["戊子"]
    assert "冲" not in told["丁亥"]


def test_stars_are_told_after_the_relations_and_the_void_is_not_one_of_them():
    told = dict(luck_sheet.met_rows(MALE, "zh-Hans"))
    assert told["甲申"].endswith("；禄神、驿马、孤辰")
    assert not any("空亡" in words for words in told.values())


def test_without_stars_the_relations_stand_alone():
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male", school=School(star_set="none"))
    assert (
        dict(luck_sheet.met_rows(chart, "zh-Hans"))["甲申"] == "冲年、日干，合月支，破月支，刑月支，拱合日支"
    )


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_years_fit_the_display(lang, columns):
    text = chart_text(MALE.pattern(), lang, columns=columns, as_of="2026-06-01", years=True)
    assert max(map(width, text.splitlines())) <= columns


@pytest.mark.parametrize("lang", LANGUAGES)
def test_at_eighty_columns_the_years_of_a_decade_are_one_table(lang):
    with_years, without = (
        chart_text(MALE.pattern(), lang, columns=80, years=years) for years in (True, False)
    )
    # Ten decades and childhood.
    assert with_years.count("┌") - without.count("┌") == 11


def test_every_year_of_a_life_is_printed_once_with_both_ages():
    text = chart_text(MALE.pattern(), years=True)
    for each in MALE.luck_years():
        assert (
            len(
                re.findall(
                    rf"^│ {each.year} +│ {each.ages.full} +│ {each.ages.nominal} +│ {each.flow.pillar}",
                    text,
                    re.M,
                )
            )
            == 1
        )


def test_no_cell_of_the_english_years_is_in_hanzi_alone():
    rows = luck_sheet.year_rows(MALE.luck_years(), "en", 80)
    cells = [cell for row in rows for cell in row if cell]
    assert all(re.search("[A-Za-z0-9]", cell) for cell in cells)
    assert not any(HANZI.search(row[-1]) for row in rows)


def test_a_range_of_years_prints_those_alone():
    text = chart_text(MALE.pattern(), years=range(2024, 2029))
    assert re.findall(r"^│ (20\d\d) +│ \d", text, re.M) == ["2024", "2025", "2026", "2027", "2028"]
