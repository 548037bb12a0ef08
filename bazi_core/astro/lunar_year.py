"""The months of a lunar year: by rule, as the issued calendars have them, and the new moons close to midnight.

Rule of GB/T 33661-2017, on the civil days of UTC+8 (UT1+8 before 1972): a month begins on the day of its new
moon; the month that contains 冬至 is month 11; when thirteen months begin from one month 11 up to the next,
the first after the opening one that contains no 中气 is the leap month and repeats the number before it.

The calendar as issued since 1645 (时宪历) left that rule in 29 years up to 1920: older theories, and Beijing
local time until 1928. Those months are rows of `data/lunar_overrides.csv`; a row acts where the rule gives
its `computed_start`, so that one which rests on a policy for future UTC acts under that policy only.

Korea kept China's calendar until 1911, but for a few months that are rows of the table korean_months. Since the lunar
year 1912 it follows the same rule on the days of UTC+9, so that in one month of thirty its dates differ by a day.
All months of 1645–2050 are those that the Korea Astronomy and Space Science Institute (KASI) publishes.

Days are proleptic Gregorian ordinals (1 = 0001-01-01), a clock reading is in ms since 2000-01-01T12:00.
"""

from __future__ import annotations

from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import moons, scales, terms
from bazi_core.astro.data import read_array
from bazi_core.errors import DataCorrupt, known
from bazi_core.tables import rows as table_rows
from bazi_core.tables.sentences import Said

OVERRIDES = "lunar_overrides.csv"
OVERRIDE_COUNT = 40
LAST_OFFICIAL_YEAR = 2026
NEAR_MIDNIGHT_MS = 120_000

CALENDARS = ("chinese", "korean")
FIRST_KOREAN_YEAR = 1912
"""The first lunar year that Korea reckoned by its own meridian."""

_DAY_MS = scales.DAY_MS
_BEIJING_MS = 8 * 3_600_000
_SEOUL_MS = 9 * 3_600_000
_MIDNIGHT_MS = -_DAY_MS // 2
_EPOCH_DAY = scales.EPOCH.toordinal()
_WINTER_SOLSTICE = SolarTerm("冬至")

Key = tuple[int, bool]
"""(month, leap): the name of a month inside its year."""
Span = tuple[Key, int, int]
"""A month with its first day and the first day of the next."""


class LunarOverride(NamedTuple):
    """A month whose start differs between the issued calendar and the rule; None where one of them has no such month."""

    year: int
    month: int
    leap: bool
    official_start: date | None
    computed_start: date | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, keys as the columns of the file."""
        return {
            "lunar_year": self.year,
            "month": self.month,
            "leap": self.leap,
            "official_start": self.official_start and self.official_start.isoformat(),
            "computed_start": self.computed_start and self.computed_start.isoformat(),
        }


class LunarNote(NamedTuple):
    """A note on a month: `LUNAR_OVERRIDE` with its rows, or `LUNAR_NEAR_MIDNIGHT` with its event.

    `event` is 朔 or the name of a 中气, `at` the clock of the calendar (UTC+8, Korea's UTC+9), `seconds` its
    distance from the nearest midnight, negative before it.
    """

    code: str
    rows: tuple[LunarOverride, ...] = ()
    event: str = ""
    at: str = ""
    seconds: float = 0.0

    @property
    def data(self) -> dict[str, Any]:
        """The `data` of a warning with this code."""
        if self.rows:
            return {"rows": [row.to_dict() for row in self.rows]}
        return {"event": self.event, "at": self.at, "seconds": self.seconds}

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"code": self.code, "data": self.data}


class LunarMonth(NamedTuple):
    """One month of a lunar year; `index_in_year` counts from 1 and counts leap months.

    `grade` is `official` to lunar year 2026, then `computed`, or `provisional` where an event so close to
    midnight stands among the notes that a better ΔT could still move the month.
    """

    year: int
    month: int
    leap: bool
    start: date
    days: int
    index_in_year: int
    official: bool
    grade: str
    notes: tuple[LunarNote, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        notes = [note.to_dict() for note in self.notes]
        return {**self._asdict(), "start": self.start.isoformat(), "notes": notes}


class LunarYear(NamedTuple):
    """A lunar year ready for look-up: the first day of each month as an ordinal, and the months."""

    starts: tuple[int, ...]
    months: tuple[LunarMonth, ...]


@lru_cache(maxsize=2400)
def lunar_year(year: int, future_utc: str, calendar: str = "chinese") -> LunarYear:
    """The months of a lunar year of a calendar (cached).

    >>> [(month.month, month.leap) for month in lunar_year(2033, "utc_frozen").months][-3:]
    [(11, False), (11, True), (12, False)]
    >>> [lunar_year(1997, "utc_frozen", name).months[0].start.isoformat() for name in CALENDARS]
    ['1997-02-07', '1997-02-08']
    """
    scales.check_policy(future_utc)
    check_calendar(calendar)
    meridian_ms = _meridian_ms(year, calendar)
    issued = _spans(_issued(year, future_utc, calendar), _issued(year + 1, future_utc, calendar))
    computed = _spans(_computed(year, future_utc, meridian_ms), _computed(year + 1, future_utc, meridian_ms))
    months = tuple(
        _month(year, at, span, _notes(year, span, span not in computed, future_utc, calendar))
        for at, span in enumerate(issued, 1)
    )
    return LunarYear(tuple(start for _, start, _ in issued), months)


def check_calendar(calendar: object) -> None:
    """Refuse the name of a lunar calendar that is not in `CALENDARS`."""
    known("calendar", calendar, CALENDARS)


def _meridian_ms(year: int, calendar: str) -> int:
    """The offset from UTC, in ms, of the civil days on which a calendar bases a lunar year."""
    return _SEOUL_MS if calendar == "korean" and year >= FIRST_KOREAN_YEAR else _BEIJING_MS


def _month(year: int, index: int, span: Span, notes: tuple[LunarNote, ...]) -> LunarMonth:
    (month, leap), start, end = span
    official = year <= LAST_OFFICIAL_YEAR
    doubtful = any(note.event for note in notes)
    grade = "official" if official else "provisional" if doubtful else "computed"
    return LunarMonth(year, month, leap, date.fromordinal(start), end - start, index, official, grade, notes)


def _spans(months: dict[Key, int], following: dict[Key, int]) -> list[Span]:
    named = sorted(months.items(), key=lambda item: item[1])
    ends = [start for _, start in named[1:]] + [following[1, False]]
    return [(key, start, end) for (key, start), end in zip(named, ends, strict=True)]


# ---------------------------------------------------------------------------------------- the rule


def _clock_ms(tt_ms: int, future_utc: str, meridian_ms: int) -> int:
    """The reading in ms, at an instant of TT, of a clock at an offset from UTC (from UT1 before 1972)."""
    return scales.utc_from_tt(tt_ms, future_utc) + meridian_ms


def _day_of(tt_ms: int, future_utc: str, meridian_ms: int) -> int:
    return (_clock_ms(tt_ms, future_utc, meridian_ms) - _MIDNIGHT_MS) // _DAY_MS + _EPOCH_DAY


def _midnight_tt_ms(day: int, future_utc: str, meridian_ms: int) -> int:
    utc_ms = (day - _EPOCH_DAY) * _DAY_MS + _MIDNIGHT_MS - meridian_ms
    return utc_ms + scales.tt_minus_utc_ms(utc_ms, future_utc)


@lru_cache(maxsize=64)
def _computed(year: int, future_utc: str, meridian_ms: int) -> dict[Key, int]:
    """The months of a lunar year by the rule, each with its first day."""
    months = _from_solstice(year, future_utc, meridian_ms) + _from_solstice(year + 1, future_utc, meridian_ms)
    first, end = (at for at, (key, _) in enumerate(months) if key == (1, False))
    return dict(months[first:end])


@lru_cache(maxsize=64)
def _from_solstice(year: int, future_utc: str, meridian_ms: int) -> list[tuple[Key, int]]:
    """The months from the one that contains 冬至 of `year` − 1 to the one of `year`, which is excluded."""
    opening = terms.position_of(year - 1, _WINTER_SOLSTICE)
    zhongqi = [_day_of(terms.instant(at), future_utc, meridian_ms) for at in range(opening, opening + 25, 2)]
    first = _moon_of(opening, zhongqi[0], future_utc, meridian_ms)
    last = _moon_of(opening + 24, zhongqi[-1], future_utc, meridian_ms)
    starts = [_day_of(moons.instant(k), future_utc, meridian_ms) for k in range(first, last + 1)]
    leap_at = _first_without(zhongqi, starts) if last - first == 13 else len(starts)
    numbers = [(at - (at >= leap_at) + 10) % 12 + 1 for at in range(last - first)]
    return [((number, at == leap_at), starts[at]) for at, number in enumerate(numbers)]


def _moon_of(term: int, day: int, future_utc: str, meridian_ms: int) -> int:
    """Position of the new moon that opens the month of the term on that day; a moon later on the same day counts."""
    k = moons.position(terms.instant(term)) + 1
    return k if _day_of(moons.instant(k), future_utc, meridian_ms) <= day else k - 1


def _first_without(days: list[int], starts: list[int]) -> int:
    """The index of the first month that contains none of these days; the opening one contains 冬至."""
    months = enumerate(pairwise(starts))
    return next(at for at, (start, end) in months if not any(start <= day < end for day in days))


# --------------------------------------------------------------------------- the calendar as issued


@cache
def overrides(calendar: str = "chinese") -> tuple[LunarOverride, ...]:
    """All months of 1645–2199 in which an issued calendar leaves the rule, for either policy."""
    if calendar == "korean":
        return tuple(_override(*row.values()) for row in table_rows("korean_months"))
    text = bytes(read_array(OVERRIDES, "B")).decode()
    lines = [line for line in text.splitlines() if not line.startswith("#")][1:]
    if len(lines) != OVERRIDE_COUNT:
        raise DataCorrupt(
            Said("data_rows", name=OVERRIDES, count=len(lines), expected=OVERRIDE_COUNT),
            hint=Said("data_hint"),
            file=OVERRIDES,
            expected=OVERRIDE_COUNT,
            found=len(lines),
        )
    return tuple(_override(*line.split(",")) for line in lines)


def _override(year: str, month: str, leap: str, official_start: str, computed_start: str) -> LunarOverride:
    starts = (date.fromisoformat(day) if day else None for day in (official_start, computed_start))
    return LunarOverride(int(year), int(month), leap == "1", *starts)


def applied_overrides(year: int, future_utc: str, calendar: str = "chinese") -> list[LunarOverride]:
    """The rows that apply to a lunar year: their `computed_start` equals the start by the rule."""
    rows = [row for row in overrides(calendar) if row.year == year]
    computed = _computed(year, future_utc, _meridian_ms(year, calendar)) if rows else {}
    return [row for row in rows if computed.get((row.month, row.leap)) == _ordinal(row.computed_start)]


def _issued(year: int, future_utc: str, calendar: str) -> dict[Key, int]:
    months = dict(_computed(year, future_utc, _meridian_ms(year, calendar)))
    for row in applied_overrides(year, future_utc, calendar):
        if row.official_start:
            months[row.month, row.leap] = row.official_start.toordinal()
        else:
            del months[row.month, row.leap]
    return months


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None


# --------------------------------------------------------------------------------------- what to know


def _notes(year: int, span: Span, moved: bool, future_utc: str, calendar: str) -> tuple[LunarNote, ...]:
    rows = _rows_of(year, span, future_utc, calendar) if moved else ()
    override = (LunarNote("LUNAR_OVERRIDE", rows=rows),) if rows else ()
    return override + _near_midnight(span, future_utc, _meridian_ms(year, calendar))


def _rows_of(year: int, span: Span, future_utc: str, calendar: str) -> tuple[LunarOverride, ...]:
    """The rows that changed a month: its own, and those that share its start or end."""
    key, start, end = span
    rows = applied_overrides(year, future_utc, calendar) + applied_overrides(year + 1, future_utc, calendar)
    return tuple(
        row
        for row in rows
        if (row.year, row.month, row.leap) == (year, *key)
        or any(day and start <= day.toordinal() <= end for day in (row.official_start, row.computed_start))
    )


def _near_midnight(span: Span, future_utc: str, meridian_ms: int) -> tuple[LunarNote, ...]:
    """Notes on the new moons that open and end a month and on the 中气 in it, where midnight is near."""
    _, start, end = span
    # An issued month may begin a day off its new moon: the last one before the third day is the one meant.
    k = moons.position(_midnight_tt_ms(start + 2, future_utc, meridian_ms))
    first = terms.position(_midnight_tt_ms(start, future_utc, meridian_ms) - NEAR_MIDNIGHT_MS) + 1
    last = terms.position(_midnight_tt_ms(end, future_utc, meridian_ms) + NEAR_MIDNIGHT_MS)
    events = [("朔", moons.instant(moon)) for moon in (k, k + 1)]
    events += [(terms.term_at(at).value, terms.instant(at)) for at in range(first | 1, last + 1, 2)]
    notes = (
        _midnight_note(name, _clock_ms(tt_ms, future_utc, meridian_ms), meridian_ms) for name, tt_ms in events
    )
    return tuple(note for note in notes if note)


def _midnight_note(event: str, clock_ms: int, meridian_ms: int) -> LunarNote | None:
    # The epoch is noon, so the remainder counts from the noon before and midnight lies half a day on.
    distance = clock_ms % _DAY_MS - _DAY_MS // 2
    if abs(distance) > NEAR_MIDNIGHT_MS:
        return None
    at = f"{scales.iso_local(clock_ms)}+{meridian_ms // 3_600_000:02}:00"
    return LunarNote("LUNAR_NEAR_MIDNIGHT", event=event, at=at, seconds=distance / 1000)
