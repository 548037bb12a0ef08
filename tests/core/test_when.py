"""What a written birth time says, and everything that is refused instead of guessed."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bazi_core.alphabet import HourBranch
from bazi_core.birth import birth
from bazi_core.errors import AmbiguousDatetime, BaziError, InvalidDatetime, InvalidOffset
from bazi_core.when import gregorian, julian, parse_date, parse_offset, parse_when
from tests.tables import holds_for_all

# How the same minute is written.
SAME_MINUTE = [
    "1990-05-15 13:30", "1990-05-15T13:30", "1990-5-15 13:30", "1990/05/15 13:30", "1990.05.15 13:30",
    "1990年5月15日13时30分", "1990年5月15日 13点30分", "公历1990年5月15日 13:30", "陽曆1990年5月15號 13:30",
    "  1990-05-15   13:30  ", "１９９０－０５－１５　１３：３０",
]  # fmt: skip


@holds_for_all("text", SAME_MINUTE)
def test_a_minute_is_read_however_it_is_written(text):
    read = parse_when(text)
    assert parse_date(read.date_text) == (1990, 5, 15)
    assert (read.time, read.hour_branch, read.utc_offset_s, read.precision_s) == ((13, 30, 0), None, None, 60)


@pytest.mark.parametrize(
    ("text", "time", "precision_s"),
    [
        ("1990-05-15 13:30:59", (13, 30, 59), 1),
        ("1990-05-15 13:30:00", (13, 30, 0), 1),
        ("1990-05-15 13:30:59.999999999", (13, 30, 59), 1),
        ("1990年5月15日13时30分7秒", (13, 30, 7), 1),
        ("1990年5月15日13时", (13, 0, 0), 60),
        ("1990-05-15 0:00", (0, 0, 0), 60),
        ("1990-05-15 23:59", (23, 59, 0), 60),
    ],
)
def test_seconds_are_kept_cut_off_never_rounded_and_tell_the_precision(text, time, precision_s):
    read = parse_when(text)
    assert (read.time, read.precision_s) == (time, precision_s)


@pytest.mark.parametrize(
    ("offset", "seconds"),
    [("Z", 0), ("z", 0), ("+08:00", 28800), ("+0800", 28800), ("-03:30", -12600), ("+08:05:43", 29143), (" +08:00", 28800)],
)  # fmt: skip
def test_an_offset_after_the_time_belongs_to_the_text(offset, seconds):
    read = parse_when(f"1990-05-15 13:30{offset}")
    assert (read.time, read.utc_offset_s) == ((13, 30, 0), seconds)


@holds_for_all("name, sign", product(HourBranch.__members__, "时時"))
def test_every_double_hour_is_read_by_name(name, sign):
    assert parse_when("1990-05-15 夜子时").hour_branch is HourBranch("晚子")
    read = parse_when(f"1990-05-15 {name}{sign}")
    assert (read.date_text, read.time, read.hour_branch) == ("1990-05-15", None, HourBranch(name))
    assert read.precision_s == 1800 * HourBranch(name).length_hours


def test_a_name_may_follow_the_date_without_a_space_and_carry_an_offset():
    read = parse_when("农历1990年闰五月初一午时+08:00")
    assert (read.date_text, read.hour_branch) == ("农历1990年闰五月初一", HourBranch("午"))
    assert read.utc_offset_s == 28800


@pytest.mark.parametrize(
    ("text", "reason", "value"),
    [
        ("1990-05-15 24:00", "hour", 24),
        ("1990-05-15 25:00", "hour", 25),
        ("1990-05-15 13:60", "minute", 60),
        ("1990-05-15 13:30:60", "second", 60),
        ("1990年5月15日24时", "hour", 24),
    ],
)
def test_a_time_that_no_clock_shows_is_refused_with_the_part_that_is_wrong(text, reason, value):
    with pytest.raises(InvalidDatetime) as caught:
        parse_when(text)
    assert caught.value.data == {"field": reason, "value": value, "reason": reason}
    assert value != 24 or "00:00" in caught.value.hint


@holds_for_all(
    "text, reason",
    [
        ("2023-02-30", "day"), ("2023-02-29", "day"), ("1900-02-29", "day"), ("2023-04-31", "day"),
        ("2023-01-00", "day"), ("2023-13-01", "month"), ("2023-00-10", "month"), ("0000-01-01", "format"),
    ],
)  # fmt: skip
def test_a_date_that_no_calendar_has_is_refused_with_the_part_that_is_wrong(text, reason):
    with pytest.raises(InvalidDatetime) as caught:
        gregorian(*parse_date(text))
    assert (caught.value.data["value"], caught.value.data["reason"]) == (text, reason)


UNREADABLE = [
    "", "   ", "garbage", "today", "12023-01-01 10:00", "-1990-05-15 13:30", "1990-05-15 13:30 foo", "1990-05-15 13",
    "1990-05-15 13:30 Asia/Shanghai", "1990-05-15:30", "1990-05-15 13:3", "1990-05", "1990", "1990-05-15\x00 13:30",
    "1990-05-15 13:30 1990-05-15 13:30", "1990-05-15 13:30\x00", "\ud8001990-05-15 13:30", "1990-05-15 13:30\udfff",
    "1990\u202e-05-15 13:30", "٠١٢", "١٩٩٠-٠٥-١٥ ١٣:٣٠", "१९९०-०५-१५ १३:३०", "1990-05-15 १३:३०", "x" * 1_000_000,
    "1990-05-15 13:30" + " " * 1_000_000, "1" * 1_000_000, "农历" * 500_000, "1990-05-15 13:30:00." + "9" * 500_000,
]  # fmt: skip


def read_all(text: str) -> tuple[int, int, int]:
    return parse_date(parse_when(text).date_text)


@holds_for_all("text", UNREADABLE, lambda text: ascii(text)[:40])
def test_what_cannot_be_read_is_refused_and_the_error_can_be_sent(text):
    with pytest.raises(InvalidDatetime) as caught:
        read_all(text)
    assert caught.value.data["reason"] == "format"
    assert len(json.dumps(caught.value.to_dict(), ensure_ascii=False).encode()) < 1000


@given(
    st.text(max_size=150)
    | st.text("0123456789-:+ T年月日时分秒午子早晚Z.", max_size=40)
    | st.from_regex(r"\d{4}[-/年][01]?\d[-/月][0-3]?\d日?( [0-2]\d:[0-6]\d|[早晚]?子时)?", fullmatch=True)
)
@example("9999-12-31 23:59")
def test_a_text_is_read_or_refused_with_a_code_and_nothing_else(text):
    with suppress(InvalidDatetime, AmbiguousDatetime, InvalidOffset):
        written = read_all(text)
        assert gregorian(*written).timetuple()[:3] == written


@given(st.datetimes())
def test_every_date_and_time_is_read_as_written(moment):
    moment = moment.replace(microsecond=0)
    read = parse_when(moment.isoformat(" "))
    assert (*parse_date(read.date_text), *(read.time or ())) == moment.timetuple()[:6]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ((1582, 10, 5), "1582-10-15"), ((1582, 10, 4), "1582-10-14"), ((1900, 2, 29), "1900-03-13"),
        ((1917, 10, 25), "1917-11-07"), ((1700, 2, 29), "1700-03-11"), ((4, 2, 29), "0004-02-27"),
    ],
)  # fmt: skip
def test_julian_dates_are_turned_into_gregorian_ones(written, day):
    assert julian(*written).isoformat() == day


def test_the_julian_calendar_counts_every_day_once():
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    written = (
        (year, month, day)
        for year in range(1500, 1801)
        for month in range(1, 13)
        for day in range(1, lengths[month - 1] + (year % 4 == 0 and month == 2) + 1)
    )
    days = [julian(*each).toordinal() for each in written]
    assert days == list(range(date(1500, 1, 10).toordinal(), date(1801, 1, 12).toordinal() + 1))


@pytest.mark.parametrize(
    "written",
    [(1900, 2, 30), (1901, 2, 29), (1900, 13, 1), (1900, 0, 1), (1900, 1, 0), (0, 1, 1), (9999, 1, 1)],
)
def test_a_date_that_the_julian_calendar_lacks_is_refused(written):
    with pytest.raises(InvalidDatetime):
        julian(*written)


@holds_for_all(
    "offset, seconds",
    [
        ("+08:00", 28800), ("-08:00", -28800), ("08:00", 28800), ("+8", 28800), ("8", 28800), ("-3.5", -12600),
        ("+0530", 19800), ("+08:05:43", 29143), ("Z", 0), ("UTC", 0), ("GMT+8", 28800), ("utc -3:30", -12600),
        ("东八区", 28800), (" +08:00 ", 28800), (8, 28800), (5.75, 20700), (0, 0), (-0.0, 0), ("+16:00", 57600),
        (timedelta(hours=8), 28800), (timedelta(seconds=29143), 29143), (-16, -57600),
    ],
)  # fmt: skip
def test_an_offset_is_read_from_text_hours_or_a_timedelta(offset, seconds):
    assert parse_offset(offset) == seconds


@holds_for_all(
    "offset",
    ["", "x", "+", "+8:0", "+08:60", "+16:00:01", "-17:00", "+99:99", 17, -16.01, 480, 1e300, timedelta(days=1), True,
     False, float("nan"), float("inf"), -float("inf"), "x" * 1_000_000, "\ud800", "8\x00", timedelta.max,
     None, [], {}, object(), b"+08:00", 10**5000, "٨"],
    lambda offset: f"{type(offset).__name__} {offset if isinstance(offset, float) else ''}",
)  # fmt: skip
def test_what_is_not_an_offset_of_at_most_sixteen_hours_is_refused(offset):
    with pytest.raises(InvalidOffset) as caught:
        parse_offset(offset)
    assert caught.value.data.keys() == {"value", "accepted"}
    assert len(json.dumps(caught.value.to_dict(), ensure_ascii=False).encode()) < 1000


def test_what_may_be_an_offset_or_a_span_of_time_says_what_each_way_of_writing_means():
    with pytest.raises(AmbiguousDatetime) as caught:
        parse_when("1990-05-15 07:30-08:00")
    assert caught.value.advice("en") == (
        "write '1990-05-15 07:30 UTC-08:00' if the clock stood at UTC-08:00, "
        "or '1990-05-15 辰时' if the birth was between 07:30 and 08:00 (the double hour 辰)"
    )
    assert "若指從 07:30 到 08:00 這一段（辰時）" in caught.value.advice("zh-Hant")
    clock, span = caught.value.data["choices"]
    assert (parse_when(clock).utc_offset_s, parse_when(span).hour_branch.value) == (-28800, "辰")


@pytest.mark.parametrize(
    ("minutes", "hint"), [(480, True), (-480, True), (60, True), (59, False), (17, False)]
)
def test_an_offset_of_sixty_or_more_is_taken_for_minutes_in_the_hint_only(minutes, hint):
    with pytest.raises(InvalidOffset) as caught:
        parse_offset(minutes)
    assert ("hours, not minutes" in caught.value.hint) is hint


@pytest.mark.parametrize(
    ("korean", "usual"),
    [
        ("1990년 5월 15일 오후 2시", "1990-05-15 14:00"),
        ("1990년 5월 15일 오후 1시 30분", "1990-05-15 13:30"),
        ("1990-05-15 오전 9시", "1990-05-15 09:00"),
        ("양력 1990년 5월 15일 14:05", "1990-05-15 14:05"),
        ("1990년 5월 15일 화요일 저녁 7시", "1990-05-15 19:00"),
        ("음력 1990년 4월 21일 오후 1시 반", "农历1990年四月廿一 13:30"),
        ("음력 1990년 윤5월 1일 오전 9시", "农历1990年闰五月初一 09:00"),
    ],
)
def test_korean_words_of_a_date_are_read(korean, usual):
    assert birth(korean, city="Seoul").civil == birth(usual, city="Seoul").civil


@pytest.mark.parametrize("text", ["1990년 5월 15일 자정", "1990년 5월 15일 쯤 2시", "오후"])
def test_korean_that_may_mean_several_times_or_none_is_refused(text):
    with pytest.raises(BaziError):
        birth(text, city="Seoul")


@pytest.mark.parametrize(
    ("text", "time", "zones"),
    [
        ("1990-05-15 13:30 CST", "1990-05-15 13:30", ["Asia/Shanghai", "America/Chicago"]),
        ("1990-05-15 1:30 pm Asia/Seoul", "1990-05-15 1:30 pm", ["Asia/Seoul"]),
        ("1990-05-15 13:30 China Standard Time", "1990-05-15 13:30", ["Asia/Shanghai"]),
    ],
)
def test_a_zone_behind_the_time_is_asked_for_apart_with_those_it_may_be(text, time, zones):
    with pytest.raises(BaziError) as refused:
        birth(text, city="北京")
    assert refused.value.code == "INVALID_DATETIME"
    assert repr(time) in refused.value.hint
    assert all(zone in refused.value.hint for zone in zones)
