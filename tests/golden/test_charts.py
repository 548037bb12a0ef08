"""The answer program against charts, luck, months and clocks computed by independent programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import moons, terms
from tests.golden.questions import question, rows, run, run_lines, unscored, wrong

# File → rows in it.
FILES = {
    "a_pillars": 3000, "b_boundary": 400, "c_derived": 500, "d_luck": 500, "e_lunar_months": 1236,
    "e2_solar_lunar": 400, "f_civil_utc": 44, "g_true_solar": 200, "h_reverse": 40,
}  # fmt: skip
# File → field → (answers that agree, rows that are not scored): a change here is a change of the library.
UNSCORED = {
    "b_boundary": {"sect1": (24, 24), "sect2": (24, 24)},
    "d_luck": {"lunar_sect2": (56, 57), "tyme_china95": (1, 1), "tyme_lunarSect2": (69, 75)},
    "e_lunar_months": {"first_day": (3, 4), "days": (2, 4), "index_in_year": (4, 4)},
}
READY = {"id": "ready", "inputs": {"solar": "2026-02-17"}, "options": {}}
NEW_YEAR = {"lunar_year": 2026, "lunar_month": 1, "leap": False, "lunar_day": 1, "text": "二〇二六年正月初一"}


@pytest.fixture(scope="module")
def asked() -> dict[str, list[dict[str, Any]]]:
    return {name: rows(name) for name in FILES}


@pytest.fixture(scope="module")
def answers(asked: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return run("charts", (question(row) for name in asked for row in asked[name]))


@pytest.mark.parametrize("name", FILES)
def test_every_scored_answer_is_that_of_the_independent_programs(name, asked, answers):
    assert len(asked[name]) == FILES[name]
    failed = wrong(name, asked[name], answers)
    assert not failed, f"{len(failed)} wrong: {'; '.join(failed[:20])}"


@pytest.mark.parametrize("name", FILES)
def test_what_the_authorities_leave_open_is_counted(name, asked, answers):
    assert unscored(name, asked[name], answers) == UNSCORED.get(name, {})


@pytest.mark.parametrize("name", FILES)
def test_the_program_answers_every_question_without_an_error(name, asked, answers):
    given = [answers[row["id"]] for row in asked[name]]
    assert all(line.keys() == {"id", "answer"} for line in given)


@pytest.mark.parametrize("name", FILES)
def test_the_comparator_finds_every_field_wrong_that_is_missing(name, asked):
    nothing = wrong(name, asked[name], {})
    assert len({failed.split()[0] for failed in nothing}) == len(
        [row for row in asked[name] if row.get("grade") != "contested"]
    )


@pytest.mark.parametrize(
    ("bad", "ident", "code"),
    [
        (b"not JSON", None, "MALFORMED_QUESTION"),
        (b"\xff\xfe", None, "MALFORMED_QUESTION"),
        (b"[]", None, "MALFORMED_QUESTION"),
        (b"null", None, "MALFORMED_QUESTION"),
        (b"[" * 100_000, None, "MALFORMED_QUESTION"),
        (b'{"id": "x"}', "x", "MALFORMED_QUESTION"),
        (b'{"id": "x", "inputs": {}}', "x", "MALFORMED_QUESTION"),
        (b'{"id": "x", "inputs": []}', "x", "MALFORMED_QUESTION"),
        (b'{"id": "x", "inputs": {"solar": "1990-02-30"}}', "x", "INVALID_DATETIME"),
        (b'{"id": "x", "inputs": {"solar": "1200-02-01"}}', "x", "OUT_OF_RANGE"),
        (b'{"id": "x", "inputs": {"solar": null}}', "x", None),
        (b'{"id": "x", "inputs": {"local": "1990-05-15T25:00", "utc_offset": "+08:00"}}', "x", "INVALID_DATETIME"),
        (b'{"id": "x", "inputs": {"zone": "Mars/Olympus", "local": "1990-05-15T13:30"}}', "x", "ZONE_UNKNOWN"),
        (b'{"id": "x", "inputs": {"utc": "1990-05-15T05:30Z", "lon": 200, "lat": 0}}', "x", "INVALID_COORDINATES"),
    ],
)  # fmt: skip
def test_a_malformed_question_gets_an_error_and_does_not_stop_the_program(bad, ident, code):
    first, second = run_lines("charts", bad + b"\n\n" + json.dumps(READY).encode())
    assert (first["id"], first["answer"]) == (ident, None)
    assert first["error"]["message"]
    assert first["error"]["code"] == code if code else first["error"]["code"]
    assert second == {"id": "ready", "answer": NEW_YEAR}


def test_pillars_that_no_moment_has_have_no_windows_and_no_such_pillar_is_an_error():
    def asked(*pillars):
        inputs = {"pillars": list(pillars), "from": "1900-01-01", "to": "2100-12-31"}
        return run("charts", [{"id": "h", "inputs": inputs}])["h"]

    assert asked("癸亥", "甲申", "丙寅", "戊戌")["answer"] == {"sect1": [], "sect2": []}
    assert asked("癸亥", "甲酉", "丙寅", "戊戌")["error"]["code"] == "INVALID_PILLARS"


def test_a_person_without_options_is_told_views_and_luck():
    inputs = {"local": "1990-05-15T13:30:00", "utc_offset": "+08:00", "gender": "男"}
    answer = run("charts", [{"id": "x", "inputs": inputs}])["x"]["answer"]
    assert answer["pillars"] == ["庚午", "辛巳", "庚辰", "癸未"]
    assert (answer["minggong"], answer["direction"], answer["decade_pillars"][0]) == ("辛巳", "顺", "壬午")


def test_astronomical_questions_are_answered_from_the_tables():
    answers = run(
        "astro",
        [
            {"id": "t", "inputs": {"kind": "term", "year": 2024, "name": "立春"}},
            {"id": "n", "inputs": {"kind": "new_moons", "year": 2026}},
            {"id": "m", "inputs": {"kind": "lunar_month", "year": 2033, "month": 11, "leap": True}},
            {"id": "none", "inputs": {"kind": "lunar_month", "year": 2034, "month": 1, "leap": True}},
            {"id": "bad", "inputs": {"kind": "eclipse", "year": 2034}},
            {"id": "far", "inputs": {"kind": "term", "year": 3000, "name": "立春"}},
        ],
    )
    start_of_spring = terms.instant(terms.position_of(2024, SolarTerm("立春")))
    assert answers["t"]["answer"] == {"tt_days_j2000": start_of_spring / 86_400_000}
    given = answers["n"]["answer"]["tt_days_j2000"]
    assert len(given) == 12
    assert {round(days * 86_400_000) for days in given} <= set(moons.table())
    assert answers["m"]["answer"] == {"first_day": "2033-12-22", "days": 29}
    assert answers["none"]["answer"] is None
    assert (answers["bad"]["error"]["code"], answers["far"]["error"]["code"]) == (
        "MALFORMED_QUESTION",
        "OUT_OF_RANGE",
    )


def test_the_last_new_moon_of_a_year_in_tt_is_not_given_to_the_next():
    years = range(1600, 2200)
    answers = run("astro", [{"id": y, "inputs": {"kind": "new_moons", "year": y}} for y in years])
    given = [days for year in years for days in answers[year]["answer"]["tt_days_j2000"]]
    assert given == sorted(set(given))
    assert len(given) == 7421
