"""流年 流月 流日 流时: the pillars of a year, its twelve months, days and double hours, against a chart.

Years run from 立春 to 立春 (or from lunar new year), months from 节 to 节; both are instants. Days and double
hours are those of the local clock, begun at the School's day boundary.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, Pillar, SolarTerm
from bazi_core.astro import scales, terms
from bazi_core.errors import outside
from bazi_core.luck.decades import FlowMarks, marks_of
from bazi_core.pillars import DAY_MS, FourPillars, day_index, hour_index, month_index

if TYPE_CHECKING:
    from bazi_core.school import School


class Flow(NamedTuple):
    """The pillar of a year, month, day or double hour, which runs from `start` to `end`.

    Of years and months these are UTC (naive, to the millisecond), of days and double hours readings of the
    local clock. `jie` is the 节 that opens a month.
    """

    kind: str
    label: str
    pillar: Pillar
    marks: FlowMarks
    start: datetime
    end: datetime
    jie: SolarTerm | None = None

    def to_dict(self) -> dict[str, Any]:
        clock = "Z" if self.kind in ("liunian", "liuyue") else ""
        return {
            "kind": self.kind,
            "label": self.label,
            "ganzhi": self.pillar.value,
            "ten_god_stem": self.marks.ten_god_stem.value,
            "ten_god_branch": self.marks.ten_god_branch.value,
            "stage": self.marks.stage.value,
            "void": self.marks.void,
            "start": self.start.isoformat(timespec="milliseconds") + clock,
            "end": self.end.isoformat(timespec="milliseconds") + clock,
            "jie": self.jie.value if self.jie else None,
        }


def flow_year(natal: FourPillars, school: School, year: int) -> Flow:
    """流年: the pillar of a year.

    >>> import bazi_core as bz
    >>> flow = bz.chart("1990-05-15 13:30", city="北京").flow_year(2026)
    >>> flow.pillar, flow.marks.ten_god_stem, flow.start.isoformat(timespec="seconds")
    (Pillar('丙午'), TenGod('七杀'), '2026-02-03T20:02:07')
    """
    start, end = (_year_begins(each, school) for each in (year, year + 1))
    return _flow("liunian", str(year), PILLARS[(year - 4) % 60], natal, school, start, end)


def flow_months(natal: FourPillars, school: School, year: int) -> tuple[Flow, ...]:
    """流月: the twelve months of a year from its 立春, each with the instants of its two 节."""
    first = terms.position_of(year, SolarTerm.立春)
    if first + 24 >= terms.COUNT:
        raise outside("year", terms.FIRST_YEAR, terms.LAST_YEAR - 1, year)
    edges = [
        scales.datetime_of(scales.utc_from_tt(terms.instant(first + 2 * i), school.future_utc))
        for i in range(13)
    ]
    return tuple(_flow_month(natal, school, first + 2 * i, *edges[i : i + 2]) for i in range(12))


def flow_days(natal: FourPillars, school: School, first: date, count: int) -> tuple[Flow, ...]:
    """流日: the days from `first`, each begun at the School's day boundary."""
    for edge in (first.toordinal(), first.toordinal() + count):
        scales.check_instant((edge - scales.EPOCH.toordinal()) * DAY_MS)
    begins = timedelta(hours=-1) if school.day_boundary == "23:00" else timedelta()
    days = []
    for number in range(count):
        midnight = datetime.combine(first, time()) + timedelta(days=number)
        pillar = PILLARS[day_index(scales.ms_of(midnight), False)]
        start = midnight + begins
        days.append(
            _flow(
                "liuri", midnight.date().isoformat(), pillar, natal, school, start, start + timedelta(days=1)
            )
        )
    return tuple(days)


def flow_hours(natal: FourPillars, school: School, day: date) -> tuple[Flow, ...]:
    """流时: the double hours of a day; thirteen when it begins at 00:00, since 子 is then cut in two."""
    midnight = datetime.combine(day, time())
    edges = [midnight + timedelta(hours=hour) for hour in range(-1, 24, 2)]
    if school.day_boundary == "00:00":
        edges = [midnight, *edges[1:], midnight + timedelta(days=1)]
    return tuple(_flow_hour(natal, school, start, end) for start, end in pairwise(edges))


def _flow_hour(natal: FourPillars, school: School, start: datetime, end: datetime) -> Flow:
    local_ms = scales.ms_of(start)
    late_zi_is_next_day = school.day_boundary == "23:00" or school.late_zi_hour_stem == "next_day"
    pillar = PILLARS[hour_index(local_ms, day_index(local_ms, late_zi_is_next_day))]
    return _flow("liushi", f"{start:%H:%M}–{end:%H:%M}", pillar, natal, school, start, end)


def _flow_month(natal: FourPillars, school: School, position: int, start: datetime, end: datetime) -> Flow:
    jie, pillar = terms.term_at(position), PILLARS[month_index(position)]
    label = f"{terms.year_at(position)}-{jie.value}"
    return _flow("liuyue", label, pillar, natal, school, start, end, jie)


def _year_begins(year: int, school: School) -> datetime:
    if school.liunian_boundary == "lunar_new_year":
        from bazi_core.astro.lunar import new_year

        # 00:00 of the calendar's own meridian.
        of = school.lunar_months
        first = new_year(year, future_utc=school.future_utc, calendar=of)
        return datetime.combine(first, time()) - timedelta(hours=9 if of == "korean" else 8)
    instant = terms.instant(terms.position_of(year, SolarTerm.立春))
    return scales.datetime_of(scales.utc_from_tt(instant, school.future_utc))


def _flow(
    kind: str,
    label: str,
    pillar: Pillar,
    natal: FourPillars,
    school: School,
    start: datetime,
    end: datetime,
    jie: SolarTerm | None = None,
) -> Flow:
    return Flow(kind, label, pillar, marks_of(pillar, natal, school), start, end, jie)
