"""Rows of births → their moments on the clocks that the pillars need, a block of rows at a time.

Arrays compute plain rows; any other row (a reading that came twice, a text in words, a date outside the tables) is
given to `birth` and `solar_moment`, and the error they raise is its status.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.astro import scales
from bazi_core.astro.civil import format_offset
from bazi_core.batch import steps
from bazi_core.batch.columns import status_numbers
from bazi_core.batch.settings import NOT_AGREED, Factor, Given, TableSettings, number_of
from bazi_core.batch.zones import ASK, END_MS, FIRST_MS, LMT
from bazi_core.birth import birth, gender_of
from bazi_core.errors import BaziError
from bazi_core.moment import SolarMoment, solar_moment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bazi_core.batch.times import TimeColumn, TimesOfBirth
    from bazi_core.school import School

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

WORDS = Given._fields[:6]
_GENDERS = {None: -1, "male": 0, "female": 1}
_NO_GENDER = -2


class Block(NamedTuple):
    """Moments of some rows, in ms from the epoch; rows without one have a `status` other than 0 and stand at the epoch.

    `genders` is 0 male, 1 female, -1 unknown; `korean` rows count by Korea's lunar calendar.
    """

    status: NDArray[np.int8]
    utc_ms: Ints
    offset_s: Ints
    local_ms: Ints
    genders: Ints
    korean: Flags | bool


class Births:
    """The births of a table under one School, read block by block."""

    def __init__(
        self,
        times: TimeColumn,
        words: dict[str, Factor],
        longitude: Floats | None,
        latitude: Floats | None,
        school: School,
    ) -> None:
        self.times, self.words, self.school = times, words, school
        self.longitude, self.latitude = longitude, latitude
        self.gender = words.get("gender", Factor((None,)))
        self.gender_numbers = np.array([_gender_number(value) for value in self.gender.values], np.int64)
        self.has_wrong_gender = bool((self.gender_numbers == _NO_GENDER).any())
        factors = [words.get(name, Factor((None,))) for name in WORDS]
        self.settings = TableSettings(factors, (longitude, latitude), school, times.zone)

    def __len__(self) -> int:
        return self.times.length

    def block(self, start: int, end: int) -> Block:
        """The moments of the rows from `start` up to `end`."""
        times = self.times.part(start, end)
        rows = self.settings.rows(start, end)
        longitude = self._longitude(rows, start, end)
        status = np.empty(end - start, np.int8)
        status[:] = self.settings.of("error", rows)
        if self.times.zone is None:
            ask, utc_ms, offset_s = self._of_readings(times, rows, longitude, status)
        else:
            ask, utc_ms, offset_s = self._of_instants(times, rows)
        genders = self._genders(start, end)
        if self.has_wrong_gender:
            status[(genders == _NO_GENDER) & (status == 0) & ~ask] = status_numbers()["UNKNOWN_OPTION"]
        clock_error = self.settings.of("clock_error", rows)
        if np.any(clock_error):
            np.copyto(status, clock_error, where=(status == 0) & ~ask, casting="unsafe")
        for values, limit in ((self.longitude, 180), (self.latitude, 90)):
            if values is not None:
                outside = np.abs(values[start:end]) > limit
                ask |= outside
                status[outside] = 0
        if times.unread is not None:
            # A text that cannot be read is refused before its place is.
            ask |= times.unread
            status[times.unread] = 0
        if times.missing is not None:
            ask &= ~times.missing
            status[times.missing] = status_numbers()["BIRTH_REQUIRED"]
        bad = np.flatnonzero(ask | (status != 0))
        utc_ms[bad] = offset_s[bad] = 0
        local_ms = self._local(utc_ms, offset_s, longitude)
        local_ms[bad] = 0
        for row in np.flatnonzero(ask & (status == 0)).tolist():
            try:
                moment = self.moment(start + row)
            except BaziError as error:
                status[row] = number_of(error)
            else:
                utc_ms[row], offset_s[row] = moment.utc_ms, moment.utc_offset_s
                local_ms[row] = moment.local_ms
        return Block(status, utc_ms, offset_s, local_ms, genders, self.settings.of("korean", rows))

    def moment(self, row: int) -> SolarMoment:
        """The moment of one row as that of a single birth, or its error."""
        given: dict[str, Any] = {name: factor.at(row) for name, factor in self.words.items()}
        for name, values in (("longitude", self.longitude), ("latitude", self.latitude)):
            given[name] = None if values is None or np.isnan(values[row]) else float(values[row])
        given = {name: value for name, value in given.items() if value is not None}
        return solar_moment(birth(self._when(row), school=self.school, **given), self.school)

    def _when(self, row: int) -> Any:
        given = self.times.given(row)
        if self.times.zone is None:
            return given
        # An instant is written on the clock that reads it.
        utc = np.array([scales.ms_of(given)])
        clock = self.settings.of("instant", self.settings.rows(row, row + 1))
        inside = FIRST_MS <= utc[0] < END_MS
        offset_s = int(self.settings.instants(utc, clock)[0]) if inside else 0
        return f"{given + timedelta(seconds=offset_s)}{format_offset(offset_s)}"

    def _of_readings(
        self, times: TimesOfBirth, rows: Any, longitude: Any, status: NDArray[np.int8]
    ) -> tuple[Flags, Ints, Ints]:
        """Flags of the rows that arrays cannot settle, UTC in ms and offset in seconds, of readings of a wall clock."""
        setting = self.settings
        wall_ms = times.ms
        ask = wall_ms < setting.of("first_ms", rows)
        # A date without its calendar is refused before its place is.
        status[ask] = 0
        ask |= wall_ms >= END_MS
        wall_ms = np.where(ask, 0, wall_ms) if ask.any() else wall_ms
        ask |= setting.of("ask", rows)
        if setting.readings.places:
            offset_s = setting.readings(wall_ms, setting.of("reading", rows))
        else:
            offset_s = np.zeros(len(wall_ms), np.int64)
        self._settle(offset_s, ask, rows, longitude)
        zone_error = setting.of("zone_error", rows)
        if times.stated is not None and times.offset_s is not None:
            stated = times.stated
            ask = np.where(stated, setting.of("ask_stated", rows), ask)
            ask |= stated & (times.ms != wall_ms)
            offset_s = np.where(stated, times.offset_s, offset_s)
            zone_error = np.where(stated, 0, zone_error)
        if np.any(zone_error):
            np.copyto(status, zone_error, where=(status == 0) & ~ask, casting="unsafe")
        utc_ms = wall_ms - offset_s * 1000
        ask |= (utc_ms < scales.FIRST_UTC_MS) | (utc_ms >= scales.END_UTC_MS)
        return ask, utc_ms, offset_s

    def _settle(self, offset_s: Ints, ask: Flags, rows: Any, longitude: Any) -> None:
        """Set offsets that do not follow from the zone (local mean time); flag readings that came twice or never."""
        agreed = self.settings.of("agreed", rows)
        if np.any(agreed != NOT_AGREED):
            standing = np.where(offset_s >= _FLAGGED, offset_s - LMT, offset_s)
            ask |= (agreed != NOT_AGREED) & (standing != agreed)
            offset_s[:] = np.where(agreed != NOT_AGREED, standing, offset_s)
        at = np.flatnonzero(offset_s >= _FLAGGED)
        if not len(at):
            return
        flagged = offset_s[at]
        ask[at] |= flagged == ASK
        of_zone = np.where(flagged == ASK, 0, flagged - LMT)
        degrees = longitude[at] if isinstance(longitude, np.ndarray) else np.full(len(at), longitude)
        own = np.where(np.isnan(degrees), of_zone, np.rint(_unwrapped(degrees, of_zone) * 240))
        # A longitude that cannot be of the zone.
        ask[at] |= np.abs(own) >= 86_400
        offset_s[at] = own.astype(np.int64)

    def _of_instants(self, times: TimesOfBirth, rows: Any) -> tuple[Flags, Ints, Ints]:
        """Flags, UTC and offset of instants, on the clock of the row's zone or place, else that of the column."""
        setting = self.settings
        ask = (times.ms < scales.FIRST_UTC_MS) | (times.ms >= scales.END_UTC_MS)
        utc_ms = np.where(ask, 0, times.ms)
        offset_s = setting.instants(utc_ms, setting.of("instant", rows))
        ask |= utc_ms + offset_s * 1000 < setting.of("first_ms", rows)
        ask |= setting.of("ask_instant", rows)
        return ask, utc_ms, offset_s

    def _longitude(self, rows: Any, start: int, end: int) -> Any:
        known = self.settings.of("longitude", rows)
        if self.longitude is None:
            return known
        own = self.longitude[start:end]
        return np.where(np.abs(own) <= 180, own, known)

    def _genders(self, start: int, end: int) -> Ints:
        if self.gender.places is None:
            return np.full(end - start, self.gender_numbers[0])
        return self.gender_numbers.take(self.gender.places[start:end])

    def _local(self, utc_ms: Ints, offset_s: Ints, longitude: Any) -> Ints:
        """The readings of the clock that decides day and hour."""
        civil_ms: Ints = utc_ms + offset_s * 1000
        basis = self.school.time_basis or "true_solar"
        solar = ~np.isnan(longitude)
        if basis == "civil" or not np.any(solar):
            return civil_ms
        shift_ms = _unwrapped(longitude, offset_s) * 240_000
        mean = (utc_ms + steps.ut1_minus_utc_ms(utc_ms)) + shift_ms
        if basis == "true_solar":
            tt_ms = utc_ms + steps.tt_minus_utc_ms(utc_ms, self.school.future_utc)
            mean = mean + steps.equation_of_time_s(tt_ms) * 1000
        if np.all(solar):
            return np.floor(mean).astype(np.int64)
        return np.where(solar, np.floor(np.where(solar, mean, 0)).astype(np.int64), civil_ms)


_FLAGGED = LMT >> 1


def _unwrapped(longitude: Any, offset_s: Ints) -> Floats:
    """Longitudes in degrees shifted by 360° to the side of the offset, as `civil_clock.unwrapped`."""
    ahead = longitude * 240 - offset_s
    west = np.where(ahead <= -43_200, longitude + 360, longitude)
    unwrapped: Floats = np.where(ahead > 43_200, longitude - 360, west)
    return unwrapped


def _gender_number(given: Any) -> int:
    try:
        return _GENDERS[gender_of(given)]
    except BaziError:
        return _NO_GENDER
