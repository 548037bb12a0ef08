"""The shipped JSON Schemas of 六爻: closed, described, true of everything that is made, false of anything else."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bazi_core import liuyao as ly
from bazi_core.liuyao import cast
from bazi_core.liuyao.hexagrams import generations, relatives, trigrams
from bazi_core.liuyao.policy import POLICIES
from bazi_core.render.schemas import names, schema
from bazi_core.school import School
from bazi_core.tables import rows
from tests import schemas
from tests.core.liuyao.casts import AT, FOUR, strict, time_of, values
from tests.core.liuyao.test_record import ALL as RECORDS
from tests.core.liuyao.test_record import changed
from tests.golden.liuyao import golden
from tests.schemas import nodes, places, validator
from tests.tables import holds_for_all

SCHEMAS = {
    name: schema(name) for name in ("divination_request", "divination", "liuyao_analysis", "cast_record")
}
VALID = {name: validator(name) for name in SCHEMAS}
# Members that only some objects have; conditions of the schemas say which, but for these four.
SOMETIMES = {
    "cast_record": {"castAt", "moving", "hourBranch"},
    "liuyao_analysis": {
        "facts", "position", "target", "missing", "filledBy", "castAt", "moving", "hourBranch", "term",
        "fromQuestion", "alsoAsked",
    },
    "divination": set(),
    "divination_request": set(),
}  # fmt: skip
MAY_GO = re.compile(r"facts(/[^/]+(/position)?)?|(cast/)?castAt|(cast/)?inputs/(moving|hourBranch)")


def problems(name: str, instance: Any) -> list[str]:
    return schemas.problems(VALID[name], instance)


def objects(name: str) -> list[dict[str, Any]]:
    return [node for node in nodes(SCHEMAS[name]) if node.get("type") == "object"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_closed_and_described(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert name in names()
    assert SCHEMAS[name]["$id"] == f"urn:bazi-core:{name}:1"
    for node in objects(name):
        # A map from ids to facts is closed by the pattern of its keys.
        assert node["additionalProperties"] is False or "propertyNames" in node
    bare = [
        key
        for node in objects(name)
        for key, each in node.get("properties", {}).items()
        if "description" not in each
    ]
    assert bare == []
    used = {node["$ref"].rpartition("/")[2] for node in nodes(SCHEMAS[name]) if "$ref" in node}
    assert used == {*SCHEMAS[name]["$defs"]}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_member_is_required_but_for_the_listed_ones(name):
    left_out = {
        key for node in objects(name) for key in {*node.get("properties", {})} - {*node.get("required", ())}
    }
    assert left_out == SOMETIMES[name]


def test_alphabets_of_the_schemas_are_those_of_the_core():
    defs = {**SCHEMAS["divination"]["$defs"], **SCHEMAS["liuyao_analysis"]["$defs"]}
    assert defs["hexagram_name"]["enum"] == [each.full_name for each in ly.HEXAGRAMS]
    assert defs["trigram"]["enum"] == [*trigrams()]
    assert {*defs["line_relative"]["enum"]} == {*relatives()}
    assert defs["generation"]["enum"] == [*generations()]
    assert defs["spirit"]["enum"] == [row["name"] for row in rows("liuyao/spirits")]
    own = SCHEMAS["liuyao_analysis"]["properties"]
    policies = own["policies"]["properties"]
    assert {key: tuple(policies[key]["enum"]) for key in POLICIES} == POLICIES
    assert own["timing"]["items"]["properties"]["trigger"]["enum"] == [
        row["trigger"] for row in rows("liuyao/timing")
    ]
    assert SCHEMAS["divination_request"]["properties"]["questionType"]["examples"] == [*ly.QUESTION_TYPES]
    assert "enum" not in SCHEMAS["divination_request"]["properties"]["questionType"]


@holds_for_all("case", golden("liuyao_cases")["cases"][::8], lambda case: case["id"])
def test_golden_requests_and_objects_are_valid(case):
    assert problems("divination_request", case["input"]) == []
    assert problems("divination", case["expected"]) == []


def test_the_strict_object_of_every_cast_is_valid():
    for number in range(0, 4096, 9):
        made = strict(ly.derive(values(number), pillars=FOUR))
        assert VALID["divination"].is_valid(made), problems("divination", made)
    clockless = ly.derive("789876", pillars=FOUR).to_divination("占", divination_time="")
    assert problems("divination", clockless) == []


KINDS = ("事业", "财运", "婚姻", "失物", None, "占什么", "官司")


@pytest.mark.parametrize("part", range(8))
def test_analyses_of_every_shape_are_valid(part):
    for number in range(part * 17, 4096, 136):
        policy = ly.LiuyaoPolicy(*(choice[number % len(choice)] for choice in POLICIES.values()))
        kind = KINDS[number % 7]
        if number % 3:
            month, day = time_of(number)
            chart = ly.derive(values(number), month_branch=month, day=day, policy=policy)
        else:
            at = f"{1900 + number % 280}-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:59:30+08:00"
            chart = ly.derive(RECORDS[number % len(RECORDS)], at, policy=policy)
        made = json.loads(json.dumps(chart.analyze(kind).to_dict(facts=number % 5 == 0)))
        assert problems("liuyao_analysis", made) == []


@pytest.mark.parametrize(
    "at", ["2026-04-05T02:40:30+08:00", "2080-06-01T22:59:30+08:00", "1700-01-01T00:00:00Z"]
)
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_warnings_of_every_kind_are_valid(at, lang):
    made = ly.derive("789876", at, school=School(boundary_window_s=600)).analyze("婚姻").to_dict(lang=lang)
    assert problems("liuyao_analysis", json.loads(json.dumps(made))) == []


@holds_for_all("record", RECORDS)
def test_every_record_is_valid(record):
    assert problems("cast_record", record.to_dict()) == []


@pytest.mark.parametrize("seed", ["x" * 128, "签" * 42])
def test_a_client_seed_of_every_length_is_valid(seed):
    assert problems("cast_record", cast.commit(bytes(32)).reveal(seed).to_dict()) == []


@cache
def case(name: str) -> Any:
    """Objects that have every member there is."""
    chart = ly.derive(cast.commit(bytes(32)).reveal("a"), "2026-04-05T02:40:30+08:00")
    made: dict[str, Any] = {
        "divination_request": golden("liuyao_cases")["cases"][0]["input"],
        "divination": strict(ly.derive("787886", AT)),
        "liuyao_analysis": _few_facts(chart.analyze("占什么").to_dict()),
        "analysis of a question": _few_facts(ly.derive("969786", AT).analyze("失物").to_dict()),
        **{record.method + str((record.inputs or {}).get("method")): record.to_dict() for record in RECORDS},
    }
    return json.loads(json.dumps(made[name]))


def _few_facts(made: dict[str, Any]) -> dict[str, Any]:
    by_kind = {fact["kind"]: key for key, fact in made["facts"].items()}
    return made | {"facts": {key: made["facts"][key] for key in by_kind.values()}}


METHODS = [*dict.fromkeys(record.method + str((record.inputs or {}).get("method")) for record in RECORDS)]
CASES = {
    **{name: name for name in ("divination_request", "divination", "liuyao_analysis")},
    "analysis of a question": "liuyao_analysis",
    **dict.fromkeys(METHODS, "cast_record"),
}
# The two analyses are of one schema, and large.
MUTATED = [
    pytest.param(name, marks=pytest.mark.exhaustive) if name == "analysis of a question" else name
    for name in CASES
]


@pytest.mark.parametrize("name", MUTATED)
def test_a_key_added_anywhere_makes_an_object_invalid(name):
    made, valid = case(name), VALID[CASES[name]]
    assert valid.is_valid(made), problems(CASES[name], made)
    for path, place in places(made):
        place["unexpected"] = None
        assert not valid.is_valid(made), path
        del place["unexpected"]


@pytest.mark.parametrize("name", MUTATED)
def test_a_key_dropped_anywhere_makes_an_object_invalid(name):
    made, valid = case(name), VALID[CASES[name]]
    for path, place in places(made):
        for key in [*place]:
            kept = dict(place)
            del place[key]
            free = MAY_GO.fullmatch("/".join(map(str, (*path, key)))) is not None
            free = free and not (name.startswith("time") and key == "hourBranch")
            assert valid.is_valid(made) == free, (path, key)
            place.clear()
            place.update(kept)


@pytest.mark.parametrize("name", MUTATED)
def test_a_null_anywhere_makes_an_object_invalid(name):
    made, valid = case(name), VALID[CASES[name]]
    free = (
        {"calendar", "cast", "sign", "inner", "outer", "questionType", "hour"}
        if CASES[name] == "liuyao_analysis"
        else set()
    )
    for path, place in places(made):
        for key in [*place]:
            if key in free:
                continue
            kept, place[key] = place[key], None
            assert not valid.is_valid(made), (path, key)
            place[key] = kept


@holds_for_all(
    "path, value",
    [
        (("divinationMethod",), "起卦"), (("questionType",), ""), (("questionType",), " \n"), (("questionType",), "x" * 33),
        (("question",), ""), (("question",), "\u3000"), (("question",), "x" * 501), (("yaoLines",), ["少阳"] * 5),
        (("yaoLines",), ["少阳"] * 7), (("yaoLines", 0), "7"), (("yaoLines", 0), 7), (("divinationTimeIso",),
        "2026-04-03T20:30:00"),
        (("divinationTimeIso",), "2026-04-03T20:30+08:00"), (("divinationTimeIso",), "2026-04-03 20:30:00+08:00"),
        (("divinationTimeIso",), "2026-04-03T20:30:00-00:00"), (("divinationTimeIso",), "2026-04-03T20:30:60+08:00"),
        (("divinationTimeIso",), "20260403T203000+0800"), (("divinationTimeIso",), "2026-04-03T20:30:00+16:01"),
        (("divinationTimeIso",), "2026-13-03T20:30:00Z"), (("divinationTimeIso",), "2026-04-32T20:30:00Z"),
        (("divinationTimeIso",), "2026-04-03T24:00:00Z"), (("divinationTimeIso",), "2026-04-03T20:30:00.1234567890Z"),
    ],
)  # fmt: skip
def test_a_request_outside_the_rules_is_invalid(path, value):
    assert not VALID["divination_request"].is_valid(changed(case("divination_request"), path, value))


@pytest.mark.parametrize(
    "at",
    [
        "2026-04-03T20:30:00Z", "2026-04-03t20:30:00z", "2026-04-03T20:30:00.123456789-16:00",
        "2026-04-03T20:30:00+00:00", AT,
    ],
)  # fmt: skip
def test_a_request_may_state_its_time_in_any_form_of_the_standard(at):
    made = {
        **case("divination_request"),
        "divinationTimeIso": at,
        "questionType": "x" * 32,
        "question": "问" * 500,
    }
    assert VALID["divination_request"].is_valid(made)
    assert ly.derive(made["yaoLines"], at)


@holds_for_all(
    "path, value",
    [
        (("hasChangingYao",), False), (("targetYaoInfoList",), []), (("worldPosition",), 7), (("worldPosition",), 0),
        (("binaryCode",), "10101"), (("guaName",), "既济"), (("guaName",), "天山遯"), (("ganzhi", "yearGanZhi"), "甲丑"),
        (("ganzhi", "dayKongWang"), "卯寅"), (("ganzhi", "yueJian"), "卯"), (("yaoInfoList", 0, "specialMark"), "空"),
        (("yaoInfoList", 0, "spiritName"), "青龙"), (("yaoInfoList", 0, "isYang"), 1), (("wuXingStatuses", "木"), "强"),
        (("divinationTime",), "2026-04-03 20:30"), (("fushenPositions",), [2, 2]), (("fushenPositions",), [1, 2, 3]),
    ],
)  # fmt: skip
def test_a_strict_object_outside_its_alphabets_is_invalid(path, value):
    assert not VALID["divination"].is_valid(changed(case("divination"), path, value))


def test_the_members_of_one_method_do_not_go_with_another():
    by_method = {name: case(name) for name in METHODS}
    for name, made in by_method.items():
        for other, lent in by_method.items():
            extra = {key: value for key, value in lent.items() if key not in made}
            if extra and made["method"] != "time":
                assert not VALID["cast_record"].is_valid({**made, **extra}), (name, other)
