"""The error tree: stable codes, exit statuses, data that can be sent, copies that are equal."""

from __future__ import annotations

import copy
import json
import pickle

from bazi_core import errors
from bazi_core.errors import BaziError, InvalidInput, OutOfRange, PlaceError, all_errors, shown
from tests.tables import holds_for_all

# What input and what the objects of a chart can go wrong with, by the exit status of the command line.
CODES = {
    1: "DATA_CORRUPT",
    2: "FONT_MISSING LIBRARY_MISSING",
    3: "PLACE_NOT_FOUND PLACE_AMBIGUOUS",
    4: """INVALID_DATETIME CALENDAR_REQUIRED NONEXISTENT_LOCAL_TIME AMBIGUOUS_LOCAL_TIME INVALID_OFFSET INVALID_COORDINATES
        ZONE_UNKNOWN ZONE_CONFLICT ZONE_REQUIRED LONGITUDE_REQUIRED CLOCK_NOT_APPLICABLE INVALID_LUNAR_DATE INVALID_PILLARS
        INVALID_INPUT BIRTH_REQUIRED UNKNOWN_OPTION UNKNOWN_PROFILE DIGEST_MISMATCH SCHEMA_VERSION TABLE_CORRUPT""",
    5: "OUT_OF_RANGE EPHEMERIS_MISSING",
}


def test_every_code_has_one_class_and_its_exit_status():
    found = {kind.code: kind.exit_status for kind in all_errors() if kind is not BaziError}
    assert (
        found.items() >= {code: status for status, codes in CODES.items() for code in codes.split()}.items()
    )
    assert len({kind.code for kind in all_errors()}) == len(all_errors())


@holds_for_all("kind", all_errors(), lambda kind: kind.code)
def test_an_error_survives_pickling_and_copying_and_prints_its_message(kind):
    error = kind("what happened", hint="what to do", given="x", allowed=["a", "b"])
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert again.to_dict() == error.to_dict()
    assert str(error) == error.message == "what happened"
    assert json.loads(json.dumps(error.to_dict())) == {
        "code": kind.code,
        "message": "what happened",
        "data": {"given": "x", "allowed": ["a", "b"]},
        "hint": "what to do",
    }


def test_input_errors_and_ranges_are_value_errors_so_that_old_habits_catch_them():
    assert issubclass(InvalidInput, ValueError)
    assert issubclass(OutOfRange, ValueError)
    assert issubclass(PlaceError, InvalidInput)
    assert not issubclass(errors.DataCorrupt, ValueError)


def test_a_hint_is_never_missing_from_the_json_form():
    assert BaziError("x").to_dict() == {"code": "BAZI_ERROR", "message": "x", "data": {}, "hint": ""}


ODD = [float("nan"), float("inf"), 10**5000, object(), {1, 2}, b"x", {1: float("nan")}, [{"a": {None: float("inf")}}],
       "\ud800", {"\ud800": 1}, [{"a": "\udfff"}], 1j, ...]  # fmt: skip


@holds_for_all("given", ODD, lambda given: type(given).__name__)
def test_an_error_can_always_be_sent_whatever_it_is_about(given):
    error = InvalidInput("\ud800 happened", hint="\udfff", given=given)
    assert json.dumps(error.to_dict(), allow_nan=False, ensure_ascii=False).encode()


def test_values_that_json_knows_stay_what_they_are():
    data = {"a": 1, "b": 2.5, "c": None, "d": True, "e": ["x", {"f": -(2**63)}]}
    assert InvalidInput("no", **data).data == data


def test_a_value_is_shown_short_and_whatever_it_is():
    class Mute:
        def __str__(self) -> str:
            raise RuntimeError

    assert shown("a" * 60) == "a" * 60
    assert shown("a" * 61) == "a" * 60 + "…"
    for value in ("\ud800x", 10**5000, Mute(), None, b"x", [1], float("nan")):
        assert len(shown(value).encode()) < 100
