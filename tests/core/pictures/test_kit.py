"""The kit: colours that can be read, text that fits, marks that differ without colour."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest

from bazi_core.alphabet import ELEMENTS
from bazi_core.errors import UnknownOption
from bazi_core.pictures.kit import PAGE, THEMES, Picture, colors, fonts, length, lines, style
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.pictures.drawn import HOSTILE, check, parsed, texts

ROWS = rows("picture_colors")


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_every_ground_and_marks_be_seen(theme):
    grounds = [row[theme] for row in ROWS if row["role"] == "ground"]
    assert len(grounds) == 4
    for row in ROWS:
        if row["role"] in ("text", "mark"):
            least = min(contrast(row[theme], ground) for ground in grounds)
            assert least >= (4.5 if row["role"] == "text" else 3), (row["name"], least)
        if row["role"] == "on":
            assert contrast(row[theme], colors(theme)[row["behind"]]) >= 4.5


def test_every_color_has_a_role_and_a_value_in_both_themes():
    assert {row["role"] for row in ROWS} == {"ground", "text", "mark", "ornament", "on"}
    assert all(re.fullmatch("#[0-9a-f]{6}", row[theme]) for row in ROWS for theme in ("light", "dark"))


def test_the_shapes_of_the_elements_differ_without_their_colors():
    shapes = set()
    for element in ELEMENTS:
        picture = Picture("zh-Hans", "light")
        picture.mark(element, 10, 10)
        shapes.add(re.sub(r'(fill|stroke)="#\w+"', "", "".join(picture.parts)))
    assert len(shapes) == 5


def test_auto_holds_both_themes_and_follows_the_system():
    text = Picture("zh-Hans", "auto").svg("name", "description")
    assert "prefers-color-scheme:dark" in text
    assert all(row[theme] in text for row in ROWS for theme in ("light", "dark"))
    assert style(".x").count(".x{") == 2
    fixed = Picture("zh-Hans", "dark").svg("name", "description")
    assert ("var(" in fixed, "<style" in fixed) == (False, False)
    page = Picture("zh-Hans", PAGE).svg("name", "description")
    assert ("<style" in page, "<rect" in page) == (False, False)


def test_lines_fit_their_room():
    for told, room, size in product(
        (
            "时辰未知，只排三柱；当日会变的柱见附。",
            "The hour is unknown: three pillars only, those that change.",
            "庚午",
        ),
        (60, 120, 340),
        (11, 12, 15),
    ):
        found = lines(told, room, size)
        assert "".join(found).replace(" ", "") == told.replace(" ", "")
        assert all(length(line, size) <= room for line in found if " " in line or not line.isascii())


def test_words_are_escaped_and_control_characters_replaced():
    picture = Picture("zh-Hans", "light")
    picture.text(0, 10, HOSTILE)
    root = check(picture.svg(HOSTILE, HOSTILE))
    assert texts(root)[0].startswith('"><script>alert(1)</script>&\ufffd\ufffd[31m名')


def test_no_font_comes_from_outside_and_every_list_ends_in_a_family_of_the_system():
    for lang, serif in product(LANGUAGES, (True, False)):
        families = fonts(lang, serif).split(",")
        assert families[-1] == ("serif" if serif else "sans-serif")
        assert any(family.startswith("Noto") for family in families)
    assert "TC" in fonts("zh-Hant")


@pytest.mark.parametrize("bad", ["", "blue", None, 5, "PAGE"])
def test_another_language_or_theme_is_refused(bad):
    for lang, theme in (("zh-Hans", bad), (bad, "light")):
        with pytest.raises(UnknownOption):
            Picture(lang, theme)


def test_the_themes_are_those_of_the_table_and_auto():
    assert THEMES == ("light", "dark", "auto")
    for one, other in pairwise(THEMES):
        assert colors(one) != colors(other)
    assert parsed(Picture("en", "light").svg("a", "b")).attrib["lang"] == "en"


def test_a_bounded_number_of_texts_is_remembered_and_laid_out_as_if_for_the_first_time():
    told = ["一二三四五六七八九十" * 3, "Monthly Virtue Noble and Heavenly Virtue Noble", "Star"]
    for each, room in product(told, (40, 80.5, 300)):
        assert lines(each, room, 11) == lines(each, room, 11) == lines.__wrapped__(each, room, 11)
    most = lines.cache_info().maxsize
    assert most is not None
    assert lines.cache_info().currsize <= most <= 2000


def test_a_picture_of_a_page_has_its_letters_from_the_page():
    drawn = {theme: Picture("zh-Hant", theme) for theme in (PAGE, "light")}
    for each in drawn.values():
        each.text(0, 20, "庚", serif=True)
    on_page, alone = (each.svg("庚", "庚") for each in drawn.values())
    assert "var(--serif)" in on_page
    assert "var(--sans)" in on_page
    assert "xmlns" not in on_page
    assert fonts("zh-Hant", True) in alone
    assert 'xmlns="http://www.w3.org/2000/svg"' in alone
