"""Boundaries: the edges of pillars near a moment, with the pillars just across them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import scales, terms
from bazi_core.errors import OutOfRange
from bazi_core.moment import DAY_MS, HALF_DAY_MS, HOUR_MS, SolarMoment
from bazi_core.pillars import FourPillars, pillars_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.school import School

# Beyond 2200 there is no published uncertainty of ΔT; five minutes is this project's estimate.
UNSTATED_DELTA_T_S = 300


class Boundary(NamedTuple):
    """An edge near the moment: kind jie, hour, day or year, with the pillars just across it."""

    kind: str
    at: str
    distance_s: float
    window_s: float
    alternative: FourPillars

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "at": self.at,
            "distance_s": self.distance_s,
            "window_s": self.window_s,
            "alternative_pillars": self.alternative.to_dict(),
        }


def boundaries(moment: SolarMoment, school: School) -> list[Boundary]:
    """The edges closer than the window: the School's, the precision of the birth, and for 节 the doubt in ΔT."""
    window = max(school.boundary_window_s, moment.birth.precision_s)
    return [*_near_jie(moment, school, window), *_near_clock_edges(moment, school, window)]


def _near_jie(moment: SolarMoment, school: School, window: float) -> Iterator[Boundary]:
    near = [p for p in (moment.prev_jie, moment.next_jie) if abs(terms.instant(p) - moment.tt_ms) < DAY_MS]
    if not near:
        return
    doubt = scales.delta_t_uncertainty_s(moment.tt_ms)
    window = max(window, UNSTATED_DELTA_T_S if doubt is None else doubt)
    for position in near:
        at = terms.instant(position)
        distance = (at - moment.tt_ms) / 1000
        if abs(distance) < window:
            other_side = position if distance > 0 else position - 1
            utc = scales.iso_utc(scales.utc_from_tt(at, moment.future_utc))
            yield Boundary("jie", utc, distance, window, pillars_at(other_side, moment.local_ms, school))


def _near_clock_edges(moment: SolarMoment, school: School, window: float) -> Iterator[Boundary]:
    # Every edge stands at a whole hour of the clock.
    if window * 1000 <= moment.local_ms % HOUR_MS <= HOUR_MS - window * 1000:
        return
    day_shift = HALF_DAY_MS + (HOUR_MS if school.day_boundary == "23:00" else 0)
    edges = dict.fromkeys(_around(moment.local_ms, HOUR_MS, 2 * HOUR_MS), "hour")
    edges |= dict.fromkeys(_around(moment.local_ms, -day_shift % DAY_MS, DAY_MS), "day")
    if school.year_boundary == "lunar_new_year":
        midnights = _around(moment.local_ms, HALF_DAY_MS, DAY_MS)
        edges |= {edge: edges.get(edge, "year") for edge in midnights if _moves_year(edge, moment, school)}
    if moment.birth.hour_branch is not None:
        # A named double hour is certain; only the day may still turn.
        edges = {edge: kind for edge, kind in edges.items() if kind != "hour"}
    for edge, kind in sorted(edges.items()):
        distance = (edge - moment.local_ms) / 1000
        if abs(distance) < window:
            other_side = edge if distance > 0 else edge - 1
            pillars = pillars_at(moment.term, other_side, school)
            yield Boundary(kind, scales.iso_local(edge), distance, window, pillars)


def _around(ms: int, phase: int, period: int) -> tuple[int, int]:
    """The last edge at or before a reading and the next one; edges stand at `phase` modulo `period`."""
    before = (ms - phase) // period * period + phase
    return before, before + period


def _moves_year(edge: int, moment: SolarMoment, school: School) -> bool:
    try:
        sides = [pillars_at(moment.term, reading, school).year for reading in (edge - 1, edge)]
    except OutOfRange:
        return False
    return sides[0] is not sides[1]
