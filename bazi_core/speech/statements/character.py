"""What a chart says of a character: its strong sides, its weak ones, or both.

The five elements stand for five virtues, and each of them is overdone where it has too much and wanting where it has too
little (《渊海子平·论性情》); what the ten gods do to each other speaks of the same for better or worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ROLE_FACTS
from bazi_core.speech.catalogue import Clauses, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING
from bazi_core.speech.statements.asked import FAULTS, GIFTS, TRAITS
from bazi_core.speech.statements.nouns import element, share, share_ids
from bazi_core.structures.classes import element_of

if TYPE_CHECKING:
    from bazi_core.pattern.dynamics import Dynamic
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

MUCH, LITTLE = 30, 10  # shares in percent from which an element has too much and below which too little
NAMED = 2


def character(draft: Draft, result: PatternResult, what: str) -> None:
    """The gifts of a character, its faults and what mends them, or both."""
    if what != FAULTS:
        _gifts(draft, result)
    if what != GIFTS:
        _faults(draft, result, ".too" if what == TRAITS else "")
        if what == FAULTS:
            _mends(draft, result)


def _gifts(draft: Draft, result: PatternResult) -> None:
    day = result.pillars.day.stem
    draft.add(
        "answer.gifts", "p.day.stem", weight=1, certainty=LEANING, required=True, side=FOR, day=sign(day),
        virtue=Phrase(f"virtue.{day.element}", {}),
    )  # fmt: skip
    own = max(result.useful.order[:2], key=lambda each: result.elements.seasonal[each.index])
    if own is not day.element and result.elements.seasonal[own.index]:
        role = result.useful.role(own)
        draft.add(
            "answer.gifts.also", ROLE_FACTS[role], *share_ids(own), weight=1, certainty=LEANING, side=FOR,
            element=element(own), share=share(result, own), role=Term(role, "role"), virtue=Phrase(f"virtue.{own}", {}),
        )  # fmt: skip
    _dynamics(draft, result, "吉", "answer.strong", FOR)


def _faults(draft: Draft, result: PatternResult, too: str) -> None:
    """Too much of one element, too little of another; where neither is, the strength of the day master."""
    order = sorted(ELEMENTS, key=lambda each: -result.elements.seasonal[each.index])
    most, least = order[0], order[-1]
    told, ids = [], list[str]()
    for found, kind, is_so in (
        (most, "excess", result.elements.seasonal[most.index] >= MUCH),
        (least, "lack", result.elements.seasonal[least.index] < LITTLE),
    ):
        if is_so:
            values = {
                "element": element(found),
                "share": share(result, found),
                "sense": Phrase(f"{kind}.{found}", {}),
            }
            told.append(Phrase(f"fault.{kind}", values))
            ids += share_ids(found)
    if told:
        draft.add(
            f"answer.faults{too}", *ids, weight=1, certainty=LEANING, required=True, side=AGAINST, rows=Clauses(tuple(told))
        )  # fmt: skip
    else:
        assert result.strength is not None
        side = "strong" if result.strength.is_strong else "weak"
        draft.add(
            f"answer.faults.even{too}", "str.verdict", *share_ids(most, least), weight=1, certainty=LEANING,
            required=True, side=AGAINST, verdict=Term(result.strength.verdict, "strength"), sense=Phrase(f"even.{side}", {}),
        )  # fmt: skip
    _dynamics(draft, result, "凶", "answer.weak", AGAINST)


def _mends(draft: Draft, result: PatternResult) -> None:
    """What mends faults: the first of the elements that are wanted of which there is not most already."""
    most = max(ELEMENTS, key=lambda each: result.elements.seasonal[each.index])
    use = next(each for each in result.useful.order if each is not most)
    role = result.useful.role(use)
    draft.add(
        "answer.faults.mend", ROLE_FACTS[role], weight=1, certainty=LEANING, use=element(use), role=Term(role, "role"),
        virtue=Phrase(f"virtue.{use}", {}),
    )  # fmt: skip


def _has_weight(result: PatternResult, dynamic: Dynamic) -> bool:
    """Whether none of the gods that make a strength is of an element too light to carry one."""
    day = result.pillars.day.stem
    own = {element_of(day, member.god // 2) for member in dynamic.members}
    return all(result.elements.seasonal[each.index] >= LITTLE for each in own)


def _dynamics(draft: Draft, result: PatternResult, polarity: str, key: str, side: str) -> None:
    """The dynamics of one polarity that stand."""
    found = [
        dynamic for dynamic in result.dynamics
        if dynamic.state == STANDS and dynamic.polarity == polarity and (polarity == "凶" or _has_weight(result, dynamic))
    ][:NAMED]  # fmt: skip
    if found:
        said = [Phrase("ground.dynamic", {"name": Term(each.name, "dynamic")}) for each in found]
        draft.add(
            key,
            *(each.fact_id for each in found),
            weight=1,
            kind="fact",
            certainty=LEANING,
            side=side,
            rows=said,
        )
