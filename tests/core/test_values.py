"""Values: whatever a computation gives is frozen, equal to what is made again, hashable, and survives copying."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import bazi_core as bz
from bazi_core import liuren
from bazi_core.birth import birth
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.views.columns import columns
from tests.tables import holds_for_all

CITY: dict[str, Any] = {"city": "北京", "gender": "male"}
FOUR = "庚午 辛巳 庚辰 壬午"
VALUES: dict[str, Callable[[], Any]] = {
    "a place": lambda: look_up("西安"),
    "a birth": lambda: birth("1990-05-15 13:30", **CITY),
    "a birth of coordinates": lambda: birth("1990-05-15 13:30", longitude=1.5, tz="Europe/London", fold=1),
    "a birth on a lunar date": lambda: birth("农历1990年闰五月初一 子时", city="上海"),
    "a moment": lambda: bz.moment("1990-05-15 13:30", city="北京"),
    "a day": lambda: bz.candidates("1990-05-15", city="北京"),
    "four pillars": lambda: bz.FourPillars.parse(FOUR),
    "windows": lambda: bz.find(FOUR),
    "a lunar date": lambda: bz.lunar_date("1990-06-23"),
    "a lunar date with notes": lambda: bz.lunar_date("1914-11-17"),
    "a school": lambda: bz.School(clock="beijing", star_variants={"羊刃": "with_yin_diwang"}),
    "columns": lambda: columns(bz.FourPillars.parse(FOUR), bz.School()),
    "luck": lambda: bz.chart("1990-05-15 13:30", **CITY).luck,
    "a fact": lambda: bz.chart("1990-05-15 13:30", **CITY).facts["tg.hour.stem"],
    "a chart": lambda: bz.chart("1990-05-15 13:30", **CITY),
    "a chart of given pillars": lambda: bz.chart(pillars=FOUR, gender="male"),
    "a chart without an hour": lambda: bz.chart("1990-05-15", hour_unknown=True, **CITY),
    "a year": lambda: bz.chart("1990-05-15 13:30", **CITY).year(2026),
    "a palm": lambda: liuren.cast("2026-02-04T12:00+08:00"),
}


@holds_for_all("name", VALUES)
def test_a_value_is_equal_to_what_is_made_again_hashable_and_survives_copying(name):
    value = VALUES[name]()
    for again in (VALUES[name](), pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert str(again) == str(value)


@holds_for_all("name", VALUES)
def test_a_value_is_frozen(name):
    value = VALUES[name]()
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", {"__class__": None})
    for field in fields:
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, field, None)


def test_places_and_schools_print_as_the_code_that_makes_them():
    for value in (look_up("西安"), Place("home", 12.5), bz.School(), bz.School(clock="beijing")):
        assert eval(repr(value), {"Place": Place, "School": bz.School}) == value
