"""The drawing of years: well-formed, a mark for every year and reading, the luck above it by its dates."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from bazi_core.errors import UnknownOption
from bazi_core.render.svg import THEMES
from bazi_core.render.years_svg import BOTTOM, LEFT, RIGHT, TOP, WIDTH, drawing
from bazi_core.tables.words import LANGUAGES
from bazi_core.year.span import SCORES, YearsResult
from tests.core.year.drawing import chart

SVG = "{http://www.w3.org/2000/svg}"


@cache
def years(first: int, last: int) -> YearsResult:
    return chart().years(first, last)


def parsed(span, **given) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(span, **given))


def texts(root) -> list[str]:
    return [each.text for each in root.findall(f"{SVG}text")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_language_and_theme_is_well_formed(lang, theme):
    for span in (years(2026, 2035), years(1990, 2109), years(2026, 2026)):
        root = parsed(span, lang=lang, theme=theme)
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title") is not None
        assert all(texts(root))
        colours = set(re.findall(r'(?:fill|stroke)="(#\w+)"', drawing(span, lang, theme)))
        assert colours <= {*THEMES[theme]}


@pytest.mark.parametrize("domain", SCORES)
def test_marks_stand_as_high_as_the_scores_and_inside_the_frame(domain):
    span = chart().years(2026, 2035)
    marks = parsed(span, domain=domain).findall(f"{SVG}circle")
    assert len(marks) == 20
    heights = [float(mark.attrib["cy"]) for mark in marks[:10]]
    scores = [year.scores.of(domain) for year in span.years]
    pairs = sorted(zip(scores, heights, strict=True))
    assert all((one[0] < two[0]) == (one[1] > two[1]) for one, two in pairwise(pairs))
    assert all(TOP <= height <= BOTTOM for height in heights)
    places = [float(mark.attrib["cx"]) for mark in marks[:10]]
    assert places == sorted(places)
    assert LEFT < places[0] < places[-1] < RIGHT < WIDTH


def test_bands_meet_where_the_luck_changes():
    span = chart().years(2026, 2035)
    _, *bands = parsed(span).findall(f"{SVG}rect")
    left, right = (float(bands[at].attrib["x"]) for at in (0, 1))
    assert left == LEFT
    assert left + float(bands[0].attrib["width"]) == pytest.approx(right)
    # 16 August 2027 lies a little past the middle of the second of ten years.
    assert 1.5 < (right - LEFT) / ((RIGHT - LEFT) / 10) < 1.6
    assert "乙酉运 2027-08-16 起" in texts(parsed(span))


def test_the_numbers_stand_below_and_all_of_them_in_the_description():
    span = chart().years(2026, 2035)
    root = parsed(span)
    assert {"丙午", "2026", "53", "44"} <= {*texts(root)}
    described = root.find(f"{SVG}desc").text
    assert described.startswith("2026年 53 / 44，2027年 53 / 51")
    long = chart().years(1990, 2109)
    assert "2105" not in texts(parsed(long))
    assert "2109年 " in parsed(long).find(f"{SVG}desc").text


def test_the_legend_says_which_line_is_which_reading():
    assert any("实线 若身强，虚线 若身弱" in each for each in texts(parsed(chart().years(2026, 2035))))
    settled = chart("1995-11-03 09:20", "female").years(2026, 2035)
    assert not settled.alternatives
    assert not any("实线" in each for each in texts(parsed(settled)))
    assert "stroke-dasharray" not in drawing(settled)


def test_the_year_that_runs_is_pointed_out():
    accent = THEMES["light"][3]
    assert accent in drawing(chart().years(2026, 2035), here=2028)
    assert accent not in drawing(chart().years(2026, 2035))


@pytest.mark.parametrize("given", [{"lang": "fr"}, {"theme": "neon"}, {"domain": "love"}, {"domain": None}])
def test_what_cannot_be_drawn_is_refused(given):
    with pytest.raises(UnknownOption):
        drawing(chart().years(2026, 2027), **given)


def test_a_drawing_needs_nothing_from_elsewhere():
    assert re.findall(r"https?://[^\"]+", drawing(chart().years(2026, 2035))) == [
        "http://www.w3.org/2000/svg"
    ]
