"""The calendar of a day at a place: its terms and its month, by the civil date on the clock of the place.

A term is one instant; the date on which it falls depends on the place. The day on which a 节 falls belongs whole to the
new month (卷4: 建除 is repeated on it), or to the month in force at a time of it (`month_at`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import PILLARS, Pillar, SolarTerm
from bazi_core.astro import scales, terms
from bazi_core.astro.civil import ends_of_day, format_offset
from bazi_core.civil_clock import zone_clock_at_instant, zone_of
from bazi_core.pillars import month_index, year_index

if TYPE_CHECKING:
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.birth import Birth

DAY_MS = scales.DAY_MS
_NOON_MS = DAY_MS // 2
# Where 冬至 stands among the terms of a year.
_WINTER = terms.position_of(terms.FIRST_YEAR, SolarTerm("冬至"))
# The ordinal of 2000-01-01, at whose noon the count of milliseconds begins.
_EPOCH_DAY = scales.EPOCH.toordinal()
CHINA_OFFSET_S = 28_800
_MONTH_AT_MS = {"start": 0, "noon": _NOON_MS}


class TermOnClock(NamedTuple):
    """A term by its position in the table, with its instant in UTC and on a clock, in ms from 2000-01-01 12:00."""

    position: int
    utc_ms: int
    local_ms: int
    offset_s: int

    @property
    def name(self) -> SolarTerm:
        return terms.term_at(self.position)

    @property
    def day(self) -> int:
        """The ordinal of its civil date."""
        return (self.local_ms + _NOON_MS) // DAY_MS + _EPOCH_DAY

    @property
    def time_ms(self) -> int:
        """Milliseconds since the midnight that opens its date."""
        return (self.local_ms + _NOON_MS) % DAY_MS

    @property
    def utc(self) -> str:
        return scales.iso_utc(self.utc_ms)

    @property
    def local(self) -> str:
        """ISO 8601 with the offset of the clock."""
        return scales.iso_local(self.local_ms) + format_offset(self.offset_s)


class TermClock:
    """The terms on the clock of a place; `where` without a zone is China's clock, UTC+8 without summer time."""

    def __init__(self, where: Birth | None, clock: str, future_utc: str) -> None:
        self.where = where
        self.future_utc = future_utc
        self.key: str | None = None
        if where is not None:
            from bazi_core.school import School

            self.key = zone_of(where, School(clock=clock, future_utc=future_utc))
        self._kept: dict[int, TermOnClock] = {}

    def term(self, position: int) -> TermOnClock:
        """The term at a position of the table."""
        kept = self._kept.get(position)
        if kept is None:
            utc_ms = scales.utc_from_tt(terms.instant(position), self.future_utc)
            offset_s = self.offset_s(utc_ms)
            kept = self._kept[position] = TermOnClock(position, utc_ms, utc_ms + 1000 * offset_s, offset_s)
        return kept

    def offset_s(self, utc_ms: int) -> int:
        """Seconds from UTC of the clock at an instant; before standard time those of the place itself."""
        if self.where is None:
            return CHINA_OFFSET_S
        return zone_clock_at_instant(self.where, self.key, utc_ms).utc_offset_s

    def last(self, day: int) -> TermOnClock:
        """The last term whose civil date is not after a day, given as ordinal."""
        noon = (day - _EPOCH_DAY) * DAY_MS
        at = terms.position(noon)
        while self.term(at + 1).day <= day:
            at += 1
        while self.term(at).day > day:
            at -= 1
        return self.term(at)

    def near(self, day: int, name: SolarTerm) -> TermOnClock:
        """The term of that name that is nearest to a day."""
        at = self.last(day).position
        behind = (terms.term_at(at).index - name.index) % 24
        first, second = self.term(at - behind), self.term(at - behind + 24)
        return first if day - first.day <= second.day - day else second


@lru_cache(maxsize=64)
def term_clock(where: Birth | None, clock: str, future_utc: str) -> TermClock:
    """The clock of a place (cached); of China for None."""
    return TermClock(where, clock, future_utc)


class MonthChange(NamedTuple):
    """The 节 that falls on a day, and the months before and after it."""

    jie: TermOnClock
    before: Pillar
    after: Pillar


class DayCalendar(NamedTuple):
    """A civil day at a place: its last term, the month that rules it, the 节 that falls on it if any.

    `ordinal` is that of the date; `month_position` is that of the 节 which opened the month.
    """

    ordinal: int
    clock: TermClock
    term: TermOnClock
    month_position: int
    jie_today: TermOnClock | None

    @property
    def day_pillar(self) -> Pillar:
        return PILLARS[(self.ordinal + 14) % 60]

    @property
    def month_pillar(self) -> Pillar:
        found: Pillar = PILLARS[month_index(self.month_position)]
        return found

    @property
    def year_pillar(self) -> Pillar:
        found: Pillar = PILLARS[year_index(self.month_position)]
        return found

    @property
    def after_winter(self) -> bool:
        """Whether the day lies from the date of 冬至 to the day before 夏至."""
        return (self.term.position - _WINTER) % 24 < 12

    @property
    def term_day(self) -> int:
        """Days since the date of the last term, 0 on it."""
        return self.ordinal - self.term.day

    @property
    def next_term(self) -> TermOnClock:
        return self.clock.term(self.term.position + 1)

    @property
    def jie(self) -> TermOnClock:
        """The last 节 by civil date."""
        return self.clock.term(self.term.position // 2 * 2)

    @property
    def term_today(self) -> SolarTerm | None:
        return self.term.name if self.term.day == self.ordinal else None

    @property
    def term_tomorrow(self) -> SolarTerm | None:
        return self.next_term.name if self.next_term.day == self.ordinal + 1 else None

    @property
    def month_change(self) -> MonthChange | None:
        if self.jie_today is None:
            return None
        after = month_index(self.jie_today.position)
        return MonthChange(self.jie_today, PILLARS[(after - 1) % 60], PILLARS[after])


def day_calendar(ordinal: int, clock: TermClock, month_at: str) -> DayCalendar:
    """The calendar of a civil day; `month_at` decides the month of the day of a 节."""
    term = clock.last(ordinal)
    jie = clock.term(term.position // 2 * 2)
    today = jie.day == ordinal
    limit = _MONTH_AT_MS.get(month_at, DAY_MS)
    late = today and jie.time_ms > limit
    return DayCalendar(ordinal, clock, term, jie.position - 2 * late, jie if today else None)


def calendar_of(ordinal: int, where: Birth, school: AlmanacSchool) -> DayCalendar:
    """The calendar of a civil day at a place by a school, on the clock of the place or of China."""
    return _on(ordinal, None if school.calendar_of == "china" else where, school)


def _on(ordinal: int, where: Birth | None, school: AlmanacSchool) -> DayCalendar:
    return day_calendar(ordinal, term_clock(where, school.clock, school.future_utc), school.month_at)


def here_and_china(day: DayCalendar, where: Birth, school: AlmanacSchool) -> tuple[DayCalendar, DayCalendar]:
    """The calendar of the date of a day on the clock of the place and on that of China; one of the two is the day's own."""
    if school.calendar_of == "china":
        return _on(day.ordinal, where, school), day
    return day, _on(day.ordinal, None, school)


def check_day(where: Birth, school: AlmanacSchool) -> None:
    """Refuse a day that the clocks of the place skipped whole: `NONEXISTENT_LOCAL_TIME`."""
    key = zone_of(where, school.of_charts)
    if key is not None:
        ends_of_day(where.civil.replace(hour=0, minute=0, second=0, microsecond=0), key)


def months_about(term: TermOnClock, distance_s: float, ordinal: int, month_at: str) -> tuple[Pillar, Pillar]:
    """The month pillar of a day as a 节 near a midnight has it, and as it were on the other side of that midnight;
    `distance_s` is that of the term from the midnight, negative before it."""
    limit = _MONTH_AT_MS.get(month_at, DAY_MS)
    after = month_index(term.position)

    def month(local_ms: int) -> Pillar:
        days, time_ms = divmod(local_ms + _NOON_MS, DAY_MS)
        begun = (days + _EPOCH_DAY, time_ms) <= (ordinal, limit)
        found: Pillar = PILLARS[after if begun else (after - 1) % 60]
        return found

    # As far from the midnight, on its other side; a term on the stroke of it a moment before.
    mirrored_ms = term.local_ms - (round(2000 * distance_s) or 1)
    return month(term.local_ms), month(mirrored_ms)


def terms_near_midnight(day: DayCalendar, window_s: int) -> list[tuple[TermOnClock, float]]:
    """The terms so near to a midnight of the day that their date is in doubt, each with its distance in seconds from that
    midnight (negative: before it)."""
    found = []
    for position in (day.term.position, day.term.position + 1):
        term = day.clock.term(position)
        start = (day.ordinal - _EPOCH_DAY) * DAY_MS - _NOON_MS
        for midnight in (start, start + DAY_MS):
            distance_s = (term.local_ms - midnight) / 1000
            doubt = scales.delta_t_uncertainty_s(terms.instant(position)) or 0
            if abs(distance_s) < max(window_s, doubt):
                found.append((term, distance_s))
    return found
