"""`pattern_result`: the JSON object of a pattern, as the schema `pattern_result.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS, STEMS, Branch, Element, Stem
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.pattern.evidence import detail_of
from bazi_core.structures.classes import gods_of
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.strength import class_of
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.pattern.value import PatternValue
    from bazi_core.structures.special import Special

ROLE_KEYS = ("yong_shen", "xi_shen", "xian_shen", "chou_shen", "ji_shen")


def members(result: PatternValue, alternatives: Iterable[PatternValue]) -> dict[str, Any]:
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
        "useful_god_meanings": _meanings(result),
        "tiaohou": _climate(result),
        "favourable": _favourable(result),
        "alternatives": [_alternative(result, other) for other in alternatives],
        "six_relatives": [relative.to_dict() for relative in result.relatives],
        "diagnosis": result.diagnosis.to_dict() if result.diagnosis else None,
        "dynamics": [dynamic.to_dict() for dynamic in result.dynamics],
    }


def _favourable(result: PatternValue) -> dict[str, Any]:
    return {
        "elements": [element.value for element in result.useful.order[:2]],
        "unfavourable_elements": [element.value for element in result.useful.order[3:]],
    }


def _alternative(result: PatternValue, other: PatternValue) -> dict[str, Any]:
    """The decision under the other verdict, and what both have in common."""
    stands, detail = other.standing, _useful(other, "alt.")
    asked = zip(detail["methods"], other.useful.votes, strict=True)
    detail["methods"] = [
        {**made, "evidence": ["alt.str.verdict"]}
        for made, vote in asked
        if vote.element and vote not in result.useful.votes
    ]
    return {
        "strength": _strength(other),
        "pattern": {
            "ge_ju": other.name,
            "status": stands.status if stands else None,
            "rank": stands.rank if stands else None,
            "xiang_shen": _xiang_shen(other),
        },
        "useful_gods": [element.value for element in other.useful_gods],
        "useful_god_detail": detail,
        "favourable": _favourable(other),
        "diagnosis": _other_diagnosis(other),
        "shared": _shared(result, other),
        "evidence": [f"alt.{name}" for name in ("str.verdict", "yong.primary", "yong.secondary")],
    }


def _other_diagnosis(other: PatternValue) -> dict[str, Any] | None:
    """病药 under the other verdict."""
    found = other.diagnosis
    return {**found.to_dict(), "evidence": ["alt.str.verdict"]} if found else None


def _shared(result: PatternValue, other: PatternValue) -> dict[str, Any]:
    """The members that two decisions share; a member is null or empty where they differ."""
    ours, theirs = ({each.standing.status} if each.standing else set() for each in (result, other))
    return {
        "pattern": result.name if result.name == other.name else None,
        "status": next(iter(ours & theirs), None),
        "useful_gods": [god.value for god in result.useful_gods if god in other.useful_gods],
        "unfavourable_elements": [
            each.value for each in result.useful.order[3:] if each in other.useful.order[3:]
        ],
        "roles": {
            element.value: result.useful.role(element)
            for element in ELEMENTS
            if result.useful.role(element) == other.useful.role(element)
        },
    }


def _pattern(result: PatternValue) -> dict[str, Any]:
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
            {**each._asdict(), "evidence": list(each.evidence)}
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
        "confidence": round(result.confidence, 4),
    }


def _transformed(result: PatternValue) -> dict[str, Any] | None:
    """Of 化格: the stem that the day stem has become, and what the others are to it."""
    special = result.special
    if special is None or special.special_class != "化格":
        return None
    own = STEMS[2 * special.element.index + result.pillars.day.stem.index % 2]
    others = [(where, pillar.stem) for where, pillar in result.pillars.items() if where != "day"]
    return {"stem": own.value, "ten_gods": {where: ten_god(own, stem).value for where, stem in others}}


def _xiang_shen(result: PatternValue) -> dict[str, Any] | None:
    stands = result.standing
    if stands is None or stands.xiang_shen is None:
        return None
    return {"stem": stands.xiang_shen.value, "ten_god": stands.xiang_shen_god}


def _candidate(special: Special) -> dict[str, Any]:
    return {
        "name": special.name,
        "conditions": [
            _condition(condition.text, condition.holds, condition.evidence)
            for condition in special.conditions
        ],
    }


def _condition(text: str, holds: bool, evidence: tuple[str, ...]) -> dict[str, Any]:
    return {"text": text, "holds": holds, "evidence": list(evidence)}


def _strength(result: PatternValue) -> dict[str, Any] | None:
    found = result.strength
    if found is None:
        return None
    return {
        "verdict": found.verdict,
        "level": found.level,
        "support_share": round(found.support_share, 4),
        "agreement": found.agreement,
        "certainty": found.certainty,
        "confidence": round(found.confidence, 4),
    }


def _climate(result: PatternValue) -> dict[str, Any] | None:
    found = result.climate
    if found is None:
        return None
    return {
        "required": [stem.value for stem in found.required],
        "found": [{"stem": stem.value, "position": where, "rank": rank} for stem, where, rank in found.found],
        "urgency": found.urgency,
        "satisfied": found.satisfied,
    }


def _useful(result: PatternValue, prefix: str = "") -> dict[str, Any]:
    """The decision; `prefix` stands before the ids of what was decided otherwise."""
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
                "rules": [
                    {
                        "id": rule.id,
                        "source": rule.source,
                        "quote": rule.quote,
                        "evidence": [f"{prefix}yong.rule.{rule.id}"],
                    }
                    for rule, _ in vote.said
                ],
                "evidence": [f"yong.method.{vote.method}"] if vote.element else [],
            }
            for vote in useful.votes
        ],
        "combined_scores": {
            element.value: round(useful.scores[element.index], 4) for element in ELEMENTS if useful.scores
        },
        "margin": round(useful.margin, 4),
        "certainty": useful.certainty if useful.order else None,
        "confidence": round(useful.confidence, 4),
        "dissent": list(useful.dissent),
    }


def _meanings(result: PatternValue) -> dict[str, Any] | None:
    """格局用神 and 扶抑用神 side by side."""
    found, role = result.meanings, result.useful.role
    if found is None:
        return None
    facts = ("by_pattern" if found.pattern else "", "by_balance" if found.balance else "", "followed")
    return {
        "pattern": found.pattern
        and {
            "element": found.pattern.value,
            "stem": found.stem.value if found.stem else None,
            "ten_god": found.ten_god,
            "role": role(found.pattern),
        },
        "balance": found.balance and {"element": found.balance.value, "role": role(found.balance)},
        "followed": found.followed,
        "opposed": found.opposed,
        "reasons": [ground.text() for ground in found.grounds],
        "evidence": [f"yong.{name}" for name in (*facts, "opposed" if found.opposed else "") if name],
    }


def _role(result: PatternValue, element: Element) -> dict[str, Any]:
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
    return any(stem.stem.element is element for stem in hidden_stems(branch))


def _stems(element: Element) -> tuple[Stem, ...]:
    return STEMS[2 * element.index : 2 * element.index + 2]
