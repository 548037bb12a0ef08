"""The shipped JSON Schema of `base_context`: closed, complete, and true of every chart."""

import json
import random
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import bazi_core as bz
from bazi_core.alphabet import Cycle
from bazi_core.errors import NonexistentLocalTime, OutOfRange
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.place import zones
from bazi_core.render.schemas import schema
from bazi_core.school import OPTIONS, PROFILES
from bazi_core.tables import rows
from bazi_core.warnings import WARNINGS
from tests.births import asked_of
from tests.schemas import nodes, places, problems, validator
from tests.sizes import sizes
from tests.tables import holds_for_all, rows_of

SCHEMA = schema("base_context")
VALIDATOR, PATTERN, YEAR = map(validator, ("base_context", "pattern_result", "year_analysis_result"))
CODES = [
    *(code for code, *_ in WARNINGS), "GENDER_UNKNOWN", "RECOMPUTED", "INVALID_PILLARS",
    "BALANCED_STRENGTH", "METHODS_DISAGREE", "THRESHOLDS_NOT_CALIBRATED", "STAR_SECOND_SOURCE", "USEFUL_GOD_CLOSE",
    "NO_LUCK_CYCLE",
]  # fmt: skip
# A map from names to values of one kind is closed by the kind.
MAP = {"description", "type", "additionalProperties"}
# What may be left out: the facts of the compact form, members that only some charts have.
SOMETIMES = {"facts", "position", "start_range", "pillars_by_standard_clock", "year", "month", "day",
             "claimed_offset_s"}  # fmt: skip
SOMETIMES_AT = re.compile(
    r"facts(/[^/]+(/position)?)?"
    r"|major_luck/start_range"
    r"|input/claimed_offset_s"
    r"|warnings/\d+/data/pillars_by_standard_clock"
    r"|warnings/\d+/data/varies/(year|month|day)"
)

# One chart for each thing that changes the shape of the object, and all of them together make every warning.
CASES = {name: asked_of(born) for name, born in rows_of("core/chart_shapes.csv")}


def chart(when: str | None = None, **arguments: Any) -> bz.Chart:
    return bz.chart(when, **arguments)


@cache
def case(name: str) -> dict[str, Any]:
    return as_json(chart(**CASES[name]))


def as_json(made: bz.Chart, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(made.to_json(facts, lang))
    return found


def objects() -> list[dict[str, Any]]:
    return [node for node in nodes(SCHEMA) if node.get("type") == "object"]


def test_the_schema_is_a_schema_and_every_object_is_closed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert len(objects()) > 40
    assert all(node["additionalProperties"] is False or set(node) == MAP for node in objects())


def test_every_property_is_described() -> None:
    bare = [
        name
        for node in objects()
        for name, each in node.get("properties", {}).items()
        if "description" not in each
    ]
    assert not bare


def test_every_property_is_required_but_for_the_listed_ones() -> None:
    left_out = {
        name for node in objects() for name in {*node.get("properties", {})} - {*node.get("required", ())}
    }
    assert left_out == SOMETIMES


def test_every_definition_is_used() -> None:
    used = {node["$ref"].rpartition("/")[2] for node in nodes(SCHEMA) if isinstance(node.get("$ref"), str)}
    assert used == {*SCHEMA["$defs"]}


def test_the_version_of_the_engine_matches() -> None:
    assert SCHEMA["$id"].endswith(f":{SCHEMA_VERSION.partition('.')[0]}")


@holds_for_all(
    "name, alphabet",
    [
        ("stem", bz.Stem), ("branch", bz.Branch), ("pillar", bz.Pillar), ("element", bz.Element),
        ("polarity", bz.Polarity), ("zodiac", bz.Zodiac), ("ten_god", bz.TenGod), ("stage", bz.Stage),
    ],
)  # fmt: skip
def test_alphabets_of_the_schema_are_those_of_the_core(name: str, alphabet: type[Cycle]) -> None:
    assert SCHEMA["$defs"][name]["enum"] == [member.value for member in alphabet]


def test_terms_nayin_and_hours_of_the_schema_are_those_of_the_core() -> None:
    defs = SCHEMA["$defs"]
    assert defs["jie"]["enum"] == [term.value for term in bz.SolarTerm if term.is_jie]
    assert defs["nayin"]["enum"] == [row["nayin"] for row in rows("nayin")]
    assert defs["birth_input"]["properties"]["hour_branch"]["enum"] == [
        *(h.value for h in bz.HourBranch),
        None,
    ]
    events = defs["midnight_data"]["properties"]["event"]["enum"]
    assert events == ["朔", *(term.value for term in bz.SolarTerm if not term.is_jie)]


def test_options_of_the_schema_are_those_of_the_school() -> None:
    school = SCHEMA["$defs"]["school"]["properties"]
    stated = {
        name: tuple(each["enum"]) for name, each in school["options"]["properties"].items() if "enum" in each
    }
    assert stated == OPTIONS
    assert school["profile"]["enum"] == [*PROFILES]
    assert [*school["options"]["properties"]] == [*bz.School().to_dict()["options"]]


def test_warnings_of_the_schema_are_those_of_the_core() -> None:
    variants = SCHEMA["$defs"]["warning"]["oneOf"]
    assert sorted(each["properties"]["code"]["const"] for each in variants) == sorted(CODES)


@pytest.mark.parametrize("name", CASES)
def test_charts_of_every_shape_are_valid(name: str) -> None:
    assert problems(VALIDATOR, case(name)) == []


@pytest.mark.parametrize("name", CASES)
def test_the_pattern_and_the_year_of_every_shape_are_valid(name: str) -> None:
    made = chart(**CASES[name])
    for facts in (True, False):
        assert problems(PATTERN, json.loads(made.pattern().to_json(facts))) == []
    if made.gender and made.birth:
        year = made.year(max(made.birth.civil.year, min(made.birth.civil.year + 40, 2640)))
        assert problems(YEAR, json.loads(year.to_json())) == []


@pytest.mark.parametrize("lang", ["zh-Hant", "en"])
def test_other_languages_and_the_compact_form_are_valid(lang: str) -> None:
    made = chart(**CASES["daylight saving"])
    assert problems(VALIDATOR, as_json(made, True, lang)) == []
    assert problems(VALIDATOR, as_json(made, False, lang)) == []


def test_every_warning_occurs_among_the_cases() -> None:
    found = {warning["code"] for name in CASES for warning in case(name)["warnings"]}
    # Of coordinates without a zone, of a chart from elsewhere: the next tests. The last two are of what is read
    # from a chart.
    assert found | {
        "ZONE_FROM_COORDINATES", "RECOMPUTED", "USEFUL_GOD_CLOSE", "NO_LUCK_CYCLE",
    } == {*CODES}  # fmt: skip


def test_the_zone_of_a_point_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        sys.modules, "tzfpy", SimpleNamespace(get_tz=lambda longitude, latitude: "Europe/Paris")
    )
    made = as_json(chart("1990-05-15 12:00", longitude=2.35, latitude=48.85))
    assert made["warnings"][0]["code"] == "ZONE_FROM_COORDINATES"
    assert problems(VALIDATOR, made) == []


@pytest.mark.parametrize(
    "engine", [{"release": "0.0.1", "a": 1}, "\n" * 99, None, {str(i): {} for i in range(20)}]
)
def test_a_chart_of_another_engine_is_valid_when_made_again(engine: Any) -> None:
    made = as_json(bz.Chart.from_dict(case("plain") | {"engine_version": engine}))
    assert made["warnings"][-1]["code"] == "RECOMPUTED"
    assert problems(VALIDATOR, made) == []


def random_births(seed: int, count: int) -> Iterator[bz.Chart]:
    """Births of all kinds over zones, years and schools; readings that no clock showed are left out."""
    draw = random.Random(seed)
    while count:
        with suppress(NonexistentLocalTime, OutOfRange):
            yield chart(**random_arguments(draw))
            count -= 1


def random_arguments(draw: random.Random) -> dict[str, Any]:
    year = draw.choice([draw.randint(1583, 2648), draw.randint(1900, 2030)])
    day = f"{year}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    clock = f"{draw.randint(0, 23):02}:{draw.randint(0, 59):02}"
    hour_unknown = draw.random() < 0.1
    named = draw.random() < 0.1
    return {
        "when": day
        if hour_unknown
        else f"{day} {draw.choice([*bz.HourBranch])}时"
        if named
        else f"{day} {clock}",
        "hour_unknown": hour_unknown,
        "fold": draw.choice([0, 1]),
        "gender": draw.choice(["male", "female", None]),
        "school": random_school(draw),
        **draw.choice([random_zone, random_place, random_offset])(draw, year),
    }


def random_school(draw: random.Random) -> bz.School:
    names = [name for name in OPTIONS if name not in ("time_basis", "clock", "year_boundary")]
    return bz.School(**{name: draw.choice(OPTIONS[name]) for name in draw.sample(names, 5)})


def random_zone(draw: random.Random, year: int) -> dict[str, Any]:
    # Long ago the longitude was the clock, and one far from its zone would be none.
    return {"tz": draw.choice(ZONES), "longitude": draw.uniform(-180, 180) if year > 1980 else None}


def random_place(draw: random.Random, year: int) -> dict[str, Any]:
    return {"city": draw.choice(["北京", "拉萨", "Ürümqi", "西安", "Tokyo", "London", "São Paulo", "Apia"])}


def random_offset(draw: random.Random, year: int) -> dict[str, Any]:
    return {
        "utc_offset": draw.randint(-48, 56) / 4,
        "longitude": draw.choice([None, draw.uniform(-180, 180)]),
    }


NAMES = {row["name"] for row in rows("zone_names")}
ZONES = sorted(zones.keys() - NAMES)


@pytest.mark.parametrize("seed", range(10))
@sizes(4, 40)
def test_random_charts_are_valid(seed: int, count: int) -> None:
    for made in random_births(seed, count):
        assert problems(VALIDATOR, as_json(made, facts=seed < 5)) == [], made


def may_be_left_out(path: tuple[Any, ...], name: str) -> bool:
    return SOMETIMES_AT.fullmatch("/".join(map(str, (*path, name)))) is not None


def trimmed(name: str) -> dict[str, Any]:
    """A case with one fact of each kind: enough to mutate, quick to check."""
    made: dict[str, Any] = json.loads(json.dumps(case(name)))
    by_kind = {fact["kind"]: key for key, fact in made["facts"].items()}
    made["facts"] = {key: made["facts"][key] for key in by_kind.values()}
    return made


MUTATED = [
    "daylight saving by the civil clock",
    "unknown hour of a day with a 节",
    *(
        pytest.param(name, marks=pytest.mark.exhaustive)
        for name in (
            "given pillars", "second of a 节", "overridden lunar month", "China between 1912 and 1949",
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("name", MUTATED)
def test_a_property_added_anywhere_makes_a_chart_invalid(name: str) -> None:
    made = trimmed(name)
    assert VALIDATOR.is_valid(made)
    for path, place in places(made):
        place["unexpected"] = None
        assert not VALIDATOR.is_valid(made), path
        del place["unexpected"]


@pytest.mark.parametrize("name", MUTATED)
def test_a_required_property_removed_anywhere_makes_a_chart_invalid(name: str) -> None:
    made = trimmed(name)
    for path, place in places(made):
        for key in [*place]:
            kept = dict(place)
            del place[key]
            assert VALIDATOR.is_valid(made) == may_be_left_out(path, key), (path, key)
            place.clear()
            place.update(kept)


@holds_for_all(
    "path, value",
    [
        ("four_pillars/year", "甲丑"),
        ("four_pillars/year", None),
        ("day_master/element", "空"),
        ("time_trace/utc", "1990-05-15T04:30:00Z"),
        ("time_trace/utc", "1990-05-15T04:30:00.000"),
        ("time_trace/local", "1990-13-15T04:30:00.000"),
        ("time_trace/prev_jie/name", "雨水"),
        ("school/options/day_boundary", "midnight"),
        ("digest", "d0104321"),
        ("schema_version", "2.0.0"),
        ("lunar/day", 31),
        ("major_luck/start_at", "1997-08-16T22:06:00"),
        ("major_luck/cycles/0/index", 10),
        ("warnings/0/code", "DST"),
        ("pillars/month/hidden/0/weight", 1.5),
    ],
)
def test_a_value_outside_its_alphabet_makes_a_chart_invalid(path: str, value: Any) -> None:
    made = trimmed("daylight saving")
    inside: Any = made
    *above, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    for step in above:
        inside = inside[step]
    inside[last] = value
    assert not VALIDATOR.is_valid(made)
