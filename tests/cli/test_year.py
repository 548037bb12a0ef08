"""`bazi year`: one 流年 in text, JSON and Markdown, and why its scores are what they are."""

import json

import pytest

import bazi_core as bz
from bazi_core.render.width import width

BORN = ("year", "1990-05-15 13:30", "--city", "北京", "--gender", "male")


def chart():
    return bz.chart("1990-05-15 13:30", city="北京", gender="male")


def test_json_is_exactly_the_object(bazi):
    assert bazi.json(*BORN, "--target", "2026") == json.loads(chart().year(2026).to_json())


def test_compact_json_leaves_the_facts_out(bazi):
    found = bazi.json(*BORN, "--target", "2026", "--compact")
    assert "facts" not in found
    assert found["digest"] == chart().year(2026).digest


def test_without_a_target_it_is_the_year_that_runs_and_says_so(bazi):
    result = bazi(*BORN)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "用当前流年：2026 丙午" in result.stdout
    assert bazi.json(*BORN)["target_year"] == 2026


def test_before_lunar_new_year_the_year_that_runs_is_still_the_last_one(bazi):
    # It is 4 February 2026: 立春 is past, lunar new year is on the 17th.
    assert bazi.json(*BORN, "--liunian-boundary", "lunar_new_year")["target_year"] == 2025


def test_a_stated_year_needs_no_note(bazi):
    result = bazi(*BORN, "--target", "2026")
    assert "用当前流年" not in result.stderr + result.stdout


def test_text_opens_with_the_conclusion_and_has_every_part(bazi):
    told = bazi.text(*BORN, "--target", "2026")
    year = chart().year(2026)
    first, second = told.splitlines()[:2]
    assert first == "2026年 丙午  男（乾造）  庚午 辛巳 庚辰 壬午"
    score = f"{year.scores.overall}分"
    other = f"若身弱{year.alternatives[0].scores.overall}分"
    assert second.split() == ["总评", f"两可，{score}", year.level, f"{year.sign}，{other}"]
    for word in ("大运", "事件", "分数", "流月", "注意", "只供比较"):
        assert word in told
    assert told.splitlines()[11].split() == ["│", "干支", "│", "甲申", "│", "丙午", "│"]
    assert "与年、时支自刑" in told


def test_text_has_twelve_months_with_their_local_start_and_score(bazi):
    told, year = bazi.text(*BORN, "--target", "2026"), chart().year(2026)
    for month in year.months:
        [line] = [line for line in told.splitlines() if line.startswith(f"│ {month.number:<2} │")]
        assert [month.pillar.value, str(month.score)] == [cell.strip() for cell in line.split("│")][2:6:3]
    assert "立春 02-04 04:02" in told


def test_every_score_stands_with_what_makes_it(bazi):
    told, year = bazi.text(*BORN, "--target", "2026"), chart().year(2026)
    assert f"事业      {year.scores.domains['career']}" in told
    short = bazi.text(*BORN, "--target", "2026", "--compact")
    assert "流年干丙" in told
    assert len(short) < len(told)


def test_a_change_of_luck_is_dated(bazi):
    told = bazi.text(*BORN, "--target", "2017")
    assert "癸未  2007-08-16 至 2017-08-16" in told
    assert "甲申  2017-08-16 至 2027-08-16" in told


def test_childhood_has_its_minor_luck(bazi):
    assert "小运    乙酉" in bazi.text(*BORN, "--target", "1992")


def test_beyond_the_luck_pillars_it_says_so(bazi):
    told = bazi.text(*BORN, "--target", "2100")
    assert "大运之外" in told
    assert "2100年在十步大运之外" in told


def test_markdown_has_pipe_tables(bazi):
    told = bazi.text(*BORN, "--target", "2026", "-f", "md")
    assert told.startswith("# 2026年 丙午")
    assert "| 干支 | 甲申 | 丙午 |" in told
    assert "## 流月" in told
    assert told.count("| 庚寅 |") == 1


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_line_is_wider_than_the_display(bazi, lang, columns):
    for year in ("2017", "2027", "1992", "2100"):
        told = bazi.text(*BORN, "--target", year, "--lang", lang, COLUMNS=str(columns))
        # A cell of a table is not cut: the table of the twelve months needs 51 columns.
        assert max(map(width, told.splitlines())) <= max(columns, 56)


@pytest.mark.parametrize(("lang", "word"), [("zh-Hant", "總評"), ("en", "Overall")])
def test_other_languages(bazi, lang, word):
    told = bazi.text(*BORN, "--target", "2026", "--lang", lang)
    assert word in told
    assert "总评" not in told


def test_a_fact_is_explained_down_to_the_pillars(bazi):
    told = bazi.text(*BORN, "--target", "2026", "--explain", "yr.2026.E-04")
    assert told.splitlines()[0].startswith("2026年流年支午与年支午相同，值太岁")
    assert "p.year.branch" in told
    assert "p.time.2026-立春" in told


def test_explain_alone_explains_the_overall_score(bazi):
    told = bazi.text(*BORN, "--target", "2026", "--explain")
    assert "yr.2026.score.overall" in told.splitlines()[0]
    assert len(told.splitlines()) < 300


def test_explain_as_json_is_the_list_of_facts(bazi):
    found = bazi.json(*BORN, "--target", "2026", "--explain", "ln.2026.tg.stem")
    assert [fact["id"] for fact in found] == ["ln.2026.tg.stem", "p.day.stem", "ln.2026", "p.time.2026-立春"]


def test_an_unknown_fact_is_refused_with_close_ones(bazi):
    status, problem = bazi.problem(*BORN, "--target", "2026", "--explain", "yr.2026.score.overal")
    assert (status, problem["code"]) == (4, "INVALID_INPUT")
    assert "yr.2026.score.overall" in problem["hint"]


def test_without_gender_it_is_refused(bazi):
    status, problem = bazi.problem("year", "1990-05-15 13:30", "--city", "北京")
    assert (status, problem["code"], problem["data"]) == (4, "BIRTH_REQUIRED", {"missing": ["gender"]})


def test_given_pillars_are_refused(bazi):
    status, problem = bazi.problem("year", "--pillars", "庚午 辛巳 庚辰 壬午", "--gender", "male")
    assert (status, problem["data"]) == (4, {"missing": ["moment"]})


@pytest.mark.parametrize("year", ["1989", "2649", "99999999999999999999"])
def test_a_year_out_of_range_exits_with_five(bazi, year):
    status, problem = bazi.problem(*BORN, "--target", year)
    assert (status, problem["code"], problem["data"]["quantity"]) == (5, "OUT_OF_RANGE", "target_year")


def test_an_unknown_hour_is_read_with_three_pillars(bazi):
    told = bazi.text(
        "year", "1990-05-15", "--hour-unknown", "--city", "北京", "--gender", "male", "--target", "2017"
    )
    assert "时辰未知，交运日未定  2017-06-24 至 2017-10-23" in told


def test_now_is_said(bazi):
    result = bazi("year", "--city", "Beijing", "--gender", "female")
    assert result.stderr == ""
    assert "2026-02-04 12:30:15+08:00" in result.stdout


def test_strict_ends_with_nine(bazi):
    assert bazi(*BORN, "--strict").exit_code == 9


def test_facts_only_makes_no_judgement(bazi):
    told = bazi.text(*BORN, "--target", "2026", "--judgement", "facts")
    assert "喜忌" not in told
    assert "用神" not in told
