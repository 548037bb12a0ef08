"""Words of the almanac in three languages: officers, spirits, gods, items, purposes, directions, marks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from bazi_core.tables import rows
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import term


class Word(Said):
    """A word of the almanac in the sentence of an error: in each language as that language has it, in English as given.

    >>> str(Word("签约")), Word("签约").text("zh-Hant"), Word("嫁娶", "wedding").text("en")
    ('signing a contract (签约)', '簽約', 'wedding')
    """

    def __new__(cls, word: str, english: str = "") -> Word:
        sentence = str.__new__(cls, english or said(word, "en"))
        sentence.key, sentence.values = word, {"en": english}
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return Word, (self.key, self.values["en"])

    def text(self, lang: str) -> str:
        return str(self) if lang not in ("zh-Hans", "zh-Hant") else said(self.key, lang)


@cache
def _words() -> dict[str, dict[str, str]]:
    return {row["zh-Hans"]: row for row in rows("almanac/words")}


def said(word: str, lang: str = "zh-Hans") -> str:
    """A word of the almanac in a language: in English its gloss with the hanzi, where it has one.

    >>> said("开市", "zh-Hant"), said("开市", "en"), said("小雪", "en")
    ('開市', 'opening a business (开市)', 'Lesser Snow (小雪)')
    """
    own = gloss(word, lang)
    return f"{own} ({word})" if lang == "en" and own != word else own


def gloss(word: str, lang: str) -> str:
    """A word of the almanac in a language, in English its gloss alone."""
    row = _words().get(word)
    if lang == "en":
        return (row["en"] if row else next((each for each in _of_terms(word) if each != word), "")) or word
    return row[lang] if row else term(word, lang)


def _of_terms(word: str) -> Iterator[str]:
    """The word in English among the terms that an almanac shares with a chart; gods have the names of other things."""
    return (term(word, "en", kind) for kind in ("solar_term", "nayin"))
