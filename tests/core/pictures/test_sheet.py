"""The page to hand over, as PDF: one page whatever the chart, names as text, clear errors where something is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from bazi_core.errors import FontMissing, LibraryMissing, UnknownOption
from bazi_core.pictures.press import chosen_fonts
from bazi_core.pictures.sheet import cut
from bazi_core.tables.words import LANGUAGES
from tests.core.pictures.drawn import HOSTILE, KINDS, chart


def installed() -> bool:
    """Whether typst and a font with hanzi are there."""
    typst = pytest.importorskip("typst")
    try:
        return bool(chosen_fonts(typst.Fonts().families(), "zh-Hans"))
    except FontMissing:
        return False


needs_fonts = pytest.mark.skipif(not installed(), reason="no font with hanzi is installed")


def told(pdf: bytes, *program: str) -> str:
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    done = subprocess.run([*program], input=pdf, capture_output=True, check=True)
    return done.stdout.decode()


@needs_fonts
@pytest.mark.parametrize(
    ("kind", "lang"),
    [
        pytest.param(kind, lang, marks=[] if (kind, lang) == ("open", "en") else [pytest.mark.exhaustive])
        for kind in KINDS
        for lang in LANGUAGES
    ],
)
def test_every_chart_is_one_page_of_a4(kind, lang):
    pdf = chart(kind).pdf(lang, as_of="2026-11-23")
    assert pdf.startswith(b"%PDF-1.")
    info = told(pdf, "pdfinfo", "-")
    assert [line.split() for line in info.splitlines() if line.startswith("Pages")] == [["Pages:", "1"]]
    assert "(A4)" in info


@needs_fonts
def test_a_full_page_is_drawn_smaller_before_rows_are_left_out():
    words = told(chart("open").pdf("en", as_of="2026-11-23"), "pdftotext", "-", "-").splitlines()
    assert {"Stage", "Nayin", "Stars"} <= {*words}


@needs_fonts
def test_the_same_chart_is_the_same_bytes_and_a_hostile_name_is_text():
    name = '"; #panic("x") ' + HOSTILE
    one, other = (chart("pillars").pdf(name=name) for _ in range(2))
    assert one == other
    words = told(one, "pdftotext", "-", "-")
    assert '"; #panic("x") "><script>' in words
    assert "丙" in words
    assert "没有性别" in words or "未给性别" in words


@needs_fonts
def test_every_font_is_in_the_file():
    rows = told(chart("pillars").pdf(), "pdffonts", "-").splitlines()[2:]
    assert rows
    assert all(row.split()[-5] == "yes" for row in rows)


def test_fonts_are_chosen_by_the_language():
    there = ["Arial", "Noto Sans CJK SC", "Noto Sans CJK TC", "SimSun"]
    assert chosen_fonts(there, "zh-Hans") == (["SimSun"], ["Noto Sans CJK SC", "Noto Sans CJK TC"])
    assert chosen_fonts(there, "zh-Hant")[1][0] == "Noto Sans CJK TC"
    assert chosen_fonts(["WenQuanYi Zen Hei"], "en") == (["WenQuanYi Zen Hei"], ["WenQuanYi Zen Hei"])


def test_without_a_font_for_hanzi_nothing_is_written():
    with pytest.raises(FontMissing) as caught:
        chosen_fonts(["Arial", "DejaVu Sans"], "zh-Hans")
    assert caught.value.data == {"wanted": ["Noto Sans CJK SC", "Noto Serif CJK SC"]}
    assert "fonts-noto-cjk" in caught.value.advice("zh-Hans")


def test_without_typst_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(LibraryMissing) as caught:
        chart().pdf()
    assert caught.value.data == {"library": "typst", "extra": "pdf"}
    assert "bazi-core[pdf]" in caught.value.hint


def test_another_language_is_refused():
    with pytest.raises(UnknownOption):
        chart().pdf("fr")


def test_long_text_is_cut_and_control_characters_are_replaced():
    assert cut("a" * 500) == "a" * 159 + "…"
    assert cut("a\x00b") == "a\ufffdb"
