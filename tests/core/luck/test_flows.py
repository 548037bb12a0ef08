"""流年 流月 流日 流时: which pillars run, from when to when."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.errors import OutOfRange
from bazi_core.school import School

CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")
DAY = date(2026, 2, 4)


def with_school(**options: str) -> bz.Chart:
    return bz.chart("1990-05-15 13:30", city="北京", school=School(**options))


@pytest.mark.parametrize("year", [1551, 1900, 1984, 2026, 2100, 2648])
def test_a_year_has_the_pillar_of_its_number_and_runs_from_lichun_to_lichun(year):
    flow = CHART.flow_year(year)
    assert flow.pillar is PILLARS[(year - 4) % 60]
    lichun = [bz.solar_terms(each)[2].utc for each in (year, year + 1)]
    assert [at.isoformat(timespec="milliseconds") + "Z" for at in (flow.start, flow.end)] == lichun
    assert (flow.kind, flow.label, flow.jie) == ("liunian", str(year), None)


def test_years_follow_each_other_without_a_gap():
    years = [CHART.flow_year(year) for year in range(1980, 2045)]
    assert all(before.end == after.start for before, after in pairwise(years))


def test_a_year_may_also_run_from_new_year_to_new_year():
    flow = with_school(liunian_boundary="lunar_new_year").flow_year(2026)
    # 2026-02-17 and 2027-02-06, 00:00 at +08:00.
    assert (flow.start, flow.end) == (datetime(2026, 2, 16, 16), datetime(2027, 2, 5, 16))
    assert flow.pillar is CHART.flow_year(2026).pillar


@pytest.mark.parametrize("year", [1500, 1549, 2649, 2650, 9999, 10**9, 0, -5])
def test_a_year_beyond_the_tables_is_out_of_range(year):
    for ask in (CHART.flow_year, CHART.flow_months):
        with pytest.raises(OutOfRange) as caught:
            ask(year)
        assert caught.value.data.keys() == {"quantity", "first", "last", "given"}


def test_twelve_months_of_a_year_run_from_jie_to_jie():
    months = CHART.flow_months(2026)
    pillars, jie = (
        [str(part) for part in each] for each in zip(*((m.pillar, m.jie) for m in months), strict=True)
    )
    assert " ".join(pillars) == "庚寅 辛卯 壬辰 癸巳 甲午 乙未 丙申 丁酉 戊戌 己亥 庚子 辛丑"
    assert " ".join(jie) == "立春 惊蛰 清明 立夏 芒种 小暑 立秋 白露 寒露 立冬 大雪 小寒"
    assert all(before.end == after.start for before, after in pairwise(months))
    year = CHART.flow_year(2026)
    assert (months[0].start, months[-1].end) == (year.start, year.end)
    assert (months[0].label, months[-1].label) == ("2026-立春", "2027-小寒")


@pytest.mark.parametrize(
    "when", ["2026-02-04 04:02:08", "2026-08-15 12:00", "2027-01-20 00:00", "2027-02-04 09:46"]
)
def test_the_flows_of_a_moment_are_its_own_year_and_month_pillar(when):
    there = bz.chart(when, utc_offset=8)
    at = datetime.fromisoformat(there.moment.utc[:-1])
    month = next(
        flow for flow in (*CHART.flow_months(2026), *CHART.flow_months(2027)) if flow.start <= at < flow.end
    )
    year = next(flow for flow in map(CHART.flow_year, (2026, 2027)) if flow.start <= at < flow.end)
    assert (year.pillar, month.pillar) == (there.pillars.year, there.pillars.month)


@pytest.mark.parametrize(
    ("boundary", "begins"), [("23:00", "2026-02-03T23:00:00"), ("00:00", "2026-02-04T00:00:00")]
)
def test_days_begin_at_the_boundary_of_the_school(boundary, begins):
    days = with_school(day_boundary=boundary).flow_days(DAY, 60)
    assert days[0].start.isoformat() == begins
    assert days[0].pillar is bz.chart("2026-02-04 12:00", utc_offset=8).pillars.day
    assert all(before.end == after.start for before, after in pairwise(days))
    assert all((after.pillar.index - before.pillar.index) % 60 == 1 for before, after in pairwise(days))
    assert days[0].label == "2026-02-04"


def test_no_days_are_no_flows():
    assert CHART.flow_days(DAY, 0) == ()


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"day_boundary": "23:00"}, 12),
        ({"day_boundary": "00:00"}, 13),
        ({"day_boundary": "00:00", "late_zi_hour_stem": "same_day"}, 13),
    ],
    ids=str,
)
def test_the_double_hours_of_a_day_have_the_pillars_of_births_in_them(options, count):
    school = School(**options)
    hours = with_school(**options).flow_hours(DAY)
    assert len(hours) == count
    assert all(before.end == after.start for before, after in pairwise(hours))
    assert hours[-1].end - hours[0].start == timedelta(days=1)
    for hour in hours:
        middle = hour.start + (hour.end - hour.start) / 2
        assert hour.pillar is bz.chart(middle, utc_offset=8, school=school).pillars.hour


def test_the_double_hours_of_neighbouring_days_meet():
    for options in ({"day_boundary": "23:00"}, {"day_boundary": "00:00"}):
        chart = with_school(**options)
        assert chart.flow_hours(DAY)[-1].end == chart.flow_hours(DAY + timedelta(days=1))[0].start


def test_the_marks_are_those_of_the_pillar_against_the_chart():
    flow = CHART.flow_year(2026)
    assert (flow.marks.ten_god_stem.value, flow.marks.ten_god_branch.value, flow.marks.stage.value) == (
        "七杀",
        "正官",
        "沐浴",
    )
    assert [CHART.flow_year(year).marks.void for year in (2028, 2029, 2030)] == [True, True, False]


def test_the_json_form_says_which_clock_the_limits_are_on():
    year, day = CHART.flow_year(2026).to_dict(), CHART.flow_days(DAY)[0].to_dict()
    assert json.loads(json.dumps([year, day])) == [year, day]
    assert year["start"] == "2026-02-03T20:02:07.951Z"
    assert day["start"] == "2026-02-03T23:00:00.000"
    assert year.keys() == day.keys()


def test_given_pillars_and_unknown_hours_have_flows_too():
    for chart in (
        bz.chart(pillars="庚午 辛巳 庚辰 壬午"),
        bz.chart("1990-05-15", city="北京", hour_unknown=True),
    ):
        assert chart.flow_year(2026).marks == CHART.flow_year(2026).marks


@pytest.mark.parametrize(("first", "count"), [(date(9999, 12, 31), 2), (date(1, 1, 1), 1)])
def test_days_beyond_the_calendar_are_out_of_range(first, count):
    with pytest.raises(OutOfRange):
        CHART.flow_days(first, count)
