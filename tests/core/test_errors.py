"""The error tree: stable codes, exit statuses, data that can be sent, copies that are equal."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from bazi_core import errors
from bazi_core.errors import BaziError, InvalidInput, OutOfRange, PlaceError, all_errors, shown
from tests.tables import holds_for_all

# What input and what the objects of a chart can go wrong with: code → exit status of the command line.
CODES = {
    "INVALID_DATETIME": 4,
    "CALENDAR_REQUIRED": 4,
    "NONEXISTENT_LOCAL_TIME": 4,
    "AMBIGUOUS_LOCAL_TIME": 4,
    "INVALID_OFFSET": 4,
    "INVALID_COORDINATES": 4,
    "ZONE_UNKNOWN": 4,
    "ZONE_CONFLICT": 4,
    "ZONE_REQUIRED": 4,
    "LONGITUDE_REQUIRED": 4,
    "CLOCK_NOT_APPLICABLE": 4,
    "INVALID_LUNAR_DATE": 4,
    "INVALID_PILLARS": 4,
    "INVALID_INPUT": 4,
    "BIRTH_REQUIRED": 4,
    "UNKNOWN_OPTION": 4,
    "UNKNOWN_PROFILE": 4,
    "DIGEST_MISMATCH": 4,
    "SCHEMA_VERSION": 4,
    "PLACE_NOT_FOUND": 3,
    "PLACE_AMBIGUOUS": 3,
    "OUT_OF_RANGE": 5,
    "EPHEMERIS_MISSING": 5,
    "DATA_CORRUPT": 1,
    "FONT_MISSING": 2,
    "LIBRARY_MISSING": 2,
    "TABLE_CORRUPT": 4,
}


def test_every_code_has_one_class_and_its_exit_status():
    found = {kind.code: kind.exit_status for kind in all_errors() if kind is not BaziError}
    assert found.items() >= CODES.items()
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


@pytest.mark.parametrize(
    "data",
    [{"value": "\ud800"}, {"value": float("nan")}, {"values": [float("inf"), {"a": "\udfff"}]}],
    ids=str,
)
def test_the_data_of_an_error_can_always_be_sent(data):
    error = BaziError("\ud800 happened", hint="\udfff", **data)
    assert json.dumps(error.to_dict(), allow_nan=False, ensure_ascii=False).encode()


def test_a_value_is_shown_short_and_whatever_it_is():
    class Mute:
        def __str__(self) -> str:
            raise RuntimeError

    assert shown("a" * 60) == "a" * 60
    assert shown("a" * 61) == "a" * 60 + "…"
    for value in ("\ud800x", 10**5000, Mute(), None, b"x", [1], float("nan")):
        assert len(shown(value).encode()) < 100
