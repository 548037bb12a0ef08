"""Lunar dates as text: every accepted spelling, and why the rest is refused."""

import pytest

from bazi_core.astro.lunar_text import PREFIXES, format_lunar_date, is_lunar, parse_lunar_date
from bazi_core.errors import InvalidLunarDate, UnknownOption
from tests.tables import holds_for_all

SPELLINGS = {
    "农历1990年闰五月初一": (1990, 5, True, 1),
    "農曆一九九〇年閏五月初一": (1990, 5, True, 1),
    "农历一九九零年闰5月1日": (1990, 5, True, 1),
    "农历1990年5月1日": (1990, 5, False, 1),
    "农历1990年05月01号": (1990, 5, False, 1),
    "農曆1990年5月30號": (1990, 5, False, 30),
    "农历１９９０年５月１０日": (1990, 5, False, 10),
    " \u3000农历 1990年 闰五月 初一\n": (1990, 5, True, 1),
    "阴历二〇二三年闰二月廿九": (2023, 2, True, 29),
    "陰曆2023年二月二十九": (2023, 2, False, 29),
    "旧历2024年正月初十": (2024, 1, False, 10),
    "舊曆2024年一月十日": (2024, 1, False, 10),
    "夏历2024年冬月卅": (2024, 11, False, 30),
    "夏曆2024年十一月三十": (2024, 11, False, 30),
    "农历2024年腊月廿": (2024, 12, False, 20),
    "農曆2024年臘月二十": (2024, 12, False, 20),
    "农历2024年十二月十九": (2024, 12, False, 19),
    "农历2024年12月19日": (2024, 12, False, 19),
    "农历2033年闰冬月初一": (2033, 11, True, 1),
    "农历2033年闰十一月初一": (2033, 11, True, 1),
    "1990年闰五月初一": (1990, 5, True, 1),
    "1990年正月十五": (1990, 1, False, 15),
    "农历1990-05-01": (1990, 5, False, 1),
    "农历 1990-4-21": (1990, 4, False, 21),
    "农历19900421": (1990, 4, False, 21),
    "农历1990年4月初1": (1990, 4, False, 1),
    "农历1990年闰5月初10": (1990, 5, True, 10),
    "农历1990年闰5月1日": (1990, 5, True, 1),
    "农历 1990 闰5 1": (1990, 5, True, 1),
    "1990-05-01（农历）闰月": (1990, 5, True, 1),
    "1990年4月21日（农历）": (1990, 4, False, 21),
    "lunar 1990-04-21": (1990, 4, False, 21),
    "Lunar 1990 leap 5 1": (1990, 5, True, 1),
    "LUNAR 1990-leap 5-1": (1990, 5, True, 1),
    "lunar 1990-05-01 leap": (1990, 5, True, 1),
    "lunar 1990 month 4 day 21": (1990, 4, False, 21),
    "lunar date: 1990/4/21": (1990, 4, False, 21),
    "1990-04-21 lunar": (1990, 4, False, 21),
    "1990, leap month 5, day 1": (1990, 5, True, 1),
    "农历民国79年四月廿一": (1990, 4, False, 21),
    "民國七十九年農曆四月廿一": (1990, 4, False, 21),
}

REFUSED = [
    "",
    "农历",
    "1990-05-01",
    "19900501",
    "农历1990-05-31",
    "农历05/01/1990",
    "1990年5月1日",
    "一九九〇年五月二十",
    "农历90年五月初一",
    "农历1990年十三月初一",
    "农历1990年13月1日",
    "农历1990年0月1日",
    "农历1990年五月初十一",
    "农历1990年五月卅一",
    "农历1990年五月31日",
    "农历1990年五月初一午时",
    "农历1990年五月",
    "农历1990年闰闰五月初一",
    "公历1990年五月初一",
    "农历١٩٩٠年五月初一",
    "农历1990年五月初一\x00",
]


@holds_for_all("text", SPELLINGS)
def test_every_spelling_is_understood(text: str) -> None:
    assert parse_lunar_date(text) == SPELLINGS[text]


@holds_for_all("text", REFUSED)
def test_what_is_not_surely_a_lunar_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        parse_lunar_date(text)
    assert caught.value.data == {"given": text, "months": []}
    assert "农历" in caught.value.hint


@holds_for_all("prefix", PREFIXES)
def test_every_prefix_marks_a_lunar_date(prefix: str) -> None:
    text = f" {prefix}1990年4月21日"
    assert is_lunar(text)
    assert parse_lunar_date(text) == (1990, 4, False, 21)


@pytest.mark.parametrize(
    "text", ["1990年闰五月初一", "1990年正月十五", "1990 leap 5 1", "lunar 1990-04-21 13:30"]
)
def test_signs_that_no_other_calendar_has_and_words_call_a_date_lunar(text: str) -> None:
    assert is_lunar(text)


@pytest.mark.parametrize("text", ["1990-05-15", "公历1990年5月15日", "", "1990年五月二十", "leap year 1992"])
def test_a_text_without_such_signs_does_not_call_itself_lunar(text: str) -> None:
    assert not is_lunar(text)


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


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("year", [1645, 1990, 2000, 2199])
def test_every_name_that_is_printed_is_read_back(lang: str, year: int) -> None:
    for month in range(1, 13):
        for leap in (False, True):
            for day in range(1, 31):
                text = format_lunar_date(year, month, day, leap, lang)
                assert parse_lunar_date(text) == (year, month, leap, day), text


def test_names_of_months_and_days_are_those_of_the_almanac() -> None:
    months = [format_lunar_date(2024, month, 1, False)[7:-2] for month in range(1, 13)]
    days = [format_lunar_date(2024, 1, day, False)[9:] for day in (1, 10, 11, 19, 20, 21, 29, 30)]
    assert months == [f"{name}月" for name in "正二三四五六七八九十冬腊"]
    assert days == ["初一", "初十", "十一", "十九", "二十", "廿一", "廿九", "三十"]


def test_traditional_text_changes_only_its_four_characters() -> None:
    assert format_lunar_date(2024, 12, 21, True, "zh-Hant") == "農曆2024年閏臘月廿一"


def test_english_text_numbers_the_months() -> None:
    assert format_lunar_date(2023, 2, 29, True, "en") == "2023, leap month 2, day 29"
    assert format_lunar_date(2023, 12, 1, False, "en") == "2023, month 12, day 1"


def test_an_unknown_language_is_an_unknown_option() -> None:
    with pytest.raises(UnknownOption) as caught:
        format_lunar_date(1990, 5, 1, True, "fr")
    assert caught.value.data["allowed"] == ["zh-Hans", "zh-Hant", "en"]
