"""The day of a birth whose hour is unknown, cut where a pillar changes.

No noon is put in place of what is not known. The civil day [00:00, 24:00) is cut at every 节, at every edge of
a double hour or day on the clock in use, and where the zone changes its offset; every piece has its four
pillars. What all pieces share is certain, the rest is listed with its clock times.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import Clock, clock_of_wall, transitions_of_day
from bazi_core.moment import (
    DAY_MS,
    HALF_DAY_MS,
    HOUR_MS,
    SolarMoment,
    basis_of,
    clock_at_instant,
    moment_at,
    zone_of,
)
from bazi_core.pillars import POSITIONS, FourPillars, four_pillars
from bazi_core.place.zones import zone
from bazi_core.school import School

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.birth import Birth


class Candidate(NamedTuple):
    """A piece of the day with the same four pillars: from `start` to `end` (exclusive), as moments."""

    start: SolarMoment
    end: SolarMoment
    pillars: FourPillars

    @property
    def seconds(self) -> float:
        return (self.end.utc_ms - self.start.utc_ms) / 1000

    def to_dict(self) -> dict[str, Any]:
        return {"from": _reading(self.start), "to": _reading(self.end), "pillars": self.pillars.to_dict()}


class UnknownHour(NamedTuple):
    """What a day alone says: the candidates, and year, month and day pillar of the longest total time.

    >>> import bazi_core as bz
    >>> day = bz.candidates("1990-05-15", city="北京")
    >>> str(day.pillars), len(day.candidates), day.invariant
    ('庚午 辛巳 庚辰', 13, {'year': '庚午', 'month': '辛巳', 'day': None, 'hour': None})
    """

    birth: Birth
    clock: Clock
    used: str
    future_utc: str
    candidates: tuple[Candidate, ...]

    @property
    def pillars(self) -> FourPillars:
        totals: dict[FourPillars, float] = {}
        for each in self.candidates:
            three = FourPillars(each.pillars.year, each.pillars.month, each.pillars.day, None)
            totals[three] = totals.get(three, 0) + each.seconds
        return max(totals, key=lambda three: totals[three])

    @property
    def invariant(self) -> dict[str, str | None]:
        """The pillars that every candidate shares; None where they differ."""
        return {
            name: values[0] if len(values) == 1 else None
            for name, values in ((name, list(self._values(name))) for name in POSITIONS)
        }

    @property
    def varies(self) -> dict[str, list[dict[str, str]]]:
        """Year, month and day pillars that change during the day, with the clock times between which they hold."""
        return {name: self._spans(name) for name in POSITIONS[:3] if self.invariant[name] is None}

    def _values(self, name: str) -> dict[str, None]:
        return dict.fromkeys(getattr(each.pillars, name).value for each in self.candidates)

    def _spans(self, name: str) -> list[dict[str, str]]:
        spans: list[dict[str, str]] = []
        for each in self.candidates:
            value = getattr(each.pillars, name).value
            if spans and spans[-1]["value"] == value:
                spans[-1]["to"] = _reading(each.end)
            else:
                spans.append({"value": value, "from": _reading(each.start), "to": _reading(each.end)})
        return spans

    def to_dict(self) -> dict[str, Any]:
        return {
            "candidates": [each.to_dict() for each in self.candidates],
            "invariant": self.invariant,
            "varies": self.varies,
        }

    def trace(self) -> dict[str, Any]:
        """The time trace of a day: what an hour would decide is null."""
        known = self.candidates[0].start.to_dict()
        kept = ("calendar", "precision_s", "timezone_id", "offset_source", "longitude", "used")
        nothing: dict[str, Any] = dict.fromkeys(known)
        return {
            **nothing,
            **{name: known[name] for name in kept},
            "civil": self.birth.civil.date().isoformat(),
            "precision_s": 86400,
            "steps": [],
        }


def unknown_hour(birth: Birth, school: School) -> UnknownHour:
    """The candidates of a birth of which only the date is known."""
    used = basis_of(birth, school)
    day = birth.civil.replace(hour=0, minute=0, second=0)
    key = None if birth.utc_offset_s is not None else zone_of(birth, school)
    changes = [scales.ms_of(change) for change in transitions_of_day(day, key)] if key else []
    ends = [_utc_of_midnight(each, birth, key) for each in (day, day + timedelta(days=1))]
    if key and ends[0] >= ends[1]:
        # The clocks skipped the whole day (Samoa, 2011-12-30): its noon is refused as any such reading is.
        clock_of_wall(day + timedelta(hours=12), key)

    def at(utc_ms: int) -> SolarMoment:
        return moment_at(birth, school, clock_at_instant(birth, school, utc_ms), utc_ms, used)

    cuts = set(changes)
    for start, end in pairwise([ends[0], *changes, ends[1]]):
        cuts.update(_edges(at, start, end))
        cuts.update(_jie(at(start), at(end)))
    moments = [at(cut) for cut in [ends[0], *sorted(cuts - set(ends)), ends[1]]]
    candidates = tuple(_merged([Candidate(a, b, four_pillars(a, school)) for a, b in pairwise(moments)]))
    return UnknownHour(birth, moments[0].clock, used, school.future_utc, candidates)


def ends_of_day(day: UnknownHour) -> tuple[SolarMoment, SolarMoment]:
    """The first and the last second of the day."""
    first, last = day.candidates[0].start, day.candidates[-1].end
    school = School(time_basis=day.used, future_utc=day.future_utc)
    return first, moment_at(day.birth, school, last.clock, last.utc_ms - 1000, day.used)


def _edges(at: Any, start: int, end: int) -> Iterator[int]:
    """The UTC instants in a span at which the clock in use shows an odd hour or midnight."""
    first, last = at(start).local_ms, at(end).local_ms - 1
    for target in _edges_of_clock(first, last):
        utc_ms = start + target - first
        # The equation of time drifts by at most 30 s a day: two corrections reach the millisecond.
        for _ in range(3):
            utc_ms += target - at(utc_ms).local_ms
        yield utc_ms


def _edges_of_clock(first: int, last: int) -> list[int]:
    odd_hours = range(-(-(first - HOUR_MS) // (2 * HOUR_MS)) * 2 * HOUR_MS + HOUR_MS, last + 1, 2 * HOUR_MS)
    midnights = range(-(-(first - HALF_DAY_MS) // DAY_MS) * DAY_MS + HALF_DAY_MS, last + 1, DAY_MS)
    return [*odd_hours, *midnights]


def _jie(start: SolarMoment, end: SolarMoment) -> list[int]:
    positions = [p for p in range(start.term + 1, end.term + 1) if p % 2 == 0]
    return [scales.utc_from_tt(terms.instant(position), start.future_utc) for position in positions]


def _merged(pieces: list[Candidate]) -> Iterator[Candidate]:
    held = pieces[0]
    for piece in pieces[1:]:
        if piece.pillars == held.pillars:
            held = Candidate(held.start, piece.end, held.pillars)
        else:
            yield held
            held = piece
    yield held


def _utc_of_midnight(midnight: datetime, birth: Birth, key: str | None) -> int:
    if key is None:
        return scales.ms_of(midnight) - (birth.utc_offset_s or 0) * 1000
    # A midnight that was skipped is the instant of the change; of a repeated one the first counts.
    offset = midnight.replace(tzinfo=zone(key)).utcoffset() or timedelta()
    return scales.ms_of(midnight - offset)


def _reading(moment: SolarMoment) -> str:
    return scales.iso_local(moment.civil_ms)


def candidates(when: Any, *, school: School | None = None, **where: Any) -> UnknownHour:
    """What a date alone says: all four-pillar sets of the day with their clock times, and what they share.

    Arguments as for `chart`.
    """
    from bazi_core.birth import birth

    school = school or School()
    return unknown_hour(birth(when, hour_unknown=True, future_utc=school.future_utc, **where), school)
