"""The reading of years side by side: which stand highest and lowest, the luck behind them, what each year is about, every
side of life with its best and its hardest years, and what to make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.walk import walk, walk_facts
from bazi_core.speech.catalogue import Clauses, Phrase, Sign, Term, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING, OPEN, SUMMARY, Draft
from bazi_core.speech.reading import TOPICS
from bazi_core.speech.statements.answer import unanswered, year_answer
from bazi_core.speech.statements.asked import (
    BEST,
    BEYOND,
    MONTHS,
    OWN_WAYS,
    PATH,
    SCORES,
    UNANSWERED,
    WHEN,
    WORST,
    named,
)
from bazi_core.speech.statements.beyond_scores import begetting, moving_in_years, of_purchase, of_useful
from bazi_core.speech.statements.edges import EDGES, edge_of_year
from bazi_core.speech.statements.happenings import a_event
from bazi_core.speech.statements.hours import hour_unknown
from bazi_core.speech.statements.kin import KIN, kin
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.own_ways import own_way
from bazi_core.speech.statements.side_of_life import of_oneself
from bazi_core.speech.statements.span_answer import MOST_NAMED, span_answer, years_of_age
from bazi_core.speech.statements.timing import count
from bazi_core.speech.statements.walk import clause
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.topic_filter import PARTNERS, events_told, sides_told, spares_partners
from bazi_core.wording import FactPhrase
from bazi_core.year.dates import reading_facts
from bazi_core.year.reasons import CARRIER
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_evidence import phrase
from bazi_core.year.span_value import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.speech.plan import Plan
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult
    from bazi_core.year.span_value import Cause, Ranking, YearRank

# Section -> the score that it tells.
_SECTIONS = {
    "career": "career", "wealth": "wealth", "relationship": PARTNERS, "family": "family", "study": "study",
    "health_balance": "health_balance",
}  # fmt: skip
EVENTS, CAUSES = 2, 2


def years_plan(span: YearsResult, left_out: frozenset[str] = frozenset(), asked: Asked | None = None) -> Plan:
    """All that can be said of years side by side, without the topics `left_out`; what is `asked` is answered first. One
    year alone is read as that year."""
    if span.first == span.last:
        return year_plan(span.years[0], left_out, asked)
    decades = walk(span.pattern)
    draft = Draft(span.all_facts, span.digest, left_out)
    # The roles of a luck are facts of its years already.
    draft.learn(fact for fact in walk_facts(decades) if fact.id not in draft.facts)
    draft.learn(fact for year in span.years for fact in reading_facts(year))
    if asked is not None:
        _answer(draft, span, asked)
    else:
        draft.topic(SUMMARY)
    edge_of_year(draft, span.pattern)
    for key in EDGES:
        draft.move_up(key, 1 if asked is not None else 0)
    if asked is not None:
        hour_unknown(draft, span.pattern, is_answer=True)
    draft.topic(SUMMARY if asked is None else "overview")
    _opening(draft, span)
    hour_unknown(draft, span.pattern)
    draft.topic("luck")
    cycles = {band.cycle.index for band in span.bands if band.cycle}
    told = [decade for decade in decades if decade.cycle.index in cycles]
    if told:
        roles = [name for each in told for name in each.role_ids]
        draft.add(
            "years.luck", *(each.fact_id for each in told), *roles, weight=1, certainty=LEANING,
            decades=Clauses(tuple(map(clause, decades[min(cycles) : max(cycles) + 1]))),
        )  # fmt: skip
    for year in span.years:
        _one(draft, span, year)
    _causes_of(draft, span.ranking())
    for section, domain in _SECTIONS.items():
        draft.topic(section)
        _side(draft, span, domain)
    draft.topic("advice")
    _advice(draft, span, asked)
    return draft.plan(_title(span), _keywords(span), (SUMMARY, *TOPICS))


def _answer(draft: Draft, span: YearsResult, asked: Asked) -> None:
    """The years that are asked about, or all, by what is asked; one alone as that year answers."""
    draft.topic(SUMMARY)
    given = asked
    here = [year for year in asked.years if span.first <= year <= span.last]
    if asked.domain in UNANSWERED:
        unanswered(draft, asked, span.pattern, span.year(here[0]) if len(here) == 1 else None)
        if asked.why != "financial" or len(here) == 1:
            return
        asked = asked._replace(domain="general", also=())
    begetting(draft, asked)
    if len(here) == 1:
        if asked.domain == "self":
            of_oneself(draft, span.pattern)
        year_answer(draft, span.year(here[0]), asked._replace(years=(here[0],)))
        return
    if asked.horizon == MONTHS and asked.is_timed and not here:
        year_answer(draft, span.years[0], asked._replace(years=()))
        return
    outside = bool(asked.years) and not here
    if outside:
        draft.add(
            "answer.years.outside", f"ln.{span.first}", f"ln.{span.last}", weight=1, kind="fact", required=True,
            first=span.first, last=span.last,
        )  # fmt: skip
    if asked.subject in KIN:
        if not kin(draft, span.pattern, asked):
            return
        asked = asked._replace(domain=KIN[asked.subject].domain, also=())
    is_later = asked.domain == PATH and asked.kind == WHEN
    if asked.domain in OWN_WAYS and not is_later:
        own_way(draft, span.pattern, asked)
    beyond = asked.domain in BEYOND or asked.is_of_days
    if asked.domain == "travel_move":
        moving_in_years(draft, [span.year(each) for each in here] or span.years)
        asked = asked._replace(domain="general", also=())
    elif beyond:
        draft.add(
            "answer.years.scope", f"{prefix(span)}.overall.{_end(span)}", weight=1, required=True, first=span.first,
            last=span.last, topic=Phrase(f"topic.{asked.domain}", {}),
        )  # fmt: skip
        if asked.domain == "direction" and span.pattern.useful.order:
            of_useful(draft, span.pattern, "direction")
        asked = asked._replace(domain="general", also=())
    told = years_of_age(span, SCORES[asked.domain])
    years = [each for each in here or told if each in told]
    if len(years) > 1:
        open_end = asked.kind == WHEN and not here and asked.horizon not in (BEST, WORST)
        span_answer(draft, span, asked, years, open_end=open_end, brief=outside or beyond)
        if is_later:
            own_way(draft, span.pattern, asked)
    else:
        # Of partners there are not two years to compare.
        draft.add("answer.of_age", weight=1, kind="transition", required=True)
    of_purchase(draft, given)
    if asked.ahead:
        draft.add(
            "answer.counted.from", f"ln.{span.first}", weight=1, kind="fact", required=True, year=span.first
        )


def _end(span: YearsResult, domain: str = OVERALL) -> str:
    return "level" if span.ranking(domain).is_level else "highest"


def _values(span: YearsResult) -> dict[str, Any]:
    """Which years are highest and which lowest on the whole, as values of a sentence."""
    ranking = span.ranking()
    return {
        "first": span.first, "last": span.last, "best": _years(ranking.highest), "worst": _years(ranking.lowest),
        "score": count("points", ranking.highest.score), "low": count("points", ranking.lowest.score),
    }  # fmt: skip


def _years(place: YearRank) -> list[str]:
    return [str(year) for year in place.years[:MOST_NAMED]]


def _title(span: YearsResult) -> Phrase:
    return Phrase("title.years", {"first": span.first, "last": span.last})


def _keywords(span: YearsResult) -> tuple[Any, ...]:
    """The pillar of the highest year, and the useful god."""
    best = span.year(span.ranking().highest.years[0])
    return (Sign(best.pillar.value), *map(element, span.pattern.useful_gods[:1]))


def _opening(draft: Draft, span: YearsResult) -> None:
    """The highest and the lowest years on the whole, and under the other reading where strength is open."""
    ranking = span.ranking()
    key = "years.level" if ranking.is_level else "years.opening"
    draft.add(key, *ranking.evidence, weight=1, required=True, certainty=LEANING, **_values(span))
    for other in span.alternatives:
        ours, theirs = span.pattern.strength, other.pattern.strength
        assert ours is not None
        assert theirs is not None
        place = other.ranking().highest
        ids = (f"alt.yr.{year.target_year}.overall" for year in span.years)
        draft.add(
            "years.other", "str.level", "str.verdict", "alt.str.verdict", *ids, weight=1, certainty=OPEN, required=True,
            either=Term(ours.level, "strength"), taken=Term(ours.verdict, "strength"),
            verdict=Term(theirs.verdict, "strength"), best=_years(place), score=count("points", place.score),
        )  # fmt: skip


def _one(draft: Draft, span: YearsResult, year: YearResult) -> None:
    """What a year is about: its score, its strongest events, the sides of life that it raises and lowers most."""
    number, ranking = year.target_year, span.ranking()
    spares = spares_partners(year, draft.left_out)
    events = events_told(year, EVENTS, spares)
    sides = [each for each in sides_told(year.age.nominal) if each not in draft.left_out]
    high = max(sides, key=year.scores.of)
    low = min(sides, key=year.scores.of)
    apart = year.scores.of(high) != year.scores.of(low)
    ends = (*ranking.highest.years, *ranking.lowest.years)
    ids = (f"yr.{number}.score.overall", f"yr.{number}.level", f"ln.{number}")
    draft.add(
        f"years.one.{'events' if events else 'quiet'}{'' if apart else '.even'}", *ids,
        *(f"yr.{number}.score.{each}" for each in (high, low)), *(event.id for event in events),
        weight=2 if number in ends else 2.5, certainty=LEANING, year=number, pillar=sign(year.pillar),
        score=count("points", year.scores.overall), level=Term(year.level, "level"),
        events=[a_event(name) for name in dict.fromkeys(event.name for event in events)],
        high=named(high), low=named(low), most=count("points", year.scores.of(high)),
        least=count("points", year.scores.of(low)),
    )  # fmt: skip


def _side(draft: Draft, span: YearsResult, domain: str) -> None:
    """A side of life over the years: where it stands highest and lowest, and what raises and lowers it most."""
    if any(domain not in sides_told(year.age.nominal) for year in span.years):
        return
    ranking = span.ranking(domain)
    if ranking.is_level:
        return
    draft.add(
        "years.side", *ranking.evidence, certainty=LEANING, domain=named(domain), best=_years(ranking.highest),
        worst=_years(ranking.lowest), score=count("points", ranking.highest.score),
        low=count("points", ranking.lowest.score),
    )  # fmt: skip
    _causes_of(draft, ranking)


def _causes_of(draft: Draft, ranking: Ranking) -> None:
    """What raises and what lowers a score most over all years; what moves every side alike is told of the whole alone."""
    domain = ranking.domain
    for key, side, causes in (("raises", FOR, ranking.raises), ("lowers", AGAINST, ranking.lowers)):
        rows = [cause for cause in causes if domain == OVERALL or cause.reason.kind != CARRIER][:CAUSES]
        if rows:
            draft.add(
                f"years.{key}", *(row.fact_id for row in rows), weight=2.5, kind="fact", side=side, domain=named(domain),
                rows=_causes(rows),
            )  # fmt: skip


def _causes(rows: Sequence[Cause]) -> list[FactPhrase]:
    return [phrase(row.reason) for row in rows]


def _advice(draft: Draft, span: YearsResult, asked: Asked | None) -> None:
    ranking = span.ranking()
    if not ranking.is_level:
        draft.add(
            f"years.advice{'.whole' if asked else ''}",
            *ranking.evidence,
            weight=1,
            kind="advice",
            **_values(span),
        )
    draft.add("closing", weight=3 if not ranking.is_level else 1, kind="transition")
