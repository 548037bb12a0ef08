"""The purposes of days, known by their names and aliases, the items of the book that answer them, and what the
verdict of a day makes of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.almanac.doctrine import items_of
from bazi_core.errors import NoDoctrineForItem, PurposeAmbiguous, PurposeUnknown, shown
from bazi_core.questions.heard import Heard, heard
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import Word
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from bazi_core.almanac.xieji import Verdict

# What a verdict makes of a purpose.
FAVOURED = "FAVOURED"
ALL_FORBIDDEN, CLOSED, FORBIDDEN, SILENT = "ALL_FORBIDDEN", "CLOSED", "FORBIDDEN", "SILENT"
DOCTOR = "求医疗病"
# The purposes that the book does not name itself; another item stands for them.
SUBSTITUTED = ("入宅",)
# Items whose names mean other things in everyday speech.
_EVERYDAY = ("解除", "捕捉")


class Purpose(NamedTuple):
    """A purpose of a day: the items of the book that answer it, and those that help."""

    name: str
    items: tuple[str, ...]
    bonus: tuple[str, ...]
    aliases: tuple[str, ...]
    english: str
    note: str
    english_aliases: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()


@cache
def purposes() -> tuple[Purpose, ...]:
    """The purposes for which days can be asked."""
    return tuple(
        Purpose(
            row["purpose"], _split(row["items_any"]), _split(row["items_bonus"]), _split(row["aliases"]), row["en"],
            row["note"], _split(row["en_aliases"]), tuple(row["domains"].split()),
        )
        for row in rows("almanac/purposes")
    )  # fmt: skip


def _split(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, cell.split("|")))


def purpose_of(text: str) -> Purpose:
    """The purpose that a text names, by its name, its English name, an alias or an item of the book.

    Raises `PURPOSE_UNKNOWN`, `PURPOSE_AMBIGUOUS` where a text names two, and `NO_DOCTRINE_FOR_ITEM` for the items of modern
    almanacs of which the book has no row.

    >>> purpose_of("搬家").items, purpose_of("想挑个日子结婚").name, purpose_of("opening a shop or to open a shop").name
    (('般移',), '嫁娶', '开市')
    """
    if not isinstance(text, str) or not text.strip():
        raise _unknown(text)
    asked = text.strip().lower()
    exact = [each for each in purposes() if asked in (each.name, each.english, *each.aliases)]
    if exact:
        return exact[0]
    if asked in items_of():
        return _of_item(asked)
    named, without = purposes_in(text), items_without_doctrine(text)
    if without and not named:
        raise NoDoctrineForItem(
            Said("no_doctrine", item=Word(without[0])),
            hint=Said("no_doctrine_hint"),
            item=without[0],
            doctrine="xieji",
        )
    if not named:
        raise _unknown(text)
    if len(named) > 1:
        names = [each.name for each in named]
        raise PurposeAmbiguous(
            Said(
                "purpose_ambiguous",
                text=shown(text),
                names=Listed((Word(each.name, each.english) for each in named), " or "),
            ),
            given=shown(text),
            choices=names,
        )
    return named[0]


def purposes_in(text: str) -> tuple[Purpose, ...]:
    """The purposes of which a text has a word that is no part of a longer word found, in either script or in English.

    >>> [each.name for each in purposes_in("這天開業還是搬家好？")], purposes_in("Can we get married?")[0].name
    (['移徙', '开市'], '嫁娶')
    """
    whole = heard(text)
    english = _spaced(whole)
    found = {word: each for word, each in _signs().items() if word in whole.signs}
    found |= {word: each for word, each in _english().items() if word in english}
    longest = {word for word in found if not any(word != other and word in other for other in found)}
    named = dict.fromkeys(each for word, each in found.items() if word in longest)
    return tuple(sorted(named, key=list(_known()).index))


def asks_of_day(text: str) -> frozenset[str]:
    """How a text asks for the day as a whole: `what` it is good for, `how` it is.

    >>> sorted(asks_of_day("今天適合做什麼")), sorted(asks_of_day("今天怎么样")), sorted(asks_of_day("提车"))
    (['what'], ['how'], [])
    """
    whole = heard(text)
    english = _spaced(whole)
    return frozenset(
        row["asks"]
        for row in rows("almanac/day_words")
        if any(word in whole.signs for word in _split(row["zh"]))
        or any(f" {word} " in english for word in _split(row["en"]))
    )


def _spaced(whole: Heard) -> str:
    """The words of a text with a space on either side of each."""
    return f" {' '.join(''.join(sign if sign.isalnum() else ' ' for sign in whole.plain).split())} "


def items_without_doctrine(text: str) -> tuple[str, ...]:
    """The items of modern almanacs that a text names, of which the book has no row.

    >>> items_without_doctrine("今日開光好嗎")
    ('开光',)
    """
    signs = heard(text).signs
    return tuple(row["item"] for row in rows("almanac/items_without_doctrine") if row["item"] in signs)


def purposes_of_domain(domain: str) -> tuple[Purpose, ...]:
    """The purposes that a question about a side of life may mean.

    >>> [each.name for each in purposes_of_domain("career")]
    ['开市', '上任']
    """
    return tuple(each for each in purposes() if domain in each.domains)


def standing_of(found: Verdict, wanted: Purpose) -> str:
    """The standing of a purpose under a verdict: `FAVOURED`, or why not: `ALL_FORBIDDEN`, `CLOSED` (by a day that closes
    the list), `FORBIDDEN`, `SILENT`."""
    if found.all_forbidden:
        return ALL_FORBIDDEN
    if any(item in found.yi for item in wanted.items):
        return FAVOURED
    if any(item in found.why and found.why[item].rule in found.restrict for item in wanted.items):
        return CLOSED
    return FORBIDDEN if any(item in found.ji for item in wanted.items) else SILENT


@cache
def _signs() -> dict[str, Purpose]:
    """Purposes by the words that name them in simplified signs, and items of the popular list by theirs."""
    popular = {word: item for item, words in items_of("minyong37").items() for word in words.split("/")}
    words = {word: _of_item(item) for word, item in popular.items() if word not in _EVERYDAY}
    words |= {word: each for each in purposes() for word in (*each.aliases, each.name)}
    return {word: each for word, each in words.items() if len(word) > 1}


@cache
def _english() -> dict[str, Purpose]:
    """Purposes by the English words that name them, between spaces."""
    return {
        f" {word.replace('-', ' ')} ": each
        for each in purposes()
        for word in (*each.english_aliases, each.english)
    }


@cache
def _known() -> dict[Purpose, None]:
    return dict.fromkeys((*purposes(), *map(_of_item, items_of())))


def _of_item(item: str) -> Purpose:
    return Purpose(item, (item,), (), (), "", "")


def _unknown(text: object) -> PurposeUnknown:
    names = [each.name for each in purposes()]
    return PurposeUnknown(
        Said("purpose_unknown", text=shown(text)),
        hint=Said("purpose_unknown_hint", names=Listed(Word(each.name, each.english) for each in purposes())),
        given=shown(text),
        choices=names,
    )
