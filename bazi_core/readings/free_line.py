"""The check that a free line of a model states nothing.

Empathy, a transition, a picture, encouragement and advice are free; statements about a chart or a cast are not. So a line
is kept only if it is short, in the script of its reader, and free of every term of the art in either script and in English,
of digits and words that count, of time, certainty and prediction, and of words that could negate a statement. Its meaning is
not parsed: any line that might state something is left out.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from bazi_core.questions.safety import unsafe
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

# The fewest letters of a line.
_SHORTEST = 3
LONGEST = {"zh-Hans": 60, "zh-Hant": 60, "en": 160}
# The permitted characters of a line: letters of its language and punctuation.
_SIGNS = {
    "zh": re.compile("[一-鿿，。！？；：、…—（）]+"),
    "en": re.compile(r"[A-Za-z ,.;:!?'\"()’‘“”—–-]+"),
}
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|'[a-z]+")
# Tables of 六爻 with the columns of their words.
_CAST_TABLES = (
    ("relatives", ("name", "name_hant", "en")), ("spirits", ("name", "name_hant", "en")),
    ("words", ("name", "name_hant", "en")), ("concepts", ("name", "name_hant", "en")),
    ("stars", ("name", "name_hant", "en")), ("trigrams", ("name", "name_hant", "pinyin", "gloss")),
    ("hexagrams", ("name", "name_hant", "full", "full_hant", "pinyin")),
)  # fmt: skip
# Kinds of terms whose English words are words of every day; the names of the sides of life are so in every language.
_EVERYDAY = ("direction", "relation_status", "power")
# The pinyin of 酉, which is a word of every line.
_PRONOUN = "You"
_QUOTES = {ord("’"): "'", ord("‘"): "'"}


class Words(NamedTuple):
    """Words with the reason to leave out their line, ordinary words, and the lengths of either by their first unit."""

    reasons: dict[str, str]
    plain: frozenset[str]
    lengths: dict[str, tuple[int, ...]]


def fault(line: object, language: str) -> str | None:
    """The reason to leave out a line: kind, empty, long, script, term, number, time, certainty, prediction, denial, unsafe.

    >>> fault("听得出来，你这阵子走得辛苦。", "zh-Hans"), fault("你身强，用神为水。", "zh-Hans")
    (None, 'term')
    >>> fault("Take your time with this.", "en"), fault("None of this holds.", "en")
    (None, 'denial')
    """
    if type(line) is not str:
        return "kind"
    if len(line.strip()) < _SHORTEST:
        return "empty"
    if len(line) > LONGEST[language]:
        return "long"
    if any(category(sign).startswith("N") for sign in line):
        return "number"
    english = language == "en"
    if _SIGNS["en" if english else "zh"].fullmatch(line) is None or (
        not english and _foreign(language, line)
    ):
        return "script"
    reason = _english(line) if english else _chinese(line)
    return reason or ("unsafe" if unsafe(line, language) else None)


def _chinese(line: str) -> str | None:
    """The first reason of a line in hanzi."""
    words = _words("zh")
    return _reason(_left(list(line), "", words), "", words)


def _english(line: str) -> str | None:
    """The first reason of an English line."""
    words, spelled = _words("en"), _WORD.findall(line.lower().translate(_QUOTES))
    left = [part for word in _left(spelled, " ", words) for part in _parts(word)]
    return _reason(left, " ", words)


def _left(units: list[str], join: str, words: Words) -> list[str]:
    """The letters or words of a line, an empty string in place of each ordinary word."""
    at, left = 0, list[str]()
    while at < len(units):
        sizes = words.lengths.get(units[at], ())
        size = next((size for size in sizes if join.join(units[at : at + size]) in words.plain), 0)
        left.append("" if size else units[at])
        at += size or 1
    return left


def _reason(units: list[str], join: str, words: Words) -> str | None:
    """The reason of the first word that has one; None if no word has."""
    for at, unit in enumerate(units):
        for size in words.lengths.get(unit, ()):
            reason = words.reasons.get(join.join(units[at : at + size]))
            if reason is not None:
                return reason
    return None


def _parts(word: str) -> tuple[str, ...]:
    """A word and its clitic: don't is do and n't, you'll is you and 'll."""
    if word.endswith("n't"):
        return word[:-3], "n't"
    first, sign, rest = word.partition("'")
    return (first, sign + rest) if sign else (word,)


@cache
def _words(language: str) -> Words:
    reasons: dict[str, str] = {}
    plain = set[str]()
    for row in rows("free_lines"):
        for column in ("en",) if language == "en" else ("zh-Hans", "zh-Hant"):
            for word in filter(None, row[column].split("|")):
                if row["reason"] == "plain":
                    plain.add(word)
                else:
                    reasons.setdefault(word, row["reason"])
    for word in _terms(language):
        reasons.setdefault(word, "term")
    sizes: dict[str, set[int]] = {}
    for word in (*reasons, *plain):
        units = word.split(" ") if language == "en" else word
        sizes.setdefault(units[0], set()).add(len(units))
    lengths = {first: tuple(sorted(each, reverse=True)) for first, each in sizes.items()}
    return Words(reasons, frozenset(plain), lengths)


def _terms(language: str) -> Iterator[str]:
    """Every term in hanzi of two signs or more, or every English one."""
    for row in rows("terms"):
        if row["kind"] == "domain":
            continue
        if language != "en":
            yield from (row[name] for name in ("zh-Hans", "zh-Hant") if len(row[name]) > 1)
        elif row["kind"] not in _EVERYDAY and row["en"] != _PRONOUN:
            yield row["en"].lower()
    for table, columns in _CAST_TABLES:
        for row in rows(f"liuyao/{table}"):
            for word in (row[name] for name in columns):
                if language == "en" and word.isascii():
                    yield word.lower()
                elif language != "en" and not word.isascii() and len(word) > 1:
                    yield word


def _foreign(language: str, line: str) -> bool:
    """Whether a line has a sign that the catalogues write in the other script alone."""
    return not _only("zh-Hant" if language == "zh-Hans" else "zh-Hans").isdisjoint(line)


@cache
def _only(script: str) -> frozenset[str]:
    signs = {
        name: {sign for table in ("terms", "statements") for row in rows(table) for sign in row[name]}
        for name in ("zh-Hans", "zh-Hant")
    }
    other = "zh-Hans" if script == "zh-Hant" else "zh-Hant"
    return frozenset(signs[script] - signs[other])
