"""The readings of a zone's clock: offsets, gaps and folds, transitions."""

import json
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.astro.civil import (
    Clock,
    clock_of_instant,
    clock_of_wall,
    ends_of_day,
    format_offset,
    transition_between,
)
from bazi_core.errors import AmbiguousLocalTime, NonexistentLocalTime, ZoneUnknown
from tests.tables import holds_for_all

SECOND = timedelta(seconds=1)
# zone, last reading before the change, offset before, offset after
CHANGES = [
    ("Asia/Shanghai", datetime(1990, 4, 15, 2), 28800, 32400),
    ("Asia/Shanghai", datetime(1990, 9, 16, 2), 32400, 28800),
    ("Asia/Shanghai", datetime(1940, 6, 1), 28800, 32400),
    ("Asia/Shanghai", datetime(1901, 1, 1), 29143, 28800),
    ("America/New_York", datetime(2021, 3, 14, 2), -18000, -14400),
    ("America/New_York", datetime(2021, 11, 7, 2), -14400, -18000),
    ("Australia/Lord_Howe", datetime(2021, 4, 4, 2), 39600, 37800),
    ("Asia/Pyongyang", datetime(2018, 5, 4, 23, 30), 30600, 32400),
    ("Asia/Urumqi", datetime(1928, 1, 1), 21020, 21600),
    ("Pacific/Apia", datetime(2011, 12, 30), -36000, 50400),
    ("Asia/Kolkata", datetime(1906, 1, 1), 19270, 19800),
]
GAPS = [change for change in CHANGES if change[3] > change[2]]
FOLDS = [change for change in CHANGES if change[3] < change[2]]
ZONES = sorted({zone for zone, *_ in CHANGES})


@holds_for_all("zone, wall, before, after", CHANGES)
def test_readings_around_a_change_exist_once_twice_or_never(zone, wall, before, after):
    shift = timedelta(seconds=after - before)
    assert clock_of_wall(wall - abs(shift) - SECOND, zone).utc_offset_s == before
    assert clock_of_wall(wall + abs(shift), zone).utc_offset_s == after
    expected = NonexistentLocalTime if after > before else AmbiguousLocalTime
    first = wall if after > before else wall + shift
    last = first + abs(shift) - SECOND
    for reading in (first, first + abs(shift) / 2, last):
        with pytest.raises(expected) as caught:
            clock_of_wall(reading, zone)
        data = caught.value.data
        assert (data["zone"], data["local"]) == (zone, reading.isoformat())
        assert [(each["fold"], each["utc_offset_s"]) for each in data["readings"]] == [
            (0, before),
            (1, after),
        ]
        assert [each["utc"] for each in data["readings"]] == [
            (reading - timedelta(seconds=offset)).isoformat() + "Z" for offset in (before, after)
        ]
        assert json.loads(json.dumps(caught.value.to_dict()))


@pytest.mark.parametrize(("zone", "wall", "before", "after"), GAPS)
def test_the_neighbours_of_a_gap_are_the_last_and_the_first_second_that_exist(zone, wall, before, after):
    shift = timedelta(seconds=after - before)
    for reading in (wall, wall + shift / 2, wall + shift - SECOND):
        with pytest.raises(NonexistentLocalTime) as caught:
            clock_of_wall(reading, zone, 0)
        nearest = [
            datetime.fromisoformat(caught.value.data[name]) for name in ("nearest_before", "nearest_after")
        ]
        assert nearest == [wall - SECOND, wall + shift]
        assert [clock_of_wall(each, zone).utc_offset_s for each in nearest] == [before, after]


@pytest.mark.parametrize(("zone", "wall", "before", "after"), FOLDS)
def test_the_fold_chooses_between_the_two_passes_of_a_repeated_reading(zone, wall, before, after):
    clocks = [clock_of_wall(wall - SECOND, zone, fold) for fold in (0, 1)]
    assert [(clock.utc_offset_s, clock.fold) for clock in clocks] == [(before, 0), (after, 1)]


def test_a_fold_that_is_not_needed_is_not_kept():
    clock = clock_of_wall(datetime(1990, 5, 15, 13, 30), "Asia/Shanghai", 1)
    assert clock == Clock("Asia/Shanghai", "zone", 32400, 3600, "CDT", None)


@given(st.sampled_from(ZONES), st.datetimes(datetime(1850, 1, 1), datetime(2100, 1, 1)))
def test_from_utc_to_the_wall_and_back_nothing_is_lost(zone, utc):
    there = clock_of_instant(utc, zone)
    wall = utc + timedelta(seconds=there.utc_offset_s)
    offsets = set()
    for fold in (0, 1):
        back = clock_of_wall(wall, zone, fold)
        offsets.add(back.utc_offset_s)
    assert there.utc_offset_s in offsets


@pytest.mark.parametrize(
    ("zone", "day", "instant"),
    [
        ("Asia/Shanghai", "1990-04-15", "1990-04-14T18:00:00"),
        ("Asia/Shanghai", "1990-09-16", "1990-09-15T17:00:00"),
        ("America/New_York", "2021-03-14", "2021-03-14T07:00:00"),
        ("America/New_York", "2021-11-07", "2021-11-07T06:00:00"),
        ("Australia/Lord_Howe", "2021-04-04", "2021-04-03T15:00:00"),
        ("Asia/Pyongyang", "2018-05-04", "2018-05-04T15:00:00"),
        ("Asia/Kolkata", "1905-12-31", "1905-12-31T18:38:50"),
    ],
)
def test_the_transition_of_a_day_is_found_to_the_second(zone, day, instant):
    ends = ends_of_day(datetime.fromisoformat(day), zone)
    assert transition_between(*ends, zone) == datetime.fromisoformat(instant)


def test_a_day_without_a_change_has_no_transition():
    ends = ends_of_day(datetime(1990, 5, 15), "Asia/Shanghai")
    assert transition_between(*ends, "Asia/Shanghai") is None


def test_a_day_that_the_clocks_skipped_whole_has_no_ends():
    with pytest.raises(NonexistentLocalTime):
        ends_of_day(datetime(2011, 12, 30), "Pacific/Apia")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "+00:00"), (28800, "+08:00"), (-12600, "-03:30"), (29143, "+08:05:43"), (-29143, "-08:05:43"),
        (-1, "-00:00:01"), (57600, "+16:00"),
    ],
)  # fmt: skip
def test_an_offset_is_written_with_seconds_only_where_there_are_any(seconds, text):
    assert format_offset(seconds) == text


def test_a_zone_is_checked_before_its_clock_is_read():
    for key in ("Mars/Olympus", "../../etc/passwd"):
        with pytest.raises(ZoneUnknown):
            clock_of_wall(datetime(2000, 1, 1), key)
        with pytest.raises(ZoneUnknown):
            clock_of_instant(datetime(2000, 1, 1), key)
