"""Guessable passwords: the common ones, those made of the account's own words, and blanks.

The common ones are a list that is shipped; a look costs the same however long it is. A guesser also tries them in
capitals, with figures for letters, said twice, and with a year or a mark behind them, so all of this is taken off first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from bazi_core.tables.sentences import Said
from bazi_hub.words.text_rules import visible

LEAST_LENGTH, MOST_LENGTH = 10, 1024
# Of the subject, whatever the account is called.
SUBJECT = ("bazi", "八字")
LEAST_DIFFERENT = 4
# A name and less than this beside it is as good as the name.
LEAST_BESIDE = 6
# So many figures and marks are tried at the ends of a common word.
MOST_AT_ENDS = 6
LEAST_WORD, LEAST_HAN_WORD = 4, 2
_FIGURES = str.maketrans("01345@7$!", "oieasatsi")
_PARTS = re.compile(r"[\W_]+")


class Weak(ValueError):
    """A weak password; `why` is short, blank, common or own, and `said` the sentence that says so."""

    def __init__(self, why: str) -> None:
        self.why = why
        self.said = Said(SAID[why], least=LEAST_LENGTH, most=MOST_LENGTH)
        super().__init__(self.said)


SAID = {
    "short": "hub.password_short",
    "blank": "hub.password_blank",
    "common": "hub.password_common",
    "own": "hub.password_own",
}


def weakness(password: str, words: Sequence[str] = ()) -> str | None:
    """Why a password in NFKC is refused, a key of `SAID`; None for one that is good.

    >>> weakness("correct horse battery", ["libai@example.org"])
    >>> weakness("P@ssword2024"), weakness("li.bai-2024", ["li.bai@example.org"])
    ('common', 'own')
    >>> weakness("short"), weakness("\\u200b" * 12)
    ('short', 'blank')
    """
    if not LEAST_LENGTH <= len(password) <= MOST_LENGTH:
        return "short"
    seen = " ".join(visible(password).casefold().split())
    if len(seen) < LEAST_LENGTH:
        return "blank"
    beside = seen
    for word in sorted(set(_words((*words, *SUBJECT))), key=len, reverse=True):
        beside = beside.replace(word, " ")
    own = beside != seen and (len(_PARTS.sub("", beside)) < LEAST_BESIDE or _guessed(beside))
    if own:
        return "own"
    return "common" if _guessed(seen) else None


@cache
def common() -> frozenset[str]:
    """The passwords that are guessed first."""
    path = os.path.join(os.path.dirname(__file__), "common_passwords.txt")
    with open(path, encoding="utf-8") as file:
        return frozenset(line.rstrip("\n") for line in file if not line.startswith("#"))


def _guessed(text: str) -> bool:
    """Whether a text is a common password, or becomes one when its dress is taken off."""
    plain = text.replace(" ", "")
    once = plain[: (plain + plain).find(plain, 1)]
    dull = len(set(plain)) < LEAST_DIFFERENT or _is_row(plain) or (once != plain and len(once) < LEAST_BESIDE)
    return dull or any(form in common() for form in _forms(once))


def _forms(text: str) -> Iterator[str]:
    """A text, and what may be its word: without figures and marks at its end, then at its beginning."""
    for end in range(min(MOST_AT_ENDS, len(text) - LEAST_WORD) + 1):
        if end and text[-end].isalpha():
            break
        word = text[: len(text) - end]
        yield word
        yield word.translate(_FIGURES)
    inner = _without_ends(text)
    yield inner
    yield inner.translate(_FIGURES)


def _without_ends(text: str) -> str:
    """A text without figures and marks at its ends, where they are few; the text itself otherwise.

    >>> _without_ends("!dragon2024"), _without_ends("love7#9!2$4(8)0")
    ('dragon', 'love7#9!2$4(8)0')
    """
    letters = [place for place, letter in enumerate(text) if letter.isalpha()]
    inner = text[letters[0] : letters[-1] + 1] if letters else text
    few = len(text) - len(inner) <= MOST_AT_ENDS
    return inner if few and len(inner) >= LEAST_WORD else text


def _is_row(text: str) -> bool:
    """Whether every character follows the one before it, forwards or backwards: abcdefghij, 9876543210."""
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    return steps in ({1}, {-1})


def _words(texts: Sequence[str]) -> Iterator[str]:
    """The texts, their parts, and the two sides of an e-mail, as far as they are long enough to count."""
    for side in (side for text in texts for side in text.casefold().split("@")):
        for word in (side, *_PARTS.split(side), _PARTS.sub("", side)):
            if len(word) >= (LEAST_WORD if word.isascii() else LEAST_HAN_WORD):
                yield word
