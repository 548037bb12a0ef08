"""The question to an object, and the years needed to answer it.

A question names years, or asks when something comes. For a chart these are the years of the current decade and of
the next one, from the year of the question, which is an argument.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from bazi_core.errors import BaziError
from bazi_core.questions.marks import (
    AGE_GAP,
    CAUTIONS,
    MORE,
    NEXT_DECADE,
    OF_STAR,
    TWO_CHARTS,
    WHERE,
    ZODIAC,
)
from bazi_core.readings.asides import (
    ASIDES,
    BEGETTING,
    TREATMENT,
    Case,
    are_years_compared,
    is_begetting,
    is_doubly,
    is_of_debt,
)
from bazi_core.speech.statements.asked import (
    BAD,
    BEYOND,
    CHARACTER,
    DECADE,
    FEARED,
    HOW,
    LATELY,
    MONTHS,
    OF_MATES,
    OTHER,
    OWN_WAYS,
    PARTNERSHIP,
    PATH,
    SCORES,
    SET_ASIDE,
    TAI_SUI,
    TERM,
    TRADE,
    WHEN,
    WHETHER,
    WHY,
    Asked,
)
from bazi_core.year.rules import OVERALL
from bazi_core.year.span import side_by_side

if TYPE_CHECKING:
    from bazi_core.luck.running import Running
    from bazi_core.luck.years import Age
    from bazi_core.pattern.result import PatternResult
    from bazi_core.questions.intent import Intent
    from bazi_core.questions.question import Question
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

# Whose thoughts and doings one's own chart does not hold.
_OTHERS = ("somebody", "former_partner", "boss", "colleague", "friend")
# Topic with statements of its own -> the domains to which a question about it may be assigned.
_IN_OWN_WAY = {
    PARTNERSHIP: ("career", "wealth", "relationship", "marriage", "parents", "general", "self"),
    TAI_SUI: ("general", "self", "timing"),
    TRADE: ("career", "study", "self", "general", "wealth"),
    TERM: (*SCORES, *BEYOND),
    PATH: ("career", "wealth", "study", "self", "general", "timing"),
    **dict.fromkeys(CHARACTER, ("self", "general")),
    **dict.fromkeys(OF_MATES, ("marriage", "relationship", "self", "general", "career", "wealth")),
}
# Relatives who stand elsewhere in a chart than parents, or nowhere: also where they are named beside the asker.
_KIN_BESIDE = ("parents_in_law", "sibling", "relative", "acquaintance")
# How to deal with them is answered as with parents.
_ELDERS_BESIDE = ("grandparent",)
_OF_KIN = ("parents", "marriage", "relationship", "general", "self")
_PARENTS = ("father", "mother")
_OF_PARTNERS = ("relationship", "marriage", *OF_MATES)
# The most years examined for one answer, those of a question about the near future, and from an age on.
MOST, SOON, FROM_AGE = 20, 3, 10
# The calendar month from which less than a third of a year is left.
LATE_FROM = 10
# The month from which half of a year, which begins in February, lies before a birthday.
BY_BIRTHDAY = 8


def asked_of(
    question: Question,
    this_year: int = 0,
    about: tuple[str, str] | None = None,
    assumed: bool = False,
    age: Age | None = None,
    given: int = 0,
    born: date | None = None,
) -> Asked:
    """The question as data, relative years counted from `this_year`. `about` are domain and kind as a model understands
    it. Without a known day `this_year` is 0 or `assumed`. `age` is that of the owner in that year: of a child somebody else
    asks. `given` is the year that is read, `born` the day of birth."""
    if question.is_set_aside:
        return Asked(SET_ASIDE)
    case = Case.of(question, this_year, about, age, given)
    intent, kind = case.intent, case.kind
    for aside in ASIDES:
        if (found := aside(case)) is not None:
            return found._replace(marks=intent.marks.intersection(CAUTIONS))
    if case.is_past and case.kind == WHETHER and intent.form not in (BAD, FEARED):
        # Nothing is planned in a year that is over: it is asked how it was.
        past = case.intent._replace(matter="", form="")
        case, kind = case._replace(intent=past, kind="describe"), "describe"
        intent = past
    domain = _domain(case)
    also = tuple(
        each for each in intent.others if _is_further(each, domain) and SCORES[each] not in question.left_out
    )
    if is_doubly(case) and "children" not in also:
        also = (*also, "children")
    ahead = intent.ahead if assumed or not this_year else ()
    near = _near(case, domain)
    if near == LATELY and not this_year:
        ahead = (0,)
    until = _until(intent, born) if kind in (WHETHER, WHEN, WHY, "which") else 0
    years = _years(case, domain, this_year, born, until)
    if until and this_year and kind == WHETHER:
        kind = WHEN
    horizon = _horizon(intent, kind, years, until, near)
    is_of_doctor = is_begetting(case) or is_doubly(case)
    why = "medical" if is_of_doctor else case.why if are_years_compared(case) else ""
    return Asked(
        domain, kind, years, intent.months, horizon, _whose(case, domain), also, ahead, why, mate=intent.mate,
        form=intent.form, matter=intent.matter, extreme=intent.extreme, until=until, asks_when=intent.asks_when,
        asks_whether=intent.asks_whether, beside=intent.subject if intent.subject in _PARENTS else "",
        owner=case.owner, by_month=0 if kind == WHY or case.is_past else intent.by_month,
        paths=intent.paths, trades=intent.trades, terms=intent.terms,
        this_year=0 if assumed else this_year, claims=intent.claims, told=intent.told, marks=_marks(case, domain),
    )  # fmt: skip


def _near(case: Case, domain: str) -> str:
    """How near in time a question looks; what one fears at work is near."""
    intent = case.intent
    is_feared = domain == "career" and case.kind == WHETHER and intent.form == FEARED
    return LATELY if is_feared and intent.horizon == "life" and not intent.by_age else intent.horizon


def _years(case: Case, domain: str, this_year: int, born: date | None, until: int) -> tuple[int, ...]:
    """The years by which a question is answered: those that it names, or ten from an age on.

    A choice is none between years that are only told of, whoever asks when asks of what is to come, and of a child that a
    doctor is to help with no year is told.
    """
    intent, kind = case.intent, case.kind
    is_past = bool(this_year) and all(year < this_year for year in case.years)
    is_only_told = (kind == "compare" and len(case.years) > 1) or (kind != WHY and is_past)
    is_of_star = OF_STAR in intent.marks and case.own_way in (BEGETTING, TREATMENT) and domain == "children"
    if case.years and not (is_of_star or (until and this_year) or (intent.are_told and is_only_told)):
        return case.years
    if until or not intent.from_age or born is None or not this_year:
        return ()
    first = max(born.year + intent.from_age, this_year + 1)
    return tuple(range(first, first + FROM_AGE))


def _horizon(intent: Intent, kind: str, years: tuple[int, ...], until: int, near: str) -> str:
    """The horizon of an answer: months where work is looked for, the best or the worst years where these are wanted."""
    if intent.matter == "job_search" and kind == WHEN and intent.horizon == "life" and not until:
        return MONTHS
    is_of_years = kind in (WHEN, "which") and intent.horizon != MONTHS
    is_of_decades = intent.horizon == DECADE and not years
    return intent.extreme if is_of_years and intent.extreme and not is_of_decades else near


# What no chart of one person has of partners.
_OF_TWO = frozenset((AGE_GAP, TWO_CHARTS, ZODIAC))


def _marks(case: Case, domain: str) -> frozenset[str]:
    """What is told besides what is asked of a domain. What is named side by side with it and left out is more that has no
    place in a chart."""
    question, intent = case.question, case.intent
    found = set(intent.marks)
    if domain in BEYOND:
        found.discard(WHERE)
    if domain not in _OF_PARTNERS:
        found -= _OF_TWO
    if question.has_more or any(SCORES[each] in question.left_out for each in intent.others):
        found.add(MORE)
    return frozenset(found)


def _domain(case: Case) -> str:
    """The domain by which a question is answered."""
    if is_of_debt(case):
        return "wealth"
    is_of_years_at_work = case.own_way == PATH and bool(case.years) and case.kind != "compare"
    if case.domain in _IN_OWN_WAY.get(case.own_way, ()) and not is_of_years_at_work:
        return case.own_way
    return "general" if case.is_of_worry and case.domain == "health" else case.domain


def _whose(case: Case, domain: str) -> str:
    """Of whom it is asked: oneself, a relative, or somebody who is none."""
    whose, subject = case.intent.whose, case.intent.subject
    if domain in OWN_WAYS:
        return "self"
    if whose == "self" and subject in _OTHERS and not (case.owner and subject == "somebody"):
        return OTHER
    if whose == "self" and domain in _OF_KIN:
        beside_one = _KIN_BESIDE if case.kind == HOW else (*_KIN_BESIDE, *_ELDERS_BESIDE)
        return subject if subject in beside_one else whose
    return whose


def _until(intent: Intent, born: date | None) -> int:
    """The last year in which something is to come, 0 where none is named. The year of a birthday is left out where less
    than half of it comes before the day."""
    if intent.by_year or not intent.by_age or born is None:
        return intent.by_year
    return born.year + intent.by_age - (born.month < BY_BIRTHDAY)


def _is_further(domain: str, first: str) -> bool:
    """Whether a domain has a score of its own, beside the first."""
    return domain in SCORES and SCORES[domain] not in (OVERALL, SCORES.get(first))


def beside(year: YearResult, asked: Asked | None) -> YearsResult | None:
    """The span of the years asked about, with this one if near; None for this one alone, and for years too far apart."""
    years, own = asked.years if asked else (), year.target_year
    if years in ((), (own,)) or max(*years, own) - min(*years, own) >= MOST:
        return None
    return _span(year.pattern, min(years), max(years))


def in_sight(result: PatternResult, asked: Asked | None, running: Running | None) -> YearsResult | None:
    """The years that answer a question to a chart: those it names, or, if it asks when, those in sight."""
    if asked is None or not result.useful.order:
        return None
    if running is not None and asked.is_of_plan:
        soon = running.year + (is_late(running) and asked.horizon != LATELY)
        return _span(result, soon, soon + SOON)
    if running is not None and asked.is_of_late(running.year):
        return _span(result, running.year, running.year + SOON)
    if asked.years:
        return _span(result, min(asked.years), max(asked.years))
    if running is None or asked.is_of_days:
        return None
    if asked.is_of_side_in_decade:
        return _of_decade(result, asked, running)
    if asked.horizon == MONTHS and asked.is_timed:
        return _span(result, running.year, running.year + 1)
    # Of a year that is nearly over nobody asks when something comes.
    first = running.year + is_late(running)
    if asked.until:
        return _span(result, first, min(asked.until, first + MOST - 1)) if asked.until > first else None
    if (
        asked.kind == WHEN
        or (asked.asks_when and asked.kind == WHETHER)
        or (asked.why == "financial" and asked.is_timed and asked.kind != "compare")
        or (asked.domain == "timing" and asked.is_timed)
    ):
        return _span(result, first, min(_end_of_sight(result, running), first + MOST - 1))
    return None


def _of_decade(result: PatternResult, asked: Asked, running: Running) -> YearsResult | None:
    """The years of the decade that runs, as far as they are to come, or of the one after it."""
    luck = result.chart.luck
    at = (running.cycle.index if running.cycle else 0) + (NEXT_DECADE in asked.marks)
    cycle = next(iter(luck.cycles[at : at + 1]), None) if luck else None
    if cycle is None or cycle.start_year is None or cycle.end_year is None:
        return None
    first = max(cycle.start_year, running.year + is_late(running))
    return _span(result, first, cycle.end_year) if first < cycle.end_year else None


def is_late(running: Running) -> bool:
    """Whether less than a third is left of the year that runs, which begins in February."""
    return running.on >= date(running.year, LATE_FROM, 1)


def _end_of_sight(result: PatternResult, running: Running) -> int:
    """The last year of the next decade; ten years from now if its dates are unknown."""
    luck = result.chart.luck
    at = running.cycle.index + 1 if running.cycle else 0
    ends = [cycle.end_year for cycle in luck.cycles[at : at + 1] if cycle.end_year] if luck else []
    return max(ends[0] if ends else 0, running.year + MOST // 2 - 1)


def _span(result: PatternResult, first: int, last: int) -> YearsResult | None:
    """Years side by side; None if impossible: before the birth, of a chart without dates, or too many."""
    if last - first >= MOST:
        return None
    with suppress(BaziError):
        return side_by_side(result, first, last)
    return None
