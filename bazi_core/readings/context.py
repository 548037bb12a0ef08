"""A chart or a year in at most 1,500 characters, as input of a model of the caller's own.

It consists of statements, so every line is true; the output of that model is not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.summary import summary_plan
from bazi_core.speech.statements.year import year_plan

if TYPE_CHECKING:
    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Plan, Statement
    from bazi_core.year.result import YearResult

MOST = 1500
# Advice and pleasantries say nothing of the chart.
_TOLD = ("fact", "inference")


def pattern_context(result: PatternResult, language: str = "zh-Hans", running: Running | None = None) -> str:
    """A chart with its pattern, a statement a line; `running` is its luck at a date.

    >>> import bazi_core as bz
    >>> pattern_context(bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()).splitlines()[0]
    '四柱为年柱庚午、月柱辛巳、日柱庚辰、时柱壬午，日主庚金，生于巳月。'
    """
    return _context(result, pattern_plan(result, running=running), language)


def year_context(year: YearResult, language: str = "zh-Hans") -> str:
    """A year before its chart, a statement a line."""
    return _context(year.pattern, year_plan(year), language)


def _context(result: PatternResult, plan: Plan, language: str) -> str:
    """The pillars, then as many statements as fit, in the order of the plan; the least weighty are left out."""
    pillars = summary_plan(result.chart).statements[:1]
    candidates = [statement for statement in plan.statements if statement.required or statement.kind in _TOLD]
    first = {candidate.topic: candidate.id for candidate in reversed(candidates)}
    order = sorted(
        candidates, key=lambda each: (not each.required, first[each.topic] != each.id, each.weight)
    )
    chosen, text = set[str](), _worded(plan, pillars, language)
    for added in order:
        # The length of a line is known only when all are worded, since a term is glossed at its first occurrence.
        longer = _worded(
            plan,
            (*pillars, *(candidate for candidate in candidates if candidate.id in {*chosen, added.id})),
            language,
        )
        if len(longer) <= MOST:
            chosen.add(added.id)
            text = longer
    return text


def _worded(plan: Plan, statements: tuple[Statement, ...], language: str) -> str:
    speaker = Speaker(language, plan.digest)
    return "\n".join(speaker.sentence(statement).text for statement in statements)
