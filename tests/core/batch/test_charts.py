"""Columns of charts say what the chart of each birth says, row by row."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import numpy as np
import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.astro import scales
from bazi_core.batch.columns import GROUPS, STATUS, columns_of
from bazi_core.batch.table import COLUMNS
from bazi_core.batch.views import VIEWS
from bazi_core.batch.zones import by_reading
from bazi_core.pillars import FourPillars
from bazi_core.place import zones
from tests.core.batch.single import MAKERS, columns_of_chart, moment_of, row_of
from tests.sizes import sizes

ZONES = random.Random(16).sample(sorted(zones.keys()), 60)
CITIES = (
    "北京",
    "上海",
    "乌鲁木齐",
    "New York",
    "São Paulo",
    "Springfield",
    "Nowhere-xyz",
    "香港",
    "首尔",
    "Apia",
)
WRITTEN = (
    None, "x", "1990-05-15", "1990-05-15 午时", "农历1990年闰五月初一 午时", "1990-02-30 12:00", "1500-01-01 12:00",
    "1582-10-10 12:00", "2700-01-01 00:00", "05/06/1990 12:00", "1551-01-01 00:00", "2648-12-31 23:59",
    "1990-05-15 24:00", "0001-01-01 00:00", "9999-12-31 23:59:59", "民國七十九年5月15日 13:30",
)  # fmt: skip
SCHOOLS = (
    bz.School(),
    bz.School(day_boundary="00:00", late_zi_hour_stem="same_day", luck_start="minutes_floor"),
    bz.School(
        year_boundary="lunar_new_year", time_basis="mean_solar", future_utc="ut1_model", luck_start="shichen"
    ),
    bz.School(time_basis="civil", star_set="full", void_anchor="both", luck_start="minutes_hours_clamp"),
    bz.School(clock="xinjiang", luck_start="linear_tropical", luck_direction="male_forward"),
    bz.School.named("saju_kr", year_boundary="lunar_new_year"),
    bz.School(earth_season="last_18_days", anhe="six_pairs", twelve_stages="water_earth_same"),
)


def some_time(random: random.Random) -> Any:
    """A time as a table may hold one; a part near the changes of some clock, a part in words or out of range."""
    if random.random() < 0.1:
        return random.choice(WRITTEN)
    first, last = (scales.ms_of(datetime(year, 1, 1)) for year in (1850, 2100))
    if random.random() < 0.2:
        first, last = scales.FIRST_UTC_MS, scales.END_UTC_MS
    ms = random.randrange(first, last)
    if random.random() < 0.3:
        ms = (
            random.choice(by_reading(random.choice(ZONES)).starts.tolist())
            + random.randrange(-7200, 7200) * 1000
        )
    when = scales.datetime_of(ms // 1000 * 1000)
    offset = random.choice(["Z", "+08:00", "-03:30", "+15:59"]) if random.random() < 0.1 else ""
    if random.random() < 0.7:
        return when.isoformat(random.choice(" T"), random.choice(["auto", "minutes"])) + offset
    return when.replace(microsecond=random.randrange(10**6))


def some_birth(random: random.Random) -> dict[str, Any]:
    """A row of a table, sometimes with what contradicts itself."""

    def maybe(share: float, *values: Any) -> Any:
        return random.choice(values) if random.random() < share else None

    where: dict[str, Any] = {"tz": maybe(0.5, *ZONES)}
    if where["tz"] is None:
        where["city"] = maybe(0.7, *CITIES)
    return where | {
        "datetime": some_time(random),
        "utc_offset": maybe(0.1, 8, "+08:00", "-5", 480, 5.5),
        "longitude": maybe(0.3, random.uniform(-180, 180), random.uniform(-180, 180), 200.0),
        "latitude": maybe(0.2, random.uniform(-90, 90)),
        "fold": maybe(0.1, 0, 1),
        "calendar": maybe(0.3, "gregorian", "gregorian", "julian"),
        "gender": maybe(0.9, *["male", "female", "男", "F"] * 9, "zzz"),
    }


def as_table(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def listed(charts: bz.Charts) -> tuple[list[str], dict[str, list[Any]]]:
    """The status of every row, and the other columns as plain numbers and datetimes."""
    columns = {name: charts[name].tolist() for name in charts if name != STATUS.name}
    return charts.decode(STATUS.name), columns


def differences(
    statuses: list[str], columns: dict[str, list[Any]], row: int, wanted: dict[str, Any]
) -> dict[str, Any]:
    """The columns of a row that are not as wanted, and every column of a row without a chart that is not null."""
    wrong = {} if statuses[row] == wanted[STATUS.name] else {"status": (statuses[row], wanted[STATUS.name])}
    if wanted[STATUS.name] != "OK":
        found = {name: values[row] for name, values in columns.items()}
        return wrong | {name: value for name, value in found.items() if value not in (-1, None)}
    return wrong | {
        name: (columns[name][row], value)
        for name, value in wanted.items()
        if name in columns and columns[name][row] != value
    }


@pytest.mark.parametrize("school", SCHOOLS, ids=range(len(SCHOOLS)))
@sizes(25, 20_000)
def test_every_column_of_a_row_is_that_of_the_single_chart_and_every_refusal_its_error(school, count):
    chooser = random.Random(count)
    rows = [some_birth(chooser) for _ in range(count)]
    groups = (
        GROUPS
        if school in SCHOOLS[::6]
        else tuple(name for name in GROUPS if name not in ("strength", "pattern"))
    )
    count = min(count, 4000) if "pattern" in groups else count
    rows = rows[:count]
    found = listed(bz.charts(as_table(rows), groups, school=school))
    wrong = {n: differences(*found, n, row_of(groups, school, **row)) for n, row in enumerate(rows)}
    assert {n: (rows[n], each) for n, each in wrong.items() if each} == {}


@pytest.mark.parametrize("part", range(10))
@sizes(30, 100_000)
def test_pillars_and_refusals_of_a_million_births_over_sixty_zones_are_those_of_single_births(part, count):
    chooser = random.Random(part)
    rows = []
    for _ in range(count):
        when = some_time(chooser)
        rows.append(
            {"datetime": when, "tz": chooser.choice(ZONES), "fold": chooser.choice([None, None, 0, 1])}
        )
    found, school = listed(bz.charts(as_table(rows), ("pillars", "time"))), bz.School()
    for number, row in enumerate(rows):
        wanted = moment_of(school, **row)
        assert not differences(*found, number, wanted), row
        if number % 50 == 0:
            assert row_of(("pillars", "time"), school, **row) == wanted, row


@pytest.mark.parametrize("month", range(12))
@sizes(12, 43_200)
def test_what_is_read_off_the_pillars_is_that_of_the_single_chart_for_every_chart(month, count):
    year, day, hour = (each.ravel() for each in np.indices((60, 60, 12)))
    hour = (12 * day + hour) % 60
    first = (2 * (year % 10) + 2) % 10
    month_index = np.array([_pillar((stem + (month - 2) % 12) % 10, month) for stem in first.tolist()])
    chosen = np.random.default_rng(month).permutation(len(year))[:count]
    four = [each[chosen].astype(np.int64) for each in (year, month_index, day, hour)]
    genders = np.arange(count) % 2
    groups = ("ten_gods", "hidden_stems", "nayin", "stages", "voids", "relations", "stars")
    school = bz.School()
    found = {name: values for group in groups for name, values in VIEWS[group](four, genders, school)}
    assert sorted(found) == sorted(each.name for group in groups for each in columns_of(group, school))
    columns = {name: np.broadcast_to(values, count).tolist() for name, values in found.items()}
    indices = zip(*(each.tolist() for each in four), strict=True)
    for number, pillars in enumerate(FourPillars(*(PILLARS[each] for each in own)) for own in indices):
        chart = bz.Chart(pillars, school, ("male", "female")[number % 2])
        wanted = columns_of_chart(chart, groups)
        assert {name: columns[name][number] for name in wanted} == wanted, pillars


def _pillar(stem: int, branch: int) -> int:
    return (6 * stem - 5 * branch) % 60


def test_no_column_of_the_result_is_called_as_one_of_the_input():
    for school in SCHOOLS:
        assert not {each.name for group in GROUPS for each in columns_of(group, school)} & {
            *COLUMNS,
            STATUS.name,
        }


def test_all_groups_have_a_maker_in_the_test():
    assert tuple(MAKERS) == GROUPS


def test_instants_stand_on_the_clock_of_their_zone_or_place():
    utc = np.array(["1990-05-15T04:30", "2026-02-03T20:02:08", "NaT"], "M8[s]")
    pyarrow = pytest.importorskip("pyarrow")
    column = pyarrow.array(utc).cast(pyarrow.timestamp("s", "UTC"))
    there = bz.charts({"datetime": column}, city="北京")
    assert there.decode("hour")[0] == bz.chart("1990-05-15 13:30", city="北京").pillars.hour.value
    assert there.decode("status") == ["OK", "OK", "BIRTH_REQUIRED"]
    alone = bz.charts({"datetime": column.cast(pyarrow.timestamp("ms", "Asia/Shanghai"))})
    wanted = [
        str(bz.chart(text).pillars) for text in ("1990-05-15T13:30:00+09:00", "2026-02-04T04:02:08+08:00")
    ]
    assert [
        " ".join(alone.decode(name)[row] for name in ("year", "month", "day", "hour")) for row in (0, 1)
    ] == wanted


@pytest.mark.parametrize("unit", ["h", "m", "s", "ms", "us", "ns"])
def test_datetimes_of_every_unit_are_read_and_none_is_none(unit):
    times = np.array(["1990-05-15T13", "NaT", "1899-12-31T23"], f"M8[{unit}]")
    charts = bz.charts({"datetime": times}, tz="Asia/Shanghai")
    assert charts.decode("status") == ["OK", "BIRTH_REQUIRED", "OK"]
    alone = [
        bz.chart(text, tz="Asia/Shanghai").pillars.hour.value
        for text in ("1990-05-15 13:00", "1899-12-31 23:00")
    ]
    assert charts.decode("hour") == [alone[0], None, alone[1]]
    assert bz.charts({"datetime": times[:1]}, tz="Asia/Shanghai").decode("hour") == alone[:1]


def test_dates_without_a_time_of_day_are_refused():
    charts = bz.charts({"datetime": np.array(["1990-05-15", "NaT"], "M8[D]")}, tz="Asia/Shanghai")
    assert charts.decode("status") == ["BIRTH_REQUIRED", "BIRTH_REQUIRED"]


def test_a_day_that_the_julian_calendar_lacks_is_refused_before_its_place():
    births = {"datetime": ["9999-12-31 23:59:59"], "calendar": ["julian"], "city": ["Nowhere-xyz"]}
    assert bz.charts(births).decode("status") == ["INVALID_DATETIME"]


def test_the_first_row_that_fails_is_named_when_failures_are_to_be_raised():
    births = {"datetime": ["1990-05-15 13:30", "1990-04-15 02:30", "x"], "tz": ["Asia/Shanghai"] * 3}
    with pytest.raises(bz.NonexistentLocalTime) as caught:
        bz.charts(births, on_error="raise")
    assert caught.value.data["row"] == 1
    assert str(caught.value).startswith("row 1: ")
    assert "第 1 行" in caught.value.text("zh-Hans")


def test_rows_may_name_options_of_the_school():
    births = {
        "datetime": ["1990-05-15 23:30"] * 4,
        "tz": "Asia/Shanghai",
        "day_boundary": ["23:00", "00:00", None, "midnight"],
    }
    charts = bz.charts(births, ("pillars", "nayin"))
    assert charts.decode("status") == ["OK", "OK", "OK", "UNKNOWN_OPTION"]
    days = charts.decode("day")
    assert days == ["辛巳", "庚辰", "辛巳", None]
    with pytest.raises(bz.UnknownOption, match="row 3"):
        bz.charts(births, on_error="raise")


def test_a_table_without_times_or_with_columns_of_other_lengths_is_refused():
    with pytest.raises(bz.InvalidInput, match="no column datetime"):
        bz.charts({"when": ["1990-05-15 13:30"]})
    with pytest.raises(bz.InvalidInput, match="has 2 rows"):
        bz.charts({"datetime": ["1990-05-15 13:30"], "city": ["北京", "上海"]})
    with pytest.raises(bz.UnknownOption, match="columns="):
        bz.charts({"datetime": []}, "colours")
    assert len(bz.charts({"datetime": []}, "all", city="北京")) == 0


def test_the_columns_are_as_wide_as_documented():
    charts = bz.charts({"datetime": ["1990-05-15 13:30"]}, city="北京")
    assert charts.bytes_per_row == 5
    assert charts.to_numpy().dtype.names == ("year", "month", "day", "hour", "status")
