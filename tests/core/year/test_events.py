"""The events but for the dynamics, each where its condition holds and where it just does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.views.relations import relations_with
from bazi_core.year.events import strongest
from bazi_core.year.rules import event_rules
from tests.core.year.drawing import ANY_ROLES, FOUR, PILLARS, found, meeting, natal
from tests.tables import holds_for_all

# Year, month, day, hour; what follows is the pillar of the year and, by name, roles of 木火土金水 or the luck.
OCCURS = {
    "E-01": [("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "丙午"})],
    "E-02.day": [("甲子 丙寅 丙午 戊子", "丙午", {})],
    "E-02.hour": [("甲子 丙寅 丙午 丙午", "丙午", {})],
    "E-03.day": [
        ("甲子 丙寅 庚子 戊寅", "甲午", {}),  # 甲庚干冲, 子午六冲
        ("甲子 丙寅 庚子 戊寅", "丙午", {}),  # 丙 controls 庚
        ("甲子 丙寅 丙子 戊寅", "壬午", {}),
    ],
    "E-04": [("甲子 丙寅 庚辰 戊寅", "丙子", {})],
    "E-05": [("甲子 丙寅 庚辰 戊寅", "丙午", {})],
    "E-06": [("丁卯 丙寅 庚辰 戊寅", "丙子", {}), ("庚午 辛巳 庚辰 壬午", "丙午", {})],
    "E-07": [("丁未 丙寅 庚辰 戊寅", "丙子", {})],
    "E-08": [("丁酉 丙寅 庚辰 戊寅", "丙子", {})],
    "E-09": [("庚寅 戊寅 甲子 丙寅", "丙午", {})],
    "E-10": [("庚寅 戊寅 乙丑 丙寅", "丙子", {})],
    "E-11": [
        ("庚寅 戊寅 乙卯 丙寅", "丙子", {}),
        ("庚寅 戊寅 乙未 丙寅", "丙子", {}),
        ("庚子 戊子 乙巳 丙子", "丙寅", {}),
    ],
    "E-12": [("庚寅 戊午 乙卯 丙寅", "丙子", {})],
    "E-13": [("庚寅 戊寅 辛卯 丙申", "丙子", {})],
    "E-14.火": [
        ("庚寅 丙戌 辛卯 丙申", "丙午", {}),
        ("庚寅 丙戌 辛卯 丙申", "丙申", {"luck": "丙午"}),
        (
            "庚寅 丙申 辛卯 丙申",
            "丙午",
            {"luck": "丙戌"},
        ),  # one sign of the chart, one of the luck, one of the year
        ("庚寅 丙戌 辛卯 丙申", "丙午", {"luck": "甲午", "is_decade": False}),
    ],
    "E-15.木": [("庚寅 己卯 辛未 丙申", "丙辰", {}), ("庚寅 己卯 辛未 丙申", "丙午", {"luck": "壬辰"})],
    "E-16.month": [("庚寅 辛巳 丁亥 乙巳", "丙申", {})],
    "E-17": [
        ("甲戌 丙寅 甲子 甲子", "丙戌", {}),  # 甲子's 旬 leaves out 戌亥
        ("甲子 丙寅 甲午 壬戌", "丙戌", {"void_anchor": "year"}),
        ("甲子 丙寅 甲午 壬戌", "丙戌", {"void_anchor": "both"}),
    ],
    "E-18": [("庚寅 庚辰 辛卯 丙申", "丙戌", {})],
    "E-19": [("庚午 辛巳 庚辰 壬午", "丙申", {"roles": "闲闲闲闲用"})],
    "E-20": [("庚午 辛巳 庚辰 壬午", "壬午", {"roles": "闲闲闲闲用"})],
    "E-21": [("庚子 辛巳 庚辰 壬午", "丙午", {"roles": "闲闲闲闲用"})],
    "E-22": [("丁酉 辛丑 庚辰 壬午", "壬申", {"roles": "闲用闲闲闲"})],
    "E-23": [("庚午 己卯 庚辰 壬午", "丙申", {"roles": "闲闲闲忌闲"})],
    "E-24": [("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "甲子"})],
}
DOES_NOT = {
    "E-01": [
        ("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "戊午"}),
        ("庚午 辛巳 庚辰 壬午", "丙午", {}),
        ("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "丙午", "is_decade": False}),
    ],
    "E-02.day": [("甲子 丙寅 丙午 戊子", "戊午", {}), ("甲子 丙寅 丙午 戊子", "丙子", {})],
    "E-03.day": [
        ("甲子 丙寅 丙子 戊寅", "庚午", {}),  # the natal stem controls that of the year
        ("甲子 丙寅 庚子 戊寅", "戊午", {}),
        ("甲子 丙寅 庚子 戊寅", "甲申", {}),
    ],
    "E-04": [("丙寅 丙子 庚子 戊子", "丙子", {})],
    "E-05": [("丙寅 丙子 庚子 戊子", "丙午", {})],
    "E-06": [("丙寅 丁卯 庚辰 戊寅", "丙子", {}), ("甲子 丙寅 庚辰 戊寅", "丙子", {})],
    "E-07": [("丙寅 丁未 庚辰 戊寅", "丙子", {})],
    "E-08": [("丙寅 丁酉 庚辰 戊寅", "丙子", {})],
    "E-09": [("庚子 戊子 甲寅 丙子", "丙午", {})],
    "E-10": [("庚寅 己丑 甲寅 乙丑", "丙子", {})],
    "E-11": [("庚寅 丁卯 甲寅 辛未", "丙子", {})],
    "E-12": [("庚午 戊寅 乙卯 丙午", "丙子", {})],
    "E-13": [("辛卯 辛卯 庚寅 辛巳", "丙子", {}), ("庚寅 戊寅 辛卯 丙申", "丁丑", {})],
    "E-14.火": [
        ("庚寅 丙戌 庚午 丙申", "丙午", {}),  # complete without the year
        ("庚寅 丙申 辛卯 丙申", "丙午", {"luck": "丙子"}),  # one natal branch only, and none of the luck
        ("庚申 丙申 辛卯 丙申", "丙午", {"luck": "丙戌"}),  # luck and year without a natal branch
        ("庚寅 丙申 辛卯 丙申", "丙午", {}),
    ],
    "E-15.木": [("庚寅 己卯 庚辰 丙申", "丙辰", {}), ("庚寅 丙申 辛未 丙申", "丙辰", {})],
    "E-16.month": [("庚寅 辛丑 丁亥 乙巳", "丙申", {}), ("庚寅 癸巳 丁亥 乙巳", "丙申", {})],
    "E-17": [
        ("甲申 丙寅 甲子 甲子", "丙戌", {}),  # void, but not in the chart
        ("甲戌 丙寅 甲午 甲子", "丙戌", {}),  # in the chart, but 甲午 leaves out 辰巳
        ("甲戌 丙寅 甲子 甲子", "丙戌", {"void_anchor": "year"}),
    ],
    "E-18": [("庚寅 戊子 辛卯 丙申", "丙午", {}), ("庚寅 庚辰 辛卯 丙申", "丙辰", {})],
    "E-19": [
        ("庚午 辛巳 庚辰 壬午", "丁卯", {"roles": "闲闲闲闲用"}),
        ("庚午 辛巳 庚辰 壬午", "丙申", {}),
        (
            "庚午 辛巳 庚辰 壬午",
            "乙未",
            {"roles": "闲闲用闲闲"},
        ),  # 未 is of earth, but 巳午未 draw it over to fire
    ],
    "E-20": [
        ("庚午 辛巳 庚辰 壬午", "甲子", {"roles": "闲闲闲闲用"}),
        ("庚午 辛巳 庚辰 壬午", "丁卯", {"roles": "闲用闲闲闲"}),  # 壬 of the hour ties 丁 up
    ],
    "E-21": [
        ("庚申 辛巳 庚辰 壬午", "丙寅", {"roles": "闲闲闲闲用"})
    ],  # 申 holds water, its main qi is metal
    "E-22": [
        ("庚午 辛巳 丁丑 壬寅", "壬申", {"roles": "闲用闲闲闲"}),  # the day master itself
        ("丁卯 甲寅 甲辰 戊辰", "壬申", {"roles": "闲用闲闲闲"}),  # it turns into wood in its month
    ],
    "E-23": [
        ("庚申 辛酉 庚辰 壬子", "丙申", {"roles": "闲闲闲忌闲"}),  # no root in the chart
        ("庚午 辛巳 庚辰 壬午", "甲申", {"roles": "闲闲闲忌闲"}),
        ("庚午 己卯 庚辰 壬午", "丙申", {"roles": "闲闲闲仇闲"}),
        ("庚午 辛巳 庚辰 壬午", "丙申", {"roles": "闲闲闲忌闲"}),  # 辛 of the month ties 丙 up: 贪合忘克
    ],
    "E-24": [
        ("庚午 辛巳 庚辰 壬午", "丙午", {}),
        ("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "甲寅"}),
        ("庚午 辛巳 庚辰 壬午", "丙午", {"luck": "甲子", "is_decade": False}),
    ],
}


def cases(table):
    return [(key, *case) for key, many in table.items() for case in many]


@holds_for_all("key, pillars, year, options", cases(OCCURS))
def test_an_event_occurs_where_its_condition_holds(key, pillars, year, options):
    assert key in found(pillars, year, **options)


@holds_for_all("key, pillars, year, options", cases(DOES_NOT))
def test_an_event_does_not_occur_where_its_condition_just_fails(key, pillars, year, options):
    assert key not in found(pillars, year, **options)


def test_every_event_is_tried_both_ways():
    every = {rule.id for rule in event_rules("liunian") if rule.form != "dynamic"}
    assert {key[:4] for key in OCCURS} == {key[:4] for key in DOES_NOT} == every


@pytest.mark.parametrize(
    ("roles", "polarity"), [("闲用闲闲忌", "吉"), ("闲忌闲闲用", "凶"), ("闲闲闲闲用", "平")]
)
def test_a_clash_of_year_and_luck_is_as_the_element_of_the_year_is(roles, polarity):
    # 战冲视其孰降: fire in the year against water in the luck.
    assert found("庚午 辛巳 庚辰 壬午", "丙午", roles, "甲子")["E-24"].polarity == polarity


def test_each_pillar_that_is_met_is_an_event_of_its_own():
    events = found("丙午 丙申 丙午 戊子", "丙午")
    assert {"E-02.year", "E-02.day"} <= events.keys()
    assert dict(events["E-02.year"].points) == {"overall": -2, "family": -3}
    assert dict(events["E-02.day"].points) == {"overall": -2, "relationship": -3}


def test_branches_that_are_met_in_the_same_way_are_one_event():
    event = found("庚辰 庚辰 辛卯 丙申", "丙戌")["E-18"]
    assert event.members == (("year", "辰"), ("month", "辰"), ("liunian", "戌"))
    assert event.relation == "六冲"


def test_two_relations_of_one_event_are_both_named():
    assert found("庚子 戊子 乙巳 丙子", "丙寅")["E-11"].relation == "刑、六害"


def test_year_and_luck_that_complete_the_same_group_are_one_event():
    event = found("庚寅 丙戌 辛卯 丙申", "丙午", luck="甲午")["E-14.火"]
    assert event.members == (("year", "寅"), ("month", "戌"), ("luck", "午"), ("liunian", "午"))
    assert "dy.3" in event.evidence


def test_the_element_that_is_formed_decides_about_a_group_not_the_branch_that_completes_it():
    pillars, year = "庚寅 丙午 辛卯 丙申", "丙戌"
    assert dict(found(pillars, year, "闲用忌闲闲")["E-14.火"].points) == {"overall": 6}
    assert dict(found(pillars, year, "闲忌用闲闲")["E-14.火"].points) == {"overall": -6}
    assert found(pillars, year, "闲闲用闲闲")["E-14.火"].polarity == "平"


@pytest.mark.parametrize(
    ("roles", "side", "points"),
    [
        ("闲闲闲闲用", "favourable", {"relationship": -4, "overall": -1}),
        ("闲闲闲闲喜", "favourable", {"relationship": -4, "overall": -1}),
        ("用用用用闲", "neutral", {"relationship": -5, "overall": -2}),
        ("用用用用仇", "unfavourable", {"relationship": -6, "overall": -2}),
        ("用用用用忌", "unfavourable", {"relationship": -6, "overall": -2}),
    ],
)
def test_the_branch_of_the_year_decides_about_its_clash(roles, side, points):
    event = found("庚寅 戊寅 庚午 丙寅", "甲子", roles)["E-09"]
    assert (event.side, dict(event.points)) == (side, points)


def test_the_stem_of_the_year_decides_about_its_combination():
    assert dict(found("庚寅 戊寅 辛卯 丙申", "丙子", "闲用闲闲忌")["E-13"].points) == {
        "relationship": 3,
        "overall": 2,
    }
    assert dict(found("庚寅 戊寅 辛卯 丙申", "丙子", "闲忌闲闲用")["E-13"].points) == {
        "relationship": 1,
        "overall": -2,
    }


def test_polarity_is_what_the_points_come_to():
    assert found("庚寅 戊寅 庚午 丙寅", "甲子", "闲闲闲闲用")["E-09"].polarity == "凶"
    assert found("庚寅 戊寅 乙丑 丙寅", "丙子")["E-10"].polarity == "吉"
    assert found("丁未 丙寅 庚辰 戊寅", "丙子", "闲闲闲闲用")["E-07"].polarity == "平"


def test_an_event_whose_relation_is_resolved_is_weaker():
    clash = found("庚寅 戊寅 甲子 丙寅", "丙午")["E-09"]
    resolved = found("辛未 戊寅 甲子 辛未", "丙午")["E-09"]
    assert clash.strength == 5
    assert resolved.strength < clash.strength
    assert resolved.points == clash.points


def test_the_strongest_come_first_and_equals_in_the_order_of_the_table():
    events = tuple(found("丁酉 辛丑 辛卯 壬午", "丙子", "闲闲闲闲闲").values())
    ranked = strongest(events, len(events))
    assert [event.strength for event in ranked] == sorted((event.strength for event in events), reverse=True)
    assert strongest(events, 2) == ranked[:2]


def test_a_month_asks_the_same_but_for_what_is_said_of_the_year():
    pillars, month = "庚午 戊寅 丙午 丙寅", "丙午"
    assert "E-02.day" in found(pillars, month, position="liuyue")
    assert "E-04" in found(pillars, month)
    assert "E-04" not in found(pillars, month, position="liuyue")


def test_without_roles_nothing_is_said_of_the_useful_god():
    assert not {"E-19", "E-20", "E-21", "E-22", "E-23"} & found("庚子 辛巳 庚辰 壬午", "丙午").keys()


def test_three_pillars_are_enough():
    assert "E-09" in found("庚寅 戊寅 甲子", "丙午")


@given(FOUR, PILLARS, PILLARS | st.none(), ANY_ROLES)
def test_every_event_names_who_takes_part_and_on_what_it_rests(pillars, year, luck, roles):
    own = natal(pillars, roles)
    places = {**dict(own.places), "liunian": year, "luck": luck}
    for event in found(pillars, year, roles, luck).values():
        assert event.members[-1][0] in ("liunian", "luck")
        assert all(char in places[position].value for position, char in event.members)
        assert event.evidence[0] == "ln.2026"
        assert len(set(event.evidence)) == len(event.evidence)
        total = sum(points for _, points in event.points)
        assert event.polarity == ("吉" if total > 0 else "凶" if total < 0 else "平")
        assert 0 <= event.strength <= 7


@given(FOUR, PILLARS)
def test_clashes_and_combinations_are_those_of_the_relations(pillars, year):
    four = bz.FourPillars(*pillars)
    related = {
        (each.type, each.members[0][0])
        for each in relations_with(four, (("liunian", year),), bz.School())
        if len(each.members) == 2
    }
    events = found(pillars, year)
    assert ("E-09" in events) == (("六冲", "day") in related)
    assert ("E-10" in events) == (("六合", "day") in related)
    assert ("E-12" in events) == (("六冲", "month") in related)
    assert ("E-13" in events) == (("干合", "day") in related)
    assert ("E-05" in events) == (("六冲", "year") in related)
    assert {key[5:] for key in events if key.startswith("E-02")} == {
        where for kind, where in related if kind == "伏吟"
    }


@given(FOUR, PILLARS)
def test_a_group_is_completed_only_with_two_natal_branches(pillars, year):
    own = meeting(natal(pillars), year)
    natal_branches = {pillar.branch.value for _, pillar in own.natal.places}
    for _, _, members in own.completed:
        chars = {char for _, char in members}
        assert len(chars) == 2
        assert year.branch.value not in natal_branches
