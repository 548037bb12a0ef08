"""From text to words: what of the vocabulary stands in a text, and where.

One pass from left to right takes the longest word that fits its context; a term's own gloss in brackets belongs
to the term. What the words claim together is for `claims`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.readings.lexicon import lexicon
from bazi_core.readings.numbers import IN_WORDS, SIGNS, number_at

if TYPE_CHECKING:
    from bazi_core.readings.lexicon import Lexicon, Words
    from bazi_core.readings.numbers import Number

_GLOSS = re.compile(r"[」\"”]? ?[(（]([a-z][a-z0-9,:' -]*)[)）]")
_NUMERALS = SIGNS | frozenset("0123456789")
# A name of a sign in Latin letters has a capital: Chen, but not "you".
_PINYIN = {"pinyin": "pillar", "pinyin_stem": "stem", "pinyin_branch": "branch"}
_BREAKS = frozenset("，。；！？,;!?\n.")
# Digits of full width, and pinyin with its tones.
_OTHER = re.compile("[０-９āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü]")
_PLAIN = str.maketrans("０１２３４５６７８９āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü", "0123456789aaaaeeeeiiiioooouuuuuuuuu")


class Token(NamedTuple):
    """A word of the vocabulary in a text: a term, a place, a number, a negator, or a break between clauses."""

    start: int
    end: int
    category: str
    term: str
    surface: str


def tokens(text: str, words: Lexicon | None = None) -> tuple[list[Token], str]:
    """The words of the vocabulary in a text, and the text as it was read (lower case, plain digits).

    `words` is the vocabulary of another art than that of charts.

    >>> [(each.category, each.term) for each in tokens("月干辛为劫财")[0]]
    [('position', 'month|stem|1'), ('stem', '辛'), ('ten_god', '劫财')]
    >>> [each.category for each in tokens("子女强调现金")[0]]
    []
    """
    lower = _readable(text)
    words = words or lexicon()
    hanzi, latin = words.hanzi, words.latin
    found: list[Token] = []
    at = 0
    for match in _starts(words.begins).finditer(lower):
        here = match.start()
        if here < at:
            continue
        sign = match[0]
        if match.lastindex:
            group = latin.get(f"{match[1]} {match[2]}") or latin.get(match[1])
            if group is not None or match[1] in IN_WORDS:
                at = _latin(text, lower, match, group, found, words)
        elif sign in _BREAKS:
            if sign != "." or not lower[here + 1 : here + 2].isdigit():
                found.append(Token(here, here + 1, "break", sign, sign))
        else:
            group = hanzi.get(lower[here : here + 2]) or hanzi.get(sign)
            word = _longest(group, lower, here) if group is not None else None
            number = number_at(lower, here) if sign in _NUMERALS else None
            if number is not None and (word is None or number.end > word.end):
                at = _stated(number, lower, found)
            elif word is not None:
                at = _take(lower, word, found, words)
    return found, lower


@cache
def _starts(begins: frozenset[str]) -> re.Pattern[str]:
    """What a word of the vocabulary, a number or a break can begin with, and any word in Latin letters."""
    signs = begins | _NUMERALS | _BREAKS
    return re.compile(f"[{re.escape(''.join(sorted(signs)))}]|([a-z]+)(?:'[a-z]+)?(?=[ -]?([a-z]*))")


def _stated(number: Number, lower: str, found: list[Token]) -> int:
    surface = lower[number.start : number.end]
    found += [Token(number.start, number.end, category, value, surface) for category, value in number.stated]
    return number.end


def _readable(text: str) -> str:
    """Lower case, plain digits, no tones, sign by sign, so that places in the text stay the same."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    return lower.translate(_PLAIN) if _OTHER.search(lower) else lower


def _longest(words: Words, text: str, at: int) -> Token | None:
    for length in words.lengths:
        surface = text[at : at + length]
        end = at + len(surface)  # at the end of the text a slice is shorter than its length
        for entry in words.entries.get(surface, ()):
            if not entry.contexts or entry.fits(text, at, end):
                return Token(at, end, entry.category, entry.term, surface)
    return None


def _latin(
    text: str,
    lower: str,
    match: re.Match[str],
    words: Words | None,
    found: list[Token],
    known: Lexicon,
) -> int:
    """A phrase in Latin letters, or the end of the word that is none."""
    at, word = match.start(), match[1]
    for length in words.lengths if words is not None else ():
        surface = lower[at : at + length]
        stop = at + len(surface)
        if words is None or surface not in words.entries or lower[stop : stop + 1].isalnum():
            continue
        for entry in words.entries[surface]:
            category = _PINYIN.get(entry.category, entry.category)
            if category is not entry.category and not text[at].isupper():
                continue
            if entry.fits(lower, at, stop):
                return _take(lower, Token(at, stop, category, entry.term, surface), found, known)
    number = number_at(lower, at) if word in IN_WORDS else None
    return match.end() if number is None else _stated(number, lower, found)


def _take(lower: str, token: Token, found: list[Token], known: Lexicon) -> int:
    """Append a token with its gloss; what else stands in brackets after it is a term by itself."""
    if token.category == "plain":
        return token.end
    ahead = lower[token.end : token.end + 3]
    if "(" in ahead or "（" in ahead:
        match = _GLOSS.match(lower, token.end)
        glosses = known.glosses.get(match[1].strip(), ()) if match else ()
        if match is not None and glosses:
            found.append(token._replace(end=match.start(1)))
            if not any(token.surface == surface or token.term == term for surface, _, term in glosses):
                found.append(_in_brackets(token, match, glosses))
            else:
                found[-1] = token._replace(end=match.end())
            return match.end()
    found.append(token)
    return token.end


def _in_brackets(token: Token, match: re.Match[str], glosses: tuple[tuple[str, str, str], ...]) -> Token:
    """庚 (Companion) calls the stem a companion; 水 (Wood) is a claim that nothing supports."""
    alike = any(category == token.category for _, category, _ in glosses)
    category, term = ("gloss", match[1]) if alike else glosses[0][1:]
    return Token(match.start(1), match.end(), category, term, match[1])
