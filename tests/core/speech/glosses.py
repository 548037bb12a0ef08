"""Whether a reading explains each term where it names it first, and nowhere else: looked at in its text alone.

The words of a text are found by the longest term that fits, so that 伤官 in 伤官生财 is no mention of 伤官. What stands in
brackets is the explanation of what stands before them, or a remark; terms are looked for outside.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bazi_core.speech.catalogue import Clauses, Phrase, Term, catalogue
from bazi_core.speech.plain import ALMANAC, CAST, PLACE, SCALE, explained_terms, senses
from bazi_core.speech.speaker import Speaker, slots
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import gloss
from bazi_core.tables.words import LANGUAGES, term
from bazi_core.wording import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Sentence

_BRACKETS = re.compile(r" ?[（(][^（）()]*[）)]")
# Between a term and its explanation stands at most its own sign: 日主庚金（…）, the month branch Rabbit (卯 Mao, …).
_BEHIND = {
    "en": re.compile(r"(?: the)?(?: [A-Z][a-z-]+){0,2} \(([^()]*)\)"),
    "zh": re.compile(r"[^（。，；：、]{0,3}（([^（）]*)）"),
}
# What the words of a place name beside what stands there.
_OWNERS = {"luck": "大运", "liunian": "流年", "xiaoyun": "小运"}
_PARTS = {"stem": "天干", "branch": "地支", "pillar": "四柱"}
# These tell what an event or a combination means themselves.
_TOLD_THERE = ("event", "dynamic")


@cache
def _words(language: str, of_cast: bool) -> dict[str, tuple[str, ...]]:
    """The terms that a word names, none for a longer term that is not explained."""
    found: dict[str, tuple[str, ...]] = {}
    if not of_cast:
        found |= {row[language]: () for row in rows("terms") if len(row[language]) > 1}
    for each in explained_terms().values():
        if (each.kind == CAST) is of_cast and each.kind not in (PLACE, ALMANAC):
            found |= dict.fromkeys(each.words(language), (each.hanzi,))
    if not of_cast:
        for key, (row, *_) in catalogue().items():
            head, _, rest = key.partition(".")
            owner, _, part = rest.partition(".")
            if head == "at":
                named = (
                    _OWNERS.get(owner),
                    _PARTS[part] if part != "pillar" or owner not in _OWNERS else None,
                )
                found[row[language]] = tuple(filter(None, named))
        found |= {"stem": ("天干",), "branch": ("地支",), "branche": ("地支",)} if language == "en" else {}
    if language != "en":
        return found
    named = {word: names for word, names in found.items() if " " in word or word[0].isupper() or names}
    # A term that begins a sentence is the same term: Heavy Seven Killings and a weak day master.
    return {word[0].upper() + word[1:]: names for word, names in named.items() if " " in word} | named


@cache
def _scanner(language: str, of_cast: bool) -> re.Pattern[str]:
    said = "|".join(re.escape(each) for each in sorted(_words(language, of_cast), key=len, reverse=True))
    return re.compile(rf"\b(?:{said})(?=s?\b)" if language == "en" else said)


@cache
def _meanings(language: str, of_cast: bool) -> dict[str, set[str]]:
    """What a term means, where it means anything; as a part of a place it is said in other words."""
    found: dict[str, set[str]] = {}
    for each in explained_terms().values():
        if (
            (each.kind.partition(".")[0] == CAST) is of_cast
            and each.kind != ALMANAC
            and each.meanings[language]
        ):
            found.setdefault(each.hanzi, set()).add(each.meanings[language])
    for (_, hanzi), meanings in senses().items() if of_cast else ():
        found[hanzi].add(meanings[language])
    return found


def ill_glossed(sentences: Iterable[Sentence], language: str, of_cast: bool = False) -> list[str]:
    """The terms that are named before they are explained, and the explanations that come again."""
    seen: set[str] = set()
    told: list[str] = []
    faults: list[str] = []
    words, meanings = _words(language, of_cast), _meanings(language, of_cast)
    kinds = {
        each.hanzi: each.kind
        for each in explained_terms().values()
        if (each.kind.partition(".")[0] == CAST) is of_cast and each.kind != ALMANAC
    }
    for sentence in sentences if words else ():
        text = sentence.text
        inside = [(each.start(), each.end()) for each in _BRACKETS.finditer(text)]
        for found in _scanner(language, of_cast).finditer(text):
            if any(start < found.start() < end for start, end in inside):
                continue
            for name in words[found[0]]:
                if name in seen or name in told or name not in meanings:
                    continue
                rest = text[found.end() :].removeprefix("s") if language == "en" else text[found.end() :]
                if _is_another(rest, name) or _is_domain(sentence, found):
                    continue
                seen.add(name)
                if rest.lstrip().startswith(("代表", "stands for")):
                    continue
                if kinds.get(name) in _TOLD_THERE and sentence.statement.startswith(("event.", "dyn.")):
                    continue
                behind = _BEHIND["en" if language == "en" else "zh"].match(rest)
                if behind is None or not any(each in behind[1] for each in meanings[name]):
                    faults.append(f"{name} is not explained: {text}")
        again = _explained(_bracketed(text), meanings)
        faults += [f"{name} is explained again: {text}" for name in again if name in told]
        told += again
    return faults


def unexplained(plan: Plan, language: str) -> list[str]:
    """The terms that a sentence of a plain reading names as such and that nothing read so far explains, those of one
    character (旺 财) among them. What says the sense of what it names explains that itself."""
    said = {each.id: each for each in plan.statements}
    read, sensed, faults = "", set[str](), []
    for sentence in Speaker(language, plan.digest, plain=True).reading(plan).sentences:
        read += sentence.text
        statement = said[str(sentence.statement)]
        for named in terms_said(statement.key, statement.values):
            meanings = [
                each.meanings[language]
                for each in explained_terms().values()
                if each.hanzi == named.hanzi
                and (each.kind == named.kind if named.kind else each.kind not in (CAST, ALMANAC))
            ]
            if "sense" in statement.values and named.kind in _TOLD_THERE:
                sensed.add(named.hanzi)
            is_told = named.hanzi in sensed or any(each in read for each in meanings)
            if all(meanings) and meanings and not is_told:
                faults.append(f"{named.hanzi} is not explained: {sentence.text}")
    return faults


def terms_in(value: object) -> Iterator[Term]:
    """The terms that a value of a sentence names, of a phrase those of the slots that every wording of it has."""
    if isinstance(value, Term):
        yield value
    elif isinstance(value, Phrase):
        yield from terms_said(value.key, value.values)
    elif isinstance(value, Clauses):
        yield from terms_in(value.members)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from terms_in(each)


def terms_said(key: str, values: dict[str, Any]) -> Iterator[Term]:
    """The terms that any wording of a row of the catalogue names."""
    named = [slots(row[language]) for row in catalogue().get(key, ()) for language in LANGUAGES]
    for name in frozenset[str].intersection(*named) if named else ():
        if name in values:
            yield from terms_in(values[name])


def _bracketed(text: str) -> str:
    return " ".join(_BRACKETS.findall(text))


def _explained(text: str, meanings: dict[str, set[str]]) -> list[str]:
    """The terms whose meaning a text says, but for a meaning that is a part of another that it says."""
    said = {name: [each for each in those if each in text] for name, those in meanings.items()}
    longest = [each for those in said.values() for each in those]
    return [
        name for name, those in said.items()
        if any(not any(each in more and each != more for more in longest) for each in those)
    ]  # fmt: skip


# What terms are made of: a gloss may name these things again, as it must say of what it speaks.
_THINGS = frozenset(
    [
        "stem", "branch", "line", "luck", "year", "month", "day", "sign", "wood", "fire", "earth", "metal",
        "water",
    ]
)  # fmt: skip


def circular(language: str) -> list[str]:
    """The terms that are explained by their own words: in English by one that begins alike, in Chinese by two hanzi that
    stand together in the term."""
    found = []
    for each in explained_terms().values():
        if each.kind in (PLACE, SCALE) or not each.meanings[language]:
            continue
        if each.kind == ALMANAC:
            own = gloss(each.hanzi, language)
        elif each.kind == CAST:
            own = written(CAST, each.hanzi, language)
        else:
            own = term(each.hanzi, language, each.kind)
        shared = _pieces(own, language) & _pieces(each.meanings[language], language)
        found += [f"{own}: {each.meanings[language]} ({', '.join(sorted(shared))})"] if shared else []
    return found


def _pieces(text: str, language: str) -> set[str]:
    if language != "en":
        return {"".join(pair) for pair in pairwise(text)}
    words = re.findall("[a-z]{4,}", text.lower())
    return {word[:_ALIKE] for word in words if word not in _THINGS and word not in _SMALL}


# So many letters at the beginning make two words one: broken, break.
_ALIKE = 5
_SMALL = frozenset(["with", "that", "from", "what", "them", "into"])


def _is_domain(sentence: Sentence, found: re.Match[str]) -> bool:
    """Whether the word that begins the sentence on a side of life is its name."""
    return found.start() == 0 and str(sentence.statement).startswith("area.")


def _is_another(rest: str, name: str) -> bool:
    """Whether the hanzi behind an English word say that it names another term, as Wealth (财运) does."""
    gloss = re.match(r" \(([\u3400-\u9fff]+)", rest)
    return gloss is not None and len(gloss[1]) > 1 and not name.startswith(gloss[1])
