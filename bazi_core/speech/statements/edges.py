"""A birth so near an edge (of an hour, a day, a month) that a clock a little off gives other pillars; and one in the hour
from 23:00, which schools give to different days. What would change is told among the first lines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.boundaries import boundaries
from bazi_core.facts import Fact
from bazi_core.moment import DAY_MS, HALF_DAY_MS, HOUR_MS
from bazi_core.pattern.result import pattern
from bazi_core.pillars import four_pillars
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, sign
from bazi_core.speech.plan import DOUBT, LEANING
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.timing import count

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.chart import ChartValue
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pillars import FourPillars
    from bazi_core.speech.plan import Draft

# A time that is told from memory is seldom better than this; a warning of the chart is narrower, since it speaks of clocks.
NEAR_S = 600
_ZI = "zi"
EDGES = ("year.edge", "year.edge.zi")


class _Edge(NamedTuple):
    """An edge: kind (jie, hour, day, year or zi), how far away in whole minutes, the pillars on its other side."""

    kind: str
    minutes: int
    pillars: FourPillars


def edges(draft: Draft, result: PatternResult) -> None:
    """The nearest edge with the pillars beyond it, and whether strength, pattern and useful god would be others."""
    found = _edge(result.chart)
    if found is None or result.strength is None:
        return
    beyond = pattern(replace(result.chart, pillars=found.pillars))
    if beyond.strength is None:
        return
    changed = _changed(result, found)
    own = f"edge.{found.kind}"
    draft.learn(_facts(own, found, beyond, tuple(f"p.{name}.branch" for name, _ in changed)))
    is_same = (result.strength.verdict, result.name, result.useful.order[0]) == (
        beyond.strength.verdict, beyond.name, beyond.useful.order[0],
    )  # fmt: skip
    values: dict[str, Any] = {"pillars": [At(f"{name}.pillar", sign(pillar)) for name, pillar in changed]}
    if not is_same:
        values["told"] = _judged(result, beyond)
    if found.kind == _ZI:
        assert result.chart.moment is not None
        by_sun = "" if _is_late(result.chart.moment.civil_ms) else ".sun"
        key = f"{own}.{'late' if result.school.day_boundary == '23:00' else 'early'}{by_sun}"
    else:
        key, values["minutes"] = "edge.near", count("minutes", found.minutes)
        values["edge"] = Phrase(f"edge.of.{found.kind}{_by_sun(result.chart, found)}", {})
    draft.add(
        f"{key}{'.same' if is_same else ''}", own, f"{own}.judged", "p.day.stem", weight=1, required=True,
        relation=DOUBT, certainty=LEANING, **values,
    )  # fmt: skip


def _judged(result: PatternResult, beyond: PatternResult) -> Clauses:
    """What is decided beyond the edge: strength, pattern and useful god, each told to be the same where it is."""
    pairs = {
        "verdict": [Term(each.strength.verdict, "strength") for each in (result, beyond) if each.strength],
        "pattern": [Term(each.name, "pattern") for each in (result, beyond)],
        "use": [element(each.useful.order[0]) for each in (result, beyond)],
    }
    return Clauses(tuple(
        Phrase(f"edge.told.{name}{'.same' * (own == other)}", {name: other}) for name, (own, other) in pairs.items()
    ))  # fmt: skip


def edge_of_year(draft: Draft, result: PatternResult) -> None:
    """The nearest edge, and whether the useful god beyond it is another one: then a year reads otherwise too. In one
    sentence."""
    found = _edge(result.chart)
    if found is None or result.strength is None or not result.useful.order:
        return
    beyond = pattern(replace(result.chart, pillars=found.pillars))
    if beyond.strength is None:
        return
    is_same = beyond.useful.order[0] is result.useful.order[0]
    changed = _changed(result, found)
    own = f"edge.{found.kind}"
    draft.learn(_facts(own, found, beyond, tuple(f"p.{name}.branch" for name, _ in changed)))
    values: dict[str, Any] = {
        "pillars": [At(f"{name}.pillar", sign(pillar)) for name, pillar in changed],
    }
    if not is_same:
        values["use"] = element(beyond.useful.order[0])
    if found.kind != _ZI:
        values["minutes"] = count("minutes", found.minutes)
        values["edge"] = Phrase(f"edge.of.{found.kind}{_by_sun(result.chart, found)}", {})
    draft.add(
        f"year.edge{'.zi' * (found.kind == _ZI)}{'.same' * is_same}", own, f"{own}.judged", "p.day.stem", weight=1,
        required=not is_same, relation=DOUBT, certainty=LEANING, **values,
    )  # fmt: skip


def _changed(result: PatternResult, found: _Edge) -> list[tuple[str, Pillar]]:
    """The pillars that are others beyond the edge."""
    both = zip(result.pillars.items(), found.pillars.items(), strict=True)
    return [(name, other) for (name, own), (_, other) in both if own is not other]


def _by_sun(chart: ChartValue, found: _Edge) -> str:
    """Whether the edge is one of the sun, which stands elsewhere on the clock."""
    is_of_clock = chart.moment is None or chart.moment.used == "civil" or found.kind == "jie"
    return "" if is_of_clock else ".sun"


def _edge(chart: ChartValue) -> _Edge | None:
    """The nearest edge of a birth with an hour, of two the one that changes more."""
    moment = chart.moment
    if moment is None or chart.pillars.hour is None:
        return None
    window = max(NEAR_S, chart.school.boundary_window_s)
    near = [
        boundary
        for boundary in boundaries(moment, chart.school.with_options(boundary_window_s=window))
        if boundary.alternative != chart.pillars
    ]
    if near:
        order = ("year", "jie", "day", "hour")
        first = min(near, key=lambda each: order.index(each.kind))
        return _Edge(first.kind, max(1, round(abs(first.distance_s) / 60)), first.alternative)
    if not _is_late(moment.local_ms):
        return None
    other = "00:00" if chart.school.day_boundary == "23:00" else "23:00"
    beyond = four_pillars(moment, chart.school.with_options(day_boundary=other))
    return None if beyond == chart.pillars else _Edge(_ZI, 0, beyond)


def _is_late(ms: int) -> bool:
    """Whether a clock stands in the hour before midnight."""
    return (ms + HALF_DAY_MS) % DAY_MS >= DAY_MS - HOUR_MS


def _facts(own: str, found: _Edge, beyond: PatternResult, seats: tuple[str, ...]) -> tuple[Fact, Fact]:
    assert beyond.strength is not None
    pillars, use = str(found.pillars), beyond.useful.order[0].value
    return (
        Fact(
            own, "time", "birth", found.kind, found.minutes, "edge.near", (found.minutes, pillars), None,
            seats, "R-EDGE",
        ),
        Fact(
            f"{own}.judged", "pattern", "birth", beyond.strength.verdict, beyond.name, "edge.judged",
            (beyond.strength.verdict, beyond.name, use), None, (own,), "R-EDGE",
        ),
    )  # fmt: skip
