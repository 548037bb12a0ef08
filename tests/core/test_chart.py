"""A chart as a whole: how it is asked for, what it says, and that its JSON makes it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.birth import birth
from bazi_core.errors import (
    BaziError,
    BirthRequired,
    DigestMismatch,
    InvalidInput,
    InvalidPillars,
    SchemaVersion,
    UnknownOption,
)
from bazi_core.face import Chart, cast
from bazi_core.school import OPTIONS, School
from tests.tables import holds_for_all

MALE: dict[str, Any] = {"city": "北京", "gender": "male"}
CHART = bz.chart("1990-05-15 13:30", **MALE)
GIVEN = "庚午 辛巳 庚辰 壬午"
MAKERS: dict[str, Callable[[], Chart]] = {
    "a birth": lambda: bz.chart("1990-05-15 13:30", **MALE),
    "without gender": lambda: bz.chart("1990-05-15 13:30", city="上海"),
    "a name of several places": lambda: bz.chart("1990-05-15 13:30", city="西安", gender="female"),
    "coordinates": lambda: bz.chart("1990-05-15 13:30:05", longitude=100.5, latitude=-20.25, tz="Asia/Tokyo"),
    "a label for coordinates": lambda: bz.chart("1990-05-15 13:30", city="家", longitude=100.5, utc_offset=7),
    "an offset": lambda: bz.chart("1990-05-15 13:30", utc_offset="+08:05:43", gender="male"),
    "a zone": lambda: bz.chart("1990-09-16 01:30", tz="Asia/Shanghai", fold=1, gender="male"),
    "a double hour": lambda: bz.chart("1990-05-15 晚子时", city="New York", gender="female"),
    "zi without a half": lambda: bz.chart("1990-05-15 子时", city="喀什", gender="female"),
    "a lunar date": lambda: bz.chart("农历1990年闰五月初一 午时", city="上海", gender="male"),
    "a julian date": lambda: bz.chart("1917-10-25 12:00", calendar="julian", city="Moscow", gender="male"),
    "an old date": lambda: bz.chart("1600-02-29 12:00", city="北京", gender="male"),
    "a far date": lambda: bz.chart("2500-02-28 12:00", city="北京", gender="male"),
    "an unknown hour": lambda: bz.chart("1990-05-15", hour_unknown=True, **MALE),
    "an unknown hour on the day of lichun": lambda: bz.chart("2026-02-04", hour_unknown=True, city="Ürümqi", gender="男"),
    "given pillars": lambda: bz.chart(pillars=GIVEN, gender="male"),
    "three pillars": lambda: bz.chart(pillars="庚午 辛巳 庚辰"),
    "impossible pillars": lambda: bz.chart(pillars="甲子 甲子 甲子 甲子", school=School(validate="warn")),
    "xinjiang": lambda: bz.chart("1985-03-10 10:20", city="cn:650100", school=School(clock="xinjiang")),
    "a datetime": lambda: bz.chart(datetime(1990, 5, 15, 13, 30, 59, 999_999), **MALE),
    "another school": lambda: bz.chart(
        "1990-05-15 23:30", **MALE,
        school=School.named("ditiansui", day_boundary="00:00", late_zi_hour_stem="same_day", time_basis="civil",
                            year_boundary="lunar_new_year", luck_start="shichen_clamp", boundary_window_s=3600),
    ),
}  # fmt: skip
EVERY_CHART = pytest.mark.parametrize("name", MAKERS)


# The JSON round trip.


@EVERY_CHART
def test_a_chart_comes_back_from_its_json(name):
    chart = MAKERS[name]()
    again = Chart.from_json(chart.to_json())
    assert again == chart
    assert hash(again) == hash(chart)
    assert (again.pillars, again.day_master) == (chart.pillars, chart.day_master)


@EVERY_CHART
def test_all_but_the_warnings_come_back_to_the_byte(name):
    form = MAKERS[name]().to_dict()
    again = Chart.from_dict(form).to_dict()
    assert {**again, "warnings": None} == {**form, "warnings": None}


@EVERY_CHART
def test_the_json_is_plain_and_the_same_every_time(name):
    one, other = (MAKERS[name]().to_json() for _ in range(2))
    assert one == other
    assert json.loads(one) == MAKERS[name]().to_dict()
    json.dumps(json.loads(one), allow_nan=False, ensure_ascii=False).encode()


@EVERY_CHART
def test_leaving_the_facts_out_changes_nothing_else(name):
    chart = MAKERS[name]()
    whole, brief = chart.to_dict(), chart.to_dict(facts=False)
    assert whole.pop("facts")
    assert brief == whole
    assert Chart.from_dict(brief).to_dict()["digest"] == brief["digest"]


@EVERY_CHART
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_the_language_moves_only_words(name, lang):
    chart = MAKERS[name]()
    words = ("warnings", "human_readable_summary")
    plain, spoken = chart.to_dict(facts=False), chart.to_dict(facts=False, lang=lang)
    assert {key: value for key, value in plain.items() if key not in words} == {
        key: value for key, value in spoken.items() if key not in words
    }
    assert [warning["code"] for warning in spoken["warnings"]] == [doubt.code for doubt in chart.warnings]
    assert spoken["human_readable_summary"]


def test_charts_are_equal_by_what_they_are_made_from():
    assert bz.chart("1990-05-15 13:30", **MALE) == CHART
    assert bz.chart("1990-05-15 13:30", city="北京", gender="female") != CHART
    assert bz.chart("1990-05-15 13:31", **MALE) != CHART
    assert bz.chart("1990-05-15 13:30", **MALE, school=School(day_boundary="00:00")) != CHART


# What stands in it.


MEMBERS = {
    "schema_version", "engine_version", "input", "school", "input_digest", "time_trace", "four_pillars", "lunar",
    "zodiac", "pillars", "day_master", "siling", "ten_gods", "void", "tai_yuan", "tai_xi", "ming_gong", "shen_gong",
    "major_luck", "facts", "digest", "warnings", "human_readable_summary",
}  # fmt: skip


@EVERY_CHART
def test_every_member_is_always_there(name):
    form = MAKERS[name]().to_dict()
    assert form.keys() >= MEMBERS
    assert form["engine_version"].keys() == {
        "release", "backend", "tables_version", "tables_hash", "tzdata_version",
    }  # fmt: skip
    assert isinstance(form["warnings"], list)
    assert form["school"]["options"].keys() >= {*OPTIONS, "boundary_window_s"}


def test_given_pillars_have_no_moment_and_luck_without_dates():
    chart = MAKERS["given pillars"]()
    form = chart.to_dict()
    assert chart.moment is chart.birth is chart.lunar is chart.siling is None
    for member in ("time_trace", "siling", "lunar"):
        assert form[member] is None
    assert form["zodiac"] == {"lichun": "马", "lunar": None}
    assert form["input"]["pillars"] == GIVEN.split()
    luck = form["major_luck"]
    assert (luck["direction"], luck["cycles"][0]["ganzhi"]) == ("forward", "壬午")
    assert luck["start_at"] is luck["start_age"] is luck["cycles"][0]["start_year"] is None


def test_without_gender_there_is_no_luck_and_a_warning():
    chart = bz.chart(pillars=GIVEN)
    assert chart.luck is None
    assert chart.to_dict()["major_luck"] is None
    assert [doubt.code for doubt in chart.own_warnings] == ["GENDER_UNKNOWN"]


def test_the_zodiac_is_told_by_both_years():
    between = bz.chart("2026-02-10 12:00", city="北京")
    assert {rule: animal.value for rule, animal in between.zodiac.items()} == {"lichun": "马", "lunar": "蛇"}


@pytest.mark.parametrize(
    ("when", "where", "text"),
    [
        ("1990-06-23 23:30", {"city": "北京"}, "农历1990年闰五月初一"),
        ("1990-06-23 00:01", {"city": "喀什"}, "农历1990年闰五月初一"),
        ("1990-06-22 22:00", {"city": "New York"}, "农历1990年五月三十"),
    ],
)
def test_the_lunar_date_is_that_of_the_civil_date(when, where, text):
    assert bz.chart(when, **where).lunar.text() == text


@pytest.mark.parametrize("when", ["1645-01-27 12:00", "2200-02-15 12:00"])
def test_beyond_the_lunar_calendar_the_lunar_date_is_null(when):
    chart = bz.chart(when, utc_offset=8)
    assert chart.lunar is chart.to_dict()["lunar"] is chart.zodiac["lunar"] is None


def test_the_input_digest_forgets_how_the_birth_was_written():
    written = ["1990-05-15 13:30", "1990年5月15日13时30分", "1990/05/15 13:30"]
    forms = [bz.chart(when, **MALE).to_dict() for when in written]
    assert len({form["input_digest"] for form in forms}) == 1
    assert forms[0]["input_digest"] != bz.chart("1990-05-15 13:31", **MALE).to_dict()["input_digest"]
    other = bz.chart("1990-05-15 13:30", **MALE, school=School(void_anchor="year")).to_dict()
    assert forms[0]["input_digest"] != other["input_digest"]


def test_a_default_that_is_spelled_out_is_the_same_input():
    spelled = School(time_basis="true_solar", day_boundary="23:00")
    assert bz.chart("1990-05-15 13:30", **MALE, school=spelled).to_dict() == CHART.to_dict()


# How it is asked for.


def test_a_birth_or_its_arguments_make_the_same_chart():
    born = birth("1990-05-15 13:30", **MALE)
    assert bz.chart(born) == cast(born) == CHART


def test_arguments_beside_a_birth_are_not_lost():
    born = birth("1990-05-15 13:30", city="北京")
    assert bz.chart(born, gender="male").gender == "male"


def test_nothing_given_is_an_error_that_names_what_is_missing():
    with pytest.raises(BirthRequired) as caught:
        bz.chart()
    assert caught.value.data == {"missing": ["moment"]}


@pytest.mark.parametrize("school", [None, School(), CHART.school])
def test_no_school_is_the_default_school(school):
    assert bz.chart("1990-05-15 13:30", **MALE, school=school) == CHART


@pytest.mark.parametrize("school", [5, "ziping", ..., {"clock": "auto"}], ids=str)
def test_a_school_of_another_type_is_refused(school):
    with pytest.raises(BaziError):
        bz.chart("1990-05-15 13:30", **MALE, school=school)


@holds_for_all(
    "given", ["", "甲丑 甲丑 甲丑 甲丑", "庚午", "garbage", "甲子 甲子 甲子 甲子", 5, [], [5] * 4, ...]
)
def test_bad_pillars_are_refused(given):
    with pytest.raises(InvalidPillars):
        bz.chart(pillars=given)


def test_pillars_and_a_birth_at_once_are_refused():
    with pytest.raises(BaziError):
        bz.chart("1990-05-15 13:30", pillars=GIVEN, city="北京")


@pytest.mark.parametrize("gender", ["x", 5, [], True])
def test_a_gender_that_nobody_has_is_refused_with_pillars_too(gender):
    with pytest.raises(UnknownOption):
        bz.chart(pillars=GIVEN, gender=gender)


# What comes in as JSON is not trusted: it is made again from its input and school, then compared.


def tampered(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    form = json.loads(CHART.to_json())
    change(form)
    return form


TAMPERING: dict[str, Callable[[dict[str, Any]], None]] = {
    "the digest": lambda form: form.update(digest="0" * 64),
    "no digest": lambda form: form.pop("digest"),
    "a digest of another type": lambda form: form.update(digest=5),
    "the civil time": lambda form: form["input"].update(civil="1990-05-15T13:31:00"),
    "the gender": lambda form: form["input"].update(gender="female"),
    "the longitude": lambda form: form["input"]["place"].update(longitude=116.408),
    "the zone": lambda form: form["input"].update(timezone_id="Asia/Tokyo"),
    "the offset": lambda form: form["input"].update(utc_offset_s=28800),
    "the precision": lambda form: form["input"].update(precision_s=59),
    "the written form": lambda form: form["input"].update(given="1990"),
    "an unknown hour": lambda form: form["input"].update(hour_unknown=True, civil="1990-05-15"),
    "a double hour": lambda form: form["input"].update(hour_branch="午", civil="1990-05-15T00:00:00"),
    "pillars instead of a birth": lambda form: form.update(
        input={"pillars": GIVEN.split(), "gender": "male"}
    ),
    "an option": lambda form: form["school"]["options"].update(void_anchor="year"),
    "the window": lambda form: form["school"]["options"].update(boundary_window_s=121),
    "no school": lambda form: form.update(school={"options": {"day_boundary": "00:00"}}),
    "the profile": lambda form: form["school"].update(profile="ditiansui"),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_tampered_object_does_not_match_its_digest(what):
    with pytest.raises(DigestMismatch) as caught:
        Chart.from_dict(tampered(TAMPERING[what]))
    assert caught.value.data.keys() == {"path", "expected", "found"}


@pytest.mark.parametrize(
    "member", sorted(MEMBERS - {"schema_version", "engine_version", "digest", "input", "school"})
)
def test_what_is_computed_is_never_read_from_the_object(member):
    for change in (lambda form: form.pop(member), lambda form: form.update({member: "tampered"})):
        assert Chart.from_dict(tampered(change)).to_dict()["digest"] == CHART.to_dict()["digest"]


def test_an_object_of_another_engine_is_made_again():
    form = tampered(lambda form: form.update(engine_version={"release": "0.0.1"}, digest="0" * 64))
    assert Chart.from_dict(form).pillars == CHART.pillars


@pytest.mark.parametrize(
    "version", ["2.0.0", "0.9.0", "10.0.0", "", None, [], "x" * 10**6, "\ud800"], ids=lambda v: ascii(v)[:20]
)
def test_another_major_version_of_the_schema_cannot_be_read(version):
    with pytest.raises(SchemaVersion) as caught:
        Chart.from_dict(tampered(lambda form: form.update(schema_version=version)))
    assert caught.value.data.keys() == {"path", "expected", "found"}


@pytest.mark.parametrize("version", ["1.0.0", "1.7.3"])
def test_another_minor_version_of_the_schema_can_be_read(version):
    assert (
        Chart.from_dict(tampered(lambda form: form.update(schema_version=version))).pillars == CHART.pillars
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda form: form.pop("input"),
        lambda form: form.update(input=None),
        lambda form: form.update(input=[]),
        lambda form: form.update(input={}),
        lambda form: form["input"].update(civil=None),
        lambda form: form["input"].update(civil="1990-13-01"),
        lambda form: form["input"].update(civil="1400-01-01T00:00:00"),
        lambda form: form["input"].update(place={"longitude": 200}),
        lambda form: form["input"].update(place={"timezone_id": "../../etc/passwd"}),
        lambda form: form["input"].update(place=None),
        lambda form: form["input"].update(pillars="garbage"),
        lambda form: form["input"].update(pillars=5),
        lambda form: form["input"].update(pillars={"a": 1}),
        lambda form: form["input"].update(gender="x"),
        lambda form: form.update(school=5),
        lambda form: form["school"].update(profile="x"),
        lambda form: form["school"].update(profile=[]),
        lambda form: form["school"].update(options=5),
        lambda form: form["school"]["options"].update(day_boundary="midnight"),
        lambda form: form["school"]["options"].update(new_option=1),
        lambda form: form["school"]["options"].update(profile="ziping"),
    ],
)
def test_a_broken_object_is_refused_with_an_error_of_the_library(change):
    with pytest.raises(BaziError):
        Chart.from_dict(tampered(change))


@pytest.mark.parametrize("form", [None, 5, [], "x", True], ids=str)
def test_what_is_not_an_object_is_refused(form):
    with pytest.raises(BaziError):
        Chart.from_dict(form)


@holds_for_all(
    "text",
    ["", "garbage", "[]", "null", "5", '{"schema_version": "1.0.0"', "[" * 100_000, "\ud800"],
    lambda text: ascii(text)[:20],
)
def test_text_that_is_not_the_json_of_a_chart_is_refused(text):
    with pytest.raises(BaziError):
        Chart.from_json(text)


# Flows.


def test_the_flows_of_a_chart_are_its_own():
    assert CHART.flow_year(2026).pillar.value == "丙午"
    assert [flow.pillar.value for flow in CHART.flow_months(2026)][:2] == ["庚寅", "辛卯"]
    assert [flow.label for flow in CHART.flow_days(date(2026, 2, 4), 2)] == ["2026-02-04", "2026-02-05"]
    assert len(CHART.flow_hours(date(2026, 2, 4))) == 12


def test_a_fact_that_is_not_there_is_invalid_input():
    with pytest.raises(InvalidInput):
        CHART.basis("p.noon.stem")


def test_a_chart_that_is_not_warned_of_is_the_same_but_for_its_warnings():
    born = birth("1990-05-15 13:30", **MALE)
    told, silent = cast(born), cast(born, warned=False)
    assert (told, told.digest) == (silent, silent.digest)
    assert told.own_warnings
    assert not silent.own_warnings
