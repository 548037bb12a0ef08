"""`pattern_result`: the JSON object of a pattern, as the schema `pattern_result.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS, STEMS
from bazi_core.facts import SCHEMA_VERSION, closure
from bazi_core.pattern.classes import gods_of
from bazi_core.pattern.evidence import detail_of
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.strength import class_of
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Branch, Element, Stem
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.special import Special

ROLE_KEYS = ("yong_shen", "xi_shen", "xian_shen", "chou_shen", "ji_shen")


def pattern_result(result: PatternResult, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
    """The whole object; `facts=False` leaves the facts out, the digest is the same.

    The digest covers neither the reading nor the facts of the chart that it alone cites; they are there all the same.
    """
    whole = {**members(result), "digest": result.digest}
    whole["warnings"] = [doubt.to_dict(lang) for doubt in result.warnings]
    told = result.teller(result, lang) if result.teller else {}
    for name in ("reading", "narrative", "provenance"):
        whole[name] = told.get(name)
    if facts:
        cited = _cited(told["reading"]) if told.get("reading") else ()
        shown = closure([*result.facts, *cited], result.all_facts)
        whole["facts"] = {name: fact.to_dict() for name, fact in shown.items()}
    return whole


def _cited(reading: dict[str, Any]) -> Iterator[str]:
    for sentences in (reading["summary"], *(section["sentences"] for section in reading["sections"])):
        for sentence in sentences:
            yield from sentence["evidence"]


def members(result: PatternResult) -> dict[str, Any]:
    """All that the digest covers but the facts."""
    base = result.chart.head()
    return {
        "schema_version": SCHEMA_VERSION,
        **base,
        "base_digest": result.chart.digest,
        "pattern_type": result.name,
        "pattern": _pattern(result),
        "strength": _strength(result),
        "five_elements": result.elements.to_dict(),
        "useful_gods": [element.value for element in result.useful_gods],
        "useful_god_detail": _useful(result),
        "tiaohou": _climate(result),
        "favourable": {
            "elements": [element.value for element in result.useful.order[:2]],
            "unfavourable_elements": [element.value for element in result.useful.order[3:]],
        },
        "six_relatives": [each.to_dict() for each in result.relatives],
    }


def _pattern(result: PatternResult) -> dict[str, Any]:
    regular, special, stands = result.regular, result.special, result.standing
    return {
        "ge_ju": result.name,
        "ge_ju_detail": detail_of(result),
        "category": result.category,
        "special_class": special.special_class if special else None,
        "basis": "R-GE-00" if special else regular.basis if regular else None,
        "month_pattern": regular.name if regular else None,
        "transformed": _transformed(result),
        "status": stands.status if stands else None,
        "rank": stands.rank if stands else None,
        "qualities": list(stands.qualities) if stands else [],
        "predicates": [
            {
                "id": each.id,
                "kind": each.kind,
                "text": each.text,
                "holds": each.holds,
                "evidence": list(each.evidence),
            }
            for each in (stands.predicates if stands else ())
        ],
        "xiang_shen": _xiang_shen(result),
        "changed_from": regular.changed_from if regular and not special else None,
        "co_patterns": list(regular.co_patterns) if regular and not special else [],
        "candidates": [_candidate(each) for each in result.close]
        + [
            {"name": each.name, "conditions": [_condition(each.text, True, each.evidence)]}
            for each in result.rare
        ],
        "confidence": result.confidence,
    }


def _transformed(result: PatternResult) -> dict[str, Any] | None:
    """Of 化格: the stem that the day stem has become, and what the others are to it."""
    special = result.special
    if special is None or special.special_class != "化格":
        return None
    own = STEMS[2 * special.element.index + result.pillars.day.stem.index % 2]
    others = [(where, pillar.stem) for where, pillar in result.pillars.items() if where != "day"]
    return {"stem": own.value, "ten_gods": {where: ten_god(own, stem).value for where, stem in others}}


def _xiang_shen(result: PatternResult) -> dict[str, Any] | None:
    stands = result.standing
    if stands is None or stands.xiang_shen is None:
        return None
    return {"stem": stands.xiang_shen.value, "ten_god": stands.xiang_shen_god}


def _candidate(special: Special) -> dict[str, Any]:
    return {
        "name": special.name,
        "conditions": [_condition(each.text, each.holds, each.evidence) for each in special.conditions],
    }


def _condition(text: str, holds: bool, evidence: tuple[str, ...]) -> dict[str, Any]:
    return {"text": text, "holds": holds, "evidence": list(evidence)}


def _strength(result: PatternResult) -> dict[str, Any] | None:
    found = result.strength
    if found is None:
        return None
    return {
        "verdict": found.verdict,
        "level": found.level,
        "support_share": round(found.support_share, 4),
        "confidence": round(found.confidence, 4),
    }


def _climate(result: PatternResult) -> dict[str, Any] | None:
    found = result.climate
    if found is None:
        return None
    return {
        "required": [stem.value for stem in found.required],
        "found": [{"stem": stem.value, "position": where, "rank": rank} for stem, where, rank in found.found],
        "urgency": found.urgency,
        "satisfied": found.satisfied,
    }


def _useful(result: PatternResult) -> dict[str, Any]:
    useful = result.useful
    roles = {
        key: _role(result, useful.order[place]) if useful.order else None
        for place, key in enumerate(ROLE_KEYS)
    }
    return {
        **roles,
        "methods": [
            {
                "method": vote.method,
                "element": vote.element.value if vote.element else None,
                "stems": [stem.value for stem in _stems(vote.element)] if vote.element else [],
                "vote": [round(points, 4) for points in vote.points],
                "weight": vote.weight,
                "reasons": list(vote.reasons),
                "evidence": [f"yong.method.{vote.method}"] if vote.element else [],
            }
            for vote in useful.votes
        ],
        "combined_scores": {
            element.value: round(useful.scores[element.index], 4) for element in ELEMENTS if useful.scores
        },
        "confidence": round(useful.confidence, 4),
        "dissent": list(useful.dissent),
    }


def _role(result: PatternResult, element: Element) -> dict[str, Any]:
    day = result.pillars.day.stem
    shown = [
        where for where, pillar in result.pillars.items() if pillar.stem.element is element and where != "day"
    ]
    rooted = [where for where, pillar in result.pillars.items() if _hides(pillar.branch, element)]
    power = "有力" if shown and rooted else "无力" if shown or rooted else "不现"
    return {
        "element": element.value,
        "stems": [stem.value for stem in _stems(element)],
        "ten_gods": list(gods_of(class_of(day, element))),
        "where": [f"{where}.stem" for where in shown] + [f"{where}.branch" for where in rooted],
        "power": power,
    }


def _hides(branch: Branch, element: Element) -> bool:
    return any(each.stem.element is element for each in hidden_stems(branch))


def _stems(element: Element) -> tuple[Stem, ...]:
    return STEMS[2 * element.index : 2 * element.index + 2]
