"""The reading of a pattern: the conclusion first, then its grounds, then what it says about a life.

Who the day master is and how strong; why the month gives this pattern and whether it holds; the useful god; work,
means, relationships, balance; when luck turns; a word of advice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.walk import walk, walk_facts
from bazi_core.speech.catalogue import Phrase, Term, sign
from bazi_core.speech.plan import Draft
from bazi_core.speech.reading import TOPICS
from bazi_core.speech.statements.ages import aside
from bazi_core.speech.statements.asked import LATELY, SCORES, WHY
from bazi_core.speech.statements.chart_answer import chart_answer
from bazi_core.speech.statements.day_master import day_master, opening
from bazi_core.speech.statements.edges import edges
from bazi_core.speech.statements.hours import UNSETTLED, is_unsettled
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.statements.life import balance, means, partner, work
from bazi_core.speech.statements.nouns import element, roles, share, share_ids
from bazi_core.speech.statements.remedy import remedy
from bazi_core.speech.statements.side_of_life import WHOLE
from bazi_core.speech.statements.span_answer import learn
from bazi_core.speech.statements.structure import structure
from bazi_core.speech.statements.ties import ties
from bazi_core.speech.statements.timing import stars
from bazi_core.speech.statements.views import diagnosis, doubts, dynamics
from bazi_core.speech.statements.walk import life
from bazi_core.speech.topic_filter import is_child, life_ages, sides_told
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.statements.asked import Asked, FurtherQuestion
    from bazi_core.year.span import YearsResult

SIDES_OF_LIFE = frozenset({"career", "wealth", "relationship", "family", "study", "health_balance"})


def pattern_plan(
    result: PatternResult,
    left_out: frozenset[str] = frozenset(),
    running: Running | None = None,
    asked: Asked | None = None,
    span: YearsResult | None = None,
    further: Sequence[FurtherQuestion] = (),
) -> Plan:
    """All that can be said of a pattern result, without the topics `left_out`.

    `running` is where in its luck one stands; what is `asked` is answered first, by the years of the `span` where they are
    asked about, and then the `further` parts of the question, in a few words each.
    """
    decades = walk(result)
    parts = [asked, *(part for part, _ in further)] if asked else []
    draft = Draft(result.all_facts, result.digest, left_out | _not_of_age(running, parts))
    for years in (span, *(years for _, years in further)):
        if years is not None:
            learn(draft, years)
    draft.learn(walk_facts(decades, running))
    of_child = is_child(running)
    # Why the whole life goes as it goes is what the diagnosis says, unless it is why it goes so now, or for somebody else.
    of_diagnosis = asked is not None and asked.kind == WHY and not asked.years and asked.horizon != LATELY
    of_diagnosis = of_diagnosis and asked is not None and asked.subject not in KIN and asked.domain in WHOLE
    of_diagnosis = of_diagnosis and not is_unsettled(result)
    if asked is not None:
        for part, years in ((asked, span), *further):
            answer = draft if part is asked else draft.another()
            chart_answer(answer, result, part, decades, running, years)
            if answer is not draft:
                # What is heard as of the whole of a chart, and was told already, may have asked for something else.
                draft.answer_too(answer, part.domain == asked.domain or part.domain not in WHOLE)
        if of_child or _is_past_trades(running):
            draft.rename("answer.how.goes_with.trade", "answer.how.goes_with")
        if of_diagnosis:
            diagnosis(draft, result)
        draft.topic("overview")
    edges(draft, result)
    opening(draft, result)
    if not of_diagnosis:
        diagnosis(draft, result)
    draft.topic("overview")
    day_master(draft, result)
    ties(draft, result.chart.relations, result.useful)
    stars(draft, result)
    draft.topic("luck")
    life(draft, result, decades, running)
    if result.regular is not None:
        draft.topic("pattern")
        structure(draft, result, of_child)
        remedy(draft, result)
        draft.topic("doubts")
        doubts(draft, result)
    _sides_of_life(draft, result, running)
    if others := _sides_not_asked(parts):
        draft.leave_to_long(others)
    draft.topic("advice")
    _advice(draft, result)
    unsettled = draft.says(*UNSETTLED)
    title = Phrase("title.unsettled", {}) if unsettled else _title(result)
    return draft.plan(title, _keywords(result, unsettled), ("summary", *TOPICS))


def _sides_of_life(draft: Draft, result: PatternResult, running: Running | None) -> None:
    if result.regular is not None:
        draft.topic("career")
        work(draft, result, _is_past_trades(running))
        draft.topic("wealth")
        if not aside(draft, "wealth", running):
            means(draft, result)
    if not is_child(running):
        draft.topic("relationship")
        aside(draft, "relationship", running)
        partner(draft, result)
    draft.topic("health_balance")
    balance(draft, result)
    # What is said of every chart stands first under its side of life.
    dynamics(draft, result)


def _is_past_trades(running: Running | None) -> bool:
    """Whether the owner is of an age at which nobody is told to choose a field of work (六十曰耆，指使：《礼记·曲礼上》)."""
    return (
        running is not None
        and running.ages is not None
        and running.ages.nominal >= life_ages()["career"].turning
    )


def _not_of_age(running: Running | None, parts: Sequence[Asked]) -> frozenset[str]:
    """The sides of life that are not of an age, unless they are asked about: work and study of the old, work and means of a
    child."""
    if running is None or running.ages is None:
        return frozenset()
    sides = {"career", "wealth", "study"} - {*sides_told(running.ages.nominal)}
    return frozenset(sides - {SCORES.get(each) for asked in parts for each in (asked.domain, *asked.also)})


def _sides_not_asked(parts: Sequence[Asked]) -> frozenset[str]:
    """The sides of life that a question about others leaves to a long reading; none for one about the whole, or without a
    question."""
    sides = {SCORES.get(domain, OVERALL) for asked in parts for domain in (asked.domain, *asked.also)}
    return frozenset() if not parts or OVERALL in sides else SIDES_OF_LIFE - sides


def _title(result: PatternResult) -> Phrase:
    """The title: pattern and useful god."""
    if result.regular is None:
        return Phrase("title.facts", {})
    return Phrase("title.pattern", {"pattern": Term(result.name, "pattern"), **roles(result, "use")})


def _keywords(result: PatternResult, unsettled: bool = False) -> tuple[Any, ...]:
    """Pattern, strength (or that it could be either), useful gods; without a judgement, or where it is left to the hour, the
    day stem."""
    if result.regular is None or result.strength is None or unsettled:
        return (sign(result.pillars.day.stem),)
    strength = result.strength.level if result.is_open else result.strength.verdict
    named = (Term(result.name, "pattern"), Term(strength, "strength"))
    return (*named, *map(element, result.useful_gods))


def _advice(draft: Draft, result: PatternResult) -> None:
    if result.strength is None:
        draft.add("advice.facts", weight=1, kind="advice")
        return
    if draft.says(*UNSETTLED):
        draft.add("advice.hour", weight=1, kind="advice")
        draft.add("closing", weight=2.5, kind="transition")
        return
    use = result.useful.order[0]
    draft.add(
        f"advice.{use}",
        "yong.primary",
        *share_ids(use),
        weight=1,
        kind="advice",
        share=share(result, use),
        **roles(result, "use"),
    )
    if result.special is not None:
        draft.add("advice.follow", kind="advice")
    else:
        side = "strong" if result.strength.is_strong else "weak"
        draft.add(
            f"advice.{side}", "str.verdict", kind="advice", verdict=Term(result.strength.verdict, "strength")
        )
    draft.add("closing", weight=2.5, kind="transition")
