"""The question to an object, and the years needed to answer it.

A question names years, or asks when something comes. For a chart these are the years of the current decade and of
the next one, from the year of the question, which is an argument.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from bazi_core.errors import BaziError
from bazi_core.questions.intent import of_owner
from bazi_core.speech.statements.asked import (
    CHARACTER,
    DEBT,
    DECADE,
    HOME,
    HOW,
    LATELY,
    LEFT_OUT,
    MONTHS,
    OF_DEBT,
    OF_MATES,
    OF_PURCHASE,
    OTHER,
    OWN_WAYS,
    PARTNERSHIP,
    PET,
    PRIVATE,
    SCORES,
    SET_ASIDE,
    TAI_SUI,
    TRADE,
    VOCATIONS,
    WHEN,
    WHETHER,
    WORRY,
    Asked,
)
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.topic_filter import OF_AGE
from bazi_core.year.rules import OVERALL
from bazi_core.year.span import side_by_side

if TYPE_CHECKING:
    from bazi_core.luck.running import Running
    from bazi_core.luck.years import Age
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.wish import Wish
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

# Whose thoughts and doings one's own chart does not hold.
_OTHERS = ("somebody", "former_partner", "boss", "colleague", "friend")
# Topic with statements of its own -> the domains to which a question about it may be assigned.
_IN_OWN_WAY = {
    PARTNERSHIP: ("career", "wealth", "relationship", "general", "self"),
    TAI_SUI: ("general", "self", "timing"),
    TRADE: ("career", "study", "self", "general", "wealth"),
    **dict.fromkeys(VOCATIONS, ("career", "wealth", "study", "self", "general", "timing")),
    **dict.fromkeys(CHARACTER, ("self", "general")),
    **dict.fromkeys(OF_MATES, ("marriage", "relationship", "self", "general")),
}
# A question about having a child is for a doctor; the statements on children are added.
BEGETTING = "begetting"
# Relatives who stand elsewhere in a chart than parents, or nowhere: also where they are named beside the asker.
_KIN_BESIDE = ("parents_in_law", "sibling", "relative", "acquaintance")
# How to deal with them is answered as with parents.
_ELDERS_BESIDE = ("grandparent",)
_OF_KIN = ("parents", "marriage", "relationship", "general", "self")
_PARENTS = ("father", "mother")
# Whom a parent means who asks for a child.
_CHILDREN = ("child", "somebody")
# What a question about an animal may be taken for, and sides of life that are weighed against having a child.
_OF_PETS = ("general", "wealth", "health", "self", "travel_move")
_WITH_CHILDREN = ("career", "study", "wealth", "travel_move")
LIVELIHOOD, TREATMENT = "livelihood", "treatment"
# The most years examined for one answer, and the years ahead for a question about the near future.
MOST, SOON = 20, 3
# The calendar month from which less than a third of a year is left.
LATE_FROM = 10


def asked_of(
    wish: Wish,
    this_year: int = 0,
    about: tuple[str, str] | None = None,
    assumed: bool = False,
    age: Age | None = None,
    given: int = 0,
) -> Asked | None:
    """The question as data, relative years counted from `this_year`; None without a question. `about` are domain and kind as
    a model understands it. Without a known day `this_year` is 0 or `assumed`. `age` is that of the owner in that year: of a
    child somebody else asks. `given` is the year that is read."""
    question = wish.asked
    if question is None or question.is_declined:
        return None
    if wish.is_set_aside:
        return Asked(SET_ASIDE)
    is_child = age is not None and age.nominal < OF_AGE
    intent = of_owner(question.text) if is_child else question.intent
    if given and intent.is_of_given:
        intent = intent._replace(ahead=(), horizon=intent.horizon if intent.horizon == MONTHS else "life")
    domain, kind = about or (intent.domain, intent.kind)
    years = intent.years_from(this_year) if this_year else intent.years
    if intent.subject == PET and domain in _OF_PETS and question.category != "medical":
        return Asked(PET, kind, years)
    if is_child and domain == "health" and question.intent.subject in _CHILDREN:
        return Asked(LEFT_OUT, kind, years, why="minor")
    is_aside = bool(intent.beside) and {*question.classes} <= {*intent.beside, "minor", "normal"}
    left_out = not is_aside and (not question.asked or SCORES.get(domain) in question.left_out)
    if left_out and not question.asked and not question.referrals:
        return Asked(PRIVATE, kind)
    whose, subject = intent.whose, intent.subject
    own_way = intent.about if whose == "self" else ""
    why = next(iter(question.referrals), question.category)
    is_about_child = own_way == BEGETTING and question.referrals in ((), ("medical",))
    is_begetting = is_about_child and domain == "children"
    is_doubly = is_about_child and domain in _WITH_CHILDREN and kind == "compare"
    is_of_body = domain == "health" and whose in KIN
    # Whether to buy a home is answered, with a word on whose decision it is.
    is_of_money = question.referrals == ("financial",)
    is_of_home = intent.matter == HOME and kind in OF_PURCHASE and is_of_money
    is_about_debt = kind in OF_DEBT or (kind == WHETHER and intent.form == "will")
    is_of_debt = intent.matter == DEBT and is_about_debt and is_of_money and domain in ("wealth", "career")
    are_compared = kind == "compare" and len(years) > 1 and is_of_money and domain in ("wealth", "career")
    # Whether to work for oneself is asked of the chart, whatever shop it is to be.
    is_of_work = own_way in VOCATIONS and is_of_money
    is_answered = is_begetting or is_doubly or is_of_home or is_of_debt or are_compared or is_of_work
    is_of_worry = own_way == WORRY and kind == HOW
    if (left_out or is_of_body) and not is_answered:
        is_by_topic = own_way == PARTNERSHIP or is_of_worry
        by = own_way if is_by_topic else whose if whose in KIN else "self"
        of_birth = own_way in (BEGETTING, TREATMENT)
        return Asked(
            LEFT_OUT,
            kind,
            years,
            subject=by,
            why="medical" if is_of_body else why,
            matter=BEGETTING if of_birth else "",
        )
    if is_of_debt:
        domain = "wealth"
    elif domain in _IN_OWN_WAY.get(own_way, ()) and not (own_way == LIVELIHOOD and years):
        domain = own_way
    elif is_of_worry and domain == "health":
        domain = "general"
    also = tuple(
        each for each in intent.others if _is_further(each, domain) and SCORES[each] not in question.left_out
    )
    if is_doubly:
        also = (*also, "children") if "children" not in also else also
    if domain in OWN_WAYS:
        whose = "self"
    elif whose == "self" and subject in _OTHERS:
        whose = OTHER
    elif whose == "self" and domain in _OF_KIN:
        beside_one = _KIN_BESIDE if kind == HOW else (*_KIN_BESIDE, *_ELDERS_BESIDE)
        whose = subject if subject in beside_one else whose
    ahead = intent.ahead if assumed or not this_year else ()
    if intent.horizon == LATELY and not this_year:
        ahead = (0,)
    until = (
        intent.by_year or (intent.by_age and age is not None and this_year - age.full + intent.by_age) or 0
    )
    until = until if kind in (WHETHER, WHEN, "which") else 0
    if until and this_year:
        years, kind = (), WHEN if kind == WHETHER else kind
    is_of_years = kind in (WHEN, "which") and intent.horizon != MONTHS
    is_of_decades = intent.horizon == DECADE and not years
    horizon = intent.extreme if is_of_years and intent.extreme and not is_of_decades else intent.horizon
    return Asked(
        domain, kind, years, intent.months, horizon, whose, also, ahead,
        "medical" if is_begetting or is_doubly else why if are_compared else "", mate=intent.mate,
        form=intent.form, matter=intent.matter, extreme=intent.extreme, until=until, asks_when=intent.asks_when,
        asks_whether=intent.asks_whether, beside=subject if subject in _PARENTS else "", complains=intent.complains,
    )  # fmt: skip


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
    if asked.horizon == MONTHS and asked.is_timed:
        return _span(result, running.year, running.year + 1)
    # Of a year that is nearly over nobody asks when something comes.
    first = running.year + is_late(running)
    if asked.until:
        return _span(result, first, min(asked.until, first + MOST - 1)) if asked.until > first else None
    if (
        asked.kind == WHEN
        or (asked.asks_when and asked.kind == WHETHER)
        or (asked.why == "financial" and asked.is_timed)
        or (asked.domain == "timing" and asked.is_timed)
    ):
        return _span(result, first, min(_end_of_sight(result, running), first + MOST - 1))
    return None


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
