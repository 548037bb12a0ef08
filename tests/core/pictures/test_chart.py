"""The picture of four pillars: whole in every language, theme and kind of chart; it says what the facts hold."""

import re
from itertools import combinations

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.errors import UnknownOption
from bazi_core.pictures import arcs
from bazi_core.pictures.chart import drawing, frame, natal_seats
from bazi_core.pictures.kit import THEMES
from bazi_core.pillars import FourPillars
from bazi_core.tables.words import LANGUAGES
from bazi_core.views.relations import relations
from tests.core.pictures.drawn import HOSTILE, KINDS, chart, check, inside, texts
from tests.core.pictures.gallery import DOCUMENTED, PICTURES, documented, kept
from tests.sizes import sizes

NUMBERS = re.compile(r"(?<![\w#.])-?\d+(?:\.\d+)?")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_chart_is_drawn_in_every_language(kind, lang):
    for theme, compact in zip(THEMES, (False, True, False), strict=True):
        root = check(drawing(chart(kind), lang, theme, compact))
        inside(root)
        found = texts(root)
        for pillar in filter(None, chart(kind).pillars):
            assert pillar.stem.value in found
            assert pillar.branch.value in found


def test_the_method_of_the_chart_is_the_picture():
    own = chart()
    assert own.svg("en", "dark", True, name="Ada") == drawing(own, "en", "dark", True, "Ada")
    with pytest.raises(UnknownOption):
        own.svg("fr")


def test_doubts_stand_before_everything_else():
    found = texts(check(drawing(chart())))
    first = found.index("年柱")
    assert found[0] == "先说拿不准的"
    assert any("按钟表时柱为癸未" in each for each in found[:first])
    assert any("只有1种断为身强" in each for each in found[:first])
    assert "先说拿不准的" not in texts(check(drawing(chart("fold"))))


def test_doubts_stay_in_the_short_picture():
    full, short = (texts(check(drawing(chart("no hour"), compact=each))) for each in (False, True))
    assert short[0] == full[0] == "先说拿不准的"
    assert any("时辰未知" in each for each in short)
    assert any("己卯 00:00" in each for each in full)
    assert "自坐" in full
    assert "自坐" not in short
    assert len("".join(short)) < len("".join(full))


def test_an_unknown_hour_is_a_question_and_a_day_that_varies_is_marked():
    found = texts(check(drawing(chart("no hour"))))
    assert "?" in found
    assert "未知" in found
    assert found.count("当日会变") == 1
    assert "?" not in texts(check(drawing(chart())))


def test_the_element_of_every_sign_stands_in_words_too():
    own = chart()
    found = texts(check(drawing(own)))
    for element in "木火土金水":
        signs = [sign for pillar in own.pillars for sign in (pillar.stem, pillar.branch)]
        assert found.count(element) == sum(sign.element.value == element for sign in signs)


def test_the_description_tells_pillars_gods_and_relations():
    root = check(drawing(chart()))
    told = root.findtext("{http://www.w3.org/2000/svg}desc")
    for each in ("年柱庚午，比肩", "日柱庚辰，日主", "午午自刑（年时，遥）", "四种强弱法中只有1种断为身强"):
        assert each in told


def test_a_hostile_name_is_text_and_never_longer_than_the_picture():
    root = check(drawing(chart(), name=HOSTILE))
    inside(root)
    first = texts(root)[0]
    assert first.startswith('"><script>')
    assert first.endswith("…")
    assert len(first) < 60


def test_a_dashed_arc_is_one_that_does_not_hold():
    found = chart("fold")
    above, below = arcs.arcs(found.relations, [seat.place for seat in natal_seats(found)], "zh-Hans")
    assert [(arc.told, arc.columns, arc.solid) for arc in above] == [
        ("合金 · 化", (0, 1), True),
        ("冲 · 隔 · 解", (0, 2), False),
        ("合金 · 遥", (0, 3), False),
    ]
    assert [(arc.told, arc.solid) for arc in below] == [("害 · 遥", False), ("半合金 · 隔", True)]
    assert drawing(found).count("stroke-dasharray") == 3


@sizes(sample=4, whole=60)
def test_no_two_arcs_of_a_level_meet(count):
    xs = frame(4, "en").signs
    for first in range(count):
        pillars = FourPillars(
            PILLARS[first], PILLARS[first * 7 % 60], PILLARS[first * 11 % 60], PILLARS[first * 13 % 60]
        )
        for found in arcs.arcs(relations(pillars, bz.School()), ("year", "month", "day", "hour"), "en"):
            laid = arcs.levels(found, xs)
            assert sorted(name for arc in laid for name in arc.names) == sorted(arc.names[0] for arc in found)
            for one, other in combinations(laid, 2):
                if one.level == other.level:
                    assert one.columns[-1] <= other.columns[0] or other.columns[-1] <= one.columns[0]


def test_every_relation_between_pillars_has_its_arc():
    for kind in KINDS:
        own = chart(kind)
        above, below = arcs.arcs(own.relations, ("year", "month", "day", "hour"), "zh-Hans")
        drawn = [each for each in own.relations if each.type not in ("干克", "盖头", "截脚")]
        assert len(above) + len(below) == len(drawn)


def test_a_notebook_shows_the_picture(monkeypatch):
    monkeypatch.setenv("BAZI_LANG", "en")
    found = chart()._repr_mimebundle_()
    assert [*found] == ["text/plain", "image/svg+xml"]
    assert found["text/plain"].startswith("BaZi chart")
    assert "Day Master" in texts(check(found["image/svg+xml"]))


def test_the_picture_of_the_documents_is_that_of_readme():
    with open(DOCUMENTED, encoding="utf-8") as file:
        assert file.read() == documented() + "\n"


@pytest.mark.parametrize("name", PICTURES)
def test_the_references_say_and_draw_the_same_within_a_unit(name):
    """Words exactly, numbers within half a unit: what the browser compares by pixels, here by values."""
    texts = PICTURES[name](), kept(name)
    own, other = map(NUMBERS.split, texts)
    assert own == other
    own, other = ([float(each) for each in NUMBERS.findall(text)] for text in texts)
    assert own == pytest.approx(other, abs=0.5)


def test_relations_of_the_same_pillars_share_an_arc_while_there_is_room():
    found = bz.chart("1953-02-20 16:16", city="Berlin", gender="female")
    xs = frame(4, "zh-Hans").signs
    _, below = arcs.arcs(found.relations, ("year", "month", "day", "hour"), "zh-Hans")
    told = [arc.told for arc in arcs.levels(below, xs)]
    assert "冲、刑、天克地冲" in told
    assert "合水、破、刑 · 遥" in told
    assert len(told) < len(below) / 1.5


def test_the_short_picture_leaves_out_what_is_resolved_but_tells_it():
    full, short = (check(drawing(chart("fold"), compact=compact)) for compact in (False, True))
    assert any("解" in each for each in texts(full) if "·" in each)
    assert not any("解" in each for each in texts(short) if "·" in each)
    assert "化解" in short.findtext("{http://www.w3.org/2000/svg}desc")
