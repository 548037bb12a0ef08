"""Times of birth as people type them: a table of readings, questions and refusals, and every style read back."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core import dates
from bazi_core.astro.lunar import lunar_date
from bazi_core.birth import birth
from bazi_core.errors import AmbiguousDatetime, BaziError
from bazi_core.when import LONGEST_TEXT, parse_when
from tests.tables import holds_for_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.birth import Birth

TABLE = Path(__file__).parents[2] / "data" / "golden" / "input" / "spellings.csv"
LINES = [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
ROWS = list(csv.DictReader(LINES))
READ = [row for row in ROWS if row["result"]]
ASKED = [row for row in ROWS if row["choices"]]
REFUSED = [row for row in ROWS if row["code"] and not row["choices"]]


def born(text: str) -> Birth:
    return birth(text, tz="Asia/Shanghai")


def said(found: Birth) -> str:
    return f"{found.civil.date()} {found.hour_branch}" if found.hour_branch else found.civil.isoformat(" ")


def by_text(rows: list[dict[str, str]]) -> Any:
    return holds_for_all("row", rows, lambda row: row["text"])


def test_the_table_has_both_languages_and_all_three_answers():
    assert len(ROWS) >= 120
    assert min(len(READ), len(ASKED), len(REFUSED)) >= 20
    assert len({row["text"] for row in ROWS}) == len(ROWS)


@by_text(READ)
def test_what_is_clear_is_read(row):
    found = born(row["text"])
    assert said(found) == row["result"]
    assert found.utc_offset_s == (int(row["offset"]) if row["offset"] else None)
    assert found.calendar == (row["calendar"] or "gregorian")


@by_text(ASKED)
def test_what_may_mean_several_times_asks_and_each_choice_can_be_typed(row):
    with pytest.raises(AmbiguousDatetime) as caught:
        born(row["text"])
    assert caught.value.data["choices"] == row["choices"].split("|")
    assert all(choice in caught.value.hint for choice in caught.value.data["choices"])
    meanings = [(said(found), found.utc_offset_s) for found in map(born, caught.value.data["choices"])]
    assert len(set(meanings)) == len(meanings) > 1


@by_text(REFUSED)
def test_what_cannot_be_is_refused(row):
    with pytest.raises(BaziError) as caught:
        born(row["text"])
    assert (caught.value.code, "choices" in caught.value.data) == (row["code"], False)


def test_a_refusal_says_what_to_type():
    for text in ("1990-05-15 下午", "1990-05-15 13", "1990-05-15 13:30左右"):
        with pytest.raises(BaziError, match="not a date and time") as caught:
            born(text)
        assert "下午1点半" in caught.value.hint
    with pytest.raises(BaziError, match="上午 has no hour 15") as caught:
        born("1990-05-15 上午15点")
    assert "15:00" in caught.value.hint


def test_a_day_of_the_week_that_the_date_does_not_have_is_told():
    with pytest.raises(BaziError, match="1990-05-15 was a Tuesday, not a Monday"):
        born("Monday, May 15, 1990 1:30 PM")


# Every style in which a time can be written, and what it keeps of the seconds.

ZH = "〇一二三四五六七八九"
MONTHS = [name.capitalize() for name in dates.MONTHS]


def zh(number: int) -> str:
    tens, ones = divmod(number, 10)
    return (
        ("" if tens < 2 else ZH[tens]) + ("十" if tens else "") + (ZH[ones] if ones or not tens else "")
    ) or "〇"


def twelve(at: datetime) -> int:
    return at.hour % 12 or 12


def half_of_day(at: datetime) -> str:
    return "am" if at.hour < 12 else "pm"


def part(at: datetime) -> str:
    hours = ("凌晨", 6), ("早上", 9), ("上午", 12), ("中午", 13), ("下午", 18), ("晚上", 24)
    return next(word for word, until in hours if at.hour < until)


def year_zh(at: datetime) -> str:
    return "".join(ZH[int(digit)] for digit in f"{at.year:04}")


DATES: dict[str, Callable[[datetime], str]] = {
    "iso": lambda at: f"{at:%Y-%m-%d}",
    "slashes": lambda at: f"{at.year:04}/{at.month}/{at.day}",
    "packed": lambda at: f"{at:%Y%m%d}",
    "zh": lambda at: f"{at.year:04}年{at.month}月{at.day}日",
    "zh numerals": lambda at: f"{year_zh(at)}年{zh(at.month)}月{zh(at.day)}日",
    "民國": lambda at: f"民國{at.year - 1911}年{at.month}月{at.day}日",
    "民国 numerals": lambda at: f"民国{hundreds(at.year - 1911)}年{zh(at.month)}月{zh(at.day)}日",
    "month first": lambda at: f"{MONTHS[at.month - 1]} {at.day}, {at.year:04}",
    "day first": lambda at: f"{at.day} {MONTHS[at.month - 1][:3]} {at.year:04}",
    "ordinal": lambda at: f"{at.day}th of {MONTHS[at.month - 1]} {at.year:04}",
    "dashes": lambda at: f"{at.day}-{MONTHS[at.month - 1][:3].upper()}-{at.year:04}",
    "weekday": lambda at: f"{at:%A}, {MONTHS[at.month - 1]} {at.day}, {at.year:04}",
    "星期": lambda at: f"{at.year:04}年{at.month}月{at.day}日 星期{'一二三四五六日'[at.weekday()]}",
    "农历": lambda at: lunar_date(at.date()).text(),
    "農曆": lambda at: lunar_date(at.date()).text("zh-Hant"),
    "农历 digits": lambda at: lunar_digits(at, "农历 {0.year:04}-{1}{0.month}-{0.day}", "闰"),
    "lunar": lambda at: lunar_digits(at, "lunar {0.year:04} {1}{0.month} {0.day}", "leap "),
}
TIMES: dict[str, Callable[[datetime], str]] = {
    "clock": lambda at: f" {at:%H:%M}",
    "packed": lambda at: f" {at:%H%M}",
    "am": lambda at: f" {twelve(at)}:{at.minute:02} {half_of_day(at)}",
    "p.m.": lambda at: f", {twelve(at)}.{at.minute:02} {half_of_day(at)[0]}.m.",
    "PM first": lambda at: f" {half_of_day(at).upper()} {twelve(at)}:{at.minute:02}",
    "点": lambda at: f" {at.hour}点{at.minute:02}分",
    "時": lambda at: f" {at.hour:02}時{at.minute}分",
    "numerals": lambda at: f" {zh(at.hour)}点{zh(at.minute)}分",
    "part": lambda at: f"{part(at)}{twelve(at)}点{at.minute}分" if at.hour > 0 else f"凌晨0点{at.minute}分",
    "part and clock": lambda at: f" {part(at)} {at:%H:%M}",
    "offset": lambda at: f" {at:%H:%M} UTC+8",
}


def hundreds(number: int) -> str:
    return (
        zh(number)
        if number < 100
        else f"一百{'零' if 0 < number % 100 < 10 else ''}{zh(number % 100) if number % 100 else ''}"
    )


def lunar_digits(at: datetime, form: str, leap: str) -> str:
    found = lunar_date(at.date())
    return form.format(found, leap if found.leap else "")


MOMENTS = st.datetimes(datetime(1912, 1, 1), datetime(2100, 1, 1)).map(
    lambda at: at.replace(second=0, microsecond=0)
)


@pytest.mark.parametrize("date_style", DATES)
@given(MOMENTS, st.sampled_from(sorted(TIMES)))
def test_every_style_of_a_date_and_a_time_is_read_as_written(date_style, at, time_style):
    text = DATES[date_style](at) + TIMES[time_style](at)
    assert len(text) <= LONGEST_TEXT
    assert born(text).civil == at, text


@given(st.datetimes(datetime(1600, 1, 1), datetime(2500, 1, 1)), st.sampled_from("/.- "))
def test_numbers_by_day_and_month_are_read_or_asked_and_never_turned_round(at, sign):
    text = f"{at.day:02}{sign}{at.month:02}{sign}{at.year} {at:%H:%M}"
    meanings = asked(text) or [said(born(text))]
    assert f"{at:%Y-%m-%d %H:%M}" in [meaning[:16] for meaning in meanings]
    assert (len(meanings) > 1) == (at.day <= 12 and at.day != at.month)


@given(st.datetimes(datetime(1600, 1, 1), datetime(2500, 1, 1)))
def test_the_night_asks_for_the_day_and_offers_two_that_follow_each_other(at):
    with pytest.raises(AmbiguousDatetime) as caught:
        parse_when(f"{at:%Y-%m-%d} 晚上12点")
    days = [parse_when(choice).date_text for choice in caught.value.data["choices"]]
    assert days == [f"{at:%Y-%m-%d}", f"{at + timedelta(days=1):%Y-%m-%d}"]


def asked(text: str) -> list[str]:
    """The choices of a question; nothing where a text is read or refused."""
    try:
        born(text)
    except AmbiguousDatetime as question:
        return list(question.data["choices"])
    except BaziError:
        pass
    return []


WORDS = """1990 05 15 5月 15日 农历 lunar leap 下午 晚上 中午 午 子时 1 30 : 点 半 一刻 pm a.m. May Tue 周二
二十 十三 初 廿 , - / . T Z +08:00 UTC 民国 at '90 noon midnight ( )"""
PIECES = [*WORDS.split(), " ", " ", "May 15"]


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_no_heap_of_right_pieces_makes_the_reader_stumble(pieces):
    choices = asked("".join(pieces))
    assert len(set(choices)) == len(choices) != 1
