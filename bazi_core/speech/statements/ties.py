"""The ties between the pillars: what holds, what is weakened or resolved, and what a combination turns into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import Stem
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.speech.catalogue import At, Phrase, Sign, Term
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.nouns import element
from bazi_core.views.resolution import BOUND, is_own

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.pattern.useful import Useful
    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation

HOLDS, RESOLVED, WEAKENED, FAR = "成立", "化解", "减力", "遥隔"
# Fate of a tie -> the part of a key that tells it.
FATES = {HOLDS: "holds", RESOLVED: "resolved", WEAKENED: "weakened", FAR: "far"}
# Ties within one pillar and control between stems are common: they are told at length only.
_MINOR = frozenset(("干克", "盖头", "截脚"))
_STEMS = ("干合", "干冲", "干克")
_GROUPS = ("三合", "三会")
_BREAKS = ("天克地冲", "反吟", "六冲")
_WEIGHTS = (2, 2.5, 3, 3)
DECISIVE = 1.5  # of a tie that moves the chart as a whole, wherever it stands


def ties(draft: Draft, found: Sequence[Relation], useful: Useful | None) -> None:
    """The complete groups of branches and the strongest ties that hold, then others by their fate, then what combinations
    turn into."""
    by_strength = sorted(found, key=_order)
    told: list[Relation] = []
    # What an answer has told of the chart is not told again.
    known = [each for each in by_strength if draft.cites(each.id)]
    for minor in (False, True):
        for each in by_strength:
            if each.status == HOLDS and (each.type in _MINOR) is minor and _tells_more(each, told + known):
                told.append(each)
    told_before = max((each.strength for each in known if each.status == HOLDS), default=0)
    for number, (each, weight) in enumerate(zip(told, _WEIGHTS, strict=False)):
        same = any(each.type == other.type for other in told[:number])
        first = "ties.first" if each.strength > told_before else "ties.beside"
        key = "ties.same" if same else "ties.next" if number else first
        weight = 3 if each.type in _MINOR else DECISIVE if _decides(each) else weight
        said, ids = sense(each, useful)
        draft.add(key, *grounds(each), *ids, weight=weight, bond=bond(each), sense=said)
    if not told and not known:
        draft.add("ties.quiet", weight=2.5, kind="transition")
    _fates(draft, by_strength)
    turns(draft, by_strength)


def _order(each: Relation) -> tuple[bool, float, bool]:
    """Complete groups first, then the strongest; of two alike a clash first (支神只以冲为重: 《滴天髓·地支》)."""
    return each.type not in _GROUPS, -each.strength, each.type not in _BREAKS


def _decides(each: Relation) -> bool:
    """Whether a tie moves the chart as a whole: a complete group of branches, or a clash that meets the month or the day."""
    own = {where for where, _ in each.members}
    return each.type in _GROUPS or (each.type == "六冲" and bool(own & {"month", "day"}))


def _tells_more(each: Relation, told: list[Relation]) -> bool:
    """Whether a tie is more than a part, or another name, of one already told."""
    own = {where for where, _ in each.members}
    return all(not own <= {where for where, _ in other.members} for other in told)


def _fates(draft: Draft, by_strength: list[Relation]) -> None:
    """One tie that another resolves, one that is weakened, one that is too far apart, and every complete group of these."""
    by_id = {each.id: each for each in by_strength}
    for status, weight in ((RESOLVED, 2.5), (WEAKENED, 3), (FAR, 3)):
        same = [each for each in by_strength if each.status == status]
        groups = [each for each in same if each.type in _GROUPS]
        for group in groups or same[:1]:
            others = [by_id[name] for name in group.resolved_by[:1]]
            draft.add(
                f"ties.{status}", *grounds(group, *others), weight=DECISIVE if groups else weight, bond=bond(group),
                others=[bond(other) for other in others],
            )  # fmt: skip


def turns(draft: Draft, by_strength: list[Relation]) -> None:
    """What the strongest combination that lasts turns into, or what keeps it from turning."""
    lasting = (each for each in by_strength if each.hua_status is not None and each.status in (HOLDS, FAR))
    each = next(lasting, None)
    if each is not None and each.element is not None:
        status = Term(str(each.hua_status), "relation_status")
        key = "own" if is_own(each) and each.hua_status == BOUND else str(each.hua_status)
        draft.add(
            f"turns.{key}", *grounds(each), each.id.replace("rel", "hua", 1), weight=3, certainty=LEANING,
            bond=bond(each), status=status, element=element(each.element),
        )  # fmt: skip


def sense(each: Relation, useful: Useful | None) -> tuple[Phrase, tuple[str, ...]]:
    """The sense of a tie with the facts beside its own: of a complete group, whether the chart wants what it gathers."""
    if each.type not in _GROUPS or each.element is None or useful is None or not useful.order:
        return Phrase(sense_key(each), {}), ()
    role = useful.role(each.element)
    side = "wanted" if role in WANTED else "unwanted" if role in ADVERSE else "even"
    values = {"element": element(each.element), "role": Term(role, "role")}
    return Phrase(f"sense.group.{side}", values), (ROLE_FACTS[role],)


def sense_key(each: Relation) -> str:
    """The row of what a tie means; a branch that punishes itself (辰午酉亥自刑) has its own."""
    own = each.type == "刑" and len({char for _, char in each.members}) == 1
    if each.type == "干合" and any(where == "day" for where, _ in each.members):
        return "sense.干合.own"
    return "sense.刑.self" if own else f"sense.{each.type}"


def grounds(*found: Relation) -> tuple[str, ...]:
    """The facts of relations; where a stem controls another the stems are told too."""
    leaves = (f"p.{where}.stem" for each in found if each.type == "干克" for where, _ in each.members)
    return (*(each.id for each in found), *leaves)


def bond(relation: Relation) -> Phrase:
    """A relation as a clause: who does what with whom."""
    part = "stem" if relation.type in _STEMS else "pillar" if _is_whole(relation) else "branch"
    places = [At(f"{where}.{part}", Sign(char, plain=True)) for where, char in relation.members]
    kind = Term(relation.type, "relation")
    if len(places) == 1:
        return Phrase("tie.one", {"one": places[0], "relation": kind})
    if relation.type == "干克":
        first, second = (Stem(char).element for _, char in relation.members)
        places = places if first.controls is second else places[::-1]
        return Phrase("tie.control", {"one": places[0], "two": places[1], "relation": kind})
    if len(places) == 2:
        return Phrase("tie.two", {"one": places[0], "two": places[1], "relation": kind})
    return Phrase("tie.many", {"members": places, "relation": kind})


def _is_whole(relation: Relation) -> bool:
    return any(len(char) == 2 for _, char in relation.members)
