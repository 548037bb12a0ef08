"""The 大运 (or the time before or after them), 流年 and ages of a moment.

The moment is always an argument: nothing here reads the system clock.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidInput, OutOfRange, shown
from bazi_core.luck.flows import Flow, flow_year
from bazi_core.luck.years import Age
from bazi_core.tables.sentences import Said
from bazi_core.when import gregorian, parse_date, parse_when

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

    AsOf = date | str

UNBORN, BEFORE, DECADE, UNCERTAIN, BEYOND, UNDATED = STATES = (
    "unborn", "before", "decade", "uncertain", "beyond", "undated",
)  # fmt: skip
_NOON = time(12)


class Running(NamedTuple):
    """The 大运, 流年, 小运 and ages of a moment, `at` (UTC, naive).

    `state` is `decade` while a 大运 runs, which `cycle` then is; `before` the first one and `beyond` the tenth there is
    none; `uncertain` between the earliest and the latest change of a birth without an hour; `unborn` before the birth;
    `undated` where no dates are known (given pillars, no gender). `flow` is the 流年 of `year`, `minor` its 小运.
    `ages` are 虚岁 of that 流年 and the 周岁 completed on the day.
    """

    at: datetime
    on: date
    state: str
    cycle: LuckCycle | None
    year: int
    flow: Flow
    minor: Pillar | None
    ages: Age | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "at": self.at.isoformat(timespec="seconds") + "Z",
            "state": self.state,
            "cycle": self.cycle.index if self.cycle else None,
            "luck_pillar": self.cycle.pillar.value if self.cycle else None,
            "year": self.year,
            "year_pillar": self.flow.pillar.value,
            "xiaoyun": self.minor.value if self.minor else None,
            "age_nominal": self.ages.nominal if self.ages else None,
            "age_full": self.ages.full if self.ages else None,
        }


def running(
    at: datetime,
    luck: Luck | None,
    natal: FourPillars,
    school: School,
    clock: SolarMoment | None,
    born: datetime | None,
) -> Running:
    """The 大运, 流年 and ages of an instant (UTC, naive); `born` is the birth on its civil clock, `clock` a moment on it."""
    year = at.year
    flow = flow_year(natal, school, year)
    if at < flow.start:
        year -= 1
        flow = flow_year(natal, school, year)
    local = at if clock is None else clock.then(scales.ms_of(at)).replace(tzinfo=None)
    state, cycle = (UNDATED, None) if luck is None else _phase(luck, at)
    ages = None
    if born is not None:
        if local < born:
            return Running(at, local.date(), UNBORN, None, year, flow, None, None)
        ages = Age(Age.in_year(year, born.year).nominal, _completed(born, local))
    minor = luck.minor_luck(ages.nominal) if luck is not None and ages is not None else None
    return Running(at, local.date(), state, cycle, year, flow, minor, ages)


def _phase(luck: Luck, at: datetime) -> tuple[str, LuckCycle | None]:
    """The state of luck at an instant and the 大运 that runs: its index is the number of edges passed, minus one."""
    edges = luck.edges
    if not edges[0]:
        return UNDATED, None
    first, last = (sum(edge <= at for edge in each) for each in edges)
    if first != last:
        return UNCERTAIN, None
    if not first:
        return BEFORE, None
    return (DECADE, luck.cycles[first - 1]) if first <= len(luck.cycles) else (BEYOND, None)


def _completed(born: datetime, local: datetime) -> int:
    return local.year - born.year - ((local.month, local.day) < (born.month, born.day))


def instant_of(as_of: AsOf, clock: SolarMoment | None) -> datetime:
    """The instant (UTC, naive) of an argument: a date means its noon, a reading without offset the birth's clock.

    >>> instant_of("2026-02-04 12:30+08:00", None)
    datetime.datetime(2026, 2, 4, 4, 30)
    """
    wall = _wall(as_of)
    first, last = terms.FIRST_YEAR + 2, terms.LAST_YEAR - 2
    if not first <= wall.year <= last:
        message = Said("outside_as_of", date=wall.date().isoformat(), first=first, last=last)
        raise OutOfRange(message, quantity="as_of", first=first, last=last, given=wall.year)
    if wall.utcoffset() is not None:
        return wall.astimezone(UTC).replace(tzinfo=None)
    return (
        wall.replace(tzinfo=None)
        if clock is None
        else scales.datetime_of(clock.instant_of(wall.replace(tzinfo=None)))
    )


def _wall(as_of: AsOf) -> datetime:
    if isinstance(as_of, str):
        parsed = parse_when(as_of)
        day = gregorian(*parse_date(parsed.date_text))
        wall = datetime.combine(day, time(*parsed.time) if parsed.time else _NOON)
        if parsed.utc_offset_s is None:
            return wall
        return (wall - timedelta(seconds=parsed.utc_offset_s)).replace(tzinfo=UTC)
    if isinstance(as_of, datetime):
        return as_of
    if isinstance(as_of, date):
        return datetime.combine(as_of, _NOON)
    raise InvalidInput(Said("as_of_date", given=shown(as_of)), given=shown(as_of))
