"""The drawing of a board: well-formed, a shape for every line, in every language and theme."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import UnknownOption
from bazi_core.liuyao.svg import drawing
from bazi_core.pictures.kit import THEMES, colors
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, board, values
from tests.core.pictures.drawn import check, inside, texts
from tests.tables import holds_for_all

SVG = "{http://www.w3.org/2000/svg}"


def bars_of(root) -> list[ElementTree.Element]:
    return [rect for rect in root.iter(f"{SVG}rect") if rect.get("rx") == "1"]


def parsed(chart: ly.LiuyaoChart, **given: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(chart, **given))


@holds_for_all("number", range(0, 4096, 151))
def test_every_line_is_a_shape_of_its_own(number):
    chart = ly.derive(values(number), AT)
    root = parsed(chart)
    yang = sum(value & 1 for value in values(number))
    target = bin(chart.changed_code).count("1") if chart.moving else 0
    bars = 12 - yang + (12 - target if chart.moving else 0)
    assert len(bars_of(root)) == bars
    old = [value for value in values(number) if value in (6, 9)]
    marks = [each for each in root.iter() if each.get("stroke") == colors("light")["seal"]]
    assert [each.tag for each in marks].count(f"{SVG}circle") == old.count(9)
    assert [each.tag for each in marks].count(f"{SVG}path") == old.count(6)


def test_line_six_is_drawn_on_top_and_every_shape_lies_inside():
    root = check(drawing(ly.derive("789876", AT)))
    inside(root)
    bars = bars_of(root)
    heights = [float(bar.attrib["y"]) for bar in bars]
    assert heights == sorted(heights)
    # 既济 from the top: yin, yang, yin, yang, yin, yang; yin lines are two bars.
    left = [float(bar.attrib["y"]) for bar in bars if float(bar.attrib["x"]) < 120]
    assert [left.count(y) for y in sorted({*left})] == [2, 1, 2, 1, 2, 1]


def test_english_words_are_apart():
    own = texts(check(drawing(ly.derive("789876", AT), "en")))
    assert "Wealth" in own
    assert any("Kan, Water palace, third, Water" in each for each in own)
    assert "Hidden Wealth 戊午" in own
    assert any("坎宫，三世，水" in each for each in texts(check(drawing(ly.derive("789876", AT)))))


def test_the_description_tells_every_line():
    told = check(drawing(ly.derive("789876", AT))).findtext(f"{SVG}desc")
    assert "初爻，少阳，子孙己卯" in told
    assert "三爻，老阳，兄弟己亥，世，→ 庚辰" in told
    assert "上爻，老阴，兄弟戊子，应，→ 辛卯" in told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_language_and_theme_is_well_formed(lang, theme):
    for chart in (ly.derive("789876", AT), board("姤"), board("坤", 2, 3, 5, 6)):
        inside(check(drawing(chart, lang, theme)))


def test_words_are_those_of_the_board():
    text = "".join(texts(check(drawing(ly.derive("789876", AT)))))
    for each in (
        "水火既济 → 风雷益", "丙午 辛卯 丁未 庚戌", "兄弟己亥水世", "官鬼庚辰土", "伏神 妻财戊午", "世",
        "应", "青龙", "坎宫",
    ):  # fmt: skip
        assert each in text, each


@pytest.mark.parametrize("bad", ["", "blue", None, 5, [], "\ud800"])
def test_another_theme_or_language_is_refused(bad):
    for given in ({"theme": bad}, {"lang": bad}):
        with pytest.raises(UnknownOption):
            drawing(ly.derive("789876", AT), **given)
