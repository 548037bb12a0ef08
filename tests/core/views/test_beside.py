"""命卦 and 称骨: counts beside the four pillars."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.views.ming_gua import ming_gua, year_of
from tests.tables import holds_for_all

# As almanacs print them, from 1900 on; nine years on it begins again.
MEN = "坎离艮兑乾坤巽震坤"
WOMEN = "艮乾兑艮离坎坤震巽"
EAST = set("坎震巽离")


@pytest.mark.parametrize(("gender", "cycle"), [("male", MEN), ("female", WOMEN)])
def test_the_trigrams_of_two_centuries_are_those_of_the_printed_table(gender, cycle):
    # 1900 of a man is 坎, of a woman 艮.
    for year in range(1900, 2101):
        assert ming_gua(year, gender).trigram == cycle[(year - 1900) % 9], year


@pytest.mark.parametrize("gender", ["male", "female"])
def test_the_rows_of_the_three_yuan_agree_with_the_sum_of_digits(gender):
    for year in range(1900, 2101):
        digits = (year - 1) % 9 + 1
        star = (11 - digits - 1) % 9 + 1 if gender == "male" else (4 + digits - 1) % 9 + 1
        found = ming_gua(year, gender)
        assert found.star == star
        assert found.number == {5: 2 if gender == "male" else 8}.get(star, star)
        assert found.group == ("东四命" if found.trigram in EAST else "西四命")


@holds_for_all(
    "year, gender, trigram",
    [(1984, "male", "兑"), (1984, "female", "艮"), (1990, "male", "坎"), (2000, "male", "离"), (2000, "female", "乾"),
     (1864, "male", "坎"), (1924, "male", "巽"), (1864, "female", "艮"), (1924, "female", "坤")],
)  # fmt: skip
def test_known_years(year, gender, trigram):
    assert ming_gua(year, gender).trigram == trigram


@given(st.integers(1600, 2400), st.integers(-29, 29))
def test_a_year_is_found_again_by_its_pillar(year, away):
    assert year_of(PILLARS[(year - 4) % 60], year + away) == year


def test_the_year_of_the_trigram_is_that_of_the_year_pillar():
    by_lichun = bz.chart("1990-02-04 01:00", city="北京", gender="male")
    by_moon = School(year_boundary="lunar_new_year")
    assert by_lichun.pillars.year.value == "己巳"
    assert by_lichun.ming_gua == ming_gua(1989, "male")
    assert bz.chart("1990-02-04 12:00", city="北京", gender="male").ming_gua == ming_gua(1990, "male")
    # Lunar new year of 1990 was 27 January.
    assert bz.chart("1990-02-01 12:00", city="北京", gender="male", school=by_moon).ming_gua == ming_gua(
        1990, "male"
    )


def test_without_gender_or_year_there_is_no_trigram_and_without_an_hour_there_is_one():
    assert bz.chart("1990-05-15 13:30", city="北京").ming_gua is None
    assert bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").ming_gua is None
    assert bz.chart("1990-05-15", city="北京", hour_unknown=True, gender="male").ming_gua == ming_gua(
        1990, "male"
    )


def test_every_year_month_day_and_hour_has_one_weight():
    keys = [(row["part"], row["key"]) for row in rows("bone_weights")]
    assert len(keys) == len(set(keys)) == 60 + 12 + 30 + 12
    assert {key for part, key in keys if part == "year"} == {pillar.value for pillar in PILLARS}
    assert {key for part, key in keys if part == "hour"} == {branch.value for branch in BRANCHES}


def test_every_birth_weighs_between_two_liang_one_and_seven_liang_two():
    parts = {
        part: [int(row["qian"]) for row in rows("bone_weights") if row["part"] == part]
        for part in ("year", "month", "day", "hour")
    }
    sums = {sum(each) for each in product(*(set(weights) for weights in parts.values()))}
    assert 21 <= min(sums) <= max(sums) <= 72
    # The verses begin at 2.1 and have none beyond 7.2: the lightest and the heaviest birth are in reach of them.
    assert (min(sums), max(sums)) == (21, 71)


@pytest.mark.parametrize(
    ("when", "hour", "total"),
    [
        # 庚午 9, 四月 9, 廿一 10, 午 10.
        ("1990-05-15 12:30", "午", 38),
        # 癸酉 8, 六月 16, 廿三 8, 子 16.
        ("1993-08-10 00:30", "子", 48),
        # 甲子 12, 正月 6, 初一 5, 子 16.
        ("1984-02-02 00:30", "子", 39),
        # 甲辰 8, 正月 6, 初一 5, 子 16.
        ("2024-02-10 00:30", "子", 35),
    ],
)
def test_worked_examples(when, hour, total):
    chart = bz.chart(when, tz="Asia/Shanghai", school=School(time_basis="civil"))
    assert chart.pillars.hour.branch.value == hour
    assert (chart.bone_weight.total, chart.bone_weight.liang) == (total, f"{total // 10}.{total % 10}")


def test_a_leap_month_weighs_as_the_month_whose_number_it_repeats():
    leap = bz.chart("1990-06-23 12:30", tz="Asia/Shanghai")
    assert (leap.lunar.month, leap.lunar.leap) == (5, True)
    assert leap.bone_weight.month == bz.chart("1990-05-24 12:30", tz="Asia/Shanghai").bone_weight.month == 5


def test_the_late_hour_of_the_rat_weighs_with_the_day_that_its_pillar_has():
    # 1990-05-15 is 廿一 (10), the next day 廿二 (9).
    def day(boundary):
        school = School(day_boundary=boundary, time_basis="civil")
        return bz.chart("1990-05-15 23:30", tz="Asia/Shanghai", school=school).bone_weight.day

    assert (day("23:00"), day("00:00")) == (9, 10)


def test_without_a_moment_nothing_is_weighed():
    assert bz.chart(pillars="庚午 辛巳 庚辰 壬午").bone_weight is None
    assert bz.chart("1990-05-15", city="北京", hour_unknown=True).bone_weight is None


def test_both_are_facts_that_rest_on_the_birth():
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    bones, gua = chart.facts["bone.weight"], chart.facts["gua.ming"]
    expected = (38, "称骨3两8钱", ("p.time.true_solar", "p.hour.branch"))
    assert (bones.value, bones.text_zh, bones.derives_from) == expected
    assert (gua.value, gua.text_zh) == ("坎", "命卦坎，东四命")
    assert {*bones.derives_from, *gua.derives_from} <= set(chart.facts)
    told = chart.to_dict()
    assert told["bone_weight"]["total"] == 38
    assert told["ming_gua"]["group"] == "东四命"
