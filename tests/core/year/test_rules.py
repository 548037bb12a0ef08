"""The tables of the year: cell by cell as they were agreed, and in order from good to bad."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.structures.book_rules import BOOKS
from bazi_core.tables import rows
from bazi_core.year.rules import (
    DOMAIN_ZH,
    DOMAINS,
    LEVELS,
    OVERALL,
    SIDES,
    carrier_tenths,
    domain_of,
    event_rules,
    graded,
    half_even,
    number,
    role_points,
    side_of,
    themes_of,
    weights,
)
from tests.tables import holds_for_all

AGREED = json.loads((Path(__file__).parents[3] / "data/golden/year/year_points.json").read_text("utf-8"))
EVENTS = {each["id"]: each for each in AGREED["events"]}


def test_there_are_forty_two_events_each_with_a_term_in_the_catalogue():
    names = [row["event"] for row in rows("year_events")]
    assert [row["id"] for row in rows("year_events")] == [f"E-{number:02}" for number in range(1, 43)]
    assert names == [row["zh-Hans"] for row in rows("terms") if row["kind"] in ("event", "dynamic")]


def test_every_dynamic_is_an_event_of_years_and_of_luck_with_its_own_source():
    events = {rule.name: rule for rule in event_rules("luck") if rule.form == "dynamic"}
    assert {name: rule.source for name, rule in events.items()} == {
        rule.name: rule.source for rule in dynamic_rules()
    }
    for rule in events.values():
        for _, neutral in rule.points["neutral"]:
            assert neutral == 0
        assert any(each for _, each in (*rule.points["favourable"], *rule.points["unfavourable"]))


@holds_for_all("rule", [rule for rule in event_rules("liunian") if rule.id in EVENTS], lambda rule: rule.id)
def test_the_points_of_every_event_are_those_agreed(rule):
    agreed = EVENTS[rule.id]
    assert rule.name == agreed["event"]
    for side in SIDES:
        assert dict(rule.points[side]) == {name: each[side] for name, each in agreed["points"].items()}


@holds_for_all("rule", event_rules("liunian"), lambda rule: rule.id)
def test_a_better_side_never_has_fewer_points(rule):
    for (domain, best), (_, middle), (_, worst) in zip(*(rule.points[side] for side in SIDES), strict=True):
        assert best >= middle >= worst, domain


def test_roles_carriers_positions_and_grades_are_those_agreed():
    assert {role: role_points(role) for role in AGREED["role_points"]} == AGREED["role_points"]
    carriers = AGREED["carriers"] | AGREED["month"]["carriers"]
    assert {name: carrier_tenths(name) / 10 for name in carriers} == carriers
    assert weights("position") == AGREED["position_domain"]
    assert (number("base"), number("cap")) == (AGREED["base"], AGREED["row_cap"])
    for kind in ("level", "sign"):
        agreed = AGREED[f"{kind}s" if kind == "level" else kind]
        assert {name: int(first) for name, first in weights(kind).items()} == {
            each[kind]: each["from"] for each in agreed
        }
    assert float(weights("month")["weight"]) == AGREED["month"]["weight"]


@holds_for_all(
    "ten_god, side, gender",
    product(AGREED["themes"]["ten_gods"], ["favourable", "unfavourable"], ["male", "female"]),
)
def test_the_themes_of_every_ten_god_are_those_agreed(ten_god, side, gender):
    agreed = AGREED["themes"]["ten_gods"][ten_god]
    wanted = dict(agreed[side])
    if agreed.get("spouse_star_of") == gender:
        wanted |= AGREED["themes"]["spouse_star"][side]
    found = themes_of(ten_god, side, gender)
    assert {each.domain: each.points for each in found} == wanted
    assert all((each.points > 0) == each.favourable == (side == "favourable") for each in found)


def test_a_neutral_ten_god_has_no_theme():
    assert themes_of("正官", "neutral", "male") == ()


def test_no_two_themes_share_a_key_but_those_of_the_spouse_star():
    keys = [row["key"] for row in rows("year_themes") if not row["gender"]]
    assert len(keys) == len(set(keys))
    assert {row["key"] for row in rows("year_themes") if row["gender"]} == {"closeness", "distance"}


def test_every_source_is_named():
    for name in ("year_events", "year_points", "year_themes", "year_weights"):
        assert all(row["source"] for row in rows(name))
    assert all(rule.source.partition(".")[0] in BOOKS.values() for rule in event_rules("liunian"))


def test_what_is_said_of_the_year_itself_is_not_asked_of_a_month():
    of_year = {"E-01", "E-04", "E-05", "E-06", "E-07", "E-08", "E-24"}
    by_level = {level: {rule.id for rule in event_rules(level)} for level in LEVELS}
    dynamic = {rule.id for rule in event_rules("liunian") if rule.form == "dynamic"}
    assert by_level["liunian"] - by_level["luck"] == of_year
    assert by_level["liunian"] - by_level["liuyue"] == of_year | dynamic


@pytest.mark.parametrize(
    ("roles", "side"), [("用神 喜神", "favourable"), ("闲神", "neutral"), ("仇神 忌神", "unfavourable")]
)
def test_the_side_of_a_role(roles, side):
    assert {side_of(role) for role in roles.split()} == {side}


def test_a_natal_pillar_has_its_domain():
    assert [domain_of("by_position", each) for each in ("year", "month", "day", "hour")] == [
        "family", "career", "relationship", "study",
    ]  # fmt: skip


def test_every_domain_has_a_word():
    assert set(DOMAIN_ZH) == {OVERALL, *DOMAINS} == {OVERALL, *AGREED["domains"]}


@holds_for_all(
    "score, level, sign",
    [
        (100, "上上", "上上签"), (75, "上上", "上上签"), (74, "中上", "中上签"), (60, "中上", "中上签"),
        (59, "中平", "中上签"), (50, "中平", "中上签"), (49, "中平", "中下签"), (45, "中平", "中下签"),
        (44, "中下", "中下签"), (30, "中下", "中下签"), (29, "下下", "下下签"), (0, "下下", "下下签"),
    ],
)  # fmt: skip
def test_level_and_sign_change_at_their_own_scores(score, level, sign):
    assert (graded("level", score), graded("sign", score)) == (level, sign)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**8))
def test_rounding_is_half_to_even_and_exact(numerator, denominator):
    assert half_even(numerator, denominator) == round(Fraction(numerator, denominator))
