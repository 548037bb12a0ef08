"""The months of a year as dates on the clock of the birth's place, and what else readings alone cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.astro import scales
from bazi_core.facts import Fact
from bazi_core.year.evidence import otherwise
from bazi_core.year.months import Joint, Month, joints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.year.result import YearResult


def begins(year: YearResult, month: Month) -> str:
    """The date on which a month begins, ISO 8601.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> begins(year, year.months[0])
    '2026-02-04'
    """
    clock = year.chart.clock
    assert clock is not None, "a year stands before a birth"
    return clock.then(scales.ms_of(month.start)).date().isoformat()


def reading_facts(year: YearResult) -> Iterator[Fact]:
    """Facts that readings alone cite: `lm.<year>.<month>.begins`, and every score under the other verdict on strength."""
    yield from otherwise(year, year.alternatives)
    for month in year.months:
        day = begins(year, month)
        yield Fact(
            f"{month.fact_id}.begins", "flow", "month", "begins", day, "month.begins",
            (year.target_year, month.number, (day,)), None, (month.fact_id,), "R-YR-6", "SMTH.论遁月时",
        )  # fmt: skip
        for each in joints_of(year, month):
            element = each.element
            named = (year.target_year, month.number, each.type, *((element.value,) if element else ()))
            yield Fact(
                each.fact_id(month), "flow", "month", each.type, element.value if element else each.type,
                "month.joint" if element else "month.punished", named, None, (month.fact_id,), "R-YR-6", "ZPZQ.论行运",
            )  # fmt: skip


def joints_of(year: YearResult, month: Month) -> tuple[Joint, ...]:
    """The groups that a month completes with the chart, the year and the luck that runs when it begins."""
    running = (part.pillar for part in year.segments if part.start <= month.start < part.end)
    return joints(year.natal, month, (year.pillar, *(each for each in running if each is not None)))
