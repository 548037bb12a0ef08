"""A year before a chart: the columns of luck and year with what they add, the points, the months."""

import pytest

from bazi_core.pictures.kit import THEMES
from bazi_core.pictures.year import drawing, running_month
from bazi_core.tables.words import LANGUAGES
from bazi_core.year.rules import OVERALL
from tests.core.pictures.drawn import SVG, chart, check, inside, texts


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "number"), [("open", 2026), ("open", 1992), ("no hour", 1993), ("fold", 2100), ("settled", 1998)]
)
def test_every_year_is_drawn_in_every_language(kind, number, lang):
    year = chart(kind).year(number)
    for theme in THEMES:
        root = check(drawing(year, lang, theme, f"{number}-11-23"))
        inside(root)
        assert texts(root).count(year.pillar.value[0]) >= 1


def test_the_score_under_the_other_reading_is_told_first():
    found = texts(check(drawing(chart().year(2026))))
    assert "两可，若身强52分，若身弱43分" in found[found.index("先说拿不准的") + 1]
    assert "先说拿不准的" not in texts(check(drawing(chart("settled").year(2026))))


def test_the_points_are_the_reasons_and_sum_to_the_score():
    year = chart().year(2026)
    found = texts(check(drawing(year)))
    points = [int(each) for each in found if each[0] in "+-" and each[1:].isdigit()]
    assert 50 + sum(points) == year.scores.of(OVERALL)
    assert "大运支申" in found


def test_the_months_have_their_scores_and_the_one_that_runs_is_marked():
    year = chart().year(2026)
    found = texts(check(drawing(year, as_of="2026-11-23")))
    for month in year.months:
        assert month.pillar.value in found
        assert month.jie.value in found
    assert found.count("此刻") == 1
    assert year.months[running_month(year, "2026-11-23")].pillar.value == "己亥"
    assert running_month(year, "2024-11-23") is None
    assert "此刻" not in texts(check(year.svg()))


def test_arcs_show_what_the_year_adds_and_leave_out_what_is_resolved():
    year = chart().year(2026)
    root = check(drawing(year))
    found = texts(root)
    assert found.count("冲") == 2
    assert not any("解" in each for each in found if "·" in each)
    told = root.findtext(f"{SVG}desc")
    assert "化解" in told
