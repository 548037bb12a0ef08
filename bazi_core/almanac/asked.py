"""The object of a question of a day: a purpose of the almanac, one of several, the day itself, or one unknown here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.almanac.purposes import (
    Purpose,
    asks_of_day,
    items_without_doctrine,
    purposes_in,
    purposes_of_domain,
)
from bazi_core.questions.intent import GIBBERISH

if TYPE_CHECKING:
    from bazi_core.questions.question import Question

PURPOSE, WHICH, WITHOUT, THE_DAY = "purpose", "which", "without", "day"
UNHEARD, UNKNOWN = "unheard", "unknown"
# So many purposes are told apart; a question that names more is answered for these.
MOST = 4
_SET_ASIDE = ("out_of_scope", GIBBERISH)
# Domains of questions that ask for the day as a whole.
_OF_ALL = ("general", "timing", "self")


class AskedOfDay(NamedTuple):
    """A question of a day: `kind` is purpose, which (it may mean several), without (an item that the book does not have),
    day, unheard (something of which no purpose was heard), or unknown; `wants_dates` where it asks when or which day."""

    kind: str
    purposes: tuple[Purpose, ...] = ()
    wants_dates: bool = False


def asked_of(asked: Question) -> AskedOfDay:
    """The question about a day, understood by the aliases of the purposes, else by its domain.

    >>> from bazi_core.questions.question import question
    >>> texts = ("今天能搬家吗", "今天感情如何", "结婚与签约都行吗", "今日可以开光吗", "hello")
    >>> [asked_of(question(text)).kind for text in texts]
    ['purpose', 'unknown', 'which', 'without', 'unknown']
    """
    wants_dates = asked.intent.kind in ("when", "which")
    named = purposes_in(asked.text)[:MOST]
    if named:
        return AskedOfDay(PURPOSE if len(named) == 1 else WHICH, named, wants_dates=wants_dates)
    if items_without_doctrine(asked.text):
        return AskedOfDay(WITHOUT)
    ways = asks_of_day(asked.text)
    if asked.category in _SET_ASIDE or "what" in ways:
        return AskedOfDay(THE_DAY if "what" in ways else UNKNOWN)
    domain = asked.intent.domain
    if domain in _OF_ALL:
        return AskedOfDay(THE_DAY if "how" in ways else UNHEARD)
    meant = purposes_of_domain(domain)[:MOST]
    return AskedOfDay(WHICH, meant, wants_dates=wants_dates) if meant else AskedOfDay(UNKNOWN)
