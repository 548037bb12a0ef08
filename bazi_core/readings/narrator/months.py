"""The months of a year: which come easiest and hardest, what comes again in them, and at length what each of them meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.narrator.catalogue import Nth, Phrase, Term, sign
from bazi_core.readings.narrator.timing import count
from bazi_core.readings.spared import OF_PARTNER, spares_partners

if TYPE_CHECKING:
    from bazi_core.readings.narrator.story import Story
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult

_EVEN = 50
_MONTHS = 2


def of_months(story: Story, year: YearResult) -> None:
    """The months that come easiest and hardest, what comes again in them, and at length every month with events."""
    order = sorted(year.months, key=lambda month: (-month.score, month.number))
    best, hard = order[:_MONTHS], order[-_MONTHS:]
    keys = (
        "month.best" if best[0].score >= _EVEN else "month.least",
        "month.care" if hard[-1].score < _EVEN else "month.calm",
    )
    for key, found, weight in zip(keys, (best, hard), (1, 2), strict=True):
        told = sorted(found, key=lambda month: month.number)
        cited = (name for month in told for name in (month.fact_id, f"{month.fact_id}.score"))
        story.add(key, *cited, weight=weight, hedge=True, months=[_month(month) for month in told])
    spares = spares_partners(year, story.leave_out)
    _again(story, year, spares)
    for month in year.months:
        shown = [event for event in month.shown if not (spares and OF_PARTNER in event.name)]
        if shown:
            ids = (month.fact_id, f"{month.fact_id}.score", *(event.id for event in shown))
            events = [Term(name, "event") for name in dict.fromkeys(event.name for event in shown)]
            story.add("month.events", *ids, weight=3, kind="fact", month=_month(month), events=events)


def _month(month: Month) -> Phrase:
    return Phrase("month.one", {
        "n": month.number, "nth": Nth(month.number), "pillar": sign(month.pillar),
        "jie": Term(month.jie.value, "solar_term"), "score": count("points", month.score),
    })  # fmt: skip


def _again(story: Story, year: YearResult, spares: bool) -> None:
    """Events that fire on two levels."""
    twice = [found for found in year.timing if not (spares and OF_PARTNER in found.name)]
    both = [found for found in twice if "luck" in found.levels][:_MONTHS]
    if both:
        ids = (name for found in both for name in found.evidence[:2])
        events = [Term(found.name, "event") for found in both]
        story.add("again.luck", *ids, weight=2.5, hedge=True, events=events)
    seldom = [found for found in twice if 0 < len(found.months) <= _MONTHS][:1]
    for found in seldom:
        names = [f"lm.{year.target_year}.{number:02}" for number in found.months]
        months = [Phrase("nth.month", {"n": number, "nth": Nth(number)}) for number in found.months]
        story.add(
            "again.months", found.evidence[0], *names, *found.evidence[-len(months):], weight=2.5, hedge=True,
            event=Term(found.name, "event"), months=months,
        )  # fmt: skip
