"""Years side by side as they are printed: rows that agree with the object, every width, three languages."""

from __future__ import annotations

import re

import pytest

from bazi_core.render import years_sheet
from bazi_core.render.explain import fact_text
from bazi_core.render.width import width
from bazi_core.render.years_text import years_markdown, years_text
from bazi_core.tables.words import LANGUAGES
from tests.core.year.drawing import chart

SPANS = [(1990, 1999), (2026, 2035), (2090, 2099)]


def span(first=2026, last=2035):
    return chart().years(first, last)


def test_colour_changes_nothing_but_the_colour():
    painted = years_text(span(), color=True)
    assert "\x1b[31m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == years_text(span())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("ends", SPANS)
def test_no_line_is_wider_than_the_display_and_tables_are_even(lang, columns, ends):
    made = span(*ends)
    told = years_text(made, lang, columns=columns, comparison=made.compare("wealth"))
    assert max(map(width, told.splitlines())) <= columns
    tables: list[list[str]] = []
    for line in told.splitlines():
        if line.startswith("┌"):
            tables.append([])
        if line[:1] in tuple("┌│├└"):
            tables[-1].append(line)
    assert len(tables) >= 2
    assert all(len({width(line) for line in lines}) == 1 for lines in tables)


def test_a_row_of_a_year_says_what_the_year_is():
    made = span()
    head, *rows = years_sheet.year_rows(made, "zh-Hans")
    assert head[:8] == ["年", "干支", "虚岁", "周岁", "大运", "总评", "若身弱", "用神"]
    for row, year, other in zip(rows, made.years, made.alternatives[0].years, strict=True):
        told = [str(year.target_year), year.pillar.value, *map(str, year.age)]
        assert row[:4] == told
        assert row[5:7] == [str(year.scores.overall), str(other.scores.overall)]
        assert row[8:] == [str(each) for each in year.scores.domains.values()]
    assert rows[1][4] == "甲申\n乙酉"


def test_a_change_of_luck_is_dated_in_the_conclusion():
    told = [value for name, value in years_sheet.conclusion(span(), "zh-Hans") if name == "大运"]
    assert told[0].startswith("甲申  2017-08-16 至 2027-08-16")
    assert told[1].startswith("乙酉  2027-08-16 至 2037-08-16")


def test_childhood_the_open_hour_and_what_lies_beyond_are_named():
    assert "未交运" in years_text(span(1990, 1999))
    assert "小运 癸未" in years_text(span(1990, 1999))
    assert "大运之外" in years_text(span(2090, 2099))
    unknown = chart("1990-05-15", "male", True).years(1995, 1999)
    assert "时辰未知，交运日未定" in years_text(unknown)


def test_ties_are_told_as_ties():
    told = years_text(span())
    assert "最高 2026、2032（54）" in told
    assert "各年都是52分" in years_text(span(1997, 1998))


def test_one_domain_alone_is_told_when_it_is_asked_for():
    told = years_text(span(), domain="wealth").split("高低与缘由\n")[1]
    assert "财运" in told
    assert "事业" not in told.split("注意")[0]


def test_compact_leaves_out_who_meets_whom_and_why():
    short, told = years_text(span(), compact=True), years_text(span())
    assert "冲夫妻宫" in short
    assert "抬高" in told
    assert "抬高" not in short
    assert len(short) < len(told) / 1.5


def test_the_comparison_says_what_differs_what_is_shared_and_whether_both_readings_agree():
    made = span()
    told = years_text(made, comparison=made.compare("wealth", (2028, 2032))).split("比较  财运\n")[1]
    assert "流年干壬 +4" in told
    assert "各年相同  大运支酉 -2" in told
    assert "两种读法首位不同" in told


def test_facts_only_makes_no_judgement():
    told = years_text(chart("1990-05-15 13:30", "male", False, judgement="facts").years(2026, 2028))
    assert "用神" not in told
    assert "喜忌" not in told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown_holds_a_row_for_each_year_and_every_part(lang):
    made = span()
    told = years_markdown(made, lang, comparison=made.compare("career", (2026, 2028)))
    rows = [line for line in told.splitlines() if line.startswith("| 20")]
    assert len(rows) == 10
    assert told.count("\n## ") == 4
    assert not re.search(r"[{}]", told)


def test_traditional_chinese_holds_no_simplified_word():
    made = span()
    told = years_text(made, "zh-Hant", comparison=made.compare())
    assert not set("运岁总评财业学冲杀伤两读强与") & set(told)


def test_a_fact_is_explained_down_to_the_pillars():
    told = fact_text("yrs.2026-2035.relationship.E-09", span().all_facts, "zh-Hans")
    assert told.splitlines()[0].startswith("2026至2035年间，冲夫妻宫（2030年）合计：感情减6分")
    assert "p.day.branch" in told
