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
    return turned


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
