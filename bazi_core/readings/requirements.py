"""What a reading has to name, so that it fits this chart and no other.

A pattern: the day stem, the pattern, the strength, the element of the useful god. A year: the useful god, the pillars
of the year and of the luck, and most of the strongest events. Without a judgement there is nothing of it to name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.claims import Claim, mentions
from bazi_core.readings.grounding import Requirement
from bazi_core.readings.spared import events_told, spares_partners

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.year.result import YearResult

STRONGEST, AT_LEAST = 5, 3


def pattern_requirements(result: PatternResult) -> tuple[Requirement, ...]:
    """The requirements of the reading of a pattern.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> [each.name for each in pattern_requirements(result)]
    ['day_master', 'pattern', 'strength', 'useful_god']
    """
    named = [Requirement("day_master", (Claim("stem", result.pillars.day.stem.value),))]
    if result.regular is not None:
        named.append(Requirement("pattern", (Claim("pattern", result.name),)))
    if result.strength is not None and result.special is None:
        named.append(Requirement("strength", (Claim("strength", result.strength.verdict),)))
    return (*named, *_useful_god(result))


def year_requirements(year: YearResult, left_out: frozenset[str] = frozenset()) -> tuple[Requirement, ...]:
    """The requirements of the reading of a year; of 小运, which sits where no 大运 runs, nothing is asked.

    Of the sections `left_out` nothing has to be named.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> [(each.name, each.at_least) for each in year_requirements(year)]
    [('useful_god', 1), ('year_pillar', 1), ('luck_pillar', 1), ('events', 3)]
    """
    named = [*_useful_god(year.pattern), Requirement("year_pillar", (Claim("pillar", year.pillar.value),))]
    if year.luck is not None:
        named.append(Requirement("luck_pillar", (Claim("pillar", year.luck.value),)))
    told = events_told(year, STRONGEST, spares_partners(year, left_out))
    events = dict.fromkeys(event.name for event in told)
    if events:
        claims = tuple(_claim(name) for name in events)
        named.append(Requirement("events", claims, min(AT_LEAST, len(claims))))
    return tuple(named)


def _useful_god(result: PatternResult) -> tuple[Requirement, ...]:
    """The element must be told as 用神, or as favourable."""
    if not result.useful.order:
        return ()
    use = result.useful.order[0]
    return (Requirement("useful_god", (Claim("role", f"用神:{use}"), Claim("role", f"喜:{use}"))),)


def _claim(event: str) -> Claim:
    """What a text claims that names an event; 伏吟 and 反吟 are read as relations."""
    return mentions(event)[0].claim
