"""Whether a question is one of death or of self-harm, by words that name it and by examples of how people ask it.

Rows of words (`question_words.csv`) hear what is named. Need is told in ever new words, so a question is compared with
examples (`need_examples.csv`) as well: every piece of it counts by how much more often it stands in examples of need than
in others (naive Bayes). What words name is not taken back by what pieces weigh. A question that is itself an example is what
that one is, so a wording that was missed, or taken for need, is one more example.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from math import log, sqrt
from typing import TYPE_CHECKING

from bazi_core.questions.domains import together
from bazi_core.questions.heard import Heard
from bazi_core.questions.slots import clauses_of
from bazi_core.tables import made_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SELF_HARM, DEATH = NEED = ("self_harm", "death")
# Whoever is hurt by others has rows of words alone.
VIOLENCE = "violence"
NORMAL = "normal"
# From here on the examples tell of need. Of those that are none, most of which sound like it, and were left out of a count,
# 3 of 100 weigh as much; of ordinary questions 1 of 100.
_ENOUGH = 2.0
# A clause or two of a longer text have to weigh more, since there are many of them.
_ENOUGH_IN_PART = 4.5
# As many pieces of no weight stand beside those of a text, so that a few signs decide little.
_UNDECIDED = 10
# What is added to every count, so that a piece that stands in examples of one kind alone does not decide.
_SMOOTHING = 0.3
# Whoever writes at length tells of need in a clause or two, and of all sorts of things besides.
_TOGETHER = 2
# How far apart two signs or words may stand that are counted together.
_FAR = 6
# A piece that stands in one example alone tells of that example only, and one that is not e times as frequent on one side as
# on the other tells nothing.
_LEAST = 2
_TELLING = 1.0
_HANZI = re.compile("[一-鿿]")
_WORD = re.compile("[a-z0-9']+|[一-鿿]+")


def need_in(text: Heard, named: Collection[str] = ()) -> tuple[str, ...]:
    """The classes of need of a text: that of the example which it is, or else those of `named`, the classes whose words it
    holds, and the one that the examples tell.

    >>> from bazi_core.questions.heard import heard
    >>> need_in(heard("我爷爷躺了半个月了，还能不能陪我们吃年夜饭")), need_in(heard("要不要换工作"))
    (('death',), ())
    """
    if example := _examples()[1].get(read_as(text)):
        return () if example == NORMAL else (example,)
    told = tuple(each for each in NEED if each in named)
    if SELF_HARM in told or VIOLENCE in named:
        return told
    found = _weighed(text, bool(told))
    return tuple(each for each in NEED if each == found or each in told)


def _weighed(text: Heard, is_of_death: bool) -> str:
    """The class of need that the pieces of a text tell, or "normal"; of what names death, whether it is wished for."""
    need, harm = _weights(text)
    if need < _ENOUGH:
        need, harm = max(map(_weights, _neighbours(text)), default=(0, 0))
        if need < _ENOUGH_IN_PART:
            return NORMAL
    return SELF_HARM if harm > (_ENOUGH if is_of_death else 0) else DEATH


def _neighbours(text: Heard) -> list[Heard]:
    """Every few clauses of a text that follow one another; none where these are the whole of it."""
    clauses = [each.heard for each in clauses_of(text.plain)]
    if len(clauses) <= _TOGETHER:
        return []
    return [together(clauses[at : at + _TOGETHER]) for at in range(len(clauses) - _TOGETHER + 1)]


def _weights(text: Heard) -> tuple[float, float]:
    """How much more like examples of need a text is than like others, and like those of self-harm than of death: logarithms
    of likelihoods, over the root of the number of pieces that are known, as they come in runs and are no evidence each."""
    known = [weights for piece in pieces(text) if (weights := _examples()[0].get(piece))]
    root = sqrt(len(known) + _UNDECIDED)
    return sum(need for need, _ in known) / root, sum(harm for _, harm in known) / root


def pieces(text: Heard) -> set[str]:
    """The pieces of a text: its signs or words, and any two of them that stand next to or near each other in this order. The
    beginning and the end count as signs.

    >>> from bazi_core.questions.heard import heard
    >>> sorted(pieces(heard("走了")))
    ['$', '^', '^ 走', '^_$', '^_了', '了', '了 $', '走', '走 了', '走_$']
    >>> sorted(pieces(heard("He's gone")))[2:]
    ["^ he's", '^_$', '^_gone', 'gone', 'gone $', "he's", "he's gone", "he's_$"]
    """
    read = ["^", *units(text), "$"]
    found = {*read, *map(" ".join, pairwise(read))}
    for apart in range(2, _FAR + 1):
        found.update(map("_".join, zip(read, read[apart:], strict=False)))
    return found


def units(text: Heard) -> list[str]:
    """What a text is read by: its words where it is English, in which terms may stand in hanzi, or else its signs.

    >>> from bazi_core.questions.heard import heard
    >>> units(heard("我爸在ICU")), units(heard("Does the 白虎 line move?"))
    (['我', '爸', '在', 'i', 'c', 'u'], ['does', 'the', '白虎', 'line', 'move'])
    """
    return _WORD.findall(text.plain) if _is_english(text) else [*text.signs]


def _is_english(text: Heard) -> bool:
    return sum(map(str.isascii, _WORD.findall(text.plain))) >= len(_HANZI.findall(text.signs))


def read_as(text: Heard) -> str:
    """A text as an example is written: its signs, or its words with a space between them.

    >>> from bazi_core.questions.heard import heard
    >>> read_as(heard("我爸在ICU！")), read_as(heard("Does the 白虎 line move?"))
    ('我爸在icu', 'does the 白虎 line move')
    """
    return (" " if _is_english(text) else "").join(units(text))


@cache
def _examples() -> tuple[dict[str, list[float]], dict[str, str]]:
    """The pieces of the examples with what they weigh, and the examples with their class."""
    made: tuple[dict[str, list[float]], dict[str, str]] = made_of("need_examples", counted)
    return made


def counted(examples: tuple[dict[str, str], ...]) -> tuple[dict[str, list[float]], dict[str, str]]:
    """The weights of the pieces of some examples, and the examples with their class."""
    return weighed(examples), {row["text"]: row["class"] for row in examples}


def weighed(examples: Iterable[dict[str, str]]) -> dict[str, list[float]]:
    """What every piece of some examples weighs: for need against none, and for self-harm against death, in logarithms of how
    much more frequent it is there. English and Chinese are counted apart, as there are not as many examples of each."""
    counts: dict[bool, dict[str, Counter[str]]] = {}
    for row in examples:
        text = Heard((row["text"],), row["text"])
        counts.setdefault(_is_english(text), {}).setdefault(row["class"], Counter()).update(pieces(text))
    weights: dict[str, list[float]] = {}
    for of_language in counts.values():
        weights |= _odds(*(of_language.get(name, Counter()) for name in (SELF_HARM, DEATH, NORMAL)))
    return weights


def _odds(harm: Counter[str], death: Counter[str], normal: Counter[str]) -> dict[str, list[float]]:
    everywhere: Counter[str] = Counter()
    for each in (harm, death, normal):
        everywhere.update(each)
    known = [piece for piece, count in everywhere.items() if count >= _LEAST]
    wish, end, none = ([each[piece] + _SMOOTHING for piece in known] for each in (harm, death, normal))
    need = [one + two - _SMOOTHING for one, two in zip(wish, end, strict=True)]
    of_need, of_wish = _shares(need, none), _shares(wish, end)
    return {
        piece: weights
        for piece, *weights in zip(known, of_need, of_wish, strict=True)
        if abs(weights[0]) >= _TELLING
    }


def _shares(counts: list[float], others: list[float]) -> list[float]:
    """The logarithms of how much larger a share of the one list than of the other every count is."""
    ahead = log((sum(others) or 1) / (sum(counts) or 1))
    return [log(one / other) + ahead for one, other in zip(counts, others, strict=True)]
