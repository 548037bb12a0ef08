"""Claims of two words: who plays a role, what a number counts, of whom a ten god is said."""

from __future__ import annotations

import pytest

from bazi_core.readings.claims import mentions


def bound(text: str, category: str) -> set[tuple[str, bool]]:
    return {
        (each.claim.term, each.claim.negated) for each in mentions(text) if each.claim.category == category
    }


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("用神为火", {"用神:火"}), ("火为用神", {"用神:火"}), ("用神取火、木", {"用神:火", "用神:木"}),
        ("此命喜火，忌水", {"喜:火", "忌:水"}),
        ("用神为火、木为喜神", {"用神:火", "喜神:木"}), ("以丁火为用神", {"用神:火"}), ("甲为忌神", {"忌神:木"}),
        ("金为本命所忌", {"忌:金"}),
        ("流年天干丙属火，为忌神", {"忌神:火"}), ("the useful god is Fire", {"用神:火"}),
        ("Fire is the useful god", {"用神:火"}),
        ("Fire and Wood are favourable", {"喜:火", "喜:木"}), ("Metal is highly harmful", {"忌:金"}),
        ("it favours Water", {"喜:水"}),
    ],
)  # fmt: skip
def test_a_role_is_said_of_an_element(text: str, terms: set[str]) -> None:
    assert bound(text, "role") == {(term, False) for term in terms}


@pytest.mark.parametrize(
    ("text", "category", "term"),
    [
        ("木占12%", "percent_of", "木:12"), ("Fire makes up 37 percent", "percent_of", "火:37"),
        ("财运48分", "score_of", "财运:48"),
        ("career scores 62 points", "score_of", "事业:62"), ("得令10分", "score_of", "得令:10"),
        ("第3个流月60分", "score_of", "3:60"),
        ("总评减7分", "loss_of", "overall:7"), ("第3步大运甲申", "luck_index_of", "甲申:3"),
        ("甲申大运（2017–2026）", "span_of", "甲申:2017-2026"),
        ("flow month 5 is 甲午", "month_index_of", "甲午:5"), ("3岁小运乙酉", "age_of", "乙酉:3"),
        ("2026年值太岁", "event_of", "2026:值太岁"),
        ("第7个流月天合地合", "event_in", "7:天合地合"), ("辛为劫财", "ten_god_of", "辛:劫财"),
        ("申为比肩", "ten_god_of", "申:比肩"),
        ("辛 (Xin) is 劫财 (Rob Wealth)", "ten_god_of", "辛:劫财"), ("父星为偏财", "ten_god_of", "father:偏财"),
        ("配偶星正财", "ten_god_of", "spouse:正财"),
        ("日主癸于月支亥为帝旺", "stage_of", "癸:帝旺"), ("木在辰月为囚", "state", "木:囚"),
        ("火旺", "state", "火:旺"), ("Fire is prosperous", "state", "火:旺"),
        ("五行以土为最多", "dominant", "土"), ("Metal is by far the dominant element", "dominant", "金"),
        ("木不见", "missing", "木"),
        ("Wood is absent", "missing", "木"), ("旬空申、酉", "void", "酉"), ("申酉为空亡", "void", "申"),
        ("Shen and You are void", "star", "空亡"),
        ("日主通根于月支巳", "root_of", "day:通根"), ("时干壬通根日支辰", "root_of", "壬:通根"),
        ("月干虚浮", "root_of", "month:无根"),
        ("丙火透于月干", "revealed_of", "丙"), ("七杀透干", "revealed_of", "七杀"),
        ("加权法论为身强", "vote", "加权法:身强"),
        ("调候取水", "taken", "调候:水"), ("扶抑、通关取金", "taken", "扶抑:金"), ("六合成立", "status_of", "六合:成立"),
        ("子午六冲，却被子丑六合化解", "status_of", "六冲:化解"), ("本气丙火", "qi_of", "丙:本气"),
        ("丙为月支本气", "qi_of", "丙:本气"),
    ],
)  # fmt: skip
def test_a_word_finds_its_partner(text: str, category: str, term: str) -> None:
    assert term in {one for one, _ in bound(text, category)}


@pytest.mark.parametrize("text", ["壬火为食神", "庚木", "土生水", "水克木", "火克水", "甲克庚"])
def test_what_contradicts_the_five_elements_is_a_claim_that_nothing_supports(text: str) -> None:
    assert bound(text, "cycle")


@pytest.mark.parametrize(
    "text", ["壬水为食神", "水生木", "火克金", "寅午火局", "庚金生亥月", "丙克庚", "亥卯木局"]
)
def test_what_follows_from_the_five_elements_is_no_claim(text: str) -> None:
    assert not bound(text, "cycle")


def test_a_role_that_follows_an_element_is_not_that_of_the_element_before() -> None:
    assert bound("用神为水、火为忌神", "role") == {("用神:水", False), ("忌神:火", False)}


def test_a_role_without_an_element_is_still_named() -> None:
    assert {each.claim.category for each in mentions("用神有力")} == {"role_word"}


def test_a_soft_word_without_an_element_claims_nothing() -> None:
    assert mentions("宜静不宜动，忌急躁") == ()


def test_what_one_method_says_is_not_the_verdict() -> None:
    assert {each.claim.category for each in mentions("计数法论为身弱")} == {"vote"}
    assert {each.claim.category for each in mentions("四种方法里有三种判为身弱")} == {"strength"}
