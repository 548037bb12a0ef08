"""The classes of a question, by their words (`question_words.csv`): distress, death, violence, what one asks others than
a chart.

Death, lifespan and survival of anybody are one class, for a chart, a year and a cast alike.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from bazi_core.questions.heard import Heard, Wording, heard, wording
from bazi_core.questions.need import DEATH, NEED, need_in
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once

# What is asked before set phrases and deaths long past are taken out.
_ANYWAY = "death_anyway"
# Where nobody dies, whatever the words.
_SPARED_FOR = ("self_harm", DEATH, "medical")


class _ClassRow(NamedTuple):
    wording: Wording
    unless: Wording | None
    # Whether the row holds after all where somebody is named beside the thing.
    of_life: bool

    def fits(self, text: Heard) -> bool:
        if not self.wording.fits(text):
            return False
        return self.unless is None or not self.unless.fits(text) or (self.of_life and _holds("person", text))


def classes_in(text: Heard) -> tuple[str, ...]:
    """The classes whose words a text holds, most serious first.

    >>> classes_in(heard("奶奶能挺过今年吗")), classes_in(heard("累死了，要不要换工作"))
    (('death',), ())
    """
    spared = _spared(text)
    return tuple(
        row["class"]
        for row in rows("questions")
        if _holds(row["class"], spared if row["class"] in _SPARED_FOR else text)
        or (row["class"] == DEATH and _holds(_ANYWAY, text))
    )


def classes_told(text: str) -> tuple[str, ...]:
    """The classes of a question, most serious first: those whose words it holds, and need as examples tell it.

    >>> classes_told("我要是睡过去别醒就好了，今年还能翻身吗"), classes_told("累死了，要不要换工作")
    (('self_harm',), ())
    """
    whole = heard(text)
    named = classes_in(whole)
    found = {*need_in(whole, named), *(name for name in named if name not in NEED)}
    return tuple(row["class"] for row in rows("questions") if row["class"] in found)


def is_of_life(text: str | None) -> bool:
    """Whether a question, or a kind of question, is about death, lifespan or survival.

    >>> [is_of_life(text) for text in ("奶奶能挺过今年吗", "How long will my father live?", "换工作合适吗", None)]
    [True, True, False, False]
    """
    return text is not None and DEATH in classes_told(text)


def _holds(name: str, text: Heard) -> bool:
    return any(row.fits(text) for row in _words().get(name, ()))


def _spared(text: Heard) -> Heard:
    for row in _words()["spared"]:
        text = text.without(row.wording)
    return text


def _classes() -> frozenset[str]:
    return frozenset((*(row["class"] for row in rows("questions")), "spared", "person", _ANYWAY))


@cache
def _words() -> dict[str, list[_ClassRow]]:
    found: dict[str, list[_ClassRow]] = {}
    words = rows("question_words")
    names_known("question_words", "class of question", (row["class"] for row in words), _classes())
    rows_once("question_words", ((row["class"], row["zh"], row["en"]) for row in words))
    for row in words:
        if not row["zh"] and not row["en"]:
            raise ValueError(f"question_words: a row of {row['class']} has no words")
        unless = wording(row["unless"], row["unless"]) if row["unless"] else None
        of_life = row["class"] in (DEATH, _ANYWAY)
        found.setdefault(row["class"], []).append(_ClassRow(wording(row["zh"], row["en"]), unless, of_life))
    return found
