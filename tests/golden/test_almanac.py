"""Golden days: facts in China, months at other places, verdicts of 《协纪辨方书》."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.almanac import rows, wrong
from tests.golden.answer import answer
from tests.sizes import sizes


def failures(name: str, count: int) -> list[Any]:
    found = []
    golden = rows(name)
    for row in golden[:: max(1, len(golden) // count)]:
        given = answer("almanac", row)
        assert given is not None
        for member in ("expected", "by_text"):
            found += [(row["id"], *each) for each in wrong(row.get(member, {}), given)]
    return found


@pytest.mark.parametrize(("name", "least"), [("day_facts", 1200), ("place_days", 200), ("xieji_days", 300)])
def test_the_golden_files_are_whole(name: str, least: int) -> None:
    assert len({row["id"] for row in rows(name)}) == least


@sizes(60, 1200)
def test_the_facts_of_a_day_are_those_on_which_books_and_programs_agree(count: int) -> None:
    assert failures("day_facts", count) == []


@sizes(40, 200)
def test_the_month_of_a_day_follows_the_date_of_the_term_at_the_place(count: int) -> None:
    assert failures("place_days", count) == []


@sizes(40, 300)
def test_a_day_favours_and_forbids_what_the_book_says(count: int) -> None:
    assert failures("xieji_days", count) == []


def test_a_wrong_answer_is_seen() -> None:
    row = rows("xieji_days")[0]
    given = answer("almanac", row)
    assert given is not None
    assert list(wrong(row["expected"], given | {"yi": [], "grade": "上"})) != []
    assert list(wrong({"yi_not": ["嫁娶"]}, {"yi": ["嫁娶"]})) == [("yi_not", "嫁娶")]
