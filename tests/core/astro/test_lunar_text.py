"""Lunar dates as text: every accepted spelling, and why the rest is refused."""

from itertools import product

import pytest

from bazi_core.astro.lunar_text import PREFIXES, format_lunar_date, is_lunar, parse_lunar_date
from bazi_core.errors import InvalidLunarDate, UnknownOption
from tests.tables import holds_for_all, rows_of

SPELLINGS = [*rows_of("core/astro/lunar_spellings.csv"), (" \u3000农历 1990年 闰五月 初一\n", "1990 leap 5 1"), ("", ""),
             ("农历1990年五月初一\x00", "")]  # fmt: skip


@holds_for_all("text, date", SPELLINGS)
def test_every_spelling_is_understood_and_what_is_not_surely_a_lunar_date_is_refused(
    text: str, date: str
) -> None:
    if date:
        year, *leap, month, day = date.split()
        assert parse_lunar_date(text) == (int(year), int(month), leap == ["leap"], int(day))
        return
    with pytest.raises(InvalidLunarDate) as caught:
        parse_lunar_date(text)
    assert caught.value.data == {"given": text, "months": []}
    assert "农历" in caught.value.hint


@holds_for_all("prefix", PREFIXES)
def test_every_prefix_marks_a_lunar_date(prefix: str) -> None:
    text = f" {prefix}1990年4月21日"
    assert is_lunar(text)
    assert parse_lunar_date(text) == (1990, 4, False, 21)


def test_signs_that_no_other_calendar_has_and_words_call_a_date_lunar() -> None:
    assert all(
        map(is_lunar, ("1990年闰五月初一", "1990年正月十五", "1990 leap 5 1", "lunar 1990-04-21 13:30"))
    )
    others = ("1990-05-15", "公历1990年5月15日", "", "1990年五月二十", "leap year 1992")
    assert not any(map(is_lunar, others))


@pytest.mark.parametrize("text", ["农历庚午年闰五月初一", "農曆庚午年五月初一"])
def test_a_year_of_the_sixty_year_cycle_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        parse_lunar_date(text)
    assert "as a number" in caught.value.hint
    assert "sixty-year cycle" in caught.value.message


@pytest.mark.parametrize("text", ["农历" * 524_288, "年" * 1_048_576, "农历1990年五月初一" + " " * 1_000_000])
def test_a_megabyte_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        parse_lunar_date(text)
    assert len(caught.value.message) < 300
    assert len(caught.value.data["given"]) <= 101
    is_lunar(text)


@holds_for_all(
    "lang, year, month, leap, day",
    product(("zh-Hans", "zh-Hant"), (1645, 1990, 2000, 2199), range(1, 13), (False, True), range(1, 31)),
)
def test_every_name_that_is_printed_is_read_back(
    lang: str, year: int, month: int, leap: bool, day: int
) -> None:
    assert parse_lunar_date(format_lunar_date(year, month, day, leap, lang)) == (year, month, leap, day)


def test_names_of_months_and_days_are_those_of_the_almanac() -> None:
    months = [format_lunar_date(2024, month, 1, False)[7:-2] for month in range(1, 13)]
    days = [format_lunar_date(2024, 1, day, False)[9:] for day in (1, 10, 11, 19, 20, 21, 29, 30)]
    assert months == [f"{name}月" for name in "正二三四五六七八九十冬腊"]
    assert days == ["初一", "初十", "十一", "十九", "二十", "廿一", "廿九", "三十"]


def test_traditional_text_changes_only_its_four_characters_and_english_numbers_the_months() -> None:
    assert format_lunar_date(2024, 12, 21, True, "zh-Hant") == "農曆2024年閏臘月廿一"
    assert format_lunar_date(2023, 2, 29, True, "en") == "2023, leap month 2, day 29"
    assert format_lunar_date(2023, 12, 1, False, "en") == "2023, month 12, day 1"


def test_an_unknown_language_is_an_unknown_option() -> None:
    with pytest.raises(UnknownOption) as caught:
        format_lunar_date(1990, 5, 1, True, "fr")
    assert caught.value.data["allowed"] == ["zh-Hans", "zh-Hant", "en"]
