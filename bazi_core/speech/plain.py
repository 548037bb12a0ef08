"""The plain layer: what a term means, in a clause behind its first use.

The speaker marks terms while it words a sentence, each by one character that no text holds; when the sentence stands,
the marks become explanations or nothing. A sentence takes two at most; a term that found no room is explained where it comes
next.
"""

from __future__ import annotations

import re
from functools import cache

from bazi_core.tables import rows
from bazi_core.tables.words import term
from bazi_core.wording import written

MOST_EXPLAINED = 2
CAST = "cast"
_FIRST_MARK = 0xE000  # of the characters for private use, which no row holds
# Kinds of terms that the rows of the catalogue name in their own words.
_IN_ROWS = ("ten_god", "ten_god_class", "role", "strength", "luck", "chart", "root", "qi")
# Of more terms than a sentence has room for these come first, since without them nothing else is understood, and those last.
_FIRST = (("chart", "日主"), ("role", "用神"))
_LAST = (("chart", "天干"), ("chart", "地支"), ("qi", "本气"))
# A term and its own sign are one name: the explanation stands behind both.
_MARKS = re.compile("([\ue000-\uf8ff])")
_NAMED_BY = re.compile(r"([\ue000-\uf8ff])( ?\{(?:day|use|joy|pillar|element|stem)\})")
_OPENING, _CLOSING = ("（", "("), ("）", ")")
_EXPLAINS = ("代表", "stands for")


@cache
def explained_terms() -> dict[tuple[str, str], dict[str, str]]:
    """The rows of terms that are explained, by kind and term.

    >>> explained_terms()["ten_god", "七杀"]["en"]
    'pressure from outside'
    """
    return {(row["kind"], row["term"]): row for row in rows("plain_terms") if row["zh-Hans"]}


def needs_none(kind: str, hanzi: str) -> bool:
    """Whether a term is listed as one that needs no explanation.

    >>> needs_none("element", "木"), needs_none("ten_god", "七杀")
    (True, False)
    """
    return (kind, hanzi) not in explained_terms() and any(
        row["kind"] == kind and row["term"] == "*" for row in rows("plain_terms")
    )


@cache
def mark(hanzi: str, kind: str | None = None) -> str:
    """The mark of a term; nothing for one that is not explained. Without a kind the first term of this form is meant.

    >>> len(mark("七杀", "ten_god")), len(mark("七杀")), mark("木")
    (1, 1, '')
    """
    for at, (own, form) in enumerate(explained_terms()):
        if form == hanzi and (kind == own or (kind is None and own != CAST)):
            return chr(_FIRST_MARK + at)
    return ""


@cache
def marked(template: str, language: str, kind: str | None = None) -> str:
    """A row of the catalogue with the terms marked that stand in its own words.

    >>> marked("日主{day}无根", "zh-Hans") == "日主{day}" + mark("日主") + "无根" + mark("无根")
    True
    """
    forms = _forms(language, kind == CAST)
    if not forms:
        return template
    pieces = re.split(r"(\{[^}]*\})", template)
    pieces[::2] = [
        _pattern(language, kind == CAST).sub(lambda m: m[0] + forms[m[1]], text) for text in pieces[::2]
    ]
    return _NAMED_BY.sub(r"\2\1", "".join(pieces))


@cache
def _pattern(language: str, of_cast: bool) -> re.Pattern[str]:
    forms = sorted(_forms(language, of_cast), key=len, reverse=True)
    said = "|".join(map(re.escape, forms))
    return re.compile(rf"\b({said})s?\b" if language == "en" else f"({said})")


@cache
def _forms(language: str, of_cast: bool) -> dict[str, str]:
    """The marks of terms by their form in running text; forms that are ordinary words too are left out."""
    found: dict[str, str] = {}
    for kind, hanzi in explained_terms():
        if kind == CAST if of_cast else kind in _IN_ROWS:
            form = written(CAST, hanzi, language) if of_cast else term(hanzi, language, kind)
            found.setdefault(form, mark(hanzi, kind))
    return {form: each for form, each in found.items() if _is_distinct(form, language, of_cast)}


def _is_distinct(form: str, language: str, of_cast: bool) -> bool:
    if language == "en":
        return not of_cast and (" " in form or form[0].isupper())
    return len(form) > 1


class Explainer:
    """Turns the marks of sentences into explanations, of each term once; `known` are the terms that were explained.

    >>> explainer = Explainer("en")
    >>> explainer.explained(f"Seven Killings (七杀){mark('七杀')} leads.")
    'Seven Killings (七杀, pressure from outside) leads.'
    >>> explainer.explained(f"Seven Killings{mark('七杀')} again.")
    'Seven Killings again.'
    >>> Explainer("zh-Hans").explained(f"七杀{mark('七杀')}（加5分）")
    '七杀（外来的压力与挑战，加5分）'
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.known: set[tuple[str, str]] = set()

    def explained(self, text: str) -> str:
        """The sentence without marks, its first terms explained; none within brackets."""
        made, *marked = _MARKS.split(text)
        if not marked:
            return text
        keys = [_keys()[ord(at) - _FIRST_MARK] for at in marked[::2]]
        depth, chosen = _depth(made), self._chosen(made, keys, marked[1::2])
        for key, piece in zip(keys, marked[1::2], strict=True):
            meaning, behind = explained_terms()[key][self.language], piece.lstrip()
            if key in chosen - self.known and depth == 0 and _has_room(made, behind):
                self.known.add(key)
                if behind.startswith(_OPENING) and not made.endswith(")"):
                    # What stands in brackets behind it comes after the meaning.
                    piece = f"{piece[: -len(behind)]}{behind[0]}{meaning}{', ' if behind[0] == '(' else '，'}{behind[1:]}"
                else:
                    made = self._with(made, meaning)
            made += piece
            depth += _depth(piece)
        return made

    def _chosen(self, opening: str, keys: list[tuple[str, str]], pieces: list[str]) -> set[tuple[str, str]]:
        """The terms of a sentence for which it has room."""
        new, depth, before = [], _depth(opening), opening
        for key, piece in zip(keys, pieces, strict=True):
            told = key in self.known or not explained_terms()[key][self.language]
            if depth == 0 and not told and _has_room(before, piece.lstrip()):
                new.append(key)
            depth, before = depth + _depth(piece), piece or before
        order = sorted(dict.fromkeys(new), key=lambda key: (key in _LAST) - (key in _FIRST))
        return {*order[:MOST_EXPLAINED]}

    def _with(self, made: str, meaning: str) -> str:
        if self.language != "en":
            return f"{made}（{meaning}）"
        return f"{made[:-1]}, {meaning})" if made.endswith(")") else f"{made} ({meaning})"


@cache
def _keys() -> tuple[tuple[str, str], ...]:
    return tuple(explained_terms())


def _depth(text: str) -> int:
    """The brackets that a text opens and does not close."""
    return sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))


def _has_room(made: str, following: str) -> bool:
    """Whether no explanation stands before, and the sentence does not say it itself."""
    return not made.endswith("）") and not following.startswith(_EXPLAINS)
