"""A lawsuit looks at both sides and the court, and a settlement at what 世 and 应 are to each other."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.matters import matter_of
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.statements.cast import cast_plan, leaning
from bazi_core.speech.statements.cast_words import bond, bonds
from tests.core.liuyao.casts import time_of, values
from tests.sizes import sizes

FORCE = {"acts": 2, "faint": 1, "ready": 1}
AGREE = ("应生世", "世应合", "世应和", "世生应")


def cast_of(number: int, asked: str) -> ly.Analysis:
    month, day = time_of(number)
    return ly.derive(values(number), month_branch=month, day=day).analyze(question=asked)


def sides(found: ly.Analysis) -> list[str]:
    """How the sides and the court are told."""
    told = []
    for each in cast_plan(found).statements:
        told += [each.key] if each.key == "cast.law.even" else []
        if each.key.startswith("cast.omens."):
            told += [
                part.key
                for part in each.values["omens"].members
                if ".law." in part.key or ".court." in part.key
            ]
    return [each for each in told if each.startswith(("cast.law.", "cast.omen.law.", "cast.omen.court."))]


@sizes(60, 1500)
def test_the_side_that_stands_better_is_told_as_the_stronger(count):
    seen: Counter[str] = Counter()
    for number in range(0, 4096, 4096 // count):
        found = cast_of(number, "官司打得赢吗")
        shi, ying = (
            FORCE.get(found.standings[at - 1].kind, 0)
            for at in (found.chart.primary.shi, found.chart.primary.ying)
        )
        told = {each for each in sides(found) if ".law." in each}
        key = "cast.omen.law.self" if shi > ying else "cast.omen.law.other" if shi < ying else "cast.law.even"
        assert told == {key}, number
        seen[key] += 1
    assert len(seen) == 3


def test_the_court_leans_to_the_side_that_it_feeds():
    # 官鬼 戌 stirs at line 5 of 节 and feeds 应, 申 at line 4.
    found = ly.derive("778698", "2026-12-01T10:20:00+08:00").analyze(question="打劳动官司能赢吗")
    assert "cast.omen.court.feeds.other" in sides(found)
    assert {"self", "other"} == {key.rpartition(".")[2] for key in catalogue() if ".court." in key}


@sizes(60, 1500)
def test_a_settlement_is_answered_by_the_two_sides(count):
    seen = set()
    for number in range(0, 4096, 4096 // count):
        found = cast_of(number, "这场官司要不要庭外和解？")
        shi, ying = (found.lines[at - 1] for at in (found.chart.primary.shi, found.chart.primary.ying))
        key = bond(shi, ying, void=True)
        assert any(each.key == f"cast.settle.{key}" for each in cast_plan(found).statements)
        assert leaning(found).side == ("for" if key in AGREE else "against")
        seen.add(key)
    assert len(seen) >= 7
    assert {f"cast.settle.{each}" for each in bonds()} == {
        key for key in catalogue() if key.startswith("cast.settle.")
    }


@pytest.mark.parametrize(
    "asked", ["打劳动官司能赢吗，要不要接受他们的和解？", "Will I win the lawsuit, or should I settle?"]
)
def test_beside_a_case_a_settlement_is_told_and_is_no_matter_of_love(asked):
    found = cast_of(57, asked)
    assert matter_of(asked, found.question_type).name == "verdict"
    assert found.taken.beside == ()
    said = [each.key for each in cast_plan(found).statements]
    assert any(key.startswith("cast.settle.") for key in said)
    assert "cast.asked.option" not in said
