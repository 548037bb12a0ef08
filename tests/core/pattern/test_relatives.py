"""六亲: which star stands for whom, and where it is."""

from __future__ import annotations

import random

import pytest

import bazi_core as bz
from bazi_core.facts import basis_of
from bazi_core.pattern.relatives import relative_facts, relatives
from bazi_core.pillars import FourPillars
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.ten_gods import ten_god
from tests.core.pattern.drawn import possible

FOUR = FourPillars.parse("庚午 辛巳 庚辰 壬午")
CLASSES = {"比劫": ("比肩", "劫财"), "官杀": ("七杀", "正官"), "食伤": ("食神", "伤官")}


def table(pillars: FourPillars, gender: str | None):
    return {each.relative: (each.star, each.positions, each.state) for each in relatives(pillars, gender)}


def test_the_stars_of_a_man():
    # 庚 day: father 甲, mother 己, siblings 庚 辛, spouse 乙, children 丙 丁.
    assert table(FOUR, "male") == {
        "father": ("偏财", (), "无"),
        "mother": ("正印", ("year", "hour"), "藏"),
        "siblings": ("比劫", ("year", "month"), "透"),
        "spouse": ("正财", ("day",), "藏"),
        "children": ("官杀", ("year", "month", "hour"), "藏"),
    }


def test_a_woman_has_other_stars_for_spouse_and_children():
    assert table(FOUR, "female") == table(FOUR, "male") | {
        "spouse": ("正官", ("year", "hour"), "藏"),
        "children": ("食伤", ("hour",), "透"),
    }


def test_without_a_gender_spouse_and_children_are_left_out():
    assert list(table(FOUR, None)) == ["father", "mother", "siblings"]
    assert table(FOUR, None) == {
        name: star for name, star in table(FOUR, "male").items() if name not in ("spouse", "children")
    }


def test_a_star_that_shows_is_told_by_its_stems_alone():
    # 甲 day, wealth 己 in the month and also hidden in 丑 and 未.
    found = table(FourPillars.parse("辛丑 乙未 甲子 己巳"), "male")
    assert found["spouse"] == ("正财", ("hour",), "透")


def test_an_unknown_hour_is_no_place():
    assert table(FourPillars.parse("庚午 辛巳 庚辰"), "female")["children"] == ("食伤", ("day",), "藏")


def any_charts(count: int) -> list[FourPillars]:
    dice = random.Random(11)
    return [possible(dice) for _ in range(count)]


@pytest.mark.parametrize("gender", ["male", "female", None])
def test_positions_are_those_that_a_search_by_name_finds(gender):
    for pillars in any_charts(200):
        day = pillars.day.stem
        for each in relatives(pillars, gender):
            wanted = CLASSES.get(each.star, (each.star,))
            shown = [p for p, x in pillars.items() if p != "day" and ten_god(day, x.stem).value in wanted]
            hidden = [
                place
                for place, pillar in pillars.items()
                if any(ten_god(day, stem.stem).value in wanted for stem in hidden_stems(pillar.branch))
            ]
            assert list(each.positions) == (shown or hidden)
            assert each.state == ("透" if shown else "藏" if hidden else "无")


def test_relatives_are_told_where_they_stand():
    texts = {fact.id: fact.text_zh for fact in relative_facts(relatives(FOUR, "male"))}
    assert texts == {
        "kin.father": "父星为偏财，八字不见",
        "kin.mother": "母星为正印，藏于年支、时支",
        "kin.siblings": "兄弟姐妹星为比劫，透于年干、月干",
        "kin.spouse": "配偶星为正财，藏于日支",
        "kin.children": "子女星为官杀，藏于年支、月支、时支",
    }


def test_a_relative_as_json_names_its_fact():
    assert relatives(FOUR, "male")[2].to_dict() == {
        "relative": "siblings",
        "star": "比劫",
        "positions": ["year", "month"],
        "state": "透",
        "evidence": ["kin.siblings"],
    }


@pytest.mark.parametrize("gender", ["male", "female", None])
def test_the_facts_rest_on_the_pillars_and_where_it_matters_on_the_gender(gender):
    for pillars in any_charts(30):
        known = bz.chart(pillars=str(pillars), gender=gender).facts
        for fact in relative_facts(relatives(pillars, gender)):
            leaves = {
                each.id for each in basis_of(fact.id, {**known, fact.id: fact}) if not each.derives_from
            }
            assert "p.day.stem" in leaves
            assert ("p.input.gender" in leaves) == (fact.subject in ("spouse", "children"))
