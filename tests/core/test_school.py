"""A School: every choice, its default, its profiles, and what is refused."""

import json
from dataclasses import fields
from itertools import product

import pytest

from bazi_core.errors import BaziError, UnknownOption, UnknownProfile
from bazi_core.school import OPTIONS, PROFILES, YONG_WEIGHTS, School, school_of
from tests.tables import holds_for_all

STATED = """
time_basis=true_solar day_boundary=23:00 late_zi_hour_stem=next_day year_boundary=lichun clock=auto future_utc=utc_frozen
hidden_weights=60_30_10 siling_table=common_30 ming_month=jie twelve_stages=yang_shun_yin_ni void_anchor=day
luck_start=exact_seconds luck_direction=classic xiaoyun=hour_pillar liunian_boundary=lichun age_style=full wuwei_element=土
earth_season=four_months anhe=three_pairs star_set=core_24 star_anchor=per_star cycle_anchor=per_star lunar_calendar=by_place
strength_method=weighted_v1 ge_hidden_main=keep_main yin_ren=no special_structures=claimed judgement=full validate=strict
liuyue_detail=summary
"""
OF_OTHER_KINDS = {"boundary_window_s": 120, "star_variants": {}, "yong_weights": YONG_WEIGHTS}
DEFAULTS = OF_OTHER_KINDS | dict(each.split("=") for each in STATED.split())
CHOICES = [(name, value) for name, values in OPTIONS.items() for value in values]


def test_the_defaults_are_the_first_values():
    options = School().to_dict()["options"]
    assert options == DEFAULTS
    assert all(options[name] == values[0] for name, values in OPTIONS.items())


def test_every_option_is_a_field_and_every_field_an_option():
    assert {field.name for field in fields(School)} == {*OPTIONS, *OF_OTHER_KINDS, "profile"}


@holds_for_all("name, value", CHOICES)
def test_every_allowed_value_is_kept_and_comes_back_from_json(name, value):
    school = School(**{name: value})
    again = School.from_dict(json.loads(json.dumps(school.to_dict())))
    assert getattr(school, name) == getattr(again, name) == value
    assert again.to_dict() == school.to_dict()


@holds_for_all(
    "name, value",
    product(
        [*OPTIONS, "boundary_window_s"],
        ["", "nonsense", 5.5, True, [], {}, b"x", -1, 86_401, "x" * 10**6, float("nan"), "\ud800"],
    ),
)
def test_an_unknown_value_is_refused_with_what_is_allowed(name, value):
    with pytest.raises(UnknownOption) as caught:
        School(**{name: value})
    data = caught.value.data
    assert data.keys() == {"name", "value", "allowed"}
    assert data["name"] == name
    assert name == "boundary_window_s" or data["allowed"] == list(OPTIONS[name])
    assert len(json.dumps(caught.value.to_dict(), allow_nan=False)) < 2000


@holds_for_all(
    "option, value",
    [
        ("yong_weights", {"fuyi": 1}),
        ("yong_weights", {"fu_yi": -1}),
        ("yong_weights", {"fu_yi": 11}),
        ("yong_weights", {"fu_yi": float("nan")}),
        ("yong_weights", {"fu_yi": "1"}),
        ("yong_weights", {"fu_yi": True}),
        ("yong_weights", 5),
        ("yong_weights", "fu_yi"),
        ("star_variants", {"文昌": "x"}),
        ("star_variants", {"羊刃": "x"}),
        ("star_variants", {"x" * 10**6: "x"}),
        ("star_variants", {1: 2}),
        ("star_variants", {"羊刃": ["with_yin_diwang"]}),
        ("star_variants", None),
    ],
)
def test_a_map_with_an_unknown_name_or_value_is_refused_with_what_is_allowed(option, value):
    with pytest.raises(UnknownOption) as caught:
        School(**{option: value})
    assert caught.value.data["name"].startswith(option)
    assert caught.value.data["allowed"]
    assert len(json.dumps(caught.value.to_dict(), allow_nan=False)) < 3000


def test_weights_that_are_not_given_keep_those_of_the_profile():
    school = School.named("qiongtong", yong_weights={"fu_yi": 0.4})
    weights = school.to_dict()["options"]["yong_weights"]
    assert weights == {**YONG_WEIGHTS, **PROFILES["qiongtong"]["yong_weights"], "fu_yi": 0.4}
    assert School.from_dict(json.loads(json.dumps(school.to_dict()))).yong_weights == school.yong_weights


def test_a_star_may_be_named_by_an_alias_and_the_order_of_a_map_does_not_matter():
    one = School(star_variants={"阳刃": "with_yin_diwang", "空亡": "both"})
    other = School(star_variants={"空亡": "both", "羊刃": "with_yin_diwang"})
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize("window", [0, 1, 86_400])
def test_the_window_may_be_any_whole_number_of_seconds_of_a_day(window):
    assert School(boundary_window_s=window).boundary_window_s == window


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(UnknownOption) as caught:
        School.of({"day_begin": "00:00"})
    assert caught.value.data["name"] == "day_begin"
    assert "day_boundary" in caught.value.data["allowed"]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_its_options_and_any_of_them_can_be_overridden(profile):
    school = School.named(profile)
    assert school.profile == profile
    options = school.to_dict()["options"]
    for name, value in PROFILES[profile].items():
        assert options[name] == ({**YONG_WEIGHTS, **value} if name == "yong_weights" else value)
    assert School.named(profile, twelve_stages="water_earth_same").twelve_stages == "water_earth_same"
    assert School.from_dict(school.to_dict()).to_dict() == school.to_dict()


@pytest.mark.parametrize("make", [lambda: School(profile="x"), lambda: School.named("x")])
def test_an_unknown_profile_is_refused_with_the_profiles_there_are(make):
    with pytest.raises(UnknownProfile) as caught:
        make()
    assert caught.value.data == {"name": "profile", "value": "x", "allowed": list(PROFILES)}


@holds_for_all(
    "form",
    [
        {"profile": 5},
        {"profile": None},
        {"profile": []},
        {"options": 5},
        {"options": []},
        {"options": {"profile": "ziping"}},
        {"options": {"self": 1}},
        {"options": {"day_boundary": None}},
        [],
        "ziping",
        None,
    ],
)
def test_a_broken_json_form_is_refused_with_an_error_of_the_library(form):
    with pytest.raises(BaziError):
        School.from_dict(form)


def test_missing_members_of_the_json_form_take_their_defaults():
    assert School.from_dict({}) == School()
    assert School.from_dict({"options": {"clock": "beijing"}}) == School(clock="beijing")


def test_the_clock_that_was_used_is_written_down_once():
    school = School()
    assert school.with_basis("civil").time_basis == "civil"
    assert school.time_basis is None
    explicit = School(time_basis="civil")
    assert explicit.with_basis("civil") is explicit


@pytest.mark.parametrize("given", ["saju_kr", "…", None, 5, [], ["day_boundary"]])
def test_options_that_are_no_map_are_refused_with_the_two_ways_in(given):
    with pytest.raises(UnknownOption) as caught:
        School.of(given)
    assert "School.named(" in caught.value.hint
    assert "School.of({" in caught.value.hint


def test_the_name_of_a_profile_in_place_of_a_school_says_how_it_is_named():
    with pytest.raises(UnknownOption) as caught:
        school_of("saju_kr")
    assert caught.value.hint == "School.named('saju_kr') is a profile by its name"
