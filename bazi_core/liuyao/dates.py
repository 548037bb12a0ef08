"""应期 as dates: the days, months and years of a branch after a cast, on the clock of the cast.

A trigger names branches; their dates follow from the calendar alone. Days turn as the School has it, months
begin at the instant of their 节, years at 立春. The horizon of the question (`horizons.csv`) limits them.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, Branch, Pillar
from bazi_core.astro import scales, terms
from bazi_core.astro.civil import format_offset
from bazi_core.errors import known
from bazi_core.liuyao.calendar import effective_date
from bazi_core.liuyao.hexagrams import HANZI
from bazi_core.pillars import day_index, month_index, year_index
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.moment import SolarMoment
    from bazi_core.school import School


class Horizon(NamedTuple):
    """The numbers of days, months and years after a cast within which dates are given."""

    name: str
    days: int
    months: int
    years: int

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


@cache
def horizons() -> dict[str, Horizon]:
    """The horizons by name."""
    return {
        row["name"]: Horizon(row["name"], int(row["days"]), int(row["months"]), int(row["years"]))
        for row in rows("liuyao/horizons")
    }


def horizon_of(name: str | None) -> Horizon:
    """A horizon by its name; the middle one for None."""
    if name is None:
        return horizons()["middle"]
    by_name = horizons()
    if not isinstance(name, str) or name not in by_name:
        known("horizon", name, tuple(by_name))
    return by_name[name]


class Period(NamedTuple):
    """A day, month or year (`unit` 日, 月, 年) with its pillar: its date, when it begins and ends, and the 节 that opens it.

    Times are ISO 8601 with the offset of the cast; the date of a month or year is that on which it begins.
    """

    unit: str
    pillar: Pillar
    date: str
    begins: str
    ends: str
    term: str

    @property
    def branch(self) -> Branch:
        return self.pillar.branch

    def to_dict(self) -> dict[str, Any]:
        members = {
            "unit": self.unit,
            "branch": HANZI[self.branch],
            "ganZhi": HANZI[self.pillar],
            "date": self.date,
            "begins": self.begins,
            "ends": self.ends,
        }
        return members | {"term": self.term} if self.term else members


def coming(branch: Branch, moment: SolarMoment, school: School, horizon: Horizon) -> tuple[Period, ...]:
    """The days, months and years of a branch that begin after a moment, within a horizon and the table of terms, each
    kind in its order.

    >>> from bazi_core.alphabet import Branch
    >>> from bazi_core.liuyao.calendar import moment_of
    >>> from bazi_core.school import School
    >>> found = coming(Branch("丑"), moment_of("2026-11-22T16:20:00+08:00", School()), School(), horizons()["middle"])
    >>> [each.date for each in found if each.unit == "日"]
    ['2026-11-23', '2026-12-05', '2026-12-17']
    >>> [(each.begins, each.term) for each in found if each.unit == "月"]
    [('2027-01-05T22:09:57.913+08:00', '小寒')]
    """
    clock = CastClock(moment.utc_offset_s, moment.future_utc)
    today = day_index(moment.local_ms, school.day_boundary == "23:00")
    days = _days(branch, effective_date(moment, school), today % 60, horizon.days, school.day_boundary, clock)
    first = moment.term + 24 - (moment.term - 2) % 24
    return (
        *days,
        *_months(branch, moment.next_jie, horizon.months, clock),
        *_years(branch, first, horizon.years, clock),
    )


def month_end(moment: SolarMoment) -> str:
    """The end of the month of a moment, in ISO 8601 on the clock of the cast."""
    return _at_term(moment.next_jie, CastClock(moment.utc_offset_s, moment.future_utc))


class CastClock(NamedTuple):
    """The clock of a cast: its offset from UTC and the policy for future UTC."""

    utc_offset_s: int
    future_utc: str


# Day boundary → number of days before its date on which a day begins, and the time.
_TURNS = {"23:00": (1, "T23:00:00.000"), "00:00": (0, "T00:00:00.000")}
# Casts of one day share their days, those of one month their months.
_KEPT = 512


@lru_cache(maxsize=_KEPT)
def _days(
    branch: Branch, today: date, index: int, count: int, boundary: str, clock: CastClock
) -> tuple[Period, ...]:
    """The days of a branch within `count` days after today, whose pillar has this index."""
    before, turn = _TURNS[boundary]
    turn += format_offset(clock.utc_offset_s)
    periods = []
    for ahead in range((branch.index - index - 1) % 12 + 1, count + 1, 12):
        own, begins, ends = (
            (today + timedelta(days=at)).isoformat() for at in (ahead, ahead - before, ahead - before + 1)
        )
        periods.append(Period("日", PILLARS[(index + ahead) % 60], own, begins + turn, ends + turn, ""))
    return tuple(periods)


@lru_cache(maxsize=_KEPT)
def _months(branch: Branch, first: int, count: int, clock: CastClock) -> tuple[Period, ...]:
    return tuple(_from_terms("月", range(first, first + 2 * count, 2), branch, clock, month_index))


@lru_cache(maxsize=_KEPT)
def _years(branch: Branch, first: int, count: int, clock: CastClock) -> tuple[Period, ...]:
    return tuple(_from_terms("年", range(first, first + 24 * count, 24), branch, clock, year_index))


def _from_terms(
    unit: str, positions: range, branch: Branch, clock: CastClock, index: Callable[[int], int]
) -> Iterator[Period]:
    """The periods of a branch that run from term to term, up to the end of the table of terms."""
    ahead = (branch.index - index(positions.start)) % 12
    for at in positions[ahead::12]:
        if at + positions.step < terms.COUNT:
            begins, ends = _at_term(at, clock), _at_term(at + positions.step, clock)
            yield Period(unit, PILLARS[index(at)], begins[:10], begins, ends, terms.term_at(at).value)


def _at_term(position: int, clock: CastClock) -> str:
    utc_ms = scales.utc_from_tt(terms.instant(position), clock.future_utc)
    local_ms = utc_ms + clock.utc_offset_s * 1000
    return scales.iso_local(local_ms) + format_offset(clock.utc_offset_s)
