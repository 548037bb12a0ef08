"""What a question names of the judgement of a chart, as practitioners do: a pattern, ten gods at work on each other, a tie
between signs, the useful god, a root, warm and cold, the illness with its remedy, the animal of birth, a luck pillar.

Each is a term of a question (`questions.terms`): its kind and its name, of a tie the verb and the signs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.questions.domains import NOTHING, OF_WHOLE, domain_in
from bazi_core.questions.heard import Heard, Wording, wording
from bazi_core.questions.slots import slot_rows
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PATTERN, DYNAMIC, TIE, USE, ROOT, CLIMATE, ILLNESS, ANIMAL, LUCK = (
    "pattern", "dynamic", "tie", "use", "root", "climate", "illness", "animal", "luck",
)  # fmt: skip
# Kinds that are rows of the terms of a chart, and so have a name in every language.
_OF_TERMS = (PATTERN, "pattern_class", DYNAMIC)
# Who asks what is to be done about something named, when, or how much of it there is, does not ask whether it holds.
_NOT_OF_HOLDING = ("how", "when", "how_much")
# Two or three signs and what they do: 卯酉冲, 甲己相合, 寅巳申三刑.
_TIE = re.compile(
    r"([甲乙丙丁戊己庚辛壬癸]{2}|[子丑寅卯辰巳午未申酉戌亥]{2,3})(?:[相六三半自]|天干|地支)?([冲合刑害穿破会克])"
)
# The root of a stem that is named: 酉中辛的根, 庚金有没有根.
_ROOT = re.compile(
    r"([甲乙丙丁戊己庚辛壬癸])[木火土金水]?(?:的|有没有|有|无|没|通|得|是否|在.{0,2}){0,2}根(?!据|本)"
)
# A luck pillar by its name: 癸亥大运, 己巳运.
_LUCK = re.compile(
    r"([甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥])(?=(?:大?运|这步|那步)(?!$)|大?运|[和与跟还].{0,4}[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]大?运)"
)
# As many names of one question are looked up.
MOST_NAMED = 3


class NamedTerms(NamedTuple):
    """The terms that clauses name, and the clauses with a mark in the place of each."""

    terms: tuple[str, ...]
    rest: list[Heard]


def looked_up_in(asking: Sequence[Heard], kind: str) -> NamedTerms:
    """The terms of which the clauses ask whether they hold: nothing else in them names a side of life.

    >>> from bazi_core.questions.heard import heard
    >>> looked_up_in([heard("师父说我是从财格，对不对？")], "whether").terms
    ('pattern:从财格',)
    >>> [looked_up_in([heard(each)], "whether").terms for each in ("卯酉冲到夫妻宫了吗", "我有没有甲己合")]
    [(), ('tie:合甲己',)]
    """
    found = named_in(asking)
    is_of_side = domain_in(NOTHING, found.rest) not in OF_WHOLE
    if not found.terms or is_of_side or kind in _NOT_OF_HOLDING:
        return NamedTerms((), list(asking))
    return found


def named_in(clauses: Sequence[Heard]) -> NamedTerms:
    """The terms that clauses name, and the clauses without them."""
    terms: dict[str, None] = {}
    rest = []
    for clause in clauses:
        for kind, name, words in _names():
            if words.fits(clause):
                terms[f"{kind}:{name}"] = None
                clause = clause.without(words)
        terms |= dict.fromkeys(f"{TIE}:{verb}{signs}" for signs, verb in _TIE.findall(clause.signs))
        terms |= dict.fromkeys(f"{ROOT}:{stem}" for stem in _ROOT.findall(clause.signs))
        terms |= dict.fromkeys(f"{LUCK}:{pillar}" for pillar in _LUCK.findall(clause.signs))
        for pattern in (_TIE, _LUCK, _ROOT):
            clause = clause.without(Wording(words=None, signs=pattern))
        rest.append(clause)
    return NamedTerms(tuple(terms)[:MOST_NAMED], rest)


@cache
def _names() -> tuple[tuple[str, str, Wording], ...]:
    """Every name: its kind, the name, its words; longer names before those that they begin with."""
    return tuple(sorted(_each_name(), key=lambda each: -len(each[1])))


def _each_name() -> Iterator[tuple[str, str, Wording]]:
    more = {value: words for value, _, words in slot_rows("term")}
    for row in rows("terms"):
        if row["kind"] in _OF_TERMS:
            name = row["zh-Hans"]
            other = more.get(name)
            english = [row["en"].lower(), *([other.words.pattern] if other and other.words else ())]
            hanzi = [name, *([other.signs.pattern] if other and other.signs else ())]
            kind = DYNAMIC if row["kind"] == DYNAMIC else PATTERN
            yield kind, name, wording("|".join(hanzi), "|".join(english))
    for value, _, words in slot_rows("doctrine"):
        kind, _, name = value.partition(":")
        yield kind, name, words
