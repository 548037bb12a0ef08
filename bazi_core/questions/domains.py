"""Which side of life a text is about, by the words of `intents.csv`."""

from __future__ import annotations

from functools import lru_cache

from bazi_core.questions.heard import Heard
from bazi_core.questions.slots import slot_rows

LOVE = ("relationship", "marriage")
TIMING = "timing"


NOTHING = Heard(("",), "")


VAGUE = (None, "general", "self", "timing")
OF_WHOLE = (*VAGUE, "health")


def domain_in(whole: Heard, asking: list[Heard]) -> str | None:
    """The side of life for which most is said in a text and in its clauses that ask; None where nothing is."""
    weights: dict[str, int] = {}
    texts = [_weights(whole), *map(_weights, asking)]
    # By the order of the rows: of two that weigh the same the first is meant.
    for _, value, weight in sorted(row for text in texts for row in text):
        weights[value] = weights.get(value, 0) + weight
    # When something comes says nothing of what it is.
    if weights.keys() - {TIMING, "general", "self"}:
        weights.pop(TIMING, None)
    return max(weights, key=lambda name: weights[name]) if weights else None


@lru_cache(maxsize=128)
def _weights(text: Heard) -> tuple[tuple[int, str, int], ...]:
    """The rows of the sides of life that a text holds: place, side, and weight for each of its words."""
    found = (
        (at, value, weight * len(words.found(text)))
        for at, (value, weight, words) in enumerate(slot_rows("domain"))
    )
    return tuple(row for row in found if row[2])


def named_beside(domain: str | None, whole: Heard) -> tuple[str, ...]:
    """The domains that are named side by side with this one: their plain names, with nothing but an "and" between them."""
    found: list[str] = []
    for _, _, joined in slot_rows("joined"):
        for pattern, text in ((joined.signs, whole.signs), (joined.words, whole.plain)):
            for run in pattern.finditer(text) if pattern else ():
                part = Heard((run[0],), run[0])
                found += [value for value, _, words in slot_rows("named") if words.fits(part)]
    return tuple(each for each in dict.fromkeys(found) if each != domain) if domain in found else ()


# Sides of life in which several things go wrong at a time.
_BEFALLS = ("career", "wealth", "relationship", "marriage", "study", "parents", "children")


def befallen(domain: str | None, whole: Heard) -> tuple[str, ...]:
    """The further sides of life in which something went wrong in a year of which it is asked why."""
    found = {value for value, _, words in slot_rows("domain") if words.fits(whole)}
    same = LOVE if domain in LOVE else (domain,)
    return (
        tuple(each for each in _BEFALLS if each in found and each not in same) if domain in _BEFALLS else ()
    )


def together(asking: list[Heard]) -> Heard:
    return Heard((" ".join(each.plain for each in asking),), "".join(each.signs for each in asking))
