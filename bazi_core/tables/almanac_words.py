"""Words of the almanac in three languages: officers, spirits, gods, items, purposes, directions, marks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.tables import rows
from bazi_core.tables.words import term

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    """A word of the almanac in a language, in English its gloss alone.

    >>> gloss("开市", "en"), gloss("甲", "en")
    ('opening a business', '甲')
    """
    row = _words().get(word)
    if lang == "en":
        return (row["en"] if row else next((each for each in _of_terms(word) if each != word), "")) or word
    return row[lang] if row else term(word, lang)


def _of_terms(word: str) -> Iterator[str]:
    """The word in English among the terms that an almanac shares with a chart; gods have the names of other things."""
    return (term(word, "en", kind) for kind in ("solar_term", "nayin"))
