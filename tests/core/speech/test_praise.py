"""Nothing is praised that the same chart does not want, and nothing works that is combined away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.walk import walk, walk_facts
from bazi_core.speech.plan import FOR, Statement
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.structures.classes import OFFICER, OUTPUT, RESOURCE, WEALTH, element_of
from tests.core.speech.drawn import AS_OF, births
from tests.sizes import both, sizes

ADVERSE = ("仇神", "忌神")
RULES = {rule.name: rule for rule in dynamic_rules()}
SUPPORT = ("roots.helped", "roots.alone", "company.both", "company.help", "season.旺", "season.相")
# Sentences that speak well of a class by its share.
COMMENDED = {"post.fair": OFFICER, "craft.fair": OUTPUT, "learning.fair": RESOURCE, "wealth.follow": WEALTH}
COMMENDED |= {f"wealth.strong.{share}": WEALTH for share in ("fair", "heavy")}

Said = list[tuple[PatternResult, list[Statement]]]


@pytest.fixture(scope="module", params=both(60, 3000))
def told(request: pytest.FixtureRequest) -> Said:
    """Charts with all that is said of them."""
    made = []
    for chart in births(request.param, 21):
        result = chart.pattern()
        made.append((result, [*pattern_plan(result, running=chart.running(AS_OF)).statements]))
    return made


def role(result: PatternResult, k: int) -> str:
    return result.useful.role(element_of(result.pillars.day.stem, k))


def of_key(said: Said, *heads: str) -> Iterator[tuple[PatternResult, Statement]]:
    yield from ((result, each) for result, all_ in said for each in all_ if each.key.startswith(heads))


def test_what_ten_gods_do_is_praised_only_where_every_god_in_it_is_wanted_or_turned_to_use(told):
    seen = set()
    for result, each in of_key(told, "dyn.stands"):
        for rule in (RULES[name.hanzi] for name in each.values["name"]):
            if each.side != FOR:
                continue
            seen.add(rule.name)
            for k in (rule.bears_on, rule.commends):
                assert k is None or role(result, k) not in ADVERSE, (result, rule.name)
            assert rule.curbs is None or role(result, rule.curbs) != "用神", (result, rule.name)
            if rule.turns is not None and role(result, rule.turns) in ADVERSE:
                assert each.values["sense"].key.endswith(".turned")
    assert len(seen) > 3


def test_a_chart_that_follows_or_changes_is_not_praised_for_the_roots_and_the_company_of_its_day_master(told):
    followers = [one for one in told if one[0].special is not None and one[0].special.special_class != "专旺"]
    for result, said in followers:
        assert not [each.key for each in said if each.key in SUPPORT], result
    assert followers


def test_roots_are_praised_only_where_the_element_of_the_day_master_is_wanted(told):
    for result, _ in of_key(told, "roots.helped", "roots.alone"):
        assert role(result, 0) not in ADVERSE, result


def test_a_side_of_life_is_commended_by_its_share_only_where_its_star_is_wanted(told):
    for result, each in of_key(told, *COMMENDED):
        if each.key in COMMENDED:
            assert role(result, COMMENDED[each.key]) not in ADVERSE, (result, each.key)


def test_a_useful_god_that_is_combined_away_is_not_told_as_one_at_hand(told):
    for result, each in of_key(told, "use.both", "use.shown", "diagnosis.sound"):
        assert result.company is not None
        bound = {f"{seat.position}.stem" for seat in result.company.stems if seat.is_bound}
        shown: list[Any] = each.values.get("stems") or [each.values.get("seat")]
        assert not bound & {at.place for at in shown if at is not None}, (result, each.key)


def test_a_sound_useful_god_is_not_harmed_by_what_the_same_text_tells(told):
    for result, said in told:
        if any(each.key == "diagnosis.sound" for each in said):
            use = result.useful.order[0]
            harmed = [
                each.name
                for each in result.dynamics
                if each.state == "stands" and each.polarity == "凶" and RULES[each.name].bears_on is not None
                and element_of(result.pillars.day.stem, RULES[each.name].bears_on) is use
            ]  # fmt: skip
            assert not harmed, result


def test_a_resolved_clash_of_the_running_decade_is_told_with_what_resolves_it():
    chart = bz.chart("1984-01-03 06:39", city="广州", gender="female")
    said = pattern_plan(chart.pattern(), running=chart.running("2026-11-23")).statements
    eased = next(each for each in said if each.key == "walk.meets.化解")
    assert [name.partition(".rel.")[2] for name in eased.evidence[1:]] == [
        "六冲.亥巳.year-luck", "六合.申巳.day-luck",
    ]  # fmt: skip


@sizes(15, 400)
def test_a_decade_is_the_same_facts_in_the_walk_and_in_its_years(count):
    for chart in births(count, 22):
        of_walk = {fact.id: fact for fact in walk_facts(walk(chart.pattern()))}
        of_year = chart.year(2031).all_facts
        assert {name: of_year[name] for name in of_year.keys() & of_walk} == {
            name: of_walk[name] for name in of_year.keys() & of_walk
        }
