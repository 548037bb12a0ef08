"""Where a lost thing is: home or outside where that is asked, in its store, in somebody's hand, by a 三合 to come."""

from __future__ import annotations

import pytest

from bazi_core import liuyao as ly
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import time_of, values

RING = "我妈传下来的金戒指前天不见了，是丢外面还是在家里，还找得回来吗？"


def keys_of(found: ly.Analysis) -> set[str]:
    return {each.key for each in cast_plan(found).statements}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ring_of_a_relative_is_a_lost_thing_told_with_hand_store_and_the_branch_to_come(language):
    # 妻财 午 turns into 官鬼, its store 戌 stirs at line 6, and 寅 午 戌 waits for 寅.
    found = ly.derive("787966", "2026-11-28T10:20:00+08:00").analyze(question=RING)
    assert (found.question_type, found.subject.target, found.kinship) == ("失物", "妻财", None)
    assert {"cast.thing.hand.own", "cast.thing.stored", "cast.times.trine", "cast.side.outer"} <= keys_of(
        found
    )
    text = ly.read(found, question=RING, language=language).text
    assert {"zh-Hans": "在外面的可能大", "zh-Hant": "在外面的可能大", "en": "more likely outside"}[
        language
    ] in text


def test_home_or_outside_is_told_where_it_is_asked_and_by_the_trigram():
    for number in range(0, 4096, 61):
        month, day = time_of(number)
        chart = ly.derive(values(number), month_branch=month, day=day)
        sides = {key for key in keys_of(chart.analyze(question=RING)) if key.startswith("cast.side.")}
        assert len(sides) <= 1
        assert not any(
            key.startswith("cast.side.") for key in keys_of(chart.analyze(question="戒指丢了，找得到吗"))
        )


def test_a_hand_is_told_only_where_an_official_line_stirs_or_the_thing_turns_into_it():
    for number in range(0, 4096, 37):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(question="钱包丢了，找得到吗")
        # What stirs on 世 is nobody's hand but the asker's own.
        stirs = any(line.relation == "官鬼" and line.active and line.mark != "世" for line in found.lines)
        line = found.subject.line
        turns = (
            found.subject.moving
            and line is not None
            and line.mark != "世"
            and line.turned
            and line.turned.relation == "官鬼"
        )
        placed = "cast.place" in keys_of(found)
        told = {"cast.thing.hand", "cast.thing.hand.own"} & keys_of(found)
        assert bool(told) is (placed and bool(stirs or turns)), number
