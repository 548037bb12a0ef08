"""The reading of a pattern: the conclusion first, then its grounds, then what it says about a life.

Who the day master is and how strong; why the month gives this pattern and whether it holds; the useful god; work,
means, relationships, balance; when luck turns; a word of advice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.narrator.catalogue import Term, sign
from bazi_core.readings.narrator.day_master import day_master, opening
from bazi_core.readings.narrator.life import balance, means, partner, work
from bazi_core.readings.narrator.nouns import element, roles
from bazi_core.readings.narrator.remedy import remedy
from bazi_core.readings.narrator.story import Story
from bazi_core.readings.narrator.structure import structure
from bazi_core.readings.narrator.ties import ties
from bazi_core.readings.narrator.timing import luck, stars

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult


def pattern_story(
    result: PatternResult, lang: str, tone: str, length: str, leave_out: frozenset[str] = frozenset()
) -> Story:
    """The story of a pattern result."""
    story = Story(result.all_facts, result.digest, lang, tone, length, leave_out)
    judged = result.regular is not None
    opening(story, result)
    story.section("overview")
    day_master(story, result)
    ties(story, result.chart.relations)
    stars(story, result)
    if judged:
        story.section("pattern")
        structure(story, result)
        remedy(story, result)
        story.section("career")
        work(story, result)
        story.section("wealth")
        means(story, result)
    story.section("relationship")
    partner(story, result)
    story.section("health_balance")
    balance(story, result)
    story.section("advice")
    luck(story, result)
    _advice(story, result)
    return story


def title(story: Story, result: PatternResult) -> str:
    """The title: pattern and useful god."""
    if result.regular is None:
        return story.words("title.facts")
    return story.words("title.pattern", pattern=Term(result.name, "pattern"), **roles(result, "use"))


def keywords(story: Story, result: PatternResult) -> tuple[str, ...]:
    """Pattern, strength, useful gods; without a judgement the day stem."""
    if result.regular is None or result.strength is None:
        return (story.word(sign(result.pillars.day.stem)),)
    named = (Term(result.name, "pattern"), Term(result.strength.verdict, "strength"))
    return tuple(story.word(each) for each in (*named, *map(element, result.useful_gods)))


def _advice(story: Story, result: PatternResult) -> None:
    if result.strength is None:
        story.add("advice.facts", weight=1, kind="advice")
        return
    story.add(f"advice.{result.useful.order[0]}", weight=1, kind="advice", **roles(result, "use"))
    if result.special is not None:
        story.add("advice.follow", kind="advice")
    else:
        side = "strong" if result.strength.is_strong else "weak"
        story.add(f"advice.{side}", kind="advice", verdict=Term(result.strength.verdict, "strength"))
    story.add("closing", weight=2.5, kind="transition")
