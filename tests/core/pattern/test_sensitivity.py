"""What survives the minutes around a birth and the disputed choices: the table against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import bazi_core as bz
from bazi_core.errors import UnknownOption
from bazi_core.face import Chart, cast
from bazi_core.moment import moment_at
from bazi_core.pattern.sensitivity import CHOICES, JUDGED, Sensitivity
from bazi_core.pillars import POSITIONS, four_pillars
from bazi_core.render.schemas import schema
from bazi_core.school import School
from benchmarks.births import births
from tests.sizes import sizes
from tests.tables import holds_for_all

BEIJING = {"city": "北京", "gender": "male"}
# 节 within the quarter of an hour, the turn of the day and of the hour, a change of the clocks, no longitude, a named hour.
NEAR: tuple[dict[str, Any], ...] = (
    {"when": "2026-02-04 04:00", **BEIJING},
    {"when": "1990-05-15 14:05", **BEIJING},
    {"when": "1990-05-16 00:05", **BEIJING},
    {"when": "1990-05-15 23:20", "tz": "Asia/Shanghai"},
    {"when": "1990-05-15 午时", **BEIJING},
    {"when": "1990-05-15 子时", **BEIJING},
    {"when": "1990-09-16 00:55", **BEIJING},
    {"when": "1986-05-04 01:55", "tz": "Asia/Shanghai"},
    {"when": "2024-03-10 01:50", "city": "New York", "gender": "female"},
    {"when": "2024-11-03 01:50-04:00", "city": "New York"},
    {"when": "1990-05-15 13:30", "utc_offset": "+08:00", "longitude": 116.4},
)
SCHOOLS = (
    School(),
    School(day_boundary="00:00"),
    School(day_boundary="00:00", late_zi_hour_stem="same_day"),
    School(strength_method="majority_3", siling_table="china_testing", hidden_weights="siling_days"),
    School(special_structures="ignored", earth_season="last_18_days"),
)


def told(chart: Chart) -> dict[str, str | None]:
    """The parts of a chart that are compared, by the public face alone."""
    result = chart.pattern()
    return {
        **chart.pillars.to_dict(),
        "siling": chart.siling.stem.value if chart.siling else None,
        "strength": result.strength.verdict if result.strength else None,
        "pattern": result.name,
        "useful": "".join(each.value for each in result.useful_gods),
    }


def parts(outcome: Any) -> dict[str, str | None]:
    return {part: outcome.of(part) for part in (*POSITIONS, *JUDGED)}


def minute_by_minute(chart: Chart, minutes: int) -> Iterator[tuple[int, dict[str, str | None]]]:
    """(instant, what is read) of every minute around a birth, each chart made anew."""
    own = chart.moment
    assert own is not None
    for minute in range(-minutes, minutes + 1):
        at = own.utc_ms + minute * 60_000
        moment = moment_at(own.birth, chart.school, own.clock_then(at), at, own.used)
        pillars = four_pillars(moment, chart.school)
        yield at, told(Chart(pillars, chart.school, chart.gender, chart.birth, moment))


def compare(chart: Chart, minutes: int = 15) -> Sensitivity:
    """The table of a chart, after every minute and every School was tried."""
    found = chart.sensitivity(minutes)
    own = told(chart)
    assert parts(found.taken) == own
    others = [other for row in found.rows if row.choice == "time" for other in row.others]
    seen = set()
    for at, expected in minute_by_minute(chart, minutes):
        holding = [o for o in others if o.piece and o.piece.start.utc_ms <= at < o.piece.end.utc_ms]
        # The last instant is part of the last piece.
        holding = holding or [o for o in others if o.piece and o.piece.end.utc_ms == at and others[-1] is o]
        assert len(holding) == (expected != own), (chart, at, expected, others)
        if holding:
            assert parts(holding[0].outcome) == expected
            seen.add(holding[0])
    for other in others:
        assert other.piece
        assert other in seen or other.piece.seconds < 60, other
    for row in found.rows:
        for other in row.others if row.choice != "time" else ():
            assert parts(other.outcome) == _under(chart, row.choice, other.value), (chart, row.choice, other)
    return found


def _under(chart: Chart, choice: str, value: str) -> dict[str, str | None]:
    school = replace(chart.school, **CHOICES[choice][value])
    assert chart.birth is not None
    return told(cast(chart.birth, school))


@pytest.mark.parametrize("given", NEAR, ids=lambda given: given["when"])
def test_the_table_is_that_of_every_minute_and_school_near_an_edge(given):
    for school in SCHOOLS:
        compare(bz.chart(**given, school=school))


@sizes(6, 500)
def test_the_table_is_that_of_every_minute_and_school_for_births_drawn_at_random(count):
    changed = 0
    for number, born in enumerate(births(count, seed=12)):
        changed += bool(compare(cast(born, SCHOOLS[number % len(SCHOOLS)])).rows[0].others)
    # A quarter of an hour either way meets the edge of a double hour in a quarter of all births.
    assert count < 500 or 90 < changed < 160


def test_a_wide_span_is_cut_at_every_double_hour_of_it():
    chart = bz.chart("1990-05-15 13:30", **BEIJING)
    found = compare(chart, 300)
    assert set(found.values["hour"]) >= {"庚辰", "辛巳", "壬午", "癸未", "甲申"}


def test_a_part_survives_exactly_where_it_has_one_value():
    found = bz.chart("1990-05-15 13:30", **BEIJING).sensitivity()
    assert {part for part, holds in found.survives.items() if not holds} == {"hour", "strength", "useful"}
    assert all(found.survives[part] == (len(values) == 1) for part, values in found.values.items())
    assert all(values[0] == found.taken.of(part) for part, values in found.values.items())


def test_given_pillars_have_neither_clock_nor_commander():
    found = bz.chart(pillars="庚午 辛巳 庚辰 壬午").sensitivity()
    assert [row.choice for row in found.rows] == ["strength_method", "special_structures"]


def test_of_an_unknown_hour_the_whole_day_is_the_time():
    chart = bz.chart("1990-05-15", **BEIJING, hour_unknown=True)
    found = chart.sensitivity()
    assert [other.outcome.pillars for other in found.rows[0].others] == [day.pillars for day in chart.by_hour]
    for other, own in zip(found.rows[0].others, chart.by_hour, strict=True):
        assert {**parts(other.outcome), "siling": None} == {**told(own), "siling": None}


def test_without_a_longitude_the_clock_has_no_other_value():
    rows = {row.choice: row for row in bz.chart("1990-05-15 13:30", tz="Asia/Shanghai").sensitivity().rows}
    assert (rows["time_basis"].taken, rows["time_basis"].others) == ("civil", ())


def test_without_a_judgement_only_the_pillars_are_compared():
    found = bz.chart("1990-05-15 13:30", **BEIJING, school=School(judgement="facts")).sensitivity()
    assert [row.choice for row in found.rows] == ["time", "day_boundary", "time_basis", "siling_table"]
    assert (found.taken.strength, found.taken.pattern, found.taken.useful) == (None, None, ())


def test_a_structure_that_is_claimed_may_be_ignored():
    chart = bz.chart(pillars="癸酉 甲子 癸亥 辛酉")
    row = chart.sensitivity(schools="special_structures").rows[0]
    assert chart.pattern().special is not None
    assert row.others[0].outcome.pattern == chart.pattern().regular.name


@holds_for_all("minutes", [-1, 721, 1.5, True, None, "15", float("nan"), 10**30])
def test_minutes_that_are_none_are_refused(minutes):
    with pytest.raises(UnknownOption) as refused:
        bz.chart("1990-05-15 13:30", **BEIJING).sensitivity(minutes)
    assert refused.value.data["name"] == "minutes"


@holds_for_all("schools", ["", "all", ["common"], [None], 3, None, {"siling": 1}, ["\ud800"]])
def test_choices_that_are_none_are_refused(schools):
    with pytest.raises(UnknownOption) as refused:
        bz.chart("1990-05-15 13:30", **BEIJING).sensitivity(schools=schools)
    assert refused.value.data["allowed"][0] == "common"


@pytest.mark.parametrize("when", ["1551-01-01 00:00", "1551-01-01 00:05", "2648-12-31 23:59:59"])
def test_at_the_ends_of_the_tables_the_minutes_beyond_are_left_out(when):
    found = bz.chart(when, utc_offset="+00:00", calendar="gregorian").sensitivity()
    assert found.rows[0].choice == "time"


def test_every_value_has_a_word_in_every_language():
    from bazi_core.tables.words import label

    for choice, values in CHOICES.items():
        for lang in ("zh-Hans", "zh-Hant", "en"):
            assert label(f"choice.{choice}", lang)
            assert all(label(f"value.{choice}.{value}", lang) for value in values)


OTHERWISE: tuple[dict[str, Any], ...] = (
    {"when": "1990-05-15", "hour_unknown": True, **BEIJING},
    {"when": "1990-05-15", "hour_unknown": True, "school": School.named("facts_only"), **BEIJING},
    {"pillars": "庚午 辛巳 庚辰 壬午"},
    {"pillars": "庚午 辛巳 庚辰", "school": School.named("facts_only")},
)
VALIDATOR = Draft202012Validator(schema("sensitivity"))


@pytest.mark.parametrize("given", [*NEAR, *OTHERWISE], ids=str)
def test_the_table_as_data_is_as_its_schema_says(given):
    made = bz.chart(**given).sensitivity().to_dict()
    assert [error.message for error in VALIDATOR.iter_errors(made)] == []
    for name in made:
        assert not VALIDATOR.is_valid({key: each for key, each in made.items() if key != name})
    assert not VALIDATOR.is_valid({**made, "more": 1})


def test_the_schema_names_every_choice_and_every_part():
    own = schema("sensitivity")
    assert own["properties"]["rows"]["items"]["properties"]["choice"]["enum"] == ["time", *CHOICES]
    assert tuple(own["$defs"]["outcome"]["properties"]) == (*POSITIONS, *JUDGED)
