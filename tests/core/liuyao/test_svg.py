"""The drawing of a board: well-formed, a shape for every line, in every language and theme."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import UnknownOption
from bazi_core.liuyao.svg import WIDTH, drawing
from bazi_core.render.svg import THEMES
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, board, values

SVG = "{http://www.w3.org/2000/svg}"


def parsed(chart: ly.LiuyaoChart, **given: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(chart, **given))


@pytest.mark.parametrize("number", range(0, 4096, 151))
def test_every_line_is_a_shape_of_its_own(number):
    chart = ly.derive(values(number), AT)
    root = parsed(chart)
    yang = sum(value & 1 for value in values(number))
    target = bin(chart.changed_code).count("1") if chart.moving else 0
    bars = 12 - yang + (12 - target if chart.moving else 0)
    # One rectangle is the ground.
    assert len(root.findall(f"{SVG}rect")) == 1 + bars
    old = [value for value in values(number) if value in (6, 9)]
    assert len(root.findall(f"{SVG}circle")) == old.count(9)
    assert len(root.findall(f"{SVG}path")) == old.count(6)


def test_line_six_is_drawn_on_top_and_every_shape_lies_inside():
    root = parsed(ly.derive("789876", AT))
    height = float(root.attrib["viewBox"].split()[3])
    bars = [rect for rect in root.findall(f"{SVG}rect") if rect.get("rx")]
    heights = [float(bar.attrib["y"]) for bar in bars]
    assert heights == sorted(heights)
    for bar in bars:
        assert 0 <= float(bar.attrib["x"]) <= WIDTH - float(bar.attrib["width"])
        assert 0 <= float(bar.attrib["y"]) <= height
    # 既济 from the top: yin, yang, yin, yang, yin, yang; yin lines are two bars.
    left = [float(bar.attrib["y"]) for bar in bars if float(bar.attrib["x"]) < 530]
    assert [left.count(y) for y in sorted({*left})] == [2, 1, 2, 1, 2, 1]


def test_english_words_are_apart():
    texts = [text.text for text in parsed(ly.derive("789876", AT), lang="en").findall(f"{SVG}text")]
    assert "Wealth 戊午" in texts
    assert texts[-1] == "Kan, Water palace, third, Water"
    chinese = [text.text for text in parsed(ly.derive("789876", AT)).findall(f"{SVG}text")]
    assert ("妻财戊午" in chinese, chinese[-1]) == (True, "坎宫，三世，水")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_language_and_theme_is_well_formed(lang, theme):
    for chart in (ly.derive("789876", AT), board("姤"), board("坤", 2, 3, 5, 6)):
        root = parsed(chart, lang=lang, theme=theme)
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title") is not None
        assert all(text.text for text in root.findall(f"{SVG}text"))
        colours = set(re.findall(r'(?:fill|stroke)="(#\w+)"', drawing(chart, lang, theme)))
        assert colours <= {*THEMES[theme]}


def test_words_are_those_of_the_board():
    text = "".join(parsed(ly.derive("789876", AT)).itertext())
    for each in (
        "水火既济 → 风雷益",
        "丙午 辛卯 丁未 庚戌",
        "兄弟己亥水",
        "官鬼庚辰土",
        "妻财戊午",
        "世",
        "应",
        "青龙",
        "坎宫",
    ):
        assert each in text, each


def test_a_drawing_needs_nothing_from_elsewhere():
    text = drawing(ly.derive("789876", AT))
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text
    assert "href" not in text


@pytest.mark.parametrize("bad", ["", "blue", None, 5, [], "\ud800"])
def test_another_theme_or_language_is_refused(bad):
    for given in ({"theme": bad}, {"lang": bad}):
        with pytest.raises(UnknownOption):
            drawing(ly.derive("789876", AT), **given)
