"""Elements with their season, and what is judged by them."""

import pytest

from bazi_core.alphabet import ELEMENTS
from bazi_core.pictures import elements
from bazi_core.pictures.kit import THEMES
from bazi_core.tables.words import LANGUAGES, term
from tests.core.pictures.drawn import KINDS, SVG, chart, check, inside, texts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_pictures_of_every_chart_are_whole(kind, lang):
    own = chart(kind)
    for theme in THEMES:
        for text in (elements.drawing(own, lang, theme), elements.judged(own.pattern(), lang, theme)):
            inside(check(text))


def test_bars_are_as_long_as_the_shares():
    own = chart()
    bars = [float(each.attrib["width"]) for each in check(elements.drawing(own)).iter(f"{SVG}rect")][1:]
    shares = [own.elements.seasonal[each.index] for each in ELEMENTS]
    assert [bar / bars[0] for bar in bars[1::2]] == pytest.approx([share / 40 for share in shares], abs=0.01)
    assert len({*bars[::2]}) == 1


def test_each_element_has_its_word_its_share_its_season_and_its_class():
    own, found = chart(), texts(check(elements.drawing(chart())))
    for element in ELEMENTS:
        at = found.index(element.value)
        assert found[at + 1] == f"{own.elements.seasonal[element.index]}%"
        assert found[at + 2] == own.elements.state[element.index]
    assert found[found.index("金") + 3] == "比劫"
    assert found[-1] == "生于巳月。八字不见木。"


def test_an_open_strength_shows_both_readings_and_says_which_was_taken():
    own = chart().pattern()
    found = texts(check(elements.judged(own)))
    assert found[0] == "先说拿不准的"
    assert "若身强本盘所取" in found
    assert "若身弱" in found
    assert found.count("用神") == found.count("忌神") == 2
    other = own.alternatives[0]
    at = found.index("若身弱")
    assert found[at:][found[at:].index("用神") + 1] == other.useful.order[0].value


def test_a_settled_strength_shows_one():
    own = chart("fold").pattern()
    found = texts(check(elements.judged(own)))
    assert not own.is_open
    assert not any(each.startswith("若") for each in found)
    assert found.count("用神") == 1


def test_the_votes_are_those_of_the_four_methods():
    own = chart().strength
    found = texts(check(elements.judged(chart().pattern(), "en")))
    votes = found[found.index("weighted") - 1 : found.index("month") + 1 : 2]
    assert votes == [term(each, "en").split()[0] for each in own.method_votes.values()]


def test_a_school_of_facts_alone_judges_nothing():
    assert texts(check(elements.judged(chart("facts only").pattern()))) == ["只列事实"]
