"""Columns of charts say what the chart of each birth says, row by row."""

import random

import numpy as np
import pyarrow
import pytest

import bazi_core as bz
from bazi_core.batch.columns import GROUPS, STATUS, columns_of
from bazi_core.batch.table import COLUMNS
from tests.core.batch.drawn import as_table, differences, listed, some_birth
from tests.core.batch.single import MAKERS, row_of
from tests.sizes import sizes

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
