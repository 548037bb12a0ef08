"""变格: charts that follow one power instead of balancing it (《滴天髓》 从象, 化象, 顺局, 从旺, 从强; 《子平真诠·论杂格》).

A special structure is claimed only when every one of its conditions holds and no rule of the books forbids it
(`book_rules.csv`); one that fails by a single condition, or by such a rule alone, is listed as a candidate with its
conditions, and the regular pattern stands (《子平真诠·论外格用舍》). The numbers are choices of this library, set by hand
on the printed charts of the classics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element, Stem
from bazi_core.structures.book_rules import CLAIMS, FORBIDS, BookRule, Look, book_rules
from bazi_core.structures.class_shares import ClassShares, sight
from bazi_core.structures.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH
from bazi_core.views.elements import Elements, exact
from bazi_core.views.groups import complete_groups
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.roots import root_share
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

DOMINANT_NAMES = ("曲直格", "炎上格", "稼穑格", "从革格", "润下格")
CLASS_NAMES = {OUTPUT: "从儿格", WEALTH: "从财格"}
NEARLY_EQUAL = 0.10
TRACE = 0.3  # the share of roots up to which a day stem that turns keeps none to speak of


class StructureCondition(NamedTuple):
    """One condition of a structure; `evidence` are ids of facts, `source` the book that states it."""

    ground: FactPhrase
    holds: bool
    evidence: tuple[str, ...] = ()
    source: str = "DTS.从象化象"

    @property
    def text(self) -> str:
        """The condition in simplified Chinese."""
        return self.ground.text()


class Special(NamedTuple):
    """A special structure: its class 从格 化格 专旺, its name, its conditions, and the class or element it follows.

    `leading` is the class (0–4) or, of 化格, None; `element` the element followed; `genuine` is 真 or 假 where
    the books make that difference.
    """

    special_class: str
    name: str
    conditions: tuple[StructureCondition, ...]
    leading: int | None
    element: Element
    genuine: bool = True

    @property
    def holds(self) -> bool:
        return all(condition.holds for condition in self.conditions)


def structures(sight: ClassShares) -> Iterator[Special]:
    """The structures that the chart claims or misses by one condition, each once, in the order in which they are tried."""
    specials = [_weighed(special, sight) for rule in RULES for special in rule(sight)]
    # 从儿 has two sets of conditions: that which is met speaks for it, else the first.
    held = {each.name for each in specials if each.holds}
    told: set[str] = set()
    for special in specials:
        if special.name not in told and (special.holds or special.name not in held):
            told.add(special.name)
            yield special


def _weighed(special: Special, sight: ClassShares) -> Special:
    """A structure whose conditions hold, with the rules of the books against it."""
    if not special.holds:
        return special
    names = (special.special_class, special.name)
    look = Look(sight, names=names)
    against = [rule for rule in book_rules(FORBIDS) if rule.target in names and rule.holds(look)]
    return special._replace(
        conditions=(*special.conditions, *(_stated(rule, look, False) for rule in against))
    )


def _stated(rule: BookRule, look: Look, holds: bool) -> StructureCondition:
    return StructureCondition(rule.ground, holds, rule.evidence(look), rule.source)


def transformed(pillars: FourPillars, school: School, elements: Elements) -> Element | None:
    """The element into which the day stem turns; None unless 化格 is claimed."""
    if school.special_structures == "ignored":
        return None
    own = sight(pillars, elements.shares, root_share(pillars, school))
    # Few charts turn: the other structures are looked at only where this one holds.
    if not any(all(row.test(own) for row in rows) for _, rows in _turnings(own)):
        return None
    special = claimed(own)
    return special.element if special is not None and special.special_class == "化格" else None


def claimed(sight: ClassShares) -> Special | None:
    """The first structure all of whose conditions hold."""
    return next((structure for structure in structures(sight) if structure.holds), None)


class StructureRow(NamedTuple):
    """One condition in the table of structures; `classes` are those whose shares it compares."""

    ground: FactPhrase
    test: Callable[[ClassShares], bool]
    classes: tuple[int, ...] = ()
    leaves: tuple[str, ...] = ()


def _close(sight: ClassShares, rows: tuple[StructureRow, ...]) -> tuple[StructureCondition, ...] | None:
    """The conditions of a structure, each with its outcome; None when more than one fails."""
    held = []
    for row in rows:
        held.append(row.test(sight))
        # Most charts miss most structures by far: the other conditions are not asked.
        if held.count(False) > 1:
            return None
    return tuple(
        StructureCondition(
            row.ground, holds, (*(f"wx.seasonal.{_element(sight, k)}" for k in row.classes), *row.leaves)
        )
        for row, holds in zip(rows, held, strict=True)
    )


def _transformed(sight: ClassShares) -> Iterator[Special]:
    """化格: the day stem combines with a neighbour and turns into the element of the month (化象, 假化)."""
    for into, rows in _turnings(sight):
        conditions = _close(sight, rows)
        if conditions is not None:
            breaks = sight.class_of(ELEMENTS[(into.index + 3) % 5])
            genuine = sight.root[PEER] <= TRACE and breaks not in sight.shown
            yield Special("化格", f"化{into}格", conditions, None, into, genuine)


def _turnings(sight: ClassShares) -> Iterator[tuple[Element, tuple[StructureRow, ...]]]:
    """The elements into which the day stem may turn with a neighbour, with their conditions."""
    for where in ("month", "hour"):
        partner = getattr(sight.pillars, where)
        if partner is None or abs(partner.stem.index - sight.day.index) != 5:
            continue
        into = ELEMENTS[(partner.stem.index % 5 + 2) % 5]
        if into is sight.day.element:
            continue
        yield into, _transformation(sight, where, partner.stem, into)


def _transformation(sight: ClassShares, where: str, partner: Stem, into: Element) -> tuple[StructureRow, ...]:
    new, against = sight.class_of(into), sight.class_of(ELEMENTS[(into.index + 3) % 5])
    month = hidden_stems(sight.pillars.month.branch)
    pair = ("p.day.stem", f"p.{where}.stem")
    return (
        StructureRow(
            FactPhrase("structure.combines", (sight.day.value, where, partner.value)),
            lambda chart: True,
            (),
            pair,
        ),
        StructureRow(
            FactPhrase("structure.month_hides", (into.value,)),
            lambda chart: any(h.stem.element is into for h in month),
            (),
            ("p.month.branch",),
        ),
        StructureRow(
            FactPhrase("structure.gathers", (into.value,)), lambda chart: chart.g[new] >= 0.35, (new,)
        ),
        StructureRow(
            FactPhrase("structure.unopposed", (into.value, _element(sight, against).value)),
            lambda chart: chart.g[against] < 0.12,
            (against,),
        ),
        StructureRow(FactPhrase("structure.light_root"), lambda chart: chart.root[PEER] < 1.2, (PEER,)),
    )


def _month_gives_output(sight: ClassShares) -> bool:
    """一出门来只见儿 (顺局): by the main qi, or by a hidden stem of the month that a stem shows (论杂气如何取用)."""
    shown = [pillar.stem for where, pillar in sight.pillars.items() if where != "day"]
    return sight.month_class in (OUTPUT, WEALTH) or any(
        sight.class_of(hidden.stem.element) == OUTPUT and hidden.stem in shown
        for hidden in hidden_stems(sight.pillars.month.branch)
    )


# 从儿: output and the wealth it makes fill the chart (顺局). A root of the day master does not matter.
OUTPUT_FOLLOWED = (
    StructureRow(
        FactPhrase("structure.output_month"), _month_gives_output, (), ("p.day.stem", "p.month.branch")
    ),
    StructureRow(FactPhrase("structure.output_gathers"), lambda chart: chart.g[OUTPUT] >= 0.30, (OUTPUT,)),
    StructureRow(
        FactPhrase("structure.output_wealth"),
        lambda chart: chart.share(OUTPUT, WEALTH) >= 0.62,
        (OUTPUT, WEALTH),
    ),
    StructureRow(FactPhrase("structure.wealth_flows"), lambda chart: chart.g[WEALTH] >= 0.08, (WEALTH,)),
    StructureRow(
        FactPhrase("structure.light_resource"), lambda chart: chart.g[RESOURCE] <= 0.10, (RESOURCE,)
    ),
    StructureRow(FactPhrase("structure.no_resource"), lambda chart: not chart.shows_resource, (RESOURCE,)),
)


def _following_output(sight: ClassShares) -> Iterator[Special]:
    conditions = _close(sight, OUTPUT_FOLLOWED)
    if conditions is not None:
        yield Special("从格", "从儿格", conditions, OUTPUT, _element(sight, OUTPUT))


def _without_help(sight: ClassShares) -> bool:
    """局中虽有劫印，亦自顾不暇 (假从): helpers without any root are no help."""
    return sight.share(PEER, RESOURCE) <= 0.20 or not (sight.root[PEER] or sight.root[RESOURCE])


# 从财 从官 从杀 从儿 从势: a day master without root or help gives way (从象, 假从). What leads must not be held
# in check: officers by output (食神制杀), output by officers.
FOLLOWED = (
    StructureRow(FactPhrase("structure.no_help"), _without_help, (PEER, RESOURCE)),
    StructureRow(FactPhrase("structure.no_root"), lambda chart: chart.root[PEER] <= 0.35, (PEER,)),
    StructureRow(
        FactPhrase("structure.no_rooted_resource"),
        lambda chart: not (chart.shows_resource and chart.root[RESOURCE] > 0.3),
        (RESOURCE,),
    ),
)
UNCHECKED = {
    OFFICER: (
        StructureRow(FactPhrase("structure.no_output"), lambda chart: chart.g[OUTPUT] <= 0.20, (OUTPUT,)),
    ),
    OUTPUT: (
        StructureRow(FactPhrase("structure.no_officer"), lambda chart: chart.g[OFFICER] <= 0.20, (OFFICER,)),
    ),
    WEALTH: (),
}


def _following(sight: ClassShares) -> Iterator[Special]:
    g = sight.g
    leading, second, _ = sorted((OUTPUT, WEALTH, OFFICER), key=lambda k: -g[k])
    conditions = _close(sight, (*FOLLOWED, *UNCHECKED[leading]))
    if conditions is None:
        return
    mixed = exact(g[leading] - g[second]) < NEARLY_EQUAL
    yield Special(
        "从格",
        "从势格" if mixed else CLASS_NAMES.get(leading) or _officer_name(sight),
        conditions,
        leading,
        _element(sight, leading),
        sight.share(PEER, RESOURCE) <= 0.10 and sight.root[PEER] == 0,
    )


def _officer_name(sight: ClassShares) -> str:
    """从官 or 从杀 by the larger of the two, the stems that show and shares of branches together."""
    weight = [0.0, 0.0]
    for where, pillar in sight.pillars.items():
        stems = [(each.stem, each.weight) for each in hidden_stems(pillar.branch)]
        for stem, share in [*stems, *([(pillar.stem, 1.0)] if where != "day" else [])]:
            if sight.class_of(stem.element) == OFFICER:
                weight[stem.polarity is sight.day.polarity] += share
    other, same = weight
    return "从杀格" if same > other else "从官格"


# 专旺: the day master's own element, or it and its resource, hold the chart (从旺, 从强, 曲直 …).
DOMINANT = (
    StructureRow(
        FactPhrase("structure.own_gathers"),
        lambda chart: chart.share(PEER, RESOURCE) >= 0.75,
        (PEER, RESOURCE),
    ),
    StructureRow(FactPhrase("structure.weak_officer"), lambda chart: chart.g[OFFICER] <= 0.10, (OFFICER,)),
    StructureRow(FactPhrase("structure.weak_wealth"), lambda chart: chart.g[WEALTH] <= 0.20, (WEALTH,)),
    StructureRow(
        FactPhrase("structure.earth_keeps"),
        lambda chart: not (chart.day.element.value == "土" and chart.g[OUTPUT] > 0.04),
        (OUTPUT,),
    ),
    StructureRow(
        FactPhrase("structure.light_output"),
        lambda chart: not (chart.g[OUTPUT] >= 0.12 and chart.month_class != PEER),
        (OUTPUT,),
        ("p.month.branch",),
    ),
)


def _dominant(sight: ClassShares) -> Iterator[Special]:
    conditions = _close(sight, DOMINANT)
    if conditions is not None:
        yield Special("专旺", _dominant_name(sight), conditions, PEER, sight.day.element)


def _gathered(sight: ClassShares) -> Iterator[Special]:
    """一方秀气: the branches are the day master's own, whatever the shares (论杂格)."""
    look = Look(sight)
    for rule in book_rules(CLAIMS):
        if rule.holds(look):
            yield Special(
                rule.target, _dominant_name(sight), (_stated(rule, look, True),), PEER, sight.day.element
            )


def _dominant_name(sight: ClassShares) -> str:
    own = sight.day.element
    branches = [pillar.branch for pillar in sight.pillars if pillar]
    gathered = any(element == own.index for _, element in complete_groups([b.index for b in branches]))
    if gathered or sum(branch.element is own for branch in branches) >= 3:
        return DOMINANT_NAMES[own.index]
    return "从旺格" if sight.g[PEER] >= sight.g[RESOURCE] else "从强格"


RULES: tuple[Callable[[ClassShares], Iterator[Special]], ...] = (
    _transformed,
    _following_output,
    _following,
    _dominant,
    _gathered,
)


def _element(sight: ClassShares, k: int) -> Element:
    return ELEMENTS[(sight.day.element.index + k) % 5]
