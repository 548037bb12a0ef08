"""What becomes of relations that meet: 会合解冲刑, 冲解合, and whether a combination transforms.

《子平真诠·论刑冲会合解法》: a joining relation (三会 三合 六合 半合) and a breaking one (六冲 刑 三刑 六害 六破) that
share a branch are compared by strength; the weaker is resolved, equals weaken each other. 干合 meets 干冲 and 干克 in the
same way. What stands two pillars apart is too far to resolve or to be resolved. Whether a combination transforms
is asked of 干合, 六合 and 三合 (《子平真诠·论十干合而不合》; 《滴天髓·化象》).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bazi_core.views.groups import groups_through
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from bazi_core.alphabet import Element, Pillar, Stem
    from bazi_core.pillars import FourPillars
    from bazi_core.views.relations import Relation

# Types that meet types: each side resolves the other.
SIDES = {
    **dict.fromkeys(("三会", "三合", "六合", "半合"), ("branch", 0)),
    **dict.fromkeys(("六冲", "刑", "三刑", "六害", "六破"), ("branch", 1)),
    "干合": ("stem", 0),
    **dict.fromkeys(("干冲", "干克"), ("stem", 1)),
}
FAR, RESOLVED, WEAKENED = "遥隔", "化解", "减力"
TRANSFORMING = ("干合", "六合", "三合")
Places = tuple[tuple[str, "Pillar"], ...]


def settled(found: list[Relation], pillars: FourPillars, places: Places) -> tuple[Relation, ...]:
    """The relations with their status and, where it is asked, whether they transform."""
    sides = [SIDES.get(each.type) for each in found]
    where = [_bits(each) for each in found]
    near = [at for at, each in enumerate(found) if sides[at] and each.status != FAR]
    against: dict[int, list[Relation]] = {at: [] for at in near}
    for at in near:
        kind, side = sides[at] or ("", 0)
        opposite = (kind, 1 - side)
        against[at] = [
            found[other] for other in near if sides[other] == opposite and where[at] & where[other]
        ]
    made = []
    for at, own in enumerate(found):
        status, by = _outcome(own, against[at]) if against.get(at) else (own.status, ())
        hua = transformation(own, found, pillars, places) if own.type in TRANSFORMING else None
        changed = hua is not None or status is not own.status
        made.append(own._replace(status=status, resolved_by=by, hua_status=hua) if changed else own)
    return tuple(made)


_BIT = {
    name: 1 << at for at, name in enumerate(("year", "month", "day", "hour", "luck", "liunian", "liuyue"))
}


def _bits(own: Relation) -> int:
    return sum(_BIT[position] for position, _ in own.members)


def _outcome(own: Relation, against: list[Relation]) -> tuple[str, tuple[str, ...]]:
    stronger = tuple(each.id for each in against if each.strength > own.strength)
    if stronger:
        return RESOLVED, stronger
    equal = tuple(each.id for each in against if each.strength == own.strength)
    return (WEAKENED, equal) if equal else (own.status, ())


def transformation(own: Relation, found: list[Relation], pillars: FourPillars, places: Places) -> str:
    """合化 合绊 争合 妒合 or 遥合 of a combination.

    It transforms when its members are neighbours, the month is of the new element or belongs to a complete group
    of it, and no rooted stem beside it controls that element. The day stem is bound, it does not turn: a claimed
    化格 is for the pattern to say.
    """
    assert own.element is not None
    if not own.adjacent:
        return "遥合"
    rival = _rivalry(own, found)
    if rival is not None:
        return rival
    if own.type == "干合" and any(position == "day" for position, _ in own.members):
        return "合绊"
    ruled = _rules_the_month(own.element, pillars)
    return "合化" if ruled and not _is_opposed(own, pillars, places) else "合绊"


def _rivalry(own: Relation, found: list[Relation]) -> str | None:
    """争合: two yang for one yin; 妒合: two yin for one yang."""
    if own.type == "三合":
        return None
    same = [each for each in found if each.type == own.type and each.element is own.element and each.adjacent]
    chars = {char for _, char in own.members}
    rivals = [each for each in same if {char for _, char in each.members} == chars]
    shared = Counter(member for each in rivals for member in each.members)
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
