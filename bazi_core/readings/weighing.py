"""Claims that follow from comparing figures: shares, scores, and the years of a luck pillar.

What a sentence says in words (三成, 最高, 目前) holds when the figures of the cited facts bear it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bazi_core.alphabet import ELEMENTS
from bazi_core.readings.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Callable

_AMPLE, _SCARCE = 20, 15  # percent: from so many on an element is said to be ample, up to so many scarce
_DOMAINS = {
    "事业": "career", "财运": "wealth", "感情": "relationship", "家庭": "family", "身心平衡": "health_balance",
    "学业": "study",
}  # fmt: skip
_ALSO = _DOMAINS | {also: name for name, also in _DOMAINS.items()}
_LUCK = 10  # years that a luck pillar governs
_OTHER = {"男命": "女命", "女命": "男命"}


class Known(Protocol):
    """A body of facts that can be asked whether it supports a claim; of a whole reading come its years and lacks."""

    def holds(self, claim: Claim) -> bool: ...
    @property
    def years(self) -> tuple[int, ...]: ...
    @property
    def lacks(self) -> bool: ...
    @property
    def season(self) -> str: ...


def weighed(claim: Claim, known: Known) -> bool:
    """Whether the figures that are known bear out a claim."""
    rule = _RULES.get(claim.category)
    return rule is not None and rule(claim.term, known) is not claim.negated


def _percent(element: str, known: Known) -> int | None:
    return next((n for n in range(101) if known.holds(Claim("percent_of", f"{element}:{n}"))), None)


def _score(domain: str, known: Known) -> int | None:
    names = (domain, _ALSO.get(domain, domain))
    return next(
        (n for n in range(101) for each in names if known.holds(Claim("score_of", f"{each}:{n}"))), None
    )


def _share(term: str, known: Known) -> bool:
    element, _, span = term.partition(":")
    first, last = map(int, span.split("-"))
    held = _percent(element, known)
    return held is not None and first <= held <= last


def _state(element: str, known: Known, *states: str) -> bool:
    return any(known.holds(Claim("state", f"{element}:{state}")) for state in states)


def _ample(element: str, known: Known) -> bool:
    if known.holds(Claim("missing", element)):
        return False
    return (
        known.holds(Claim("dominant", element))
        or _state(element, known, "旺", "相")
        or (_percent(element, known) or 0) >= _AMPLE
    )


def _scarce(element: str, known: Known) -> bool:
    held = _percent(element, known)
    if known.holds(Claim("missing", element)) or (held is not None and held <= _SCARCE):
        return True
    return held is None and _state(element, known, "休", "囚", "死")


def _least(element: str, known: Known) -> bool:
    if known.holds(Claim("missing", element)):
        return True
    held = [_percent(each.value, known) for each in ELEMENTS]
    own = _percent(element, known)
    return own is not None and None not in held and own == min(each for each in held if each is not None)


def _above(term: str, known: Known) -> bool:
    first, second = (_score(each, known) for each in term.split(">"))
    return first is not None and second is not None and first > second


def _extreme(best: Callable[[list[int]], int]) -> Callable[[str, Known], bool]:
    def holds(domain: str, known: Known) -> bool:
        held = {each: score for each in _DOMAINS if (score := _score(each, known)) is not None}
        return len(held) > 1 and _score(domain, known) == best(list(held.values()))

    return holds


def _luck(back: range) -> Callable[[str, Known], bool]:
    def holds(term: str, known: Known) -> bool:
        pillar, _, year = term.partition(":")
        starts = (int(year) - each for each in back)
        return any(known.holds(Claim("span_of", f"{pillar}:{one}-{one + _LUCK - 1}")) for one in starts)

    return holds


def _luck_now(pillar: str, known: Known) -> bool:
    within = _luck(range(_LUCK))
    return all(within(f"{pillar}:{year}", known) for year in known.years)


_RULES: dict[str, Callable[[str, Known], bool]] = {
    "share_of": _share,
    "ample": _ample,
    "scarce": _scarce,
    "least": _least,
    "above": _above,
    "highest": _extreme(max),
    "lowest": _extreme(min),
    "luck_begins": _luck(range(1)),
    "luck_ends": _luck(range(_LUCK - 1, _LUCK)),
    "luck_in": _luck(range(_LUCK)),
    "luck_now": _luck_now,
    "season": lambda term, known: known.season == term,
    "complete": lambda _, known: not known.lacks,
    "pronoun": lambda term, known: not known.holds(Claim("gender", _OTHER[term])),
}
