"""`bazi years`: years side by side in text, JSON, Markdown and as a drawing."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import bazi_core as bz
from bazi_cli.options import DOMAINS
from bazi_core.year.span import SCORES

BORN = ("years", "1990-05-15 13:30", "--city", "北京", "--gender", "male")
TEN = (*BORN, "--from", "2026", "--to", "2035")
SNAPSHOTS = Path(__file__).parent / "snapshots"


def span(first=2026, last=2035):
    return bz.chart("1990-05-15 13:30", city="北京", gender="male").years(first, last)


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_the_years_are_those_in_the_snapshot(bazi, lang):
    """To renew after a wanted change: `COLUMNS=80 bazi years "1990-05-15 13:30" --city 北京 --gender male --from 2026
    --to 2028 --compare 2026,2028 --lang LANG -o tests/cli/snapshots/years.LANG.txt`."""
    told = bazi.text(*BORN, "--from", "2026", "--to", "2028", "--compare", "2026,2028", "--lang", lang)
    assert told == (SNAPSHOTS / f"years.{lang}.txt").read_text("utf-8")


def test_json_is_the_object_with_its_facts_on_request(bazi):
    assert bazi.json(*TEN) == json.loads(span().to_json())
    assert bazi.json(*TEN, "--facts") == json.loads(span().to_json(facts=True))


def test_json_holds_the_comparison_that_is_asked_for(bazi):
    found = bazi.json(*TEN, "--compare", "2028, 2032", "--domain", "wealth")
    assert found["comparison"] == span().compare("wealth", (2028, 2032)).to_dict()
    assert [each["year"] for each in found["comparison"]["ranked"]] == [2032, 2028]


def test_a_question_is_answered_above_the_table_and_in_the_object(bazi):
    asked = (*TEN, "--question", "2026还是2028换工作好")
    told = bazi.text(*asked, "--lang", "zh-Hans")
    lead, _, answer = told.partition("，")
    assert lead in ("就你所问", "简单说")
    assert answer.startswith("2026年更合适：论事业，2026年")
    assert told.endswith(bazi.text(*TEN, "--lang", "zh-Hans"))
    found = bazi.json(*asked, "--facts")
    assert found["reading"]["summary"][0]["statement"] == "answer.years.pair.good"
    assert {name for each in found["reading"]["summary"] for name in each["evidence"]} <= {*found["facts"]}
    assert found["narrative"] in bazi.text(*asked, "-f", "md", "--lang", "zh-Hans")


def test_without_a_first_year_they_are_ten_from_the_one_that_runs(bazi):
    found = bazi.json(*BORN)
    assert (found["first_year"], found["last_year"]) == (2026, 2035)
    result = bazi(*BORN)
    assert "未给首年，从当前流年起：2026" in result.stdout
    assert result.stderr == ""
    assert "从当前流年起" not in bazi(*TEN).stdout


def test_before_lunar_new_year_the_first_is_still_the_last_one(bazi):
    # It is 4 February 2026: 立春 is past, lunar new year is on the 17th.
    assert bazi.json(*BORN, "--liunian-boundary", "lunar_new_year")["first_year"] == 2025


def test_the_drawing_is_svg_of_the_domain_and_points_out_the_year_that_runs(bazi, tmp_path):
    told = bazi.text(*TEN, "-f", "svg", "--domain", "career")
    title = ElementTree.fromstring(told).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text.startswith("事业：2026–2035年")
    bazi.text(*TEN, "-o", str(tmp_path / "years.svg"))
    assert (tmp_path / "years.svg").read_text("utf-8").startswith("<svg")


def test_markdown_has_its_headings(bazi):
    told = bazi.text(*TEN, "-f", "md")
    assert told.startswith("# 2026–2035年")
    assert "\n## 高低与缘由\n" in told


def test_explain_alone_explains_the_highest_year(bazi):
    assert bazi.text(*TEN, "--explain").startswith("2026至2035年间，总评以2032年最高，68分")
    told = bazi.text(*TEN, "--domain", "career", "--explain")
    assert told.startswith("2026至2035年间，事业以2026年最高，60分")
    found = bazi.json(*TEN, "--explain", "ln.2026.tg.stem")
    assert [fact["id"] for fact in found] == ["ln.2026.tg.stem", "p.day.stem", "ln.2026", "p.time.2026-立春"]


def test_domains_are_those_of_the_scores():
    assert DOMAINS == SCORES


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        (("--from", "2035", "--to", "2026"), 4, "INVALID_INPUT"),
        (("--from", "1980"), 5, "OUT_OF_RANGE"),
        (("--from", "1990", "--to", "2110"), 5, "OUT_OF_RANGE"),
        (("--from", "99999999999999999999"), 5, "OUT_OF_RANGE"),
        (("--from", "2026", "--compare", "2026"), 4, "INVALID_INPUT"),
        (("--from", "2026", "--compare", "2026,2050"), 5, "OUT_OF_RANGE"),
        (("--from", "2026", "--compare", "this year"), 2, "USAGE"),
        (("--from", "2026", "--compare", "²⁰²⁶,2027"), 2, "USAGE"),
        (("--domain", "love"), 4, "UNKNOWN_OPTION"),
        (("--explain", "yrs.2026-2035.love"), 4, "INVALID_INPUT"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(bazi, given, status, code):
    found, problem = bazi.problem(*BORN, *given)
    assert (found, problem["code"]) == (status, code)


def test_pillars_and_births_without_gender_are_refused(bazi):
    status, problem = bazi.problem("years", "--pillars", "庚午 辛巳 庚辰 壬午", "--gender", "male")
    assert (status, problem["data"]) == (4, {"missing": ["moment"]})
    status, problem = bazi.problem("years", "1990-05-15 13:30", "--city", "北京")
    assert (status, problem["data"]) == (4, {"missing": ["gender"]})


def test_strict_ends_with_nine(bazi):
    assert bazi(*TEN, "--strict").exit_code == 9
