"""The rows of `intents.csv` by slot, and the clauses of a question that they are looked for in."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import NamedTuple

from bazi_core.questions.heard import Heard, Wording, heard, wording
from bazi_core.tables import rows

# What ends a clause; a mark of a question stays with it, and a space between hanzi parts them too. A list of numbers is one.
_LIST = re.compile(r"(?<=[\d年])\s?[,，]\s?(?=['\d])")
# Months that are listed: "April, May or June".
_MONTH_LIST = re.compile(
    r"(?<=[a-z]), ?(?=(?:january|february|march|april|may|june|july|august|september|october|november|december)(?![a-z]))"
)
_CLAUSE = re.compile(r"[^,，.。;；!！?？\n:：~]+(?:[?？]|(?=[,，.。;；!！\n:：~])|\Z)")
# Two questions that an "and" joins.
_AND = re.compile(
    r" and (?=(?:should|will|can|could|would|shall|what|when|how|why|is|are|am|do|does|which|who) )"
)
_SPACE = re.compile(r"(?<=[^\W\d_a-z]) (?=[^\W\d_a-z])")
# What is put in parentheses is no clause of its own.
_ASIDE = re.compile(r"[(（][^()（）]{0,80}[)）]")
_ENDS = str.maketrans(dict.fromkeys(",，.。;；", "、"))
# A question has 500 characters, and a clause one and its mark; a sign like ⒈ alone is written out as a clause.
_MOST_CLAUSES = 250


def first(slot: str, texts: list[Heard]) -> str | None:
    """The value of the first row of a slot that one of the texts holds."""
    for value, _, words in slot_rows(slot):
        if any(words.fits(text) for text in texts):
            return value
    return None


@cache
def slot_rows(slot: str) -> list[tuple[str, int, Wording]]:
    """The rows of a slot in their order: value, weight and words."""
    return [
        (row["value"], int(row["weight"]), wording(row["zh"], row["en"]))
        for row in rows("intents")
        if row["slot"] == slot
    ]


def taken_out(slot: str, text: Heard) -> Heard:
    """A text with a mark in the place of all that the rows of a slot name."""
    for _, _, words in slot_rows(slot):
        text = text.without(words)
    return text


class Clause(NamedTuple):
    """A part of a question: as it is written, in small letters, and as it is heard."""

    text: str
    heard: Heard

    @property
    def asks(self) -> bool:
        if self.text.endswith(("?", "？")):
            return True
        # Whoever does not know when they were born only tells so.
        return first("asks", [self.heard]) is not None and first("unsure", [self.heard]) is None

    @property
    def tells(self) -> bool:
        return first("told", [self.heard]) is not None


def clauses_of(plain: str) -> list[Clause]:
    """The clauses of a text as it is heard, at most so many."""
    plain = _ASIDE.sub(lambda aside: aside[0].translate(_ENDS), plain)
    parts = (
        part.strip()
        for match in _CLAUSE.finditer(_AND.sub(", ", _MONTH_LIST.sub(" or ", _LIST.sub("、", plain))))
        for part in _SPACE.split(match[0])
    )
    return [Clause(part, heard(part)) for part in islice(filter(None, parts), _MOST_CLAUSES)]
