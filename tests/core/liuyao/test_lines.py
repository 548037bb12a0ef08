"""Six lines in every form in which they are given."""

from itertools import product

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import YaoLinesLength, YaoLineValue
from bazi_core.liuyao import lines as ln
from tests.tables import holds_for_all

NAMES = ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"]
NUMBERS = (7, 8, 9, 8, 7, 6)


@holds_for_all(
    "given",
    [
        NAMES, tuple(NAMES), list(NUMBERS), NUMBERS, "789876", list("789876"), "7,8,9,8,7,6", "7 8 9 8 7 6",
        "7，8，9，8，7，6",
        "、".join(NAMES), ",".join(NAMES), " ".join(NAMES), ["少陽", "少陰", "老陽", "少陰", "少陽", "老陰"],
        list("单拆重拆单交"),
        ["少阳", 8, "9", "拆", "7", "老陰"], ly.cast.lines("789876"),
    ],
)  # fmt: skip
def test_names_numbers_signs_text_and_records_are_the_same_six_lines(given):
    assert ln.values_of(given) == NUMBERS


@holds_for_all("given", [NAMES[:5], [*NAMES, "少阳"], [], "", "78987", "7898761", "少阳,少阴", "7", ()])
def test_any_other_count_is_refused(given):
    with pytest.raises(YaoLinesLength) as caught:
        ln.values_of(given)
    count = len(given.split(",")) if isinstance(given, str) and "," in given else len(given)
    assert caught.value.data == {"expected": 6, "actual": count}
    assert (caught.value.code, caught.value.exit_status) == ("YAO_LINES_LENGTH", 4)


@holds_for_all("given", [None, 5, 789876, 7.5, True, {}, {"values": 1}, object(), b"789876", "7" * 10**6])
def test_what_holds_no_lines_is_refused(given):
    with pytest.raises(YaoLinesLength):
        ln.values_of(given)


@holds_for_all(
    "bad",
    [
        "少",
        "阳",
        "",
        "5",
        "10",
        "1",
        5,
        10,
        0,
        -7,
        7.0,
        6.5,
        True,
        None,
        "７",
        ["7"],
        "\ud800",
        "x" * 10**6,
        b"7",
    ],
)
def test_a_line_that_is_none_of_the_four_is_refused(bad):
    with pytest.raises(YaoLineValue) as caught:
        ln.values_of([*NAMES[:2], bad, *NAMES[3:]])
    data = caught.value.data
    assert data["index"] == 2
    assert data["allowed"] == ["少阳", "少阴", "老阳", "老阴"]
    assert len(data["value"].encode()) <= 60
    assert (caught.value.code, caught.value.exit_status) == ("YAO_LINE_VALUE", 4)


def test_full_width_digits_are_no_lines():
    with pytest.raises(YaoLineValue):
        ln.values_of("７８９８７６")


def test_the_first_wrong_line_is_named():
    with pytest.raises(YaoLineValue, match="line 1 ") as caught:
        ln.values_of("123456")
    assert caught.value.data["index"] == 0


def test_odd_is_yang_and_old_lines_move():
    table = {6: (0, True), 7: (1, False), 8: (0, False), 9: (1, True)}
    for each in product(table, repeat=3):
        six = (*each, 7, 8, 7)
        assert ln.code(six) == sum(table[value][0] << k for k, value in enumerate(six))
        assert ln.moving(six) == tuple(n for n, value in enumerate(six, 1) if table[value][1])


def test_the_names_are_those_of_the_book():
    assert ln.names() == {7: "少阳", 8: "少阴", 9: "老阳", 6: "老阴"}
