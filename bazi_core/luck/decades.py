"""大运 and 小运: the ten luck pillars and the yearly luck before the first of them.

大运 run from the month pillar, 小运 from the hour pillar, both in the direction of `onset.is_forward`. Ages are
given both ways: nominal 虚岁 (year − birth year + 1) and completed 周岁.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, Pillar, Stage, Stem, TenGod
from bazi_core.astro import scales
from bazi_core.luck.onset import Onset, OnsetAge, add_years, is_forward, onset, years_after
from bazi_core.tables.words import pictured, printed, shown_in_notebook
from bazi_core.views.cycles import void_flags
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

CYCLES = 10


class FlowMarks(NamedTuple):
    """The ten gods, stage and void flag of a luck or flow pillar in a chart."""

    ten_god_stem: TenGod
    ten_god_branch: TenGod
    stage: Stage
    void: bool

    @property
    def ten_gods(self) -> dict[str, str]:
        """The names of the ten gods of `stem` and `branch`."""
        return {"stem": self.ten_god_stem.value, "branch": self.ten_god_branch.value}


def marks_of(pillar: Pillar, natal: FourPillars, school: School) -> FlowMarks:
    """Ten gods of a pillar's stem and of its branch's main qi, the stage of the day stem on it, and its void flag."""
    void = void_flags(natal.day, natal.year, school.void_anchor)[pillar.branch.index]
    return _marks(natal.day.stem, school.twelve_stages)[2 * pillar.index + void]


@cache
def _marks(day: Stem, stages: str) -> tuple[FlowMarks, ...]:
    """For each of the sixty pillars its marks if not void and if void."""
    return tuple(
        FlowMarks(
            ten_god(day, pillar.stem),
            ten_god(day, hidden_stems(pillar.branch)[0].stem),
            stage(day, pillar.branch, stages),
            void,
        )
        for pillar in PILLARS
        for void in (False, True)
    )


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

    `start` is an aware datetime on the clock of the birth's place, at the offset in force by then; None without a
    birth or without its hour, in which case `start_range` tells the earliest and the latest possible start.

    >>> import bazi_core as bz
    >>> luck = bz.chart("1990-05-15 13:30", city="北京", gender="male").luck
    >>> luck.direction, luck.start_age.years, [cycle.pillar.value for cycle in luck.cycles[:3]]
    ('forward', 7, ['壬午', '癸未', '甲申'])
    """

    direction: str
    method: str
    start_age: OnsetAge | None
    start: datetime | None
    start_range: tuple[datetime, datetime] | None
    cycles: tuple[LuckCycle, ...]
    xiaoyun: tuple[MinorLuck, ...]

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        since = f" from {self.start.date()}" if self.start else ""
        return f"<Luck {self.direction}{since}: {' '.join(cycle.pillar.value for cycle in self.cycles)}>"

    def svg(self, lang: str = "zh-Hans", theme: str = "light") -> str:
        """The ten 大运 as SVG; `theme` is `light`, `dark` or `auto`. `chart.svg(part="luck")` marks the current one."""
        return pictured(self, lang, theme)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return shown_in_notebook(self)

    @property
    def uncertain(self) -> bool:
        return self.start_range is not None

    @property
    def edges(self) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
        """The starts of the ten 大运 and the end of the last in UTC (naive), at the earliest and at the latest.

        The two differ only where the hour of birth is unknown; without a birth both are empty.
        """
        if self.start_range is not None:
            first, last = self.start_range
            return _in_utc(_decades(first)), _in_utc(_decades(last))
        only = _in_utc(self.starts)
        return only, only

    @property
    def starts(self) -> tuple[datetime, ...]:
        """The starts of the ten 大运 and the end of the last; empty where no dates are known."""
        if self.start is None:
            return ()
        starts = [cycle.start_at for cycle in self.cycles if cycle.start_at is not None]
        return (*starts, add_years(self.start, 10 * CYCLES).replace(tzinfo=starts[-1].tzinfo))

    def minor_luck(self, age: int) -> Pillar | None:
        """小运 of a nominal age, also after luck has begun; None without an hour or where the School has none.

        >>> import bazi_core as bz
        >>> luck = bz.chart("1990-05-15 13:30", city="北京", gender="male").luck
        >>> luck.minor_luck(8) == luck.xiaoyun[7].pillar, luck.minor_luck(37)
        (True, Pillar('己未'))
        """
        if not self.xiaoyun or age < 1:
            return None
        step = 1 if self.direction == "forward" else -1
        return PILLARS[(self.xiaoyun[0].pillar.index + step * (age - 1)) % 60]

    def at(self, when: datetime) -> LuckCycle | None:
        """The 大运 that runs at an aware datetime, or None before the first and after the last."""
        passed = sum(start <= when for start in self.starts)
        return self.cycles[passed - 1] if 0 < passed <= len(self.cycles) else None


def luck(pillars: FourPillars, gender: str, school: School, moment: SolarMoment | None) -> Luck:
    """The luck of four pillars; with dates when the moment of birth is known."""
    forward = is_forward(pillars, gender, school.luck_direction)
    start = onset(moment, forward, school) if moment is not None else None
    born_year = scales.datetime_of(moment.civil_ms).year if moment is not None else None
    cycles = _cycles(pillars, forward, school, moment, start)
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
    """The luck of a birth without an hour: the pillars, and a start between those of the day's two ends."""
    forward = is_forward(pillars, gender, school.luck_direction)
    earliest, latest = sorted(_instant(end, onset(end, forward, school)) for end in (first, last))
    return Luck(
        direction="forward" if forward else "backward",
        method=school.luck_start,
        start_age=None,
        start=None,
        start_range=(first.then(earliest), first.then(latest)),
        cycles=_cycles(pillars, forward, school, None, None),
        xiaoyun=(),
    )


def minor_lucks(
    pillars: FourPillars, forward: bool, school: School, born_year: int | None, count: int
) -> tuple[MinorLuck, ...]:
    """小运 of the nominal ages 1 … count: the hour pillar moved on by the age."""
    if pillars.hour is None or school.xiaoyun == "none":
        return ()
    at, step = pillars.hour.index, 1 if forward else -1
    turned = [PILLARS[(at + step * age) % 60] for age in range(1, count + 1)]
    years = [None] * count if born_year is None else range(born_year, born_year + count)
    return tuple(map(MinorLuck._make, zip(range(1, count + 1), years, turned, strict=True)))


def _instant(moment: SolarMoment, start: Onset) -> int:
    return scales.ms_of(start.at) - moment.utc_offset_s * 1000


def _decades(start: datetime) -> tuple[datetime, ...]:
    return tuple(add_years(start, 10 * number) for number in range(CYCLES + 1))


def _in_utc(moments: tuple[datetime, ...]) -> tuple[datetime, ...]:
    return tuple(moment.astimezone(UTC).replace(tzinfo=None) for moment in moments)


def _cycles(
    pillars: FourPillars, forward: bool, school: School, moment: SolarMoment | None, start: Onset | None
) -> tuple[LuckCycle, ...]:
    step, month, day = 1 if forward else -1, pillars.month.index, pillars.day
    marks, voids = _marks(day.stem, school.twelve_stages), void_flags(day, pillars.year, school.void_anchor)
    turns = [(month + step * (i + 1)) % 60 for i in range(CYCLES)]
    turned, numbers = [PILLARS[turn] for turn in turns], range(CYCLES)
    marked = [marks[2 * turn + voids[turn % 12]] for turn in turns]
    if moment is None or start is None:
        return tuple(map(LuckCycle._make, zip(numbers, turned, marked, *[[None] * CYCLES] * 5, strict=True)))
    first, born = moment.then(_instant(moment, start)), scales.datetime_of(moment.civil_ms)
    # The same reading of the clock every ten years, whatever its offset is by then.
    later = [years_after(first, 10 * i) for i in range(1, CYCLES)]
    starts = [first, *moment.readings_then(first.time(), later)]
    year, nominal = first.year, first.year - born.year + 1
    counted = [range(each, each + 10 * CYCLES, 10) for each in (year, year + 9, nominal, start.age.years)]
    return tuple(map(LuckCycle._make, zip(numbers, turned, marked, starts, *counted, strict=True)))
