"""大运 and 小运: the ten luck pillars and the yearly luck before the first of them.

大运 run from the month pillar, 小运 from the hour pillar, both in the direction of `onset.is_forward`. Ages are
given both ways: nominal 虚岁 (year − birth year + 1) and completed 周岁.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import PILLARS, Pillar, Stage, Stem, TenGod
from bazi_core.astro import scales
from bazi_core.luck.onset import Age, Onset, add_years, is_forward, onset
from bazi_core.views.cycles import is_void
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

CYCLES = 10


class FlowMarks(NamedTuple):
    """What any luck or flow pillar is to the chart."""

    ten_god_stem: TenGod
    ten_god_branch: TenGod
    stage: Stage
    void: bool


def marks_of(pillar: Pillar, natal: FourPillars, school: School) -> FlowMarks:
    """Ten gods of its stem and of the main qi of its branch, the stage of the day stem on it, and its void flag."""
    void = is_void(pillar.branch, natal.day, natal.year, school.void_anchor)
    return _marks(pillar, natal.day.stem, void, school.twelve_stages)


@cache
def _marks(pillar: Pillar, day: Stem, void: bool, stages: str) -> FlowMarks:
    main = hidden_stems(pillar.branch)[0].stem
    return FlowMarks(ten_god(day, pillar.stem), ten_god(day, main), stage(day, pillar.branch, stages), void)


class LuckCycle(NamedTuple):
    """One 大运 of ten years; dates are None when the pillars were given without a birth."""

    index: int  # type: ignore[assignment]  # the place in the list hides tuple.index, which nobody needs here
    pillar: Pillar
    marks: FlowMarks
    start_at: datetime | None
    start_year: int | None
    end_year: int | None
    start_age_nominal: int | None
    start_age_full: int | None


class MinorLuck(NamedTuple):
    """小运 of one year of life."""

    age_nominal: int
    year: int | None
    pillar: Pillar


class Luck(NamedTuple):
    """The luck of a chart: direction, start, ten 大运.

    `start` is an aware datetime at the UTC offset of the birth; None without a birth or without its hour,
    in which case `start_range` tells the earliest and the latest possible start.

    >>> import bazi_core as bz
    >>> luck = bz.chart("1990-05-15 13:30", city="北京", gender="male").luck
    >>> luck.direction, luck.start_age.years, [cycle.pillar.value for cycle in luck.cycles[:3]]
    ('forward', 7, ['壬午', '癸未', '甲申'])
    """

    direction: str
    method: str
    start_age: Age | None
    start: datetime | None
    start_range: tuple[datetime, datetime] | None
    cycles: tuple[LuckCycle, ...]
    xiaoyun: tuple[MinorLuck, ...]

    @property
    def uncertain(self) -> bool:
        return self.start_range is not None

    def at(self, when: datetime) -> LuckCycle | None:
        """The 大运 that runs at an aware datetime, or None before the first and after the last."""
        running = None
        for cycle in self.cycles:
            if cycle.start_at is not None and cycle.start_at <= when:
                running = cycle
        last = self.cycles[-1].start_at
        return None if last is None or when >= add_years(last, 10) else running


def luck(pillars: FourPillars, gender: str, school: School, moment: SolarMoment | None) -> Luck:
    """The luck of four pillars; with dates when the moment of birth is known."""
    forward = is_forward(pillars, gender, school.luck_direction)
    start = onset(moment, forward, school) if moment is not None else None
    born_year = scales.datetime_of(moment.civil_ms).year if moment is not None else None
    zone = timezone(timedelta(seconds=moment.utc_offset_s)) if moment is not None else None
    cycles = _cycles(pillars, forward, school, _aware(start, zone), born_year)
    first = cycles[0].start_age_nominal
    return Luck(
        direction="forward" if forward else "backward",
        method=school.luck_start,
        start_age=start.age if start else None,
        start=cycles[0].start_at,
        start_range=None,
        cycles=cycles,
        xiaoyun=minor_lucks(pillars, forward, school, born_year, first if first is not None else CYCLES),
    )


def luck_of_day(
    pillars: FourPillars, gender: str, school: School, first: SolarMoment, last: SolarMoment
) -> Luck:
    """The luck of a birth without an hour: pillars stand, the start lies between those of the day's two ends."""
    forward = is_forward(pillars, gender, school.luck_direction)
    starts = [
        _aware(onset(end, forward, school), timezone(timedelta(seconds=end.utc_offset_s)))
        for end in (first, last)
    ]
    earliest, latest = sorted(start for start in starts if start is not None)
    return Luck(
        direction="forward" if forward else "backward",
        method=school.luck_start,
        start_age=None,
        start=None,
        start_range=(earliest[0], latest[0]),
        cycles=_cycles(pillars, forward, school, None, None),
        xiaoyun=(),
    )


def minor_lucks(
    pillars: FourPillars, forward: bool, school: School, born_year: int | None, count: int
) -> tuple[MinorLuck, ...]:
    """小运 of the nominal ages 1 … count: the hour pillar moved on by the age."""
    if pillars.hour is None or school.xiaoyun == "none":
        return ()
    step = 1 if forward else -1
    return tuple(
        MinorLuck(
            age,
            None if born_year is None else born_year + age - 1,
            PILLARS[(pillars.hour.index + step * age) % 60],
        )
        for age in range(1, count + 1)
    )


def _aware(start: Onset | None, zone: timezone | None) -> tuple[datetime, Age] | None:
    return None if start is None else (datetime.combine(start.at, start.at.time(), zone), start.age)


def _cycles(
    pillars: FourPillars,
    forward: bool,
    school: School,
    start: tuple[datetime, Age] | None,
    born_year: int | None,
) -> tuple[LuckCycle, ...]:
    step = 1 if forward else -1
    turns = (PILLARS[(pillars.month.index + step * (i + 1)) % 60] for i in range(CYCLES))
    return tuple(_cycle(i, pillar, pillars, school, start, born_year) for i, pillar in enumerate(turns))


def _cycle(
    index: int,
    pillar: Pillar,
    natal: FourPillars,
    school: School,
    start: tuple[datetime, Age] | None,
    born_year: int | None,
) -> LuckCycle:
    marks = marks_of(pillar, natal, school)
    if start is None or born_year is None:
        return LuckCycle(index, pillar, marks, None, None, None, None, None)
    at = add_years(start[0], 10 * index)
    year = start[0].year + 10 * index
    return LuckCycle(
        index, pillar, marks, at, year, year + 9, year - born_year + 1, start[1].years + 10 * index
    )
