"""What the page of a chart says of strength, with every reading that is open, and of the elements in their season."""

from __future__ import annotations

from typing import NamedTuple

from bazi_core.alphabet import ELEMENTS, Element
from bazi_core.face import Chart
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.useful import ROLES
from bazi_core.pictures.kit import sentences
from bazi_core.render.meaning import conclusions
from bazi_core.render.phrases import joined, pillar_name
from bazi_core.structures.classes import CLASSES
from bazi_core.tables.words import glossed, label, term
from bazi_core.views.certainty import observed
from bazi_core.views.strength import Strength
from bazi_hub.pages.texts import text

CLASS_OF = {"木": "wood", "火": "fire", "土": "earth", "金": "metal", "水": "water"}
METHODS = ("weighted_v1", "plain_count_month2", "root_units", "month_command")
_FULL = 40  # percent that fill a bar, unless one has more


class ElementMark(NamedTuple):
    """An element: its word, its number, the class of its colour."""

    word: str
    number: int
    kind: str


class Vote(NamedTuple):
    verdict: str
    method: str
    taken: bool


class Reading(NamedTuple):
    """What a chart means under one verdict on its strength."""

    head: str
    taken: bool
    pattern: str
    roles: list[tuple[str, ElementMark]]
    fact: str


class Judged(NamedTuple):
    """Strength by four methods, with the readings that it leaves open."""

    certainty: str
    votes: list[Vote]
    told: str
    of_books: str
    readings: list[Reading]
    common: str


class ElementRow(NamedTuple):
    mark: ElementMark
    share: int
    wide: int
    state: str
    own: str


def element_mark(element: Element, lang: str) -> ElementMark:
    """An element as the pages mark it."""
    return ElementMark(term(element.value, lang), element.index, CLASS_OF[element.value])


def judged(result: PatternResult, lang: str) -> Judged | None:
    """The four verdicts and what follows under each reading; None where the School judges nothing."""
    strength = result.strength
    if strength is None:
        return None
    votes = [
        Vote(
            _short(strength.method_votes[name], lang), label(f"method.{name}", lang), name == strength.method
        )
        for name in METHODS
    ]
    readings = [_reading(each, lang, bool(result.alternatives)) for each in (result, *result.alternatives)]
    return Judged(
        strength.certainty, votes, sentences([conclusions(result, lang)[0]], lang), _of_books(strength, lang), readings,
        _common(result, lang),
    )  # fmt: skip


def _short(verdict: str, lang: str) -> str:
    """`强`, `strong`: what a vote says, where everything else says of what."""
    told = term(verdict, lang)
    return told.split()[0] if lang == "en" else told.removeprefix("身")


def _of_books(strength: Strength, lang: str) -> str:
    """How often books that print such charts say what is taken here."""
    found = observed(f"strength.{strength.agreement}")
    return text("chart.of_books", lang, hits=found.hits, of=found.of)


def _reading(result: PatternResult, lang: str, several: bool) -> Reading:
    strength = result.strength
    assert strength is not None
    head = label(f"if.{strength.verdict}", lang) if several else term(strength.verdict, lang)
    standing = [term(result.standing.status, lang)] if result.standing else []
    roles = [
        (term(role, lang), element_mark(element, lang))
        for role, element in zip(ROLES, result.useful.order, strict=True)
    ]
    named = joined([glossed(result.name, lang), *standing], lang)
    fact = "yong.primary" if strength.taken else "alt.yong.primary"
    return Reading(head, strength.taken, named, roles, fact)


def _common(result: PatternResult, lang: str) -> str:
    """What both readings share."""
    if not result.alternatives:
        return ""
    [other] = result.alternatives
    shared = [_named(element, role, lang) for role, element, there in
              zip(ROLES, result.useful.order, other.useful.order, strict=True) if element is there]  # fmt: skip
    if result.name == other.name:
        shared.insert(0, glossed(result.name, lang))
    return joined(shared, lang)


def _named(element: Element, role: str, lang: str) -> str:
    gap = " " if lang == "en" else ""
    return f"{term(role, lang)}{gap}{term(element.value, lang)}"


def elements(chart: Chart, lang: str) -> list[ElementRow]:
    """The five elements with their shares and states."""
    found, day = chart.elements, chart.day_master.index // 2
    full = max(_FULL, *found.seasonal)
    return [
        ElementRow(
            element_mark(element, lang),
            found.seasonal[element.index],
            round(100 * found.seasonal[element.index] / full),
            term(found.state[element.index], lang, "season_state"),
            term(CLASSES[(element.index - day) % 5], lang),
        )
        for element in ELEMENTS
    ]


def season(chart: Chart, lang: str) -> str:
    """The month by which the elements are weighed, and those that are missing."""
    month = chart.pillars.month
    told = [
        label("picture.season", lang, month=pillar_name(month, lang) if lang == "en" else month.branch.value)
    ]
    missing = [term(each.value, lang) for each in chart.elements.missing]
    if missing:
        told.append(label("picture.absent", lang, elements=(", " if lang == "en" else "、").join(missing)))
    return sentences(told, lang)


__all__ = ["ElementMark", "ElementRow", "Judged", "element_mark", "elements", "judged", "season"]
