"""Birth → SolarMoment: one moment on all the clocks used, with the corrections between them.

    civil clock − offset = UTC,  + (TT − UTC) = TT              year and month pillars compare TT with the terms
    UT1 + longitude·240 s/° = mean solar,  + equation of time = true solar      day and hour pillars

Wall clock, instant, mean and true solar time all look like a datetime and mean different things; here each
is a field of its own, in integer milliseconds since 2000-01-01T12:00 of its scale, so that a surprising hour
pillar is explained by reading a value. Steps to coarser units floor.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import Clock, ends_of_day
from bazi_core.astro.eot import equation_of_time_s
from bazi_core.birth import Birth, birth
from bazi_core.civil_clock import clock_at, clock_at_instant, unwrapped, zone_clock_at_instant, zone_of
from bazi_core.errors import BirthRequired, LongitudeRequired, NonexistentLocalTime
from bazi_core.place.zones import IANA_VERSION, zone
from bazi_core.school import DEFAULT, School, school_of
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import printed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from bazi_core.birth import Where

HOUR_MS = 3_600_000
DAY_MS = 86_400_000
HALF_DAY_MS = 43_200_000
# Further from 2000 than this no offset brings a reading back into the tables: 650 years.
_FAR_MS = 650 * 31_557_600_000


class SolarMoment(NamedTuple):
    """A moment on all its clocks; times are `*_ms` since 2000-01-01T12:00 of their own scale.

    >>> import bazi_core as bz
    >>> now = bz.moment("1990-05-15 13:30", city="北京")
    >>> now.utc, now.mean_solar, now.true_solar
    ('1990-05-15T04:30:00.000Z', '1990-05-15T12:15:37.738', '1990-05-15T12:19:20.223')
    >>> now.utc_offset_s, now.dst_s, now.longitude_correction_s, round(now.equation_of_time_s, 1)
    (32400, 3600, -862.32, 222.5)
    """

    birth: Birth
    clock: Clock
    used: str
    future_utc: str
    civil_ms: int
    utc_ms: int
    tt_ms: int
    mean_solar_ms: int | None
    true_solar_ms: int | None
    equation_of_time_s: float
    local_ms: int
    """The reading of the clock that decides day and hour."""
    term: int
    """Position of the last solar term (`astro.terms`)."""

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        shown = next(step["value"] for step in self.steps() if step["name"] == self.used)
        return f"<SolarMoment {self.utc}, {self.used} {shown}>"

    @property
    def utc_offset_s(self) -> int:
        return self.clock.utc_offset_s

    @property
    def dst_s(self) -> int:
        return self.clock.dst_s

    @property
    def civil(self) -> str:
        return scales.iso_local(self.civil_ms, ms=False)

    @property
    def utc(self) -> str:
        return scales.iso_utc(self.utc_ms)

    @property
    def mean_solar(self) -> str | None:
        return None if self.mean_solar_ms is None else scales.iso_local(self.mean_solar_ms)

    @property
    def true_solar(self) -> str | None:
        return None if self.true_solar_ms is None else scales.iso_local(self.true_solar_ms)

    @property
    def local(self) -> str:
        return scales.iso_local(self.local_ms)

    @property
    def longitude_correction_s(self) -> float | None:
        """Mean solar time minus standard time in seconds."""
        if self.birth.longitude is None:
            return None
        shift = unwrapped(self.birth.longitude, self.utc_offset_s)
        return round(shift * 240 - self.utc_offset_s + self.dst_s, 4)

    def clock_then(self, utc_ms: int) -> Clock:
        """The clock of the birth at another instant: by its zone, or at the stated offset if that is not the zone's."""
        clock = self.clock
        if clock.timezone_id is None:
            return clock
        if clock.source == "offset" and self._of_zone(self.utc_ms).utc_offset_s != clock.utc_offset_s:
            return clock
        return self._of_zone(utc_ms)

    def then(self, utc_ms: int) -> datetime:
        """The reading of the clock of the birth at another instant of UTC, with the offset then in force.

        >>> import bazi_core as bz
        >>> born = bz.moment("1990-04-20 12:00", city="北京")
        >>> str(born.then(born.utc_ms)), str(born.then(born.utc_ms - 15 * 86_400_000))
        ('1990-04-20 12:00:00+09:00', '1990-04-05 11:00:00+08:00')
        """
        offset_s = self.clock_then(utc_ms).utc_offset_s
        return scales.datetime_of(utc_ms + offset_s * 1000).replace(tzinfo=fixed_zone(offset_s))

    def instant_of(self, wall: datetime) -> int:
        """The instant of UTC at which the clock of the birth shows a naive reading; near one that was skipped, if it was."""
        offset_s, wall_ms = self.utc_offset_s, scales.ms_of(wall)
        # The first round finds the side of a change of the clocks, the second the instant.
        for _ in range(2):
            offset_s = self.clock_then(wall_ms - offset_s * 1000).utc_offset_s
        return wall_ms - offset_s * 1000

    def readings_then(self, at: time, days: Iterable[date]) -> list[datetime]:
        """A time of day on days in their order, as the clock of the birth shows it, each with the offset in force; near one
        that was skipped, if it was."""
        key, combine = self.clock.timezone_id, datetime.combine
        if key is None or self.clock.source not in ("zone", "geo"):
            return [self.then(self.instant_of(combine(day, at))) for day in days]
        tz, again, readings = zone(key), at.replace(fold=1), []
        is_standard, known, fixed = False, None, None
        for day in days:
            # A reading that occurred once determines its offset; before standard time the place may have had its own.
            first = combine(day, at, tz)
            offset = tz.utcoffset(first)
            is_standard = is_standard or tz.tzname(first) != "LMT"
            if offset is not None and is_standard and offset == tz.utcoffset(combine(day, again, tz)):
                if offset != known:
                    known, fixed = offset, fixed_zone(offset.days * 86400 + offset.seconds)
                readings.append(combine(day, at, fixed))
            else:
                readings.append(self.then(self.instant_of(combine(day, at))))
        return readings

    def _of_zone(self, utc_ms: int) -> Clock:
        return zone_clock_at_instant(self.birth, self.clock.timezone_id, utc_ms)

    @property
    def prev_jie(self) -> int:
        """Position of the last 节 at or before the moment."""
        return self.term & ~1

    @property
    def next_jie(self) -> int:
        return self.prev_jie + 2

    def to_dict(self) -> dict[str, Any]:
        """The part of `time_trace` that needs no pillars."""
        tt_minus_utc = self.tt_ms - self.utc_ms
        return {
            "civil": self.civil,
            "calendar": "julian" if self.birth.calendar == "julian" else "gregorian",
            "precision_s": self.birth.precision_s,
            "timezone_id": self.clock.timezone_id,
            "offset_source": self.clock.source,
            "utc_offset_s": self.utc_offset_s,
            "dst_s": self.dst_s,
            "abbreviation": self.clock.abbreviation,
            "fold": self.clock.fold,
            "utc": self.utc,
            "tt_ms": self.tt_ms,
            "tt_minus_utc_s": tt_minus_utc / 1000,
            "delta_t_s": scales.delta_t_ms(self.tt_ms) / 1000,
            "delta_t_uncertainty_s": scales.delta_t_uncertainty_s(self.tt_ms),
            "ut1_minus_utc_s": scales.ut1_minus_utc_ms(self.utc_ms) / 1000,
            "longitude": self.birth.longitude,
            "longitude_correction_s": self.longitude_correction_s,
            "mean_solar": self.mean_solar,
            "equation_of_time_s": round(self.equation_of_time_s, 2),
            "true_solar": self.true_solar,
            "used": self.used,
            "local": self.local,
            "prev_jie": self.term_dict(self.prev_jie),
            "next_jie": self.term_dict(self.next_jie),
            "steps": self.steps(),
        }

    def steps(self) -> list[dict[str, Any]]:
        """civil → dst → utc → mean solar → true solar, each with its difference in seconds from the one before."""
        standard_ms = self.civil_ms - self.dst_s * 1000
        rows = [("civil", self.civil_ms, 0.0)]
        if self.dst_s:
            rows.append(("dst", standard_ms, -float(self.dst_s)))
        rows.append(("utc", self.utc_ms, float(self.dst_s - self.utc_offset_s)))
        if self.mean_solar_ms is not None and self.true_solar_ms is not None:
            rows.append(("mean_solar", self.mean_solar_ms, (self.mean_solar_ms - self.utc_ms) / 1000))
            rows.append(("true_solar", self.true_solar_ms, round(self.equation_of_time_s, 2)))
        return [
            {"name": name, "value": scales.iso_local(ms), "delta_s": delta, "evidence_id": f"p.time.{name}"}
            for name, ms, delta in rows
        ]

    def term_dict(self, position: int) -> dict[str, Any]:
        """A term of the table as a member of `time_trace`: name, instant in UTC, seconds from the moment to it."""
        at = terms.instant(position)
        return {
            "name": terms.term_at(position).value,
            "utc": scales.iso_utc(scales.utc_from_tt(at, self.future_utc)),
            "distance_s": (at - self.tt_ms) / 1000,
        }


def solar_moment(born: Birth, school: School = DEFAULT) -> SolarMoment:
    """The moment of a birth on every clock.

    Raises the errors of civil time (`NONEXISTENT_LOCAL_TIME`, `AMBIGUOUS_LOCAL_TIME`, `ZONE_CONFLICT` …),
    `LONGITUDE_REQUIRED` when solar time is asked for without a longitude, and `OUT_OF_RANGE`.
    """
    if born.hour_unknown:
        raise BirthRequired(Said("no_moment"), hint=Said("no_moment_hint"), missing=["time"])
    civil_ms = scales.ms_of(born.civil)
    if abs(civil_ms) > _FAR_MS:
        scales.check_instant(civil_ms)
    used = basis_of(born, school)
    if born.hour_branch is not None:
        return _moment_of_double_hour(born, school, used)
    clock = clock_at(born, school, born.civil)
    utc_ms = civil_ms - clock.utc_offset_s * 1000
    scales.check_instant(utc_ms)
    return moment_at(born, school, clock, utc_ms, used)


def moment(
    when: str | datetime | date | Birth,
    *,
    school: School | None = None,
    gender: str | None = None,
    **where: Unpack[Where],
) -> SolarMoment:
    """The moment of a birth without a chart; arguments as for `chart`.

    >>> moment("1990-05-15 13:30", city="北京").true_solar
    '1990-05-15T12:19:20.223'
    """
    chosen = school_of(school)
    return solar_moment(birth(when, gender=gender, school=chosen, **where), chosen)


def moment_at(born: Birth, school: School, clock: Clock, utc_ms: int, used: str) -> SolarMoment:
    """The moment at an instant of UTC on a clock that is already known."""
    tt_ms = utc_ms + scales.tt_minus_utc_ms(utc_ms, school.future_utc)
    civil_ms = utc_ms + clock.utc_offset_s * 1000
    eot = equation_of_time_s(tt_ms)
    mean_ms = true_ms = None
    if born.place is not None and born.place.longitude is not None:
        shift_ms = unwrapped(born.place.longitude, clock.utc_offset_s) * 240_000
        mean = mean_solar_exact_ms(utc_ms, shift_ms, tt_ms)
        mean_ms, true_ms = floor(mean), floor(mean + eot * 1000)
    local_ms = civil_ms if used == "civil" else mean_ms if used == "mean_solar" else true_ms
    assert local_ms is not None
    term = terms.position(tt_ms)
    return SolarMoment(
        born, clock, used, school.future_utc, civil_ms, utc_ms, tt_ms, mean_ms, true_ms, eot, local_ms, term
    )


def basis_of(born: Birth, school: School) -> str:
    """The clock that decides day and hour: the School's, or the best that the longitude allows."""
    if born.longitude is not None:
        return school.time_basis or "true_solar"
    if school.time_basis in (None, "civil"):
        return "civil"
    raise LongitudeRequired(
        Said("longitude_required", time_basis=school.time_basis),
        hint=Said("longitude_required_hint"),
        time_basis=school.time_basis,
        accepted=["city", "place", "longitude"],
    )


@cache
def fixed_zone(offset_s: int) -> timezone:
    """The zone of a clock with a fixed offset."""
    return timezone(timedelta(seconds=offset_s))


def mean_solar_exact_ms(utc_ms: int, shift_ms: float, tt_ms: int | None = None) -> float:
    """Mean solar time at an instant of UTC, and of TT where that is known, `shift_ms` being that of the longitude."""
    return utc_ms + scales.ut1_minus_utc_ms(utc_ms, tt_ms) + shift_ms


def _moment_of_double_hour(born: Birth, school: School, used: str) -> SolarMoment:
    """The middle of a named double hour on the clock in use.

    The name fixes the hour branch on that clock, so the instant is sought backwards from the clock; two
    rounds settle the equation of time and the offset to well under a second.
    """
    assert born.hour_branch is not None
    key = None if born.utc_offset_s is not None else zone_of(born, school)
    if key is not None:
        ends_of_day(born.civil, key)
    start = born.civil + timedelta(hours=born.hour_branch.start_hour)
    middle = start + timedelta(minutes=30 * born.hour_branch.length_hours)
    if used != "civil":
        return _moment_of_local(born, school, used, scales.ms_of(middle))
    clock, reading = _reading_within(born, school, start, middle)
    utc_ms = scales.ms_of(reading) - clock.utc_offset_s * 1000
    scales.check_instant(utc_ms)
    return moment_at(born, school, clock, utc_ms, used)


def _reading_within(born: Birth, school: School, start: datetime, middle: datetime) -> tuple[Clock, datetime]:
    """A reading of the wall clock inside a double hour: its middle, or where that was skipped, the middle of
    what was left of it. Which of two passes is meant does not matter to the pillars; the first is taken."""
    fold = 0 if born.fold is None else born.fold
    try:
        return clock_at(born._replace(fold=fold), school, middle), middle
    except NonexistentLocalTime as skipped:
        before = datetime.fromisoformat(skipped.data["nearest_before"])
        after = datetime.fromisoformat(skipped.data["nearest_after"])
        end = middle + (middle - start)
        if before < start and after >= end:
            raise
        left = start + (before - start) / 2 if before > start else after + (end - after) / 2
        left = left.replace(microsecond=0)
        return clock_at(born._replace(fold=fold), school, left), left


def _moment_of_local(born: Birth, school: School, used: str, target_ms: int) -> SolarMoment:
    """The moment at which the clock in use shows `target_ms`."""
    longitude = born.longitude or 0.0
    utc_ms = target_ms - int(longitude * 240_000)
    for _ in range(4):
        found = moment_at(born, school, clock_at_instant(born, school, utc_ms), utc_ms, used)
        utc_ms += target_ms - found.local_ms
    scales.check_instant(found.utc_ms)
    return found


def backend_trace(future_utc: str) -> dict[str, Any]:
    """The versions of tables, zones and policies on which a trace rests."""
    from bazi_core.astro.data import TABLES_VERSION, tables_hash

    return {
        "backend": "table",
        "tables_version": TABLES_VERSION,
        "tables_hash": tables_hash(),
        "tzdata_version": IANA_VERSION,
        "future_utc": future_utc,
    }
