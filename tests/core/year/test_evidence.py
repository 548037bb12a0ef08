"""The facts of a year: closed, without cycles, ending in leaves, each saying what it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from bazi_core.year.rules import DOMAINS, OVERALL
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.sizes import examples

FACT_ID = re.compile(r"^[a-z]+(\.[0-9A-Za-z_\u4e00-\u9fff-]+)+$")


@examples(30)
@given(BIRTHS, YEARS)
def test_every_fact_rests_on_earlier_ones_down_to_the_leaves(birth, year):
    facts = chart(*birth).year(year).all_facts
    depth: dict[str, int] = {}

    def deep(name: str, above: tuple[str, ...] = ()) -> int:
        assert name not in above
        if name not in depth:
            depth[name] = 1 + max(
                (deep(each, (*above, name)) for each in facts[name].derives_from), default=0
            )
        return depth[name]

    for name, fact in facts.items():
        assert FACT_ID.match(name)
        assert deep(name) > 1 or name.startswith("p.")
        assert fact.text_zh
        assert len(set(fact.derives_from)) == len(fact.derives_from)


@examples(20)
@given(BIRTHS, YEARS)
def test_every_score_states_its_number(birth, year):
    result = chart(*birth).year(year)
    for domain in (OVERALL, *DOMAINS):
        fact = result.facts[f"yr.{year}.score.{domain}"]
        assert fact.value == result.scores.of(domain)
        assert fact.text_zh.endswith(f"{fact.value}分")
    for month in result.months:
        assert result.facts[f"lm.{year}.{month.number:02}.score"].value == month.score


@examples(20)
@given(BIRTHS, YEARS)
def test_every_contribution_is_stated_by_its_fact(birth, year):
    result = chart(*birth).year(year)
    for each in result.scores.contributions:
        [name] = each.evidence
        text = result.facts[name].text_zh
        verb = "加" if each.points > 0 else "减"
        assert re.search(rf"{verb}\d+分", text), (each, text)
        assert f"yr.{year}.score.{each.domain}" in {
            fact.id for fact in result.facts.values() if name in fact.derives_from
        }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.time.2026-立春", "2026年立春：2026-02-03T20:02:07.951Z"),
        ("ln.2026", "2026年流年丙午"),
        ("ln.2026.age", "2026年虚岁37、周岁36"),
        ("ln.2026.tg.stem", "流年天干丙为七杀"),
        ("ln.2026.tg.branch", "流年地支午为正官"),
        ("ln.2026.nayin", "流年丙午纳音天河水"),
        ("ln.2026.stage", "日主庚于流年支午为沐浴"),
        ("ln.2026.root", "流年干丙通根年支午、月支巳、时支午"),
        ("ln.2026.star.太岁.year", "流年太岁在年柱（一家之说）"),
        ("dy.3.tg.stem", "大运天干甲为偏财"),
        ("ln.2026.rel.刑.午午.year-liunian", "年支午与流年支午刑，成立"),
        ("ln.2026.rel.干合.辛丙.month-liunian.hua", "月干辛与流年干丙干合水，合绊"),
        ("lm.2026.05", "2026年第5个流月甲午，自芒种起"),
        ("lm.2026.09.E-09", "2026年第9个流月，流月支戌与日支辰六冲，冲夫妻宫"),
    ],
)
def test_facts_say_what_they_are(name, text):
    assert chart().year(2026).facts[name].text_zh == text


def test_roles_are_stated_with_their_element():
    result = chart().year(2026)
    role = result.pattern.roles[1]
    assert result.facts["ln.2026.role.stem"].text_zh == f"流年天干丙属火，为{role}"
    assert result.facts["ln.2026.role.stem"].predicate == role


def test_an_event_says_what_it_adds():
    text = chart().year(2026).facts["yr.2026.E-04"].text_zh
    assert re.fullmatch("2026年流年支午与年支午相同，值太岁，总评减[12]分", text)


def test_without_judgement_there_are_no_facts_of_roles():
    facts = chart(judgement="facts").year(2026).facts
    assert not [
        name for name in facts if ".role." in name or name.startswith("yong") or name == "yr.2026.useful"
    ]


def test_a_minor_luck_is_not_called_a_luck_pillar():
    facts = chart().year(1992).facts
    assert facts["xy.3.tg.stem"].text_zh.startswith("小运天干乙")
    assert not [fact for name, fact in facts.items() if name.startswith("ln.1992") and "大运" in fact.text_zh]


def test_removing_the_gender_removes_what_rests_on_the_luck():
    result = chart().year(2026)
    on_gender = {name for name in result.facts if "p.input.gender" in {f.id for f in result.basis(name)}}
    assert {"dy.3", "dy.3.tg.stem", "yr.2026.score.overall", "yr.2026.level"} <= on_gender
    assert not {"ln.2026", "ln.2026.tg.stem", "ln.2026.nayin"} & on_gender


def test_every_rule_and_source_is_named():
    result = chart().year(2026)
    own = [fact for name, fact in result.facts.items() if name.startswith(("ln", "lm", "yr"))]
    assert all(fact.rule.startswith("R-") and fact.source for fact in own)
    assert {f"R-YR-{number}" for number in (1, 2, 3, 4, 5, 6)} <= {fact.rule for fact in own}
