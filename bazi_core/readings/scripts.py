"""The letters of a text: how many belong to the script of a language, and which hide what stands there.

Traditional and simplified text share most signs; those that the catalogues, written by hand in both, write
differently tell them apart. English text names terms in hanzi, which do not count.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bazi_core.tables import rows

_HAN, _LATIN = re.compile("[一-鿿]+"), re.compile(r"[^\W\d_一-鿿]+")
# Letters that look like others or like nothing, behind which a term would not be seen.
_HIDDEN = re.compile(
    "[\u00ad\u0300-\u036f\u0370-\u052f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2e80-\u2fdf\ufe00-\ufe0f\ufeff"
    "\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\U000e0000-\U000e0fff]"
)


def hidden_letter(text: str) -> str | None:
    """The first letter of a text behind which a term would not be seen, by its code point.

    >>> hidden_letter("正官"), hidden_letter("正\u200b官")
    (None, 'U+200B')
    """
    found = _HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else None


class Letters(NamedTuple):
    """Hanzi and Latin letters, and of the hanzi those that only one of the two scripts writes."""

    hanzi: int
    latin: int
    simplified: int
    traditional: int


def letters(text: str) -> Letters:
    """The letters of a text.

    >>> letters("身边的人"), letters("身邊 it")
    (Letters(hanzi=4, latin=0, simplified=1, traditional=0), Letters(hanzi=2, latin=2, simplified=0, traditional=1))
    """
    simplified, traditional = _differing()
    return Letters(
        sum(map(len, _HAN.findall(text))),
        sum(map(len, _LATIN.findall(text))),
        sum(text.count(sign) for sign in simplified.intersection(text)),
        sum(text.count(sign) for sign in traditional.intersection(text)),
    )


def share(found: Letters, language: str) -> float:
    """The share of the letters that the script of a language has, at worst: among all, and among those that differ.

    >>> round(share(letters("身边的人，遇事從容"), "zh-Hans"), 2), share(letters("Go well"), "en")
    (0.5, 1.0)
    """
    if language == "en":
        return _part(found.latin, found.hanzi)
    own, foreign = found.simplified, found.traditional
    if language == "zh-Hant":
        own, foreign = foreign, own
    return min(_part(found.hanzi, found.latin), _part(own, foreign))


def _part(own: int, other: int) -> float:
    return own / (own + other) if own + other else 1.0


@cache
def _differing() -> tuple[frozenset[str], frozenset[str]]:
    """The signs that only simplified text has in the catalogues, and those that only traditional text has."""
    ours, theirs = set[str](), set[str]()
    for name in ("terms", "narration"):
        for row in rows(name):
            ours |= {*row["zh-Hans"]}
            theirs |= {*row["zh-Hant"]}
    return frozenset(ours - theirs), frozenset(theirs - ours)
