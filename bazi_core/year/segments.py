"""The year as a span of time, and the luck that runs in it.

A 大运 rarely begins with a year, so a year falls into segments: before a change of luck and after it. Before the first
大运 runs the 小运 of the age, after the tenth there is nothing. All instants are UTC, from the start of the year
(立春, or lunar new year where the School says so) to the start of the next.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidInput, OutOfRange, shown
from bazi_core.luck.flows import Flow, flow_year
from bazi_core.luck.years import Age
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.chart import ChartValue
    from bazi_core.luck.decades import Luck, LuckCycle, MinorLuck

    Edges = tuple[tuple[datetime, ...], tuple[datetime, ...]]


class Segment(NamedTuple):
    """A part of a year with one luck: a 大运, a 小运, or neither.

    `uncertain` marks the time between the earliest and the latest start of a 大运 when the hour of birth is unknown,
    `beyond` the time after the last one.
    """

    start: datetime
    end: datetime
    cycle: LuckCycle | None = None
    minor: MinorLuck | None = None
    uncertain: bool = False
    beyond: bool = False

    @property
    def pillar(self) -> Pillar | None:
        """The pillar that sits in the place of the luck."""
        return self.cycle.pillar if self.cycle else self.minor.pillar if self.minor else None

    @property
    def fact_id(self) -> str | None:
        if self.cycle is not None:
            return f"dy.{self.cycle.index + 1}"
        return f"xy.{self.minor.age_nominal}" if self.minor else None

    @property
    def place(self) -> str:
        """The name of the place of the luck: `luck`, or `minor` of a 小运."""
        return "minor" if self.minor else "luck"

    @property
    def word(self) -> str:
        """The word for the place of the luck: 大运 or 小运."""
        return "小运" if self.minor else "大运"

    @property
    def seconds(self) -> int:
        return round((self.end - self.start).total_seconds())


def checked_year(chart: ChartValue, year: int) -> int:
    """The year; `OutOfRange` when the table of solar terms does not hold it or it ended before the birth."""
    if not isinstance(year, int) or isinstance(year, bool):
        raise InvalidInput(Said("year_whole", year=shown(year)), given=shown(year))
    first, last = terms.FIRST_YEAR, terms.LAST_YEAR - 1
    hint = Said("outside_terms_hint")
    if first <= year <= last and year < (first_of_life := _first_year(chart)):
        first, hint = first_of_life, Said("outside_birth_hint")
    if not first <= year <= last:
        message = Said("outside_target", year=shown(year), first=first, last=last)
        raise OutOfRange(message, hint=hint, quantity="target_year", first=first, last=last, given=year)
    return year


def _first_year(chart: ChartValue) -> int:
    """The 流年 in which the birth lies."""
    born = _born_utc(chart)
    return born.year - (born < flow_year(chart.pillars, chart.school, born.year).start)


def _born_utc(chart: ChartValue) -> datetime:
    if chart.moment is not None:
        return scales.datetime_of(chart.moment.utc_ms)
    from bazi_core.unknown_hour import ends_of_day

    assert chart.day is not None
    return scales.datetime_of(ends_of_day(chart.day)[0].utc_ms)


def age_in(chart: ChartValue, year: int) -> Age:
    """The ages in a year; both count from the year of birth on the civil clock."""
    assert chart.birth is not None
    born = chart.birth.civil if chart.moment is None else scales.datetime_of(chart.moment.civil_ms)
    return Age.in_year(year, born.year)


def segments(luck: Luck, edges: Edges, flow: Flow, nominal_age: int) -> tuple[Segment, ...]:
    """The segments of a year; they partition it. `edges` are those of the luck.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> found = segments(chart.luck, chart.luck.edges, chart.flow_year(2017), 28)
    >>> [(part.start.date().isoformat(), part.pillar.value) for part in found]
    [('2017-02-03', '癸未'), ('2017-08-16', '甲申')]
    """
    minor = next((each for each in luck.xiaoyun if each.age_nominal == nominal_age), None)
    return tuple(
        part._replace(start=max(part.start, flow.start), end=min(part.end, flow.end))
        for part in _spans(luck, edges, minor)
        if part.start < flow.end and part.end > flow.start
    )


def _spans(luck: Luck, edges: Edges, minor: MinorLuck | None) -> list[Segment]:
    """All of time, cut where the luck changes."""
    earliest, latest = edges
    spans = [Segment(datetime.min, earliest[0], minor=minor)]
    for index, cycle in enumerate(luck.cycles):
        if earliest[index] < latest[index]:
            spans.append(Segment(earliest[index], latest[index], uncertain=True))
        spans.append(Segment(latest[index], earliest[index + 1], cycle))
    if earliest[-1] < latest[-1]:
        spans.append(Segment(earliest[-1], latest[-1], uncertain=True))
    spans.append(Segment(latest[-1], datetime.max, beyond=True))
    return spans


def longest(parts: tuple[Segment, ...]) -> Segment:
    """The segment that counts for the year as a whole; of equals the first."""
    return max(parts, key=lambda part: part.seconds)
