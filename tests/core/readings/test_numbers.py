"""Numbers by what they count, in digits, in Chinese numerals and in English words."""

from __future__ import annotations

import pytest

from bazi_core.readings.claims import NUMBERS
from bazi_core.readings.numbers import value_of
from bazi_core.readings.vocabulary import tokens


def stated(text: str) -> list[tuple[str, str]]:
    return [(each.category, each.term) for each in tokens(text)[0] if each.category in NUMBERS]


@pytest.mark.parametrize(
    ("text", "category", "value"),
    [
        ("2026年", "year", "2026"), ("二〇二六年", "year", "2026"), ("in 2026", "year", "2026"),
        ("37岁", "age", "37"), ("三十七歲", "age", "37"), ("at the age of 37", "age", "37"), ("37 years old", "age", "37"),
        ("虚岁37", "nominal_age", "37"), ("虛歲三十七", "nominal_age", "37"), ("1岁（虚）", "nominal_age", "1"),
        ("nominal age of 37", "nominal_age", "37"), ("By nominal age you turn 37", "nominal_age", "37"),
        ("周岁36", "full_age", "36"), ("completed age is 36", "full_age", "36"),
        ("57分", "score", "57"), ("57 points", "score", "57"), ("a score of 57", "score", "57"), ("五十七分", "score", "57"),
        ("总评加3分", "gain", "3"), ("adds 3 points", "gain", "3"), ("總評減7分", "loss", "7"),
        ("costs 7 points", "loss", "7"),
        ("37%", "percent", "37"), ("37 percent", "percent", "37"), ("百分之三十七", "percent", "37"),
        ("37％", "percent", "37"),
        ("第3步大运", "luck_index", "3"), ("第三步大運", "luck_index", "3"), ("the 3rd luck pillar", "luck_index", "3"),
        ("the third luck pillar", "luck_index", "3"), ("luck pillar 3", "luck_index", "3"),
        ("第5个流月", "month_index", "5"), ("第十二個流月", "month_index", "12"),
        ("the fifth flow month", "month_index", "5"),
        ("flow month 5", "month_index", "5"), ("第二位藏干", "rank", "2"), ("第1等", "grade", "1"),
        ("7年", "years", "7"), ("3个月", "months", "3"), ("10天", "days", "10"), ("三月", "month", "3"),
        ("12:30", "clock", "12:30"),
    ],
)  # fmt: skip
def test_a_number_is_known_by_the_words_next_to_it(text: str, category: str, value: str) -> None:
    assert (category, value) in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "十分重要",
        "一年到头",
        "三思而行",
        "百分百",
        "一步一步来",
        "first of all",
        "in the first place",
        "a second look",
    ],
)
def test_numerals_that_count_nothing_are_no_numbers(text: str) -> None:
    assert stated(text) == []


@pytest.mark.parametrize(
    "text",
    ["2026年6月5日", "2026-06-05", "5 June 2026", "June 5, 2026", "the 5th of no month; June 5th, 2026"],
)
def test_a_date_states_its_parts(text: str) -> None:
    assert {("year", "2026"), ("month", "6"), ("month_day", "6-5"), ("year_month", "2026-6")} <= set(
        stated(text)
    )


@pytest.mark.parametrize(
    "text", ["2017–2026", "2017年至2026年", "2017年到2026年", "2017 to 2026", "2017-2026"]
)
def test_a_span_of_years_states_both_ends_and_itself(text: str) -> None:
    assert stated(text) == [("year", "2017"), ("year", "2026"), ("span", "2017-2026")]


def test_an_instant_states_its_clock() -> None:
    assert ("clock", "4:10") in stated("1985-11-20T04:10:00+08:00")


def test_a_number_without_a_known_unit_is_still_a_number() -> None:
    assert stated("the figure 42") == [("number", "42")]


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("三", "3"), ("十", "10"), ("十二", "12"), ("二十", "20"), ("九十九", "99"), ("一百", "100"), ("一百二十三", "123"),
     ("两", "2"), ("二〇二六", "2026"), ("一九九零", "1990"), ("一二", None)],
)  # fmt: skip
def test_chinese_numerals_have_a_value(numeral: str, value: str | None) -> None:
    assert value_of(numeral) == value
