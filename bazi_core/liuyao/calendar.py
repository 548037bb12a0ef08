"""The time of a cast: an instant with its offset from UTC, and the four pillars of that clock.

Year and month follow the instant (立春 and 节, whatever the offset), day and hour the wall clock of the given offset.
There is no place and no solar time, so of a School only the day boundary, the late 子 hour and the policy for
future UTC act here; `CIVIL` says that the others are set aside.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import Clock
from bazi_core.astro.data import TABLES_VERSION
from bazi_core.birth import Birth
from bazi_core.errors import InvalidDatetime, InvalidOffset, TimeNeedsOffset, shown
from bazi_core.moment import SolarMoment, moment_at
from bazi_core.pillars import HOUR_MS, four_pillars
from bazi_core.tables.sentences import Said
from bazi_core.warnings import BaziWarning, warnings_of

if TYPE_CHECKING:
    from bazi_core.school import School

# RFC 3339 with a T; seconds may be left out, and a second of 60 is refused with the other readings that no clock has.
_FORM = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|z|[+-]\d\d:\d\d)?", re.ASCII
)
_UNKNOWN_OFFSET = "-00:00"
ACCEPTED = "2026-04-03T20:30:00+08:00"
LONGEST_OFFSET_S = 57_600
# Options of the School that a cast uses; the rest has nothing to act on.
USED = ("day_boundary", "late_zi_hour_stem", "future_utc", "boundary_window_s")
CIVIL = {"time_basis": "civil", "year_boundary": "lichun"}


def moment_of(at: str | datetime, school: School) -> SolarMoment:
    """The moment of an RFC 3339 text or an aware datetime.

    Raises `INVALID_DATETIME`, `INVALID_OFFSET`, `TIME_NEEDS_OFFSET` and `OUT_OF_RANGE`.
    """
    wall, ms, offset_s = _aware(at) if isinstance(at, datetime) else _read(at)
    clock = Clock(None, "offset", offset_s, 0, None, None)
    utc_ms = scales.ms_of(wall) + ms - offset_s * 1000
    scales.check_instant(utc_ms)
    born = Birth(civil=wall, utc_offset_s=offset_s, precision_s=1, given=shown(at)[:40])
    return moment_at(born, civil_school(school), clock, utc_ms, "civil")


@lru_cache(maxsize=64)
def civil_school(school: School) -> School:
    """The School for a cast: civil time, years from 立春."""
    return replace(school, time_basis="civil", year_boundary="lichun")


def _read(text: Any) -> tuple[datetime, int, int]:
    """Wall clock, milliseconds beyond its second, seconds from UTC."""
    match = _FORM.fullmatch(text) if isinstance(text, str) and len(text) <= 64 else None
    if match is None:
        raise InvalidDatetime(
            Said("time_form", text=shown(text)[:40], accepted=ACCEPTED), hint=Said("write", accepted=ACCEPTED), field="at",
            value=shown(text)[:40], reason="format",
        )  # fmt: skip
    *parts, fraction, offset = match.groups()
    if offset is None or offset == _UNKNOWN_OFFSET:
        raise _needs_offset(text)
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in parts)
        wall = datetime(year, month, day, hour, minute, second)
    except ValueError as error:
        raise InvalidDatetime(
            Said("time_none", text=text, error=error), hint=Said("time_none_hint"), field="at", value=text,
            reason=str(error).split(" ")[0],
        ) from None  # fmt: skip
    return wall, int(((fraction or "") + "000")[:3]), _seconds(offset)


def _aware(at: datetime) -> tuple[datetime, int, int]:
    offset = at.utcoffset()
    if offset is None:
        raise _needs_offset(at.isoformat())
    if offset % timedelta(seconds=1):
        raise _bad_offset(str(offset))
    wall = at.replace(tzinfo=None, microsecond=0, fold=0)
    return wall, at.microsecond // 1000, _checked(round(offset.total_seconds()), str(offset))


def _seconds(offset: str) -> int:
    if offset in "Zz":
        return 0
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    if minutes > 59:
        raise _bad_offset(offset)
    seconds = hours * 3600 + minutes * 60
    return _checked(-seconds if offset[0] == "-" else seconds, offset)


def _checked(seconds: int, text: str) -> int:
    if abs(seconds) > LONGEST_OFFSET_S:
        raise _bad_offset(text)
    return seconds


def _bad_offset(text: str) -> InvalidOffset:
    return InvalidOffset(Said("offset_invalid", text=text), value=text, accepted="±HH:MM, at most 16 hours")


def _needs_offset(text: str) -> TimeNeedsOffset:
    return TimeNeedsOffset(
        Said("offset_missing", text=text), hint=Said("write", accepted=ACCEPTED), given=text[:40]
    )


# The warnings of a moment that apply to a cast.
TOLD = ("NEAR_BOUNDARY", "FUTURE_UTC_POLICY")


def warnings_of_cast(moment: SolarMoment, school: School) -> tuple[BaziWarning, ...]:
    """Edges near the moment, and the policy for UTC after the leap-second list."""
    civil = civil_school(school)
    return tuple(
        doubt for doubt in warnings_of(moment, civil, four_pillars(moment, civil)) if doubt.code in TOLD
    )


def effective_date(moment: SolarMoment, school: School) -> date:
    """The date of the day pillar: from 23:00 that of the next day, unless the School's day begins at midnight."""
    return scales.datetime_of(moment.local_ms + (HOUR_MS if school.day_boundary == "23:00" else 0)).date()


def calendar(moment: SolarMoment, school: School) -> dict[str, Any]:
    """The calendar data of the pillars, JSON-ready: UTC, offset, day boundary, effective date, 节."""
    return {
        "utc": moment.utc,
        "utcOffsetS": moment.utc_offset_s,
        "dayBoundary": school.day_boundary,
        "effectiveDate": effective_date(moment, school).isoformat(),
        "prevJie": _jie(moment, moment.prev_jie),
        "nextJie": _jie(moment, moment.next_jie),
        "futureUtc": moment.future_utc,
        "tablesVersion": TABLES_VERSION,
    }


def _jie(moment: SolarMoment, position: int) -> dict[str, Any]:
    at = terms.instant(position)
    return {
        "name": terms.term_at(position).value,
        "utc": scales.iso_utc(scales.utc_from_tt(at, moment.future_utc)),
        "distanceS": (at - moment.tt_ms) / 1000,
    }
