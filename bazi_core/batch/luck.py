"""起运 for arrays: direction, age, and instant of the first 大运.

Direction and age are the functions of a single chart, which count with arrays as they count with ints. The sum of birth
and age follows the calendar: the rule that overflows has its own form here; School options that read clocks go row by row.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.alphabet import PILLARS
from bazi_core.astro import scales
from bazi_core.batch.steps import term_instants
from bazi_core.luck.onset import RULES, Interval, OnsetAge, is_forward, onset
from bazi_core.pillars import FourPillars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bazi_core.school import School

    Ints = NDArray[np.int64]

UNIX_S = 946_728_000  # 2000-01-01T12:00
COUNTED = ("exact_seconds", "minutes_floor", "minutes_hours")
PARTS = ("years", "months", "days", "hours", "minutes")
_DAY_S = 86_400


class LuckInputs(NamedTuple):
    """The input of luck, one array each: year pillar, gender (0 male, 1 female, -1 unknown), TT and civil clock in ms, its
    offset in seconds, and the position of the term."""

    year: Ints
    genders: Ints
    tt_ms: Ints
    civil_ms: Ints
    offset_s: Ints
    term: Ints


class _Moment(NamedTuple):
    """The members of a moment that the start of luck reads."""

    civil_ms: int
    utc_offset_s: int
    tt_ms: int
    future_utc: str
    prev_jie: int
    next_jie: int


def luck(born: LuckInputs, school: School) -> Iterator[tuple[str, NDArray[Any]]]:
    """The columns of luck; negative, or NaT, without a gender."""
    known = np.flatnonzero(born.genders >= 0)
    chosen = born if len(known) == len(born.year) else LuckInputs(*(each[known] for each in born))
    forward = _directions(school.luck_direction).take(chosen.year * 2 + chosen.genders)
    age, start_s = _onset(chosen, forward, school)
    columns = {"luck_forward": forward, **{f"luck_{part}": getattr(age, part) for part in PARTS}}
    columns["luck_start_at"] = (start_s - chosen.offset_s + UNIX_S).view("datetime64[s]")
    for name, values in columns.items():
        if chosen is born:
            yield name, values
        else:
            start = name == "luck_start_at"
            found = np.full(len(born.year), np.datetime64("NaT") if start else -1, "M8[s]" if start else "i2")
            found[known] = values
            yield name, found


@cache
def _directions(rule: str) -> Ints:
    """Whether luck runs forward, by year pillar and gender."""
    return np.array(
        [
            is_forward(FourPillars(year, year, year, None), gender, rule)
            for year in PILLARS
            for gender in ("male", "female")
        ],
        np.int64,
    )


def _onset(born: LuckInputs, forward: Ints, school: School) -> tuple[OnsetAge, Ints]:
    """Age at the start, and the start as a reading of the clock of birth, in seconds from the epoch."""
    if school.luck_start not in COUNTED:
        return _row_by_row(born, forward, school)
    prev_jie = born.term & ~1
    jie = term_instants().take(prev_jie + 2 * forward)
    between: Any = Interval(None, None, np.abs(jie - born.tt_ms) // 1000)  # type: ignore[arg-type]
    measure = RULES[school.luck_start][0]
    assert measure is not None
    age = measure(between)
    return age, _overflow(born.civil_ms // 1000, age)


def _overflow(born_s: Ints, age: Any) -> Ints:
    """Birth plus age by the rule of `onset._overflow`, in seconds: years and months first, keeping the day number."""
    unix_s = born_s + UNIX_S
    days = unix_s // _DAY_S
    day = days.view("datetime64[D]")
    month = day.astype("datetime64[M]")
    since = days - month.astype("datetime64[D]").view(np.int64)
    first = (month.view(np.int64) + 12 * age.years + age.months).view("datetime64[M]")
    at = first.astype("datetime64[D]").view(np.int64) + since + age.days
    start: Ints = at * _DAY_S + (unix_s - days * _DAY_S) + 3600 * age.hours + 60 * age.minutes - UNIX_S
    return start


def _row_by_row(born: LuckInputs, forward: Ints, school: School) -> tuple[OnsetAge, Ints]:
    ages, starts = [], []
    rows = zip(
        *(each.tolist() for each in (born.civil_ms, born.offset_s, born.tt_ms, born.term)), strict=True
    )
    for (civil_ms, offset_s, tt_ms, term), ahead in zip(rows, forward.tolist(), strict=True):
        prev_jie = term & ~1
        moment: Any = _Moment(civil_ms, offset_s, tt_ms, school.future_utc, prev_jie, prev_jie + 2)
        found = onset(moment, bool(ahead), school)
        ages.append(found.age)
        starts.append(scales.ms_of(found.at) // 1000)
    parts: Any = np.array(ages, np.int64).reshape(-1, len(PARTS)).T
    return OnsetAge(*parts), np.array(starts, np.int64)
