"""The catalogue of sentences and the words that are filled into them.

`narration.csv` holds every sentence in three languages, with variants for what is said often. A value in a sentence
is a term, a sign, a place, a nested phrase or a list of these. In English a term is printed with its gloss where the
reading names it first, and by its gloss afterwards; signs keep their hanzi.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Stem
from bazi_core.tables import rows
from bazi_core.tables.words import term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bazi_core.alphabet import Branch, Pillar

_SLOT = re.compile(r"\{([Aa] )?(\w+)\}")
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_STEMS = frozenset("甲乙丙丁戊己庚辛壬癸")
_VOWELS = ("a", "e", "i", "o", "un")


class Term(NamedTuple):
    """A canonical term; the kind decides between terms that share a form."""

    hanzi: str
    kind: str | None = None


class Sign(NamedTuple):
    """A stem, branch or pillar; a stem is printed with its element unless `plain`."""

    hanzi: str
    plain: bool = False


class At(NamedTuple):
    """A place in the chart, alone or with what stands there: `月支`, `月支巳`."""

    place: str
    sign: Sign | None = None


class Phrase(NamedTuple):
    """A nested row of the catalogue with its values."""

    key: str
    values: dict[str, Any]


class Nth(NamedTuple):
    """An ordinal in English."""

    number: int


class Clauses(NamedTuple):
    """Phrases that are whole clauses and are joined as such."""

    members: tuple[Any, ...]


@cache
def catalogue() -> dict[str, tuple[dict[str, str], ...]]:
    """The rows of every key.

    >>> [row["en"] for row in catalogue()["at.month.branch"]]
    ['month branch']
    """
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows("narration"):
        found.setdefault(row["key"], []).append(row)
    return {key: tuple(variants) for key, variants in found.items()}


def slots(template: str) -> frozenset[str]:
    """The names that a template asks for.

    >>> sorted(slots("{one} and {two} form {a relation}"))
    ['one', 'relation', 'two']
    """
    return frozenset(name for _, name in _SLOT.findall(template))


class Speaker:
    """Says sentences one after the other: `choose` picks the template of a key.

    >>> speaker = Speaker("en", lambda key: catalogue()[key][0]["en"])
    >>> speaker.say("star.at", {"star": Term("桃花"), "where": At("hour.pillar")})
    '桃花 (Peach Blossom) in the hour pillar'
    >>> speaker.word(Term("桃花"))
    'Peach Blossom'
    """

    def __init__(self, lang: str, choose: Callable[[str], str]) -> None:
        self.lang, self._choose = lang, choose
        self._named: set[tuple[str, str | None]] = set()

    def say(self, key: str, values: dict[str, Any]) -> str:
        """The sentence of a key."""
        made = []
        for text, name, article in _parts(self._choose(key)):
            word = self.word(values[name]) if name else ""
            made.append(f"{text}{article}{_n(word)} {word}" if article else text + word)
        return "".join(made)

    def word(self, value: Any) -> str:
        """A value in words."""
        if isinstance(value, str):
            return value
        match value:
            case Term():
                return self._term(value)
            case Sign():
                return self._sign(value)
            case At():
                return self._place(value)
            case Phrase():
                return self.say(value.key, value.values)
            case Nth():
                return f"{value.number}{_ending(value.number)}"
            case Clauses():
                return self._joined([self.word(each) for each in value.members])
            case list():
                return self._listed([self.word(each) for each in value])
        return str(value)

    def _listed(self, words: list[str]) -> str:
        if self.lang != "en":
            return "、".join(words)
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def _joined(self, words: list[str]) -> str:
        """Clauses; those that hold a comma or a list themselves are kept apart by a semicolon."""
        if self.lang != "en":
            return ("；" if any("，" in word for word in words) else "，").join(words)
        return (
            "; ".join(words) if any("," in word or " and " in word for word in words) else self._listed(words)
        )

    def _term(self, value: Term) -> str:
        word = term(value.hanzi, self.lang, value.kind)
        if self.lang != "en" or word == value.hanzi:
            return word
        known = value in self._named
        self._named.add(value)
        return word if known else f"{value.hanzi} ({word})"

    def _sign(self, sign: Sign) -> str:
        hanzi = sign.hanzi
        element = Stem(hanzi).element.value if hanzi in _STEMS and not sign.plain else ""
        return (
            hanzi + term(element, self.lang)
            if self.lang != "en"
            else f"{hanzi} ({_spelled(hanzi + element)})"
        )

    def _place(self, at: At) -> str:
        place = self._choose(f"at.{at.place}")
        sign = "" if at.sign is None else self._sign(at.sign)
        return f"the {place} {sign}".strip() if self.lang == "en" else place + sign


@cache
def _parts(template: str) -> tuple[tuple[str, str, str], ...]:
    """(text, slot after it, article before the slot) of a template, the last one without a slot."""
    made, end = [], 0
    for slot in _SLOT.finditer(template):
        made.append((template[end : slot.start()], slot[2], (slot[1] or "").strip()))
        end = slot.end()
    return (*made, (template[end:], "", ""))


@cache
def _spelled(signs: str) -> str:
    return " ".join(term(sign, "en") for sign in signs)


def _n(word: str) -> str:
    """What the article becomes before a vowel."""
    return "n" if word.lower().startswith(_VOWELS) else ""


def _ending(number: int) -> str:
    return "th" if 10 < number % 100 < 14 else _ORDINALS.get(number % 10, "th")


def sign(value: Stem | Branch | Pillar | str, plain: bool = False) -> Sign:
    """A stem, branch or pillar as a value of a sentence."""
    return Sign(str(value), plain)


def clauses(keys: Iterable[str]) -> Clauses:
    """Rows without values as clauses."""
    return Clauses(tuple(Phrase(key, {}) for key in keys))
