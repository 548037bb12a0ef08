"""A flow pillar before a chart: what it meets at each natal pillar, asked by the events in a few look-ups.

Nothing here knows of time: a pillar of the year, of the luck and of a month meet a chart in the same way.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element, Pillar, Stem
from bazi_core.pattern.dynamic_changes import Change, changes
from bazi_core.views.cycles import is_void
from bazi_core.views.groups import complete_groups, groups_through
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.relations import branch_table, relations_with, stem_table
from bazi_core.views.resolution import BOUND, HOLDS, Relation
from bazi_core.year.rules import BRANCH_BITS, SAME, STEM_BITS

if TYPE_CHECKING:
    from bazi_core.pattern.dynamics import Company
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

EARTH = "辰戌丑未"
USEFUL, HARMFUL = "用神", "忌神"


class Natal(NamedTuple):
    """Parts of a chart against which its flow pillars are held; `roles` is by `Element.index`, `void` names positions."""

    pillars: FourPillars
    school: School
    gender: str
    roles: tuple[str, ...]
    places: tuple[tuple[str, Pillar], ...]
    branches: frozenset[int]
    void: frozenset[str]

    @classmethod
    def of(cls, pillars: FourPillars, school: School, gender: str, roles: tuple[str, ...]) -> Natal:
        places, anchor = tuple(pillars.items()), school.void_anchor
        void = frozenset(
            where for where, each in places if is_void(each.branch, pillars.day, pillars.year, anchor)
        )
        branches = frozenset(each.branch.index for _, each in places)
        return cls(pillars, school, gender, roles, places, branches, void)

    def role(self, element: Element) -> str:
        return self.roles[element.index]

    def held_by(self, role: str) -> tuple[Element, ...]:
        """The elements of a role."""
        return tuple(element for element in ELEMENTS if self.roles[element.index] == role)

    @property
    def void_anchors(self) -> tuple[str, ...]:
        """The pillars whose 旬空 the School marks."""
        anchor = self.school.void_anchor
        return ("day", "year") if anchor == "both" else (anchor,)


class Meeting:
    """A pillar at a flow position (`luck` `liunian` `liuyue`) before a chart; `ground` is the fact that names it.

    `stems` and `branches` are what it is to each natal stem and branch, as bits; `any_stem` and `any_branch` are
    all of them together. `is_decade` tells a 大运 from a 小运 in its place; `company` holds the natal ten gods, where a
    judgement has been made.
    """

    def __init__(
        self,
        position: str,
        pillar: Pillar,
        natal: Natal,
        ground: str,
        is_decade: bool = False,
        company: Company | None = None,
    ) -> None:
        self.position, self.pillar, self.natal = position, pillar, natal
        self.ground, self.is_decade, self.company = ground, is_decade, company
        meets = [_between(pillar, each, natal.school.anhe) for _, each in natal.places]
        self.stems = [stems for stems, _ in meets]
        self.branches = [branches for _, branches in meets]
        self._changes: dict[str, Change] | None = None
        self.any_stem = self.any_branch = 0
        for stems, branches in meets:
            self.any_stem |= stems
            self.any_branch |= branches

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """All relations of the pillar with the chart, judged among themselves."""
        return relations_with(self.natal.pillars, ((self.position, self.pillar),), self.natal.school)

    def changes(self, beside: Meeting | None) -> dict[str, Change]:
        """The changes of the dynamics of the chart, or of chart and luck, by name; asked once for all."""
        if self._changes is None:
            if beside is None:
                before, after = self.company, self.joined
            else:
                before = beside.joined
                after = before and before.joined((self.position, self.pillar))
            made = changes(before, after) if before and after else ()
            self._changes = {each.rule.name: each for each in made}
        return self._changes

    @cached_property
    def joined(self) -> Company | None:
        """The natal ten gods with those of the pillar."""
        return self.company and self.company.joined((self.position, self.pillar))

    @property
    def completed(self) -> tuple[tuple[str, int, tuple[tuple[str, str], ...]], ...]:
        """(type, element index, natal members) of the 三合 and 三会 that its branch completes."""
        found = _completions(self.natal.branches)[self.pillar.branch.index]
        return tuple((kind, element, self._members(group)) for kind, element, group in found)

    def _members(self, group: frozenset[int]) -> tuple[tuple[str, str], ...]:
        places = self.natal.places
        return tuple((where, each.branch.value) for where, each in places if each.branch.index in group)

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """Positions of the natal branches in which the stem is rooted."""
        element = self.pillar.stem.element
        return tuple(where for where, pillar in self.natal.places if hides(pillar, element))

    @property
    def is_bound(self) -> bool:
        """Whether a stem of the chart ties up the stem, which then does nothing else (贪合忘克); the day master takes
        nothing away by a 合 (本身之合: 《子平真诠·论十干合而不合》), and what others weaken binds nothing."""
        return any(
            each.type == "干合"
            and each.hua_status == BOUND
            and each.status == HOLDS
            and each.members[0][0] != "day"
            for each in (self.relations if self.any_stem & STEM_BITS["干合"] else ())
        )

    def transforms(self, where: str) -> bool:
        """Whether the 干合 of the stem with a natal stem turns into a new element."""
        return any(
            relation.type == "干合" and relation.hua_status == "合化" and relation.members[0][0] == where
            for relation in self.relations
        )


@cache
def _between(own: Pillar, natal: Pillar, anhe: str) -> tuple[int, int]:
    """The relations of a pillar to a natal one: bits of their stems, bits of their branches."""
    stems = stem_table()(own.stem.index, natal.stem.index)
    branches = branch_table(anhe)(own.branch.index, natal.branch.index)
    return (
        stems | STEM_BITS[SAME] * (own.stem is natal.stem),
        branches | BRANCH_BITS[SAME] * (own.branch is natal.branch),
    )


@cache
def _completions(natal: frozenset[int]) -> tuple[tuple[tuple[str, int, frozenset[int]], ...], ...]:
    """For every branch that may come the groups (type, element, the natal branches in them) that it completes."""
    before = complete_groups(natal)
    return tuple(
        tuple(
            (*group, frozenset(each for each in natal if group in groups_through(each, natal | {branch})))
            for group in groups_through(branch, natal | {branch})
            if group not in before
        )
        for branch in range(12)
    )


@cache
def hides(pillar: Pillar, element: Element) -> tuple[Stem, ...]:
    """The stems of an element hidden in the branch of a pillar, strongest first."""
    return tuple(stem.stem for stem in hidden_stems(pillar.branch) if stem.stem.element is element)
