"""What is told in a way of its own: business with others, terms, ways and fields of work, character, partners, 太岁."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.speech.statements.asked import (
    ABROAD,
    CHARACTER,
    MATCH,
    MATE,
    MOVE,
    PARTNERSHIP,
    PATH,
    STAY_OR_GO,
    TERM,
    TRADE,
)
from bazi_core.speech.statements.beyond_scores import (
    of_useful,
    partnership,
    tai_sui,
)
from bazi_core.speech.statements.character import character
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.statements.looked_up import looked_up
from bazi_core.speech.statements.mate import match, mate
from bazi_core.speech.statements.vocation import of_fields, of_paths

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult


def weighed(draft: Draft, asked: Asked, result: PatternResult) -> None:
    """The fields of work that are named, beside the time that is asked about."""
    is_of_place = asked.matter in (STAY_OR_GO, MOVE, ABROAD)
    if asked.trades and not is_of_place and asked.subject not in KIN and result.useful.order:
        of_fields(draft, result, asked.trades)


def own_way(draft: Draft, result: PatternResult, asked: Asked, year: YearResult | None = None) -> None:
    """What stands for a domain that is told in a way of its own; 太岁 is of a year alone."""
    domain = asked.domain
    if not result.useful.order:
        return
    if domain == PARTNERSHIP:
        partnership(draft, result)
    elif domain == TERM:
        looked_up(draft, result, asked.terms)
    elif domain == PATH:
        of_paths(draft, result, asked.paths)
    elif domain in CHARACTER:
        character(draft, result, domain)
    elif domain == MATE:
        mate(draft, result)
    elif domain == MATCH:
        match(draft, result)
    elif domain == TRADE and asked.trades:
        of_fields(draft, result, asked.trades)
    elif domain == TRADE:
        of_useful(draft, result, "trade")
    elif year is not None:
        tai_sui(draft, year)
