"""Objects as JSON: made again from their input, compared, never trusted."""

from __future__ import annotations

import asyncio
import copy
import json
import random
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.errors import (
    BaziError,
    BirthRequired,
    DigestMismatch,
    InvalidInput,
    OutOfRange,
    SchemaVersion,
    UnknownOption,
)
from bazi_core.objects import aread, parents, pattern_of, read, year_of
from bazi_core.school import YONG_WEIGHTS
from tests.schemas import problems, validator

BIRTH: dict[str, Any] = {"when": "1990-05-15 13:30", "city": "北京"}
READ = ("input", "school", "schema_version", "engine_version", "digest", "target_year")


@cache
def chart(**more: Any) -> bz.Chart:
    return bz.chart(**BIRTH, **{"gender": "male", **more})


@cache
def sent(name: str) -> str:
    made = chart().pattern() if name == "pattern_result" else chart().year(2026)
    return json.dumps(made.to_dict())


def pattern_json(**changed: Any) -> dict[str, Any]:
    return {**json.loads(sent("pattern_result")), **changed}


def year_json(**changed: Any) -> dict[str, Any]:
    return {**json.loads(sent("year_analysis_result")), **changed}


FOREIGN = {"release": "9.9.9", "backend": "x" * 500, "nested": {"a": [1, 2]}}


def test_objects_of_this_process_are_taken_as_they_are():
    pattern, year = chart().pattern(), chart().year(2026)
    assert pattern_of(pattern) == (pattern, ())
    assert year_of(year)[0] is year


def test_json_is_made_again_and_equal():
    assert pattern_of(pattern_json()) == (chart().pattern(), ())
    made, doubts = year_of(year_json())
    assert (made.to_json(), doubts) == (chart().year(2026).to_json(), ())


@pytest.mark.parametrize("year", [chart().year(2026), year_json()], ids=["value", "json"])
@pytest.mark.parametrize("pattern", [None, chart().pattern(), pattern_json()], ids=["none", "value", "json"])
def test_a_reading_is_the_same_whatever_the_form_of_its_parents(year, pattern):
    assert read(year, pattern).to_json() == read(chart().year(2026)).to_json()


def test_the_asynchronous_way_takes_json_too():
    assert asyncio.run(aread(year_json(), pattern_json())).to_json() == read(chart().year(2026)).to_json()


@pytest.mark.parametrize("made", [pattern_json, year_json])
def test_everything_but_what_is_read_may_be_missing(made):
    whole = made()
    kept = {name: value for name, value in whole.items() if name in READ}
    pattern_or_year = pattern_of if made is pattern_json else year_of
    assert pattern_or_year(kept)[0].digest == whole["digest"]


def broken(value: Any, rng: random.Random) -> Any:
    return rng.choice([None, 0, "甲木", [], {}, [value], {"x": value}])


@pytest.mark.parametrize("seed", range(8))
def test_what_is_not_read_may_be_anything_and_changes_nothing(seed):
    rng = random.Random(seed)
    for made, found in ((pattern_json, pattern_of), (year_json, year_of)):
        whole = {name: value if name in READ else broken(value, rng) for name, value in made().items()}
        again, doubts = found(whole)
        assert (again.digest, doubts) == (made()["digest"], ())


@pytest.mark.parametrize("path", ["digest", "input", "school"])
@pytest.mark.parametrize("made", [pattern_json, year_json])
def test_an_object_that_is_not_what_its_digest_says_is_refused(made, path):
    whole = copy.deepcopy(made())
    if path == "digest":
        whole["digest"] = "0" * 64
    elif path == "input":
        whole["input"]["civil"] = "1990-05-16T13:30:00"
    else:
        whole["school"]["options"]["strength_method"] = "root_units"
    with pytest.raises(DigestMismatch) as caught:
        (pattern_of if made is pattern_json else year_of)(whole)
    assert caught.value.data["path"].endswith(".digest")
    assert set(caught.value.data) == {"path", "expected", "found"}


def test_another_target_year_is_another_object():
    with pytest.raises(DigestMismatch):
        year_of(year_json(target_year=2027))


@pytest.mark.parametrize("name", ["pattern_result", "year_analysis_result"])
def test_an_object_of_another_engine_is_made_again_with_a_warning(name):
    whole = json.loads(sent(name)) | {"engine_version": FOREIGN, "digest": "0" * 64}
    made, (doubt,) = (pattern_of if name == "pattern_result" else year_of)(whole)
    assert doubt.code == "RECOMPUTED"
    assert doubt.data["object"] == name
    assert doubt.data["found"]["release"] == "9.9.9"
    assert len(json.dumps(doubt.data["found"])) < 500
    assert doubt.data["used"] == made.chart.head()["engine_version"]


def test_a_final_result_warns_of_every_parent_that_was_made_again():
    result = read(year_json(engine_version=FOREIGN), pattern_json(engine_version=None))
    whole = result.to_dict()
    assert [each["data"]["object"] for each in whole["warnings"]] == [
        "year_analysis_result",
        "pattern_result",
    ]
    assert whole["digest"] == read(chart().year(2026)).digest
    assert problems(validator("final_result"), json.loads(json.dumps(whole))) == []


@pytest.mark.parametrize("version", ["2.0.0", "0.9.0", "", None, 2, "one", {"major": 1}])
@pytest.mark.parametrize("made", [pattern_json, year_json])
def test_another_major_schema_version_cannot_be_read(made, version):
    with pytest.raises(SchemaVersion) as caught:
        (pattern_of if made is pattern_json else year_of)(made(schema_version=version))
    assert caught.value.data["expected"] == "1.0.0"


def test_a_newer_minor_schema_version_can_be_read():
    assert pattern_of(pattern_json(schema_version="1.7.0"))[0] == chart().pattern()


@pytest.mark.parametrize(
    "other",
    [
        {"gender": "female"},
        {"school": bz.School(strength_method="majority_3")},
        {"school": bz.School(day_boundary="00:00")},
    ],
)
def test_parents_of_different_charts_are_refused(other):
    foreign = chart(**other).pattern()
    for given in (foreign, json.loads(json.dumps(foreign.to_dict()))):
        for year in (chart().year(2026), year_json()):
            with pytest.raises(DigestMismatch) as caught:
                parents(year, given)
            assert caught.value.data["path"] == "pattern_result.input_digest"


def test_parents_of_the_same_options_under_another_profile_are_refused():
    named = {"school": bz.School.named("qiongtong", yong_weights=YONG_WEIGHTS)}
    foreign = chart(**named).pattern()
    own = chart().pattern().chart.head()
    assert foreign.chart.head()["input_digest"] == own["input_digest"]
    for given in (foreign, json.loads(json.dumps(foreign.to_dict()))):
        for year in (chart().year(2026), year_json()):
            with pytest.raises(DigestMismatch) as caught:
                read(year, given)
            assert caught.value.data == {
                "path": "pattern_result.school.profile", "expected": "ziping", "found": "qiongtong",
            }  # fmt: skip


@pytest.mark.parametrize("given", [None, [], "x", 7, True])
def test_what_is_no_object_is_refused(given):
    with pytest.raises(InvalidInput):
        year_of(given)
    if given is not None:
        with pytest.raises(InvalidInput):
            parents(chart().year(2026), given)


@pytest.mark.parametrize("value", [None, [], "x", {}, {"pillars": 7}, {"civil": "never"}, {"civil": None}])
def test_an_input_that_cannot_be_understood_is_an_error_with_a_code(value):
    with pytest.raises(BaziError):
        year_of(year_json(input=value))


def test_an_option_that_does_not_exist_is_refused():
    with pytest.raises(UnknownOption):
        year_of(year_json(school={"profile": "ziping", "options": {"no_such": 1}}))


@pytest.mark.parametrize("target", [None, "2026", 2026.5, True, [2026], 10**9, -1])
def test_a_target_year_that_is_none_is_refused(target):
    with pytest.raises((InvalidInput, OutOfRange)):
        year_of(year_json(target_year=target))


def test_given_pillars_have_no_year():
    whole = json.loads(json.dumps(bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").pattern().to_dict()))
    assert pattern_of(whole)[0].name
    with pytest.raises(BirthRequired):
        year_of(whole | {"target_year": 2026})


def test_a_year_in_place_of_a_pattern_is_an_object_of_another_digest():
    with pytest.raises(DigestMismatch):
        pattern_of(year_json())


def test_options_reach_the_reading():
    result = read(year_json(), language="en", length="short", question="How is my career?")
    assert (result.language, result.length, result.safety["category"]) == ("en", "short", "normal")
    with pytest.raises(TypeError):
        read(year_json(), langage="en")


@pytest.mark.parametrize(
    "code",
    [
        "bz.read(chart.year(2026)).to_json()",
        "from bazi_core.model.fakes import FailingPort; bz.read(chart.year(2026), port=FailingPort())",
        "chart.pattern().to_json()",
    ],
)
@pytest.mark.process
def test_a_reading_loads_no_web_library_and_no_event_loop(code):
    head = "import sys, bazi_core as bz; chart = bz.chart('1990-05-15 13:30', city='北京', gender='male')"
    names = "('httpx', 'anyio', 'asyncio', 'socket', 'ssl', 'pydantic', 'jsonschema', 'numpy')"
    script = f"{head}\n{code}\nprint([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_a_chart_is_read_as_it_stands():
    made = chart().pattern()
    told = read(chart(), language="en", length="short")
    assert told.narrative == read(made, language="en", length="short").narrative
    assert (told.language, told.provenance.narrator) == ("en", "rule")
    assert read(chart(), question="我不想活了").narrative != read(chart()).narrative
    assert asyncio.run(aread(chart(), language="en", length="short")).narrative == told.narrative


def test_what_cannot_be_read_says_what_can():
    for nothing in (5, None, "x", [], bz.liuyao.derive("789876", "2026-04-03T20:30:00+08:00")):
        with pytest.raises(InvalidInput) as caught:
            read(nothing)
        assert "chart.year(2026)" in caught.value.hint
    with pytest.raises(InvalidInput, match="without a pattern"):
        read(chart(), chart().pattern())
    with pytest.raises(BirthRequired) as caught:
        read(chart(gender=None))
    assert caught.value.data == {"missing": ["gender"]}
