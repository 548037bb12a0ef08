"""The rule narrator: readings in three languages without a model, a network or a clock.

Sentences are rows of `narration.csv`, filled in from facts; each cites what it states and is read by the grounding
checker like a sentence of anybody else. The choice among equivalent rows comes from the digest, so the same object
always reads the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.narrator import pattern_story

if TYPE_CHECKING:
    from bazi_core.chart import Chart
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.narrator.story import Story
    from bazi_core.readings.reading import Reading
    from bazi_core.year.result import YearResult


def pattern_reading(
    result: PatternResult,
    language: str = "zh-Hans",
    tone: str = "neutral",
    length: str = "standard",
    leave_out: frozenset[str] = frozenset(),
) -> Reading:
    """The reading of a pattern without the sections `leave_out`: day master, pattern, useful gods, luck, advice.

    >>> import bazi_core as bz
    >>> reading = pattern_reading(bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern())
    >>> [section.key for section in reading.sections][:3], reading.keywords[0]
    (['overview', 'pattern', 'career'], '七杀格')
    """
    story = pattern_story.pattern_story(result, language, tone, length, leave_out)
    title, keywords = pattern_story.title(story, result), pattern_story.keywords(story, result)
    return _ended(story, title, keywords)


def year_reading(
    year: YearResult,
    language: str = "zh-Hans",
    tone: str = "neutral",
    length: str = "standard",
    leave_out: frozenset[str] = frozenset(),
) -> Reading:
    """The reading of a year without the sections `leave_out`; the disclaimer ends it.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> [section.key for section in year_reading(year, leave_out=frozenset(["relationship"])).sections]
    ['overview', 'career', 'wealth', 'health_balance', 'months', 'advice']
    """
    from bazi_core.readings.narrator import year_story

    story = year_story.year_story(year, language, tone, length, leave_out)
    return _ended(story, year_story.title(story, year), year_story.keywords(story, year))


def chart_summary(chart: Chart, language: str = "zh-Hans") -> str:
    """`human_readable_summary`: what the chart holds, in a few sentences.

    >>> import bazi_core as bz
    >>> chart_summary(bz.chart(pillars="庚午 辛巳 庚辰 壬午")).partition("。")[0]
    '四柱为年柱庚午、月柱辛巳、日柱庚辰、时柱壬午，日主庚金，生于巳月'
    """
    from bazi_core.readings.narrator.summary import summary_story

    return summary_story(chart, language).reading("", ()).narrative(language)


def _ended(story: Story, title: str, keywords: tuple[str, ...]) -> Reading:
    from bazi_core.readings.reading import Sentence
    from bazi_core.readings.safety import disclaimer

    return story.reading(title, keywords).ended(Sentence(disclaimer(story.lang), (), "disclaimer"))
