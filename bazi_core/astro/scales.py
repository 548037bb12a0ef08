"""Time scales: TT, UTC, UT1, and the clock readings made of them.

Every instant is an int: milliseconds since 2000-01-01T12:00:00 of its own scale, UTC with days of
86,400 s. TT − UTC is ΔT before 1972 (UT1 is what "UTC" means there), 32.184 s + (TAI − UTC) up to the expiry
of the leap-second list, and after it either frozen or ΔT of the model, as `future_utc` says (CGPM 2022,
Resolution 4: leap seconds end by 2035). ΔT = TT − UT1 is interpolated linearly between half-year knots
(Stephenson et al. to 1973, IERS to 2027, a parabola after). Steps to a coarser unit floor, they never
round: 23:59:59.6 shown as the next day would move a birth.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache

from bazi_core.astro.data import read_json
from bazi_core.errors import known, outside

POLICIES = ("utc_frozen", "ut1_model")

EPOCH = datetime(2000, 1, 1, 12)
DAY_MS = 86_400_000
JULIAN_YEAR_MS = 31_557_600_000
TT_MINUS_TAI_MS = 32_184

_MILLISECOND = timedelta(milliseconds=1)


def ms_of(clock: datetime) -> int:
    """Milliseconds from the epoch to a naive clock reading, floored."""
    return (clock - EPOCH) // _MILLISECOND


def datetime_of(ms: int) -> datetime:
    """The naive clock reading at `ms` milliseconds from the epoch."""
    return EPOCH + timedelta(0, 0, 0, ms)


FIRST_UTC_MS = ms_of(datetime(1551, 1, 1))
END_UTC_MS = ms_of(datetime(2649, 1, 1))
_UT1_FIRST_MS = ms_of(datetime(1972, 1, 1))
_UT1_END_MS = ms_of(datetime(2027, 1, 1))


@cache
def _leaps() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(starts, offsets): offsets[i] = TT − UTC in ms before starts[i]; the first is a place-holder for ΔT,
    the last start is the expiry of the list."""
    table = read_json("leap.json")
    starts = [ms_of(datetime.fromisoformat(day)) for day, _ in table["leap_seconds"]]
    offsets = [TT_MINUS_TAI_MS + 1000 * tai_minus_utc for _, tai_minus_utc in table["leap_seconds"]]
    return (*starts, ms_of(datetime.fromisoformat(table["expires"]))), (0, *offsets, offsets[-1])


@cache
def _leaps_in_tt() -> tuple[int, ...]:
    starts, offsets = _leaps()
    return tuple(start + offset for start, offset in zip(starts, offsets[1:], strict=True))


@cache
def _delta_t() -> tuple[tuple[int, ...], int, int]:
    """(values in ms, tt_ms of the first knot, ms between knots)."""
    table = read_json("delta_t.json")
    first = round((table["first_year"] - 2000.0) * JULIAN_YEAR_MS)
    return tuple(table["values_ms"]), first, round(table["step_years"] * JULIAN_YEAR_MS)


@cache
def _uncertainty() -> tuple[tuple[int, float], ...]:
    rows = read_json("delta_t.json")["uncertainty"]
    return tuple((round((year - 2000) * JULIAN_YEAR_MS), float(seconds)) for year, seconds in rows)


def check_policy(future_utc: str) -> None:
    """Raise `UnknownOption` unless `future_utc` names a policy for UTC after the leap-second list."""
    known("future_utc", future_utc, POLICIES)


def tt_minus_utc_ms(utc_ms: int, future_utc: str = "utc_frozen") -> int:
    """TT − UTC at an instant of UTC (UT1 before 1972), in ms.

    >>> tt_minus_utc_ms(ms_of(datetime(1990, 5, 15, 4, 30)))
    57184
    >>> tt_minus_utc_ms(ms_of(datetime(2100, 1, 1))), tt_minus_utc_ms(ms_of(datetime(2100, 1, 1)), "ut1_model")
    (69184, 95926)
    """
    starts, offsets = _leaps()
    regime = bisect_right(starts, utc_ms)
    if 0 < regime < len(starts) or (regime and future_utc == "utc_frozen"):
        return offsets[regime]
    check_policy(future_utc)
    return delta_t_ms(utc_ms)


def utc_from_tt(tt_ms: int, future_utc: str = "utc_frozen") -> int:
    """The instant of UTC (UT1 before 1972) at an instant of TT; inverse of `tt_minus_utc_ms`.

    Days of 86,400 s cannot show a leap second: during one, UTC stands at 23:59:59.999. Under `ut1_model` the
    first 0.1 s after the leap-second list overlaps the last 0.1 s of it and is read as that.
    """
    starts, offsets = _leaps()
    regime = bisect_right(_leaps_in_tt(), tt_ms)
    if 0 < regime < len(starts):
        return min(tt_ms - offsets[regime], starts[regime] - 1)
    if regime and future_utc == "utc_frozen":
        return tt_ms - offsets[regime]
    check_policy(future_utc)
    utc_ms = tt_ms - delta_t_ms(tt_ms)
    return tt_ms - delta_t_ms(utc_ms)


def delta_t_ms(tt_ms: int) -> int:
    """ΔT = TT − UT1 in ms, floored; `OutOfRange` outside 1550–2650."""
    values, first, step = _delta_t()
    knot, rest = divmod(tt_ms - first, step)
    if not 0 <= knot < len(values) - 1:
        last = first + step * (len(values) - 1)
        if tt_ms == last:
            return values[-1]
        raise outside("delta_t", *map(_shown, (first, last, tt_ms)))
    low = values[knot]
    return low + (values[knot + 1] - low) * rest // step


def delta_t_uncertainty_s(tt_ms: int) -> float | None:
    """Uncertainty of ΔT in seconds; None after 2200, where there is no estimate.

    Published standard errors to 1900, the spread of four models in use after 2027.
    """
    rows = _uncertainty()
    after = bisect_right(rows, tt_ms, key=lambda row: row[0])
    if after == 0:
        return rows[0][1]
    if after == len(rows):
        return rows[-1][1] if tt_ms == rows[-1][0] else None
    (start, low), (end, high) = rows[after - 1], rows[after]
    return round(low + (high - low) * (tt_ms - start) / (end - start), 3)


def ut1_minus_utc_ms(utc_ms: int, tt_ms: int | None = None) -> int:
    """UT1 − UTC in ms: from ΔT inside 1972–2026, 0 by convention outside (identical before, unknown after). `tt_ms`, the
    instant in TT, where it is known spares finding it again."""
    if not _UT1_FIRST_MS <= utc_ms < _UT1_END_MS:
        return 0
    tt_ms = utc_ms + tt_minus_utc_ms(utc_ms) if tt_ms is None else tt_ms
    return tt_ms - utc_ms - delta_t_ms(tt_ms)


def after_leap_list(utc_ms: int) -> bool:
    """Whether an instant is later than the expiry of the leap-second list, so that `future_utc` decides."""
    return utc_ms >= _leaps()[0][-1]


def check_instant(utc_ms: int) -> None:
    """Raise `OutOfRange` unless 1551-01-01T00:00Z ≤ t < 2649-01-01T00:00Z."""
    if not FIRST_UTC_MS <= utc_ms < END_UTC_MS:
        raise outside("instant", *map(_shown, (FIRST_UTC_MS, END_UTC_MS, utc_ms)))


def _shown(ms: int) -> str | int:
    try:
        return iso_utc(ms)
    except OverflowError:
        return ms


def iso_utc(utc_ms: int) -> str:
    """ISO 8601 of an instant of UTC with three decimals.

    >>> iso_utc(-303982200000)
    '1990-05-15T04:30:00.000Z'
    """
    return iso_local(utc_ms) + "Z"


def iso_local(local_ms: int, *, ms: bool = True) -> str:
    """ISO 8601 of a clock reading, without offset, with three decimals or (`ms=False`) whole seconds, floored.

    >>> iso_local(-303954039796), iso_local(-303954039796, ms=False)
    ('1990-05-15T12:19:20.204', '1990-05-15T12:19:20')
    """
    return datetime_of(local_ms).isoformat(timespec="milliseconds" if ms else "seconds")


def iso_in_zone(utc_ms: int, tz: tzinfo) -> str:
    """ISO 8601 of an instant of UTC on the clock of a zone, with its offset.

    >>> from datetime import timezone
    >>> iso_in_zone(-303982200000, timezone(timedelta(hours=8)))
    '1990-05-15T12:30:00.000+08:00'
    """
    return datetime_of(utc_ms).replace(tzinfo=UTC).astimezone(tz).isoformat(timespec="milliseconds")
