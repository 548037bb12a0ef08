"""透干 and 通根: hidden stems that show among the visible ones, and branches in which a visible stem is rooted.

A stem is rooted in a branch that hides its element; the main qi is the strongest root, and a root whose branch
is clashed may be broken (《子平真诠·论十干得时不旺失时不弱》).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch, Pillar, Stem
from bazi_core.views.elements import branch_elements, exact
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.pillars import FourPillars
    from bazi_core.school import School
    from bazi_core.views.resolution import Relation

RANK_WEIGHTS = {1: 1.0, 2: 0.5, 3: 0.3}
POSITION_WEIGHTS = {"year": 0.8, "month": 1.5, "day": 1.3, "hour": 1.0}
# Factor left of a root whose branch loses, equals or wins its clash.
LOST, EVEN, WON = 0.25, 0.75, 1.0


class Transparent(NamedTuple):
    """A stem hidden in one branch and visible at one position."""

    stem: Stem
    branch_position: str
    rank: int
    stem_position: str

    @property
    def fact_id(self) -> str:
        return f"tou.{self.branch_position}.{self.stem}.{self.stem_position}"

    def to_dict(self) -> dict[str, Any]:
        return self._asdict() | {"stem": self.stem.value, "evidence_id": self.fact_id}


class Root(NamedTuple):
    """One root of a stem: a hidden stem of its element.

    `weight` goes by rank, `factor` is below 1 when a clash weakens the branch; `broken_by` are the ids of
    those relations.
    """

    position: str
    branch: Branch
    stem: Stem
    rank: int
    weight: float
    factor: float
    broken_by: tuple[str, ...]


class Roots(NamedTuple):
    """The roots of one visible stem; `subject` is `day_master`, `year`, `month` or `hour`."""

    subject: str
    stem: Stem
    roots: tuple[Root, ...]

    @property
    def strength(self) -> float:
        """Sum of position weight × rank weight × factor left by clashes; for 得地."""
        return sum(POSITION_WEIGHTS[root.position] * root.weight * root.factor for root in self.roots)

    def fact_id(self, root: Root) -> str:
        return f"root.{self.subject}.{root.position}.{root.rank}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "stem": self.stem.value,
            "roots": [
                root._asdict()
                | {
                    "branch": root.branch.value,
                    "stem": root.stem.value,
                    "broken_by": list(root.broken_by),
                    "evidence_id": self.fact_id(root),
                }
                for root in self.roots
            ],
        }


def transparency(pillars: FourPillars) -> tuple[Transparent, ...]:
    """Every hidden stem that stands at year, month or hour.

    >>> from bazi_core.pillars import FourPillars
    >>> transparency(FourPillars.parse("庚午 辛巳 庚辰 壬午"))
    (Transparent(stem=Stem('庚'), branch_position='month', rank=2, stem_position='year'),)
    """
    columns = list(pillars.items())
    visible = [(position, pillar.stem) for position, pillar in columns if position != "day"]
    stems = {stem for _, stem in visible}
    return tuple(
        [
            Transparent(hidden.stem, position, hidden.rank, where)
            for position, pillar in columns
            for hidden in hidden_stems(pillar.branch)
            if hidden.stem in stems
            for where, stem in visible
            if stem is hidden.stem
        ]
    )


def roots(pillars: FourPillars, relations: Iterable[Relation]) -> tuple[Roots, ...]:
    """The roots of the visible stems, the day master first.

    >>> import bazi_core as bz
    >>> own = bz.chart(pillars="庚午 辛巳 庚辰 壬午").roots[0]
    >>> own.subject, [(root.branch.value, root.stem.value, root.rank) for root in own.roots]
    ('day_master', [('巳', '庚', 2)])
    """
    columns = list(pillars.items())
    clashes = _clashes(columns, relations)
    standing = [(position, pillar.branch, *clashes.get(position, _WHOLE)) for position, pillar in columns]
    subjects = [("day_master", pillars.day.stem)]
    subjects += [(position, pillar.stem) for position, pillar in columns if position != "day"]
    made = []
    for subject, stem in subjects:
        own_roots: tuple[Root, ...] = ()
        for place in standing:
            own_roots += _rooting(stem.index // 2, *place)
        made.append(Roots(subject, stem, own_roots))
    return tuple(made)


_WHOLE: tuple[float, tuple[str, ...]] = (1.0, ())


@lru_cache(maxsize=1 << 11)
def _rooting(
    element: int, position: str, branch: Branch, factor: float, broken_by: tuple[str, ...]
) -> tuple[Root, ...]:
    """The roots of an element in a branch with the factor left by clashes (cached; 240 without clashes)."""
    return tuple(
        Root(position, branch, stem.stem, stem.rank, RANK_WEIGHTS[stem.rank], factor, broken_by)
        for stem in hidden_stems(branch)
        if stem.stem.index // 2 == element
    )


def _clashes(
    columns: list[tuple[str, Pillar]], relations: Iterable[Relation]
) -> dict[str, tuple[float, tuple[str, ...]]]:
    """By position, the factor that neighbouring clashes in force leave of the roots in a branch, and the clashes' ids."""
    factors: dict[str, tuple[float, tuple[str, ...]]] = {}
    for relation in relations:
        if relation.type != "六冲" or relation.status != "成立" or not relation.adjacent:
            continue
        here, there = (position for position, _ in relation.members)
        for own, other in ((here, there), (there, here)):
            gap = _backing(columns, own) - _backing(columns, other)
            factor = LOST if gap < 0 else EVEN if gap == 0 else WON
            before, ids = factors.get(own, _WHOLE)
            factors[own] = (min(before, factor), (*ids, relation.id) if factor < 1 else ids)
    return factors


def _backing(columns: list[tuple[str, Pillar]], position: str) -> int:
    """Strength of a branch in a clash: two for the month, else one, plus one for every other branch of its element."""
    element = next(pillar.branch.element for where, pillar in columns if where == position)
    others = sum(where != position and pillar.branch.element is element for where, pillar in columns)
    return (2 if position == "month" else 1) + others


def root_share(pillars: FourPillars, school: School) -> tuple[float, ...]:
    """For each element the sum over the branches of position weight × hidden share, regardless of clashes."""
    rows = [_weighed(where, pillar.branch, school.hidden_weights) for where, pillar in pillars.items()]
    return tuple(map(exact, map(sum, zip(*rows, strict=True))))


@cache
def _weighed(position: str, branch: Branch, weights: str) -> tuple[float, ...]:
    """Position weight × share of each element hidden in a branch."""
    return tuple(POSITION_WEIGHTS[position] * share for share in branch_elements(weights)[branch.index])
