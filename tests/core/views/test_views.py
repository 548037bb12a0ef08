"""The views of the pillars: columns, voids, stages, commanders, palaces."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar, SolarTerm
from bazi_core.astro import scales, terms
from bazi_core.pillars import FourPillars, five_tigers
from bazi_core.school import School
from bazi_core.views.columns import columns
from bazi_core.views.cycles import is_void, void_branches, xun
from bazi_core.views.hidden import siling
from bazi_core.views.palaces import ming_gong, month_number, shen_gong, tai_xi, tai_yuan
from tests.tables import holds_for_all

FOUR = FourPillars.parse("庚午 辛巳 庚辰 壬午")


# Columns.


def test_a_column_holds_what_is_read_off_its_pillar():
    year, month, day, hour = columns(FOUR, School())
    assert (year.ten_god.value, month.ten_god.value, day.ten_god, hour.ten_god.value) == (
        "比肩", "劫财", None, "食神",
    )  # fmt: skip
    assert [[each.stem.value for each in column.hidden] for column in (year, month, day)] == [
        ["丁", "己"],
        ["丙", "庚", "戊"],
        ["戊", "乙", "癸"],
    ]
    assert [[god.value for god in column.hidden_gods] for column in (year, day)] == [
        ["正官", "正印"],
        ["偏印", "正财", "伤官"],
    ]
    assert [column.nayin for column in (year, month, day, hour)] == ["路旁土", "白蜡金", "白蜡金", "杨柳木"]
    assert [column.stage_day_master.value for column in (year, month, day, hour)] == [
        "沐浴", "长生", "养", "沐浴",
    ]  # fmt: skip
    assert [column.stage_self.value for column in (year, month, day, hour)] == ["沐浴", "死", "养", "胎"]
    assert [column.xun.value for column in (year, month, day, hour)] == ["甲子", "甲戌", "甲戌", "甲戌"]


def test_an_unknown_hour_has_no_column():
    assert [column.position for column in columns(FourPillars.parse("庚午 辛巳 庚辰"), School())] == [
        "year",
        "month",
        "day",
    ]


# 旬 and 空亡.


def test_the_ten_pillars_of_a_xun_leave_out_two_branches():
    for head in PILLARS[::10]:
        ten = PILLARS[head.index : head.index + 10]
        assert {xun(pillar) for pillar in ten} == {head}
        left_out = set(BRANCHES) - {pillar.branch for pillar in ten}
        assert all(set(void_branches(pillar)) == left_out for pillar in ten)
        assert all(first.index + 1 == second.index for first, second in map(void_branches, ten))


@pytest.mark.parametrize("anchor", ["day", "year", "both"])
def test_a_branch_is_void_for_the_pillar_of_the_school(anchor):
    for day in PILLARS[::7]:
        for year in PILLARS[::11]:
            expected = {
                "day": set(void_branches(day)),
                "year": set(void_branches(year)),
                "both": {*void_branches(day), *void_branches(year)},
            }[anchor]
            assert {branch for branch in BRANCHES if is_void(branch, day, year, anchor)} == expected


def test_the_void_flag_of_a_column_follows_the_anchor():
    four = FourPillars.parse("甲戌 丙子 甲子 甲戌")
    flags = {
        anchor: [column.void for column in columns(four, School(void_anchor=anchor))]
        for anchor in ("day", "year", "both")
    }
    # 甲子 leaves out 戌亥, 甲戌 申酉.
    assert flags == {
        "day": [True, False, False, True],
        "year": [False] * 4,
        "both": [True, False, False, True],
    }


# 司令.


def moment_in_month(position: int, share: float) -> bz.SolarMoment:
    """A moment at a share of the month that begins with the 节 at a position."""
    start, end = terms.instant(position), terms.instant(position + 2)
    utc_ms = scales.utc_from_tt(start + round((end - start) * share))
    return bz.moment(scales.datetime_of(utc_ms // 1000 * 1000).isoformat(" "), utc_offset=0)


@pytest.mark.parametrize(
    ("share", "stem"),
    [(0.01, "戊"), (6.9 / 30, "戊"), (7.1 / 30, "丙"), (13.9 / 30, "丙"), (14.1 / 30, "甲"), (0.999, "甲")],
)
def test_the_commander_of_the_month_of_yin_changes_after_seven_and_fourteen_days(share, stem):
    found = siling(moment_in_month(terms.position_of(1990, SolarTerm("立春")), share))
    assert found.stem.value == stem
    assert found.day_in_month == pytest.approx(share * 30, abs=0.001)


def test_the_real_month_is_scaled_to_thirty_days_so_that_the_list_always_fits():
    for term in SolarTerm:
        if term.is_jie:
            position = terms.position_of(2000, term)
            days = [siling(moment_in_month(position, share)).day_in_month for share in (0.001, 0.5, 0.9999)]
            assert all(0 <= day < 30 for day in days)
            assert all(before < after for before, after in pairwise(days))


def test_the_first_moment_of_a_month_is_day_zero_of_its_first_commander():
    chart = bz.chart("2026-02-04 04:02:08", utc_offset=8)
    assert (chart.siling.stem.value, chart.siling.day_in_month) == ("戊", 0.0)
    before = bz.chart("2026-02-04 04:02:07", utc_offset=8)
    assert (before.siling.stem.value, before.siling.day_in_month) == ("己", 30.0)


def test_the_commander_follows_the_table_of_the_school():
    moment = moment_in_month(terms.position_of(1990, SolarTerm("立秋")), 8 / 30)
    assert [siling(moment, table).stem.value for table in ("common_30", "china_testing")] == ["壬", "戊"]


# Palaces.


def test_tai_yuan_is_the_next_stem_and_the_third_branch_on():
    for month in PILLARS:
        found = tai_yuan(month)
        expected = ((month.stem.index + 1) % 10, (month.branch.index + 3) % 12)
        assert (found.stem.index, found.branch.index) == expected


def test_tai_xi_is_the_partner_of_the_day_in_both_combinations():
    combined = dict(zip("甲乙丙丁戊己庚辛壬癸", "己庚辛壬癸甲乙丙丁戊", strict=True))
    joined = dict(zip("子丑寅卯辰巳午未申酉戌亥", "丑子亥戌酉申未午巳辰卯寅", strict=True))
    for day in PILLARS:
        assert tai_xi(day).value == combined[day.stem.value] + joined[day.branch.value]
        assert tai_xi(tai_xi(day)) is day


@holds_for_all("month, hour", product(range(1, 13), BRANCHES))
def test_ming_gong_makes_fourteen_or_twenty_six_with_month_and_hour(month, hour):
    year = Pillar("庚午")
    found = ming_gong(year, month, hour)
    number = (found.branch.index - 2) % 12 + 1
    assert month + (hour.index - 2) % 12 + 1 + number in (14, 26)
    assert found is five_tigers(year.stem, found.branch)


@holds_for_all("month, hour", product(BRANCHES, BRANCHES))
def test_shen_gong_adds_the_hour_from_zi_to_the_month_from_yin(month, hour):
    found = shen_gong(Pillar("甲子"), month, hour)
    total = (month.index - 2) % 12 + 1 + hour.index + 1
    assert ((found.branch.index - 2) % 12 + 1 - total) % 12 == 0


@pytest.mark.parametrize(
    ("term", "jie", "zhongqi"),
    [
        ("立春", 1, 1), ("雨水", 1, 2), ("惊蛰", 2, 2), ("春分", 2, 3), ("冬至", 11, 12), ("小寒", 12, 12),
        ("大寒", 12, 1),
    ],
)  # fmt: skip
def test_the_month_of_ming_gong_may_advance_at_the_zhongqi(term, jie, zhongqi):
    moment = bz.moment(
        scales.datetime_of(
            scales.utc_from_tt(terms.instant(terms.position_of(1990, SolarTerm(term)))) // 1000 * 1000 + 5000
        ).isoformat(" "),
        utc_offset=0,
    )
    branch = SolarTerm(term).month_branch
    assert month_number(branch, moment, "jie") == jie
    assert month_number(branch, moment, "zhongqi") == zhongqi


def test_given_pillars_have_no_zhongqi():
    assert month_number(Branch("巳"), None, "zhongqi") == 4
    chart = bz.chart(pillars=str(FOUR), school=School(ming_month="zhongqi"))
    assert chart.ming_gong is bz.chart(pillars=str(FOUR)).ming_gong
