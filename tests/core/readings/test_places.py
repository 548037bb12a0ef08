"""Where terms are said to stand: after a place word, before one, in rows of places."""

from __future__ import annotations

import pytest

from bazi_core.readings.claims import mentions
from bazi_core.readings.places import AT_PART, AT_PILLAR

TERMS = AT_PART | AT_PILLAR


def standing(text: str) -> dict[str, str | None]:
    return {
        each.term: each.position
        for each in (mention.claim for mention in mentions(text))
        if each.category in TERMS
    }


@pytest.mark.parametrize(
    ("text", "term", "place"),
    [
        ("月干辛为劫财", "劫财", "month.stem"), ("月干辛为劫财", "辛", "month.stem"), ("月支巳中藏丙", "丙", "month.branch"),
        ("月柱辛巳", "辛巳", "month"), ("日柱纳音白蜡金", "白蜡金", "day"), ("流年天干丙为七杀", "七杀", "liunian.stem"),
        ("大運地支申為比肩", "比肩", "luck.branch"), ("月令七杀", "七杀", "month.branch"), ("夫妻宫为辰", "辰", "day"),
        ("the month stem is Rob Wealth", "劫财", "month.stem"), ("the hour pillar carries Peach Blossom", "桃花", "hour"),
    ],
)  # fmt: skip
def test_a_place_word_governs_what_follows_it(text: str, term: str, place: str) -> None:
    assert standing(text)[term] == place


@pytest.mark.parametrize(
    ("text", "term", "place"),
    [
        ("天乙贵人在时柱", "天乙贵人", "hour"), ("劫财见于月干", "劫财", "month.stem"),
        ("七杀藏于月支", "七杀", "month.branch"),
        ("母星为正印，藏于年支", "正印", "year.branch"), ("食伤透于时干", "食伤", "hour.stem"),
        ("Rob Wealth on the month stem", "劫财", "month.stem"), ("Peach Blossom sits in the hour pillar", "桃花", "hour"),
        ("丙, hidden in the month branch", "丙", "month.branch"),
    ],
)  # fmt: skip
def test_a_term_may_stand_before_its_place(text: str, term: str, place: str) -> None:
    assert standing(text)[term] == place


@pytest.mark.parametrize(
    ("text", "place"),
    [("驿马在月柱、日柱", "month&day"), ("驛馬在月柱與日柱", "month&day"), ("月柱与日柱都带驿马", "month&day"),
     ("Travelling Horse appears in the month pillar and the day pillar", "month&day")],
)  # fmt: skip
def test_each_of_several_places_is_meant(text: str, place: str) -> None:
    assert standing(text)["驿马"] == place


def test_a_place_holds_one_stem_and_one_branch() -> None:
    found = standing("月干辛见丙")
    assert (found["辛"], found["丙"]) == ("month.stem", None)


def test_a_comma_sets_a_place_free() -> None:
    assert standing("月干为辛，格局见七杀")["七杀"] is None


@pytest.mark.parametrize("text", ["月干辛与命局桃花", "月干辛在全局之中逢桃花"])
def test_the_chart_as_a_whole_sets_a_place_free(text: str) -> None:
    assert standing(text)["桃花"] is None


def test_of_the_day_master_only_its_stem_is_said() -> None:
    found = standing("日主庚为食神所泄")
    assert (found["庚"], found["食神"]) == ("day.stem", None)


def test_a_luck_pillar_may_be_named_by_its_number() -> None:
    assert standing("第3步大运甲申")["甲申"] == "luck"
    assert standing("第5个流月甲午")["甲午"] == "liuyue"


def test_the_word_for_a_place_is_itself_a_claim_where_the_table_says_so() -> None:
    assert ("position", "month") in {each.claim[:2] for each in mentions("月干透出")}
    assert ("position", "month") not in {each.claim[:2] for each in mentions("月令当权")}
