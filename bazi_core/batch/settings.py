"""Place, zone, offset, fold and calendar of the rows of a table; each distinct combination is resolved once.

A combination is resolved by `birth`, as for a single birth. Cases that arrays cannot decide (a date of the Julian
calendar, a zone that follows from coordinates) go to `birth` row by row.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.astro import scales
from bazi_core.batch.columns import status_numbers
from bazi_core.batch.zones import FIRST_MS, Clocks, Segments, by_instant, by_reading
from bazi_core.birth import FIRST_GREGORIAN, Birth, birth
from bazi_core.civil_clock import zone_of
from bazi_core.errors import BaziError, ZoneRequired
from bazi_core.moment import basis_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bazi_core.school import School

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

NOT_AGREED = 2**30
_NOON = "2000-01-01 12:00"
_GREGORIAN_MS = scales.ms_of(datetime(FIRST_GREGORIAN.year, FIRST_GREGORIAN.month, FIRST_GREGORIAN.day))


class Given(NamedTuple):
    """A combination as it was given, and whether its rows have coordinates."""

    city: Any = None
    place: Any = None
    tz: Any = None
    utc_offset: Any = None
    fold: Any = None
    calendar: Any = None
    has_longitude: bool = False
    has_latitude: bool = False

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of `birth` for the combination, with placeholders for coordinates."""
        words = {
            name: value for name, value in zip(self._fields[:6], self, strict=False) if value is not None
        }
        points = {"longitude": self.has_longitude, "latitude": self.has_latitude}
        return words | {name: 0.0 for name, has in points.items() if has}


class Setting(NamedTuple):
    """A combination, resolved.

    `error` is the status of all its rows, `zone_error` of those that state no offset of their own, `clock_error` of what is
    a birth but has no moment. `ask` leaves its
    readings of a wall clock to `birth`, `ask_stated` those with an offset, `ask_instant` its instants. `clock` is a zone or
    an offset in seconds; `agreed` an offset that the zone must have.
    """

    error: int = 0
    zone_error: int = 0
    clock_error: int = 0
    ask: bool = False
    ask_stated: bool = False
    ask_instant: bool = False
    clock: str | int | None = None
    longitude: float = np.nan
    agreed: int = NOT_AGREED
    first_ms: int = FIRST_MS
    korean: bool = False


def number_of(error: BaziError) -> int:
    """The status of a row that raises this."""
    numbers = status_numbers()
    codes = (getattr(kind, "code", None) for kind in type(error).__mro__)
    return next(numbers[code] for code in codes if code in numbers)


def setting_of(given: Given, school: School) -> Setting:
    """The setting of a combination."""
    try:
        return _setting(given, school)
    except BaziError as error:
        if given.calendar == "julian":
            # A day that the Julian calendar does not have is refused before its place is.
            return Setting(ask=True, ask_stated=True, ask_instant=True)
        return Setting(error=number_of(error), first_ms=_first_ms(given))


def _setting(given: Given, school: School) -> Setting:
    where = given.arguments()
    try:
        born = birth(_NOON, school=school, **where)
        zone_error = 0
    except ZoneRequired as error:
        # A row that states its offset needs no zone.
        born = birth(_NOON + "Z", school=school, **where)
        zone_error = number_of(error)
    of_row = given.has_longitude and school.clock == "xinjiang"
    julian = given.calendar == "julian"
    ask = julian or of_row or born.zone_from_coordinates or _has_two_clocks(born)
    clock, clock_error = None, 0
    try:
        basis_of(born, school)
        if not ask:
            clock = _clock(born, school)
    except BaziError as error:
        clock_error = number_of(error)
    if zone_error:
        clock = None
    elif clock is None and not (ask or clock_error):
        zone_error = number_of(ZoneRequired(""))
    agreed = (
        born.utc_offset_s if born.timezone_id is not None and born.utc_offset_s is not None else NOT_AGREED
    )
    return Setting(
        zone_error=zone_error,
        clock_error=clock_error,
        ask=ask,
        ask_stated=ask or given.tz is not None or given.utc_offset is not None,
        ask_instant=julian or of_row or agreed != NOT_AGREED or (_has_two_clocks(born)),
        clock=clock,
        longitude=np.nan if given.has_longitude or born.longitude is None else born.longitude,
        agreed=agreed,
        first_ms=_first_ms(given),
        korean=born.in_place(school).lunar_months == "korean",
    )


def _first_ms(given: Given) -> int:
    return FIRST_MS if given.calendar else _GREGORIAN_MS


def _has_two_clocks(born: Birth) -> bool:
    """Whether the claimed offset may choose between two clocks of the place."""
    return (
        born.claimed_offset_s is not None
        and born.place is not None
        and born.place.alt_timezone_id is not None
    )


def _clock(born: Birth, school: School) -> str | int | None:
    key = zone_of(born, school)
    return born.utc_offset_s if born.utc_offset_s is not None and born.timezone_id is None else key


class Factor(NamedTuple):
    """A column of few distinct values with each row's index among them; without indices one value for all rows."""

    values: Sequence[Any]
    places: Ints | None = None

    def at(self, row: int) -> Any:
        """The value of a row."""
        return self.values[0 if self.places is None else int(self.places[row])]


class ClockList:
    """The clocks in use and their indices."""

    def __init__(self, segments_of: Callable[[str], Segments]) -> None:
        self.segments_of = segments_of
        self.places: dict[str | int, int] = {}
        self._read: Clocks | None = None

    def place_of(self, clock: str | int) -> int:
        """The index of a clock, which is added if new."""
        if clock not in self.places:
            self.places[clock] = len(self.places)
            self._read = None
        return self.places[clock]

    def __call__(self, ms: Ints, places: Any) -> Ints:
        """The offsets of clocks at times."""
        if self._read is None:
            self._read = Clocks([self._segments(clock) for clock in self.places])
        return self._read(ms, places)

    def _segments(self, clock: str | int) -> Segments:
        if isinstance(clock, str):
            return self.segments_of(clock)
        return Segments(np.array([FIRST_MS]), np.array([clock]))


class TableSettings:
    """The settings of a table under one School; `zone` is that of a column of instants."""

    def __init__(
        self, factors: Sequence[Factor], points: Sequence[Floats | None], school: School, zone: str | None
    ) -> None:
        self.factors, self.points, self.school, self.zone = factors, points, school, zone
        self.readings, self.instants = ClockList(by_reading), ClockList(by_instant)
        self.numbers: dict[int, int] = {}
        self.found: list[Setting] = []
        self.clocks: list[tuple[int, int]] = []
        self._columns: dict[str, NDArray[Any]] = {}

    def rows(self, start: int, end: int) -> Ints | int:
        """The index of the setting of each row; a single int if all rows share it."""
        at: Any = 0
        for factor in self.factors:
            if factor.places is not None:
                at = at * len(factor.values) + factor.places[start:end]
        for values in self.points:
            if values is not None:
                at = at * 2 + ~np.isnan(values[start:end])
        if isinstance(at, int):
            return self._number(at)
        kinds, back = np.unique(at, return_inverse=True)
        settings: Ints = np.array([self._number(each) for each in kinds.tolist()], np.int64)[back]
        return settings

    def of(self, name: str, rows: Ints | int) -> Any:
        """A member of the settings of rows; for `reading` and `instant` the index of their clock."""
        if isinstance(rows, int):
            return self._member(rows, name)
        if name not in self._columns:
            self._columns[name] = np.array([self._member(each, name) for each in range(len(self.found))])
        return self._columns[name].take(rows)

    def _member(self, number: int, name: str) -> Any:
        if name in ("reading", "instant"):
            return self.clocks[number][name == "instant"]
        return getattr(self.found[number], name)

    def _number(self, at: int) -> int:
        if at not in self.numbers:
            self.numbers[at] = len(self.found)
            setting = setting_of(self._given(at), self.school)
            self.found.append(setting)
            reading = 0 if setting.clock is None else self.readings.place_of(setting.clock)
            clock = self.zone if setting.clock is None else setting.clock
            self.clocks.append((reading, 0 if clock is None else self.instants.place_of(clock)))
            self._columns.clear()
        return self.numbers[at]

    def _given(self, at: int) -> Given:
        has = []
        for values in reversed(self.points):
            at, one = divmod(at, 2) if values is not None else (at, 0)
            has.append(bool(one))
        words = []
        for factor in reversed(self.factors):
            at, place = divmod(at, len(factor.values)) if factor.places is not None else (at, 0)
            words.append(factor.values[place])
        return Given(*reversed(words), *reversed(has))
