"""What the tests of pictures share: charts of every kind, a picture as a tree, what each must keep."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import bazi_core as bz
from bazi_core.pictures.kit import LEAST
from bazi_core.year.span import YearsResult

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script>&\x00\x1b[31m' + "名" * 200


@cache
def chart(kind: str = "open") -> bz.Chart:
    """A chart by what is special of it."""
    if kind == "open":
        return bz.chart("1990-05-15 13:30", city="北京", gender="male")
    if kind == "settled":
        return bz.chart("1995-11-03 09:20", city="北京", gender="female")
    if kind == "no hour":
        return bz.chart("1990-05-15", city="北京", gender="female", hour_unknown=True)
    if kind == "fold":
        return bz.chart("1990-09-16 01:30", city="北京", gender="male", fold=1)
    if kind == "named twice":
        return bz.chart("2000-02-04 20:35", city="London", gender="female")
    if kind == "facts only":
        school = bz.School(judgement="facts")
        return bz.chart("1990-05-15 13:30", city="北京", gender="male", school=school)
    if kind == "pillars":
        return bz.chart(pillars="丙子 癸巳 丁亥 辛丑")
    return bz.chart(pillars="丁亥 癸丑 庚子 庚辰", gender="male")


@cache
def span(first: int, last: int, kind: str = "open") -> YearsResult:
    """Years of a chart side by side; those of the first chart, up to 2040, are parts of one."""
    if kind != "open" or last > 2040 or (first, last) == (2000, 2040):
        return chart(kind).years(first, last)
    whole = span(2000, 2040)
    return replace(whole, first=first, last=last, years=whole.years[first - 2000 : last - 1999])


KINDS = ("open", "settled", "no hour", "fold", "named twice", "facts only", "pillars", "pillars and gender")


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def check(text: str) -> ElementTree.Element:
    """The tree of a picture that keeps what all must: a name and a description, nothing from outside, no ids."""
    root = parsed(text)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    name, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert name is not None
    assert told is not None
    assert name.text == root.attrib["aria-label"]
    assert told.text
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    for each in root.iter():
        assert each.tag.removeprefix(SVG) in {
            "svg", "title", "desc", "style", "g", "rect", "path", "circle", "text", "tspan",
        }  # fmt: skip
        assert not {"id", "href", "style", "onload", "onclick"} & {*each.attrib}
        assert float(each.attrib.get("font-size", LEAST)) >= LEAST
    assert all(texts(root))
    assert "None" not in "".join(root.itertext())
    return root


def inside(root: ElementTree.Element) -> None:
    """Shapes and the beginnings of texts stand inside the frame."""
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    for each in root.iter(f"{SVG}rect"):
        at = {name: float(each.attrib.get(name, 0)) for name in ("x", "y", "width", "height")}
        assert at["x"] >= -0.1
        assert at["x"] + at["width"] <= wide + 0.1, each.attrib
        assert at["y"] >= -0.1
        assert at["y"] + at["height"] <= high + 0.1, each.attrib
    for each in root.iter(f"{SVG}text"):
        assert 0 <= float(each.attrib["x"]) <= wide
        assert 0 <= float(each.attrib["y"]) <= high
