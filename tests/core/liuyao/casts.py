"""What the tests of 六爻 share: boards by their lines, month and day, and all casts there are."""

from __future__ import annotations

from functools import cache
from typing import Any

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pillars import five_rats, five_tigers

AT = "2026-04-03T20:30:00+08:00"
FOUR = "丙午 辛卯 丁未 庚戌"
VALUE = {("1", False): 7, ("0", False): 8, ("1", True): 9, ("0", True): 6}
DIGITS = (6, 7, 8, 9)


def values(number: int) -> tuple[int, ...]:
    """The lines of one of the 4,096 casts."""
    return tuple(DIGITS[number >> 2 * k & 3] for k in range(6))


def time_of(number: int) -> tuple[str, str]:
    """One of the 720 pairs of a month branch and a day; numbers in a row, or by any step, meet them all mixed."""
    month, day = divmod(number * 389 % 720, 60)
    return BRANCHES[month].value, PILLARS[day].value


def lines(name: str, *moving: int) -> tuple[int, ...]:
    """A hexagram by name with these lines moving."""
    bits = enumerate(ly.hexagram(name).binary, 1)
    return tuple(VALUE[bit, n in moving] for n, bit in bits)


def board(name: str, *moving: int, month: str = "卯", day: str = "丁未", **policy: str) -> ly.LiuyaoChart:
    """A hexagram with moving lines in a month and on a day."""
    return ly.derive(lines(name, *moving), month_branch=month, day=day, policy=ly.LiuyaoPolicy(**policy))


def analysis(
    name: str, *moving: int, month: str = "卯", day: str = "丁未", ask: str | None = None, **policy: str
) -> ly.Analysis:
    """The analysis of such a board."""
    return board(name, *moving, month=month, day=day, **policy).analyze(ask)


@cache
def pillars_of(month: int, day: int) -> tuple[str, str, str, str]:
    """Four pillars that go together, with the month of a branch and the day of an index."""
    year = PILLARS[(7 * month + day) % 60]
    hour = five_rats(PILLARS[day].stem, BRANCHES[(month + day) % 12])
    return year.value, five_tigers(year.stem, BRANCHES[month]).value, PILLARS[day].value, hour.value


def strict(chart: ly.LiuyaoChart, **given: Any) -> dict[str, Any]:
    """The strict object of a board, with a clock where it has none."""
    clock = {} if chart.moment else {"divination_time": "2026年04月03日 20:30"}
    return chart.to_divination("占", "其他", "手动起卦", **{**clock, **given})
