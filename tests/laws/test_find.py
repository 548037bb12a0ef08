"""Pillars → times: what is found has the pillars, and every birth is found by its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.astro import scales, terms
from bazi_core.pillars import pillars_of_instant
from bazi_core.place.zones import zone
from tests.sizes import sizes

WHERE: list[dict[str, Any]] = [
    {"utc_offset": "+08:00"},
    {"utc_offset": "-03:30"},
    {"tz": "Asia/Shanghai"},
    {"tz": "America/New_York"},
    {"tz": "Australia/Lord_Howe"},
    {"tz": "Africa/Casablanca"},
    {"tz": "Pacific/Apia"},
    {"city": "北京"},
    {"city": "乌鲁木齐"},
    {"city": "New York"},
    {"city": "London"},
    {"city": "Honolulu"},
    {"longitude": -157.4, "tz": "Pacific/Kiritimati"},
    {"longitude": 104.07, "utc_offset": "+08:00"},
]
SCHOOLS = [
    {},
    {"time_basis": "civil"},
    {"day_boundary": "00:00"},
    {"day_boundary": "00:00", "late_zi_hour_stem": "same_day", "time_basis": "civil"},
    {"year_boundary": "lunar_new_year", "future_utc": "ut1_model"},
    {"future_utc": "ut1_model", "time_basis": "civil"},
]
wheres = st.sampled_from(WHERE)
schools = st.sampled_from(SCHOOLS).map(lambda options: bz.School(**options))
# Half of the births lie within a day of a change: of a 节, of a clock, of the lunar year.
EDGES = [
    datetime(1986, 5, 4),
    datetime(1990, 9, 16),
    datetime(1945, 9, 2),
    datetime(2011, 12, 31),
    datetime(2021, 11, 7),
    datetime(2026, 2, 17),
    datetime(1985, 2, 20),
    datetime(1883, 11, 18, 12),
    datetime(1901, 1, 1),
    datetime(1972, 1, 1),
    datetime(2027, 1, 1),
    *(scales.datetime_of(terms.instant(24 * (year - 1550) + year % 12 * 2)) for year in range(1640, 2620, 7)),
]
births = st.one_of(
    st.datetimes(datetime(1560, 1, 1), datetime(2640, 1, 1)),
    st.builds(
        lambda edge, seconds: edge + timedelta(seconds=seconds),
        st.sampled_from(EDGES),
        st.integers(-86_400, 86_400),
    ),
).map(lambda at: at.replace(microsecond=0))


def laws(count: int) -> Any:
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def instant_of(chart: bz.Chart) -> datetime:
    assert chart.moment is not None
    return scales.datetime_of(chart.moment.utc_ms).replace(tzinfo=UTC)


def chart_at(instant: datetime, window: bz.Window, where: dict[str, Any], school: bz.School) -> bz.Chart:
    """The chart of a birth at an instant, written as its clock showed it."""
    key = where.get("tz") or ("city" in where and bz.place(where["city"]).timezone_id)
    clocks = [side.tzinfo for side in window] + ([zone(key)] if key else [])
    readings = {instant.astimezone(clock).replace(tzinfo=None) for clock in clocks}
    charts = []
    for reading in readings:
        for fold in (0, 1):
            try:
                charts.append(bz.chart(reading, fold=fold, school=school, calendar="gregorian", **where))
            except bz.NonexistentLocalTime:
                continue
    same = [chart for chart in charts if instant_of(chart) == instant]
    assert same, (instant, window)
    return same[0]


@sizes(25, 3000)
def test_every_birth_is_found_by_its_own_pillars(count):
    @laws(count)
    @given(births, wheres, schools, st.sampled_from((0, 1)))
    def check(when: datetime, where: dict[str, Any], school: bz.School, fold: int) -> None:
        if school.year_boundary == "lunar_new_year" and not 1650 < when.year < 2195:
            return  # no lunar calendar
        try:
            chart = bz.chart(when, school=school, fold=fold, calendar="gregorian", **where)
        except (bz.NonexistentLocalTime, bz.InvalidCoordinates):
            return
        found = bz.find(list(chart.pillars), when.year - 1, when.year + 1, school=school, **where)
        holding = [window for window in found if window.start <= instant_of(chart) < window.end]
        assert len(holding) >= 1, (when, where, school, fold, list(found))

    check()


@sizes(15, 2000)
def test_every_moment_of_a_window_has_the_pillars(count):
    @laws(count)
    @given(births, wheres, schools, st.floats(0, 1), st.sets(st.integers(0, 7), max_size=6))
    def check(
        when: datetime, where: dict[str, Any], school: bz.School, part: float, hidden: set[int]
    ) -> None:
        if school.year_boundary == "lunar_new_year" and not 1650 < when.year < 2195:
            return  # no lunar calendar
        try:
            chart = bz.chart(when, school=school, fold=0, calendar="gregorian", **where)
        except (bz.NonexistentLocalTime, bz.InvalidCoordinates):
            return
        text = "".join(
            char if i not in hidden else "?" for i, char in enumerate("".join(map(str, chart.pillars)))
        )
        first = max(1551, when.year - 1)
        found = bz.find(text, first, first + 2, school=school, **where)
        near = sorted(found, key=lambda window: abs(window.start - instant_of(chart)))[:3]
        for window in near:
            inside = [0, int(window.seconds * part), window.seconds - 1]
            for seconds in inside:
                instant = window.start.astimezone(UTC) + timedelta(seconds=min(seconds, window.seconds - 1))
                there = chart_at(instant, window, where, school)
                pillars = "".join(map(str, there.pillars))
                assert all(asked in ("?", found) for asked, found in zip(text, pillars, strict=True)), (
                    text,
                    window,
                    instant,
                )

    check()


@pytest.mark.parametrize("options", SCHOOLS, ids=str)
@sizes(40, 5000)
def test_the_windows_of_all_pillars_of_a_span_cover_it_once(count, options):
    """Each set of pillars that a reading has is asked for once; together their windows are the whole span."""
    school = bz.School(**options)
    where = {"city": "成都"}
    first = bz.find("? ? ? ?丑", 1988, 1988, school=school, **where)[0].start.astimezone(UTC)
    at, covered = first, 0
    while covered < count:
        shown = at.astimezone(zone("Asia/Shanghai"))
        chart = bz.chart(shown.replace(tzinfo=None), fold=shown.fold, school=school, **where)
        assert instant_of(chart) == at
        found = bz.find(list(chart.pillars), shown.year - 1, shown.year + 1, school=school, **where)
        held = [window for window in found if window.start <= at < window.end]
        assert len(held) == 1, (at, held)
        assert held[0].start == at
        covered += 1
        at = held[0].end.astimezone(UTC)


@pytest.mark.parametrize("policy", ["utc_frozen", "ut1_model"])
@sizes(1, 60)
def test_a_month_is_found_from_its_first_second_on_through_the_whole_table(policy, count):
    school = bz.School(future_utc=policy)
    second = timedelta(seconds=1)
    for pillar in PILLARS[:count]:
        windows = bz.find(["?", pillar, "?", "?"], 1551, 2648, school=school)
        assert len(windows) >= 219
        for window in windows[1:-1]:
            around = [window.start - second, window.start, window.end - second, window.end]
            having = [pillars_of_instant(at, school).month is pillar for at in around]
            assert having == [False, True, True, False], window
