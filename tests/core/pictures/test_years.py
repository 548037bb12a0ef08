"""Years side by side: a bar for every year, a circle for the other reading, the luck above them by its dates."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bazi_core.errors import UnknownOption
from bazi_core.pictures.kit import THEMES, colors
from bazi_core.pictures.years import RIGHT, drawing
from bazi_core.tables.words import LANGUAGES
from bazi_core.year.span import SCORES
from tests.core.pictures.drawn import SVG, check, inside, span, texts

LEFT = 30.0


def bars(root, own) -> list:
    """The bars of the years: as many as there are years, drawn before the first circle or name."""
    wide = min(18.0, (RIGHT - LEFT) / len(own.years) * 0.55)
    return [
        each
        for each in root.iter(f"{SVG}rect")
        if float(each.attrib["width"]) == pytest.approx(wide, abs=0.06)
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_language_and_theme_is_well_formed(lang, theme):
    for own in (span(2026, 2035), span(2000, 2040), span(2026, 2026)):
        inside(check(drawing(own, lang, theme, here=2026)))
    inside(check(drawing(span(1990, 1999, "no hour"), lang, theme)))


@pytest.mark.parametrize("domain", SCORES)
def test_bars_and_circles_stand_as_high_as_the_scores(domain):
    own = span(2026, 2035)
    root = check(drawing(own, domain=domain))
    scores = [year.scores.of(domain) for year in own.years]
    ends = []
    for score, bar in zip(scores, bars(root, own), strict=True):
        top = float(bar.attrib["y"])
        ends.append(top if score >= 50 else top + float(bar.attrib["height"]))
    pairs = sorted(zip(scores, ends, strict=True))
    assert all(
        (one[0] < two[0]) == (one[1] > two[1] + 0.5)
        for one, two in pairwise(pairs)
        if abs(one[0] - two[0]) != 1
    )
    other = [year.scores.of(domain) for year in own.alternatives[0].years]
    heights = [float(each.attrib["cy"]) for each in root.iter(f"{SVG}circle")]
    pairs = sorted(zip(other, heights, strict=True))
    assert all((one[0] < two[0]) == (one[1] > two[1]) for one, two in pairwise(pairs))


def test_bands_meet_where_the_luck_changes():
    own = span(2026, 2035)
    root = check(drawing(own))
    bands = [each for each in root.iter(f"{SVG}rect") if each.attrib["height"] == "20"]
    left, right = (float(bands[at].attrib["x"]) for at in (0, 1))
    assert left == LEFT
    assert left + float(bands[0].attrib["width"]) + 1 == pytest.approx(right, abs=0.2)
    # 16 August 2027 lies a little past the middle of the second of ten years.
    assert 1.5 < (right - LEFT) / ((RIGHT - LEFT) / 10) < 1.6
    assert "乙酉运 2027-08-16 起" in texts(root)


def test_the_numbers_stand_below_and_all_of_them_in_the_description():
    own = span(2026, 2035)
    root = check(drawing(own))
    assert {"丙午", "2026", "52", "43", "强", "弱"} <= {*texts(root)}
    assert "2026年 52 / 43，2027年 47 / 46" in root.findtext(f"{SVG}desc")
    long = check(drawing(span(2000, 2040)))
    assert "2037" not in texts(long)
    assert "2037年 " in long.findtext(f"{SVG}desc")


@pytest.mark.parametrize(
    "last", [2011, 2020, 2040, *(pytest.param(last, marks=pytest.mark.exhaustive) for last in (2070, 2119))]
)
def test_numbers_of_many_years_never_touch(last):
    for here in (2000, 2007, None):
        root = check(drawing(span(2000, last), here=here))
        at = sorted(
            float(each.attrib["x"])
            for each in root.iter(f"{SVG}text")
            if "".join(each.itertext()).isdigit() and len("".join(each.itertext())) == 4
        )
        assert all(two - one > 28 for one, two in pairwise(at))


def test_doubts_say_first_which_reading_is_which():
    found = texts(check(drawing(span(2026, 2035))))
    first = found.index("先说拿不准的")
    assert "实柱 若身强，空圈 若身弱" in found[first + 1]
    settled = span(2026, 2035, "settled")
    assert not settled.alternatives
    root = check(drawing(settled))
    assert "先说拿不准的" not in texts(root)
    assert not [*root.iter(f"{SVG}circle")]


def test_the_year_that_runs_is_pointed_out():
    seal = colors("light")["seal"]
    assert seal in drawing(span(2026, 2035), here=2028)
    assert seal not in drawing(span(2026, 2035))


@pytest.mark.parametrize("given", [{"lang": "fr"}, {"theme": "neon"}, {"domain": "love"}, {"domain": None}])
def test_what_cannot_be_drawn_is_refused(given):
    with pytest.raises(UnknownOption):
        span(2026, 2027).svg(**given)
