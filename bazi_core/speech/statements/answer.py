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
from bazi_core.speech.plan import AGAINST, CLAIM, DOUBT, FOR, GROUND, LEANING, OPEN, SETTLED, SUMMARY
from bazi_core.speech.statements.accounts import is_spared, moves, told_rows
from bazi_core.speech.statements.asked import (
    BAD,
    BEYOND,
    GOOD,
    MIXED,
    MONTHS,
    SCORES,
    SIDES,
    TIMED,
    UNANSWERED,
    beyond_reach,
    named,
    unanswered,
    verdict,
)
from bazi_core.speech.statements.kin import KIN, kin, star_of, who
from bazi_core.speech.statements.months import easiest, evidence
from bazi_core.speech.statements.months import named as month_named
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.span_answer import span_answer, years_of_age
from bazi_core.speech.statements.timing import count
from bazi_core.speech.topic_filter import OF_AGE, PARTNERS
from bazi_core.structures.classes import OFFICER, RESOURCE, WEALTH, element_of
from bazi_core.year.dates import begins
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

GROUNDS = 2
# As many decades, the present one among them, are near enough to wait for.
NEAR = 3
A_YEAR = 12
# How sure an answer is that names years.
SURE = ("answer.years.agrees", "answer.years.differs", "answer.sure.leaning", "answer.sure.settled")


def year_answer(draft: Draft, year: YearResult, asked: Asked, span: YearsResult | None = None) -> None:
    """The answer of a year to a question: at most five statements, which are the summary of the reading.

    `span` holds the years that are asked about beside this one: they are compared.
    """
    draft.topic(SUMMARY)
    if asked.domain in UNANSWERED:
        unanswered(draft, asked.domain)
        return
    subject = asked.subject
    if subject in KIN:
        if not kin(draft, year.pattern, subject):
            return
        asked = asked._replace(domain=KIN[subject].domain)
    if span is not None and asked.domain in SCORES and _compares(draft, span, asked):
        return
    number = year.target_year
    others = any(each != number for each in asked.years)
    elsewhere = others and number not in asked.years
    if others:
        draft.add(
            "answer.other_years" if elsewhere else "answer.also_years", f"ln.{number}", weight=1, kind="fact",
            required=True, year=number,
        )  # fmt: skip
    domain = SCORES.get(asked.domain)
    if domain is None or asked.is_of_days:
        _beyond(draft, year, asked)
    elif domain == PARTNERS and year.age.nominal < OF_AGE:
        draft.add("answer.of_age", weight=1, kind="transition", required=True)
    else:
        _of_domain(draft, year, asked, domain, others + (subject in KIN))


def _compares(draft: Draft, span: YearsResult, asked: Asked) -> bool:
    """Whether the years that are asked about were compared: two or more of them must be told of."""
    told = years_of_age(span, SCORES[asked.domain])
    years = [each for each in asked.years if each in told]
    if len(years) > 1:
        span_answer(draft, span, asked, years)
    return len(years) > 1


def _of_domain(draft: Draft, year: YearResult, asked: Asked, domain: str, said: int) -> None:
    """The verdict on a side of life with its grounds, the months, and how sure it is; `said` statements stand before it.

    Where months are asked for they come first.
    """
    number, score = year.target_year, year.scores.of(domain)
    told = verdict(score)
    by_month = asked.horizon == MONTHS and asked.is_timed
    if by_month:
        _when(draft, year, asked)
    is_kin = asked.subject in KIN
    of = "year.kin" if is_kin else "also" if by_month else "year.whole" if domain == OVERALL else "year"
    draft.add(
        f"answer.{of}.{told}", f"yr.{number}.score.{domain}", weight=1, required=True, certainty=LEANING,
        side=SIDES[told], year=number, domain=named(domain), score=count("points", score), who=who(asked.subject),
    )  # fmt: skip
    _grounds(draft, year, domain, told, 2 - min(said, 2))
    if not by_month and (said == 0 or asked.is_timed) and not beyond_reach(draft, asked):
        _when(draft, year, asked)
    _sure(draft, year, domain)


def _beyond(draft: Draft, year: YearResult, asked: Asked) -> None:
    """What a year cannot say, and what it can; of months that are asked for those that come easiest on the whole."""
    score = count("points", year.scores.overall)
    draft.add(
        "answer.scope", f"yr.{year.target_year}.score.overall", weight=1, required=True, year=year.target_year,
        topic=Phrase(f"topic.{asked.domain}", {}), score=score,
    )  # fmt: skip
    if asked.is_timed:
        _when(draft, year, asked)


def _grounds(draft: Draft, year: YearResult, domain: str, told: str, sides: int) -> None:
    """Two grounds of the verdict, and of two sides the weightiest that stands against it."""
    found = [each for each in moves(year, domain) if not is_spared(year, each, draft.left_out)]
    plus = [each for each in found if each.points > 0]
    minus = [each for each in found if each.points < 0]
    first, second = (minus, plus) if told == BAD else (plus, minus)
    keys = ("answer.drag", "answer.ground") if told == BAD else ("answer.ground", "answer.drag")
    both = ((keys[0], first, GROUNDS, GROUND), (keys[1], second, 1, CLAIM))
    for key, rows, most, relation in both[:sides]:
        clauses, ids = told_rows(year, rows[:most], plain=True)
        if clauses:
            side = FOR if key == "answer.ground" else AGAINST
            draft.add(key, *ids, weight=1, kind="fact", relation=relation, side=side, rows=clauses)


def _when(draft: Draft, year: YearResult, asked: Asked) -> None:
    """The months that are asked about, compared; else those that come easiest, and where the question is of time those to
    keep clear of."""
    of_year = [(year, month) for month in year.months]
    named_ = [each for each in of_year if int(begins(*each)[5:7]) in asked.months]
    months(draft, named_ or of_year, asked, bool(named_))


def months(
    draft: Draft, found: Sequence[tuple[YearResult, Month]], asked: Asked, are_named: bool = False
) -> None:
    """Those of these months that come easiest, and where the question is of time those to keep clear of; of months that
    are named the first, or of one how it goes."""
    if not are_named:
        easiest(draft, found, "answer.when", asked.kind in TIMED)
        return
    best = max(found, key=lambda each: each[1].score)
    ids = [name for each in found for name in evidence(*each)]
    values: dict[str, Any] = {
        "months": [month_named(*each, plain=True) for each in found],
        "best": month_named(*best, plain=True),
    }
    key = "answer.months" if len(found) > 1 else f"answer.month.{verdict(best[1].score)}"
    draft.add(key, *ids, weight=1, required=True, certainty=LEANING, **values)


def _sure(draft: Draft, year: YearResult, domain: str) -> None:
    """How sure the answer is, by how many methods of strength agree."""
    strength = year.pattern.strength
    if strength is None or year.pattern.special is not None:
        return
    certainty = strength.certainty
    if certainty == OPEN:
        for other in year.alternatives:
            draft.add(
                "answer.sure.open", "str.certainty", f"alt.yr.{year.target_year}.{domain}", weight=1, relation=DOUBT,
                certainty=OPEN, required=True, score=count("points", other.scores.of(domain)), domain=named(domain),
            )  # fmt: skip
        return
    draft.add(
        f"answer.sure.{certainty}", "str.certainty", weight=1, relation=DOUBT,
        certainty=SETTLED if certainty == SETTLED else LEANING,
    )  # fmt: skip


# Domain of a question -> the class of ten gods that stands for it in a chart; of partners and children the star of the
# relative; what is in neither is asked of the diagnosis.
CLASSES_OF = {"career": OFFICER, "wealth": WEALTH, "study": RESOURCE}
RELATIVES_OF = {"relationship": "spouse", "marriage": "spouse", "children": "children", "parents": "mother"}
WHOLE = ("self", "general", "health", "timing")


class _Ground(NamedTuple):
    """One reason: +1 or -1, its words, the facts it rests on."""

    points: int
    said: Phrase
    evidence: tuple[str, ...]


def chart_answer(
    draft: Draft,
    result: PatternResult,
    asked: Asked,
    decades: Sequence[Decade],
    running: Running | None,
    span: YearsResult | None = None,
) -> None:
    """The answer of a chart to a question: at most five statements, which are the summary of the reading.

    `span` holds the years that are asked about, or those in sight where it is asked when something comes.
    """
    draft.topic(SUMMARY)
    if asked.domain in UNANSWERED:
        unanswered(draft, asked.domain)
        return
    if not result.useful.order:
        draft.add("answer.unjudged", weight=1, kind="transition", required=True)
        return
    if span is not None and len(asked.years) == 1:
        year_answer(draft, span.year(asked.years[0]), asked)
        return
    subject = asked.subject
    if subject in KIN:
        if not kin(draft, result, subject):
            return
        asked = asked._replace(domain=KIN[subject].domain)
    if SCORES.get(asked.domain) == PARTNERS and _is_under_age(running):
        draft.add("answer.of_age", weight=1, kind="transition", required=True)
        return
    if asked.domain in BEYOND or asked.is_of_days:
        draft.add(
            "answer.chart.scope", "yong.primary", weight=1, required=True, topic=Phrase(f"topic.{asked.domain}", {}),
            use=element(result.useful.order[0]),
        )  # fmt: skip
        # On the whole is all that a year knows of what has no score.
        asked = asked._replace(domain="general")
        if span is not None and not asked.is_of_days:
            _in_sight(draft, span, asked, running)
        return
    if span is not None and asked.years and _compares(draft, span, asked):
        return
    in_sight = span is not None and not asked.years and _in_sight(draft, span, asked, running)
    _of_chart(draft, result, asked, subject, in_sight)
    if in_sight or subject in KIN:
        _sure_of_chart(draft, result, in_sight)
        return
    if not beyond_reach(draft, asked):
        _decade(draft, decades, running)
    _sure_of_chart(draft, result)


def _is_under_age(running: Running | None) -> bool:
    return running is not None and running.ages is not None and running.ages.nominal < OF_AGE


def _in_sight(draft: Draft, span: YearsResult, asked: Asked, running: Running | None) -> bool:
    """The months ahead, or the years in sight, where it is asked when; whether there are any."""
    if asked.horizon == MONTHS and running is not None:
        ahead = [(year, month) for year in span.years for month in year.months if month.end > running.at]
        of_name = [each for each in ahead if int(begins(*each)[5:7]) in asked.months]
        first = [*{begins(*each)[5:7]: each for each in reversed(of_name)}.values()][::-1]
        months(draft, first or ahead[:A_YEAR], asked, bool(first))
        return True
    years = years_of_age(span, SCORES[asked.domain])
    if len(years) < 2:
        return False
    span_answer(draft, span, asked, years, open_end=True)
    return True


def _of_chart(draft: Draft, result: PatternResult, asked: Asked, subject: str, is_second: bool) -> None:
    """The verdict of the chart on what is asked, with its grounds; it `is_second` where months or years answer first."""
    relative = KIN[subject].star if subject in KIN else RELATIVES_OF.get(asked.domain)
    grounds = _chart_grounds(result, asked.domain, relative)
    total = sum(each.points for each in grounds)
    told = GOOD if total > 0 else BAD if total < 0 else MIXED
    ids = tuple(name for each in grounds for name in each.evidence)
    is_whole = asked.domain in WHOLE
    of = "kin.chart" if subject in KIN else "natal" if is_second else "whole" if is_whole else "chart"
    value = who(subject) if subject in KIN else Phrase(f"domain.{'whole' if is_whole else asked.domain}", {})
    named_: dict[str, Any] = {} if of == "whole" else {"domain": value}
    draft.add(
        f"answer.{of}.{told}", "yong.primary", *ids, weight=1, required=True, certainty=LEANING,
        side=SIDES[told], **named_,
    )  # fmt: skip
    if draft.says("answer.years.ground"):
        return
    for key, sign_ in (("answer.ground", 1), ("answer.drag", -1)):
        found = [each for each in grounds if each.points * sign_ > 0][:GROUNDS]
        if found:
            names = (name for each in found for name in each.evidence)
            draft.add(
                key, *names, weight=1, kind="fact", relation=GROUND if (sign_ > 0) is (total >= 0) else CLAIM,
                side=FOR if sign_ > 0 else AGAINST, rows=[each.said for each in found],
            )  # fmt: skip


def _chart_grounds(result: PatternResult, domain: str, relative: str | None) -> list[_Ground]:
    """The role of what stands for a domain, and the dynamics that bear on it."""
    found = []
    k = CLASSES_OF.get(domain)
    star = star_of(result, relative) if k is None else element_of(result.pillars.day.stem, k)
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


def _decade(draft: Draft, decades: Sequence[Decade], running: Running | None) -> None:
    """The next decade that helps, of those near at hand; where none does, one of which half is of use."""
    year = running.year if running else 0
    # A decade in its last year is behind already.
    ahead = [
        each
        for each in decades
        if each.time(running) in (NOW, COMING) and (each.cycle.end_year or year + 1) > year
    ][:NEAR]
    good = (each for each in ahead if each.tone == "good" and each.brings not in (ILLNESS, BOTH))
    mixed = (each for each in ahead if each.tone == "mixed" and each.time(running) == COMING)
    best = next(chain(good, mixed), None)
    if best is None or best.cycle.start_year is None:
        return
    own = best.fact_id
    key = "mixed" if best.tone == "mixed" else "now" if best.time(running) == NOW else ""
    draft.add(
        f"answer.decade.{key}".rstrip("."), own, f"{own}.role.stem", f"{own}.role.branch",
        weight=1, certainty=LEANING, pillar=sign(best.cycle.pillar), first=best.cycle.start_year, last=best.cycle.end_year,
    )  # fmt: skip


def _sure_of_chart(draft: Draft, result: PatternResult, is_said: bool = False) -> None:
    """How sure the answer is; what the years in sight said of it already `is_said`."""
    if is_said and any(draft.says(key) for key in SURE):
        return
    strength = result.strength
    if strength is None or result.special is not None:
        return
    certainty = strength.certainty
    key = "answer.chart.open" if certainty == OPEN else f"answer.sure.{certainty}"
    draft.add(key, "str.certainty", weight=1, relation=DOUBT, certainty=certainty, required=certainty == OPEN)
