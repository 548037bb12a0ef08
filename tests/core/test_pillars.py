"""The four pillars: the rules that fix them, the options that move them, the sets that no moment can have."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS, STEMS, Pillar
from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidPillars, OutOfRange
from bazi_core.pillars import (
    FourPillars,
    day_index,
    five_rats,
    five_tigers,
    four_pillars,
    hour_index,
    pillars_of_instant,
    year_index,
)
from bazi_core.school import School
from tests.tables import holds_for_all

# 《五虎遁》: 甲己之年丙作首，乙庚之岁戊为头，丙辛必定寻庚起，丁壬壬位顺行流，戊癸甲寅好追求.
FIRST_MONTHS = {"甲己": "丙寅", "乙庚": "戊寅", "丙辛": "庚寅", "丁壬": "壬寅", "戊癸": "甲寅"}
# 《五鼠遁》: 甲己还加甲，乙庚丙作初，丙辛从戊起，丁壬庚子居，戊癸壬子途.
FIRST_HOURS = {"甲己": "甲子", "乙庚": "丙子", "丙辛": "戊子", "丁壬": "庚子", "戊癸": "壬子"}


def ms(text: str) -> int:
    return scales.ms_of(datetime.fromisoformat(text))


@holds_for_all("stem", STEMS)
def test_the_months_of_a_year_follow_the_verse_of_the_five_tigers(stem):
    first = next(Pillar(months) for stems, months in FIRST_MONTHS.items() if stem.value in stems)
    for step in range(12):
        branch = BRANCHES[(2 + step) % 12]
        assert five_tigers(stem, branch) is PILLARS[(first.index + step) % 60]


@holds_for_all("stem", STEMS)
def test_the_hours_of_a_day_follow_the_verse_of_the_five_rats(stem):
    first = next(Pillar(hours) for stems, hours in FIRST_HOURS.items() if stem.value in stems)
    for step in range(12):
        assert five_rats(stem, BRANCHES[step]) is PILLARS[(first.index + step) % 60]


@pytest.mark.parametrize(
    ("year", "pillar"),
    [(4, "甲子"), (1924, "甲子"), (1984, "甲子"), (1990, "庚午"), (2026, "丙午"), (1550, "庚戌")],
)
def test_the_index_of_a_year_is_the_year_less_four(year, pillar):
    assert PILLARS[(year - 4) % 60].value == pillar
    if year >= terms.FIRST_YEAR:
        assert PILLARS[year_index(terms.position_of(year, bz.SolarTerm("立春")))].value == pillar


@pytest.mark.parametrize(
    ("day", "pillar"),
    [("2000-01-01", "戊午"), ("1949-10-01", "甲子"), ("1990-05-15", "庚辰"), ("0001-01-01", None)],
)
def test_the_index_of_a_day_is_its_ordinal_plus_fourteen(day, pillar):
    noon = ms(f"{day}T12:00:00")
    assert day_index(noon, True) == day_index(noon, False) == (date.fromisoformat(day).toordinal() + 14) % 60
    assert pillar is None or PILLARS[day_index(noon, True)].value == pillar


@holds_for_all("hour", range(24))
def test_the_branch_of_an_hour_is_half_of_the_next_hour(hour):
    for minute in ("00:00.000", "59:59.999"):
        index = hour_index(ms(f"2000-01-01T{hour:02}:{minute}"), 0)
        assert index % 12 == (hour + 1) // 2 % 12


# 2026 opens at 04:02:07.951 (+08:00) of 4 February.


@pytest.mark.parametrize(
    ("when", "year", "month"),
    [
        ("2026-02-04T04:02:07+08:00", "乙巳", "己丑"),
        ("2026-02-04T04:02:07.951+08:00", "丙午", "庚寅"),
        ("2026-02-04T04:02:08+08:00", "丙午", "庚寅"),
        ("2026-02-03T20:02:08+00:00", "丙午", "庚寅"),
        ("2026-02-03T15:02:07-05:00", "乙巳", "己丑"),
    ],
)
def test_year_and_month_turn_at_the_instant_of_lichun_wherever_the_clock_hangs(when, year, month):
    pillars = pillars_of_instant(datetime.fromisoformat(when), School())
    assert (pillars.year.value, pillars.month.value) == (year, month)


def test_urumqi_on_the_morning_of_lichun_2026_is_in_the_new_year_although_its_sun_is_not():
    chart = bz.chart("2026-02-04 05:00", city="Ürümqi")
    assert str(chart.pillars).split()[:2] == ["丙午", "庚寅"]
    assert chart.moment.true_solar < "2026-02-04T04:02:07"


# 23:30 and what schools make of it: day boundary, stem of the late 子 → day, hour.
LATE = {
    ("23:00", "next_day"): ("辛巳", "戊子"),
    ("23:00", "same_day"): ("辛巳", "戊子"),
    ("00:00", "next_day"): ("庚辰", "戊子"),
    ("00:00", "same_day"): ("庚辰", "丙子"),
}


@pytest.mark.parametrize(("boundary", "stem"), LATE)
def test_half_past_eleven_at_night_belongs_to_the_day_of_the_school(boundary, stem):
    school = School(day_boundary=boundary, late_zi_hour_stem=stem)
    pillars = bz.chart("1990-05-15 23:30", utc_offset=8, school=school).pillars
    assert (pillars.day.value, pillars.hour.value) == LATE[boundary, stem]


@pytest.mark.parametrize(("boundary", "stem"), LATE)
@pytest.mark.parametrize(
    ("when", "day", "hour"),
    [
        ("1990-05-15 22:59:59", "庚辰", "丁亥"),
        ("1990-05-16 00:00:00", "辛巳", "戊子"),
        ("1990-05-16 00:59:59", "辛巳", "戊子"),
    ],
)
def test_outside_the_last_hour_all_schools_agree(boundary, stem, when, day, hour):
    school = School(day_boundary=boundary, late_zi_hour_stem=stem)
    pillars = bz.chart(when, utc_offset=8, school=school).pillars
    assert (pillars.day.value, pillars.hour.value) == (day, hour)


# 2026: 立春 on 4 February, lunar new year on the 17th; 2023: new year on 22 January, 立春 on 4 February.


@pytest.mark.parametrize(
    ("when", "lichun", "new_year"),
    [
        ("2026-02-03 12:00", "乙巳", "乙巳"),
        ("2026-02-10 12:00", "丙午", "乙巳"),
        ("2026-02-16 23:59:59", "丙午", "乙巳"),
        ("2026-02-17 00:00:00", "丙午", "丙午"),
        ("2023-01-21 12:00", "壬寅", "壬寅"),
        ("2023-01-30 12:00", "壬寅", "癸卯"),
        ("2023-02-10 12:00", "癸卯", "癸卯"),
    ],
)
def test_the_year_may_also_begin_with_the_lunar_new_year(when, lichun, new_year):
    sets = [
        bz.chart(when, utc_offset=8, school=School(year_boundary=each)).pillars
        for each in ("lichun", "lunar_new_year")
    ]
    assert [pillars.year.value for pillars in sets] == [lichun, new_year]
    assert sets[0].month is sets[1].month
    assert sets[0].day is sets[1].day


def test_lunar_new_year_begins_at_midnight_of_the_clock_in_use():
    school = School(year_boundary="lunar_new_year")
    pillars = bz.chart("2026-02-17 00:10", city="Chengdu", school=school).pillars
    assert pillars.year.value == "乙巳"


@pytest.mark.parametrize(
    "when", ["1645-01-28 00:30", "1645-01-28 12:00", "2200-02-14 12:00", "2200-02-14 23:59:59"]
)
def test_the_first_and_the_last_day_of_the_lunar_calendar_have_a_year(when):
    school = School(year_boundary="lunar_new_year")
    year = bz.chart(when, utc_offset=8, school=school).pillars.year
    assert year.value == ("乙酉" if when < "1700" else "己亥")


@pytest.mark.parametrize("when", ["1645-01-27 12:00", "2200-02-15 12:00"])
def test_a_birth_beyond_the_lunar_calendar_has_no_lunar_year(when):
    with pytest.raises(OutOfRange) as caught:
        bz.chart(when, utc_offset=8, school=School(year_boundary="lunar_new_year"))
    assert caught.value.data["quantity"].replace("_", " ") == "lunar date"


# Four pillars as text.


@pytest.mark.parametrize(
    "given",
    [
        "庚午 辛巳 庚辰 壬午",
        "庚午辛巳庚辰壬午",
        "  庚午\t辛巳\n庚辰  壬午 ",
        ["庚午", "辛巳", "庚辰", "壬午"],
        ("庚午", "辛巳", "庚辰", "壬午"),
    ],
    ids=str,
)
def test_four_pillars_are_read_from_text_or_a_list(given):
    four = FourPillars.parse(given)
    assert str(four) == "庚午 辛巳 庚辰 壬午"
    assert four == FourPillars(*map(Pillar, ["庚午", "辛巳", "庚辰", "壬午"]))


@pytest.mark.parametrize("given", ["庚午 辛巳 庚辰", "庚午辛巳庚辰", ["庚午", "辛巳", "庚辰"]], ids=str)
def test_three_pillars_are_a_birth_without_its_hour(given):
    four = FourPillars.parse(given)
    assert (four.hour, str(four), four.to_dict()["hour"]) == (None, "庚午 辛巳 庚辰", None)
    assert [name for name, _ in four.items()] == ["year", "month", "day"]


@holds_for_all(
    "given",
    ["", " ", "庚午", "庚午 辛巳", "庚午 辛巳 庚辰 壬午 甲子", [], "庚午辛巳庚", "x" * 10**6],
    lambda g: str(g)[:20],
)
def test_another_number_of_pillars_is_refused(given):
    with pytest.raises(InvalidPillars) as caught:
        FourPillars.parse(given)
    assert caught.value.data["reason"] == "count"
    assert len(json.dumps(caught.value.to_dict(), ensure_ascii=False).encode()) < 1000


@holds_for_all(
    "given",
    [
        None,
        5,
        1.5,
        True,
        object(),
        [1, 2, 3],
        [None] * 4,
        b"x",
        {"year": "庚午"},
        "\ud800",
        "庚午 辛巳 庚辰 \ud800\ud800",
    ],
    lambda g: type(g).__name__,
)
def test_what_is_no_pillars_is_refused(given):
    with pytest.raises(InvalidPillars):
        FourPillars.parse(given)


@holds_for_all(
    "given, rule",
    [
        ("甲子 甲子 甲子 甲子", "五虎遁"),
        ("庚午 壬午 庚辰 壬午 ".strip(), None),
        ("庚午 辛巳 庚辰 甲申", None),
        ("庚午 辛巳 庚辰 丙申", "五鼠遁"),
        ("庚午 己巳 庚辰 壬午", "五虎遁"),
        ("庚午 辛巳 庚辰 丙子", None),
        ("庚午 辛巳 庚辰 戊子", None),
        ("庚午 辛巳 庚辰 庚子", "五鼠遁"),
    ],
)
def test_pillars_that_break_a_rule_are_refused_and_kept_when_not_strict(given, rule):
    four = FourPillars.parse(given, strict=False)
    assert str(four) == given
    if rule is None:
        assert four.impossible() is None
        assert FourPillars.parse(given) == four
        return
    assert rule in four.impossible()
    with pytest.raises(InvalidPillars) as caught:
        FourPillars.parse(given)
    broken = {"五虎遁": "five_tigers", "五鼠遁": "five_rats"}[rule]
    assert caught.value.data == {"given": given, "reason": four.impossible(), "rule": broken}


def test_the_pillars_of_an_instant_need_its_offset():
    with pytest.raises(ValueError, match="aware"):
        pillars_of_instant(datetime(2026, 2, 4, 5), School())


def test_the_pillars_of_an_instant_are_those_of_its_clock():
    when = datetime(1990, 5, 15, 13, 30, tzinfo=timezone(timedelta(hours=9)))
    assert str(pillars_of_instant(when, School())) == "庚午 辛巳 庚辰 癸未"
    moment = bz.moment(when)
    assert four_pillars(moment, School()) == pillars_of_instant(when, School())


def test_an_instant_beyond_the_tables_has_no_pillars():
    with pytest.raises(OutOfRange):
        pillars_of_instant(datetime(2700, 1, 1, tzinfo=UTC), School())
