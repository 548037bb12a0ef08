"""The time of a cast: RFC 3339, pillars of instant and clock, boundaries, what is told beside them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.alphabet import PILLARS
from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidDatetime, InvalidOffset, OutOfRange, TimeNeedsOffset
from bazi_core.liuyao import calendar as cal
from bazi_core.pillars import four_pillars
from bazi_core.school import OPTIONS, School
from tests.core.liuyao.casts import AT
from tests.tables import holds_for_all

SCHOOL = School()
LINES = "789876"


def pillars(at: str | datetime, **school: str) -> str:
    chosen = School(**school)
    return str(four_pillars(cal.moment_of(at, chosen), cal.civil_school(chosen)))


@holds_for_all(
    "at, utc",
    [
        (AT, "2026-04-03T12:30:00.000Z"),
        ("2026-04-03t20:30:00+08:00", "2026-04-03T12:30:00.000Z"),
        ("2026-04-03T12:30:00Z", "2026-04-03T12:30:00.000Z"),
        ("2026-04-03T12:30:00z", "2026-04-03T12:30:00.000Z"),
        ("2026-04-03T20:30+08:00", "2026-04-03T12:30:00.000Z"),
        ("2026-04-03T20:30:00.5+08:00", "2026-04-03T12:30:00.500Z"),
        ("2026-04-03T20:30:00.123456789+08:00", "2026-04-03T12:30:00.123Z"),
        ("2026-04-03T20:30:59.999999999+08:00", "2026-04-03T12:30:59.999Z"),
        ("2026-04-03T12:30:00+00:00", "2026-04-03T12:30:00.000Z"),
        ("2026-04-03T04:00:00-08:30", "2026-04-03T12:30:00.000Z"),
        ("2026-04-04T04:30:00+16:00", "2026-04-03T12:30:00.000Z"),
        ("2026-04-02T20:30:00-16:00", "2026-04-03T12:30:00.000Z"),
        ("2024-02-29T00:00:00+00:00", "2024-02-29T00:00:00.000Z"),
        (datetime(2026, 4, 3, 20, 30, tzinfo=timezone(timedelta(hours=8))), "2026-04-03T12:30:00.000Z"),
        (datetime(2026, 4, 3, 12, 30, 0, 999, tzinfo=UTC), "2026-04-03T12:30:00.000Z"),
        (datetime(2026, 4, 3, 12, 30, 0, 1999, tzinfo=UTC), "2026-04-03T12:30:00.001Z"),
    ],
)  # fmt: skip
def test_a_time_with_its_offset_is_an_instant(at, utc):
    assert cal.moment_of(at, SCHOOL).utc == utc


@holds_for_all(
    "at",
    [
        "2026-04-03 20:30:00+08:00", "20260403T203000+0800", "20260403T20:30:00+08:00", "2026-04-03T203000+08:00",
        "2026-04-03T20:30:00+0800", "2026-04-03T20:30:00+08", "2026-04-03T20:30:00.+08:00",
        "2026-04-03T20:30:00.1234567890Z",
        "2026-04-03T20:30:00,5+08:00", "2026-04-03T20+08:00", "2026-04-03", "2026-04-03T", "T20:30:00Z",
        "26-04-03T20:30:00Z",
        "2026-4-3T20:30:00Z", "2026-04-03T20:30:00 +08:00", " 2026-04-03T20:30:00Z", "2026-04-03T20:30:00Z ",
        "2026-04-03T20:30:00Z\n",
        "2026-W14-5T20:30:00Z", "2026-093T20:30:00Z", "+2026-04-03T20:30:00Z", "-2026-04-03T20:30:00Z",
        "２０２６-04-03T20:30:00Z",
        "2026-04-03T20:30:00+08:00[Asia/Shanghai]", "2026-04-03T20:30:00Asia/Shanghai", "now", "", "\ud800", "x" * 10**6,
        "0" * 65,
        None, 5, 1775219400.0, True, [], {}, b"2026-04-03T20:30:00Z", date(2026, 4, 3),
    ],
)  # fmt: skip
def test_any_other_form_is_refused(at):
    with pytest.raises(InvalidDatetime) as caught:
        cal.moment_of(at, SCHOOL)
    assert caught.value.data["reason"] == "format"
    assert caught.value.data["field"] == "at"
    assert len(caught.value.data["value"].encode()) <= 160
    assert (caught.value.code, caught.value.exit_status) == ("INVALID_DATETIME", 4)


@holds_for_all(
    "at, reason",
    [
        ("2026-02-29T00:00:00Z", "day"), ("2026-04-31T00:00:00Z", "day"), ("2026-04-00T00:00:00Z", "day"),
        ("2026-13-01T00:00:00Z", "month"), ("2026-00-01T00:00:00Z", "month"), ("2026-04-03T24:00:00Z", "hour"),
        ("2026-04-03T20:60:00Z", "minute"), ("2026-04-03T20:30:60Z", "second"), ("2016-12-31T23:59:60Z", "second"),
        ("0000-01-01T00:00:00Z", "year"),
    ],
)  # fmt: skip
def test_a_reading_that_no_clock_has_is_refused(at, reason):
    with pytest.raises(InvalidDatetime) as caught:
        cal.moment_of(at, SCHOOL)
    assert caught.value.data == {"field": "at", "value": at, "reason": reason}


@pytest.mark.parametrize(
    "at",
    ["2026-04-03T20:30:00", "2026-04-03T20:30", "2026-04-03T20:30:00-00:00", datetime(2026, 4, 3, 20, 30)],
)
def test_a_time_without_a_known_offset_is_refused(at):
    with pytest.raises(TimeNeedsOffset) as caught:
        cal.moment_of(at, SCHOOL)
    assert caught.value.data == {"given": at if isinstance(at, str) else at.isoformat()}
    assert (caught.value.code, caught.value.exit_status) == ("TIME_NEEDS_OFFSET", 4)
    assert cal.ACCEPTED in caught.value.hint


class Odd(tzinfo):
    """A zone half a second from a whole one."""

    def utcoffset(self, at: datetime | None) -> timedelta:
        return timedelta(hours=8, microseconds=500_000)

    def dst(self, at: datetime | None) -> None:
        return None


@pytest.mark.parametrize(
    "at",
    [
        "2026-04-03T20:30:00+16:01", "2026-04-03T20:30:00-16:01", "2026-04-03T20:30:00+24:00", "2026-04-03T20:30:00+08:60",
        "2026-04-03T20:30:00+99:99", datetime(2026, 4, 3, 20, 30, tzinfo=timezone(timedelta(hours=17))),
        datetime(2026, 4, 3, 20, 30, tzinfo=Odd()),
    ],
)  # fmt: skip
def test_an_offset_that_is_none_is_refused(at):
    with pytest.raises(InvalidOffset) as caught:
        cal.moment_of(at, SCHOOL)
    assert {"value", "accepted"} == set(caught.value.data)
    assert caught.value.exit_status == 4


@pytest.mark.parametrize("at", ["1400-01-01T00:00:00Z", "1550-12-31T23:59:59Z", "2649-01-01T00:00:00Z",
"2700-06-01T00:00:00+08:00",
                                "0001-01-01T00:00:00+08:00", "9999-12-31T23:59:59-08:00"])  # fmt: skip
def test_an_instant_beyond_the_tables_is_out_of_range(at):
    with pytest.raises(OutOfRange) as caught:
        cal.moment_of(at, SCHOOL)
    assert {"quantity", "first", "last", "given"} <= set(caught.value.data)
    assert (caught.value.code, caught.value.exit_status) == ("OUT_OF_RANGE", 5)


def test_an_offset_with_seconds_is_that_of_an_aware_datetime_only():
    at = datetime(1900, 1, 1, 12, tzinfo=timezone(timedelta(seconds=29_143)))
    assert cal.moment_of(at, SCHOOL).utc == "1900-01-01T03:54:17.000Z"
    assert cal.moment_of(at, SCHOOL).utc_offset_s == 29_143


def test_of_a_repeated_reading_the_fold_decides():
    from zoneinfo import ZoneInfo

    first = datetime(2025, 11, 2, 1, 30, tzinfo=ZoneInfo("America/New_York"))
    assert cal.moment_of(first, SCHOOL).utc_offset_s == -14_400
    assert cal.moment_of(first.replace(fold=1), SCHOOL).utc_offset_s == -18_000


def test_year_and_month_follow_the_instant_day_and_hour_the_clock():
    assert pillars("2026-02-04T05:00:00+08:00").split()[:2] == ["丙午", "庚寅"]
    # The same instant a day earlier on the clock of Honolulu.
    assert pillars("2026-02-03T11:00:00-10:00") == "丙午 庚寅 戊申 戊午"
    assert pillars("2026-02-04T05:00:00+08:00") == "丙午 庚寅 己酉 丁卯"


def every_jie() -> list[int]:
    """Positions of all 节 from 1901 to 2099."""
    first, last = (scales.ms_of(datetime(year, 1, 1)) for year in (1901, 2100))
    found = range(terms.position(first), terms.position(last) + 1)
    return [at for at in found if terms.term_at(at).is_jie and first <= terms.instant(at) < last]


def iso(utc_ms: int, offset_s: int = 0) -> str:
    wall = scales.datetime_of(utc_ms + offset_s * 1000)
    sign, minutes = "-" if offset_s < 0 else "+", abs(offset_s) // 60
    return f"{wall.isoformat(timespec='milliseconds')}{sign}{minutes // 60:02}:{minutes % 60:02}"


@pytest.mark.exhaustive
def test_the_month_turns_at_the_millisecond_of_every_jie_of_two_centuries():
    positions = every_jie()
    assert len(positions) == 199 * 12
    for at in positions:
        utc_ms = scales.utc_from_tt(terms.instant(at), SCHOOL.future_utc)
        before, after = (pillars(iso(ms)).split() for ms in (utc_ms - 1, utc_ms))
        months = PILLARS.index(bz.Pillar(before[1])), PILLARS.index(bz.Pillar(after[1]))
        assert (months[1] - months[0]) % 60 == 1
        assert (before[0] != after[0]) == (terms.term_at(at).value == "立春")


def test_the_same_instant_at_any_two_offsets_has_one_year_and_one_month_pillar():
    for at in every_jie()[::97]:
        utc_ms = scales.utc_from_tt(terms.instant(at), SCHOOL.future_utc)
        for ms in (utc_ms - 1, utc_ms, utc_ms + 3_600_000):
            found = {tuple(pillars(iso(ms, offset)).split()[:2]) for offset in range(-57_600, 57_601, 5_400)}
            assert len(found) == 1


def test_a_time_a_minute_before_a_jie_and_one_after_it_on_one_day_have_two_months():
    # 清明 2026 is at 18:39:59.7 UTC on 4 April, which is 02:39:59.7 on the 5th at +08:00.
    assert pillars("2026-04-05T02:39:59+08:00").split()[1] == "辛卯"
    assert pillars("2026-04-05T02:40:00+08:00").split()[1] == "壬辰"
    assert pillars("2026-04-04T18:39:59+00:00").split()[1] == "辛卯"
    assert pillars("2026-04-05T02:40:00+00:00").split()[1] == "壬辰"


def test_the_day_turns_at_twenty_three_or_at_midnight():
    late, early = "2026-04-03T23:00:00+08:00", "2026-04-03T22:59:59+08:00"
    assert pillars(early).split()[2:] == ["丁未", "辛亥"]
    assert pillars(late).split()[2:] == ["戊申", "壬子"]
    assert pillars(late, day_boundary="00:00").split()[2:] == ["丁未", "壬子"]
    same = pillars(late, day_boundary="00:00", late_zi_hour_stem="same_day")
    assert same.split()[2:] == ["丁未", "庚子"]
    assert pillars("2026-04-04T00:00:00+08:00", day_boundary="00:00").split()[2:] == ["戊申", "壬子"]


@pytest.mark.parametrize("name", ["time_basis", "year_boundary"])
def test_solar_time_and_lunar_new_year_are_set_aside(name):
    for value in OPTIONS[name]:
        school = School(**{name: value})
        chart = ly.derive(LINES, "2026-02-10T12:00:00+08:00", school=school)
        assert str(chart.year) == "丙午"
        told = chart.analyze().to_dict(facts=False)["policies"]
        assert (told["time_basis"], told["year_boundary"]) == ("civil", "lichun")


def test_what_the_pillars_rest_on_is_told():
    found = ly.derive(LINES, AT).analyze().to_dict(facts=False)["calendar"]
    prev, following = found.pop("prevJie"), found.pop("nextJie")
    assert found.pop("tablesVersion")
    assert found == {
        "utc": "2026-04-03T12:30:00.000Z", "utcOffsetS": 28_800, "dayBoundary": "23:00", "effectiveDate": "2026-04-03",
        "futureUtc": "utc_frozen",
    }  # fmt: skip
    assert (prev["name"], following["name"]) == ("惊蛰", "清明")
    assert prev["distanceS"] < 0 < following["distanceS"]
    until = datetime.fromisoformat(following["utc"]) - datetime.fromisoformat("2026-04-03T12:30:00Z")
    assert until.total_seconds() == following["distanceS"]


@pytest.mark.parametrize(
    ("at", "boundary", "day"),
    [
        ("2026-04-03T22:59:59+08:00", "23:00", "2026-04-03"), ("2026-04-03T23:00:00+08:00", "23:00", "2026-04-04"),
        ("2026-04-03T23:59:59+08:00", "00:00", "2026-04-03"), ("2026-04-04T00:00:00+08:00", "00:00", "2026-04-04"),
        ("2026-12-31T23:30:00-05:00", "23:00", "2027-01-01"),
    ],
)  # fmt: skip
def test_the_effective_date_is_that_of_the_day_pillar(at, boundary, day):
    school = School(day_boundary=boundary)
    assert cal.effective_date(cal.moment_of(at, school), school).isoformat() == day


@pytest.mark.parametrize(
    ("at", "kinds"),
    [
        (AT, []), ("2026-04-05T02:40:30+08:00", ["jie"]), ("2026-04-03T20:59:30+08:00", ["hour"]),
        ("2026-04-03T22:59:00+08:00", ["day"]), ("2026-04-03T23:01:30+08:00", ["day"]),
    ],
)  # fmt: skip
def test_a_boundary_nearby_is_told_with_the_pillars_across_it(at, kinds):
    chart = ly.derive(LINES, at)
    found = [each for each in chart.analyze().warnings if each.code == "NEAR_BOUNDARY"]
    assert [each.data["kind"] for each in found] == kinds
    for each in found:
        other = each.data["alternative_pillars"]
        assert " ".join(other.values()) != f"{chart.year} {chart.month} {chart.day} {chart.hour}"


def test_midnight_is_a_boundary_when_the_day_begins_there():
    chart = ly.derive(LINES, "2026-04-03T23:59:30+08:00", school=School(day_boundary="00:00"))
    assert [each.data["kind"] for each in chart.analyze().warnings] == ["day"]


def test_after_the_leap_second_list_the_policy_is_told():
    codes = [each.code for each in ly.derive(LINES, "2080-06-01T12:00:00+08:00").analyze().warnings]
    assert codes == ["FUTURE_UTC_POLICY"]
    assert ly.derive(LINES, AT).analyze().warnings == ()


def test_doubts_of_births_do_not_touch_a_cast():
    # Before 1734, without a place and with a longitude unknown: none of that matters here.
    assert ly.derive(LINES, "1700-06-01T12:00:00+08:00").analyze().warnings == ()
