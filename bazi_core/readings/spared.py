"""What a reading keeps silent about beyond whole sections: the facts and events of a topic that is left out.

Whoever asks for a child or for somebody else is told nothing of partners and nothing of the body; so the facts that speak
of them are not shown to a model, and the events of the 夫妻宫 are no part of what has to be named.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bazi_core.year.rules import DOMAIN_ZH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazi_core.facts import Fact
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult

OF_PARTNER, PARTNERS = "夫妻宫", "relationship"
OF_AGE = 18
_WORDS = {PARTNERS: "夫妻|配偶"}


def spares_partners(year: YearResult, left_out: frozenset[str]) -> bool:
    """Whether nothing is told of partners: it is left out, or the year is before coming of age."""
    return PARTNERS in left_out or year.age.nominal < OF_AGE


def events_told(year: YearResult, count: int, spares: bool) -> tuple[YearEvent, ...]:
    """The strongest events, without those of the 夫妻宫 where partners are spared.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2011)
    >>> [each.name for each in events_told(year, 3, False)], [each.name for each in events_told(year, 3, True)]
    (['三会成局', '刑害夫妻宫', '破太岁'], ['三会成局', '破太岁'])
    """
    found = year.strongest(len(year.events)) if spares else year.strongest(count)
    return tuple(each for each in found if not spares or OF_PARTNER not in each.name)[:count]


def spared(facts: Mapping[str, Fact], left_out: frozenset[str]) -> Mapping[str, Fact]:
    """The facts that say nothing of the sections left out; of a text that names such a score too, that clause is cut."""
    for section in sorted(left_out & DOMAIN_ZH.keys()):
        gone, clause = _patterns(section)
        cut = {
            name: fact._replace(text_zh=clause.sub("", fact.text_zh))
            for name, fact in facts.items()
            if not name.endswith(f".{section}")
        }
        facts = {name: fact for name, fact in cut.items() if not gone.search(fact.text_zh)}
    return facts


@cache
def _patterns(section: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    score = rf"{DOMAIN_ZH[section]}[加减]\d+分"
    words = "|".join(filter(None, (_WORDS.get(section), DOMAIN_ZH[section])))
    return re.compile(words), re.compile(f"(?<=：){score}，|，{score}")
