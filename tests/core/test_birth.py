"""A birth: what the arguments state, what they leave open, and what is refused."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from bazi_core.alphabet import HourBranch
from bazi_core.birth import Birth, birth
from bazi_core.errors import (
    BaziError,
    BirthRequired,
    CalendarRequired,
    InvalidCoordinates,
    InvalidDatetime,
    InvalidLunarDate,
    OutOfRange,
    PlaceAmbiguous,
    PlaceNotFound,
    UnknownOption,
    ZoneRequired,
    ZoneUnknown,
)
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.place.zones import zone
from tests.tables import holds_for_all

WHEN = "1990-05-15 13:30"
SHANGHAI: dict[str, Any] = {"tz": "Asia/Shanghai"}
NOON = datetime(1990, 5, 15, 13, 30)


# The forms in which a birth is stated.


@holds_for_all(
    "where, longitude, timezone_id, offset",
    [
        ({"city": "北京"}, 116.407, None, None),
        ({"place": "北京"}, 116.407, None, None),
        ({"place": look_up("北京")}, 116.407, None, None),
        ({"longitude": 116.4, "tz": "Asia/Shanghai"}, 116.4, "Asia/Shanghai", None),
        ({"longitude": 116.4, "latitude": 39.9, "utc_offset": 8}, 116.4, None, 28800),
        ({"city": "北京", "utc_offset": "+08:00"}, 116.407, None, None),
        ({"city": "北京", "tz": "GMT+8"}, 116.407, "UTC+08:00", None),
        ({"tz": "asia/shanghai"}, None, "Asia/Shanghai", None),
        ({"utc_offset": timedelta(hours=8)}, None, None, 28800),
        ({"city": "北京", "tz": "Asia/Tokyo"}, 116.407, "Asia/Tokyo", None),
    ],
)
def test_place_coordinates_zone_and_offset_are_kept_as_stated(where, longitude, timezone_id, offset):
    born = birth(WHEN, **where)
    assert (born.longitude, born.timezone_id, born.utc_offset_s) == (longitude, timezone_id, offset)
    assert (born.civil, born.precision_s, born.calendar) == (NOON, 60, "gregorian")


def test_a_name_that_nobody_knows_is_only_a_label_beside_coordinates():
    born = birth(WHEN, city="Hyperborea", longitude=-30.5, latitude=35, utc_offset=-2)
    assert born.place == Place(name="Hyperborea", longitude=-30.5, latitude=35.0)


def test_coordinates_win_over_those_of_a_known_name_and_its_zone_counts():
    beside = birth(WHEN, place=look_up("北京"), longitude=1.0, utc_offset=0)
    assert beside.place == Place("北京市", 1.0, None, "Asia/Shanghai")
    assert (beside.utc_offset_s, beside.claimed_offset_s) == (None, 0)
    assert birth(WHEN, city="北京", longitude=1.0).place.timezone_id == "Asia/Shanghai"
    assert birth(WHEN, city="北京", longitude=1.0, tz="Europe/Paris").place.timezone_id is None


def test_an_offset_in_the_text_counts_as_stated():
    assert birth("1990-05-15 13:30+09:00").utc_offset_s == 32400
    assert birth("1990-05-15T04:30:00Z", longitude=116.4).utc_offset_s == 0


def test_an_aware_datetime_states_its_offset_and_a_naive_one_needs_a_clock():
    there = datetime(1990, 5, 15, 13, 30, tzinfo=zone("Asia/Shanghai"))
    assert birth(there).utc_offset_s == 32400
    assert birth(datetime(1990, 5, 15, 4, 30, tzinfo=UTC)).civil == datetime(1990, 5, 15, 4, 30)
    with pytest.raises(ZoneRequired):
        birth(NOON)


def test_the_fold_of_an_aware_datetime_is_a_statement():
    repeated = datetime(1990, 9, 16, 1, 30, tzinfo=zone("Asia/Shanghai"))
    assert [birth(repeated.replace(fold=fold)).utc_offset_s for fold in (0, 1)] == [32400, 28800]


def test_a_datetime_is_cut_to_seconds_and_known_to_the_second():
    born = birth(NOON.replace(second=59, microsecond=999_999), **SHANGHAI)
    assert (born.civil, born.precision_s) == (NOON.replace(second=59), 1)


def test_offsets_with_seconds_survive_the_way_through_a_datetime():
    zone_of_then = timezone(timedelta(hours=8, minutes=5, seconds=43))
    assert birth(NOON.replace(tzinfo=zone_of_then)).utc_offset_s == 29143


MEN = ["male", "Male", "MALE", "M", "m", "man", "boy", "男", "男命", "男性", "乾", "乾造", "Ｍ", "남", "남자"]
WOMEN = [
    "female", "Female", "FEMALE", "F", "f", "woman", "girl", "女", "女命", "女性", "坤", "坤造", "여",
    "여성",
]  # fmt: skip


@holds_for_all(
    "stated, gender",
    [
        (None, None),
        (" male ", "male"),
        *((each, "male") for each in MEN),
        *((each, "female") for each in WOMEN),
    ],
)
def test_gender_is_read_in_two_languages(stated, gender):
    assert birth(WHEN, gender=stated, **SHANGHAI).gender == gender


@pytest.mark.parametrize("seconds", [1, 60, 86_400])
def test_a_stated_precision_is_kept(seconds):
    assert birth(WHEN, precision_s=seconds, **SHANGHAI).precision_s == seconds


def test_a_named_double_hour_leaves_the_clock_at_midnight():
    born = birth("1990-05-15 午时", **SHANGHAI)
    assert (born.civil, born.hour_branch, born.precision_s) == (datetime(1990, 5, 15), HourBranch("午"), 3600)


@pytest.mark.parametrize(
    "when", ["1990-05-15", date(1990, 5, 15), "1990-05-15 13:30", "1990-05-15 午时", NOON]
)
def test_of_an_unknown_hour_only_the_date_is_kept(when):
    born = birth(when, hour_unknown=True, **SHANGHAI)
    assert (born.civil, born.hour_branch, born.hour_unknown) == (datetime(1990, 5, 15), None, True)


@pytest.mark.parametrize("when", ["1990-05-15", date(1990, 5, 15), "农历1990年闰五月初一"])
def test_a_date_without_a_time_is_refused_unless_the_hour_is_said_to_be_unknown(when):
    with pytest.raises(BirthRequired) as caught:
        birth(when, **SHANGHAI)
    assert caught.value.data == {"missing": ["time"]}


# Calendars.


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("农历1990年闰五月初一 午时", "1990-06-23"),
        ("農曆1990年閏五月初一 午時", "1990-06-23"),
        ("阴历1990年四月廿一 13:30", "1990-05-15"),
        ("夏历1990年4月21日 13:30", "1990-05-15"),
        ("农历2026年正月初一 00:00", "2026-02-17"),
        ("农历1989年腊月三十 23:59:59", "1990-01-26"),
        ("农历1990年五月初一 午时", "1990-05-24"),
    ],
)
def test_a_lunar_date_is_turned_into_its_civil_date(when, day):
    born = birth(when, **SHANGHAI)
    assert (born.civil.date().isoformat(), born.calendar) == (day, "lunar")


@pytest.mark.parametrize(
    "when",
    [
        "农历1990年闰四月初一 午时",
        "农历1990年四月三十 午时",
        "农历1990年十三月初一 午时",
        "农历庚午年五月初一 午时",
    ],
)
def test_a_lunar_date_that_does_not_exist_is_refused(when):
    with pytest.raises(InvalidLunarDate) as caught:
        birth(when, **SHANGHAI)
    assert caught.value.data.keys() == {"given", "months"}
    assert "闰四" not in when or {"month": 5, "leap": True, "days": 29} in caught.value.data["months"]


@pytest.mark.parametrize("year", [1644, 2200])
def test_a_lunar_year_beyond_the_table_is_out_of_range(year):
    with pytest.raises(OutOfRange) as caught:
        birth(f"农历{year}年正月初一 午时", **SHANGHAI)
    assert caught.value.data == {"quantity": "lunar year", "first": 1645, "last": 2199, "given": year}


@pytest.mark.parametrize("when", ["1582-10-14 12:00", "1400-01-01 12:00", "0001-01-01 00:00"])
def test_a_date_before_the_gregorian_calendar_needs_a_named_calendar(when):
    with pytest.raises(CalendarRequired) as caught:
        birth(when, **SHANGHAI)
    assert caught.value.data == {"date": when[:10], "choices": ["gregorian", "julian"]}


def test_a_julian_date_may_be_of_any_century():
    born = birth("1917-10-25 12:00", calendar="julian", tz="Europe/Moscow")
    assert (born.civil, born.calendar) == (datetime(1917, 11, 7, 12), "julian")
    assert birth("1582-10-04 12:00", calendar="julian", utc_offset=0).civil == datetime(1582, 10, 14, 12)
    assert birth("1582-10-14 12:00", calendar="gregorian", utc_offset=0).civil == datetime(1582, 10, 14, 12)
    assert birth("1582-10-15 12:00", **SHANGHAI).calendar == "gregorian"


def test_29_february_1900_existed_in_russia_and_not_elsewhere():
    assert birth("1900-02-29 12:00", calendar="julian", utc_offset=2).civil == datetime(1900, 3, 13, 12)
    with pytest.raises(InvalidDatetime):
        birth("1900-02-29 12:00", utc_offset=2)


# What is refused. Each is answered by an error of the library that can be sent as JSON.

BAD_TIMES = {
    "": "INVALID_DATETIME",
    "garbage": "INVALID_DATETIME",
    "2023-02-30 10:00": "INVALID_DATETIME",
    "2023-01-01 25:00": "INVALID_DATETIME",
    "2023-01-01 24:00": "INVALID_DATETIME",
    "2023-01-01 10:00:60": "INVALID_DATETIME",
    "1400-01-01 10:00": "CALENDAR_REQUIRED",
    "0000-01-01 10:00": "INVALID_DATETIME",
    "12023-01-01 10:00": "INVALID_DATETIME",
    "1990-05-15 13:30 garbage": "INVALID_DATETIME",
    "1990-05-15 13:30+25:00": "INVALID_OFFSET",
    "1990年闰五月 午时": "INVALID_DATETIME",
    "农历1990年 午时": "INVALID_LUNAR_DATE",
    "农历\ud800年五月初一 午时": "INVALID_LUNAR_DATE",
    "x" * 1_000_000: "INVALID_DATETIME",
    "\ud800": "INVALID_DATETIME",
    "1990-05-15\x00 13:30": "INVALID_DATETIME",
}  # fmt: skip


@holds_for_all("when", BAD_TIMES, lambda when: ascii(when)[:40])
def test_a_bad_birth_time_is_refused(when):
    with pytest.raises(BaziError) as caught:
        birth(when, **SHANGHAI)
    assert caught.value.code == BAD_TIMES[when]


@holds_for_all("when", [None, 5, 1.5, True, [], {}, b"1990-05-15 13:30", ..., timedelta(1)])
def test_a_birth_time_of_another_type_is_refused(when):
    with pytest.raises(InvalidDatetime) as caught:
        birth(when, **SHANGHAI)
    assert caught.value.data["value"] == type(when).__name__


def test_a_wall_clock_alone_does_not_say_when_it_was():
    with pytest.raises(ZoneRequired) as caught:
        birth(WHEN)
    assert caught.value.data == {"accepted": ["city", "place", "longitude + tz", "tz", "utc_offset"]}


@holds_for_all(
    "where, field",
    [
        ({"longitude": 200}, "longitude"),
        ({"longitude": -180.001}, "longitude"),
        ({"longitude": float("nan")}, "longitude"),
        ({"longitude": float("inf")}, "longitude"),
        ({"longitude": True}, "longitude"),
        ({"longitude": "116.4"}, "longitude"),
        ({"longitude": []}, "longitude"),
        ({"longitude": 10**400}, "longitude"),
        ({"longitude": 0, "latitude": 91}, "latitude"),
        ({"longitude": 0, "latitude": float("nan")}, "latitude"),
        ({"longitude": 0, "latitude": "x" * 10**6}, "latitude"),
        ({"latitude": 39.9}, "longitude"),
    ],
)
def test_coordinates_off_the_globe_are_refused(where, field):
    with pytest.raises(InvalidCoordinates) as caught:
        birth(WHEN, **where, **SHANGHAI)
    assert caught.value.data["field"] == field
    assert caught.value.data.keys() == {"field", "value", "accepted"}


@pytest.mark.parametrize("longitude", [-180, 180, 0, -0.0, 116.407])
def test_the_edges_of_the_globe_are_accepted(longitude):
    assert birth(WHEN, longitude=longitude, latitude=90, **SHANGHAI).longitude == longitude


@holds_for_all(
    "tz", ["Mars/Olympus", "../../etc/passwd", "", "x" * 10**6, "\ud800", 5, [], True, "+18:00"], repr
)
def test_a_zone_that_the_database_lacks_is_refused(tz):
    with pytest.raises(ZoneUnknown) as caught:
        birth(WHEN, tz=tz)
    assert caught.value.data.keys() == {"value", "suggestions"}


@pytest.mark.parametrize(
    "city",
    ["", "   ", "Nowhereville", "x" * 10**6, "\x00", "\ud800", "北京\x00", "'; DROP TABLE name; --"],
    ids=lambda city: ascii(city)[:30],
)
def test_a_place_that_nobody_knows_is_refused(city):
    with pytest.raises(PlaceNotFound) as caught:
        birth(WHEN, city=city)
    assert caught.value.data.keys() == {"query", "suggestions"}


@pytest.mark.parametrize("city", ["Springfield", "朝阳"])
def test_a_name_of_several_places_is_a_question_with_candidates(city):
    with pytest.raises(PlaceAmbiguous) as caught:
        birth(WHEN, city=city)
    refs = [candidate["ref"] for candidate in caught.value.data["candidates"]]
    assert len(refs) > 1
    assert [birth(WHEN, city=ref).place.ref for ref in refs] == refs


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("fold", [2, -1, True, "0", 0.0, []]),
        ("gender", ["x", "males", "先生", "mf", "", 5, True, [], {}, "\ud800", "x" * 10**6]),
        ("calendar", ["lunar", "", 5, [], "Gregorian", "\ud800"]),
        ("precision_s", [0, -1, 86_401, 1.5, "60", True, [], float("nan")]),
        ("hour_unknown", ["no", 0.0, 5, [], "false"]),
    ],
)
def test_an_option_of_another_value_is_refused_with_what_is_allowed(option, values):
    for value in values:
        with pytest.raises(UnknownOption) as caught:
            birth(WHEN, **{option: value}, **SHANGHAI)
        assert caught.value.data["name"] == option
        assert caught.value.data["allowed"]


# Wrong types and monsters, argument by argument: never an error of another origin.
MONSTERS = [5, None, [], {}, True, "", 1.5, float("nan"), 10**5000, "x" * 10**6, "\ud800", "\x00", ..., b"x",
            date(1990, 1, 1)]  # fmt: skip
WHERE_ARGUMENTS = (
    "city", "place", "longitude", "latitude", "tz", "utc_offset", "fold", "gender", "calendar",
    "precision_s",
)  # fmt: skip


@pytest.mark.parametrize("argument", WHERE_ARGUMENTS)
def test_no_value_of_any_argument_raises_an_error_of_another_origin(argument):
    beside = {"city": {}, "place": {}, "tz": {}, "utc_offset": {}, "latitude": {"longitude": 1.0, **SHANGHAI}}
    wrong = []
    for number, monster in enumerate(MONSTERS):
        try:
            born = birth(WHEN, **beside.get(argument, SHANGHAI), **{argument: monster})
            json.dumps(born.to_dict(), allow_nan=False, ensure_ascii=False).encode()
        except BaziError:
            pass
        except Exception as error:
            wrong.append(f"{number}: {type(monster).__name__} -> {type(error).__name__}")
    assert wrong == []


@pytest.mark.parametrize(
    "place",
    [
        Place(None, float("nan"), None, "Asia/Shanghai"),
        Place(None, 200.0, None, "Asia/Shanghai"),
        Place(None, 100.0, 95.0, "Asia/Shanghai"),
    ],
    ids=["nan", "200", "latitude"],
)
def test_a_place_made_by_the_caller_is_checked_like_coordinates(place):
    with pytest.raises(InvalidCoordinates):
        birth(WHEN, place=place)


# Zones from coordinates need the extra with their map; a stand-in takes its place here.


def test_coordinates_alone_take_the_zone_of_the_point(monkeypatch):
    monkeypatch.setitem(
        __import__("sys").modules, "tzfpy", SimpleNamespace(get_tz=lambda lon, lat: "Asia/Tokyo")
    )
    born = birth(WHEN, longitude=139.7, latitude=35.7)
    assert (born.place.timezone_id, born.zone_from_coordinates) == ("Asia/Tokyo", True)
    stated = birth(WHEN, longitude=139.7, latitude=35.7, tz="Asia/Seoul")
    assert (stated.timezone_id, stated.zone_from_coordinates) == ("Asia/Seoul", False)


def test_coordinates_alone_without_the_extra_need_a_zone(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tzfpy", None)
    with pytest.raises(ZoneRequired):
        birth(WHEN, longitude=139.7, latitude=35.7)
    with pytest.raises(ZoneRequired):
        birth(WHEN, longitude=139.7)


# The JSON form.

BIRTHS = [
    birth(WHEN, city="西安", gender="male"),
    birth(WHEN, longitude=1.5, latitude=-2.5, tz="Europe/London", fold=1, precision_s=600),
    birth("1990-05-15 晚子时", city="New York", gender="女"),
    birth("1990-05-15", hour_unknown=True, utc_offset="+08:05:43"),
    birth("1582-10-04 12:00", calendar="julian", utc_offset=0),
    birth("农历1990年闰五月初一 子时", city="上海"),
    birth(WHEN, city="北京", utc_offset=8),
]


@pytest.mark.parametrize("born", BIRTHS, ids=lambda born: born.given)
def test_a_birth_comes_back_from_its_json_form(born):
    form = json.loads(json.dumps(born.to_dict()))
    again = Birth.from_dict(form)
    assert again == born == birth(born)
    assert again.to_dict() == born.to_dict()
    assert ("claimed_offset_s" in form) == (born.claimed_offset_s is not None)


@pytest.mark.parametrize(
    ("member", "values"),
    [
        ("civil", [None, "", "x", 5, [], "1990-13-01T00:00:00", "x" * 10**6]),
        ("timezone_id", ["Mars/Olympus", "../../etc/passwd", 5, []]),
        ("utc_offset_s", ["8", [], True, 57_601, float("nan"), 10**400]),
        ("fold", [2, "0", True]),
        ("gender", ["x", 5, []]),
        ("precision_s", [0, "60", None, 1.5]),
        ("hour_branch", ["x", 5, [], "夜子"]),
        ("calendar", ["x", 5, None]),
        (
            "place",
            [5, [], "北京", {"longitude": 200}, {"longitude": "x"}, {"timezone_id": "x"}, {"source": "x"}],
        ),
        ("hour_unknown", ["yes", []]),
        ("zone_from_coordinates", ["yes", []]),
    ],
)
def test_a_wrong_member_of_the_json_form_is_refused(member, values):
    form = birth(WHEN, city="北京").to_dict()
    for value in values:
        with pytest.raises(BaziError):
            Birth.from_dict({**form, member: value})


def test_an_offset_inside_the_civil_time_of_the_json_form_is_refused_not_dropped():
    form = birth(WHEN, city="北京").to_dict()
    for civil in ("1990-05-15T13:30:00+05:00", "1990-05-15T13:30:00Z"):
        with pytest.raises(InvalidDatetime):
            Birth.from_dict({**form, "civil": civil})


@pytest.mark.parametrize(
    ("when", "beside"),
    [
        (WHEN, {"hour_unknown": True}),
        (WHEN, {"hour_branch": "午"}),
        ("1990-05-15 午时", {"hour_unknown": True}),
    ],
)
def test_an_unknown_or_a_named_hour_and_a_time_exclude_each_other_in_the_json_form(when, beside):
    with pytest.raises(BaziError):
        Birth.from_dict({**birth(when, city="北京").to_dict(), **beside})


@pytest.mark.parametrize("argument", ["city", "place"])
def test_a_place_that_is_no_name_says_what_to_give(argument):
    for missing in (float("nan"), 5, [], b"x"):
        with pytest.raises(UnknownOption) as caught:
            birth(WHEN, **{argument: missing})
        assert "leave city out" in caught.value.hint
