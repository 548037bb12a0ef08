"""Relations and their effect on each other: 会合解冲刑, 冲解合, and whether a combination transforms.

《子平真诠·论刑冲会合解法》: a joining relation (三会 三合 六合 半合) and a breaking one (六冲 刑 三刑 六害 六破) that
share a branch undo one another; which of them gives way is a table (resolutions.csv) by their types and by which
stands nearer. A clash gives way to 三会, 三合 and 六合 wherever they stand, unless another joining draws a member of the
六合 off; one of two clashes remains. A break elsewhere takes hold of what breaks the month (以刑冲而解刑冲).
干合 meets 干冲 and 干克 in the same way, but that of the day stem itself takes nothing away (本身之合, 论十干合而不合).
天克地冲 goes with the clash of its branches or stems. Relations
across two pillars are too far to resolve or to be resolved. Whether a combination transforms is asked of 干合,
六合 and 三合 (《子平真诠·论十干合而不合》; 《滴天髓·化象》).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once
from bazi_core.views.groups import groups_through
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.alphabet import Element, Pillar, Stem
    from bazi_core.pillars import FourPillars

HOLDS, FAR, RESOLVED, WEAKENED = "成立", "遥隔", "化解", "减力"
TRANSFORMING = ("干合", "六合", "三合")
OWN, BOUND, TURNED, FAR_JOINED = "本身之合", "合绊", "合化", "遥合"
_ZI_MAO, _TWO_MAO = "子卯刑", "二卯"
# Types that draw off a member of a combination.
ONCE, DRAWN, DRAWING = "once", "drawn", frozenset(("三会", "三合", "半合", "拱合"))
_WHOLES = ("天克地冲", "反吟")
# Prefixes of a name: elsewhere than at the month, at the month, undone or weakened by others.
_MARKS = ("别位", "月令", RESOLVED, WEAKENED)
Places = tuple[tuple[str, "Pillar"], ...]
# Index of a relation → (status, id) of the relations that undo or weaken it.
Undone = dict[int, list[tuple[str, str]]]


class Relation(NamedTuple):
    """One relation.

    `members` are (position, character) in the order of the pillars, flow pillars last; `element` is what it
    forms; `strength` is rank × distance (1 for neighbours, .5 one apart, .25 two apart). `status` is 成立, 减力,
    化解 (with the ids in `resolved_by`) or 遥隔; `hua_status`, of 干合 六合 三合, says whether it transforms.

    >>> import bazi_core as bz
    >>> for found in bz.chart(pillars="庚午 辛巳 庚辰 壬午").relations:
    ...     print(found.id, found.strength, found.status)
    rel.刑.午午.year-hour 0.75 遥隔
    rel.截脚.庚午.year 1 成立
    rel.截脚.辛巳.month 1 成立
    rel.盖头.壬午.hour 1 成立
    """

    id: str
    type: str
    members: tuple[tuple[str, str], ...]
    element: Element | None
    adjacent: bool
    strength: float
    status: str = HOLDS
    resolved_by: tuple[str, ...] = ()
    hua_status: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return self._asdict() | {
            "members": [{"position": position, "char": char} for position, char in self.members],
            "element": self.element.value if self.element else None,
            "resolved_by": list(self.resolved_by),
        }


class JoinAndBreak(NamedTuple):
    """The outcome of a joining and a breaking relation for either of them; `bound` names the condition of the joining."""

    joining: str
    breaking: str
    bound: str

    @property
    def once(self) -> bool:
        """Whether the joining resolves one relation and leaves others of its kind."""
        return ONCE in self.bound and self.breaking == RESOLVED


# The outcome for a joining that is drawn off and the joining that draws it off.
_DRAWN_OFF = JoinAndBreak(RESOLVED, HOLDS, "")


class _Encounter(NamedTuple):
    """A joining and a breaking relation that share a branch or a stem, by their indices, with the outcome."""

    one: int
    other: int
    outcome: JoinAndBreak


# A relation with its index, the bits of its positions, and a name under which the table of resolutions lists it.
_Member = tuple[int, Relation, int, str]


@cache
def meetings() -> dict[tuple[str, str], tuple[JoinAndBreak, ...]]:
    """(joining, breaking) → their outcomes when the joining one stands nearer, as near, farther."""
    nearness = ("joining_nearer", "as_near", "breaking_nearer")
    pairs = [
        (joining, breaking, row)
        for row in rows("resolutions")
        for joining in row["joining"].split()
        for breaking in row["breaking"].split()
    ]
    rows_once("resolutions", (pair[:2] for pair in pairs))
    names_known("resolutions", "relation", (name for pair in pairs for name in pair[:2]), _relations_named())
    names_known(
        "resolutions", "bond", (bond for *_, row in pairs for bond in row["bound"].split()), (ONCE, DRAWN)
    )
    return {
        (joining, breaking): tuple(_meeting(row, each) for each in nearness)
        for joining, breaking, row in pairs
    }


def _meeting(row: dict[str, str], nearness: str) -> JoinAndBreak:
    outcome = row[nearness].split()
    names_known("resolutions", "outcome", outcome, (HOLDS, WEAKENED, RESOLVED))
    if len(outcome) != 2:
        raise ValueError(
            f"resolutions: {row['joining']} and {row['breaking']} have two outcomes, not {len(outcome)}"
        )
    return JoinAndBreak(outcome[0], outcome[1], row["bound"])


def _relations_named() -> frozenset[str]:
    """The permitted names of relations in the table."""
    types = {row["type"] for row in rows("relations")} | {"干克", *_WHOLES}
    single = types | {_ZI_MAO}
    return frozenset((*single, OWN, _TWO_MAO, *(f"{mark}{name}" for mark in _MARKS for name in single)))


def settled(relations_found: list[Relation], pillars: FourPillars, places: Places) -> tuple[Relation, ...]:
    """The relations with their status and, for combinations, whether they transform."""
    undone: Undone = {}
    for one, other, outcome in _standing(_encounters(relations_found), relations_found):
        for at, status, by in ((one, outcome.joining, other), (other, outcome.breaking, one)):
            if status != HOLDS:
                undone.setdefault(at, []).append((status, relations_found[by].id))
    undone |= _of_wholes(relations_found, undone)
    relations = []
    for at, own in enumerate(relations_found):
        status, undoers = _outcome(undone[at]) if at in undone else (own.status, ())
        hua = transformation(own, relations_found, pillars, places) if own.type in TRANSFORMING else None
        changed = hua is not None or status is not own.status
        relations.append(Relation(*own[:6], status, undoers, hua) if changed else own)
    return tuple(relations)


def _of_wholes(relations: list[Relation], undone: Undone) -> Undone:
    """天克地冲 and 反吟 undone by the relations that undo the clash of their branches or stems."""
    wholes = [(at, _bits(own)) for at, own in enumerate(relations) if own.type in _WHOLES]
    lost: Undone = {}
    for at, where in wholes:
        for part in [each for each in undone if _bits(relations[each]) == where]:
            status, _ = _outcome(undone[part])
            outcomes = meetings().get((f"{status}{relations[part].type}", relations[at].type))
            if outcomes:
                own = [(outcomes[0].breaking, by) for one, by in undone[part] if one == status]
                lost.setdefault(at, []).extend(own)
    return lost


def _encounters(relations: list[Relation]) -> list[_Encounter]:
    """Every joining relation with every breaking one that it meets."""
    joining: list[_Member] = []
    breaking: list[_Member] = []
    for at, own in enumerate(relations):
        if own.status != FAR:
            where, name, names = _traits(own)
            if name is not None:
                joining.append((at, own, where, name))
            for each in names:
                breaking.append((at, own, where, each))
    encounters: list[_Encounter] = []
    table = meetings()
    for one in joining if breaking else ():
        at, own, where, name = one
        nearer = 1 - own.adjacent
        meeting = [
            (other, outcomes[nearer + other[1].adjacent])
            for other in breaking
            if where & other[2] and other[0] != at and (outcomes := table.get((name, other[3])))
        ]
        if not meeting:
            continue
        rivals = [
            by
            for other, outcome in meeting
            if DRAWN in outcome.bound
            for by in _rival_joinings(own, where, where & ~other[2], relations)
        ]
        if rivals:
            encounters.append(_Encounter(at, rivals[0], _DRAWN_OFF))
        else:
            encounters += [_Encounter(at, other[0], outcome) for other, outcome in meeting]
    return encounters


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(one for one, _ in meetings()), frozenset(other for _, other in meetings())


def _traits(own: Relation) -> tuple[int, str | None, tuple[str, ...]]:
    """The position bits of a relation, and its names in the table as joining (or None) and as breaking."""
    # An id names type, characters and places, of which there are some thousands.
    traits = _TRAITS.get(own.id)
    if traits is None:
        where, (joinings, breakings) = sum(_BIT[position] for position, _ in own.members), _names()
        joining = _as_joining(own, where)
        breaking = tuple(name for name in _as_breaking(own, where) if name in breakings)
        traits = _TRAITS[own.id] = where, joining if joining in joinings else None, breaking
    return traits


_TRAITS: dict[str, tuple[int, str | None, tuple[str, ...]]] = {}


def _as_joining(own: Relation, where: int) -> str:
    """The name under which a relation undoes others: its type, 本身之合 of the day stem, 别位 of a break elsewhere."""
    if is_own(own):
        return OWN
    return own.type if own.element or where & _MONTH else f"别位{_plain(own)}"


def _as_breaking(own: Relation, where: int) -> tuple[str, ...]:
    """The names under which a relation is undone: its type, and that of the month's."""
    return (own.type, f"月令{_plain(own)}") if where & _MONTH else (own.type,)


def _plain(own: Relation) -> str:
    """The type of a breaking relation; 子卯 is distinguished from the other 刑."""
    return _ZI_MAO if own.type == "刑" and {char for _, char in own.members} == {*"子卯"} else own.type


def _rival_joinings(own: Relation, where: int, free: int, relations: list[Relation]) -> list[int]:
    """Other joinings that claim the member of a joining outside the break (`free`): joinings as near, or a nearer 六合, that
    do not share the branch of the break."""
    return [
        at
        for at, each in enumerate(relations)
        if each.status != FAR
        and ((bits := _bits(each)) & free)
        and not bits & where & ~free
        and (
            (each.type in DRAWING and each.adjacent >= own.adjacent)
            or (each.type == own.type and each.adjacent > own.adjacent)
        )
    ]


def is_own(relation: Relation) -> bool:
    """本身之合: a combination of the day stem, which takes no stem away.

    >>> import bazi_core as bz
    >>> [each.id for each in bz.chart(pillars="庚午 辛巳 丙辰 壬辰").relations if is_own(each)]
    ['rel.干合.辛丙.month-day']
    """
    return relation.type == "干合" and any(position == "day" for position, _ in relation.members)


def _standing(met: list[_Encounter], relations: list[Relation]) -> list[_Encounter]:
    """The meetings that take effect: of several clashes a joining resolves one, and a resolved clash undoes nothing
    itself."""
    chosen = _chosen(met, relations)
    counted = [each for each in met if not each.outcome.once or chosen[each.one] == each.other]
    calmed = set(chosen.values())
    standing = [
        each
        for each in counted
        if each.one not in calmed and (each.other not in calmed or each.outcome.breaking == RESOLVED)
    ]
    standing = _with_their_clash(standing, relations)
    return [
        *standing,
        *_side_by_side(relations, {each.other for each in standing if each.outcome.breaking == RESOLVED}),
    ]


def _with_their_clash(standing: list[_Encounter], relations: list[Relation]) -> list[_Encounter]:
    """Without the meetings that resolve a 刑 whose branches stand in a clash that nothing resolves (寅申, 丑未)."""
    resolved = {each.other for each in standing if each.outcome.breaking == RESOLVED}
    clashing = {
        _bits(each)
        for at, each in enumerate(relations)
        if each.type == "六冲" and each.status != FAR and at not in resolved
    }
    return [
        each
        for each in standing
        if relations[each.other].type != "刑"
        or each.outcome.breaking != RESOLVED
        or _bits(relations[each.other]) not in clashing
    ]


def _side_by_side(relations: list[Relation], resolved: set[int]) -> list[_Encounter]:
    """二卯不刑一子: two punishments of one 子 cancel each other, unless one of them is resolved otherwise."""
    punishing = [
        (at, next(where for where, char in each.members if char == "子"))
        for at, each in enumerate(relations)
        if each.type == "刑" and each.status != FAR and at not in resolved and _plain(each) == _ZI_MAO
    ]
    if len(punishing) < 2:
        return []
    (outcome, *_) = meetings()[_TWO_MAO, _ZI_MAO]
    return [
        _Encounter(one, other, outcome)
        for one, where in punishing
        for other, there in punishing
        if one != other and where == there and not resolved & _alike(relations, where)
    ]


def _alike(relations: list[Relation], where: str) -> set[int]:
    """The punishments of 子 at a place."""
    return {
        at for at, each in enumerate(relations) if _plain(each) == _ZI_MAO and (where, "子") in each.members
    }


def _chosen(met: list[_Encounter], relations: list[Relation]) -> dict[int, int]:
    """The clash that each joining resolves: the strongest, preferring those that no other joining resolves."""
    wanted: dict[int, list[int]] = {}
    for one, other, outcome in met:
        if outcome.once:
            wanted.setdefault(one, []).append(other)
    chosen: dict[int, int] = {}
    for one in sorted(wanted, key=lambda each: len(wanted[each])):
        taken = set(chosen.values())
        chosen[one] = max(wanted[one], key=lambda each: (each not in taken, relations[each].strength))
    return chosen


_BIT = {
    name: 1 << at for at, name in enumerate(("year", "month", "day", "hour", "luck", "liunian", "liuyue"))
}
_MONTH = _BIT["month"]


def _bits(own: Relation) -> int:
    return _traits(own)[0]


def _outcome(undone: Iterable[tuple[str, str]]) -> tuple[str, tuple[str, ...]]:
    """化解 by those that resolve it, else 减力 by those that weaken it."""
    by: dict[str, list[str]] = {RESOLVED: [], WEAKENED: []}
    for status, name in undone:
        by[status].append(name)
    status = RESOLVED if by[RESOLVED] else WEAKENED
    return status, tuple(by[status])


def transformation(own: Relation, relations: list[Relation], pillars: FourPillars, places: Places) -> str:
    """合化 合绊 争合 妒合 or 遥合 of a combination.

    It transforms when its members are neighbours, the month is of the new element or belongs to a complete group
    of it, and no rooted stem beside it controls that element. The day stem is bound, it does not turn: a claimed
    化格 is for the pattern to say.
    """
    assert own.element is not None
    if not own.adjacent:
        return FAR_JOINED
    rival = _rivalry(own, relations)
    if rival is not None:
        return rival
    if is_own(own):
        return BOUND
    ruled = _rules_the_month(own.element, pillars)
    return TURNED if ruled and not _is_opposed(own, pillars, places) else BOUND


def _rivalry(own: Relation, relations: list[Relation]) -> str | None:
    """争合: two yang for one yin; 妒合: two yin for one yang."""
    if own.type == "三合":
        return None
    same = [
        relation
        for relation in relations
        if relation.type == own.type and relation.element is own.element and relation.adjacent
    ]
    if len(same) < 2:
        return None
    chars = {char for _, char in own.members}
    rivals = [each for each in same if {char for _, char in each.members} == chars]
    shared = Counter(member for rival in rivals for member in rival.members)
    wanted = [
        char for (position, char), times in shared.items() if times > 1 and (position, char) in own.members
    ]
    if not wanted:
        return None
    # Of stems and branches alike the yang come first and every second is yin.
    is_yin = any(char in "乙丁己辛癸丑卯巳未酉亥" for char in wanted)
    return "争合" if is_yin else "妒合"


def _rules_the_month(element: Element, pillars: FourPillars) -> bool:
    month = pillars.month.branch
    if month.element is element:
        return True
    branches = [pillar.branch.index for pillar in pillars if pillar]
    return any(formed == element.index for _, formed in groups_through(month.index, branches))


def _is_opposed(own: Relation, pillars: FourPillars, places: Places) -> bool:
    """Whether a rooted stem beside the members (of branches: above them) controls the new element."""
    members = {position for position, _ in own.members}
    if own.type == "干合":
        beside = [stem for position, stem in _neighbours(members, places)]
    else:
        beside = [pillar.stem for position, pillar in places if position in members]
    return any(stem.element.controls is own.element and _is_rooted(stem, pillars) for stem in beside)


def _neighbours(members: set[str], places: Places) -> list[tuple[str, Stem]]:
    at = [index for index, (position, _) in enumerate(places) if position in members]
    near = {index + step for index in at for step in (-1, 1)} - set(at)
    return [(places[i][0], places[i][1].stem) for i in sorted(near) if 0 <= i < len(places)]


def _is_rooted(stem: Stem, pillars: FourPillars) -> bool:
    return any(
        hidden.stem.element is stem.element
        for pillar in pillars
        if pillar
        for hidden in hidden_stems(pillar.branch)
    )
