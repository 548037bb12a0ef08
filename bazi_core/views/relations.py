"""合冲刑害破会: the relations between the stems and branches of a chart, and with luck and flow pillars.

The pairs and triples are a table (relations.csv); a pair of characters is looked up in bit masks, one
bit a type, for ints and arrays alike (`pair_masks`, `triple_masks`). The effect of relations on each other
(`resolution`) follows 《子平真诠·论刑冲会合解法》: of a joining and a breaking one that share a branch one undoes the
other, by type and distance. Strength is a rank by type × the distance of the pillars.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import BRANCHES, PILLARS, STEMS, Branch, Element, Pillar, Stem
from bazi_core.pillars import POSITIONS, FourPillars
from bazi_core.table import Table
from bazi_core.tables import rows
from bazi_core.views.resolution import FAR, HOLDS, Relation, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.school import School

STEM_TYPES = ("干合", "干冲", "干克")
BRANCH_TYPES = ("六合", "六冲", "六害", "六破", "刑", "半合", "拱合", "暗合")
TRIPLES = ("三合", "三会", "三刑")
PILLAR_TYPES, PILLAR_PAIR_TYPES = ("盖头", "截脚"), ("伏吟", "天克地冲")
FLOWS = ("luck", "liunian", "liuyue")
# Ranks of relations when they meet; 六冲 with the branch of the month weighs one more.
RANKS = {
    "三会": 8, "天克地冲": 7, "反吟": 7, "三合": 7, "六冲": 5, "六合": 5, "干合": 5, "干冲": 4, "干克": 4, "半合": 4,
    "伏吟": 3, "刑": 3, "三刑": 3, "六害": 2, "拱合": 2, "六破": 1, "暗合": 1, "盖头": 1, "截脚": 1,
}  # fmt: skip
MONTH_CLASH = 6


def relations(pillars: FourPillars, school: School) -> tuple[Relation, ...]:
    """The relations between the pillars of a chart: of pairs, within a pillar, of triples.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> [relation.id for relation in relations(FourPillars.parse("庚午 辛巳 庚辰 壬午"), School())][:2]
    ['rel.刑.午午.year-hour', 'rel.截脚.庚午.year']
    """
    places = tuple(pillars.items())
    return _relations(places, (), pillars, school)


@lru_cache(maxsize=1 << 7)
def relations_with(
    pillars: FourPillars, flows: tuple[tuple[str, Pillar], ...], school: School
) -> tuple[Relation, ...]:
    """The relations in which at least one luck or flow pillar takes part (cached: the years of a luck and the readings of an
    open strength ask the same again).

    A flow pillar stands beside every pillar: its distance is that of neighbours. What resolves what is judged
    among these relations alone.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = relations_with(FourPillars.parse("甲子 丙子 甲子 甲子"), (("liunian", Pillar("庚午")),), School())
    >>> [relation.id for relation in found if relation.type == "六冲"][:2]
    ['rel.六冲.子午.year-liunian', 'rel.六冲.子午.month-liunian']
    """
    return _relations(tuple(pillars.items()), flows, pillars, school)


Places = tuple[tuple[str, Pillar], ...]


def _relations(natal: Places, flows: Places, pillars: FourPillars, school: School) -> tuple[Relation, ...]:
    options = (school.wuwei_element, school.anhe)
    places = (*natal, *flows)
    first = len(natal) if flows else 0
    relations: list[Relation] = []
    for later in range(max(first, 1), len(places)):
        for earlier in range(later):
            relations += _between(*places[earlier], *places[later], options)
    for later in range(first, len(places)):
        relations += _within(*places[later])
    relations += _triples(places, first)
    return settled(relations, pillars, places)


def _between(
    here: str, one: Pillar, there: str, other: Pillar, options: tuple[str, str]
) -> tuple[Relation, ...]:
    """The relations of two pillars: of their stems, their branches, and as wholes."""
    parts = _of_stems(here, one.stem, there, other.stem) + _of_branches(
        here, one.branch, there, other.branch, options
    )
    # Whole pillars meet only when they are the same or their branches clash.
    if one is other or abs(one.branch.index - other.branch.index) == 6:
        return parts + _of_wholes(here, one, there, other)
    return parts


@cache
def _of_stems(here: str, one: Stem, there: str, other: Stem) -> tuple[Relation, ...]:
    gap = _gap(here, there)
    return tuple(
        _pair(name, (here, one.value), (there, other.value), element, gap)
        for name, element in _stem_pair(one, other)
    )


@cache
def _of_branches(
    here: str, one: Branch, there: str, other: Branch, options: tuple[str, str]
) -> tuple[Relation, ...]:
    gap = _gap(here, there)
    return tuple(
        _pair(name, (here, one.value), (there, other.value), element, gap)
        for name, element in _branch_pair(one, other, *options)
    )


@cache
def _of_wholes(here: str, one: Pillar, there: str, other: Pillar) -> tuple[Relation, ...]:
    gap = _gap(here, there)
    return tuple(
        _pair(name, (here, one.value), (there, other.value), None, gap)
        for name in _whole(one, other, {here, there} & set(FLOWS))
    )


def _gap(here: str, there: str) -> int:
    """Pillars between two: 0 for neighbours and for a flow pillar."""
    if here in FLOWS or there in FLOWS:
        return 0
    return POSITIONS.index(there) - POSITIONS.index(here) - 1


def _pair(
    name: str, here: tuple[str, str], there: tuple[str, str], element: Element | None, gap: int
) -> Relation:
    rank = MONTH_CLASH if name == "六冲" and "month" in (here[0], there[0]) else RANKS[name]
    return Relation(
        f"rel.{name}.{here[1]}{there[1]}.{here[0]}-{there[0]}",
        name,
        (here, there),
        element,
        gap == 0,
        rank * (1, 0.5, 0.25)[gap],
        FAR if gap == 2 else HOLDS,
    )


def _stem_pair(one: Stem, other: Stem) -> list[tuple[str, Element | None]]:
    mask = stem_table()(one.index, other.index)
    return [
        (name, _formed()[one.value, other.value, name])
        for bit, name in enumerate(STEM_TYPES)
        if mask >> bit & 1
    ]


def _branch_pair(one: Branch, other: Branch, wuwei: str, anhe: str) -> list[tuple[str, Element | None]]:
    mask = branch_table(anhe)(one.index, other.index)
    return [
        (name, _formed(wuwei)[one.value, other.value, name])
        for bit, name in enumerate(BRANCH_TYPES)
        if mask >> bit & 1
    ]


def _whole(one: Pillar, other: Pillar, flows: set[str]) -> list[str]:
    """Types of the relations of two whole pillars; 天克地冲 with a flow pillar is called 反吟."""
    mask = pillar_pair_mask(one.index, other.index)
    names = [name for bit, name in enumerate(PILLAR_PAIR_TYPES) if mask >> bit & 1]
    return ["反吟"] if flows and names == ["天克地冲"] else names


@cache
def _within(position: str, pillar: Pillar) -> tuple[Relation, ...]:
    """The relations of a pillar's stem and branch to each other."""
    mask = pillar_table()(pillar.index)
    return tuple(
        Relation(
            f"rel.{name}.{pillar}.{position}", name, ((position, pillar.value),), None, True, RANKS[name]
        )
        for bit, name in enumerate(PILLAR_TYPES)
        if mask >> bit & 1
    )


def _triples(places: Places, first: int) -> list[Relation]:
    """Complete 三合 三会 三刑, once for every choice of three pillars that has one."""
    bits = [1 << pillar.branch.index for _, pillar in places]
    relations = []
    for three in combinations(range(len(places)), 3):
        i, j, k = three
        group = _groups().get(bits[i] | bits[j] | bits[k]) if k >= first else None
        if group is not None:
            relations.append(_triple(*group, (places[i], places[j], places[k])))
    return relations


def _triple(name: str, element: Element | None, three: Places) -> Relation:
    members = tuple((position, pillar.branch.value) for position, pillar in three)
    chars, where = "".join(char for _, char in members), "-".join(position for position, _ in members)
    close = _gap(three[0][0], three[1][0]) == _gap(three[1][0], three[2][0]) == 0
    return Relation(
        f"rel.{name}.{chars}.{where}", name, members, element, close, RANKS[name] * (1 if close else 0.5)
    )


@cache
def _groups() -> dict[int, tuple[str, Element | None]]:
    """Set of three branches, as bits → type and element."""
    return {
        sum(1 << Branch(char).index for char in row["members"]): (row["type"], _element(row))
        for row in rows("relations")
        if row["type"] in TRIPLES
    }


@cache
def _formed(wuwei: str = "土") -> dict[tuple[str, str, str], Element | None]:
    """(character, character, type) → the element formed, both ways round; None for every other pair."""
    elements: dict[tuple[str, str, str], Element | None] = _Nothing()
    for row in rows("relations"):
        if row["option"] != "wuwei_element" or row["value"] == wuwei:
            one, other = row["members"][0], row["members"][1]
            elements[one, other, row["type"]] = elements[other, one, row["type"]] = _element(row)
    return elements


class _Nothing(dict[tuple[str, str, str], "Element | None"]):
    def __missing__(self, key: tuple[str, str, str]) -> None:
        return None


def _element(row: dict[str, str]) -> Element | None:
    return Element(row["element"]) if row["element"] else None


@cache
def stem_table() -> Table:
    """(stem, stem) → bits of `STEM_TYPES`."""
    masks = _masks("stem", STEMS, STEM_TYPES, "")
    for one in STEMS:
        for other in STEMS:
            at = one.index * 10 + other.index
            controls = one.element.controls is other.element or other.element.controls is one.element
            if controls and not masks[at]:
                masks[at] = 1 << STEM_TYPES.index("干克")
    return Table(masks, 10, 10)


@cache
def branch_table(anhe: str = "three_pairs") -> Table:
    """(branch, branch) → bits of `BRANCH_TYPES`."""
    return Table(_masks("branch", BRANCHES, BRANCH_TYPES, anhe), 12, 12)


@cache
def pillar_table() -> Table:
    """Pillar → bits of `PILLAR_TYPES`: 盖头, the stem controls its branch; 截脚, the branch its stem."""
    elements = [(pillar.stem.element, pillar.branch.element) for pillar in PILLARS]
    return Table([(stem.controls is branch) + 2 * (branch.controls is stem) for stem, branch in elements], 60)


def pillar_pair_mask(one: Any, other: Any) -> Any:
    """Bits of `PILLAR_PAIR_TYPES` for two pillar indices, or arrays of them: 伏吟, the same; 天克地冲, stems clash or
    control, branches clash."""
    against = stem_table()(one % 10, other % 10) & 0b110
    return (one == other) + 2 * ((against != 0) & ((one - other) % 12 == 6))


def _masks(kind: str, alphabet: Sequence[Any], types: tuple[str, ...], anhe: str) -> list[int]:
    size = len(alphabet)
    masks = [0] * (size * size)
    index = {member.value: member.index for member in alphabet}
    for row in rows("relations"):
        if row["type"] in types and (row["option"] != "anhe" or row["value"] == anhe):
            one, other = (index[char] for char in row["members"])
            bit = 1 << types.index(row["type"])
            masks[one * size + other] |= bit
            if one != other:
                masks[other * size + one] |= bit
    return masks


def pair_masks(
    stems: Sequence[Any], branches: Sequence[Any], anhe: str = "three_pairs"
) -> dict[tuple[int, int], Any]:
    """For every pair of positions the bits of its types, `STEM_TYPES` then `BRANCH_TYPES`; ints or arrays."""
    shift = len(STEM_TYPES)
    return {
        (i, j): stem_table()(stems[i], stems[j]) | branch_table(anhe)(branches[i], branches[j]) << shift
        for i, j in combinations(range(len(stems)), 2)
    }


def triple_masks(branches: Sequence[Any]) -> dict[tuple[int, int, int], Any]:
    """For every choice of three positions the number of its group (0 none, else place in `groups()` + 1)."""
    masks = {}
    for three in combinations(range(len(branches)), 3):
        i, j, k = (branches[at] for at in three)
        present = 1 << i | 1 << j | 1 << k
        masks[three] = sum((present == group) * (at + 1) for at, group in enumerate(_groups()))
    return masks


def groups() -> tuple[tuple[str, Element | None], ...]:
    """The groups that `triple_masks` counts: (type, element)."""
    return tuple(_groups().values())
