"""Luck as a strip and as a grid: ten 大运 with what is known of them, and what runs at a moment."""

import pytest

from bazi_core.errors import BirthRequired
from bazi_core.pictures import luck
from bazi_core.pictures.kit import THEMES, colors
from bazi_core.tables.words import LANGUAGES
from tests.core.pictures.drawn import chart, check, inside, texts


@pytest.mark.parametrize("kind", ["open", "settled", "no hour", "fold", "pillars and gender"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_luck_is_drawn_whole(kind, lang):
    own = chart(kind)
    for theme in THEMES:
        root = check(luck.of_chart(own, lang, theme))
        inside(root)
        assert [each.pillar.value for each in own.luck.cycles] == [
            each
            for each in texts(root)
            if len(each) == 2 and each in {cycle.pillar.value for cycle in own.luck.cycles}
        ]


def test_what_runs_is_marked_in_words_and_told():
    root = check(luck.of_chart(chart(), as_of="2026-11-23"))
    found = texts(root)
    assert found.count("此刻") == 1
    assert found[found.index("此刻") + 1] == "甲申"
    assert any(each.startswith("2026-11-23：大运甲申") for each in found)
    assert "甲申，偏财，比肩，2017，此刻" in root.findtext("{http://www.w3.org/2000/svg}desc")
    assert "此刻" not in texts(check(luck.of_chart(chart())))
    assert "此刻" not in texts(check(luck.of_chart(chart(), as_of="1990-06-01")))


def test_how_much_of_the_ten_years_has_passed_is_a_part_of_one():
    parts = [luck.now_of(chart(), day).part for day in ("2017-08-17", "2022-08-16", "2027-08-15")]
    assert parts == sorted(parts)
    assert parts == pytest.approx([0, 0.5, 1], abs=0.002)
    assert luck.now_of(chart("no hour"), "2026-11-23").part == 0


def test_an_open_start_is_told_first():
    found = texts(check(luck.of_chart(chart("no hour"))))
    assert found[0] == "先说拿不准的"
    assert "1993-04-27" in found[1]
    assert not any(each.isdigit() for each in found)


def test_a_chart_without_gender_has_no_strip():
    with pytest.raises(BirthRequired):
        chart("pillars").svg(part="luck")


def test_the_grid_holds_a_hundred_years_and_marks_the_one_that_runs():
    root = check(luck.grid(chart(), "zh-Hans", "light", "2026-11-23"))
    inside(root)
    found = texts(root)
    years = [each for each in found if each.isdigit() and len(each) == 4]
    assert len(years) == 100
    assert (min(years), max(years)) == ("1997", "2096")
    marked = [
        each for each in root.iter() if each.attrib.get("fill") == colors("light")["seal"] and each.text
    ]
    assert [each.text for each in marked] == ["2026"]
    assert found[found.index("2026") - 1] == "丙午"


def test_a_grid_needs_dates():
    with pytest.raises(BirthRequired):
        luck.grid(chart("pillars and gender"))
