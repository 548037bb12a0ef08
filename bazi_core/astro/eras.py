"""Years of an era, 民國79年 or 平成2年, as years of the common era."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import NamedTuple

from bazi_core.tables import rows

_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九", 1)}


class Era(NamedTuple):
    """An era: the year before its first one, and its first and last day."""

    zero: int
    first: date
    last: date

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


def common_year(text: str) -> tuple[str, Era | None]:
    """A date with its year as a number, and the era in which it was written.

    >>> common_year("民國七十九年5月15日")[0], common_year("平成元年1月8日")[0]
    ('1990年5月15日', '1989年1月8日')
    >>> common_year("1990-05-15")
    ('1990-05-15', None)
    """
    match = _pattern().search(text)
    if match is None:
        return text, None
    era = _eras()[match[1]]
    return f"{text[: match.start()]}{era.zero + number(match[2])}年{text[match.end() :]}", era


def number(written: str) -> int:
    """The value of a written number below 100, or of 百; 元 is 1.

    >>> number("七十九"), number("元"), number("一百零五"), number("12")
    (79, 1, 105, 12)
    """
    if written.isdigit() and written.isascii():
        return int(written)
    hundreds, mark, rest = written.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    value = _DIGITS.get(hundreds, 1) * 100 if mark else 0
    value += _DIGITS.get(tens.lstrip("零〇"), 1) * 10 if ten else 0
    return value + _DIGITS.get(ones.lstrip("零〇"), 1 if ones == "元" else 0)


@cache
def _eras() -> dict[str, Era]:
    return {
        name: Era(
            int(row["first_year"]) - 1,
            date.fromisoformat(row["first_day"]),
            date.fromisoformat(row["last_day"]) if row["last_day"] else date.max,
        )
        for row in rows("eras")
        for name in row["name"].split()
    }


@cache
def _pattern() -> re.Pattern[str]:
    names = "|".join(sorted(_eras(), key=len, reverse=True))
    written = (
        "[1-9][0-9]{0,2}|元|一百(?:零?[一二三四五六七八九]|[一二三四五六七八九]?十[一二三四五六七八九]?)?"
    )
    written += "|[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]"
    return re.compile(rf"({names})\s*({written})\s*年")
