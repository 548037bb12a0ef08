"""The time at hand: how things go of late and when that eases, and whether it is the time for what is planned.

《滴天髓·岁运》: 休囚系乎运，尤系乎岁. What is asked of the present is no matter of the whole chart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.pattern.walk import NOW
from bazi_core.questions.marks import COMPLAINS
from bazi_core.speech.catalogue import Phrase, sign
from bazi_core.speech.plan import FOR, LEANING
from bazi_core.speech.statements.asked import BAD, FEARED, GOOD, HIGH, SCORES, SIDES, WHY, named, verdict
from bazi_core.speech.statements.months import because, easiest, evidence, in_time
from bazi_core.speech.statements.months import named as month_named
from bazi_core.speech.statements.span_answer import APART
from bazi_core.speech.statements.timing import count
from bazi_core.speech.statements.verdicts import grounds, second, stay_or_go, sure, whether
from bazi_core.speech.statements.walk import carriers, entry
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bazi_core.luck.running import Running
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.span import YearsResult


def of_late(
    draft: Draft, asked: Asked, decades: Sequence[Decade], running: Running, span: YearsResult
) -> None:
    """The verdict on the first year of the span with its grounds, the month that runs, the year that is easier, and what
    the decade makes of it."""
    now = next((decade for decade in decades if decade.time(running) == NOW), None)
    year, domain = span.years[0], SCORES[asked.domain]
    number, score = year.target_year, year.scores.of(domain)
    told = verdict(score)
    # Whoever complains of a time that is good is not told so coldly.
    turned = ".contrary" if told == GOOD and (COMPLAINS in asked.marks or asked.kind == WHY) else ""
    # What one fears asks for yes or no.
    if not (asked.form == FEARED and whether(draft, year, asked, domain)):
        draft.add(
            f"answer.lately.{told}{turned}", f"yr.{number}.score.{domain}", weight=1, required=True, certainty=LEANING,
            side=SIDES[told], year=number, domain=named(domain), score=count("points", score),
        )  # fmt: skip
    is_why = asked.kind == WHY
    # Whoever asks why things go wrong is told first what stands in the way.
    grounds(draft, year, domain, BAD if is_why else told, 2)
    _month(draft, span, running)
    if now is not None:
        _decade(draft, now)
    if is_why and told == GOOD and now is not None and now.tone == "good":
        draft.add("answer.lately.unseen", weight=1, kind="transition")
    for other in asked.also:
        second(draft, year, other)
    sure(draft, year, domain)
    _eases(draft, span, domain, running.at)


def of_plan(draft: Draft, asked: Asked, running: Running, span: YearsResult) -> None:
    """Whether the first year of the span is the time for what is planned, with its ground, and when it comes easier."""
    year, domain = span.years[0], SCORES.get(asked.domain, OVERALL)
    told = verdict(year.scores.of(domain))
    whether(draft, year, asked, domain)
    stay_or_go(draft, year, asked, domain)
    grounds(draft, year, domain, told, 1)
    sure(draft, year, domain)
    if told == GOOD:
        easiest(draft, in_time(draft, year, asked), "answer.when")
    else:
        _eases(draft, span, domain, running.at)


def _month(draft: Draft, span: YearsResult, running: Running) -> None:
    """How the month that runs leans on the whole."""
    for year in span.years:
        for month in year.months:
            if month.start <= running.at < month.end:
                told = verdict(month.score)
                draft.add(
                    f"answer.lately.month.{told}", *evidence(year, month), weight=1, certainty=LEANING,
                    side=SIDES[told], month=month_named(year, month, plain=True),
                    why=because([(year, month)], ADVERSE if told == BAD else WANTED),
                )  # fmt: skip


def _decade(draft: Draft, now: Decade) -> None:
    own, cycle = now.fact_id, now.cycle
    dated = cycle.start_at is not None
    ids = (
        f"{own}.tg.stem",
        f"{own}.tg.branch",
        *now.role_ids,
        *((f"{own}.age", "dy.start") if dated else ()),
    )
    draft.add(
        "answer.lately.decade" if dated else "answer.lately.decade.undated", own, "dy.now", *ids, weight=1,
        certainty=LEANING, required=True, pillar=sign(cycle.pillar), carriers=carriers(now),
        sense=Phrase(f"lately.{now.tone}", {}), **entry(cycle),
    )  # fmt: skip


def _eases(draft: Draft, span: YearsResult, domain: str, at: datetime) -> None:
    """The next year that is clearly easier; else the months still to come of this one that come easiest."""
    first, *coming = span.years
    least = max(HIGH, first.scores.of(domain) + APART)
    better = next((each for each in coming if each.scores.of(domain) >= least), None)
    if better is None:
        # The month that runs is told before.
        easiest(draft, [(first, month) for month in first.months if month.start > at], "answer.when")
        return
    number = better.target_year
    draft.add(
        "answer.lately.eases", f"yr.{number}.score.{domain}", weight=1, certainty=LEANING, side=FOR, year=number,
        domain=named(domain),
    )  # fmt: skip
