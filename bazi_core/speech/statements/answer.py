"""The answer to a question, said first: a verdict for what is asked, its grounds, what speaks against it, when, how sure.

A side of life has a score in a year; its rows are the grounds. What the scores of a year do not know is said to be so.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.pattern.walk import HARD, walk, walk_facts
from bazi_core.questions.marks import TIES
from bazi_core.speech.catalogue import Phrase, catalogue, sign
from bazi_core.speech.plan import (
    LEANING,
    SUMMARY,
)
from bazi_core.speech.statements.accounts import is_hard_luck
from bazi_core.speech.statements.ages import at_age, under_age
from bazi_core.speech.statements.asked import (
    BAD,
    CHARACTER,
    GOOD,
    HOW,
    LEFT_OUT,
    MATE,
    MIXED,
    MONTHS,
    OF_USE,
    OWN_WAYS,
    PARTNERSHIP,
    PET,
    PLACES,
    PRIVATE,
    SCORES,
    UNANSWERED,
    WHEN,
    WHETHER,
    WHY,
    WORRY,
    beyond_reach,
    unchosen,
    verdict,
)
from bazi_core.speech.statements.beyond_scores import (
    begetting,
    body,
    left_to_adviser,
    moving_in_year,
    of_purchase,
    of_useful,
    partnership,
)
from bazi_core.speech.statements.kin import KIN, kin, relied_on, star_taken, who
from bazi_core.speech.statements.months import in_time, of_asked_months
from bazi_core.speech.statements.own_ways import own_way, weighed
from bazi_core.speech.statements.prefaces import besides, owned, prefaced
from bazi_core.speech.statements.span_answer import span_answer, years_of_age
from bazi_core.speech.statements.timing import count
from bazi_core.speech.statements.verdicts import (
    NO_VERDICT,
    STAYS,
    grounds,
    is_over,
    scored,
    second,
    stay_or_go,
    sure,
    unseen,
    whether,
)
from bazi_core.speech.statements.why_and_how import how
from bazi_core.speech.statements.year_causes import caused, caused_by_year, marked, of_chart
from bazi_core.speech.statements.year_ties import asked_ties
from bazi_core.speech.topic_filter import OF_AGE, PARTNERS
from bazi_core.year.dates import begins
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

PAST = ".past"


def year_answer(draft: Draft, year: YearResult, asked: Asked, span: YearsResult | None = None) -> None:
    """The answer of a year to a question, in few statements, which are the summary of the reading.

    `span` holds the years that are asked about, this one among them or not: two or more are compared, and one that is not
    this year is answered by its own facts.
    """
    draft.topic(SUMMARY)
    number = year.target_year
    if asked.domain in UNANSWERED:
        one = asked.years[0] if len(asked.years) == 1 else number
        told_of = year if one == number else span.year(one) if span else None
        unanswered(draft, asked, year.pattern, told_of)
        if told_of is not year and draft.says(*_ON_THE_WHOLE):
            _read_on(draft, asked, number, (one,))
        return
    begetting(draft, asked)
    if asked.years and number not in asked.years:
        _elsewhere(draft, year, asked, span)
        return
    if asked.kind == WHEN and not asked.years and asked.horizon != MONTHS and is_over(year, asked):
        # What is to come is not in a year that is over.
        draft.add("answer.to_come", f"ln.{number}", weight=1, kind="fact", required=True, year=number)
        return
    given, subject = asked, asked.subject
    if year.age.nominal < OF_AGE and _is_of_grown(asked):
        under_age(draft, year, asked)
        return
    if subject in KIN:
        is_how = asked.kind == HOW
        if not kin(draft, year.pattern, asked):
            if is_how and year.pattern.useful.order:
                how(draft, year.pattern, KIN[subject].domain)
            return
        asked = asked._replace(domain=KIN[subject].domain, also=())
    if span is None or asked.domain not in SCORES or not compares(draft, span, asked):
        others = len(asked.years) > 1
        if others:
            draft.add("answer.also_years", f"ln.{number}", weight=1, kind="fact", required=True, year=number)
        _of_year(draft, year, asked, others + (subject in KIN))
    if is_over(year, given):
        # Of a year that is over nothing is advised.
        for key in _advised():
            draft.rename(key, f"{key}{PAST}")
    if TIES in given.marks:
        asked_ties(draft, year)
        if given.domain in ("general", "self"):
            draft.move_up("answer.ties", 0)
    of_purchase(draft, given)
    weighed(draft, given, year.pattern)
    unchosen(draft, given)
    owned(draft, given)
    prefaced(draft, given, year.pattern.pillars)
    besides(draft, given)
    if given.ahead:
        key = "answer.counted.this" if given.ahead == (0,) else "answer.counted.from"
        # Of "next year" alone it is the year before that was taken for this one.
        before = number - given.ahead[0] if len(given.ahead) == 1 else number
        this = before if f"ln.{before}" in draft.facts else number
        draft.add(key, f"ln.{this}", weight=1, kind="fact", required=True, year=this)


@cache
def _advised() -> tuple[str, ...]:
    """What is said with advice of a year that is to come, and without it of one that is over."""
    keys = (key for key in catalogue() if key.startswith("answer.") and key.endswith(PAST))
    return tuple(key.removesuffix(PAST) for key in keys)


def unanswered(draft: Draft, asked: Asked, result: PatternResult, year: YearResult | None = None) -> None:
    """That a question is none which a chart could answer, or is left to others; of a partner in business what
    比劫 are, of everyday worry what one can do."""
    if asked.domain == PET:
        draft.add("answer.pet", weight=1, kind="transition", required=True)
        return
    if asked.domain != LEFT_OUT:
        draft.add(f"answer.{asked.domain}", weight=1, kind="transition", required=True)
        if asked.domain == PRIVATE and asked.kind == HOW:
            how(draft, result, "relationship")
        return
    if asked.subject == WORRY:
        left_to_adviser(draft, asked.why)
        how(draft, result, "self")
        return
    left_to_adviser(
        draft, asked.why, year, who(asked.subject) if asked.subject in KIN else None, asked.matter
    )
    if asked.subject == PARTNERSHIP:
        partnership(draft, result)
        return
    is_of_body = asked.subject in KIN and asked.why == "medical"
    if is_of_body and result.useful.order and kin(draft, result, asked):
        draft.add("answer.kin.rest", weight=1, kind="transition", required=True)


def _elsewhere(draft: Draft, year: YearResult, asked: Asked, span: YearsResult | None) -> None:
    """The answer to a question about other years than this one, by their own facts; if out of reach, that they are."""
    number = year.target_year
    told = [each for each in asked.years if span is not None and span.first <= each <= span.last]
    if span is None or not told:
        draft.add("answer.other_years", f"ln.{number}", weight=1, kind="fact", required=True, year=number)
        return
    own = asked._replace(years=tuple(told), ahead=())
    if len(told) == 1 or asked.domain not in SCORES or asked.subject in KIN or not compares(draft, span, own):
        told = told[:1]
        year_answer(draft, span.year(told[0]), own._replace(years=(told[0],)))
    _read_on(draft, asked, number, told)


_ON_THE_WHOLE = tuple(f"answer.left_out.whole.{each}" for each in (GOOD, MIXED, BAD))


def _read_on(draft: Draft, asked: Asked, number: int, told: Sequence[int]) -> None:
    """That other years were answered, and which year the rest of the reading is about."""
    draft.add(
        f"answer.other_year{'.counted' if asked.ahead else ''}", f"ln.{number}", *(f"ln.{each}" for each in told), weight=1,
        kind="fact", required=True, year=number, asked=[str(each) for each in told],
    )  # fmt: skip


def _of_year(draft: Draft, year: YearResult, asked: Asked, said: int) -> None:
    """The answer of this year alone; `said` statements stand before it."""
    domain = SCORES.get(asked.domain)
    if domain is None or asked.is_of_days:
        _beyond(draft, year, asked)
    elif asked.kind == WHY and asked.years and asked.subject not in KIN and asked.domain not in _NO_CAUSE:
        _why_of_year(draft, year, asked, domain)
    else:
        _of_domain(draft, year, asked, domain, said)


_GROWN = ("spouse", "partner", "child")


def _is_of_grown(asked: Asked) -> bool:
    """Whether a partner, marriage or children of one's own are asked about."""
    return SCORES.get(asked.domain) == PARTNERS or asked.domain == "children" or asked.subject in _GROWN


def compares(draft: Draft, span: YearsResult, asked: Asked) -> bool:
    """Whether the years that are asked about were compared: two or more of them must be told of."""
    told = years_of_age(span, SCORES[asked.domain])
    years = [year for year in asked.years if year in told]
    if len(years) > 1:
        span_answer(draft, span, asked, years)
        at_age(draft, span.year(years[0]), SCORES[asked.domain])
    return len(years) > 1


def _of_domain(draft: Draft, year: YearResult, asked: Asked, domain: str, said: int) -> None:
    """The verdict on a side of life with its grounds, the months, and how sure it is; `said` statements stand before it.

    Where months are asked for they come first.
    """
    told = verdict(year.scores.of(domain))
    # Who asks when wants a date before a score.
    is_of_months = asked.horizon == MONTHS or bool(asked.months)
    by_month = asked.kind == WHEN or (is_of_months and asked.kind not in (HOW, WHY))
    is_kin = asked.subject in KIN
    # Of a year that is named it is asked how it goes, not whether a partner is to be relied on.
    is_of_mate = bool(asked.mate) and asked.kind == WHETHER and domain == PARTNERS and not asked.years
    is_relied = is_of_mate and relied_on(draft, year.pattern)
    if is_relied:
        star_taken(draft, year.pattern, asked.mate)
    # Who asks for months is told of these, and not whether the year is a good one.
    is_of_month = domain == OVERALL and bool(asked.months) and not asked.matter
    is_said = not (is_kin or is_relied or is_of_month) and whether(draft, year, asked, domain)
    # The months are one's own, and say nothing of a relative's matter.
    by_month = by_month and not is_kin
    if by_month:
        _when(draft, year, asked)
        _turn(draft, year)
    is_caused = asked.kind == WHY and not is_kin and caused(draft, year, asked)
    if asked.domain in OWN_WAYS:
        own_way(draft, year.pattern, asked, year)
    # Who asks what to do is told that before a score.
    is_led = asked.kind == HOW and asked.domain != MATE and how(draft, year.pattern, asked.domain)
    stay_or_go(draft, year, asked, domain)
    # Of having a child nobody says that it depends on how things are arranged.
    is_second = by_month or is_caused or is_led or draft.says(*STAYS) or is_relied
    is_second = is_second or asked.domain in (*OWN_WAYS, "self", "children")
    # What has its cause in the whole life was not brought by a good year.
    turned = ".contrary" if is_second and is_caused and told == GOOD else ""
    # The overall score stands in the opening of a year.
    if is_kin or is_second or not is_said or domain != OVERALL:
        of = "year.kin" if is_kin else "also" if is_second else "score" if is_said else "year"
        scored(draft, year, asked, domain, of, turned)
    if not is_kin:
        at_age(draft, year, domain)
    if asked.domain == "health":
        body(draft, year.pattern)
    before = said + (asked.domain in ("health", "self", *OWN_WAYS))
    if told == GOOD and not is_caused:
        unseen(draft, year, asked)
    # Whoever asks why things go wrong is told first what stands in the way.
    grounds(draft, year, domain, BAD if asked.kind == WHY else told, 2 - min(before, 2))
    for other in asked.also:
        second(draft, year, other)
    if asked.matter == PLACES and year.pattern.useful.order:
        of_useful(draft, year.pattern, PLACES)
    sure(draft, year, domain)
    is_timeless = (asked.domain in ("self", *CHARACTER) and not asked.is_timed) or is_over(year, asked)
    if is_kin:
        return
    if not by_month and not is_timeless and (said == 0 or asked.is_timed) and not beyond_reach(draft, asked):
        _when(draft, year, asked)


# Of what no cause is told by a year.
_NO_CAUSE = tuple(each for each in NO_VERDICT if each not in (PARTNERSHIP, "children"))


def _why_of_year(draft: Draft, year: YearResult, asked: Asked, domain: str) -> None:
    """Why a year goes or went as it did: what it makes or breaks of the chart, its score and what weighs in it; last what
    the chart by itself has against this side of life."""
    told = verdict(year.scores.of(domain))
    scored(draft, year, asked, domain, "also" if caused_by_year(draft, year, domain) else "year")
    at_age(draft, year, domain)
    is_marked = marked(draft, year, domain)
    if told == GOOD and not is_marked:
        unseen(draft, year, asked)
    grounds(draft, year, domain, BAD, 2, are_asked=True)
    if told != GOOD:
        of_chart(draft, year, asked, is_second=True)
        if not is_over(year, asked):
            how(draft, year.pattern, asked.domain, is_short=True)
    for other in asked.also:
        second(draft, year, other)
    if asked.domain == PARTNERSHIP and year.pattern.useful.order:
        partnership(draft, year.pattern)
    sure(draft, year, domain)


def _turn(draft: Draft, year: YearResult) -> None:
    """When a decade ends that brings mostly what the chart does not want, and one comes that does not."""
    cycle = year.main.cycle
    if cycle is None or cycle.end_year is None or year.main.fact_id is None:
        return
    decades = walk(year.pattern)
    is_better_then = cycle.index + 1 < len(decades) and decades[cycle.index + 1].tone != HARD
    if is_hard_luck(year) and is_better_then:
        ids = (year.main.fact_id, f"{year.main.fact_id}.age", *decades[cycle.index].role_ids)
        draft.learn(fact for fact in walk_facts(decades) if fact.id not in draft.facts)
        draft.add(
            "answer.when.decade", *ids, weight=1, required=True, certainty=LEANING, pillar=sign(cycle.pillar),
            until=cycle.end_year + 1,
        )  # fmt: skip


def _beyond(draft: Draft, year: YearResult, asked: Asked) -> None:
    """What a year cannot say, and what it can; of months that are asked for those that come easiest on the whole."""
    if asked.domain == "travel_move":
        whether(draft, year, asked, OVERALL)
        stay_or_go(draft, year, asked, OVERALL)
        moving_in_year(draft, year)
        grounds(draft, year, OVERALL, verdict(year.scores.overall), 2)
        sure(draft, year, OVERALL)
    elif asked.domain == "direction" and year.pattern.useful.order:
        of_useful(draft, year.pattern, asked.matter if asked.matter in OF_USE else "direction")
        second(draft, year, "general")
    else:
        score = count("points", year.scores.overall)
        draft.add(
            "answer.scope", f"yr.{year.target_year}.score.overall", weight=1, required=True, year=year.target_year,
            topic=Phrase(f"topic.{asked.domain}", {}), score=score,
        )  # fmt: skip
    if asked.domain == "travel_move" and asked.matter == PLACES and year.pattern.useful.order:
        of_useful(draft, year.pattern, PLACES)
    if asked.is_timed or (asked.domain == "travel_move" and asked.kind == WHETHER):
        _when(draft, year, asked)


def _when(draft: Draft, year: YearResult, asked: Asked) -> None:
    """The months that are asked about, compared; else those that come easiest, and where the question is of time those to
    keep clear of."""
    of_year = in_time(draft, year, asked)
    # A year begins in February: of January it is the one at its end, and beside other months that of the year before.
    is_january = asked.months == (1,) or not asked.years
    named_ = [
        each
        for each in of_year
        if int(begins(*each)[5:7]) in asked.months
        and (is_january or begins(*each).startswith(f"{year.target_year}-"))
    ]
    of_asked_months(draft, named_ or of_year, asked, bool(named_), is_rest=len(of_year) < len(year.months))
