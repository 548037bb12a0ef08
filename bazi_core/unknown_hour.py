"""The day of a birth whose hour is unknown, cut where a pillar changes.

Noon is not used as a substitute. The civil day [00:00, 24:00) is cut at every 节, at every edge of
a double hour or day on the clock in use, and where the zone changes its offset; every piece has its four
pillars. Pillars shared by all pieces are certain, the others are listed with their clock times.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, Pillar
from bazi_core.astro import scales, terms
from bazi_core.astro.civil import Clock, clock_of_instant, transition_between
from bazi_core.astro.civil import ends_of_day as ends_of_civil_day
from bazi_core.civil_clock import clock_at_instant, zone_of
from bazi_core.moment import DAY_MS, HALF_DAY_MS, HOUR_MS, SolarMoment, basis_of, moment_at
from bazi_core.pillars import POSITIONS, FourPillars, four_pillars, year_index
from bazi_core.school import School, school_of
from bazi_core.tables.words import printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Unpack

    from bazi_core.birth import Birth, Where


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
    """The results of a day alone: the candidates, and year, month and day pillar of the longest total time.

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

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        return f"<UnknownHour {self.birth.civil.date()} {self.pillars}, {len(self.candidates)} candidates>"

    @property
    def pillars(self) -> FourPillars:
        totals: dict[FourPillars, float] = {}
        for candidate in self.candidates:
            three = FourPillars(candidate.pillars.year, candidate.pillars.month, candidate.pillars.day, None)
            totals[three] = totals.get(three, 0) + candidate.seconds
        return max(totals, key=lambda three: totals[three])

    @property
    def year_by_lichun(self) -> Pillar:
        """The year from 立春 to 立春 that holds most of the day, whatever the School's year boundary."""
        totals: dict[int, float] = {}
        for candidate in self.candidates:
            year = year_index(candidate.start.term)
            totals[year] = totals.get(year, 0) + candidate.seconds
        return PILLARS[max(totals, key=lambda year: totals[year])]

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
        shared = self.invariant
        return {name: self._spans(name) for name in POSITIONS[:3] if shared[name] is None}

    def _values(self, name: str) -> dict[str, None]:
        return dict.fromkeys(getattr(candidate.pillars, name).value for candidate in self.candidates)

    def _spans(self, name: str) -> list[dict[str, str]]:
        spans: list[dict[str, str]] = []
        for candidate in self.candidates:
            value = getattr(candidate.pillars, name).value
            if spans and spans[-1]["value"] == value:
                spans[-1]["to"] = _reading(candidate.end)
            else:
                spans.append(
                    {"value": value, "from": _reading(candidate.start), "to": _reading(candidate.end)}
                )
        return spans

    def to_dict(self) -> dict[str, Any]:
        return {
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "invariant": self.invariant,
            "varies": self.varies,
        }

    def trace(self) -> dict[str, Any]:
        """The time trace of a day; members that depend on the hour are null."""
        known = self.candidates[0].start.to_dict()
        names = ("calendar", "precision_s", "timezone_id", "offset_source", "longitude", "used")
        nothing: dict[str, Any] = dict.fromkeys(known)
        return {
            **nothing,
            **{name: known[name] for name in names},
            "civil": self.birth.civil.date().isoformat(),
            "precision_s": 86400,
            "steps": [],
        }


def unknown_hour(birth: Birth, school: School) -> UnknownHour:
    """The candidates of a birth with only the date known."""
    used = basis_of(birth, school)
    day = birth.civil.replace(hour=0, minute=0, second=0)
    scales.check_instant(scales.ms_of(day))

    # The edges of the pieces are asked for again when the pieces are made.
    @cache
    def at(utc_ms: int) -> SolarMoment:
        return moment_at(birth, school, clock_at_instant(birth, school, utc_ms), utc_ms, used)

    span = _spans(birth, school, day)
    scales.check_instant(span[0])
    candidates = pieces(at, school, span)
    return UnknownHour(birth, candidates[0].start.clock, used, school.future_utc, candidates)


def pieces(at: Callable[[int], SolarMoment], school: School, span: Sequence[int]) -> tuple[Candidate, ...]:
    """A span of time cut where a pillar changes; `at` makes the moment of an instant of UTC, `span` holds its start, any
    change of the clocks within it, and its end."""
    start, *changes, end = span
    cuts = set(changes)
    for opened, closed in pairwise(span):
        cuts.update(_edges(at, opened, closed))
        cuts.update(_jie(at(opened), at(closed)))
    moments = [at(cut) for cut in [start, *sorted(cuts - {start, end}), end]]
    return tuple(_merged([Candidate(a, b, four_pillars(a, school)) for a, b in pairwise(moments)]))


def _spans(birth: Birth, school: School, day: datetime) -> list[int]:
    """UTC instants: the start of the civil day, any change of offset in it, its end."""
    key = None if birth.utc_offset_s is not None else zone_of(birth, school)
    if key is None:
        offset_s = clock_at_instant(birth, school, scales.ms_of(day)).utc_offset_s
        return [scales.ms_of(each) - offset_s * 1000 for each in (day, day + timedelta(days=1))]
    ends = ends_of_civil_day(day, key)
    change = transition_between(*ends, key)
    own = [_own_midnight(birth, school, scales.ms_of(end)) for end in ends]
    return own if change is None else [own[0], scales.ms_of(change), own[1]]


def _own_midnight(birth: Birth, school: School, utc_ms: int) -> int:
    """Midnight of the place itself where its own mean time was kept, not that of the zone's reference city."""
    clock = clock_at_instant(birth, school, utc_ms)
    if clock.source != "lmt_longitude":
        return utc_ms
    of_zone = clock_of_instant(scales.datetime_of(utc_ms), clock.timezone_id or "")
    return utc_ms + (of_zone.utc_offset_s - clock.utc_offset_s) * 1000


def ends_of_day(day: UnknownHour) -> tuple[SolarMoment, SolarMoment]:
    """The first and the last second of the day."""
    first, last = day.candidates[0].start, day.candidates[-1].end
    school = School(time_basis=day.used, future_utc=day.future_utc)
    return first, moment_at(day.birth, school, last.clock, last.utc_ms - 1000, day.used)


def _edges(at: Any, start: int, end: int) -> Iterator[int]:
    """The UTC instants in a span at which the clock in use shows an odd hour or midnight."""
    # The clock may jump at the end of the span; its last reading is the one before.
    first, last = at(start).local_ms, at(end - 1).local_ms
    pace = (end - 1 - start) / max(last - first, 1)
    for target in _edges_of_clock(first, last):
        # Within a day the pace changes by a fraction of a second: one correction comes to the millisecond.
        utc_ms = start + round((target - first) * pace)
        utc_ms += target - at(utc_ms).local_ms
        while utc_ms < end and at(utc_ms).local_ms < target:
            utc_ms += 1
        while utc_ms > start and at(utc_ms - 1).local_ms >= target:
            utc_ms -= 1
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


def _reading(moment: SolarMoment) -> str:
    return scales.iso_local(moment.civil_ms)


def candidates(
    when: str | datetime | date | Birth,
    *,
    school: School | None = None,
    gender: str | None = None,
    **where: Unpack[Where],
) -> UnknownHour:
    """All four-pillar sets of a date with their clock times, and the pillars that they share.

    Arguments as for `chart`.
    """
    from bazi_core.birth import birth

    chosen = school_of(school)
    born = birth(when, gender=gender, hour_unknown=True, school=chosen, **where)
    return unknown_hour(born, born.in_place(chosen))
