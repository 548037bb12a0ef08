"""`year_analysis_result`: the JSON object of a year, as the schema `year_analysis_result.schema.json` describes it.

Instants are UTC. Relations are given by the ids of their facts, which hold type, members and status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.facts import SCHEMA_VERSION
from bazi_core.luck.meeting import meeting_id
from bazi_core.views.cycles import nayin
from bazi_core.views.stars import StarHit, flow_stars
from bazi_core.year.rules import number

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bazi_core.pattern.result import PatternResult
    from bazi_core.views.resolution import Relation
    from bazi_core.year.events import YearEvent
    from bazi_core.year.months import Month
    from bazi_core.year.segments import Segment
    from bazi_core.year.value import YearValue

TAI_SUI = ("值太岁", "冲太岁", "刑太岁", "害太岁", "破太岁")


def members(year: YearValue, alternatives: Iterable[YearValue]) -> dict[str, Any]:
    """All that the digest covers but the facts."""
    return {
        "schema_version": SCHEMA_VERSION,
        **year.head(),
        "base_digest": year.chart.digest,
        "pattern_digest": year.pattern.digest,
        "target_year": year.target_year,
        "year_pillar": year.pillar.value,
        "age": year.age._asdict(),
        "segments": [segment(part) for part in year.segments],
        "luck_context": _luck_context(year),
        "year_context": _year_context(year),
        "events": [event_member(event) for event in year.events],
        "completed_structures": [
            _listed(each._asdict())
            | {"element": each.element.value if each.element else None, "members": _members(each.members)}
            for each in year.completed
        ],
        "useful_god_state": {"state": year.useful_state.state, "evidence": list(year.useful_state.evidence)},
        "certainty": certainty(year.pattern),
        "alternatives": [
            {
                "strength": other.chart.strength.verdict if other.chart.strength else None,
                "useful_gods": [element.value for element in other.pattern.useful_gods],
                "useful_god_state": other.useful_state.state,
                "overall": other.scores.overall,
                "domains": dict(other.scores.domains),
                "evidence": ["alt.str.verdict", f"alt.yr.{year.target_year}.overall"],
            }
            for other in alternatives
        ],
        "themes": [
            {
                "ten_god": theme.ten_god,
                "favourable": theme.favourable,
                "domain": theme.domain,
                "key": theme.key,
                "evidence": [theme.fact_id(f"yr.{year.target_year}")],
            }
            for theme in year.themes
        ],
        "scores": {
            "overall": year.scores.overall,
            "domains": dict(year.scores.domains),
            "base": number("base"),
            "contributions": [_listed(each._asdict()) for each in year.scores.contributions],
        },
        "months": [_month(month) for month in year.months],
        "timing": [_listed(each._asdict()) for each in year.timing],
    }


def certainty(pattern: PatternResult) -> dict[str, str | None]:
    """How sure that is on which the year rests."""
    return {
        "strength": pattern.strength.certainty if pattern.strength else None,
        "useful_gods": pattern.useful.certainty if pattern.useful.order else None,
    }


def _listed(made: dict[str, Any]) -> dict[str, Any]:
    return {name: list(each) if isinstance(each, tuple) else each for name, each in made.items()}


def instant(at: datetime) -> str:
    """An instant of UTC as JSON has it."""
    return at.isoformat(timespec="milliseconds") + "Z"


def segment(part: Segment) -> dict[str, Any]:
    """A part of the year with its luck."""
    return {
        "from": instant(part.start),
        "to": instant(part.end),
        "luck_pillar": part.cycle.pillar.value if part.cycle else None,
        "xiaoyun": part.minor.pillar.value if part.minor else None,
        "uncertain": part.uncertain,
        "evidence": [part.fact_id] if part.fact_id else [],
    }


def _luck_context(year: YearValue) -> dict[str, Any] | None:
    """The luck of the longest segment; null where none is known."""
    part = year.main
    if part.pillar is None:
        return None
    return {
        "kind": "xiaoyun" if part.minor else "dayun",
        "ganzhi": part.pillar.value,
        "roles": roles(year, part.fact_id or ""),
        "relations": _ids(year, "luck", "liunian"),
        "dynamics": [event.id for event in year.luck_events if event.is_dynamic],
        "stars_met": _met(year.luck_stars_met, part.fact_id or ""),
        "evidence": [part.fact_id],
    }


def _met(hits: tuple[StarHit, ...], own: str) -> list[dict[str, Any]]:
    """The 神煞 that a pillar meets, each with its fact."""
    return [{"name": hit.name, "nature": hit.nature, "evidence": [meeting_id(own, hit.name)]} for hit in hits]


def _year_context(year: YearValue) -> dict[str, Any]:
    marks, pillar, own = year.flow.marks, year.pillar, f"ln.{year.target_year}"
    return {
        "ganzhi": pillar.value,
        "start": instant(year.flow.start),
        "end": instant(year.flow.end),
        "ten_gods": marks.ten_gods,
        "roles": roles(year, own),
        "roots": list(year.roots),
        "covering": next(
            (relation.type for relation in year.relations if relation.members[0][0] == "liunian"), None
        ),
        "nayin": nayin(pillar),
        "stage": marks.stage.value,
        "void": marks.void,
        "void_marks": [{"position": where, "mark": mark} for where, mark in year.void_marks],
        "tai_sui": [event.name for event in year.events if event.name in TAI_SUI],
        "stars": [
            {"name": star.name, "positions": list(star.positions)}
            for star in flow_stars(year.chart.pillars, pillar.branch, year.chart.school)
        ],
        "stars_met": _met(year.stars_met, own),
        "relations": _ids(year, "liunian", None),
        "evidence": [own],
    }


def roles(year: YearValue, ground: str) -> dict[str, str]:
    """The roles of stem and branch of a luck or a year, by the fact of its pillar."""
    return {carrier.part: carrier.role for carrier in year.carriers if carrier.ground == ground}


def _ids(year: YearValue, within: str, without: str | None) -> list[str]:
    """Ids of the relations in which one flow pillar takes part and the other does not."""
    return [
        f"ln.{year.target_year}.{relation.id}"
        for relation in year.relations
        if _takes_part(relation, within) and not (without and _takes_part(relation, without))
    ]


def _takes_part(relation: Relation, position: str) -> bool:
    return any(position == where for where, _ in relation.members)


def _members(members: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"position": position, "char": char} for position, char in members]


def event_member(event: YearEvent) -> dict[str, Any]:
    """An event as JSON has it."""
    return {
        "id": event.id,
        "rule": event.rule,
        "name": event.name,
        "members": _members(event.members),
        "relation": event.relation,
        "side": event.side,
        "polarity": event.polarity,
        "strength": event.strength,
        "domains": list(event.domains),
        "evidence": list(event.evidence),
    }


def _month(month: Month) -> dict[str, Any]:
    return {
        "index": month.number,
        "ganzhi": month.pillar.value,
        "jie": month.jie.value,
        "start": instant(month.start),
        "end": instant(month.end),
        "ten_gods": month.marks.ten_gods,
        "events": [{"id": each.id, "name": each.name, "polarity": each.polarity} for each in month.shown],
        "score": month.score,
        "evidence": [month.fact_id, f"{month.fact_id}.score"],
    }
