"""Pictures and pages in a real browser: as the references within a tolerance, no text over another, axe content."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.liuyao import derive
from bazi_core.pictures import chart as four_pillars
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import values
from tests.core.pictures.drawn import HOSTILE, chart
from tests.core.pictures.gallery import AT, FOLDER, gallery, kept
from tests.hub.browser import in_a_browser, launched

pytestmark = in_a_browser
AXE = os.path.join(os.path.dirname(__file__), "node", "node_modules", "axe-core", "axe.min.js")

# How far two pictures are apart: the mean difference of a channel, of 255, when both are drawn 300 pixels wide.
APART = """async ([one, other]) => {
  const drawn = async text => {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 300;
    canvas.height = Math.round(300 * image.naturalHeight / image.naturalWidth);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return pen.getImageData(0, 0, canvas.width, canvas.height);
  };
  const [a, b] = [await drawn(one), await drawn(other)];
  if (a.height !== b.height) return 255;
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / a.data.length;
}"""

# Texts that lie over each other by more than two units both ways, or leave the frame by more than two.
CLASHES = """() => {
  const svg = document.querySelector("svg"), frame = svg.getBoundingClientRect(), found = [];
  const scale = svg.viewBox.baseVal.width / frame.width;
  const texts = [...svg.querySelectorAll("text")].map(each => {
    const box = each.getBoundingClientRect();
    const lead = box.height * 0.2;
    return [each.textContent, box.left, box.top + lead, box.right, box.bottom - lead];
  });
  for (const [told, left, top, right, bottom] of texts)
    if (left < frame.left - 2 || right > frame.right + 2 || bottom > frame.bottom + 2) found.push([told, "frame"]);
  texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
    const wide = Math.min(a[3], b[3]) - Math.max(a[1], b[1]), high = Math.min(a[4], b[4]) - Math.max(a[2], b[2]);
    if (wide * scale > 2 && high * scale > 2) found.push([a[0], b[0]]);
  }));
  return found;
}"""


@pytest.fixture(scope="module")
def page() -> Any:
    with launched() as browser:
        yield browser.new_page(viewport={"width": 420, "height": 900})


def clashes(page: Any, text: str) -> list[list[str]]:
    page.set_content(f"<!doctype html><body style='margin:0'>{text}")
    found: list[list[str]] = page.evaluate(CLASHES)
    return found


def test_pictures_are_as_the_references(page):
    assert {f"{name}.svg" for name in gallery()} == {*os.listdir(FOLDER)}
    page.set_content("<!doctype html>")
    apart = {name: page.evaluate(APART, [text, kept(name)]) for name, text in gallery().items()}
    assert {name: found for name, found in apart.items() if found > 0.3} == {}


def test_the_tolerance_sees_another_picture(page):
    page.set_content("<!doctype html>")
    other = gallery()["chart"].replace("庚", "甲")
    assert page.evaluate(APART, [other, kept("chart")]) > 0.3


def test_no_text_lies_over_another(page):
    assert {name: found for name, text in gallery().items() if (found := clashes(page, text))} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_any_pillar_lies_over_another(page, lang):
    found = {}
    for first in range(0, 60, 3):
        four = " ".join(PILLARS[(first + step) % 60].value for step in (0, 17, 29, 41))
        own = bz.chart(pillars=four, gender="male", school=bz.School(validate="warn"))
        if wrong := clashes(page, four_pillars.drawing(own, lang)):
            found[four] = wrong
    assert found == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_a_year_or_of_luck_lies_over_another(page, lang):
    found = {}
    for kind, numbers in (
        ("open", range(1995, 2040, 5)),
        ("settled", range(1996, 2030, 7)),
        ("fold", range(2001, 2060, 9)),
    ):
        for number in numbers:
            if wrong := clashes(page, chart(kind).year(number).svg(lang, as_of=f"{number}-11-23")):
                found[kind, number] = wrong
        for part in ("luck", "grid", "elements"):
            if wrong := clashes(page, chart(kind).svg(lang, part=part, as_of="2026-11-23")):
                found[kind, part] = wrong
    assert found == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_a_cast_lies_over_another(page, lang):
    found = {}
    for number in range(0, 4096, 131):
        cast = derive(values(number), AT)
        if wrong := clashes(page, cast.svg(lang)):
            found[number] = wrong
    assert found == {}


@pytest.mark.parametrize(("lang", "theme"), [*product(LANGUAGES, ("light", "dark"))])
def test_axe_has_nothing_serious_to_say_of_a_page(page, lang, theme):
    if not os.path.exists(AXE):
        pytest.skip("axe-core is not installed")
    for kind, wide, name in (("open", 360, ""), ("no hour", 1280, HOSTILE)):
        page.set_viewport_size({"width": wide, "height": 900})
        page.set_content(chart(kind).html(lang, theme, as_of="2026-11-23", name=name))
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.add_script_tag(path=AXE)
        found = page.evaluate(
            "async () => (await axe.run()).violations.map(v => [v.id, v.impact, v.nodes[0].html])"
        )
        assert found == []
        # Nothing but tables, which scroll inside themselves, is wider than the window.
        assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_print_is_white_to_the_edge_and_without_what_is_folded(page):
    # The margins of a printed page are painted in the colours of its scheme.
    page.set_content(chart().html(theme="dark"))
    page.emulate_media(media="print")
    try:
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("[...document.querySelectorAll('details')].every(each => !each.offsetHeight)")
        assert not page.evaluate("document.querySelector('.evidence').offsetHeight")
    finally:
        page.emulate_media(media="screen")
