"""What a statement says, value by value, held against the values of the facts that it cites; no text is looked at."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS, Branch, Pillar, Stem
from bazi_core.liuyao.marks import season
from bazi_core.speech.catalogue import At, Clauses, LinePlace, Najia, Nth, Phrase, Sign, Term, catalogue
from bazi_core.speech.speaker import slots
from bazi_core.speech.statements.cast_words import NAMED
from bazi_core.structures.classes import CLASSES
from bazi_core.tables.words import LANGUAGES
from bazi_core.views.strength import class_of
from bazi_core.wording import FactPhrase
from bazi_core.year.rules import DOMAIN_ZH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.speech.plan import Plan, Statement

PLACES = {"xiaoyun": "minor"}
# Words of a reading, and how a fact states them in its id or value.
STATED = {"顺行": "forward", "逆行": "backward", "内卦": "inner", "外卦": "outer"}
STATED |= {word: name for name, word in DOMAIN_ZH.items()}
# Classes of ten gods and kinds of ties that a sentence explains itself by; they are said of no place.
EXPLAINED = frozenset(("干合", "比劫", "食伤", *NAMED.values()))

# Sentences that say of what a slot names that it is nowhere in the chart.
ABSENT = {
    "answer.term.star.absent": "stars", "answer.term.god.absent": "god", "answer.doctrine.dynamic.absent": "name",
    "answer.doctrine.tie.absent": "signs", "answer.doctrine.luck.absent": "named", "answer.doctrine.root.unseen": "named",
}  # fmt: skip
# Sentences that say of what a question names that the chart is not called so.
DENIED = {
    "answer.doctrine.pattern.not": "named", "answer.doctrine.pattern.far": "named",
    "answer.doctrine.pattern.outranked": "named",
}  # fmt: skip


def atoms(value: Any) -> Iterator[str]:
    """The words, signs and numbers in a value of a statement."""
    match value:
        case Term():
            yield value.hanzi
        case Sign() | Najia():
            yield value.hanzi
        case LinePlace():
            yield str(value.position)
        case At():
            place = value.place.partition(".")[0]
            yield PLACES.get(place, place)
            if value.sign is not None:
                yield from atoms(value.sign)
        case Nth():
            yield str(value.number)
        case Clauses():
            for each in value.members:
                yield from atoms(each)
        case Phrase():
            for name, each in value.values.items():
                if name in printed(value.key):
                    yield from atoms(each)
        case FactPhrase():
            for each in value.values:
                yield from atoms(each)
        case list() | tuple():
            for each in value:
                yield from atoms(each)
        case int():
            yield str(value)
        case str():
            yield value


class Known:
    """All that the facts of a plan, and those they rest on, state; asked fact by fact."""

    def __init__(self, plan: Plan) -> None:
        self.facts = plan.facts
        self.words: dict[str, frozenset[str]] = {}

    def of(self, names: Iterable[str]) -> set[str]:
        return set().union(*map(self._of, names))

    def _of(self, name: str) -> frozenset[str]:
        if name not in self.words:
            fact = self.facts[name]
            own: set[str] = set()
            if name == "ly.yuejian":
                # What an element is in a month follows from the month.
                own.update(season(Branch(str(fact.value)[0]), element) for element in ELEMENTS)
            for each in (
                fact.value,
                fact.subject,
                fact.predicate,
                fact.position,
                fact.values,
                name.split("."),
            ):
                own.update(_flat(each))
            self.words[name] = frozenset(own).union(*map(self._of, fact.derives_from))
        return self.words[name]

    def following(self, names: Iterable[str], said: set[str]) -> set[str]:
        """What follows from facts that are cited: the animal of a branch, the age that is reached in a year, which is one
        less than the Chinese count, and from the day stem and an element the class of ten gods that it is."""
        found = {branch.zodiac.value for branch in Branch if branch.value in self.of(names)}
        found |= {
            str(int(self.facts[each].value) - 1) for each in names if re.fullmatch(r"ln\.\d+\.age", each)
        }
        if "p.day.stem" in names:
            day = Stem(str(self.facts["p.day.stem"].value))
            found |= {CLASSES[class_of(day, each)] for each in ELEMENTS if each.value in said}
        return found

    def has(self, name: str) -> bool:
        """Whether a fact places a star or a ten god of this name in the natal chart."""
        return any(
            each.startswith(f"star.{name}.") or (each.startswith("tg.") and str(fact.value) == name)
            for each, fact in self.facts.items()
        )


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if re.match(r"\d{4}-\d\d-\d\dT", value):
            # An instant states its day.
            yield value[:10]
        if "-" in value or " " in value:
            yield from value.replace("-", " ").split()
    elif isinstance(value, FactPhrase):
        yield from _flat(value.values)
        yield from _flat(value.key.split("."))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _flat(each)
    elif isinstance(value, dict):
        yield from _flat([*value.values()])
    elif isinstance(value, (Stem, Branch, Pillar)):
        yield value.value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(abs(value))
        yield str(round(abs(value)))


def unfounded(known: Known, statement: Statement) -> list[str]:
    """The words, signs and numbers in the slots of a statement that none of its facts states."""
    words = known.of(statement.evidence)
    said = {
        each
        for name, value in statement.values.items()
        if name in printed(statement.key)
        for each in atoms(value)
    }
    words |= known.following(statement.evidence, said & words)
    if statement.key in ABSENT:
        words |= {each for each in atoms(statement.values[ABSENT[statement.key]]) if not known.has(each)}
    if statement.key in DENIED:
        words |= {*atoms(statement.values[DENIED[statement.key]])} - {str(known.facts["pat.main"].value)}
    return sorted(each for each in said - EXPLAINED if not _is_in(each, words))


@cache
def printed(key: str) -> frozenset[str]:
    """The slots that some wording of a key prints."""
    names = (name for name in catalogue() if name == key or name.rpartition(".")[0] == key)
    return frozenset(
        slot for name in names for row in catalogue()[name] for lang in LANGUAGES for slot in slots(row[lang])
    )


def _is_in(atom: str, words: set[str]) -> bool:
    if atom in words or STATED.get(atom) in words:
        return True
    if atom.endswith("宫") and atom[0] in words:
        return True
    # A pillar is its stem and branch; a group is its branches; a number is itself.
    return (
        len(atom) > 1 and not atom.isascii() and all(sign in words or sign in "".join(words) for sign in atom)
    )
