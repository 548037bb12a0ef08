"""Pillars → the windows of time that have them.

Years and months are counted on the instant, days and double hours on the clock that the School chose, each modulo 60; so
the way back is arithmetic: of the 720 months of sixty years those that fit, in each the days that fit, in each day the
hours that fit, all by the formulas of `pillars`. A window ends where the first of these ends: at a 节, at the edge of a
double hour or day, at the lunar new year where that begins the year.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from bazi_core.astro import scales, terms
from bazi_core.birth import Birth, birth
from bazi_core.errors import InvalidInput, outside, shown
from bazi_core.moment import DAY_MS, HALF_DAY_MS, HOUR_MS
from bazi_core.pillars import FourPillars, day_index, month_index, pillar_indices, pillars_at, year_index
from bazi_core.reverse.asked import AskedPillars, check_possible
from bazi_core.reverse.clock import SECOND_MS, LocalClock, OffsetSpan
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import printed
from bazi_core.when import gregorian, parse_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bazi_core.place.gazetteer import Place

FIRST_YEAR, LAST_YEAR = 1900, 2100
# Sixty years of twelve months: then year and month pillar come again.
_MONTHS = 720
# A day's pillar and each of its hours are the same this far from one another at most, in seconds.
_LONGEST = {"year": 400 * 86400, "month": 40 * 86400, "day": 90_000, "hour": 10_800}


class Window(NamedTuple):
    """A span of time: from `start` to `end` (exclusive), on the civil clock of the place with its offsets, in whole
    seconds."""

    start: datetime
    end: datetime

    @property
    def seconds(self) -> int:
        return int((self.end - self.start).total_seconds())


@dataclass(frozen=True, slots=True)
class FoundWindows:
    """The windows of a query in order, as a sequence, with the query."""

    asked: AskedPillars
    first: date
    last: date
    school: School
    used: str
    """The clock that decides day and hour: civil, mean_solar or true_solar."""
    birth: Birth
    windows: tuple[Window, ...]

    def __len__(self) -> int:
        return len(self.windows)

    def __iter__(self) -> Iterator[Window]:
        return iter(self.windows)

    @overload
    def __getitem__(self, index: int) -> Window: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Window, ...]: ...
    def __getitem__(self, index: int | slice) -> Window | tuple[Window, ...]:
        return self.windows[index]

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        return f"<FoundWindows of {self.asked}, {self.first} to {self.last}: {len(self)}>"

    @property
    def _ground(self) -> Ground:
        return _ground(self.birth, self.school, self.first, self.last)

    def pillars(self, window: Window) -> dict[str, str | None]:
        """The pillars that the whole window has; None where they differ within it."""
        ends = self._at(window.start, 0), self._at(window.end, SECOND_MS)
        return {
            name: first.value if first is last and window.seconds <= _LONGEST[name] else None
            for (name, first), (_, last) in zip(ends[0].items(), ends[1].items(), strict=True)
        }

    @property
    def months(self) -> tuple[Window, ...]:
        """The spans of the range in which year and month fit, months that follow one another together."""
        ground = self._ground
        return tuple(
            Window(
                ground.clock.segment_at(start).shown(start),
                ground.clock.segment_at(end - SECOND_MS).shown(end),
            )
            for start, end in _months(self.asked, ground)
        )

    def edges(self, window: Window) -> tuple[str, str]:
        """(start, end): the cause of either end of a window, a 节 by name, else the range, else the clock."""
        return self._edge(window.start), self._edge(window.end)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the pillars asked for, the place, the School, and the windows."""
        return {
            "asked": self.asked.to_dict(),
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "used": self.used,
            "timezone_id": self.birth.timezone_id or (self.birth.place and self.birth.place.timezone_id),
            "utc_offset_s": self.birth.utc_offset_s,
            "place": self.birth.place.to_dict() if self.birth.place else None,
            "school": self.school.to_dict(),
            "windows": [self._window_dict(window) for window in self.windows],
        }

    def _window_dict(self, window: Window) -> dict[str, Any]:
        start_cut, end_cut = self.edges(window)
        return {
            "from": window.start.isoformat(),
            "to": window.end.isoformat(),
            "from_utc": scales.iso_utc(_utc_ms(window.start)),
            "to_utc": scales.iso_utc(_utc_ms(window.end)),
            "seconds": window.seconds,
            "from_cut": start_cut,
            "to_cut": end_cut,
            "pillars": self.pillars(window),
        }

    def _at(self, shown_at: datetime, before_ms: int) -> FourPillars:
        utc_ms = _utc_ms(shown_at) - before_ms
        clock = self._ground.clock
        term = terms.position(_tt_ms(utc_ms, self.school))
        return pillars_at(term, clock.reading(utc_ms, clock.segment_at(utc_ms)), self.school)

    def _edge(self, shown_at: datetime) -> str:
        utc_ms = _utc_ms(shown_at)
        here, before = (terms.position(_tt_ms(at, self.school)) & ~1 for at in (utc_ms, utc_ms - SECOND_MS))
        if here != before:
            name: str = terms.term_at(here).value
            return name
        return "range" if utc_ms in (self._ground.first, self._ground.end) else "clock"


def find(
    pillars: str | Sequence[Any] | dict[str, Any],
    start: int | str | date = FIRST_YEAR,
    end: int | str | date = LAST_YEAR,
    *,
    school: School | None = None,
    city: str | None = None,
    place: Place | str | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
    tz: str | tzinfo | None = None,
    utc_offset: str | float | timedelta | None = None,
) -> FoundWindows:
    """The windows of time that have these pillars, from a year or day to another, both included.

    What is not known of a pillar is `?`: `庚午 ? 庚辰 ?午`. Without a place the clock stands at +08:00, as the calendars of
    China do; with one it is that of a birth there, true solar time unless the School says otherwise. Days are Gregorian.
    Raises `INVALID_PILLARS` for what no moment can have, `OUT_OF_RANGE` before 1551 and after 2648.

    >>> for window in find("庚午 辛巳 庚辰 壬午", 1900, 2100):
    ...     print(window.start, window.end)
    1930-05-30 11:00:00+08:00 1930-05-30 13:00:00+08:00
    1990-05-15 11:00:00+08:00 1990-05-15 13:00:00+08:00
    >>> print(find("庚午 辛巳 庚辰 壬午", 1990, 1990, city="北京")[0].start)
    1990-05-15 12:10:40+09:00
    """
    asked = AskedPillars.parse(pillars)
    stated = (city, place, longitude, latitude, tz, utc_offset)
    born = _AT_8 if stated == _NOWHERE else _where(*stated)
    school = born.in_place(school_of(school))
    check_possible(asked, school)
    first, last = _day(start, 1, 1), _day(end, 12, 31)
    if first > last:
        raise InvalidInput(Said("find_range", first=first, last=last), first=str(first), last=str(last))
    ground = _ground(born, school, first, last)
    windows = [
        Window(opens.shown(start), closes.shown(end))
        for start, end, opens, closes in _merged(_spans(asked, ground))
    ]
    return FoundWindows(asked, first, last, ground.school, ground.clock.used, born, tuple(windows))


Span = tuple[int, int, OffsetSpan, OffsetSpan]
"""From an instant of UTC to another, and the segments of the clock in which they lie."""


def _spans(asked: AskedPillars, ground: Ground) -> Iterator[Span]:
    """The spans that match, not yet joined."""
    school, clock = ground.school, ground.clock
    by_lunar_year = school.year_boundary == "lunar_new_year" and not asked.year.free
    by_clock = by_lunar_year or not (asked.day.free and asked.hour.free)
    for opened, closed in _months(asked, ground):
        if not by_clock:
            yield opened, closed, clock.segment_at(opened), clock.segment_at(closed - SECOND_MS)
            continue
        for segment in clock.segments(opened, closed):
            a, b = max(opened, segment.start), min(closed, segment.end)
            for begins, ends in _readings(asked, school, *clock.about(a, b, segment), by_lunar_year):
                at = clock.first_second(begins, segment)
                until = clock.first_second(ends, segment, at + ends - begins)
                if (at := max(at, a)) < (until := min(until, b)):
                    yield at, until, segment, segment


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    held: Span | None = None
    for span in spans:
        if held and held[1] == span[0]:
            held = held[0], span[1], held[2], span[3]
            continue
        if held:
            yield held
        held = span
    if held:
        yield held


@cache
def _month_pillars() -> dict[tuple[int, int], list[int]]:
    """(year pillar, month pillar) → their positions among the 720 months of sixty years, counted from 小寒 1550."""
    places: dict[tuple[int, int], list[int]] = {}
    for month in range(_MONTHS):
        places.setdefault((year_index(2 * month), month_index(2 * month)), []).append(month)
    return places


@lru_cache(maxsize=1024)
def _fitting_months(asked: AskedPillars, lunar_year: bool) -> tuple[int, ...]:
    """Positions, among the 720 months, at which year and month match; a lunar year begins and ends within a year of 立春 and
    the next, so its neighbours are included and compared by the day."""
    years: set[int] = set(asked.year.indices)
    if lunar_year:
        years |= {(year + step) % 60 for year in years for step in (-1, 1)}
    months = frozenset(asked.month.indices)
    return tuple(
        sorted(
            place
            for (year, month), places in _month_pillars().items()
            if year in years and month in months
            for place in places
        )
    )


def _months(asked: AskedPillars, ground: Ground) -> Iterator[tuple[int, int]]:
    """The spans of UTC in which year and month fit, in order, months that follow one another together."""
    school, first, end = ground.school, ground.first, ground.end
    lunar_year = school.year_boundary == "lunar_new_year"
    if asked.month.free and asked.year.free:
        yield first, end
        return
    year, month = asked.year.whole, asked.month.whole
    if year and month and not lunar_year:
        fitting: Sequence[int] = _month_pillars()[year.index, month.index]
    else:
        fitting = _fitting_months(asked, lunar_year)
    opens, closes = ground.first_month, ground.last_month
    places = [each for fit in fitting for each in range(opens + (fit - opens) % _MONTHS, closes + 1, _MONTHS)]
    places.sort()
    begin = -1
    for place, following in zip(places, [*places[1:], -1], strict=True):
        begin = place if begin < 0 else begin
        if following != place + 1:
            yield (
                max(first, _second_of(begin, school.future_utc)),
                min(end, _second_of(place + 1, school.future_utc)),
            )
            begin = -1


@cache
def _second_of(month: int, future_utc: str) -> int:
    """The first whole second of UTC of a month."""
    utc_ms = scales.utc_from_tt(terms.instant(2 * month), future_utc)
    return -(-utc_ms // SECOND_MS) * SECOND_MS


def _readings(
    asked: AskedPillars, school: School, first: int, last: int, by_lunar_year: bool
) -> Iterator[tuple[int, int]]:
    """The spans of readings of the clock, between two of them, in which day and hour fit, and the lunar year if asked."""
    late = school.day_boundary == "23:00"
    begin = -HALF_DAY_MS - (HOUR_MS if late else 0)
    opens, closes = (first - begin) // DAY_MS, (last - begin) // DAY_MS
    for day, pillar in _days(asked, opens, closes, late):
        midnight = begin + day * DAY_MS
        hours = _fitting_hours(asked.hour.indices, late, school.late_zi_hour_stem, pillar)
        for start, end in hours if not by_lunar_year else _of_lunar_year(hours, midnight, asked, school):
            yield midnight + start, midnight + end


def _days(asked: AskedPillars, opens: int, closes: int, late: bool) -> list[tuple[int, int]]:
    """The days that fit, from one to another, each with the index of its pillar."""
    # Day 0 holds the epoch, whichever hour begins it.
    first = day_index(opens * DAY_MS, late)
    days = [
        (day, fit) for fit in asked.day.indices for day in range(opens + (fit - first) % 60, closes + 1, 60)
    ]
    days.sort()
    return days


@cache
def _hours_of(late: bool, late_zi: str, day: int) -> tuple[int, ...]:
    """The hour pillar of each of the 24 hours of a day of this index, from the hour with which it begins."""
    school = School(day_boundary="23:00" if late else "00:00", late_zi_hour_stem=late_zi)
    begin = (day - day_index(0, late)) % 60 * DAY_MS - HALF_DAY_MS - (HOUR_MS if late else 0)
    return tuple(pillar_indices(0, begin + hour * HOUR_MS, school)[3] for hour in range(24))


@lru_cache(maxsize=8192)
def _fitting_hours(fitting: tuple[int, ...], late: bool, late_zi: str, day: int) -> list[tuple[int, int]]:
    """The spans of a day, in ms from its beginning, whose hour pillar fits."""
    spans: list[tuple[int, int]] = []
    for hour, pillar in enumerate(_hours_of(late, late_zi, day)):
        if pillar not in fitting:
            continue
        start, end = hour * HOUR_MS, (hour + 1) * HOUR_MS
        if spans and spans[-1][1] == start:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _of_lunar_year(
    hours: Iterable[tuple[int, int]], midnight: int, asked: AskedPillars, school: School
) -> Iterator[tuple[int, int]]:
    """The parts of these spans whose date lies in a matching lunar year."""
    turn = (-midnight - HALF_DAY_MS) % DAY_MS
    for start, end in hours:
        parts = [(start, end)] if not start < turn < end else [(start, turn), (turn, end)]
        for part in parts:
            if asked.year.fits(pillars_at(2, midnight + part[0], school).year):
                yield part


class Ground(NamedTuple):
    """The range of a search: the clock of the place, the UTC instants at which the first day begins and the last one ends
    on it, and the months of the table that contain them."""

    school: School
    clock: LocalClock
    first: int
    end: int
    first_month: int
    last_month: int


@lru_cache(maxsize=128)
def _ground(born: Birth, school: School, first: date, last: date) -> Ground:
    clock = LocalClock(born, school, last.year)
    start, end = clock.beginning_of(first), clock.beginning_of(date.fromordinal(last.toordinal() + 1))
    months = (terms.position(_tt_ms(at, school)) // 2 for at in (start, end - SECOND_MS))
    return Ground(school.with_basis(clock.used), clock, start, end, *months)


# The years that the tables hold whole.
_LEAST_YEAR = scales.datetime_of(scales.FIRST_UTC_MS).year
_MOST_YEAR = scales.datetime_of(scales.END_UTC_MS).year - 1
_NOWHERE = (None,) * 6
_AT_8 = Birth(datetime(2000, 1, 1), utc_offset_s=28_800, hour_unknown=True)


def _where(*stated: Any) -> Birth:
    """The birth that stands for a place, whatever the day (cached)."""
    try:
        hash(stated)
    except TypeError:
        return _place_birth(*stated)
    return _cached_place(*stated)


def _place_birth(city: Any, place: Any, longitude: Any, latitude: Any, tz: Any, utc_offset: Any) -> Birth:
    if tz is not None and utc_offset is not None:
        raise InvalidInput(Said("find_two_clocks"), tz=shown(tz), utc_offset=shown(utc_offset))
    return birth(
        "2000-01-01",
        hour_unknown=True,
        city=city,
        place=place,
        longitude=longitude,
        latitude=latitude,
        tz=tz,
        utc_offset=utc_offset,
    )


_cached_place = lru_cache(maxsize=256, typed=True)(_place_birth)


def _day(given: object, month: int, day: int) -> date:
    """The date of an argument: a day as given, or the first or last day of a year."""
    if isinstance(given, str) and len(given) == 4 and given.isascii() and given.isdigit():
        given = int(given)
    if type(given) is int:
        _check_year(given)
        return date(given, month, day)
    if isinstance(given, datetime):
        given = given.date()
    day_given = given if isinstance(given, date) else gregorian(*parse_date(shown(given)))
    _check_year(day_given.year)
    return day_given


def _check_year(year: int) -> None:
    if not _LEAST_YEAR <= year <= _MOST_YEAR:
        raise outside("year", _LEAST_YEAR, _MOST_YEAR, year)


def _tt_ms(utc_ms: int, school: School) -> int:
    return utc_ms + scales.tt_minus_utc_ms(utc_ms, school.future_utc)


def _utc_ms(at: datetime) -> int:
    return scales.ms_of(at.astimezone(UTC).replace(tzinfo=None))
