"""The closed vocabulary: every word that can make a claim, in three languages, with where it counts as a term.

Words come from the tables (`terms`, `positions`, `paraphrases`, `negators`, `plain_words`), the alphabets and the
sixty pillars. A word that is an ordinary word too (强, 子, weak) is read as a term only in the contexts that
`contexts.csv` lists; ordinary words that merely contain a term (现金, 子女, 强调) are words of their own and
claim nothing. The longest match wins.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, ZODIACS, Cycle
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Contexts = tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]

# Kinds of `terms.csv` that are read, and the category under which; the others are words without a claim.
READ = {
    "element": "element", "ten_god": "ten_god", "ten_god_class": "ten_god_class", "stage": "stage",
    "solar_term": "solar_term", "nayin": "nayin", "role": "role", "strength": "strength",
    "season_state": "state", "pattern": "pattern", "pattern_status": "pattern_status",
    "pattern_class": "pattern_class", "relation": "relation", "relation_status": "relation_status",
    "event": "event", "level": "level", "star": "star", "root": "root", "strength_test": "strength_test",
    "direction": "direction", "domain": "domain", "power": "plain", "qi": "qi",
}  # fmt: skip
# Of these only hanzi of two signs are read; a single sign, or the English word, is a word of every day and counts
# only as a gloss.
_HANZI_ONLY = ("ten_god_class", "pattern_class")
# Categories of `paraphrases.csv` that exist to have contexts of their own.
_SAME_AS = {"weak_side": "strength", "strong_side": "strength"}
_AS_RELATION = ("伏吟", "反吟")
_AS_REVEALED = ("透干",)
_SINGLE = ("Companion",)


class Entry(NamedTuple):
    """One reading of a word; `contexts` are (before, after) patterns of which one must fit, none = always."""

    category: str
    term: str
    contexts: tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...] = ()

    def fits(self, text: str, start: int, end: int) -> bool:
        if not self.contexts:
            return True
        before, after = text[max(0, start - 60) : start], text[end : end + 40]
        for first, then in self.contexts:
            if (then is None or then.match(after)) and (first is None or first.search(before)):
                return True
        return False


class Words(NamedTuple):
    """The words that begin alike: the lengths that they have, the longest first, and their readings."""

    lengths: tuple[int, ...]
    entries: dict[str, tuple[Entry, ...]]


class Lexicon(NamedTuple):
    """Words by their first two signs (hanzi) or their first two words (Latin letters); short ones by what they have."""

    hanzi: dict[str, Words]
    latin: dict[str, Words]
    glosses: dict[str, tuple[tuple[str, str, str], ...]]  # gloss → (surface, category, term)
    begins: frozenset[str]  # the first signs of the words in hanzi


@cache
def lexicon() -> Lexicon:
    """The vocabulary of charts and years, compiled once."""
    return compiled(_words(), contexts("contexts"), _glosses())


def compiled(
    words: Iterable[tuple[str, str, str]],
    where: Mapping[tuple[str, str], Contexts],
    glosses: dict[str, tuple[tuple[str, str, str], ...]],
) -> Lexicon:
    """A lexicon of (word, category, term); `where` says beside what a word of a category is a term."""
    by_word: dict[str, list[Entry]] = {}
    for word, category, term in words:
        entry = Entry(_SAME_AS.get(category, category), term, where.get((category, word), ()))
        if entry not in by_word.setdefault(word, []):
            by_word[word].append(entry)
    for entries in by_word.values():
        # A reading with contexts is asked before one without.
        entries.sort(key=lambda each: not each.contexts)
    hanzi: dict[str, list[str]] = {}
    latin: dict[str, list[str]] = {}
    for word in by_word:
        spelled = _SPELLED.findall(word)
        if spelled:
            latin.setdefault(" ".join(spelled[:2]), []).append(word)
        else:
            hanzi.setdefault(word[:2], []).append(word)
    return Lexicon(
        _packed(hanzi, "", by_word),
        _packed(latin, " ", by_word),
        glosses,
        frozenset(each[0] for each in hanzi),
    )


_SPELLED = re.compile(r"([a-z]+)(?:'[a-z]+)?")


def _packed(groups: dict[str, list[str]], join: str, by_word: dict[str, list[Entry]]) -> dict[str, Words]:
    """Words of one beginning together; a single one stands with every beginning that it is part of."""
    made = {}
    for first, words in groups.items():
        single = first.partition(join)[0] if join else first[0]
        own = words if single == first else [*words, *groups.get(single, ())]
        lengths = sorted({len(word) for word in own}, reverse=True)
        made[first] = Words(tuple(lengths), {word: tuple(by_word[word]) for word in own})
    return made


def _words() -> Iterator[tuple[str, str, str]]:
    """(word, category, canonical term), English in lower case."""
    for row in rows("plain_words"):
        for word in row["words"].split("|"):
            yield word, "plain", ""
    for row in rows("negators"):
        yield row["word"], "negator", row["sense"]
    for row in rows("positions"):
        yield row["word"], "position", "|".join((row["place"], row["part"], row["named"]))
    yield from _signs()
    yield from _terms()
    yield from _paraphrases()


def _signs() -> Iterator[tuple[str, str, str]]:
    for pillar in PILLARS:
        yield pillar.value, "pillar", pillar.value
        stem, branch = _gloss(pillar.stem.value, "stem"), _gloss(pillar.branch.value, "branch")
        for join in ("", " ", "-"):
            yield f"{stem}{join}{branch}".lower(), "pinyin", pillar.value
    for stem_ in STEMS:
        yield stem_.value, "stem", stem_.value
        yield stem_.value + stem_.element.value, "stem", stem_.value
        element = _gloss(stem_.element.value, "element").lower()
        yield f"{_gloss(stem_.value, 'stem').lower()} {element}", "stem", stem_.value
        yield f"{_gloss(stem_.polarity.value, 'polarity')} {element}", "stem", stem_.value
        yield _gloss(stem_.value, "stem").lower(), "pinyin_stem", stem_.value
    for branch_ in BRANCHES:
        yield branch_.value, "branch", branch_.value
        yield branch_.value + branch_.element.value, "branch", branch_.value
        yield _gloss(branch_.value, "branch").lower(), "pinyin_branch", branch_.value


def _terms() -> Iterator[tuple[str, str, str]]:
    for row in rows("terms"):
        category, term = READ.get(row["kind"]), row["zh-Hans"]
        if category is None:
            continue
        if term in _AS_RELATION:
            category = "relation"
        if term in _AS_REVEALED:
            category = "revealed"
        hanzi_only = row["kind"] in _HANZI_ONLY
        for word in dict.fromkeys((term, row["zh-Hant"])):
            if not (hanzi_only and len(word) == 1):
                yield word, category, term
        if not hanzi_only and row["en"] not in _SINGLE:
            yield row["en"].lower(), category, term


def _paraphrases() -> Iterator[tuple[str, str, str]]:
    for row in rows("paraphrases"):
        yield from spelled_out(row["form"], row["category"], row["term"])


def spelled_out(form: str, category: str, term: str) -> Iterator[tuple[str, str, str]]:
    """A row for every member of the alphabet that it names, in every script; other rows as they are.

    >>> list(spelled_out("属<zodiac>", "born_in", "<zodiac>"))[4:6]
    [('属龙', 'born_in', '龙'), ('属龍', 'born_in', '龙')]
    """
    name = next((name for name in _ALPHABETS if f"<{name}>" in form), None)
    if name is None:
        yield form, category, term
        return
    latin = form.replace(f"<{name}>", "").isascii()
    for member in _ALPHABETS[name]:
        row = next(row for row in rows("terms") if row["kind"] == name and row["zh-Hans"] == member.value)
        said = (row["en"].lower(),) if latin else dict.fromkeys((row["zh-Hans"], row["zh-Hant"]))
        for word in said:
            yield form.replace(f"<{name}>", word), category, term.replace(f"<{name}>", member.value)


_ALPHABETS: dict[str, tuple[Cycle, ...]] = {"element": ELEMENTS, "zodiac": ZODIACS, "branch": BRANCHES}


def _gloss(hanzi: str, kind: str) -> str:
    return next(row["en"] for row in rows("terms") if row["kind"] == kind and row["zh-Hans"] == hanzi)


def contexts(table: str) -> dict[tuple[str, str], Contexts]:
    """(category, word) → the patterns of which one must fit, by the rows of a table."""
    found: dict[tuple[str, str], list[tuple[re.Pattern[str] | None, re.Pattern[str] | None]]] = {}
    for row in rows(table):
        both = (_pattern(row["before"]), _pattern(row["after"]))
        for word in row["words"].split("|"):
            found.setdefault((row["category"], word), []).append(both)
    return {key: tuple(patterns) for key, patterns in found.items()}


def _pattern(text: str) -> re.Pattern[str] | None:
    return re.compile(filled(text)) if text else None


def filled(pattern: str) -> str:
    """A pattern with the signs of the alphabets for {S} {B} {E}, the words of places for {P}, negators for {N}."""
    for mark, signs in (("{S}", STEMS), ("{B}", BRANCHES), ("{E}", ELEMENTS)):
        pattern = pattern.replace(mark, "".join(each.value for each in signs))
    for mark, table, suffix in (("{P}", "positions", ""), ("{N}", "negators", "?")):
        if mark in pattern:
            words = "|".join(row["word"] for row in rows(table) if not row["word"].isascii())
            pattern = pattern.replace(mark, f"(?:{words}){suffix}")
    return pattern


def _glosses() -> dict[str, tuple[tuple[str, str, str], ...]]:
    """What may stand in brackets after a term: its English word, in lower case."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for row in rows("terms"):
        category = READ.get(row["kind"], row["kind"])
        for surface in dict.fromkeys((row["zh-Hans"], row["zh-Hant"])):
            found.setdefault(row["en"].lower(), []).append((surface, category, row["zh-Hans"]))
    for pillar in PILLARS:
        stem, branch = _gloss(pillar.stem.value, "stem"), _gloss(pillar.branch.value, "branch")
        found.setdefault(f"{stem} {branch}".lower(), []).append((pillar.value, "pillar", pillar.value))
    return {gloss: tuple(each) for gloss, each in found.items()}
