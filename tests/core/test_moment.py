"""From the wall clock to the instant and to the Sun: each clock of a moment, and the corrections between them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import HourBranch
from bazi_core.astro import scales
from bazi_core.birth import birth
from bazi_core.civil_clock import unwrapped
from bazi_core.errors import (
    AmbiguousLocalTime,
    BirthRequired,
    ClockNotApplicable,
    LongitudeRequired,
    NonexistentLocalTime,
    OutOfRange,
    ZoneConflict,
    ZoneRequired,
    ZoneUnknown,
)
from bazi_core.moment import solar_moment
from bazi_core.place import zones
from bazi_core.place.gazetteer import Place
from tests.births import asked_of
from tests.sizes import sizes
from tests.tables import holds_for_all

BEIJING = bz.moment("1990-05-15 13:30", city="北京")
SHANGHAI: dict[str, Any] = {"tz": "Asia/Shanghai"}
TRACE = {
    "civil", "calendar", "precision_s", "timezone_id", "offset_source", "utc_offset_s", "dst_s", "abbreviation",
    "fold", "utc", "tt_ms", "tt_minus_utc_s", "delta_t_s", "delta_t_uncertainty_s", "ut1_minus_utc_s", "longitude",
    "longitude_correction_s", "mean_solar", "equation_of_time_s", "true_solar", "used", "local", "prev_jie",
    "next_jie", "steps",
}  # fmt: skip


# The worked example of Beijing in May 1990.


def test_the_worked_example_has_these_clocks_and_corrections():
    assert (BEIJING.utc_offset_s, BEIJING.dst_s, BEIJING.tt_ms) == (32400, 3600, -303982142816)
    assert BEIJING.utc == "1990-05-15T04:30:00.000Z"
    assert BEIJING.mean_solar[:21] == "1990-05-15T12:15:37.7"
    assert BEIJING.true_solar[:21] == "1990-05-15T12:19:20.2"
    assert BEIJING.local == BEIJING.true_solar
    assert round(BEIJING.equation_of_time_s, 1) == 222.5
    assert BEIJING.longitude_correction_s == pytest.approx(116.407 * 240 - 28800)


def test_the_trace_has_every_member_and_each_step_says_what_it_adds():
    trace = BEIJING.to_dict()
    assert trace.keys() == TRACE
    assert [step["name"] for step in trace["steps"]] == ["civil", "dst", "utc", "mean_solar", "true_solar"]
    assert [step["delta_s"] for step in trace["steps"][:3]] == [0.0, -3600.0, -28800.0]
    readings = [datetime.fromisoformat(step["value"]) for step in trace["steps"]]
    for before, after, step in zip(readings, readings[1:], trace["steps"][1:], strict=False):
        assert (after - before).total_seconds() == pytest.approx(step["delta_s"], abs=0.011)
    assert [step["evidence_id"] for step in trace["steps"]] == [
        f"p.time.{step['name']}" for step in trace["steps"]
    ]


def test_the_distances_to_the_jie_on_both_sides_are_signed_seconds():
    trace = BEIJING.to_dict()
    assert trace["prev_jie"]["name"] == "立夏"
    assert trace["next_jie"]["name"] == "芒种"
    assert [round(trace[jie]["distance_s"]) for jie in ("prev_jie", "next_jie")] == [-813274, 1880178]


def test_the_equation_of_time_does_not_need_a_longitude():
    known, unknown = (
        bz.moment("1990-05-15 13:30", **SHANGHAI, **where) for where in ({"longitude": 116.4}, {})
    )
    assert unknown.equation_of_time_s == known.equation_of_time_s
    assert (unknown.mean_solar, unknown.true_solar, unknown.longitude_correction_s) == (None, None, None)


def test_milliseconds_are_floored_never_rounded():
    assert scales.iso_local(-1, ms=False) == "2000-01-01T11:59:59"
    late = bz.moment("1990-05-15 23:59:59", utc_offset=8)
    assert (late.civil, late.utc) == ("1990-05-15T23:59:59", "1990-05-15T15:59:59.000Z")


# Which clock decides.


@pytest.mark.parametrize(
    ("where", "basis", "used"),
    [
        ({"longitude": 116.4}, None, "true_solar"),
        ({"longitude": 116.4}, "true_solar", "true_solar"),
        ({"longitude": 116.4}, "mean_solar", "mean_solar"),
        ({"longitude": 116.4}, "civil", "civil"),
        ({}, None, "civil"),
        ({}, "civil", "civil"),
    ],
)
def test_true_solar_time_decides_where_the_longitude_is_known_and_nothing_else_was_asked(where, basis, used):
    moment = bz.moment("1990-05-15 13:30", **SHANGHAI, **where, school=bz.School(time_basis=basis))
    assert moment.used == used
    readings = {
        "civil": moment.civil + ".000",
        "mean_solar": moment.mean_solar,
        "true_solar": moment.true_solar,
    }
    assert moment.local == readings[used]


@pytest.mark.parametrize("basis", ["true_solar", "mean_solar"])
def test_solar_time_that_was_asked_for_needs_a_longitude(basis):
    with pytest.raises(LongitudeRequired) as caught:
        bz.moment("1990-05-15 13:30", **SHANGHAI, school=bz.School(time_basis=basis))
    assert caught.value.data == {"time_basis": basis, "accepted": ["city", "place", "longitude"]}


# Offsets, zones, gaps and folds: what is asked, and the clock with its instant, or the error.
BEIJING_AT_1330 = "1990-05-15 13:30; city=北京; "
READINGS = [
    # The zone of a known place beats an offset beside it,
    *((BEIJING_AT_1330 + "utc_offset=8" + where, "zone Asia/Shanghai +9 1990-05-15T04:30:00.000Z")
      for where in ("", "; longitude=116.4", "; longitude=116.4; latitude=39.9")),
    # which picks one of two readings or of two clocks, and reads what the zone skipped.
    ("1990-09-16 01:30; city=北京; utc_offset=8", "zone Asia/Shanghai +8 1990-09-15T17:30:00.000Z"),
    ("1990-09-16 01:30; city=北京; utc_offset=9", "zone Asia/Shanghai +9 1990-09-15T16:30:00.000Z"),
    ("1990-09-16 01:30; city=北京; utc_offset=7", AmbiguousLocalTime),
    ("1995-05-15 13:30; city=喀什; utc_offset=6", "zone Asia/Urumqi +6 1995-05-15T07:30:00.000Z"),
    ("1995-05-15 13:30; city=喀什; utc_offset=7", "zone Asia/Shanghai +8 1995-05-15T05:30:00.000Z"),
    ("1995-05-15 13:30; city=喀什; utc_offset=8", "zone Asia/Shanghai +8 1995-05-15T05:30:00.000Z"),
    ("1990-04-15 02:30; city=北京; utc_offset=8", "offset Asia/Shanghai +8 1990-04-14T18:30:00.000Z"),
    # An offset named as the zone, or written with the time, beats the zone of the place.
    *((BEIJING_AT_1330 + f"tz={tz}", "zone UTC+08:00 +8 1990-05-15T05:30:00.000Z")
      for tz in ("UTC+8", "GMT+8", "GMT+08:00", "+08:00", "utc+0800", "东八区")),
    ("1990-05-15T04:30:00Z; city=北京", "offset Asia/Shanghai +0 1990-05-15T04:30:00.000Z"),
    # A zone and an offset that are stated agree, of a repeated hour with either offset unless the fold is stated.
    ("1990-05-15 13:30; tz=Asia/Shanghai; utc_offset=9", "offset Asia/Shanghai +9 1990-05-15T04:30:00.000Z"),
    ("1990-05-15 13:30; tz=Asia/Shanghai; utc_offset=+09:00", "offset Asia/Shanghai +9 1990-05-15T04:30:00.000Z"),
    ("1990-09-16 01:30; tz=Asia/Shanghai; utc_offset=8", "offset Asia/Shanghai +8 1990-09-15T17:30:00.000Z"),
    ("1990-09-16 01:30; tz=Asia/Shanghai; utc_offset=9", "offset Asia/Shanghai +9 1990-09-15T16:30:00.000Z"),
    ("1990-09-16 01:30; tz=Asia/Shanghai; utc_offset=8; fold=0", ZoneConflict),
    # The fold answers which of two readings is meant, beside them is no question, and none makes a skipped reading exist.
    ("1990-09-16 01:30; tz=Asia/Shanghai; fold=0", "zone Asia/Shanghai +9 1990-09-15T16:30:00.000Z"),
    ("1990-09-16 01:30; tz=Asia/Shanghai; fold=1", "zone Asia/Shanghai +8 1990-09-15T17:30:00.000Z"),
    ("1990-09-16 00:59:59; tz=Asia/Shanghai", "zone Asia/Shanghai +9 1990-09-15T15:59:59.000Z"),
    ("1990-09-16 02:00:00; tz=Asia/Shanghai", "zone Asia/Shanghai +8 1990-09-15T18:00:00.000Z"),
    ("1990-04-15 01:59:59; tz=Asia/Shanghai", "zone Asia/Shanghai +8 1990-04-14T17:59:59.000Z"),
    ("1990-04-15 03:00:00; tz=Asia/Shanghai", "zone Asia/Shanghai +9 1990-04-14T18:00:00.000Z"),
    ("1990-04-15 02:30; tz=Asia/Shanghai; fold=0", NonexistentLocalTime),
    ("1990-04-15 02:30; tz=Asia/Shanghai; fold=1", NonexistentLocalTime),
]  # fmt: skip


@holds_for_all("asked, answer", READINGS)
def test_a_reading_has_its_clock_and_instant_or_leaves_a_question(asked, answer):
    if not isinstance(answer, str):
        with pytest.raises(answer):
            bz.moment(**asked_of(asked))
        return
    moment = bz.moment(**asked_of(asked))
    clock = moment.clock
    assert f"{clock.source} {clock.timezone_id} {clock.utc_offset_s // 3600:+} {moment.utc}" == answer


def test_a_place_made_by_the_caller_keeps_a_zone_of_the_database_and_a_naive_datetime_states_no_fold():
    moment = bz.moment("1990-05-15 13:30", place=Place("a farm", 100.0, None, "asia/shanghai"))
    assert moment.clock.timezone_id == "Asia/Shanghai"
    for key in ("Mars/Olympus", "../../etc/passwd"):
        with pytest.raises(ZoneUnknown):
            bz.moment("1990-05-15 13:30", place=Place("a farm", 100.0, None, key))
    with pytest.raises(AmbiguousLocalTime):
        bz.moment(datetime(1990, 9, 16, 1, 30, fold=1), **SHANGHAI)


def test_a_zone_and_an_offset_that_disagree_are_a_conflict():
    with pytest.raises(ZoneConflict) as caught:
        bz.moment("1990-05-15 13:30", **SHANGHAI, utc_offset=8)
    assert caught.value.data == {"zone": "Asia/Shanghai", "zone_offset_s": 32400, "utc_offset_s": 28800}


@pytest.mark.parametrize("when", ["1990-05-15 午时", "1990-05-15"])
def test_a_conflict_is_also_found_when_only_the_double_hour_or_the_date_is_known(when):
    with pytest.raises(ZoneConflict):
        bz.chart(when, tz="Asia/Tokyo", longitude=139.7, utc_offset=5, hour_unknown="时" not in when)


def test_a_skipped_reading_is_refused_with_both_readings_and_its_neighbours():
    with pytest.raises(NonexistentLocalTime) as caught:
        bz.moment("1990-04-15 02:30", **SHANGHAI)
    assert caught.value.data == {
        "zone": "Asia/Shanghai",
        "local": "1990-04-15T02:30:00",
        "readings": [
            {"fold": 0, "utc_offset_s": 28800, "utc": "1990-04-14T18:30:00Z"},
            {"fold": 1, "utc_offset_s": 32400, "utc": "1990-04-14T17:30:00Z"},
        ],
        "nearest_before": "1990-04-15T01:59:59",
        "nearest_after": "1990-04-15T03:00:00",
    }


def test_a_repeated_reading_asks_which_one():
    with pytest.raises(AmbiguousLocalTime) as caught:
        bz.moment("1990-09-16 01:30", **SHANGHAI)
    assert caught.value.data == {
        "zone": "Asia/Shanghai",
        "local": "1990-09-16T01:30:00",
        "readings": [
            {"fold": 0, "utc_offset_s": 32400, "utc": "1990-09-15T16:30:00Z"},
            {"fold": 1, "utc_offset_s": 28800, "utc": "1990-09-15T17:30:00Z"},
        ],
    }


def test_a_place_without_a_zone_needs_one():
    with pytest.raises(ZoneRequired) as caught:
        bz.moment("1990-05-15 13:30", place=Place("a farm", 100.0))
    assert caught.value.data == {"accepted": ["tz", "utc_offset"]}


# Local mean time.


def test_before_standard_time_the_place_keeps_its_own_mean_time():
    chengdu = bz.moment("1899-06-01 08:00", longitude=104.067, **SHANGHAI)
    assert (chengdu.utc_offset_s, chengdu.clock.source) == (24976, "lmt_longitude")
    assert abs(scales.ms_of(datetime(1899, 6, 1, 8)) - chengdu.mean_solar_ms) <= 500


def test_before_standard_time_the_zone_speaks_where_the_longitude_is_unknown():
    somewhere = bz.moment("1899-06-01 08:00", **SHANGHAI)
    assert (somewhere.utc_offset_s, somewhere.clock.source) == (29143, "lmt_zone")


def test_manila_kept_the_american_date_until_1844():
    assert bz.moment("1844-12-30 12:00", longitude=120.98, tz="Asia/Manila").utc_offset_s == round(
        (120.98 - 360) * 240
    )
    assert bz.moment("1845-01-01 12:00", longitude=120.98, tz="Asia/Manila").utc_offset_s == round(
        120.98 * 240
    )


# The date line.


@holds_for_all(
    "longitude, offset_h, expected",
    [
        (-157.4, 14, 202.6), (179.9, -12, -180.1), (-179.9, 12, 180.1), (116.4, 8, 116.4), (180, 0, 180),
        (-180, 0, 180), (-180, -12, -180), (0, 12, 360), (0, -12, 0),
    ],
)  # fmt: skip
def test_the_longitude_is_unwrapped_to_within_half_a_day_of_the_clock(longitude, offset_h, expected):
    assert unwrapped(longitude, offset_h * 3600) == pytest.approx(expected)


@given(st.floats(-180, 180), st.integers(-16 * 3600, 16 * 3600))
def test_mean_solar_time_stays_within_half_a_day_of_the_clock(longitude, offset_s):
    apart = unwrapped(longitude, offset_s) * 240 - offset_s
    assert -43_200 < apart <= 43_200


# The range.


@pytest.mark.parametrize("when", ["1551-01-01 00:00:00", "2648-12-31 23:59:59"])
def test_the_first_and_the_last_second_are_accepted(when):
    moment = bz.moment(when, utc_offset=0, calendar="gregorian", longitude=0)
    assert moment.to_dict().keys() == TRACE


@pytest.mark.parametrize(
    "when", ["1550-12-31 23:59:59", "2649-01-01 00:00:00", "1400-06-01 00:00", "2700-06-01 00:00"]
)
def test_an_instant_beyond_the_tables_is_out_of_range(when):
    with pytest.raises(OutOfRange) as caught:
        bz.moment(when, utc_offset=0, calendar="gregorian")
    data = caught.value.data
    assert data.pop("given")[:16] == when[:16].replace(" ", "T")
    assert data == {
        "quantity": "instant",
        "first": "1551-01-01T00:00:00.000Z",
        "last": "2649-01-01T00:00:00.000Z",
    }


@pytest.mark.parametrize(
    "when", ["0001-01-01 00:00", "9999-12-31 23:59:59", "0001-01-01 子时", "9999-12-31 晚子时"]
)
@pytest.mark.parametrize(
    "where", [{"city": "北京"}, {"city": "New York"}, {"tz": "Asia/Tokyo"}, {"utc_offset": -16}], ids=str
)
def test_the_ends_of_what_can_be_written_are_out_of_range_and_nothing_worse(when, where):
    with pytest.raises(OutOfRange):
        bz.moment(when, calendar="gregorian", **where)


# Xinjiang.


@pytest.mark.parametrize(
    ("where", "clock", "offset_h"),
    [
        ({"city": "乌鲁木齐"}, "auto", 8),
        ({"city": "乌鲁木齐"}, "beijing", 8),
        ({"city": "乌鲁木齐"}, "xinjiang", 6),
        ({"city": "乌鲁木齐", "tz": "Asia/Urumqi"}, "auto", 6),
        ({"city": "乌鲁木齐", "tz": "Asia/Shanghai"}, "xinjiang", 8),
        ({"longitude": 87.6, "latitude": 43.8, "tz": "Asia/Urumqi"}, "beijing", 6),
    ],
)
def test_the_clock_of_xinjiang_is_used_only_when_it_was_asked_for(where, clock, offset_h):
    moment = bz.moment("2000-05-15 13:30", **where, school=bz.School(clock=clock))
    assert moment.utc_offset_s == offset_h * 3600


@pytest.mark.parametrize("where", [{"city": "北京"}, {"city": "New York"}], ids=str)
def test_the_clock_of_xinjiang_is_refused_elsewhere(where):
    with pytest.raises(ClockNotApplicable) as caught:
        bz.moment("2000-05-15 13:30", **where, school=bz.School(clock="xinjiang"))
    assert caught.value.data["clock"] == "xinjiang"


def test_the_clock_of_xinjiang_needs_a_place():
    with pytest.raises(ClockNotApplicable):
        bz.moment("2000-05-15 13:30", utc_offset=8, school=bz.School(clock="xinjiang"))


# Double hours by name: never moved to another branch, whatever the clock.

NAMES = list(HourBranch.__members__)
CLOCKS: list[dict[str, Any]] = [
    {"city": "北京"},
    {"city": "喀什"},
    {"city": "喀什", "tz": "Asia/Urumqi"},
    {"longitude": -157.4, "latitude": 1.87, "tz": "Pacific/Kiritimati"},
    {"longitude": -74.006, "tz": "America/New_York"},
    {"longitude": 179.99, "tz": "Pacific/Fiji"},
    {"longitude": -180, "utc_offset": 12},
    {"longitude": 180, "utc_offset": -12},
    {"longitude": -0.13, "tz": "Europe/London"},
    {"longitude": 104.07, "tz": "Asia/Shanghai"},
]
DAYS = ["1990-05-15", "1990-02-11", "1985-11-03", "2024-07-31", "1890-05-15"]


@pytest.mark.parametrize("where", CLOCKS, ids=lambda where: " ".join(map(str, where.values())))
@pytest.mark.parametrize("basis", ["true_solar", "mean_solar", "civil"])
def test_a_named_double_hour_keeps_its_branch_and_its_date_on_the_clock_in_use(where, basis):
    school = bz.School(time_basis=basis)
    for name in NAMES:
        for day in DAYS:
            chart = bz.chart(f"{day} {name}时", **where, school=school)
            hour = HourBranch(name)
            assert chart.pillars.hour.branch is hour.branch
            assert chart.moment.local[:10] == day
            middle = timedelta(hours=hour.start_hour + hour.length_hours / 2)
            apart = datetime.fromisoformat(chart.moment.local) - datetime.fromisoformat(day) - middle
            assert abs(apart) <= timedelta(milliseconds=2)


def test_a_named_double_hour_without_a_longitude_is_read_on_the_wall_clock():
    moment = bz.moment("1990-05-15 午时", **SHANGHAI)
    assert (moment.used, moment.local, moment.utc_offset_s) == ("civil", "1990-05-15T12:00:00.000", 32400)


@pytest.mark.parametrize(
    ("name", "day", "hour"), [("早子", "庚辰", "丙子"), ("子", "庚辰", "丙子"), ("晚子", "辛巳", "戊子")]
)
def test_the_two_halves_of_zi_belong_to_the_two_days(name, day, hour):
    pillars = bz.chart(f"1990-05-15 {name}时", city="北京").pillars
    assert (pillars.day.value, pillars.hour.value) == (day, hour)


@pytest.mark.parametrize(
    ("when", "where"),
    [
        ("2011-12-30 午时", {"longitude": -171.77, "tz": "Pacific/Apia"}),
        ("1994-12-31 午时", {"longitude": -157.4, "tz": "Pacific/Kiritimati"}),
    ],
)
def test_a_double_hour_of_a_day_that_the_calendar_of_the_place_skipped_is_refused(when, where):
    with pytest.raises(NonexistentLocalTime):
        bz.moment(when, **where)


def test_a_double_hour_that_the_wall_clock_skipped_as_a_whole_is_refused():
    # On 1940-06-01 the clocks of Shanghai went from 00:00 to 01:00.
    for name in ("早子", "子"):
        with pytest.raises(NonexistentLocalTime):
            bz.moment(f"1940-06-01 {name}时", **SHANGHAI)


def test_a_named_double_hour_on_the_wall_clock_needs_no_reading_that_was_skipped():
    chart = bz.chart("1990-04-15 丑时", **SHANGHAI)
    assert chart.pillars.hour.branch.value == "丑"


# Arguments.


def test_an_unknown_hour_has_no_moment():
    with pytest.raises(BirthRequired):
        bz.moment("1990-05-15", hour_unknown=True, city="北京")
    with pytest.raises(BirthRequired):
        solar_moment(birth("1990-05-15", hour_unknown=True, city="北京"))


@sizes(80, 20_000)
def test_a_reading_of_the_clock_is_told_at_once_as_its_instant_is(count):
    """Around the changes of many zones, skipped and repeated readings included."""
    draw = random.Random(20_261_123)
    epoch, half_a_day = datetime(1970, 1, 1), 43_200
    places = [
        {"city": "北京"},
        {"tz": "America/New_York"},
        {"tz": "Africa/Casablanca"},
        {"tz": "Pacific/Apia"},
    ]
    places += [{"city": "Seoul"}, {"tz": "Australia/Lord_Howe"}, {"tz": "Asia/Manila"}, {"city": "London"}]
    for born in ("1880-01-01 12:00", "1903-05-05 06:00", "1945-08-01 12:00", "1990-07-01 12:00"):
        for where in places:
            moment = bz.moment(born, fold=0, **where)
            changes = [
                each for each in zones.changes(moment.clock.timezone_id, 2100) if abs(each) < 4_000_000_000
            ]
            for _ in range(count // 20):
                at = draw.choice(changes) + draw.randrange(-half_a_day, half_a_day)
                wall = epoch + timedelta(seconds=at)
                (told,), found = (
                    moment.readings_then(wall.time(), [wall]),
                    moment.then(moment.instant_of(wall)),
                )
                assert (told, told.utcoffset()) == (found, found.utcoffset()), (born, where, wall)
