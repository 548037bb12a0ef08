"""The answer to a question, said first: a verdict for what is asked, its grounds, what speaks against it, when, how sure.

A side of life has a score in a year; its rows are the grounds. What the scores of a year do not know is said to be so.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.pattern.walk import BOTH, COMING, ILLNESS, NOW
from bazi_core.speech.catalogue import Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, CLAIM, DOUBT, FOR, GROUND, LEANING, NEITHER, OPEN, SETTLED, SUMMARY
from bazi_core.speech.statements.accounts import is_spared, moves, told_rows
from bazi_core.speech.statements.months import evidence, named
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.timing import count
from bazi_core.structures.classes import OFFICER, OUTPUT, RESOURCE, WEALTH, element_of
from bazi_core.year.rules import DOMAIN_ZH, OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Element
    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.year.result import YearResult

# Domain of a question -> the score of a year that answers it.
SCORES = {
    "career": "career", "wealth": "wealth", "relationship": "relationship", "marriage": "relationship", "children": "family",
    "parents": "family", "study": "study", "health": "health_balance", "self": OVERALL, "general": OVERALL,
}  # fmt: skip
HIGH, LOW = 56, 45
GROUNDS, MONTHS = 2, 2
# What is no question to a chart.
SET_ASIDE = "set_aside"
# What is asked of a side of life on which nothing is said.
LEFT_OUT = "left_out"
GOOD, MIXED, BAD = "good", "mixed", "bad"
# Kinds of question that are of time.
WHY = "why"
TIMED = ("when", "which", "compare")
# As many decades, the present one among them, are near enough to wait for.
NEAR = 3


class Asked(NamedTuple):
    """What a question asks of an object: the domain, the kind, the years that it names."""

    domain: str = "general"
    kind: str = "describe"
    years: tuple[int, ...] = ()


def year_answer(draft: Draft, year: YearResult, asked: Asked) -> None:
    """The answer of a year to a question: at most five statements, which are the summary of the reading."""
    draft.topic(SUMMARY)
    if asked.domain in (SET_ASIDE, LEFT_OUT):
        _unanswered(draft, asked.domain)
        return
    number = year.target_year
    others = [str(each) for each in asked.years if each != number]
    elsewhere = bool(others) and number not in asked.years
    if others:
        draft.add(
            "answer.other_years" if elsewhere else "answer.also_years", f"ln.{number}", weight=1, kind="fact",
            required=True, year=number, asked=others,
        )  # fmt: skip
    domain = SCORES.get(asked.domain)
    if domain is None:
        _beyond(draft, year, asked.domain)
        return
    score = year.scores.of(domain)
    verdict = GOOD if score >= HIGH else BAD if score < LOW else MIXED
    side = {GOOD: FOR, BAD: AGAINST}.get(verdict, NEITHER)
    whole = "whole." if domain == OVERALL else ""
    draft.add(
        f"answer.year.{whole}{verdict}", f"yr.{number}.score.{domain}", weight=1, required=True, certainty=LEANING,
        side=side, year=number, domain=_named(domain), score=count("points", score),
    )  # fmt: skip
    _grounds(draft, year, domain, verdict, 1 if others else 2)
    _when(draft, year, asked.kind)
    _sure(draft, year)


def _unanswered(draft: Draft, why: str) -> None:
    """That a question is none which a chart could answer, or is left to others."""
    draft.add(f"answer.{why}", weight=1, kind="transition", required=True)


def _beyond(draft: Draft, year: YearResult, domain: str) -> None:
    """What a year cannot say, and what it can."""
    score = count("points", year.scores.overall)
    draft.add(
        "answer.scope", f"yr.{year.target_year}.score.overall", weight=1, required=True, year=year.target_year,
        topic=Phrase(f"topic.{domain}", {}), score=score,
    )  # fmt: skip


def _named(domain: str) -> Any:
    return Term(DOMAIN_ZH[domain], "domain")


def _grounds(draft: Draft, year: YearResult, domain: str, verdict: str, sides: int) -> None:
    """Two grounds of the verdict, and of two sides the weightiest that stands against it."""
    found = [each for each in moves(year, domain) if not is_spared(year, each, draft.left_out)]
    plus = [each for each in found if each.points > 0]
    minus = [each for each in found if each.points < 0]
    first, second = (minus, plus) if verdict == BAD else (plus, minus)
    keys = ("answer.drag", "answer.ground") if verdict == BAD else ("answer.ground", "answer.drag")
    told = ((keys[0], first, GROUNDS, GROUND), (keys[1], second, 1, CLAIM))
    for key, rows, most, relation in told[:sides]:
        clauses, ids = told_rows(year, rows[:most], plain=True)
        if clauses:
            side = FOR if key == "answer.ground" else AGAINST
            draft.add(key, *ids, weight=1, kind="fact", relation=relation, side=side, rows=clauses)


def _when(draft: Draft, year: YearResult, kind: str) -> None:
    """The months that come easiest, and where the question is of time those to keep clear of."""
    order = sorted(year.months, key=lambda month: (-month.score, month.number))
    best, hard = order[:MONTHS], order[-MONTHS:] if kind in TIMED else []
    told = [sorted(found, key=lambda month: month.number) for found in (best, hard)]
    ids = [name for found in told for month in found for name in evidence(year, month)]
    good, bad = ([named(year, month, plain=True) for month in found] for found in told)
    draft.add(
        "answer.when.both" if bad else "answer.when", *ids, weight=1, certainty=LEANING, months=good, hard=bad
    )


def _sure(draft: Draft, year: YearResult) -> None:
    """How sure the answer is, by how many methods of strength agree."""
    strength = year.pattern.strength
    if strength is None or year.pattern.special is not None:
        return
    certainty = strength.certainty
    if certainty == OPEN:
        for other in year.alternatives:
            draft.add(
                "answer.sure.open", "str.certainty", f"alt.yr.{year.target_year}.overall", weight=1, relation=DOUBT,
                certainty=OPEN, required=True, score=count("points", other.scores.overall),
            )  # fmt: skip
        return
    draft.add(
        f"answer.sure.{certainty}", "str.certainty", weight=1, relation=DOUBT,
        certainty=SETTLED if certainty == SETTLED else LEANING,
    )  # fmt: skip


# Domain of a question -> the class of ten gods that stands for it in a chart; of partners and children the star of the
# relative; what is in neither is asked of the diagnosis.
CLASSES_OF = {"career": OFFICER, "wealth": WEALTH, "study": RESOURCE}
BEYOND = ("lawsuit", "travel_move", "direction")
RELATIVES_OF = {"relationship": "spouse", "marriage": "spouse", "children": "children", "parents": "mother"}
WHOLE = ("self", "general", "health", "timing")


class _Ground(NamedTuple):
    """One reason: +1 or -1, its words, the facts it rests on."""

    points: int
    said: Phrase
    evidence: tuple[str, ...]


def chart_answer(
    draft: Draft, result: PatternResult, asked: Asked, decades: Sequence[Decade], running: Running | None
) -> None:
    """The answer of a chart to a question: at most five statements, which are the summary of the reading."""
    draft.topic(SUMMARY)
    if asked.domain in (SET_ASIDE, LEFT_OUT):
        _unanswered(draft, asked.domain)
        return
    if not result.useful.order:
        draft.add("answer.unjudged", weight=1, kind="transition", required=True)
        return
    if asked.domain in BEYOND:
        draft.add(
            "answer.chart.scope", "yong.primary", weight=1, required=True, topic=Phrase(f"topic.{asked.domain}", {}),
            use=element(result.useful.order[0]),
        )  # fmt: skip
        return
    grounds = _chart_grounds(result, asked.domain)
    total = sum(each.points for each in grounds)
    verdict = GOOD if total > 0 else BAD if total < 0 else MIXED
    ids = tuple(name for each in grounds for name in each.evidence)
    of = "whole" if asked.domain in WHOLE else "chart"
    named = {} if asked.domain in WHOLE else {"domain": Phrase(f"domain.{asked.domain}", {})}
    draft.add(
        f"answer.{of}.{verdict}", "yong.primary", *ids, weight=1, required=True, certainty=LEANING,
        side={GOOD: FOR, BAD: AGAINST}.get(verdict, NEITHER), **named,  # type: ignore[arg-type]
    )  # fmt: skip
    for key, sign_ in (("answer.ground", 1), ("answer.drag", -1)):
        found = [each for each in grounds if each.points * sign_ > 0][:GROUNDS]
        if found:
            names = (name for each in found for name in each.evidence)
            draft.add(
                key, *names, weight=1, kind="fact", relation=GROUND if (sign_ > 0) is (total >= 0) else CLAIM,
                side=FOR if sign_ > 0 else AGAINST, rows=[each.said for each in found],
            )  # fmt: skip
    _decade(draft, decades, running, asked.kind)
    _sure_of_chart(draft, result)


def _chart_grounds(result: PatternResult, domain: str) -> list[_Ground]:
    """The role of what stands for a domain, and the dynamics that bear on it."""
    found = []
    star = _star(result, domain)
    if star is not None:
        role = result.useful.role(star)
        points = (role in WANTED) - (role in ADVERSE)
        ids = (ROLE_FACTS[role], "p.day.stem")
        if points:
            said = Phrase("ground.role", {"element": element(star), "role": Term(role, "role")})
            found.append(_Ground(points, said, ids))
    score = SCORES.get(domain, OVERALL)
    for each in result.dynamics:
        if each.state == STANDS and each.polarity in _POINTS and (score in each.domains or score == OVERALL):
            said = Phrase("ground.dynamic", {"name": Term(each.name, "dynamic")})
            found.append(_Ground(_POINTS[each.polarity], said, (each.fact_id,)))
    if domain in WHOLE and result.diagnosis is not None:
        sound = result.diagnosis.key == "sound" or bool(result.diagnosis.rescue)
        said = Phrase("ground.remedy" if sound else "ground.no_remedy", {})
        found.append(_Ground(1 if sound else -1, said, ("pat.diagnosis",)))
    return found


_POINTS = {"吉": 1, "凶": -1}


# The class of the star of a relative.
_CLASS = {"正财": WEALTH, "正官": OFFICER, "官杀": OFFICER, "食伤": OUTPUT, "正印": RESOURCE}


def _star(result: PatternResult, domain: str) -> Element | None:
    """The element that stands for a domain."""
    day = result.pillars.day.stem
    k = CLASSES_OF.get(domain)
    if k is not None:
        return element_of(day, k)
    relative = RELATIVES_OF.get(domain)
    star = next((each.star for each in result.relatives if each.relative == relative), None)
    return None if star is None else element_of(day, _CLASS[star])


def _decade(draft: Draft, decades: Sequence[Decade], running: Running | None, kind: str) -> None:
    """The next decade that helps, of those near at hand; where none does, one of which half is of use."""
    ahead = [each for each in decades if each.time(running) in (NOW, COMING)][:NEAR]
    good = (each for each in ahead if each.tone == "good" and each.brings not in (ILLNESS, BOTH))
    mixed = (each for each in ahead if each.tone == "mixed" and each.time(running) == COMING)
    best = next(chain(good, mixed), None)
    if ahead and ahead[0].cycle.start_year is None and kind in TIMED:
        draft.add("answer.decade.undated", weight=1, kind="transition")
    if best is None or best.cycle.start_year is None:
        return
    own = best.fact_id
    key = "mixed" if best.tone == "mixed" else "now" if best.time(running) == NOW else ""
    draft.add(
        f"answer.decade.{key}".rstrip("."), own, f"{own}.role.stem", f"{own}.role.branch",
        weight=1, certainty=LEANING, pillar=sign(best.cycle.pillar), first=best.cycle.start_year, last=best.cycle.end_year,
    )  # fmt: skip


def _sure_of_chart(draft: Draft, result: PatternResult) -> None:
    strength = result.strength
    if strength is None or result.special is not None:
        return
    certainty = strength.certainty
    key = "answer.chart.open" if certainty == OPEN else f"answer.sure.{certainty}"
    draft.add(key, "str.certainty", weight=1, relation=DOUBT, certainty=certainty, required=certainty == OPEN)
