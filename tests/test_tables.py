"""A table that is tried as one test hides no row."""

from __future__ import annotations

import pytest

from tests.tables import holds_for_all


def positive(number: int) -> None:
    assert number > 0


def test_every_row_that_fails_is_named_with_its_reason() -> None:
    whole = holds_for_all("number", [1, -5, 2, "x", -7])(positive)
    with pytest.raises(pytest.fail.Exception) as caught:
        whole()
    told = str(caught.value)
    assert told.startswith("3 of 5 rows fail\n")
    assert [each in told for each in ("\n-5: ", "\n'x': ", "\n-7: ")] == [True] * 3
    assert "assert -5 > 0" in told
    assert "TypeError" in told


def test_an_error_that_does_not_come_is_a_failure() -> None:
    def refused(text: str, base: int) -> None:
        with pytest.raises(ValueError):
            int(text, base)

    whole = holds_for_all("text, base", [("9", 8), ("9", 10)], lambda row: f"{row[0]} to {row[1]}")(refused)
    with pytest.raises(pytest.fail.Exception, match=r"1 of 2 rows fail\n9 to 10: "):
        whole()


def test_a_table_without_rows_proves_nothing() -> None:
    with pytest.raises(AssertionError):
        holds_for_all("number", [])(positive)()


@pytest.fixture
def least() -> int:
    return 1


@pytest.mark.parametrize("times", [1, 2])
@holds_for_all("number", [1, 2, 3])
def test_fixtures_and_other_parameters_stay(number: int, least: int, times: int) -> None:
    assert number * times >= least
