"""`years_result`: the JSON object of years side by side, as the schema `years_result.schema.json` describes it.

Events, segments and roles have the form that they have in `year_analysis_result`. Every `evidence` is a fact of the object
with its facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.facts import SCHEMA_VERSION
from bazi_core.year.object import certainty, event_member, instant, roles, segment
from bazi_core.year.reasons import about, named
from bazi_core.year.span_value import SCORES, Band, Cause, Ranking, YearsValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult


def members(span: YearsValue) -> dict[str, Any]:
    """All that the digest covers but the facts."""
    return {
        "schema_version": SCHEMA_VERSION,
        **span.head(),
        "base_digest": span.chart.digest,
        "pattern_digest": span.pattern.digest,
        "first_year": span.first,
        "last_year": span.last,
        "certainty": certainty(span.pattern),
        "luck": [_band(band) for band in span.bands],
        "years": [_year(span, year) for year in span.years],
        "rankings": [_ranking(span, ranking) for ranking in span.rankings],
        "alternatives": [_alternative(other) for other in span.alternatives],
    }


def cited(value: Any) -> Iterator[str]:
    """The ids of all facts that are named as evidence in an object."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from each if name == "evidence" else cited(each)
    elif isinstance(value, list):
        for each in value:
            yield from cited(each)


def _band(band: Band) -> dict[str, Any]:
    return {
        "kind": band.kind,
        "ganzhi": band.cycle.pillar.value if band.cycle else None,
        "from": instant(band.start),
        "to": instant(band.end),
        "dynamics": [event_member(dynamic) for dynamic in band.dynamics],
        "evidence": [band.fact_id] if band.fact_id else [],
    }


def _year(span: YearsValue, year: YearResult) -> dict[str, Any]:
    number, own = year.target_year, f"ln.{year.target_year}"
    state = year.useful_state
    return {
        "year": number,
        "ganzhi": year.pillar.value,
        "start": instant(year.flow.start),
        "end": instant(year.flow.end),
        "age": year.age._asdict(),
        "segments": [segment(part) for part in year.segments],
        "ten_gods": year.flow.marks.ten_gods,
        "roles": roles(year, own),
        "overall": year.scores.overall,
        "domains": dict(year.scores.domains),
        "level": year.level,
        "sign": year.sign,
        "useful_god_state": {"state": state.state, "evidence": list(state.evidence)},
        "events": [_event(year, event) for event in strongest_events(year)],
        "dynamics": [_event(year, dynamic) for dynamic in dynamics(year)],
        "reasons": [each.to_dict() for each in span.reasons[number]],
        "evidence": _evidence(year),
    }


def _evidence(year: YearResult) -> list[str]:
    """The facts of pillar, ages, ten gods, roles, scores and level."""
    own, score = f"ln.{year.target_year}", f"yr.{year.target_year}"
    judged = (
        [f"{own}.role.stem", f"{own}.role.branch", f"{score}.useful"] if year.pattern.useful.order else []
    )
    gods = [f"{own}.tg.stem", f"{own}.tg.branch"]
    return [
        own,
        f"{own}.age",
        *gods,
        *judged,
        *(f"{score}.score.{name}" for name in SCORES),
        f"{score}.level",
    ]


def strongest_events(year: YearResult, count: int = 5) -> list[YearEvent]:
    """The strongest named events of the year, without the dynamics."""
    return [each for each in year.strongest(len(year.events)) if not each.is_dynamic][:count]


def dynamics(year: YearResult) -> list[YearEvent]:
    """The effects of ten gods on each other that the year completes and breaks, the strongest first."""
    return [each for each in year.strongest(len(year.events)) if each.is_dynamic]


def _event(year: YearResult, event: YearEvent) -> dict[str, Any]:
    """An event with the palaces and ten gods that it is about; its own fact leads to all that it rests on."""
    found = about(year, event)
    more = {"palaces": list(found.palaces), "ten_gods": list(found.ten_gods)}
    return {**event_member(event), **more, "evidence": [*dict.fromkeys((event.id, *found.evidence))]}


def _ranking(span: YearsValue, ranking: Ranking) -> dict[str, Any]:
    return {
        "domain": ranking.domain,
        "places": [{**place._asdict(), "years": list(place.years)} for place in ranking.places],
        "raises": [_cause(each, span.first == span.last) for each in ranking.raises],
        "lowers": [_cause(each, span.first == span.last) for each in ranking.lowers],
        "raises_besides": ranking.raises_besides._asdict(),
        "lowers_besides": ranking.lowers_besides._asdict(),
        "evidence": list(ranking.evidence),
    }


def _cause(cause: Cause, is_one: bool) -> dict[str, Any]:
    return {
        "rank": cause.rank,
        **named(cause.reason),
        "points": cause.points,
        "years": {str(year): points for year, points in cause.years},
        "evidence": list(cause.evidence) if is_one else [cause.fact_id],
    }


def _alternative(other: YearsValue) -> dict[str, Any]:
    """The years under the other verdict on strength."""
    strength = other.chart.strength
    return {
        "strength": strength.verdict if strength else None,
        "useful_gods": [element.value for element in other.pattern.useful_gods],
        "years": [
            {
                "year": year.target_year,
                "overall": year.scores.overall,
                "domains": dict(year.scores.domains),
                "level": year.level,
                "useful_god_state": year.useful_state.state,
                "evidence": [f"alt.yr.{year.target_year}.{name}" for name in SCORES],
            }
            for year in other.years
        ],
        "evidence": ["alt.str.verdict"],
    }
