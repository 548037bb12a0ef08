"""What a question asks of a day: a purpose of the almanac, one of several, the day itself, or what no almanac knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.almanac.purposes import Purpose, items_without_doctrine, purposes_in, purposes_of_domain
from bazi_core.questions.intent import GIBBERISH

if TYPE_CHECKING:
    from bazi_core.questions.question import Question

PURPOSE, WHICH, WITHOUT, THE_DAY, UNKNOWN = "purpose", "which", "without", "day", "unknown"
# So many purposes are told apart; a question that names more is answered for these.
MOST = 4
_SET_ASIDE = ("out_of_scope", GIBBERISH)
# Domains of questions that ask for the day as a whole.
_OF_ALL = ("general", "timing", "self")


class AskedOfDay(NamedTuple):
    """What a question asks: `kind` is purpose, which (it may mean several), without (an item that the book does not have),
    day, or unknown; `wants_dates` where it asks when or which day."""

    kind: str
    purposes: tuple[Purpose, ...] = ()
    wants_dates: bool = False


def asked_of(asked: Question) -> AskedOfDay:
    """What a question asks of a day, by the aliases of the purposes, else by its domain.

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
    if asked.category in _SET_ASIDE:
        return AskedOfDay(UNKNOWN)
    domain = asked.intent.domain
    meant = purposes_of_domain(domain)[:MOST]
    if meant:
        return AskedOfDay(PURPOSE if len(meant) == 1 else WHICH, meant, wants_dates=wants_dates)
    return AskedOfDay(THE_DAY if domain in _OF_ALL else UNKNOWN)
