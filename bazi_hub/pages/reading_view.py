"""A reading that is kept, as its page shows it: the answer and how sure it is, then section by section, each sentence with
the number of the drawer that holds its facts.

A kept row holds the result of t2 or t4 and, beside it, what the page knows of the purchase (`page`): question, charge, where
it stands in time. Rows of older releases hold less: a text in paragraphs, or the tables of a year.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bazi_core.errors import BaziError
from bazi_core.face import Chart, recast
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.useful import ADVERSE, ROLES, WANTED
from bazi_core.pattern.walk import walk
from bazi_core.questions.question import DECLINED
from bazi_core.questions.safety import disclaimer
from bazi_core.render.phrases import pillar_name, pillars_text
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES, label, term
from bazi_hub.pages.address import address_of_saved, query_text
from bazi_hub.pages.chart_strength import ElementMark, element_mark
from bazi_hub.pages.evidence import HANS, Proof, Proofs, facts_again
from bazi_hub.pages.texts import text

RESULTS = ("pattern_result", "final_result", "year_analysis_result")
DOMAINS = ("career", "wealth", "relationship", "family", "study", "health_balance")
# Sections under a name of their own; what else is told stands under that of its part of life.
SECTIONS = ("overview", "pattern", "doubts", "luck", "months", "advice")

_SURE = "answer.sure."


class Said(NamedTuple):
    """A sentence, its kind, and the number of the drawer with its facts."""

    text: str
    kind: str
    proof: int | None


class Section(NamedTuple):
    """Sentences under a name; those of a part of life stand together as `parts`."""

    key: str
    title: str
    sentences: list[Said]
    parts: list[Section] = []  # noqa: RUF012 - never changed


class Role(NamedTuple):
    """An element of a decade under one reading of the strength: what it is to the chart, and whether that is wanted."""

    element: ElementMark
    role: str
    wanted: bool | None


class Step(NamedTuple):
    """A decade of a life."""

    pillar: str
    name: str
    years: str
    ages: str
    here: bool
    roles: list[list[Role]]


class Walk(NamedTuple):
    """The decades of a life under each reading of the strength."""

    readings: list[str]
    steps: list[Step]


class ReadingView(NamedTuple):
    """All that is shown. `language` is that of the sentences."""

    kind: str
    language: str
    title: str
    question: str
    pillars: str
    gender: str
    score: str
    sure: str
    answer: Said | None
    grounds: list[Said]
    sections: list[Section]
    last: list[Said]
    paragraphs: list[str]
    walk: Walk | None
    drawers: list[tuple[int, list[Proof]]]
    written: str
    charged: int | None
    query: str | None
    year: int | None
    declined: bool


def kept_body(result: str, page: dict[str, Any]) -> str:
    """The body of a kept reading: the result as it came, with what the page knows beside it.

    >>> kept_body('{"final_result":{}}', {"charged": 6})
    '{"final_result":{},"page":{"charged":6}}'
    """
    return f'{result[:-1]},"page":{json.dumps(page, ensure_ascii=False, separators=(",", ":"))}}}'


class Held(NamedTuple):
    """What a row holds: the name of the result, itself, and what the page knew."""

    name: str
    result: dict[str, Any]
    page: dict[str, Any]


def held_in(body: str) -> Held:
    """What is kept as the body of a reading."""
    found: dict[str, Any] = json.loads(body)
    name = next(name for name in RESULTS if name in found)
    return Held(name, found[name], found.get("page", {}))


def chart_of_result(result: dict[str, Any]) -> Chart | None:
    """The chart that a result speaks of; None where this release cannot make it."""
    with suppress(BaziError, KeyError, TypeError, ValueError):
        return recast(result["input"], School.from_dict(result["school"]))
    return None


def query_of(chart: Chart) -> str | None:
    """The address of a chart as its query is written; None for a chart that has none."""
    found = address_of_saved(chart)
    return None if found is None else query_text(found)


def reading_view(held: Held, lang: str, now_ms: int, *, open: bool = False) -> ReadingView:
    """A kept reading in the language of the page. `open`: as whoever has the link sees it, without the birth."""
    name, found, page = held
    chart = chart_of_result(found)
    told = found.get("reading") or {}
    language = found.get("language") or _language(found.get("narrative") or "", lang)
    stored: dict[str, Any] = told.get("facts") or found.get("facts") or {}
    known = _known(chart, stored, found.get("as_of")) if chart is not None and lang != HANS else {}
    proofs = Proofs(lang, stored, known, open=open)
    summary, sections = _structured(told)
    said = [_said(each, proofs) for each in summary]
    kept, last = _parted(sections)
    life, year = name == "pattern_result", found.get("target_year")
    pattern = chart.pattern() if chart is not None else None
    declined = _is_declined(found, told)
    return ReadingView(
        "life" if life else "year",
        language,
        told.get("title") or str(found.get("pattern_type") or year),
        page.get("question", ""),
        "" if chart is None else pillars_text(chart.pillars, lang),
        "" if chart is None or chart.gender is None else label(chart.gender, lang),
        _score(found, lang),
        "" if declined else _sure(summary, pattern, lang),
        said[0] if said else None,
        said[1:],
        _told(kept, proofs, lang),
        [_said(each, proofs) for each in last],
        [] if summary else _paragraphs(found.get("narrative") or ""),
        _walk(chart, pattern, lang, now_ms) if life and not declined and chart and pattern else None,
        proofs.drawers(),
        _written(found.get("provenance") or {}, declined, lang),
        page.get("charged"),
        None if open or chart is None else query_of(chart),
        year,
        declined,
    )


def _structured(told: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    summary, sections = told.get("summary"), told.get("sections")
    return (summary, sections) if isinstance(summary, list) and isinstance(sections, list) else ([], [])


def _said(sentence: dict[str, Any], proofs: Proofs) -> Said:
    return Said(sentence["text"], sentence["kind"], proofs.number(sentence.get("evidence", ())))


def _parted(
    sections: list[dict[str, Any]],
) -> tuple[list[tuple[str, list[dict[str, Any]]]], list[dict[str, Any]]]:
    """The sections without the sentence that ends every reading, and it."""
    kept, last = [], []
    for section in sections:
        body = [each for each in section["sentences"] if each["kind"] != "disclaimer"]
        last += [each for each in section["sentences"] if each["kind"] == "disclaimer"]
        if body:
            kept.append((section["key"], body))
    return kept, last


def _told(sections: Iterable[tuple[str, list[dict[str, Any]]]], proofs: Proofs, lang: str) -> list[Section]:
    """The sections by name; the parts of life that follow each other stand under one."""
    found: list[Section] = []
    for key, sentences in sections:
        said = [_said(each, proofs) for each in sentences]
        if key in SECTIONS:
            found.append(Section(key, text(f"part.{key}", lang), said))
            continue
        if not found or found[-1].key != "domains":
            found.append(Section("domains", text("part.domains", lang), [], []))
        title = text(f"part.{key}", lang) if key in DOMAINS else key
        found[-1].parts.append(Section(key, title, said))
    return found


def _known(chart: Chart, stored: dict[str, Any], as_of: str | None) -> dict[str, Any]:
    """The facts in every language; none where this release has no such year."""
    with suppress(BaziError):
        return dict(facts_again(chart, stored, as_of))
    return {}


def _is_declined(found: dict[str, Any], told: dict[str, Any]) -> bool:
    """Whether support stands in place of a divination: such a reading cites nothing at all."""
    if "safety" in found:
        return found["safety"]["action"] in DECLINED
    summary, sections = _structured(told)
    return bool(summary) and not any(
        each.get("evidence") for each in (*summary, *(one for part in sections for one in part["sentences"]))
    )


def _score(found: dict[str, Any], lang: str) -> str:
    if found.get("score") is None:
        return ""
    return f"{found['score']} / 100 · {term(found['level'], lang, 'level')}"


def _sure(summary: list[dict[str, Any]], pattern: PatternResult | None, lang: str) -> str:
    """How sure the answer is: as it says itself, else as sure as the strength on which all rests."""
    said = (str(each.get("statement") or "") for each in summary)
    own = next((each.removeprefix(_SURE) for each in said if each.startswith(_SURE)), "")
    strength = pattern.strength if pattern else None
    key = (
        "same"
        if own.startswith("open.same")
        else own.partition(".")[0] or (strength.certainty if strength else "")
    )
    return text(f"sure.{key}", lang) if key in ("settled", "leaning", "open", "same") else ""


def _written(provenance: dict[str, Any], declined: bool, lang: str) -> str:
    """Who wrote it, in one line."""
    if declined or not provenance:
        return ""
    if provenance.get("fallback_used"):
        return text("written.fallback", lang)
    by_model = provenance.get("narrator") == "llm"
    return text("written.model" if by_model else "written.rules", lang)


def _walk(chart: Chart, pattern: PatternResult, lang: str, now_ms: int) -> Walk | None:
    """The decades with their roles; None where no luck is known."""
    if chart.luck is None or chart.birth is None:
        return None
    now = chart.running(datetime.fromtimestamp(now_ms / 1000, UTC)).cycle
    readings = [pattern, *pattern.alternatives]
    walks = [walk(each) for each in readings]
    verdicts = [each.strength.verdict for each in readings if each.strength]
    names = [label(f"if.{verdict}", lang) for verdict in verdicts] if len(readings) > 1 else [""]
    steps = []
    for at, decade in enumerate(walks[0]):
        cycle = decade.cycle
        age = cycle.start_age_full
        dated = cycle.start_year is not None and cycle.end_year is not None
        steps.append(
            Step(
                cycle.pillar.value,
                pillar_name(cycle.pillar, lang).partition(" ")[2] if lang == "en" else "",
                f"{cycle.start_year}–{cycle.end_year}" if dated else "",
                text("walk.ages", lang, first=age, last=age + 9) if age is not None else "",
                now is not None and cycle.index == now.index,
                [_roles(one[at], lang) for one in walks],
            )
        )
    return Walk(names, steps)


def _roles(decade: Any, lang: str) -> list[Role]:
    signs = (decade.cycle.pillar.stem, decade.cycle.pillar.branch)
    found = []
    for sign, role in zip(signs, decade.roles, strict=False):
        wanted = True if role in WANTED else False if role in ADVERSE else None
        found.append(Role(element_mark(sign.element, lang), text(f"role.{ROLES.index(role)}", lang), wanted))
    return found


def _language(narrative: str, otherwise: str) -> str:
    """The language of a reading, known by its last sentence."""
    return next((language for language in LANGUAGES if disclaimer(language) in narrative), otherwise)


def _paragraphs(told: str) -> list[str]:
    return [part.strip() for part in told.split("\n\n") if part.strip()]
