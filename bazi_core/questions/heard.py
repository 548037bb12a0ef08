"""How a question is heard: words in small letters of one width, and hanzi in one script, whatever is set between them.

A word that is spelled out, circled, written in letters of another alphabet that look alike, or in traditional or
Cantonese signs (`heard.csv`) is the same word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from bazi_core.tables import rows

# As much of a text is read; a question has 500 characters at most.
LONGEST = 5000
# A letter has four parts at most; a sign that is written out in up to eighteen would make a short question a long one.
_MOST_PARTS = 4
# Letters that are drawn alike, as the letters for which they pass.
_LOOKALIKES = str.maketrans("асеорхуіѕԁкмтвнαοεικνρτυχ", "aceopxyisdkmtbhaoeiknptux")
# Digits and signs that are written for letters, and white letters in black circles and squares.
_DIGITS_AS_LETTERS = str.maketrans("013457@$!", "oleastasi") | {ord("1"): "i"}
_CIRCLED = {first + at: chr(97 + at) for first in (0x1F150, 0x1F170) for at in range(26)}
# Words that are written without their apostrophe; "ill" only where a verb follows, else it is an illness.
_UNMARKED = re.compile(
    r"(?<![a-z'])(?:(do|does|did|is|are|was|wo|would|should|could|have|has|had|ca)nt"
    r"|(they|you)(ll|re|ve|d)|(i)(m|ve)|(he|she|what|that)(s)"
    r"|(i)(ll)(?= (?:be|get|go|have|pay|give|make|take|do|see|need|lose|keep|double|find|win|move|start|try|ever|never)"
    r"(?![a-z])))"
    r"(?![a-z'])"
)
# The name of a set of words in a cell of a table; a number in braces is a quantifier.
_SET = re.compile(r"\{([a-z_]+)\}")
# What stands in the place of a phrase that was taken out.
_TAKEN = "□"


class Heard(NamedTuple):
    """A text as it is heard: in words, once more as look-alikes and digits written for letters sound where that is another
    text, and in hanzi alone."""

    words: tuple[str, ...]
    signs: str

    @property
    def plain(self) -> str:
        return self.words[0]

    def without(self, phrases: Wording) -> Heard:
        """The same with a mark in the place of every phrase."""
        words, signs = self
        if phrases.words:
            words = tuple(phrases.words.sub(_TAKEN, word) for word in words)
        return Heard(words, phrases.signs.sub(_TAKEN, signs) if phrases.signs else signs)


def heard(text: str) -> Heard:
    """A text as it is heard.

    >>> heard("Ｗill we w.i.n?").plain, heard("壽、元幾何").signs
    ('will we win?', '寿元几何')
    """
    plain = _folded(text[:LONGEST])
    signs = "".join(filter(str.isalnum, plain)).translate(_simplified())
    read = (plain, plain.translate(_LOOKALIKES), plain.translate(_DIGITS_AS_LETTERS))
    return Heard(tuple(dict.fromkeys(read)), signs)


def _folded(text: str) -> str:
    """Small letters of one width, without accents and circles, runs of single letters joined."""
    # Sign by sign: a pile of marks would be sorted, which takes its time, only to be taken away.
    apart = (_parts(sign) for sign in text.translate(_CIRCLED))
    decomposed = "".join(apart).casefold()
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign)).replace("’", "'")
    plain = _UNMARKED.sub(_marked, plain)
    return re.sub(
        r"(?<![a-z])(?:[a-z][ .*_-]){2,}[a-z](?![a-z])",
        lambda run: re.sub("[^a-z]", "", run[0]),
        unicodedata.normalize("NFC", plain),
    )


def _marked(short: re.Match[str]) -> str:
    first, *rest = (each for each in short.groups() if each)
    return f"{first}'{rest[0]}" if rest else f"{first}n't"


def _parts(sign: str) -> str:
    """What a sign is put together from: a sign like ﷺ, which stands for a whole phrase, remains itself."""
    parts = unicodedata.normalize("NFKD", sign)
    return parts if len(parts) <= _MOST_PARTS else sign


def without_greeting(text: str) -> str:
    """A text as it is folded, without the words by which somebody is greeted who is to answer it.

    >>> [without_greeting(text) for text in ("姐妹们帮我看看，他还会回来吗", "想請問老師我該去嗎", "老师喜欢我吗")]
    ['，他还会回来吗', '我該去嗎', '老师喜欢我吗']
    """
    for match in reversed([*_greeting().finditer(in_simplified_signs(text))]):
        text = text[: match.start()] + text[match.end() :]
    return text


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile("|".join(row["zh"] for row in rows("intents") if row["slot"] == "greeting"))


def in_simplified_signs(text: str) -> str:
    """A text in simplified signs, each in the place of its own.

    >>> in_simplified_signs("壽、元幾何")
    '寿、元几何'
    """
    return text.translate(_simplified())


@cache
def _simplified() -> dict[int, str]:
    return {
        ord(written): sign
        for row in rows("heard")
        for written, sign in zip(row["written"], row["heard"], strict=True)
    }


class Wording(NamedTuple):
    """The patterns of a row: English in whole words, hanzi wherever they stand; None for an empty cell."""

    words: re.Pattern[str] | None
    signs: re.Pattern[str] | None

    def fits(self, text: Heard) -> bool:
        return bool(
            (self.signs and self.signs.search(text.signs))
            or (self.words and any(map(self.words.search, text.words)))
        )

    def found(self, text: Heard) -> set[str]:
        """What is said in these words, each once."""
        told: set[str] = set()
        if self.signs:
            told.update(match[0] for match in self.signs.finditer(text.signs))
        if self.words:
            told.update(match[0] for match in self.words.finditer(text.plain))
        return told

    def around(self, text: Heard) -> list[tuple[str, str]]:
        """What stands before and what stands after every place where these words are said.

        >>> wording("老公", "husband").around(heard("我和老公好吗"))
        [('我和', '好吗')]
        """
        told = [(self.signs, text.signs), (self.words, text.plain)]
        return [
            (said[: match.start()], said[match.end() :])
            for pattern, said in told
            if pattern
            for match in pattern.finditer(said)
        ]


def wording(signs: str, words: str) -> Wording:
    """The patterns of the two cells of a row, in which a name in braces stands for a set of words (`word_sets.csv`).

    >>> wording("财运", "money").fits(heard("How is my MONEY luck")), wording("财运", "money").fits(heard("moneyed"))
    (True, False)
    >>> wording("{elder}.{0,2}走", "").fits(heard("外婆要走了"))
    True
    """
    return Wording(
        re.compile(rf"(?<![a-z0-9])(?:{_spelled_out(words, 'en')})(?![a-z0-9])") if words else None,
        re.compile(_spelled_out(signs, "zh")) if signs else None,
    )


def _spelled_out(cell: str, language: str) -> str:
    """A cell with the words of a set in the place of its name; a set names others in the same way. `ValueError` for a set
    that is not there or has no words of the language."""

    def words_of(name: re.Match[str]) -> str:
        words = _word_sets().get(name[1], {}).get(language)
        if not words:
            raise ValueError(f"word_sets: {name[1]} has no words of {language}")
        return f"(?:{_spelled_out(words, language)})"

    return _SET.sub(words_of, cell)


@cache
def _word_sets() -> dict[str, dict[str, str]]:
    return {row["set"]: row for row in rows("word_sets")}
