"""Mutants of readings: true text made false in one place, for the checker to find.

Every generator takes a reading, its facts and its language, and yields readings that differ in one sentence. Terms
are found and falsehood is made sure of without the scanner under test: by plain search in the term catalogue and
in the sentences of the facts. `python -m tests.core.readings.mutants` prints what is caught.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace as replaced
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from bazi_core.alphabet import PILLARS
from bazi_core.facts import Fact
from bazi_core.tables import rows
from bazi_core.tables.words import term
from tests.core.readings.false_phrases import false_phrases

# Share of each class that must be caught.
GATES = {
    "term swap": 1.0, "number": 1.0, "evidence": 1.0, "attribution": 0.99, "exchange": 0.99, "polarity": 0.99,
    "negation": 0.98,
    "paraphrase": 0.95,
}  # fmt: skip
SWAPPED_KINDS = ("ten_god", "pattern", "relation", "strength", "role", "star", "event", "nayin")
# Terms of one group stand for one another in some fact: none replaces another of its group.
_KIN = (
    {"财格", "正财格", "偏财格"}, {"印格", "正印格", "偏印格"}, {"刑", "三刑"}, {"三合", "三合成局"}, {"三会", "三会成局"},
    {"身强", "偏强", "强", "极强"}, {"身弱", "偏弱", "弱", "极弱"},
    {"太岁", "值太岁", "冲太岁", "刑太岁", "害太岁", "破太岁"},
)  # fmt: skip


class Mutant(NamedTuple):
    """A reading with one false sentence, and what was done to it."""

    reading: Any
    before: str
    after: str
    evidence: tuple[str, ...]


Generator = Callable[[Any, Mapping[str, Fact], str, random.Random], Iterator[Mutant]]


def _with(value: Any, **changes: Any) -> Any:
    return value._replace(**changes) if hasattr(value, "_replace") else replaced(value, **changes)


def _sentences(reading: Any) -> list[tuple[int | None, int, Any]]:
    """(section, place in it, sentence) of all that cite facts; the summary is section None."""
    found: list[tuple[int | None, int, Any]] = [(None, n, each) for n, each in enumerate(reading.summary)]
    for number, section in enumerate(reading.sections):
        found += [(number, n, each) for n, each in enumerate(section.sentences)]
    return [each for each in found if each[2].kind in ("fact", "inference") and each[2].evidence]


def _changed(reading: Any, where: tuple[int | None, int, Any], **changes: Any) -> Mutant:
    section, place, old = where
    new = _with(old, **changes)
    if section is None:
        made = _with(reading, summary=_put(reading.summary, place, new))
    else:
        own = reading.sections[section]
        own = _with(own, sentences=_put(own.sentences, place, new))
        made = _with(reading, sections=_put(reading.sections, section, own))
    return Mutant(made, old.text, new.text, tuple(new.evidence))


def _put(values: Iterable[Any], place: int, value: Any) -> tuple[Any, ...]:
    made = list(values)
    made[place] = value
    return tuple(made)


class _Found(NamedTuple):
    kind: str
    canonical: str
    start: int
    end: int


@cache
def _surfaces() -> dict[str, tuple[str, str]]:
    """Kind and canonical form of the hanzi terms of two signs and more."""
    found = {pillar.value: ("pillar", pillar.value) for pillar in PILLARS}
    for row in rows("terms"):
        for word in (row["zh-Hans"], row["zh-Hant"]):
            if len(word) > 1:
                found.setdefault(word, (row["kind"], row["zh-Hans"]))
    return found


@cache
def _any_term() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_surfaces(), key=lambda word: -len(word))))


@cache
def _of_kind(kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(canonical for each, canonical in _surfaces().values() if each == kind))


def terms_in(text: str) -> list[_Found]:
    """The terms of a text by plain search, the longest at each place."""
    return [_Found(*_surfaces()[match[0]], *match.span()) for match in _any_term().finditer(text)]


def _known(evidence: Iterable[str], facts: Mapping[str, Fact]) -> str:
    return " ".join(f"{facts[name].text_zh} {facts[name].value} {name}" for name in evidence)


def _akin(one: str, other: str) -> bool:
    return (
        one == other or any(one in group and other in group for group in _KIN) or one in other or other in one
    )


def _swap(text: str, one: _Found, new: str, language: str) -> str:
    """Put another term in the place of one, with its gloss when a gloss follows."""
    shown = term(new, language, one.kind) if language == "zh-Hant" else new
    tail = text[one.end :]
    old_gloss = f" ({term(one.canonical, 'en', one.kind)})"
    if one.kind != "pillar" and tail.startswith(old_gloss):
        tail = f" ({term(new, 'en', one.kind)})" + tail[len(old_gloss) :]
    return text[: one.start] + shown + tail


def term_swaps(
    reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random
) -> Iterator[Mutant]:
    """A term for another of its kind, half of the time one that the facts of another sentence hold."""
    elsewhere = " ".join(fact.text_zh for fact in facts.values())
    for where in _sentences(reading):
        sentence = where[2]
        known = _known(sentence.evidence, facts)
        for one in terms_in(sentence.text):
            if one.kind != "pillar" and one.kind not in SWAPPED_KINDS:
                continue
            others = [c for c in _of_kind(one.kind) if c not in known and not _akin(c, one.canonical)]
            near = [c for c in others if c in elsewhere]
            pool = near if near and rng.random() < 0.5 else others
            if pool:
                yield _changed(reading, where, text=_swap(sentence.text, one, rng.choice(pool), language))


def numbers(reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random) -> Iterator[Mutant]:
    """A year, age, month, score, share or index for another."""
    for where in _sentences(reading):
        sentence = where[2]
        known = re.findall(r"\d+", _known(sentence.evidence, facts))
        whole = {number.lstrip("0") for number in known}
        for match in re.finditer(r"\d+", sentence.text):
            old = int(match[0])
            choices = [old + step for step in (-10, -3, -2, -1, 1, 2, 3, 10) if old + step > 0]
            choices = [each for each in choices if str(each) not in whole]
            if choices:
                text = (
                    sentence.text[: match.start()] + str(rng.choice(choices)) + sentence.text[match.end() :]
                )
                yield _changed(reading, where, text=text)


def evidence(reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random) -> Iterator[Mutant]:
    """An id that does not exist, or the evidence of another sentence."""
    found = _sentences(reading)
    for where in found:
        names = list(where[2].evidence)
        one = rng.randrange(len(names))
        unknown = [*names[:one], names[one] + rng.choice(["x", ".9", "甲"]), *names[one + 1 :]]
        if rng.random() < 0.4 and unknown[one] not in facts:
            yield _changed(reading, where, evidence=tuple(unknown))
            continue
        donor = rng.choice(found)[2]
        known = _known(donor.evidence, facts)
        named = [
            each.canonical for each in terms_in(where[2].text) if each.kind in (*SWAPPED_KINDS, "pillar")
        ]
        if named and any(each not in known and not _spelled(each, known) for each in named):
            yield _changed(reading, where, evidence=tuple(donor.evidence))


def _spelled(name: str, known: str) -> bool:
    """Whether other words of the facts may bring a term: its two signs, or one of its kin."""
    kin = any(name in group and any(other in known for other in group) for group in _KIN)
    return kin or all(sign in known for sign in name)


_PLACE_WORDS = {
    "zh-Hans": {f"{where}{part}": (where, part) for where in "年月日时" for part in "干支柱"},
    "zh-Hant": {f"{where}{part}": (where, part) for where in "年月日時" for part in "干支柱"},
    "en": {f"{where} {part}": (where, part) for where in ("year", "month", "day", "hour")
           for part in ("stem", "branch", "pillar")},
}  # fmt: skip
_ZH_PLACE = {"year": "年", "month": "月", "day": "日", "hour": "时", "時": "时"}
_IDS = {"年": "year", "月": "month", "日": "day", "时": "hour"}


def attribution(
    reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random
) -> Iterator[Mutant]:
    """The right term at the wrong place: 月支 for 日支, or two places exchanged."""
    words = _PLACE_WORDS[language]
    pattern = re.compile("|".join(words))
    for where in _sentences(reading):
        text = where[2].text
        known = _known(where[2].evidence, facts)
        places = [
            each
            for each in pattern.finditer(text)
            if not re.search("流|flow |luck ", text[max(0, each.start() - 5) : each.start()])
        ]
        for one in places:
            own, part = words[one[0]]
            free = [
                word
                for word, (place, same) in words.items()
                if same == part and place != own and not _speaks_of(place, known, where[2].evidence)
            ]
            if free:
                new = rng.choice(free)
                yield _changed(reading, where, text=text[: one.start()] + new + text[one.end() :])
        for one, two in pairwise(places):
            if one[0] != two[0] and _differ(text, one, two, facts, words):
                made = (
                    text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]
                )
                yield _changed(reading, where, text=made)


def exchanges(reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random) -> Iterator[Mutant]:
    """Two terms of a kind, each of one cited fact, at each other's place."""
    for where in _sentences(reading):
        text, names = where[2].text, where[2].evidence
        found = [
            each for each in terms_in(text) if each.kind in ("ten_god", "star", "nayin", "stage", "pillar")
        ]
        for one, two in pairwise(found):
            homes = [[name for name in names if each.canonical in facts[name].text_zh] for each in (one, two)]
            if (
                one.kind != two.kind
                or one.canonical == two.canonical
                or any(len(home) != 1 for home in homes)
            ):
                continue
            if homes[0] == homes[1] or _same_statement(facts[homes[0][0]], facts[homes[1][0]]):
                continue
            made = _swap(text, two, one.canonical, language)
            yield _changed(reading, where, text=_swap(made, one, two.canonical, language))


def _same_statement(one: Fact, two: Fact) -> bool:
    """Whether two facts differ only in their term, so that the sentence may name the terms in either order."""
    bare = [fact.text_zh.replace(str(fact.value), "").replace(fact.subject, "") for fact in (one, two)]
    return bare[0] == bare[1]


def _speaks_of(place: str, known: str, ids: Iterable[str]) -> bool:
    sign = _ZH_PLACE.get(place, place)
    return any(f"{sign}{part}" in known for part in "干支柱") or any(_IDS[sign] in name for name in ids)


def _differ(text: str, one: re.Match[str], two: re.Match[str], facts: Mapping[str, Fact], words: Any) -> bool:
    """Whether both places are followed by a sign that does not stand at the other one."""
    for here, there in ((one, two), (two, one)):
        place, part = words[there[0]]
        name = f"p.{_IDS[_ZH_PLACE.get(place, place)]}.{'stem' if part in ('干', 'stem') else 'branch'}"
        sign = text[here.end() :].lstrip(" ")[:1]
        if (
            part in ("柱", "pillar")
            or name not in facts
            or sign not in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"
        ):
            return False
        if facts[name].value == sign or not sign:
            return False
    return True


_POLES = {
    "zh-Hans": (
        ("用神", "忌神"), ("喜神", "仇神"), ("喜", "忌"), ("身强", "身弱"), ("偏强", "偏弱"), ("极强", "极弱"),
        ("日主强", "日主弱"), ("为强", "为弱"),
    ),
    "zh-Hant": (
        ("用神", "忌神"), ("喜神", "仇神"), ("喜", "忌"), ("身強", "身弱"), ("偏強", "偏弱"), ("極強", "極弱"),
        ("日主強", "日主弱"), ("為強", "為弱"),
    ),
    "en": (
        ("useful god", "unfavourable god"), ("favourable god", "adverse god"), ("favours", "avoids"),
        ("is favourable", "is unfavourable"), ("is strong", "is weak"), ("rather strong", "rather weak"),
        ("extremely strong", "extremely weak"), ("strong day master", "weak day master"), ("用神", "忌神"),
        ("喜神", "仇神"), ("身强", "身弱"), ("偏强", "偏弱"), ("极强", "极弱"),
    ),
}  # fmt: skip
_NOT_POLES = re.compile(
    r"(?:for|and) favours|喜神|喜用|喜[欢歡]|[惊驚天]喜|忌神受制|成中有忌|[un]+favourable god"
)


def polarity(reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random) -> Iterator[Mutant]:
    """用 for 忌, strong for weak, and the other way round."""
    for where in _sentences(reading):
        text = where[2].text
        known = _known(where[2].evidence, facts)
        for one, other in [*_POLES[language], *((b, a) for a, b in _POLES[language])]:
            pattern = (
                rf"(?<![a-z]){re.escape(one)}(?![a-z])" if one.isascii() else f"{re.escape(one)}(?!弱为|弱為)"
            )
            for match in re.finditer(pattern, text):
                single = (len(one) == 1 or one == "favours") and _NOT_POLES.search(
                    text[max(0, match.start() - 4) : match.end() + 2]
                )
                if single or other in known or _event_word(text, match):
                    continue
                if not one.isascii() and one in ("为强", "为弱", "為強", "為弱") and "强弱" not in known:
                    continue
                yield _changed(reading, where, text=text[: match.start()] + other + text[match.end() :])


def _event_word(text: str, match: re.Match[str]) -> bool:
    """用神得根 and the like are names of events: changing a part of one makes a word of nothing."""
    return any(
        each.start <= match.start() < each.end and each.kind in ("event", "star", "pattern", "pattern_status")
        for each in terms_in(text)
    ) or ("useful god " in text[match.start() : match.end() + 1] and bool(
        re.match(r" (?:rooted|revealed|clashed|bound|restrained)", text[match.end() :])
    ))  # fmt: skip


_NEGATORS = {
    "zh-Hans": ("不是", "并非", "不", "非", "无", "未", "没有", "难称"),
    "zh-Hant": ("不是", "並非", "不", "非", "無", "未", "沒有", "難稱"),
    "en": ("not ", "no ", "never ", "without ", "not a ", "not the "),
}


def negation(reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random) -> Iterator[Mutant]:
    """A negator before a term."""
    for where in _sentences(reading):
        text = where[2].text
        known = _known(where[2].evidence, facts)
        for one in terms_in(text):
            if f"{one.canonical}，八字不见" in known:
                continue  # that it is not there is true
            if one.kind == "pillar" or one.kind in SWAPPED_KINDS:
                made = text[: one.start] + rng.choice(_NEGATORS[language]) + text[one.start :]
                yield _changed(reading, where, text=made)
        if language == "en":
            for verb in re.finditer(
                r"\bis (?=rooted|strong|weak|rootless|unfavourable|prosperous|dominant)", text
            ):
                rooted = text[: verb.end()] + rng.choice(("not ", "never ")) + text[verb.end() :]
                yield _changed(reading, where, text=rooted)


def paraphrase(
    reading: Any, facts: Mapping[str, Fact], language: str, rng: random.Random
) -> Iterator[Mutant]:
    """A turn of phrase that says something false, added to a true sentence."""
    false = list(false_phrases(facts, language))
    for where in _sentences(reading):
        text = where[2].text.rstrip("。.")
        for phrase in rng.sample(false, min(2, len(false))):
            made = f"{text}，{phrase}。" if language != "en" else f"{text}, and {phrase}."
            yield _changed(reading, where, text=made)


GENERATORS: dict[str, Generator] = {
    "term swap": term_swaps,
    "number": numbers,
    "evidence": evidence,
    "attribution": attribution,
    "exchange": exchanges,
    "polarity": polarity,
    "negation": negation,
    "paraphrase": paraphrase,
}


if __name__ == "__main__":
    from tests.core.readings.tallies import main

    main(sys.argv[1:])
