"""The almanac: its operations against their budgets: `python -m benchmarks.almanac [--rounds N] [--write]`.

Days are drawn from one seed over two centuries and five places; a search and a table read days that follow one another.
"""

from __future__ import annotations

import argparse
import random
from datetime import date
from functools import cache
from time import process_time_ns
from typing import TYPE_CHECKING

import bazi_core as bz
from bazi_core.almanac.month_sheet import month_svg
from benchmarks import budgets, report
from benchmarks.operations import Operation, bisect

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20_261_003
ZONES = ("Asia/Shanghai", "America/New_York", "Europe/London", "Asia/Tokyo", "Pacific/Auckland")
FIRST, LAST = date(1900, 1, 31), date(2099, 12, 31)
CHINA = "Asia/Shanghai"


@cache
def _days() -> list[tuple[date, str]]:
    """Days of two centuries at five places: more than any cache of texts holds."""
    draw = random.Random(SEED)
    days = (date.fromordinal(draw.randrange(FIRST.toordinal(), LAST.toordinal())) for _ in range(1500))
    return [(day, ZONES[at % len(ZONES)]) for at, day in enumerate(days)]


def day() -> Operation:
    """A date and a zone to facts of the day, hours, verdict and notes."""
    return Operation("a day: facts, hours, verdict, notes", _day, _days(), 3000)


def _day(when: date, tz: str) -> object:
    found = bz.almanac(when, tz=tz)
    return found.day, found.hours, found.verdict, found.notes


def day_json() -> Operation:
    """The same to the JSON text with the digest of every fact."""
    return Operation("a day to JSON with the digest of its facts", _json, _days(), 3000)


def _json(when: date, tz: str) -> str:
    return bz.almanac(when, tz=tz).to_json()


def month() -> Operation:
    """A month on one sheet, as SVG."""
    draw = random.Random(SEED)
    months = [(draw.randrange(1901, 2099), draw.randrange(1, 13)) for _ in range(5)]
    return Operation(
        "a month on a sheet, as SVG",
        lambda year, number: month_svg(bz.almanac_month(year, number, tz=CHINA)),
        months,
    )


def search() -> Operation:
    """The days of a year for a wedding, with two charts."""
    charts = [
        bz.chart("1990-05-15 13:30", city="北京", gender="male"),
        bz.chart("1992-11-02 08:00", city="上海", gender="female"),
    ]

    def asked(year: int) -> object:
        return bz.days("嫁娶", f"{year}-01-01", f"{year}-12-31", charts=charts, tz=CHINA)

    return Operation("search of a year for two persons", asked, [(2026,), (2027,), (2031,)], 700_000)


def century() -> Operation:
    """The facts of a century as columns."""
    return Operation(
        "the table of a century",
        lambda: bz.almanac_table("1950-01-01", "2049-12-31", tz=CHINA),
        [()],
        5_000_000,
    )


ALL: tuple[Callable[[], Operation], ...] = (bisect, day, day_json, month, search, century)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    own = report.table(budgets.HEAD, budgets.rows(asked.rounds, ALL, process_time_ns))
    text = f"{report.stamp()}, {len(_days()):,} days at {len(ZONES)} places, {asked.rounds} rounds, processor time.\n\n{own}"
    report.publish("almanac", text, asked.write)


if __name__ == "__main__":
    main()
