"""Negators: how far they reach, what they deny, and when two of them affirm."""

from __future__ import annotations

import pytest

from bazi_core.readings.claims import Claim, mentions


def claims(text: str) -> set[Claim]:
    return {each.claim for each in mentions(text)}


def said(text: str) -> set[tuple[str, str, bool]]:
    return {(each.category, each.term, each.negated) for each in claims(text)}


@pytest.mark.parametrize(
    "text",
    ["并非身强", "並非身強", "不是身强", "不算身强", "难称身强", "难以称为身强", "称不上身强", "远非身强", "未见身强",
     "没有身强", "谈不上身强",
     "not a strong day master", "never a strong day master", "isn't a strong day master", "hardly a strong day master",
     "far from a strong day master", "no longer a strong day master", "anything but a strong day master"],
)  # fmt: skip
def test_a_negator_before_a_term_denies_it(text: str) -> None:
    assert ("strength", "身强", True) in said(text)


@pytest.mark.parametrize(
    "text", ["身强", "不仅身强", "不但身强", "不得不说身强", "无论如何，身强", "并非坏事：身强", "除非另有说明，身强",
             "not only a strong day master", "no doubt a strong day master", "whether or not it helps, a strong day master"],
)  # fmt: skip
def test_words_that_only_look_like_negators_deny_nothing(text: str) -> None:
    assert ("strength", "身强", False) in said(text)


@pytest.mark.parametrize(
    ("text", "denied"),
    [("没有在别处见到正官", False), ("没有什么正官", True), ("not in any way the Seven Killings", False)],
)
def test_a_negator_reaches_four_characters_or_three_words(text: str, denied: bool) -> None:
    assert [each.claim.category == "absent_god" or each.claim.negated for each in mentions(text)] == [denied]


def test_a_negator_does_not_reach_into_another_clause() -> None:
    assert ("star", "桃花", False) in said("并不坏，桃花在时柱")


def test_a_negator_denies_all_that_is_listed_after_it() -> None:
    assert {("star", "桃花", True), ("star", "驿马", True)} <= said("没有桃花、驿马")


@pytest.mark.parametrize(
    "text",
    [
        "从财格的条件未全",
        "从财格不成立",
        "从财格之说不成",
        "從財格的條件並不齊全",
        "The Follow Wealth pattern is not met",
    ],
)
def test_a_pattern_can_be_denied_after_its_name(text: str) -> None:
    assert ("pattern", "从财格", True) in said(text)


@pytest.mark.parametrize(
    "text", ["缺水", "无水", "没有水", "不见水", "no Water", "without Water", "lacks Water"]
)
def test_the_absence_of_an_element_is_a_missing_element(text: str) -> None:
    assert ("missing", "水", False) in said(text)


@pytest.mark.parametrize("text", ["不缺水", "并不缺水", "并非没有水", "does not lack Water"])
def test_two_negators_in_a_row_deny_that_an_element_is_missing(text: str) -> None:
    assert ("missing", "水", True) in said(text)
    assert ("missing", "水", False) not in said(text)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("日主没有根气", "无根"),
        ("日主并非无根", "通根"),
        ("日主不是没有根气", "通根"),
        ("the day master is not rootless", "通根"),
    ],
)
def test_the_denial_of_a_root_is_no_root_and_the_other_way_round(text: str, root: str) -> None:
    assert ("root", root, False) in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "水不是用神",
        "水并非用神",
        "用神并不是水",
        "Water is not the useful god",
        "the useful god is not Water",
    ],
)
def test_a_role_is_denied_as_a_whole(text: str) -> None:
    assert ("role", "用神:水", True) in said(text)


def test_the_absence_of_a_ten_god_is_not_the_denial_of_what_it_is() -> None:
    assert ("absent_god", "正财", False) in said("局中无正财")
    assert ("absent_god", "偏财", False) in said("偏财在局中不见") | said("父星为偏财，八字不见")
    assert ("ten_god", "正财", True) in said("年干不是正财")
