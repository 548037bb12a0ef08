"""Laws of told instants: every wall time of a 节 or of 交运 is what the zone's clock showed, or will, at that instant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.astro import scales
from bazi_core.astro.civil import format_offset
from bazi_core.luck.onset import onset
from bazi_core.place.zones import keys, zone
from bazi_core.render import sheet
from bazi_core.school import OPTIONS, School
from tests.sizes import sizes

ZONES = ["Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Tokyo", "Asia/Seoul", "Asia/Kolkata", "Europe/London",
         "Europe/Berlin", "Europe/Moscow", "America/New_York", "America/Los_Angeles", "America/Sao_Paulo",
         "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo"]  # fmt: skip
REAL = sorted(key for key in keys() if "/" in key and not key.startswith("Etc/"))
FORWARD = {True: "male", False: "female"}


def chart_of(wall: datetime, key: str, gender: str, school: School | None = None) -> bz.Chart | None:
    """The chart of a reading of a zone's clock; None for a reading that was skipped."""
    fold = 0 if _offset(wall, key, 0) > _offset(wall, key, 1) else None
    if _offset(wall, key, 0) < _offset(wall, key, 1):
        return None
    return bz.chart(wall, tz=key, fold=fold, gender=gender, school=school)


def _offset(wall: datetime, key: str, fold: int) -> timedelta:
    return wall.replace(tzinfo=zone(key), fold=fold).utcoffset()


def told_terms(chart: bz.Chart) -> list[tuple[str, str]]:
    """Reading and offset of the two 节 as they are printed; an offset that is left out is that of the birth."""
    found = []
    for _, reading, remark in sheet.time_rows(chart, "en")[-2:]:
        offset = re.match(r"[+-][0-9:]+(?=  )", remark)
        found.append((reading, offset[0] if offset else format_offset(chart.moment.utc_offset_s)))
    return found


def of_zone(utc: str, key: str) -> tuple[str, str]:
    there = datetime.fromisoformat(utc).astimezone(zone(key))
    return there.strftime("%Y-%m-%d %H:%M:%S"), format_offset(int(there.utcoffset().total_seconds()))


def assert_told_by_the_zone(chart: bz.Chart, key: str) -> None:
    trace = chart.moment.to_dict()
    assert told_terms(chart) == [of_zone(trace[name]["utc"], key) for name in ("prev_jie", "next_jie")]
    for cycle in chart.luck.cycles:
        there = cycle.start_at.astimezone(zone(key))
        assert (there.isoformat(), there.utcoffset()) == (
            cycle.start_at.isoformat(),
            cycle.start_at.utcoffset(),
        )


@sizes(190, 2100)
def test_terms_and_starts_of_two_thousand_births_are_told_as_zoneinfo_tells_them(count):
    seen = 0
    for number in range(0, 2100, 2100 // count):
        wall = datetime(1912, 1, 5, 0, 17) + timedelta(days=26 * number, minutes=197 * number % 1440)
        chart = chart_of(wall, ZONES[number % 16], FORWARD[number % 3 == 0])
        if chart is not None:
            seen += 1
            assert_told_by_the_zone(chart, ZONES[number % 16])
    assert seen > 0.95 * count


@given(
    st.datetimes(datetime(1850, 1, 2), datetime(2150, 1, 1)),
    st.sampled_from(REAL),
    st.sampled_from(["male", "female"]),
)
def test_terms_and_starts_are_told_as_zoneinfo_tells_them_in_every_zone(wall, key, gender):
    chart = chart_of(wall.replace(microsecond=0), key, gender)
    if chart is not None:
        assert_told_by_the_zone(chart, key)


@given(
    st.datetimes(datetime(1900, 1, 2), datetime(2100, 1, 1)),
    st.sampled_from(ZONES),
    st.booleans(),
    st.sampled_from(OPTIONS["luck_start"]),
)
def test_the_start_is_the_instant_of_birth_and_age_on_the_clock_of_the_birth(wall, key, male, method):
    school = School(luck_start=method, luck_direction="male_forward")
    chart = chart_of(wall.replace(microsecond=0), key, FORWARD[male], school)
    if chart is not None:
        counted = onset(chart.moment, male, school).at - timedelta(seconds=chart.moment.utc_offset_s)
        assert chart.luck.start.astimezone(UTC).replace(tzinfo=None) == counted


@given(st.datetimes(datetime(1900, 1, 2), datetime(2100, 1, 1)), st.sampled_from(ZONES))
def test_the_clock_shows_the_reading_at_the_instant_that_is_found_for_it(wall, key):
    moment = bz.moment("1990-05-15 13:30", tz=key, school=School(time_basis="civil"))
    wall = wall.replace(microsecond=0)
    shown = moment.then(moment.instant_of(wall)).replace(tzinfo=None)
    skipped = _offset(wall, key, 1) - _offset(wall, key, 0)
    assert shown == wall or (skipped > timedelta() and abs(shown - wall) == skipped)


def test_the_clock_of_another_instant_at_birth_is_that_of_the_birth():
    for key in ZONES:
        moment = bz.moment("1990-05-15 13:30", tz=key)
        assert scales.ms_of(moment.then(moment.utc_ms).replace(tzinfo=None)) == moment.civil_ms
