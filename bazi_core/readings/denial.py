"""Which terms of a text are denied: a negator within four characters or three words before them, or 不成立 after.

Two negators in a row restore what they stand before: 并非无根 affirms a root, 不缺金 denies that Metal is missing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bazi_core.readings.glue import glue

if TYPE_CHECKING:
    from bazi_core.readings.vocabulary import Token

HAN_REACH, LATIN_REACH = 4, 3
_WORDS = re.compile(r"[a-z']+|[^\x00-\x7f]+|\d+")
_NEXT = 10  # a sentence that only takes back what the one before it says begins so near: "…; this is false"
_ENDS = frozenset("。；;.!！\n")
# What a withdrawal takes back (身强之说不能成立, "it is untrue that …"); of bound words the first one is enough.
_WITHDRAWN = frozenset((
    "strength", "role", "soft_role", "pattern", "pattern_class", "pattern_status", "relation", "relation_status", "star",
    "event", "level", "direction", "root", "dominant", "state", "stage", "ten_god", "ten_god_class", "use_state",
))  # fmt: skip
_DENIED_AFTER = frozenset(("pattern", "pattern_class", "relation", "star", "event"))


def denied(found: list[Token], read: str) -> dict[int, str]:
    """The denied tokens by number, with the sense: denial, absence (无, no, without) or presence (不缺).

    >>> from bazi_core.readings.vocabulary import tokens
    >>> denied(*tokens("并非身强")), denied(*tokens("从财格的条件未全"))
    ({1: 'denial'}, {0: 'denial'})
    """
    turned: dict[int, str] = {}
    for number, each in enumerate(found):
        if each.category == "negator":
            for target in _targets(found, read, number):
                _turn(turned, target, each.term)
        elif each.category in _DENIED_AFTER and glue("denied").match(read, each.end):
            _turn(turned, number, "denial")
    for target in _withdrawn(found, read):
        _turn(turned, target, "denial")
    return turned


def _withdrawn(found: list[Token], read: str) -> list[int]:
    """The words that a sentence states and takes back, or takes back before it states them."""
    made: list[int] = []
    for match in glue("retracted").finditer(read):
        for number in range(len(found) - 1, -1, -1):
            each = found[number]
            if each.end <= match.start() + 1:
                if each.term in _ENDS and each.category == "break" and match.start() - each.end > _NEXT:
                    break
                made.append(number)
    for match in glue("forestalled").finditer(read):
        for number, each in enumerate(found):
            if each.start >= match.end():
                if each.term in _ENDS and each.category == "break":
                    break
                made.append(number)
    return [
        number
        for number in dict.fromkeys(made)
        if found[number].category in _WITHDRAWN
        or (found[number].category == "element" and number and found[number - 1].category == "negator")
    ]


def _turn(turned: dict[int, str], target: int, sense: str) -> None:
    """Deny a term, or, when it is denied already, restore it."""
    before = turned.pop(target, None)
    if before is None:
        turned[target] = sense
    elif "absence" in (before, sense):
        turned[target] = "presence"


def _targets(found: list[Token], read: str, number: int) -> list[int]:
    """The first term within reach of a negator, and those listed with it."""
    targets: list[int] = []
    for at in range(number + 1, len(found)):
        other = found[at]
        if other.category == "negator" and at == number + 1 and other.start - found[number].end <= 1:
            continue
        if other.category in ("break", "negator") or (
            not targets and not _reaches(found[number], other, read)
        ):
            break
        if other.category in ("position", "domain"):
            if targets:
                break
            continue
        if targets and not glue("list").match(read[found[at - 1].end : other.start]):
            break
        targets.append(at)
    return targets


def _reaches(negator: Token, other: Token, read: str) -> bool:
    gap = read[negator.end : other.start]
    if ":" in gap or "：" in gap:
        return False
    if negator.surface.isascii():
        return len(_WORDS.findall(gap)) < LATIN_REACH
    return len(gap) <= HAN_REACH
