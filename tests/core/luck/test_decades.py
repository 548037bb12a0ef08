"""大运 and 小运: pillars, years, ages, and which one runs at a moment."""

from datetime import UTC, datetime, timedelta

import pytest

import bazi_core as bz
from bazi_core.alphabet import Pillar
from bazi_core.errors import InvalidCoordinates
from bazi_core.luck.decades import CYCLES
from bazi_core.school import School

MALE = bz.chart("1990-05-15 13:30", city="北京", gender="male")
FEMALE = bz.chart("1990-05-15 13:30", city="北京", gender="female")


def test_ten_pillars_follow_the_month_pillar_forward_or_backward():
    month = MALE.pillars.month.index
    assert [cycle.pillar.index for cycle in MALE.luck.cycles] == [
        (month + step) % 60 for step in range(1, CYCLES + 1)
    ]
    assert [cycle.pillar.index for cycle in FEMALE.luck.cycles] == [
        (month - step) % 60 for step in range(1, CYCLES + 1)
    ]
    assert (MALE.luck.direction, FEMALE.luck.direction) == ("forward", "backward")


def test_cycles_are_ten_years_apart_and_counted_from_zero():
    for number, cycle in enumerate(MALE.luck.cycles):
        assert cycle.index == number
        assert (cycle.start_year, cycle.end_year) == (1997 + 10 * number, 2006 + 10 * number)
        assert (cycle.start_age_nominal, cycle.start_age_full) == (8 + 10 * number, 7 + 10 * number)
        assert cycle.start_at == MALE.luck.start.replace(year=1997 + 10 * number)


def test_a_start_on_29_february_is_cut_in_common_years():
    charts = (
        bz.chart(datetime(year, 1, 5) + timedelta(days=day), utc_offset=8, gender=gender)
        for year in range(1985, 2000)
        for day in range(200)
        for gender in ("male", "female")
    )
    chart = next(chart for chart in charts if (chart.luck.start.month, chart.luck.start.day) == (2, 29))
    starts = [cycle.start_at for cycle in chart.luck.cycles]
    assert [(start.month, start.day) for start in starts[:3]] == [(2, 29), (2, 28), (2, 29)]
    assert starts[2].year == starts[0].year + 20


@pytest.mark.parametrize("chart", [MALE, FEMALE], ids=["forward", "backward"])
def test_minor_luck_steps_from_the_hour_pillar_up_to_the_first_cycle(chart):
    step = 1 if chart.luck.direction == "forward" else -1
    hour = chart.pillars.hour.index
    assert [minor.pillar.index for minor in chart.luck.xiaoyun] == [
        (hour + step * age) % 60 for age in range(1, chart.luck.cycles[0].start_age_nominal + 1)
    ]
    assert [minor.year - minor.age_nominal for minor in chart.luck.xiaoyun] == [1989] * len(
        chart.luck.xiaoyun
    )


def test_minor_luck_can_be_left_out():
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male", school=School(xiaoyun="none"))
    assert chart.luck.xiaoyun == ()
    assert not any(fact.startswith("xy.") for fact in chart.facts)


def test_given_pillars_have_minor_luck_without_years():
    luck = bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").luck
    assert [minor.age_nominal for minor in luck.xiaoyun] == list(range(1, 11))
    assert {minor.year for minor in luck.xiaoyun} == {None}
    assert luck.xiaoyun[0].pillar is Pillar("癸未")
    assert (luck.start, luck.start_age, luck.start_range, luck.uncertain) == (None, None, None, False)


def test_three_given_pillars_have_no_minor_luck():
    assert bz.chart(pillars="庚午 辛巳 庚辰", gender="male").luck.xiaoyun == ()


def test_without_dates_no_cycle_is_known_to_run():
    assert (
        bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").luck.at(datetime(2000, 1, 1, tzinfo=UTC))
        is None
    )


def test_the_marks_of_a_cycle_are_those_of_its_pillar_against_the_day():
    first = MALE.luck.cycles[0]
    assert first.pillar is Pillar("壬午")
    assert (first.marks.ten_god_stem.value, first.marks.ten_god_branch.value) == ("食神", "正官")
    assert (first.marks.stage.value, first.marks.void) == ("沐浴", False)
    # 庚辰 leaves out 申酉.
    assert [cycle.marks.void for cycle in MALE.luck.cycles] == [
        cycle.pillar.branch.value in "申酉" for cycle in MALE.luck.cycles
    ]


def test_the_method_is_named_in_every_result():
    for method in ("exact_seconds", "shichen_clamp", "linear_tropical"):
        chart = bz.chart("1990-05-15 13:30", city="北京", gender="male", school=School(luck_start=method))
        assert chart.luck.method == chart.to_dict()["major_luck"]["method"] == method


def test_the_transition_is_told_in_words():
    words = MALE.to_dict()["major_luck"]["transition"]
    assert words == "出生后7年3个月1天8小时起运；逢丁年8月16日前后交运"


def test_a_start_in_january_falls_in_the_year_that_lichun_has_not_yet_ended():
    chart = bz.chart("1990-01-11 12:00", utc_offset=8, gender="female")
    start = chart.luck.start
    assert (start.month, start.day) < (2, 3)
    year_pillar = bz.chart(start).pillars.year
    assert f"逢{year_pillar.stem.value}年" in chart.to_dict()["major_luck"]["transition"]


def test_the_chart_never_speaks_of_the_thirty_first_day_of_a_month_of_thirty():
    chart = bz.chart("2026-02-04 04:02:07", utc_offset=8, gender="male")
    assert "第30天" in chart.to_text()


def test_a_longitude_half_a_world_from_its_zone_is_refused():
    # The mean time of 14.6° E, counted from the old date of Yakutat, is more than a day ahead of UTC.
    with pytest.raises(InvalidCoordinates):
        bz.chart("1804-11-04 00:22", longitude=14.6, tz="America/Yakutat", gender="female")
