"""A day and a search told in words: plans of statements as the reading of every other object, by the rules.

A question about distress, death or survival gets the fixed texts and nothing else. What is said of illness, law and money
ends with whom to ask; a visit to a doctor waits for no day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.almanac.asked import asked_of
from bazi_core.almanac.search_statements import ToldSearch, search_plan
from bazi_core.almanac.statements import day_plan
from bazi_core.questions.safety import disclaimer, fixed
from bazi_core.readings.result import NarratedReading, by_rule, declined
from bazi_core.readings.wish import Wish
from bazi_core.speech.reading import Sentence

if TYPE_CHECKING:
    from bazi_core.almanac.day_draft import ToldDay
    from bazi_core.questions.question import Question
    from bazi_core.speech.plan import Plan

MEDICAL = "medical"


def read_day(
    day: ToldDay, question: str | Question | None, lang: str, *, plain: bool, length: str
) -> NarratedReading:
    """The reading of a day; the answer to the question stands first."""
    wish = _wish(question, lang, plain, length)
    if wish.asked is not None and wish.is_declined:
        return declined(wish.asked, lang)
    plan = day_plan(day, asked_of(wish.asked) if wish.asked else None)
    return by_rule(plan, wish, _closing(plan, wish))


def read_search(search: ToldSearch, lang: str, *, plain: bool, length: str) -> NarratedReading:
    """The reading of a search."""
    wish = _wish(None, lang, plain, length)
    plan = search_plan(search, wish.length)
    return by_rule(plan, wish, _closing(plan, wish))


def _wish(question: str | Question | None, lang: str, plain: bool, length: str) -> Wish:
    return Wish.of({"question": question, "language": lang, "plain": plain, "length": length})


def _closing(plan: Plan, wish: Wish) -> tuple[Sentence, ...]:
    """Whom else to ask, where the question calls for it and the reading has not said it, and the disclaimer."""
    told = any(statement.key == "almanac.doctor" for statement in plan.statements)
    classes = [
        name for name in (wish.asked.referrals if wish.asked else ()) if not (told and name == MEDICAL)
    ]
    instead = [Sentence(fixed(f"referral.day.{name}", wish.language), (), "advice") for name in classes]
    return (*instead, Sentence(disclaimer(wish.language), (), "disclaimer"))
