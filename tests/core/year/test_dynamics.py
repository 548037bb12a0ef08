"""What luck and year complete and break of the dynamics of a chart: 伤官见官, 食神制杀 and their kind."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

import bazi_core as bz
from bazi_core.pattern.dynamic_changes import changes
from bazi_core.pattern.dynamic_rules import GOOD, bearing, dynamic_rules
from bazi_core.pattern.dynamics import STANDS
from bazi_core.structures.classes import element_of
from bazi_core.year import events as events_module
from bazi_core.year.points import capped, event_row
from bazi_core.year.rules import LEVELS, event_rules
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.sizes import examples

FLOWS = ("luck", "liunian")
RULES = {rule.name: rule for rule in dynamic_rules()}


def roles_of(result):
    return lambda k: result.natal.role(element_of(result.chart.day_master, k))


def dynamic(result):
    return {event.name: event for event in result.events if event.is_dynamic}


def test_a_year_that_brings_wealth_turns_the_restraint_into_food_for_it():
    # 庚 day with 壬 and 丙: 甲 takes the food (不要露财), and the food feeds the wealth.
    found = dynamic(chart().year(2004))
    assert {name: (event.ties, event.polarity) for name, event in found.items()} == {
        "食神生财": (("成立",), "吉"),
        "食神制杀": (("受破",), "凶"),
    }
    assert dict(found["食神制杀"].points) == {"career": -3, "overall": -1}


def test_the_fact_names_who_brings_it_and_what_it_adds():
    facts = chart().year(2004).facts
    text = facts["yr.2004.E-33"]
    assert text.text() == "2004年流年干甲为偏财，食神制杀受破，事业减3分，总评减1分"
    assert text.text("en") == (
        "In 2004, the annual stem Yang Wood (甲 Jia) is Indirect Wealth (偏财) — Eating God restraining Seven Killings "
        "(食神制杀): it is broken (受破), career −3, overall −1"
    )


def test_what_the_luck_has_changed_is_told_of_the_luck():
    result = chart().year(2018)
    assert [(event.name, event.ties) for event in result.luck_events if event.is_dynamic] == [
        ("食神生财", ("成立",)),
        ("食神制杀", ("受破",)),
    ]
    assert result.to_dict()["luck_context"]["dynamics"] == ["dy.3.E-25", "dy.3.E-33"]
    assert result.facts["dy.3.E-33"].text().endswith("食神制杀受破")
    # And the year undoes it: 戊 keeps the wealth from the food.
    assert dynamic(result)["食神制杀"].ties == ("成立",)


def test_harm_is_resolved_where_what_does_it_is_bound_and_not_where_its_victim_is():
    # 丙 day: 甲 is 偏印 and robs 戊, 食神.
    natal = bz.chart(pillars="乙亥 戊寅 丙午 甲午").pattern().company
    [robbed] = [found for rule, found in natal.judged if rule.name == "枭神夺食"]
    assert robbed.state == STANDS
    for year, resolves in (("癸卯", False), ("己酉", True)):
        found = {each.rule.name: each for each in changes(natal, natal.joined(("liunian", bz.Pillar(year))))}
        assert ("枭神夺食" in found) is resolves, year
    assert found["枭神夺食"].is_good


def any_years(count: int):
    rng = random.Random(88)
    for _ in range(count):
        born = f"{rng.randint(1930, 1984)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02} {rng.randint(0, 23):02}:17"
        yield chart(born, rng.choice(["male", "female"])).year(rng.randint(1990, 2080))


@pytest.mark.exhaustive
def test_a_change_is_one_between_the_chart_with_its_luck_and_that_with_the_year_too():
    for result in any_years(150):
        own = result.pattern.company
        assert own is not None
        luck = [("luck", result.main.pillar)] if result.main.pillar else []
        before = own.joined(*luck)
        after = before.joined(("liunian", result.pillar))
        told = dynamic(result)
        for name, rule in RULES.items():
            old, new = (each.judge(rule).state == STANDS for each in (before, after))
            if name in told:
                assert old != new, name
                assert (told[name].ties == ("成立",)) == new
                assert (told[name].side == "favourable") == (new == (rule.direction == GOOD))
            elif old != new and not bearing(rule, roles_of(result)).barred:
                # Its direction counts, and yet nothing is lost: what the chart has in it is all unwanted.
                (change,) = [each for each in changes(before, after) if each.rule.name == name]
                lost = {seat.sign.element for seat in change.seats if seat.position not in FLOWS}
                assert not change.made, name
                assert {result.natal.role(element) for element in lost} <= {"仇神", "忌神"}, name


def test_the_flow_pillars_stand_last_and_the_year_takes_part():
    order = ["year", "month", "day", "hour", "luck", "liunian"]
    for result in any_years(150):
        for event in dynamic(result).values():
            places = [order.index(position) for position, _ in event.members]
            assert places == sorted(places)
            assert event.members[-1][0] == "liunian"


@pytest.mark.exhaustive
def test_events_of_all_kinds_of_dynamics_occur_both_ways():
    seen = {
        (event.name, event.ties[0] == "成立")
        for result in any_years(900)
        for event in dynamic(result).values()
    }
    # A chart with nothing at all to lean on is one in a thousand.
    assert {name for name, _ in seen} >= RULES.keys() - {"身强无依"}
    assert len(seen) > 1.7 * len(RULES)


@examples(15)
@given(BIRTHS, YEARS)
def test_every_contribution_of_a_dynamic_is_the_points_of_its_row(birth, year):
    result = chart(*birth).year(year)
    for event in dynamic(result).values():
        own = [
            (each.domain, each.points) for each in result.scores.contributions if each.evidence == (event.id,)
        ]
        assert tuple(own) == capped(event_row(event)).points


@examples(10)
@given(BIRTHS, YEARS)
def test_a_dynamic_more_or_less_changes_no_other_row(birth, year):
    whole = chart(*birth).year(year)
    with pytest.MonkeyPatch.context() as patch:
        kept = {
            level: tuple(rule for rule in event_rules(level) if rule.form != "dynamic") for level in LEVELS
        }
        patch.setattr(events_module, "event_rules", kept.__getitem__)
        fewer = chart(*birth).pattern().chart.year(year)
    ids = {event.id for event in whole.events if event.is_dynamic}
    left = tuple(each for each in whole.scores.contributions if not ids.intersection(each.evidence))
    assert fewer.scores.contributions == left


def test_where_nothing_is_judged_no_dynamic_is_told():
    result = chart(judgement="facts").year(2004)
    assert not dynamic(result)
    assert result.to_dict()["luck_context"]["dynamics"] == []


def test_a_minor_luck_is_named_as_such():
    children = (chart(f"{year}-05-15 13:30").year(year + 3) for year in range(1950, 1984))
    found = [
        result.facts[event.id].text()
        for result in children
        if result.main.minor is not None
        for event in (*result.events, *result.luck_events)
        if event.is_dynamic and "luck" in dict(event.members)
    ]
    assert found
    assert all("小运" in text for text in found)
    assert not any("大运" in text for text in found)


def test_the_sheet_says_what_becomes_of_it():
    from bazi_core.render.year_text import year_text

    assert "食神制杀受破" in year_text(chart().year(2004))
    assert "食神制殺受破" in year_text(chart().year(2004), "zh-Hant")
    assert "(食神制杀), broken" in year_text(chart().year(2004), "en").replace("\n", " ")
