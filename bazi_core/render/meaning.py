"""What is read from the four columns, as labelled rows: elements, strength, pattern, useful gods, relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.useful import ROLES
from bazi_core.render.phrases import joined
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from bazi_core.chart import Chart
    from bazi_core.views.relations import Relation

HOLDS = "成立"


def meaning(chart: Chart, lang: str) -> list[tuple[str, str]]:
    """(label, value) of all that the School judges."""
    rows = [(label("elements", lang), _elements(chart, lang))]
    if chart.strength is not None:
        rows += [
            (label("strength", lang), _strength(chart, lang)),
            (label("pattern", lang), _pattern(chart, lang)),
        ]
        rows.append((label("useful", lang), _useful(chart, lang)))
    if chart.relations:
        rows.append(
            (label("relations", lang), joined([_relation(each, lang) for each in chart.relations], lang))
        )
    return rows


def conclusions(chart: Chart, lang: str) -> list[str]:
    """Strength, pattern and useful gods alone; nothing where the School makes no judgement."""
    if chart.strength is None:
        return []
    return [
        joined([term(chart.strength.verdict, lang), term(chart.strength.level, lang)], lang),
        _pattern(chart, lang),
        _useful(chart, lang, ("用神", "喜神", "忌神")),
    ]


def _elements(chart: Chart, lang: str) -> str:
    found = chart.elements
    gap = " " if lang == "en" else ""
    shares = "  ".join(
        f"{term(each.value, lang)}{gap}{found.seasonal[each.index]}% "
        f"{term(found.state[each.index], lang, 'season_state')}"
        for each in ELEMENTS
    )
    missing = gap.join(term(each.value, lang) for each in found.missing)
    return f"{shares}  ({label('missing', lang)}{gap}{missing})" if missing else shares


def _strength(chart: Chart, lang: str) -> str:
    found = chart.strength
    assert found is not None
    parts = [term(found.verdict, lang), term(found.level, lang)]
    if found.balanced:
        parts.append(term("中和", lang))
    parts.append(label("votes", lang, count=found.agreement))
    return joined(parts, lang)


def _pattern(chart: Chart, lang: str) -> str:
    found = chart.pattern()
    name = f"{found.name} {term(found.name, lang)}" if lang == "en" else term(found.name, lang)
    parts = [name]
    if found.standing is not None:
        parts.append(term(found.standing.status, lang))
    return joined(parts, lang)


def _useful(chart: Chart, lang: str, told: tuple[str, ...] = ROLES) -> str:
    order = chart.pattern().useful.order
    gap = " " if lang == "en" else ""
    return "  ".join(
        f"{term(role, lang)}{gap}{term(element.value, lang)}"
        for role, element in zip(ROLES, order, strict=True)
        if role in told
    )


def _relation(found: Relation, lang: str) -> str:
    """`六冲 年子 日午`, with what it forms and its status where that is not simply that it holds."""
    names = {name: label(name, lang).replace("柱", "") for name, _ in found.members}
    gap = " " if lang == "en" else ""
    members = " ".join(f"{names[name]}{gap}{char}" for name, char in found.members)
    kind = f"{found.type} {term(found.type, lang)}" if lang == "en" else term(found.type, lang)
    marks = [term(found.element.value, lang)] if found.element else []
    marks += [term(found.status, lang)] if found.status != HOLDS else []
    if found.hua_status is not None:
        marks.append(term(found.hua_status, lang))
    return f"{kind} {members}" + (f" ({' '.join(marks)})" if marks else "")
