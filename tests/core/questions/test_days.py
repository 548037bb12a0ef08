"""The day that a question names: the first from today on, and whether something is to come before it."""

from __future__ import annotations

from datetime import date

import pytest

from bazi_core.questions.days import NamedDay, day_named

TODAY = date(2026, 11, 25)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day", "is_limit"),
    [
        ("12月19日考六级，能过吗", "2026-12-19", False),
        ("26号面试", "2026-11-26", False),
        ("3号前能还吗", "2026-12-03", True),
        ("下周三手术顺利吗", "2026-12-02", False),
        ("下下週五出發", "2026-12-11", False),
        ("周五出结果", "2026-11-27", False),
        ("周二出结果", "2026-12-01", False),
        ("后天复查", "2026-11-27", False),
        ("2月30日或3月1日", "2027-03-01", False),
        ("Will the surgery on Thursday go well?", "2026-11-26", False),
        ("She has to enrol by Thursday", "2026-11-26", True),
        ("明年6月中考能上普高吗", "2027-06-01", False),
        ("2027年3月底前卖得掉吗", "2027-03-31", True),
        ("Will it sell by the end of June?", "2027-06-30", True),
        ("Paid by end of November?", "2026-11-30", True),
        ("My exam is next Monday", "2026-11-30", False),
        ("Will he pay by 30 November?", "2026-11-30", True),
        ("The hearing is on December 3rd", "2026-12-03", False),
        ("tomorrow's match", "2026-11-26", False),
    ],
)
def test_a_day_is_read_as_the_next_of_its_name(text, day, is_limit):
    found = day_named(text, TODAY)
    assert found is not None
    assert found[:2] == (date.fromisoformat(day), is_limit)


@pytest.mark.parametrize(
    "text",
    [
        "下个月能成吗",
        "8号线附近的房子",
        "3号楼",
        "借我12万",
        "10:30 on the dot",
        "2月30日",
        "",
        None,
        "Monday's child" * 0,
    ],
)
def test_what_names_no_day_is_none(text):
    assert day_named(text, TODAY) is None


def test_a_day_of_the_last_month_of_a_year_rolls_over():
    assert day_named("3号", date(2026, 12, 30)) == NamedDay(date(2027, 1, 3), False)
