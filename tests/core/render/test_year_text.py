"""A year as it is printed: rows that agree with the object, colour on request, three languages."""

from __future__ import annotations

import re

import pytest

from bazi_core.render import year_sheet
from bazi_core.render.width import width
from bazi_core.render.year_text import explain_year, year_markdown, year_text
from bazi_core.tables.words import LANGUAGES
from tests.core.year.drawing import chart

YEARS = [1992, 2017, 2026, 2027, 2100]


def test_colour_changes_nothing_but_the_colour():
    year = chart().year(2026)
    painted = year_text(year, color=True)
    assert "\x1b[31m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == year_text(year)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", YEARS)
def test_the_lines_of_each_table_are_equally_wide(lang, number):
    tables: list[list[str]] = []
    for line in year_text(chart().year(number), lang).splitlines():
        if line.startswith("┌"):
            tables.append([])
        if line[:1] in tuple("┌│├└"):
            tables[-1].append(line)
    assert len(tables) == 2
    for lines in tables:
        assert len({width(line) for line in lines}) == 1
        assert width(lines[0]) <= 80


def test_a_luck_stands_with_its_own_ten_years_and_not_with_the_dates_of_the_year():
    def luck(number: int) -> list[str]:
        return [
            value for name, value in year_sheet.conclusion(chart().year(number), "zh-Hans") if name == "大运"
        ]

    assert luck(2026) == ["甲申  2017-08-16 至 2027-08-16"]
    assert luck(2027) == ["甲申  2017-08-16 至 2027-08-16", "乙酉  2027-08-16 至 2037-08-16"]


@pytest.mark.parametrize("number", YEARS)
def test_the_rows_of_the_scores_add_up(number):
    year = chart().year(number)
    for _, score, why in year_sheet.score_rows(year, "zh-Hans"):
        total = 50 + sum(int(points) for points in re.findall(r" ([+-]\d+)", why))
        assert int(score) == max(0, min(100, total))


@pytest.mark.parametrize("number", YEARS)
def test_events_are_listed_from_the_strongest(number):
    year = chart().year(number)
    names = [name for _, name, _, _ in year_sheet.event_rows(year, "zh-Hans")]
    becomes = [event.ties[0] if event.is_dynamic else "" for event in year.strongest(99)]
    assert names == [event.name + change for event, change in zip(year.strongest(99), becomes, strict=True)]


@pytest.mark.parametrize(
    ("lang", "who"),
    [
        ("zh-Hans", "年午 流年午 相同"),
        ("zh-Hant", "年午 流年午 相同"),
        ("en", "Year Horse (午), flow year Horse (午), the same"),
    ],
)
def test_an_event_names_who_meets_whom(lang, who):
    rows = year_sheet.event_rows(chart().year(2026), lang)
    assert who in [row[3] for row in rows]


@pytest.mark.parametrize(
    ("relation", "sign", "lang", "said"),
    [
        ("相同", "", "en", "the same"),
        ("藏", "丁", "en", "holds Yin Fire (丁)"),
        ("属", "火", "zh-Hant", "屬火"),
        ("克", "金", "zh-Hant", "剋金"),
        ("克", "金", "en", "controls Metal"),
        ("六冲", "", "en", "branch clash"),
        ("干合", "", "zh-Hans", "干合"),
    ],
)
def test_what_ties_the_members_is_said_in_every_language(relation, sign, lang, said):
    assert year_sheet._tie(relation, sign, lang) == said


def test_no_label_is_left_in_chinese():
    assert not re.search("总评|分数|事业|财运|大运支|流年干|应期", year_text(chart().year(2027), "en"))


def test_no_simplified_form_is_left_in_a_traditional_text():
    assert not re.search("总|财|运|业|临|岁|应", year_text(chart().year(2027), "zh-Hant"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown_has_the_same_months(lang):
    told = year_markdown(chart().year(2026), lang)
    rows = [line for line in told.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 12
    assert all(line.count("|") == rows[0].count("|") for line in rows)


def test_a_year_without_events_says_so():
    own = chart("1952-05-15 13:30")
    quiet = next(year for year in range(1990, 2070) if not own.year(year).events)
    assert "事件\n无\n" in year_text(own.year(quiet))
    assert "## 事件\n\n无\n" in year_markdown(own.year(quiet))


def test_an_explanation_names_again_what_stands_above_without_repeating_it():
    lines = explain_year(chart().year(2026), "yr.2026.score.overall").splitlines()
    expanded = [line for line in lines if not line.endswith("↑")]
    ids = [re.search(r"\[([^;\]]+)", line)[1] for line in expanded]
    derived = [name for name in ids if not name.startswith("p.")]
    assert len(derived) == len(set(derived))


@pytest.mark.parametrize("lang", ["zh-Hans", "en"])
def test_in_a_table_of_their_own_the_events_take_the_display(lang):
    told = year_text(chart().year(2026), lang, columns=60)
    events = told[told.rindex("┌") :].splitlines()
    assert 40 < max(map(width, events[: events.index("")])) <= 60


def test_the_narrowest_display_is_forty_columns():
    assert year_text(chart().year(2026), columns=10) == year_text(chart().year(2026), columns=40)


@pytest.mark.parametrize("target", [1992, 2017, 2026, 2027])
def test_no_cell_of_an_english_year_is_hanzi_alone(target):
    year = chart().year(target)
    rows = [
        *year_sheet.context_rows(year, "en"),
        *year_sheet.event_rows(year, "en"),
        *year_sheet.month_rows(year, "en", 80),
    ]
    rows += [*year_sheet.score_rows(year, "en"), *map(list, year_sheet.conclusion(year, "en"))]
    for cell in (cell for row in rows for cell in row):
        assert not re.search("[\u4e00-\u9fff]", cell) or re.search("[A-Za-z]", cell)


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_a_year_keeps_to_the_display(lang, columns):
    assert max(map(width, year_text(chart().year(2026), lang, columns=columns).splitlines())) <= columns
